/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_SETTINGS_H__
#define __GST_CCA_SETTINGS_H__

#include <gst/ccameta/gstccafeatures.h>
#include <gst/video/video.h>

#include "cca.h"
#include "gst/ccabase/gstccaobjects.h"

G_BEGIN_DECLS

/**
 * GstCcaConnectivity:
 * @GST_CCA_CONNECTIVITY_4: pixels that share an edge are connected
 * @GST_CCA_CONNECTIVITY_8: pixels that share an edge or a corner are connected
 *
 * The neighbours of a pixel that belong to its component.
 *
 * Since: 0.1
 */
typedef enum {
  GST_CCA_CONNECTIVITY_4 = 4,
  GST_CCA_CONNECTIVITY_8 = 8,
} GstCcaConnectivity;

/**
 * GstCcaOrder:
 * @GST_CCA_ORDER_RASTER: row by row, by the first pixel of each component
 * @GST_CCA_ORDER_AREA: largest area first, equal areas in raster order
 *
 * The order in which components are delivered.
 *
 * Since: 0.1
 */
typedef enum {
  GST_CCA_ORDER_RASTER = CCA_ORDER_RASTER,
  GST_CCA_ORDER_AREA = CCA_ORDER_AREA,
} GstCcaOrder;

/**
 * GstCcaLightCompensation:
 * @GST_CCA_LIGHT_COMPENSATION_NONE: changes of light are foreground until the
 *   background has learned them
 * @GST_CCA_LIGHT_COMPENSATION_TONE: if nearly the whole picture becomes lighter
 *   or darker, a tone curve changes the background at once
 *
 * The handling of a change of light in the whole scene.
 *
 * Since: 0.1
 */
typedef enum {
  GST_CCA_LIGHT_COMPENSATION_NONE,
  GST_CCA_LIGHT_COMPENSATION_TONE,
} GstCcaLightCompensation;

/**
 * GstCcaOverloadAction:
 * @GST_CCA_OVERLOAD_ACTION_NONE: the background is learned as in other frames
 * @GST_CCA_OVERLOAD_ACTION_RESTART: the background restarts if the overload
 *   lasts
 *
 * The handling of an overload, see #GstCcaBase:max-foreground.
 *
 * Since: 0.1
 */
typedef enum {
  GST_CCA_OVERLOAD_ACTION_NONE,
  GST_CCA_OVERLOAD_ACTION_RESTART,
} GstCcaOverloadAction;

/* The properties that decide which pixels are foreground, in the units of the
 * properties. */
typedef struct {
  GstCcaForeground mode;
  guint threshold;
  guint threshold_high;
  guint threshold_depth;        /* bits of the thresholds and min_contrast; 0:
                                 * those of the video */
  gboolean invert;
  guint min_contrast;
  guint noise_factor;
  guint background_period;      /* frames */
  guint warm_up;                /* frames */
  guint absorb_after;           /* frames; 0: by background_period */
  guint background_period_time; /* ms at the frame rate of the video; 0: by
                                 * background_period */
  guint warm_up_time;           /* the same for warm_up */
  guint absorb_after_time;      /* the same for absorb_after */
  guint frame_distance;         /* frames; constant while the element runs */
  gboolean learning;
  GstCcaLightCompensation light_compensation;
  guint max_foreground;         /* percent of the working set; 100: no limit */
  guint overload_frames;        /* after a frame above it */
  GstCcaOverloadAction overload_action;
  guint open_radius;            /* pixels */
  guint close_radius;
} GstCcaForegroundSettings;

/* The values of the properties. Each frame is analysed with a shallow copy of
 * them, so only plain data may change while the element runs. */
typedef struct {
  GstCcaForegroundSettings foreground;
  guint connectivity;
  guint group_distance;         /* pixels; 0: no groups */
  guint64 min_area;
  guint64 max_area;
  CcaLimits limits;
  CcaRect roi;
  guint max_components;
  GstCcaFeatureFlags features;
  guint async_depth;
  GstCcaOrder order;
  GstCcaMetaTypes meta_types;
  guint max_objects;
  gchar *object_type;           /* owned by the original, not by copies */
  gchar *background_location;   /* like that; NULL: none */
  gboolean post_messages;
  GstClockTime message_interval;
} GstCcaSettings;

#define GST_TYPE_CCA_CONNECTIVITY (gst_cca_connectivity_get_type ())
#define GST_TYPE_CCA_ORDER (gst_cca_order_get_type ())
#define GST_TYPE_CCA_LIGHT_COMPENSATION (gst_cca_light_compensation_get_type ())
#define GST_TYPE_CCA_OVERLOAD_ACTION (gst_cca_overload_action_get_type ())

GType gst_cca_connectivity_get_type (void);
GType gst_cca_order_get_type (void);
GType gst_cca_light_compensation_get_type (void);
GType gst_cca_overload_action_get_type (void);

void gst_cca_settings_init (GstCcaSettings * settings);
void gst_cca_settings_clear (GstCcaSettings * settings);
void gst_cca_settings_install (GObjectClass * klass);

/* Both return FALSE if the property is not one of the settings. */
gboolean gst_cca_settings_set (GstCcaSettings * settings, guint prop_id,
    const GValue * value);
gboolean gst_cca_settings_get (const GstCcaSettings * settings, guint prop_id,
    GValue * value);

/* Replaces the periods in frames by those that are given as times. Returns FALSE,
 * and changes nothing, if times are given and the video has no frame rate. */
gboolean gst_cca_settings_resolve_times (GstCcaSettings * settings,
    const GstVideoInfo * info);

/* Returns the parameters of the engine for video with depth bits per sample. */
CcaParams gst_cca_settings_get_params (const GstCcaSettings * settings,
    guint depth);

/* Returns whether the background is to be attached, if the mode has one. */
gboolean gst_cca_settings_want_background (const GstCcaSettings * settings);

/* Returns whether the engine must write labels. */
gboolean gst_cca_settings_want_labels (const GstCcaSettings * settings);

/* Returns whether the background must have votes. */
gboolean gst_cca_settings_want_votes (const GstCcaSettings * settings);

#define GST_CCA_MAX_ASYNC_DEPTH 16

/* Value of max_foreground that no frame exceeds. */
#define GST_CCA_NO_MAX_FOREGROUND 100

/* Greater than all property ids of the settings. */
#define GST_CCA_PROP_STATS 100
#define GST_CCA_PROP_REGIONS 101
#define GST_CCA_PROP_MASK_LOCATION 102
#define GST_CCA_PROP_MASK 103

G_END_DECLS

#endif /* __GST_CCA_SETTINGS_H__ */
