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

G_END_DECLS

#endif /* __GST_CCA_DEPTH_H__ */
