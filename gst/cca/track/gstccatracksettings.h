/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_SETTINGS_H__
#define __GST_CCA_TRACK_SETTINGS_H__

#include <gst/gst.h>

#include "gstccalines.h"
#include "gstccatracker.h"

G_BEGIN_DECLS

/* Properties of ccatrack. */
enum
{
  PROP_0,
  PROP_UNITE,
  PROP_UNITE_GROUPS,
  PROP_MIN_HITS,
  PROP_MAX_LOST,
  PROP_MIN_OVERLAP,
  PROP_MAX_DISTANCE,
  PROP_MAX_TRACKS,
  PROP_STILL_FRAMES,
  PROP_MAX_STOPPED,
  PROP_META_TYPES,
  PROP_MAX_OBJECTS,
  PROP_OBJECT_TYPE,
  PROP_LINES,
  PROP_ZONES,
  PROP_LINE_MARGIN,
  PROP_LINE_MARGIN_MIN,
  PROP_SETTLE_FRAMES,
  PROP_ANCHOR,
  PROP_STATS,
};

/* The properties that are copied for each frame. */
typedef struct
{
  GstCcaTrackerParams params;
  GstCcaLineRule rule;
  guint meta_types;
  guint max_objects;
} GstCcaTrackSettings;

void gst_cca_track_settings_install (GObjectClass * klass);
void gst_cca_track_settings_init (GstCcaTrackSettings * settings);

/* Each returns FALSE if the property is not one of these settings. */
gboolean gst_cca_track_settings_set (GstCcaTrackSettings * settings,
    guint prop_id, const GValue * value);
gboolean gst_cca_track_settings_get (const GstCcaTrackSettings * settings,
    guint prop_id, GValue * value);

G_END_DECLS

#endif /* __GST_CCA_TRACK_SETTINGS_H__ */
