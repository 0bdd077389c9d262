/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The properties that the analysing elements share. */

#include "gstccasettings.h"

#include "gst/ccabase/gstccatypename.h"
#include "gstccadepth.h"

#define DEFAULT_FOREGROUND GST_CCA_FOREGROUND_THRESHOLD
#define DEFAULT_THRESHOLD 128
#define DEFAULT_THRESHOLD_HIGH 65535
#define DEFAULT_THRESHOLD_DEPTH 8
#define DEFAULT_INVERT FALSE
#define DEFAULT_MIN_CONTRAST 15
#define DEFAULT_NOISE_FACTOR 2
#define DEFAULT_BACKGROUND_PERIOD 4
#define DEFAULT_WARM_UP 255
#define DEFAULT_FRAME_DISTANCE 3
#define DEFAULT_LEARNING TRUE
#define DEFAULT_OPEN_RADIUS 0
#define DEFAULT_CLOSE_RADIUS 0
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
  PROP_FOREGROUND,
  PROP_THRESHOLD,
  PROP_THRESHOLD_HIGH,
  PROP_THRESHOLD_DEPTH,
  PROP_INVERT,
  PROP_MIN_CONTRAST,
  PROP_NOISE_FACTOR,
  PROP_BACKGROUND_PERIOD,
  PROP_WARM_UP,
  PROP_FRAME_DISTANCE,
  PROP_LEARNING,
  PROP_OPEN_RADIUS,
  PROP_CLOSE_RADIUS,
};

GType
gst_cca_connectivity_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_CCA_CONNECTIVITY_4, "Pixels that share an edge", "4"},
    {GST_CCA_CONNECTIVITY_8, "Pixels that share an edge or a corner", "8"},
    {0, NULL, NULL},
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static (GST_CCA_TYPE_PREFIX "Connectivity", values));
  return type;
}

GType
gst_cca_order_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_CCA_ORDER_RASTER, "By first pixel, row by row", "raster"},
    {GST_CCA_ORDER_AREA, "Largest first, equal areas by first pixel", "area"},
    {0, NULL, NULL},
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static (GST_CCA_TYPE_PREFIX "Order", values));
  return type;
}

void
gst_cca_settings_init (GstCcaSettings * settings)
{
  *settings = (GstCcaSettings) {
    .foreground = {
      .mode = DEFAULT_FOREGROUND,
      .threshold = DEFAULT_THRESHOLD,
      .threshold_high = DEFAULT_THRESHOLD_HIGH,
      .threshold_depth = DEFAULT_THRESHOLD_DEPTH,
      .invert = DEFAULT_INVERT,
      .min_contrast = DEFAULT_MIN_CONTRAST,
      .noise_factor = DEFAULT_NOISE_FACTOR,
      .background_period = DEFAULT_BACKGROUND_PERIOD,
      .warm_up = DEFAULT_WARM_UP,
      .frame_distance = DEFAULT_FRAME_DISTANCE,
      .learning = DEFAULT_LEARNING,
      .open_radius = DEFAULT_OPEN_RADIUS,
      .close_radius = DEFAULT_CLOSE_RADIUS,
    },
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
}

void
gst_cca_settings_clear (GstCcaSettings * settings)
{
  g_clear_pointer (&settings->object_type, g_free);
}

static void
install_threshold_properties (GObjectClass * klass)
{
  /**
   * GstCcaBase:foreground:
   *
   * What decides which pixels are foreground. `threshold` and `otsu` look at
   * the brightness of each frame alone. `sigma-delta` and `difference` find
   * what moves before a camera that stands still; there is nothing to compare
   * the first frame with, and so nothing is found in it. A change starts anew.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_FOREGROUND,
      g_param_spec_enum ("foreground", "Foreground",
          "What is foreground: brightness (threshold, otsu), or what moves "
          "before a camera that stands still (sigma-delta learns the "
          "background, difference compares with a frame before)",
          GST_TYPE_CCA_FOREGROUND, DEFAULT_FOREGROUND,
          GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaBase:threshold:
   *
   * Foreground is strictly brighter than this, in 8-bit code values of the
   * luma plane, 0 to 255, whatever the depth of the video: 128 is the same grey
   * in all formats. #GstCcaBase:threshold-depth changes the unit. Other values
   * of #GstCcaBase:foreground than `threshold` ignore it.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_THRESHOLD,
      g_param_spec_uint ("threshold", "Threshold",
          "Foreground is strictly brighter than this, in 8-bit code values of "
          "the luma plane whatever its depth (see threshold-depth)", 0, 65535,
          DEFAULT_THRESHOLD, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:threshold-high:
   *
   * Foreground is not brighter than this, in the unit of
   * #GstCcaBase:threshold; the default is no bound. Nothing is foreground if it
   * is not above #GstCcaBase:threshold. For `threshold` and `otsu`.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_THRESHOLD_HIGH,
      g_param_spec_uint ("threshold-high", "Upper Threshold",
          "Foreground is not brighter than this, so that a band of brightness "
          "can be picked out (unit as of threshold, default: no bound)",
          0, 65535, DEFAULT_THRESHOLD_HIGH, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:threshold-depth:
   *
   * The number of bits in which #GstCcaBase:threshold,
   * #GstCcaBase:threshold-high and #GstCcaBase:min-contrast are given, and in
   * which the background of `sigma-delta` moves by one. Video of 8 bits and a
   * copy of it in 10 give the same components: thresholds compare video of more
   * bits as if its lowest were cut off. 0: code values of the video's own
   * depth, such as 0 to 1023 for 10 bits; so for samples whose values do not
   * fill their depth, such as 14 bits of a thermal camera in GRAY16_LE.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_THRESHOLD_DEPTH,
      g_param_spec_uint ("threshold-depth", "Threshold Depth",
          "Bits in which threshold, threshold-high and min-contrast are given "
          "(0 = code values of the video's own depth)", 0, 16,
          DEFAULT_THRESHOLD_DEPTH, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:invert:
   *
   * Swap foreground and background, before #GstCcaBase:open-radius and
   * #GstCcaBase:close-radius.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_INVERT,
      g_param_spec_boolean ("invert", "Invert",
          "Swap foreground and background, to find dark things on bright "
          "ground", DEFAULT_INVERT, GST_CCA_PARAM_CONTROLLED));
}

static void
install_background_properties (GObjectClass * klass)
{
  /**
   * GstCcaBase:min-contrast:
   *
   * Least difference that is foreground: from the background with
   * `sigma-delta`, from the frame before with `difference`. In the unit of
   * #GstCcaBase:threshold-depth: 15 of 256. It acts at once.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MIN_CONTRAST,
      g_param_spec_uint ("min-contrast", "Minimum Contrast",
          "sigma-delta, difference: least difference that is foreground, in "
          "8-bit code values (see threshold-depth); lower it to find fainter "
          "things, as in low light (8 to 10), raise it against noise", 1,
          65535, DEFAULT_MIN_CONTRAST, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:noise-factor:
   *
   * With `sigma-delta`, how many times its usual variation a pixel must differ
   * from the background.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_NOISE_FACTOR,
      g_param_spec_uint ("noise-factor", "Noise Factor",
          "sigma-delta: how many times its usual variation a pixel must "
          "differ; raise it (3 or 4) where noise, leaves or water are found",
          1, CCA_MAX_NOISE_FACTOR, DEFAULT_NOISE_FACTOR,
          GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaBase:background-period:
   *
   * With `sigma-delta`, the background moves by one code value every so many
   * frames, once the warm-up is over. A thing that stops is foreground for
   * about half its contrast times as many frames, and so is a change of light.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_BACKGROUND_PERIOD,
      g_param_spec_uint ("background-period", "Background Period",
          "sigma-delta: frames from one step of the background to the next; "
          "raise it so that slow things and what stops are found longer (16 "
          "for people), lower it so that changes of light are forgotten "
          "sooner (4 for traffic)", 1, 65535, DEFAULT_BACKGROUND_PERIOD,
          GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaBase:warm-up:
   *
   * With `sigma-delta`, the first frames, in which the background moves with
   * every frame: what stood or moved in the very first frame is forgotten
   * sooner. Until then the results are marked as warming up.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_WARM_UP,
      g_param_spec_uint ("warm-up", "Warm-Up",
          "sigma-delta: frames after a start in which the background moves "
          "with every frame; raise it where a scene starts crowded", 0,
          65535, DEFAULT_WARM_UP, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaBase:frame-distance:
   *
   * With `difference`, each frame is compared with the one so many before, or
   * with the oldest that there is. Can be set only in NULL and READY.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_FRAME_DISTANCE,
      g_param_spec_uint ("frame-distance", "Frame Distance",
          "difference: compare with the frame so many before; raise it for "
          "slow things, lower it for fast ones, which are found where they "
          "were, too", 1, CCA_MAX_FRAME_DISTANCE, DEFAULT_FRAME_DISTANCE,
          GST_CCA_PARAM_READY));

  /**
   * GstCcaBase:learning:
   *
   * With `sigma-delta`, whether the background follows the video. Without it
   * the background stays as it is, as long as nothing starts it anew: what
   * differs from it is foreground for good.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_LEARNING,
      g_param_spec_boolean ("learning", "Learning",
          "sigma-delta: let the background follow the video; switch it off to "
          "find what differs from the scene as it was, however long it stays",
          DEFAULT_LEARNING, GST_CCA_PARAM_CONTROLLED));
}

static void
install_morphology_properties (GObjectClass * klass)
{
  /**
   * GstCcaBase:open-radius:
   *
   * Radius r of an opening of the foreground with squares of 2 r + 1 pixels,
   * with any #GstCcaBase:foreground: it takes away what is narrower. 0: none.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_OPEN_RADIUS,
      g_param_spec_uint ("open-radius", "Open Radius",
          "Take away what is narrower than 2 r + 1 pixels, in any foreground: "
          "1 removes the noise of most cameras (0 = nothing)", 0,
          CCA_MAX_OPEN_RADIUS, DEFAULT_OPEN_RADIUS,
          GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:close-radius:
   *
   * Radius r of a closing of the foreground with squares of 2 r + 1 pixels,
   * after the opening: it joins what is no more than 2 r pixels apart. 0: none.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_CLOSE_RADIUS,
      g_param_spec_uint ("close-radius", "Close Radius",
          "Then join what is no more than 2 r pixels apart: raise it until "
          "the pieces of a thing are one, lower it if neighbours merge "
          "(0 = nothing)", 0, CCA_MAX_CLOSE_RADIUS, DEFAULT_CLOSE_RADIUS,
          GST_CCA_PARAM_CONTROLLED));
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
  install_threshold_properties (klass);
  install_background_properties (klass);
  install_morphology_properties (klass);
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
    GET_OR_SET (PROP_FOREGROUND, enum, foreground.mode) \
    GET_OR_SET (PROP_THRESHOLD, uint, foreground.threshold) \
    GET_OR_SET (PROP_THRESHOLD_HIGH, uint, foreground.threshold_high) \
    GET_OR_SET (PROP_THRESHOLD_DEPTH, uint, foreground.threshold_depth) \
    GET_OR_SET (PROP_INVERT, boolean, foreground.invert) \
    GET_OR_SET (PROP_MIN_CONTRAST, uint, foreground.min_contrast) \
    GET_OR_SET (PROP_NOISE_FACTOR, uint, foreground.noise_factor) \
    GET_OR_SET (PROP_BACKGROUND_PERIOD, uint, foreground.background_period) \
    GET_OR_SET (PROP_WARM_UP, uint, foreground.warm_up) \
    GET_OR_SET (PROP_FRAME_DISTANCE, uint, foreground.frame_distance) \
    GET_OR_SET (PROP_LEARNING, boolean, foreground.learning) \
    GET_OR_SET (PROP_OPEN_RADIUS, uint, foreground.open_radius) \
    GET_OR_SET (PROP_CLOSE_RADIUS, uint, foreground.close_radius) \
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
      return FALSE;
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
      return FALSE;
  }
}

CcaParams
gst_cca_settings_get_params (const GstCcaSettings * settings, guint depth)
{
  const GstCcaForegroundSettings *f = &settings->foreground;

  return (CcaParams) {
    .foreground = (CcaForeground) f->mode,
    .threshold = gst_cca_threshold_in_depth (f->threshold, f->threshold_depth,
        depth),
    .threshold_high = gst_cca_threshold_in_depth (f->threshold_high,
        f->threshold_depth, depth),
    .invert = f->invert,
    .min_contrast = gst_cca_contrast_in_depth (f->min_contrast,
        f->threshold_depth, depth),
    .step = gst_cca_step_in_depth (f->threshold_depth, depth),
    .noise_factor = f->noise_factor,
    .background_period = f->background_period,
    .warm_up = f->warm_up,
    .learning = f->learning,
    .open_radius = f->open_radius,
    .close_radius = f->close_radius,
    .connectivity = settings->connectivity,
    .min_area = settings->min_area,
    .max_area = settings->max_area,
    .roi = settings->roi,
    .max_components = settings->max_components,
    .order = (CcaOrder) settings->order,
  };
}

gboolean
gst_cca_settings_want_labels (const GstCcaSettings * settings)
{
  return (settings->meta_types & (GST_CCA_META_TYPE_LABELS
          | GST_CCA_META_TYPE_SEGMENTATION)) != 0;
}
