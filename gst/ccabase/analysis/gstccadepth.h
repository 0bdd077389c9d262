/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_DEPTH_H__
#define __GST_CCA_DEPTH_H__

#include <glib.h>

G_BEGIN_DECLS

/* These functions convert code values of from bits to to bits. from is 0 to 16,
 * where 0 means the same depth as to; to is 1 to 16. */

/* Converts a threshold. A code value of to bits exceeds the result exactly if
 * the code value, shifted to from bits, exceeds the threshold. A threshold that
 * no code value can exceed becomes the largest code value. */
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

/* Converts a minimum, such as a minimum difference. A conversion to fewer bits
 * rounds up, so that the result is 0 only for 0. The result is at most 1 << 16,
 * which is more than any code value. */
static inline guint
gst_cca_contrast_in_depth (guint contrast, guint from, guint to)
{
  if (from == 0 || from == to)
    return contrast;
  if (from > to)
    return (contrast + (1u << (from - to)) - 1) >> (from - to);
  return MIN (contrast << (to - from), 1u << 16);
}

/* Returns the distance between two neighbouring values of from bits in code
 * values of to bits, at least 1. */
static inline guint
gst_cca_step_in_depth (guint from, guint to)
{
  return from == 0 || from > to ? 1 : 1u << (to - from);
}

G_END_DECLS

#endif /* __GST_CCA_DEPTH_H__ */
