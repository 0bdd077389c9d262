/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_FUZZ_PLUGIN_H__
#define __CCA_FUZZ_PLUGIN_H__

/* Common code of the targets with elements, which plugin.c registers. */

#include <gst/ccameta/gstccameta.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "fuzz.h"

void attach_meta (GstBuffer * buffer, const GstCcaAnalysis * analysis,
    const GstCcaComponent * records, guint n);

#endif /* __CCA_FUZZ_PLUGIN_H__ */
