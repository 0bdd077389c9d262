/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "settings.h"

#define DEFAULT_CONNECTIVITY GST_CCA_CONNECTIVITY_8
#define DEFAULT_MIN_AREA 1
#define DEFAULT_MAX_AREA G_MAXUINT64
#define DEFAULT_MAX_COMPONENTS 65536
#define DEFAULT_ASYNC_DEPTH 0
#define DEFAULT_ORDER GST_CCA_ORDER_RASTER
#define DEFAULT_META_TYPES (GST_CCA_META_TYPE_CCA | GST_CCA_META_TYPE_ANALYTICS)
#define DEFAULT_POST_MESSAGES FALSE
#define DEFAULT_MESSAGE_INTERVAL 0

enum
{
  PROP_0,
  PROP_CONNECTIVITY,
  PROP_MIN_AREA,
  PROP_MAX_AREA,
  PROP_ROI_X,
  PROP_ROI_Y,
  PROP_ROI_WIDTH,
  PROP_ROI_HEIGHT,
  PROP_MAX_COMPONENTS,
  PROP_ORDER,
  PROP_META_TYPES,
  PROP_MAX_OBJECTS,
  PROP_OBJECT_TYPE,
  PROP_POST_MESSAGES,
  PROP_MESSAGE_INTERVAL,
  PROP_ASYNC_DEPTH,
};

void
gst_cca_settings_init (GstCcaSettings * settings)
{
  *settings = (GstCcaSettings) {
    .connectivity = DEFAULT_CONNECTIVITY,
    .min_area = DEFAULT_MIN_AREA,
    .max_area = DEFAULT_MAX_AREA,
    .max_components = DEFAULT_MAX_COMPONENTS,
    .async_depth = DEFAULT_ASYNC_DEPTH,
    .order = DEFAULT_ORDER,
    .meta_types = DEFAULT_META_TYPES,
    .max_objects = GST_CCA_DEFAULT_MAX_OBJECTS,
    .object_type = gst_cca_object_type (NULL),
    .post_messages = DEFAULT_POST_MESSAGES,
    .message_interval = DEFAULT_MESSAGE_INTERVAL,
  };
  gst_cca_foreground_init (&settings->foreground);
}

void
gst_cca_settings_clear (GstCcaSettings * settings)
{
  g_clear_pointer (&settings->object_type, g_free);
}

static void
install_place_properties (GObjectClass * klass)
{
  /**
   * GstCcaBase:connectivity:
   *
   * Which neighbours of a pixel belong to its component: 4 or 8.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_CONNECTIVITY,
      g_param_spec_enum ("connectivity", "Connectivity",
          "4 joins pixels that share an edge, 8 also those that only touch at "
          "a corner", GST_TYPE_CCA_CONNECTIVITY, DEFAULT_CONNECTIVITY,
          GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:roi-x:
   *
   * Left column of the region of interest in the analysed picture. Pixels
   * outside the region do not exist; a region outside the picture is empty.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_ROI_X,
      g_param_spec_uint ("roi-x", "ROI X",
          "Left column of the region of interest, outside which there is "
          "nothing to find", 0, G_MAXINT, 0, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:roi-y:
   *
   * Top row of the region of interest in the analysed picture.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_ROI_Y,
      g_param_spec_uint ("roi-y", "ROI Y",
          "Top row of the region of interest", 0, G_MAXINT, 0,
          GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:roi-width:
   *
   * Width of the region of interest. 0 reaches to the right edge.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_ROI_WIDTH,
      g_param_spec_uint ("roi-width", "ROI Width",
          "Width of the region of interest (0 = up to the right edge)",
          0, G_MAXINT, 0, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:roi-height:
   *
   * Height of the region of interest. 0 reaches to the bottom edge.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_ROI_HEIGHT,
      g_param_spec_uint ("roi-height", "ROI Height",
          "Height of the region of interest (0 = up to the bottom edge)",
          0, G_MAXINT, 0, GST_CCA_PARAM_CONTROLLED));
}

static void
install_component_properties (GObjectClass * klass)
{
  /**
   * GstCcaBase:min-area:
   *
   * Components with fewer pixels are not found.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MIN_AREA,
      g_param_spec_uint64 ("min-area", "Minimum Area",
          "Components with fewer pixels are left out, which removes noise",
          0, G_MAXUINT64, DEFAULT_MIN_AREA, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:max-area:
   *
   * Components with more pixels are not found.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_AREA,
      g_param_spec_uint64 ("max-area", "Maximum Area",
          "Components with more pixels are left out (default: no limit)",
          0, G_MAXUINT64, DEFAULT_MAX_AREA, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:max-components:
   *
   * Memory is kept for so many component records. When a frame has more, the
   * first in #GstCcaBase:order are delivered, the true number is told and the
   * result is marked as truncated. Can be set only in NULL and READY.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_COMPONENTS,
      g_param_spec_uint ("max-components", "Maximum Components",
          "Deliver at most so many components a frame, the first in order; "
          "the true number is still reported", 1, G_MAXINT,
          DEFAULT_MAX_COMPONENTS, GST_CCA_PARAM_READY));

  /**
   * GstCcaBase:order:
   *
   * The order of delivery. Ids stay ranks in raster order.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_ORDER,
      g_param_spec_enum ("order", "Order",
          "Order of delivery, which also decides what max-components and "
          "max-objects keep", GST_TYPE_CCA_ORDER, DEFAULT_ORDER,
          GST_CCA_PARAM_PLAYING));
}

static void
install_output_properties (GObjectClass * klass)
{
  /**
   * GstCcaBase:meta-types:
   *
   * What is attached to a buffer. Turning labels or segmentation on while the
   * element runs starts the background anew, where there is one.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_META_TYPES,
      gst_cca_param_spec_meta_types (DEFAULT_META_TYPES));

  /**
   * GstCcaBase:max-objects:
   *
   * The most objects of each kind, roi and analytics, that a buffer has
   * afterwards, those of elements before this one counted, and the most
   * components that a message lists. #GstCcaMeta is not limited by it.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_OBJECTS,
      gst_cca_param_spec_max_objects ());

  /**
   * GstCcaBase:object-type:
   *
   * Type of roi and analytics objects. Can be set only in NULL and READY.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_OBJECT_TYPE,
      gst_cca_param_spec_object_type ());

  /**
   * GstCcaBase:post-messages:
   *
   * Post an element message named `cca` with the first
   * #GstCcaBase:max-objects components.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_POST_MESSAGES,
      g_param_spec_boolean ("post-messages", "Post Messages",
          "Post the first max-objects components on the bus as an element "
          "message, for applications that do not look at buffers",
          DEFAULT_POST_MESSAGES, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaBase:message-interval:
   *
   * Least running time between two messages, in nanoseconds.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MESSAGE_INTERVAL,
      g_param_spec_uint64 ("message-interval", "Message Interval",
          "Least running time between two messages in nanoseconds (0 = one "
          "for each frame)", 0, G_MAXUINT64, DEFAULT_MESSAGE_INTERVAL,
          GST_CCA_PARAM_PLAYING));
}

static void
install_async_depth (GObjectClass * klass)
{
  /**
   * GstCcaBase:async-depth:
   *
   * With 0 the result of a frame is waited for, and the frame passed on, before
   * the next one is taken. With more, this happens when so many later frames
   * have come, or something that must not overtake it: an event, an allocation
   * query or a buffer with DISCONT. Meanwhile the GPU works. The results are
   * the same. The latency grows by as many frames, upstream is asked for as
   * many buffers more, and each frame takes memory of its own in the engine.
   * On the CPU the work on a frame is done when it comes: `cca` only delays it.
   * Can be set only in NULL and READY.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_ASYNC_DEPTH,
      g_param_spec_uint ("async-depth", "Asynchronous Depth",
          "Keep so many frames in flight while the GPU works, instead of "
          "waiting for each; it delays them by as many, which is all that it "
          "does on the CPU (0 = wait for each frame)",
          0, GST_CCA_MAX_ASYNC_DEPTH, DEFAULT_ASYNC_DEPTH,
          GST_CCA_PARAM_READY));
}

void
gst_cca_settings_install (GObjectClass * klass)
{
  gst_cca_foreground_install (klass);
  install_place_properties (klass);
  install_component_properties (klass);
  install_output_properties (klass);
  install_async_depth (klass);

  gst_type_mark_as_plugin_api (GST_TYPE_CCA_CONNECTIVITY, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_CCA_ORDER, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_CCA_META_TYPES, 0);
}

/* *INDENT-OFF* */
#define SETTINGS(GET_OR_SET) \
    GET_OR_SET (PROP_CONNECTIVITY, enum, connectivity) \
    GET_OR_SET (PROP_MIN_AREA, uint64, min_area) \
    GET_OR_SET (PROP_MAX_AREA, uint64, max_area) \
    GET_OR_SET (PROP_ROI_X, uint, roi.x) \
    GET_OR_SET (PROP_ROI_Y, uint, roi.y) \
    GET_OR_SET (PROP_ROI_WIDTH, uint, roi.width) \
    GET_OR_SET (PROP_ROI_HEIGHT, uint, roi.height) \
    GET_OR_SET (PROP_MAX_COMPONENTS, uint, max_components) \
    GET_OR_SET (PROP_ASYNC_DEPTH, uint, async_depth) \
    GET_OR_SET (PROP_ORDER, enum, order) \
    GET_OR_SET (PROP_META_TYPES, flags, meta_types) \
    GET_OR_SET (PROP_MAX_OBJECTS, uint, max_objects) \
    GET_OR_SET (PROP_POST_MESSAGES, boolean, post_messages) \
    GET_OR_SET (PROP_MESSAGE_INTERVAL, uint64, message_interval)
/* *INDENT-ON* */

gboolean
gst_cca_settings_set (GstCcaSettings * settings, guint prop_id,
    const GValue * value)
{
  switch (prop_id) {
      SETTINGS (GST_CCA_SET_CASE);
    case PROP_OBJECT_TYPE:
      g_free (settings->object_type);
      settings->object_type = gst_cca_object_type (g_value_get_string (value));
      return TRUE;
    default:
      return gst_cca_foreground_set (&settings->foreground, prop_id, value);
  }
}

gboolean
gst_cca_settings_get (const GstCcaSettings * settings, guint prop_id,
    GValue * value)
{
  switch (prop_id) {
      SETTINGS (GST_CCA_GET_CASE);
    case PROP_OBJECT_TYPE:
      g_value_set_string (value, settings->object_type);
      return TRUE;
    default:
      return gst_cca_foreground_get (&settings->foreground, prop_id, value);
  }
}
