/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_FOREGROUND_H__
#define __GST_CCA_FOREGROUND_H__

#include <gst/ccameta/gstccameta.h>

G_BEGIN_DECLS

/* The properties that decide which pixels are foreground, in the units that
 * they have for the user. */
typedef struct {
  GstCcaForeground mode;
  guint threshold;
  guint threshold_high;
  guint threshold_depth;        /* bits that they and min_contrast are given
                                 * in; 0: the video's */
  gboolean invert;
  guint min_contrast;
  guint noise_factor;
  guint background_period;      /* frames, as those below */
  guint warm_up;
  guint frame_distance;         /* does not change while the element runs */
  gboolean learning;
  guint open_radius;            /* pixels */
  guint close_radius;
} GstCcaForegroundSettings;

void gst_cca_foreground_init (GstCcaForegroundSettings * settings);
void gst_cca_foreground_install (GObjectClass * klass);

/* Both are FALSE for a property that is not one of these. */
gboolean gst_cca_foreground_set (GstCcaForegroundSettings * settings,
    guint prop_id, const GValue * value);
gboolean gst_cca_foreground_get (const GstCcaForegroundSettings * settings,
    guint prop_id, GValue * value);

G_END_DECLS

#endif /* __GST_CCA_FOREGROUND_H__ */
