/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_DIGITS_H__
#define __GST_CCA_DIGITS_H__

#include <gst/gst.h>

#include "overlay/overlay.h"

G_BEGIN_DECLS

/* Replaces the characters by ones of a font size in pixels. All have the size of
 * the digits. Without Pango, or if memory runs out, there are none afterwards:
 * their width is 0. */
void gst_cca_digits_make (CcaOverlayGlyphs * digits, guint size);
void gst_cca_digits_clear (CcaOverlayGlyphs * digits);

G_END_DECLS

#endif /* __GST_CCA_DIGITS_H__ */
