/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_META_H__
#define __CCA_META_H__

/* Includes all headers of the library. */
#include <gst/ccameta/cca-meta-prelude.h>
#include <gst/ccameta/gstccaversion.h>
#include <gst/ccameta/gstccashapes.h>
#include <gst/ccameta/gstccameta.h>
#include <gst/ccameta/gstccafeatures.h>
#include <gst/ccameta/gstccalabelsmeta.h>
#include <gst/ccameta/gstccabackgroundmeta.h>

#endif /* __CCA_META_H__ */
