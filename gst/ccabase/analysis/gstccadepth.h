/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_DEPTH_H__
#define __GST_CCA_DEPTH_H__

#include <glib.h>

G_BEGIN_DECLS

/* A threshold that is given in from bits (0: as many as to) in code values of
 * to bits, 1 to 16: a code value is above it exactly if, shifted to from bits,
 * it is above the one given. What no code value exceeds becomes the largest. */
static inline guint
gst_cca_threshold_in_depth (guint threshold, guint from, guint to)
{
  const guint top = (1u << to) - 1;

  if (from > to)
    threshold >>= from - to;
  else if (from != 0)
    threshold = ((threshold + 1) << (to - from)) - 1;
  return MIN (threshold, top);
}

/* A least difference, from 1, in the same way: two code values differ by it
 * exactly if those shifted to from bits could. */
static inline guint
gst_cca_contrast_in_depth (guint contrast, guint from, guint to)
{
  if (from == 0 || from == to)
    return contrast;
  if (from > to)
    return (contrast + (1u << (from - to)) - 1) >> (from - to);
  return MIN (contrast << (to - from), 1u << 16);
}

/* The step between neighbouring values of from bits, and at least 1. */
static inline guint
gst_cca_step_in_depth (guint from, guint to)
{
  return from == 0 || from > to ? 1 : 1u << (to - from);
}

G_END_DECLS

#endif /* __GST_CCA_DEPTH_H__ */
