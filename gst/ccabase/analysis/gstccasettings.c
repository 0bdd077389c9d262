/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The properties that cca and cudacca share. */

#include "gstccasettings.h"

#include "gst/ccabase/gstccatypename.h"
#include "gstccadepth.h"
#include "gstccagroups.h"

#define DEFAULT_FOREGROUND GST_CCA_FOREGROUND_THRESHOLD
#define DEFAULT_THRESHOLD 128
#define DEFAULT_THRESHOLD_HIGH 65535
#define DEFAULT_THRESHOLD_DEPTH 8
#define DEFAULT_INVERT FALSE
#define DEFAULT_MIN_CONTRAST 15
#define DEFAULT_NOISE_FACTOR 2
#define DEFAULT_BACKGROUND_PERIOD 4
#define DEFAULT_WARM_UP 255
#define DEFAULT_ABSORB_AFTER 0
#define DEFAULT_FRAME_DISTANCE 3
#define DEFAULT_TIME 0
#define DEFAULT_LEARNING TRUE
#define DEFAULT_LIGHT_COMPENSATION GST_CCA_LIGHT_COMPENSATION_NONE
#define DEFAULT_MAX_FOREGROUND GST_CCA_NO_MAX_FOREGROUND
#define DEFAULT_OVERLOAD_FRAMES 5
#define DEFAULT_OVERLOAD_ACTION GST_CCA_OVERLOAD_ACTION_NONE
#define DEFAULT_OPEN_RADIUS 0
#define DEFAULT_CLOSE_RADIUS 0
#define DEFAULT_CONNECTIVITY GST_CCA_CONNECTIVITY_8
#define DEFAULT_GROUP_DISTANCE 0
#define DEFAULT_MIN_AREA 1
#define DEFAULT_MAX_AREA G_MAXUINT64
#define DEFAULT_MAX_COMPONENTS 65536
#define DEFAULT_FEATURES GST_CCA_FEATURE_FLAG_NONE
#define DEFAULT_ASYNC_DEPTH 0
#define DEFAULT_ORDER GST_CCA_ORDER_RASTER
#define DEFAULT_META_TYPES (GST_CCA_META_TYPE_CCA | GST_CCA_META_TYPE_ANALYTICS)
#define DEFAULT_POST_MESSAGES FALSE
#define DEFAULT_MESSAGE_INTERVAL 0

#define MAX_PERIOD 65535 /* frames */
#define MAX_OVERLOAD_FRAMES 1000

enum
{
  PROP_0,
  PROP_CONNECTIVITY,
  PROP_GROUP_DISTANCE,
  PROP_MIN_AREA,
  PROP_MAX_AREA,
  PROP_MIN_WIDTH,
  PROP_MAX_WIDTH,
  PROP_MIN_HEIGHT,
  PROP_MAX_HEIGHT,
  PROP_MIN_ASPECT,
  PROP_MAX_ASPECT,
  PROP_MIN_EXTENT,
  PROP_MIN_PEAK,
  PROP_EXCLUDE_BORDER,
  PROP_ROI_X,
  PROP_ROI_Y,
  PROP_ROI_WIDTH,
  PROP_ROI_HEIGHT,
  PROP_MAX_COMPONENTS,
  PROP_FEATURES,
  PROP_ORDER,
  PROP_META_TYPES,
  PROP_MAX_OBJECTS,
  PROP_OBJECT_TYPE,
  PROP_BACKGROUND_LOCATION,
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
  PROP_ABSORB_AFTER,
  PROP_BACKGROUND_PERIOD_TIME,
  PROP_WARM_UP_TIME,
  PROP_ABSORB_AFTER_TIME,
  PROP_FRAME_DISTANCE,
  PROP_LEARNING,
  PROP_LIGHT_COMPENSATION,
  PROP_MAX_FOREGROUND,
  PROP_OVERLOAD_FRAMES,
  PROP_OVERLOAD_ACTION,
  PROP_OPEN_RADIUS,
  PROP_CLOSE_RADIUS,
};

/* *INDENT-OFF* */
GST_CCA_DEFINE_ENUM_TYPE (gst_cca_connectivity, "Connectivity",
    {GST_CCA_CONNECTIVITY_4, "Connects pixels that share an edge", "4"},
    {GST_CCA_CONNECTIVITY_8, "Connects pixels that share an edge or a corner",
      "8"})

GST_CCA_DEFINE_ENUM_TYPE (gst_cca_order, "Order",
    {GST_CCA_ORDER_RASTER, "Row by row, by the first pixel of each component",
      "raster"},
    {GST_CCA_ORDER_AREA, "Largest area first, equal areas in raster order",
      "area"})

GST_CCA_DEFINE_ENUM_TYPE (gst_cca_light_compensation, "LightCompensation",
    {GST_CCA_LIGHT_COMPENSATION_NONE, "Learns a change of light", "none"},
    {GST_CCA_LIGHT_COMPENSATION_TONE, "Changes the background by a tone curve",
      "tone"})

GST_CCA_DEFINE_ENUM_TYPE (gst_cca_overload_action, "OverloadAction",
    {GST_CCA_OVERLOAD_ACTION_NONE, "Learns the background as in other frames",
      "none"},
    {GST_CCA_OVERLOAD_ACTION_RESTART,
      "Restarts the background if the overload lasts", "restart"})
/* *INDENT-ON* */

void
gst_cca_settings_init (GstCcaSettings *settings)
{
  *settings = (GstCcaSettings) {
    .foreground =
        {
          .mode = DEFAULT_FOREGROUND,
          .threshold = DEFAULT_THRESHOLD,
          .threshold_high = DEFAULT_THRESHOLD_HIGH,
          .threshold_depth = DEFAULT_THRESHOLD_DEPTH,
          .invert = DEFAULT_INVERT,
          .min_contrast = DEFAULT_MIN_CONTRAST,
          .noise_factor = DEFAULT_NOISE_FACTOR,
          .background_period = DEFAULT_BACKGROUND_PERIOD,
          .warm_up = DEFAULT_WARM_UP,
          .absorb_after = DEFAULT_ABSORB_AFTER,
          .background_period_time = DEFAULT_TIME,
          .warm_up_time = DEFAULT_TIME,
          .absorb_after_time = DEFAULT_TIME,
          .frame_distance = DEFAULT_FRAME_DISTANCE,
          .learning = DEFAULT_LEARNING,
          .light_compensation = DEFAULT_LIGHT_COMPENSATION,
          .max_foreground = DEFAULT_MAX_FOREGROUND,
          .overload_frames = DEFAULT_OVERLOAD_FRAMES,
          .overload_action = DEFAULT_OVERLOAD_ACTION,
          .open_radius = DEFAULT_OPEN_RADIUS,
          .close_radius = DEFAULT_CLOSE_RADIUS,
        },
    .connectivity = DEFAULT_CONNECTIVITY,
    .group_distance = DEFAULT_GROUP_DISTANCE,
    .min_area = DEFAULT_MIN_AREA,
    .max_area = DEFAULT_MAX_AREA,
    .limits = CCA_NO_LIMITS,
    .max_components = DEFAULT_MAX_COMPONENTS,
    .features = DEFAULT_FEATURES,
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
gst_cca_settings_clear (GstCcaSettings *settings)
{
  g_clear_pointer (&settings->object_type, g_free);
  g_clear_pointer (&settings->background_location, g_free);
}

static void
install_threshold_properties (GObjectClass *klass)
{
  /**
   * GstCcaBase:foreground:
   *
   * How foreground pixels are found. `threshold` and `otsu` use the brightness
   * of the pixels of each frame. `sigma-delta` and `difference` detect motion
   * in front of a static camera. They find nothing in the first frame, because
   * there is nothing to compare it with. A change of the property discards the
   * background.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_FOREGROUND,
      g_param_spec_enum ("foreground", "Foreground",
          "How foreground pixels are found. threshold and otsu find bright "
          "pixels in each frame. sigma-delta and difference detect motion in "
          "front of a static camera: sigma-delta learns a background, "
          "difference compares with an earlier frame",
          GST_TYPE_CCA_FOREGROUND, DEFAULT_FOREGROUND, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaBase:threshold:
   *
   * Foreground pixels are brighter than this value (not equal). The unit is an
   * 8-bit code value of the luma plane, 0 to 255, for video of any depth: 128
   * is the same grey in all formats. #GstCcaBase:threshold-depth changes the
   * unit. The property is used only with #GstCcaBase:foreground `threshold`.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_THRESHOLD,
      g_param_spec_uint ("threshold", "Threshold",
          "foreground=threshold: foreground pixels are brighter than this luma "
          "value. Given in 8 bits, 0 to 255, for video of any depth (see "
          "threshold-depth)",
          0, 65535, DEFAULT_THRESHOLD, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:threshold-high:
   *
   * Foreground pixels are not brighter than this value (equal is foreground),
   * in the unit of #GstCcaBase:threshold. The default is no upper bound.
   * Nothing is foreground unless the value is greater than the threshold. The
   * property is used with `threshold` and `otsu`.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_THRESHOLD_HIGH,
      g_param_spec_uint ("threshold-high", "Upper Threshold",
          "foreground=threshold, otsu: foreground pixels are at most this "
          "bright. Set it to find a band of brightness. Unit as of threshold "
          "(default: no upper bound)",
          0, 65535, DEFAULT_THRESHOLD_HIGH, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:threshold-depth:
   *
   * Number of bits of #GstCcaBase:threshold, #GstCcaBase:threshold-high,
   * #GstCcaBase:min-contrast and #GstCcaBase:min-peak. It is also the unit in which the background of
   * `sigma-delta` moves by one. Video of 8 bits and a copy of it in 10 bits
   * give the same components, as the lowest bits of deeper video are ignored in
   * comparisons with a threshold.
   *
   * With 0 the values are code values of the depth of the video, such as 0 to
   * 1023 for 10 bits. Use 0 for samples that do not use the full range of their
   * format, such as 14 bits of a thermal camera in GRAY16_LE.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_THRESHOLD_DEPTH,
      g_param_spec_uint ("threshold-depth", "Threshold Depth",
          "Number of bits of threshold, threshold-high, min-contrast and "
          "min-peak. Set 0 for samples that do not use the full range of "
          "their format, such as thermal video in GRAY16_LE (0 = depth of the "
          "video)",
          0, 16, DEFAULT_THRESHOLD_DEPTH, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:invert:
   *
   * Swaps foreground and background. This happens before
   * #GstCcaBase:open-radius and #GstCcaBase:close-radius apply.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_INVERT,
      g_param_spec_boolean ("invert", "Invert",
          "Swap foreground and background. Set it to find dark objects on a "
          "bright background",
          DEFAULT_INVERT, GST_CCA_PARAM_CONTROLLED));
}

static void
install_background_properties (GObjectClass *klass)
{
  /**
   * GstCcaBase:min-contrast:
   *
   * Minimum difference of a foreground pixel: from the background with
   * `sigma-delta`, from the frame #GstCcaBase:frame-distance before with
   * `difference`. The unit is that of #GstCcaBase:threshold-depth, so the
   * default is 15 of 256. A change applies from the next frame.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MIN_CONTRAST,
      g_param_spec_uint ("min-contrast", "Minimum Contrast",
          "foreground=sigma-delta, difference: minimum difference of a "
          "foreground pixel, in 8-bit code values (see threshold-depth). Lower "
          "it for faint objects or low light (8 to 10), raise it against "
          "noise",
          1, 65535, DEFAULT_MIN_CONTRAST, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:noise-factor:
   *
   * With `sigma-delta`, a foreground pixel differs from the background by at
   * least this multiple of its usual variation.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_NOISE_FACTOR,
      g_param_spec_uint ("noise-factor", "Noise Factor",
          "foreground=sigma-delta: minimum difference from the background as a "
          "multiple of the pixel's usual variation. Raise it to 3 or 4 if "
          "noise, leaves or water are detected",
          1, CCA_MAX_NOISE_FACTOR, DEFAULT_NOISE_FACTOR,
          GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaBase:background-period:
   *
   * With `sigma-delta`, number of frames between two updates of the background
   * after the warm-up. Each update moves the background of a pixel by one code
   * value. An object that stops stays foreground for about `background-period *
   * (contrast - min-contrast) / 2` frames, and so does a change of light.
   * #GstCcaBase:absorb-after makes this time a number of frames for any
   * contrast.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_BACKGROUND_PERIOD,
      g_param_spec_uint ("background-period", "Background Period",
          "foreground=sigma-delta: frames between two updates of the "
          "background. Raise it to keep slow or stopped objects longer (16 for "
          "people). Lower it to forget changes of light sooner (4 for "
          "traffic)",
          1, MAX_PERIOD, DEFAULT_BACKGROUND_PERIOD, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaBase:warm-up:
   *
   * With `sigma-delta`, number of frames after a start in which every frame
   * updates the background. Objects of the first frame, which are part of the
   * initial background, are forgotten sooner. Results are marked as warming up
   * during this time.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_WARM_UP,
      g_param_spec_uint ("warm-up", "Warm-Up",
          "foreground=sigma-delta: frames after a start in which every frame "
          "updates the background. Raise it if scenes start crowded",
          0, MAX_PERIOD, DEFAULT_WARM_UP, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaBase:absorb-after:
   *
   * With `sigma-delta`, number of frames for which an object that stops stays
   * foreground, whatever its contrast. When it moves on, the background that
   * was there before returns within 4 frames, so it leaves no ghost. Changes of
   * light stay foreground for as long as objects. The time is exact to one part
   * in 127, and shorter where the background was not seen for twice as long
   * before. During the warm-up it is at most 127 frames.
   *
   * With 0, #GstCcaBase:background-period decides. Where leaves move or the
   * camera shakes, 0 finds fewer false objects.
   *
   * The background then takes 4 bytes per pixel of 8-bit video instead of 2. A
   * change from or to 0 discards it.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_ABSORB_AFTER,
      g_param_spec_uint ("absorb-after", "Absorb After",
          "foreground=sigma-delta: frames after which an object that stops "
          "becomes background. Set 1000 for people and traffic, who then leave "
          "no ghosts. Keep 0 if leaves move or the camera shakes (0 = by "
          "background-period and contrast)",
          0, CCA_MAX_ABSORB_AFTER, DEFAULT_ABSORB_AFTER,
          GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaBase:frame-distance:
   *
   * With `difference`, each frame is compared with the frame this many frames
   * before, or with the oldest one after a start. Can be set only in NULL and
   * READY.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_FRAME_DISTANCE,
      g_param_spec_uint ("frame-distance", "Frame Distance",
          "foreground=difference: compare with the frame this many frames "
          "before. Raise it for slow objects. Lower it for fast ones, which "
          "are also found at their earlier position",
          1, CCA_MAX_FRAME_DISTANCE, DEFAULT_FRAME_DISTANCE,
          GST_CCA_PARAM_READY));

  /**
   * GstCcaBase:learning:
   *
   * With `sigma-delta`, whether frames update the background. If %FALSE the
   * background stays as it is until it is discarded, and objects that differ
   * from it stay foreground.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_LEARNING,
      g_param_spec_boolean ("learning", "Learning",
          "foreground=sigma-delta: update the background with each frame. "
          "Switch it off to keep finding objects that differ from the present "
          "scene, however long they stay",
          DEFAULT_LEARNING, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:light-compensation:
   *
   * With `sigma-delta`, how a change of light is handled. With `none` the
   * picture is foreground until the background has learned the new light, or
   * for #GstCcaBase:absorb-after frames.
   *
   * With `tone`, each frame is compared with the background at every 4th pixel
   * of every 4th row of the region of interest. If at least three quarters of
   * these pixels have become lighter, or three quarters darker, the whole
   * background is changed by the tone curve that fits them best, before the
   * frame is analysed. Frames in which this happened have the flag
   * %GST_CCA_ANALYSIS_FLAG_LIGHT_CHANGED. Objects that cover most of the
   * picture, and light that reaches only a part of it, do not change the
   * background.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_LIGHT_COMPENSATION,
      g_param_spec_enum ("light-compensation", "Light Compensation",
          "foreground=sigma-delta: what to do when the light changes. Set tone "
          "for lamps, clouds and automatic exposure, above all with "
          "absorb-after",
          GST_TYPE_CCA_LIGHT_COMPENSATION, DEFAULT_LIGHT_COMPENSATION,
          GST_CCA_PARAM_PLAYING));
}

static void
install_overload_properties (GObjectClass *klass)
{
  /**
   * GstCcaBase:max-foreground:
   *
   * With `sigma-delta` and `difference`, maximum part of the foreground in
   * percent of the analysed pixels. A frame that exceeds it, and the
   * #GstCcaBase:overload-frames frames after it, are in overload: they have the
   * flag %GST_CCA_ANALYSIS_FLAG_OVERLOAD and deliver no components. The number
   * of components found is still reported, and label images are still written.
   * The foreground is counted before #GstCcaBase:invert,
   * #GstCcaBase:open-radius and #GstCcaBase:close-radius.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_FOREGROUND,
      g_param_spec_uint ("max-foreground", "Maximum Foreground",
          "foreground=sigma-delta, difference: frames with more foreground "
          "than this percentage of the analysed pixels deliver no components. "
          "Set 40 to ignore changes of light and moved cameras (100 = off)",
          1, GST_CCA_NO_MAX_FOREGROUND, DEFAULT_MAX_FOREGROUND,
          GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaBase:overload-frames:
   *
   * Number of frames in overload after a frame that exceeds
   * #GstCcaBase:max-foreground.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_OVERLOAD_FRAMES,
      g_param_spec_uint ("overload-frames", "Overload Frames",
          "Frames that deliver no components after one that exceeds "
          "max-foreground",
          0, MAX_OVERLOAD_FRAMES, DEFAULT_OVERLOAD_FRAMES,
          GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaBase:overload-action:
   *
   * Whether the background restarts if an overload lasts. With `restart`, the
   * frame after #GstCcaBase:overload-frames + 1 consecutive frames that exceed
   * #GstCcaBase:max-foreground is the first frame of a new background.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_OVERLOAD_ACTION,
      g_param_spec_enum ("overload-action", "Overload Action",
          "What to do if more than overload-frames consecutive frames exceed "
          "max-foreground. Set restart to learn the changed scene at once",
          GST_TYPE_CCA_OVERLOAD_ACTION, DEFAULT_OVERLOAD_ACTION,
          GST_CCA_PARAM_PLAYING));
}

/* A value in milliseconds makes a setting independent of the frame rate. */
static void
install_time_properties (GObjectClass *klass)
{
  /**
   * GstCcaBase:background-period-time:
   *
   * #GstCcaBase:background-period in milliseconds. If it is not 0, it replaces
   * that property: the number of frames is the time multiplied by the frame
   * rate of the caps, rounded to the nearest number, and at least 1. Video
   * without a fixed frame rate (0/1) is analysed by
   * #GstCcaBase:background-period, and one warning is posted.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_BACKGROUND_PERIOD_TIME,
      g_param_spec_uint ("background-period-time", "Background Period Time",
          "background-period in milliseconds at the frame rate of the video. "
          "Set it to behave alike at any frame rate (0 = use "
          "background-period)",
          0, G_MAXUINT, DEFAULT_TIME, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaBase:warm-up-time:
   *
   * #GstCcaBase:warm-up in milliseconds, under the rule of
   * #GstCcaBase:background-period-time.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_WARM_UP_TIME,
      g_param_spec_uint ("warm-up-time", "Warm-Up Time",
          "warm-up in milliseconds at the frame rate of the video. Set it to "
          "behave alike at any frame rate (0 = use warm-up)",
          0, G_MAXUINT, DEFAULT_TIME, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaBase:absorb-after-time:
   *
   * #GstCcaBase:absorb-after in milliseconds, under the rule of
   * #GstCcaBase:background-period-time.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_ABSORB_AFTER_TIME,
      g_param_spec_uint ("absorb-after-time", "Absorb After Time",
          "absorb-after in milliseconds at the frame rate of the video. Set it "
          "to behave alike at any frame rate (0 = use absorb-after)",
          0, G_MAXUINT, DEFAULT_TIME, GST_CCA_PARAM_PLAYING));
}

static void
install_morphology_properties (GObjectClass *klass)
{
  /**
   * GstCcaBase:open-radius:
   *
   * Radius r, in pixels, of an opening of the foreground with squares of
   * 2 r + 1 pixels. It removes parts that are narrower than the square. Applies
   * with any #GstCcaBase:foreground. 0 disables the opening.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_OPEN_RADIUS,
      g_param_spec_uint ("open-radius", "Open Radius",
          "Remove parts of the foreground that are narrower than 2 r + 1 "
          "pixels (morphological opening of radius r). 1 removes the noise of "
          "most cameras (0 = off)",
          0, CCA_MAX_OPEN_RADIUS, DEFAULT_OPEN_RADIUS,
          GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:close-radius:
   *
   * Radius r, in pixels, of a closing of the foreground with squares of
   * 2 r + 1 pixels, after the opening. It joins parts that are at most 2 r
   * pixels apart. 0 disables the closing.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_CLOSE_RADIUS,
      g_param_spec_uint ("close-radius", "Close Radius",
          "Join parts of the foreground that are at most 2 r pixels apart "
          "(morphological closing of radius r, after open-radius). Raise it "
          "until the pieces of an object are joined, lower it if neighbours "
          "merge (0 = off)",
          0, CCA_MAX_CLOSE_RADIUS, DEFAULT_CLOSE_RADIUS,
          GST_CCA_PARAM_CONTROLLED));
}

static void
install_place_properties (GObjectClass *klass)
{
  /**
   * GstCcaBase:connectivity:
   *
   * Number of neighbours of a pixel that can belong to its component: 4 or 8.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_CONNECTIVITY,
      g_param_spec_enum ("connectivity", "Connectivity",
          "Neighbours of a pixel that belong to its component. Set 4 to "
          "separate objects that only touch at a corner",
          GST_TYPE_CCA_CONNECTIVITY, DEFAULT_CONNECTIVITY,
          GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:group-distance:
   *
   * Components whose boxes are nearer to each other than this, in pixels and in
   * both directions, form a group: #GstCcaComponent has the smallest id of the
   * group. 1 groups boxes that touch or overlap. 0 forms no groups.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_GROUP_DISTANCE,
      g_param_spec_uint ("group-distance", "Group Distance",
          "Group components whose boxes have fewer pixels than this between "
          "them in both directions, so that pieces of an object have one "
          "group (0 = off)",
          0, GST_CCA_MAX_GROUP_DISTANCE, DEFAULT_GROUP_DISTANCE,
          GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:roi-x:
   *
   * Left column of the region of interest, in pixels of the analysed picture
   * from 0. Pixels outside the region are ignored, and components end at its
   * edges. A region outside the picture is empty.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_ROI_X,
      g_param_spec_uint ("roi-x", "ROI X",
          "Left column of the region of interest, in pixels. Pixels outside "
          "the region are ignored",
          0, G_MAXINT, 0, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:roi-y:
   *
   * Top row of the region of interest, in pixels of the analysed picture from
   * 0.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_ROI_Y,
      g_param_spec_uint ("roi-y", "ROI Y",
          "Top row of the region of interest, in pixels", 0, G_MAXINT, 0,
          GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:roi-width:
   *
   * Width of the region of interest in pixels. 0 extends it to the right edge
   * of the picture.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_ROI_WIDTH,
      g_param_spec_uint ("roi-width", "ROI Width",
          "Width of the region of interest, in pixels (0 = to the right edge)",
          0, G_MAXINT, 0, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:roi-height:
   *
   * Height of the region of interest in pixels. 0 extends it to the bottom edge
   * of the picture.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_ROI_HEIGHT,
      g_param_spec_uint ("roi-height", "ROI Height",
          "Height of the region of interest, in pixels (0 = to the bottom "
          "edge)",
          0, G_MAXINT, 0, GST_CCA_PARAM_CONTROLLED));
}

static void
install_component_properties (GObjectClass *klass)
{
  /**
   * GstCcaBase:min-area:
   *
   * Minimum area of a component in pixels, inclusive. Smaller components are
   * ignored and not counted.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MIN_AREA,
      g_param_spec_uint64 ("min-area", "Minimum Area",
          "Minimum area of a component, in pixels. Raise it to ignore noise", 0,
          G_MAXUINT64, DEFAULT_MIN_AREA, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:max-area:
   *
   * Maximum area of a component in pixels, inclusive. Larger components are
   * ignored and not counted.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_AREA,
      g_param_spec_uint64 ("max-area", "Maximum Area",
          "Maximum area of a component, in pixels. Lower it to ignore large "
          "regions (default: no limit)",
          0, G_MAXUINT64, DEFAULT_MAX_AREA, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:max-components:
   *
   * Maximum number of components delivered for a frame. Memory is allocated for
   * this many component records. If a frame has more components, the first ones
   * in #GstCcaBase:order are delivered, the true number is reported and the
   * result is marked as truncated. Can be set only in NULL and READY.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_COMPONENTS,
      g_param_spec_uint ("max-components", "Maximum Components",
          "Maximum number of components delivered for a frame, the first ones "
          "in order. The number of components found is still reported. Memory "
          "is allocated for this many",
          1, G_MAXINT, DEFAULT_MAX_COMPONENTS, GST_CCA_PARAM_READY));

  /**
   * GstCcaBase:features:
   *
   * Further numbers of each component, for #GstCcaMeta: second moments of the
   * pixels' positions, sums and extremes of their values, and counts of
   * neighbours. All are exact integers, see #GstCcaFeatures. Memory is allocated
   * for them. Video wider or higher than 65535 pixels is refused then, and
   * algorithm=flsl-cd refuses any video. Can be set only in NULL and READY.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_FEATURES,
      g_param_spec_flags ("features", "Features",
          "Further numbers of each component: moments for the orientation and "
          "the axes, intensity for the mean and the peak, shape for the number "
          "of holes",
          GST_TYPE_CCA_FEATURE_FLAGS, DEFAULT_FEATURES, GST_CCA_PARAM_READY));

  /**
   * GstCcaBase:order:
   *
   * The order in which components are delivered. It also decides which
   * components #GstCcaBase:max-components and #GstCcaBase:max-objects keep. The
   * id of a component is its rank in raster order with both values.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_ORDER,
      g_param_spec_enum ("order", "Order",
          "Order of the components. Set area to have max-components and "
          "max-objects keep the largest ones",
          GST_TYPE_CCA_ORDER, DEFAULT_ORDER, GST_CCA_PARAM_PLAYING));
}

static void
install_limit_properties (GObjectClass *klass)
{
  /**
   * GstCcaBase:min-width:
   *
   * Minimum width of a component's bounding box in pixels, inclusive.
   * Components with a smaller width are ignored and not counted.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MIN_WIDTH,
      g_param_spec_uint ("min-width", "Minimum Width",
          "Minimum width of the box of a component, in pixels. Raise it to "
          "ignore small components and thin lines",
          0, G_MAXUINT, 0, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:max-width:
   *
   * Maximum width of a component's bounding box in pixels, inclusive.
   * Components with a larger width are ignored and not counted.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_WIDTH,
      g_param_spec_uint ("max-width", "Maximum Width",
          "Maximum width of the box of a component, in pixels (default: no "
          "limit)",
          0, G_MAXUINT, G_MAXUINT, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:min-height:
   *
   * Minimum height of a component's bounding box in pixels, inclusive.
   * Components with a smaller height are ignored and not counted.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MIN_HEIGHT,
      g_param_spec_uint ("min-height", "Minimum Height",
          "Minimum height of the box of a component, in pixels. Raise it to "
          "ignore small components and thin lines",
          0, G_MAXUINT, 0, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:max-height:
   *
   * Maximum height of a component's bounding box in pixels, inclusive.
   * Components with a larger height are ignored and not counted.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_HEIGHT,
      g_param_spec_uint ("max-height", "Maximum Height",
          "Maximum height of the box of a component, in pixels (default: no "
          "limit)",
          0, G_MAXUINT, G_MAXUINT, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:min-aspect:
   *
   * Minimum width of a component's bounding box in percent of its height,
   * inclusive: 100 ignores components that are higher than wide, 200 those
   * that are less than twice as wide as high. Compared without rounding.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MIN_ASPECT,
      g_param_spec_uint ("min-aspect", "Minimum Aspect",
          "Minimum width of the box of a component, in percent of its height. "
          "100 ignores components that are higher than wide",
          0, G_MAXUINT, 0, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:max-aspect:
   *
   * Maximum width of a component's bounding box in percent of its height,
   * inclusive: 100 ignores components that are wider than high. Compared
   * without rounding.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_ASPECT,
      g_param_spec_uint ("max-aspect", "Maximum Aspect",
          "Maximum width of the box of a component, in percent of its height. "
          "100 ignores components that are wider than high (default: no "
          "limit)",
          0, G_MAXUINT, G_MAXUINT, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:min-extent:
   *
   * Minimum part of its bounding box that a component covers, in percent,
   * inclusive. A rectangle covers 100, a disc 78, a diagonal line little.
   * Compared without rounding.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MIN_EXTENT,
      g_param_spec_uint ("min-extent", "Minimum Extent",
          "Minimum area of a component in percent of its box. A disc has 78. "
          "Raise it to ignore lines and ragged components",
          0, 100, 0, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:min-peak:
   *
   * A component without a pixel of at least this value is ignored and not
   * counted. The unit is that of #GstCcaBase:threshold. With a value above the
   * threshold this is thresholding with hysteresis: parts as dark as the
   * threshold are kept where they are connected to a brighter pixel. With
   * #GstCcaBase:invert the value of a pixel counts from white, which is 0. All
   * pixels of the component matter, in all modes of #GstCcaBase:foreground.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MIN_PEAK,
      g_param_spec_uint ("min-peak", "Minimum Peak",
          "Minimum luma value of the brightest pixel of a component, or with "
          "invert of its distance from white. Set it above threshold to keep "
          "faint parts of bright objects only. Unit as of threshold",
          0, 65535, 0, GST_CCA_PARAM_CONTROLLED));

  /**
   * GstCcaBase:exclude-border:
   *
   * Whether components that touch an edge of the picture, or of the region of
   * interest (#GstCcaBase:roi-x), are ignored and not counted. Parts of them
   * may be outside, so that their measurements are wrong. Edges of
   * #GstCcaBase:regions and of masks do not matter.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_EXCLUDE_BORDER,
      g_param_spec_boolean ("exclude-border", "Exclude Border",
          "Ignore components that touch an edge of the picture or of the "
          "region of interest. Set it to measure only whole objects",
          FALSE, GST_CCA_PARAM_CONTROLLED));
}

static void
install_output_properties (GObjectClass *klass)
{
  /**
   * GstCcaBase:meta-types:
   *
   * Kinds of metadata to attach to buffers. Enabling labels or segmentation
   * while the element runs discards the background.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_META_TYPES,
      gst_cca_param_spec_meta_types (DEFAULT_META_TYPES));

  /**
   * GstCcaBase:max-objects:
   *
   * Maximum number of objects of each kind, roi and analytics, on a buffer.
   * Objects attached by upstream elements count. It is also the maximum number
   * of components in a message. #GstCcaMeta is not limited by it.
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
   * Posts an element message named `cca` for each frame, with the first
   * #GstCcaBase:max-objects components. #GstCcaBase:message-interval reduces
   * the number of messages.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_POST_MESSAGES,
      g_param_spec_boolean ("post-messages", "Post Messages",
          "Post an element message on the bus for each frame, with its first "
          "max-objects components. Set it in applications that do not read "
          "metadata from buffers",
          DEFAULT_POST_MESSAGES, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaBase:message-interval:
   *
   * Minimum running time between two messages, in nanoseconds. 0 posts a
   * message for each frame.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MESSAGE_INTERVAL,
      g_param_spec_uint64 ("message-interval", "Message Interval",
          "Minimum running time between two messages, in nanoseconds (0 = a "
          "message for each frame)",
          0, G_MAXUINT64, DEFAULT_MESSAGE_INTERVAL, GST_CCA_PARAM_PLAYING));
}

static void
install_async_depth (GObjectClass *klass)
{
  /**
   * GstCcaBase:async-depth:
   *
   * Number of frames to keep in the element while the GPU analyses them. With 0
   * the element waits for the result of each frame before it takes the next
   * one. With N it waits for a frame when N later frames have arrived, or when
   * something arrives that must not overtake the frame: a serialised event or
   * query, or a buffer with DISCONT. The results are the same.
   *
   * The latency grows by N frames, the element asks upstream for N more
   * buffers, and each frame needs memory in the engine. `cca` analyses a frame
   * on the CPU when it arrives, so there the property only adds latency. Can be
   * set only in NULL and READY.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_ASYNC_DEPTH,
      g_param_spec_uint ("async-depth", "Asynchronous Depth",
          "Number of frames in flight while the GPU works. Raise it if the GPU "
          "is not fully used. Each frame adds latency and needs memory. On the "
          "CPU it only adds latency (0 = wait for each frame)",
          0, GST_CCA_MAX_ASYNC_DEPTH, DEFAULT_ASYNC_DEPTH,
          GST_CCA_PARAM_READY));
}

static void
install_background_location (GObjectClass *klass)
{
  /**
   * GstCcaBase:background-location:
   *
   * File of the background, so that a restart needs no warm-up. If it exists,
   * the first frame uses it, and is analysed as if the frames before the
   * restart had just been. The element saves its background there when it
   * returns to READY; #GstCcaBase::save-background does so at any time. A file
   * that does not fit the video or the properties is not used, and one that is
   * not a background is not overwritten; a warning message tells the reason.
   * Can be set only in NULL and READY.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_BACKGROUND_LOCATION,
      g_param_spec_string ("background-location", "Background Location",
          "foreground=sigma-delta, difference: file to load the background from "
          "at the start, if it exists, and to save it to at the end. Set it to "
          "restart without a warm-up",
          NULL, GST_CCA_PARAM_READY));
}

void
gst_cca_settings_install (GObjectClass *klass)
{
  install_threshold_properties (klass);
  install_background_properties (klass);
  install_overload_properties (klass);
  install_time_properties (klass);
  install_morphology_properties (klass);
  install_place_properties (klass);
  install_component_properties (klass);
  install_limit_properties (klass);
  install_output_properties (klass);
  install_async_depth (klass);
  install_background_location (klass);

  gst_type_mark_as_plugin_api (GST_TYPE_CCA_CONNECTIVITY, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_CCA_ORDER, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_CCA_LIGHT_COMPENSATION, 0);
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
  GET_OR_SET (PROP_ABSORB_AFTER, uint, foreground.absorb_after) \
  GET_OR_SET (PROP_BACKGROUND_PERIOD_TIME, uint, \
      foreground.background_period_time) \
  GET_OR_SET (PROP_WARM_UP_TIME, uint, foreground.warm_up_time) \
  GET_OR_SET (PROP_ABSORB_AFTER_TIME, uint, foreground.absorb_after_time) \
  GET_OR_SET (PROP_FRAME_DISTANCE, uint, foreground.frame_distance) \
  GET_OR_SET (PROP_LEARNING, boolean, foreground.learning) \
  GET_OR_SET (PROP_LIGHT_COMPENSATION, enum, foreground.light_compensation) \
  GET_OR_SET (PROP_MAX_FOREGROUND, uint, foreground.max_foreground) \
  GET_OR_SET (PROP_OVERLOAD_FRAMES, uint, foreground.overload_frames) \
  GET_OR_SET (PROP_OVERLOAD_ACTION, enum, foreground.overload_action) \
  GET_OR_SET (PROP_OPEN_RADIUS, uint, foreground.open_radius) \
  GET_OR_SET (PROP_CLOSE_RADIUS, uint, foreground.close_radius) \
  GET_OR_SET (PROP_CONNECTIVITY, enum, connectivity) \
  GET_OR_SET (PROP_GROUP_DISTANCE, uint, group_distance) \
  GET_OR_SET (PROP_MIN_AREA, uint64, min_area) \
  GET_OR_SET (PROP_MAX_AREA, uint64, max_area) \
  GET_OR_SET (PROP_MIN_WIDTH, uint, limits.min_width) \
  GET_OR_SET (PROP_MAX_WIDTH, uint, limits.max_width) \
  GET_OR_SET (PROP_MIN_HEIGHT, uint, limits.min_height) \
  GET_OR_SET (PROP_MAX_HEIGHT, uint, limits.max_height) \
  GET_OR_SET (PROP_MIN_ASPECT, uint, limits.min_aspect) \
  GET_OR_SET (PROP_MAX_ASPECT, uint, limits.max_aspect) \
  GET_OR_SET (PROP_MIN_EXTENT, uint, limits.min_extent) \
  GET_OR_SET (PROP_MIN_PEAK, uint, limits.min_peak) \
  GET_OR_SET (PROP_EXCLUDE_BORDER, boolean, limits.exclude_border) \
  GET_OR_SET (PROP_ROI_X, uint, roi.x) \
  GET_OR_SET (PROP_ROI_Y, uint, roi.y) \
  GET_OR_SET (PROP_ROI_WIDTH, uint, roi.width) \
  GET_OR_SET (PROP_ROI_HEIGHT, uint, roi.height) \
  GET_OR_SET (PROP_MAX_COMPONENTS, uint, max_components) \
  GET_OR_SET (PROP_FEATURES, flags, features) \
  GET_OR_SET (PROP_ASYNC_DEPTH, uint, async_depth) \
  GET_OR_SET (PROP_ORDER, enum, order) \
  GET_OR_SET (PROP_META_TYPES, flags, meta_types) \
  GET_OR_SET (PROP_MAX_OBJECTS, uint, max_objects) \
  GET_OR_SET (PROP_POST_MESSAGES, boolean, post_messages) \
  GET_OR_SET (PROP_MESSAGE_INTERVAL, uint64, message_interval)
/* *INDENT-ON* */

gboolean
gst_cca_settings_set (GstCcaSettings *settings, guint prop_id,
    const GValue *value)
{
  switch (prop_id) {
    SETTINGS (GST_CCA_SET_CASE);
    case PROP_OBJECT_TYPE:
      g_free (settings->object_type);
      settings->object_type = gst_cca_object_type (g_value_get_string (value));
      return TRUE;
    case PROP_BACKGROUND_LOCATION:
      g_free (settings->background_location);
      settings->background_location = g_value_dup_string (value);
      return TRUE;
    default:
      return FALSE;
  }
}

gboolean
gst_cca_settings_get (const GstCcaSettings *settings, guint prop_id,
    GValue *value)
{
  switch (prop_id) {
    SETTINGS (GST_CCA_GET_CASE);
    case PROP_OBJECT_TYPE:
      g_value_set_string (value, settings->object_type);
      return TRUE;
    case PROP_BACKGROUND_LOCATION:
      g_value_set_string (value, settings->background_location);
      return TRUE;
    default:
      return FALSE;
  }
}

static void
set_frames_for_time (guint *frames, guint time, guint limit,
    const GstVideoInfo *info)
{
  guint64 n;

  if (time == 0)
    return;
  n = gst_util_uint64_scale_round (time, GST_VIDEO_INFO_FPS_N (info),
      G_GUINT64_CONSTANT (1000) * GST_VIDEO_INFO_FPS_D (info));
  *frames = CLAMP (n, 1, limit);
}

gboolean
gst_cca_settings_resolve_times (GstCcaSettings *settings,
    const GstVideoInfo *info)
{
  GstCcaForegroundSettings *f = &settings->foreground;

  if (GST_VIDEO_INFO_FPS_N (info) <= 0)
    return f->mode != GST_CCA_FOREGROUND_SIGMA_DELTA
        || (f->background_period_time == 0 && f->warm_up_time == 0
            && f->absorb_after_time == 0);

  set_frames_for_time (&f->background_period, f->background_period_time,
      MAX_PERIOD, info);
  set_frames_for_time (&f->warm_up, f->warm_up_time, MAX_PERIOD, info);
  set_frames_for_time (&f->absorb_after, f->absorb_after_time,
      CCA_MAX_ABSORB_AFTER, info);
  return TRUE;
}

CcaParams
gst_cca_settings_get_params (const GstCcaSettings *settings, guint depth)
{
  const GstCcaForegroundSettings *f = &settings->foreground;
  CcaLimits limits = settings->limits;

  limits.min_peak =
      gst_cca_contrast_in_depth (limits.min_peak, f->threshold_depth, depth);
  return (CcaParams) {
    .foreground = (CcaForeground) f->mode,
    .threshold =
        gst_cca_threshold_in_depth (f->threshold, f->threshold_depth, depth),
    .threshold_high = gst_cca_threshold_in_depth (f->threshold_high,
        f->threshold_depth, depth),
    .invert = f->invert,
    .min_contrast =
        gst_cca_contrast_in_depth (f->min_contrast, f->threshold_depth, depth),
    .step = gst_cca_step_in_depth (f->threshold_depth, depth),
    .noise_factor = f->noise_factor,
    .background_period = f->background_period,
    .warm_up = f->warm_up,
    .absorb_after = f->absorb_after,
    .learning = f->learning,
    .compensate_light =
        f->light_compensation == GST_CCA_LIGHT_COMPENSATION_TONE,
    .count_foreground = f->max_foreground < GST_CCA_NO_MAX_FOREGROUND,
    .open_radius = f->open_radius,
    .close_radius = f->close_radius,
    .connectivity = settings->connectivity,
    .min_area = settings->min_area,
    .max_area = settings->max_area,
    .limits = limits,
    .roi = settings->roi,
    .max_components = settings->max_components,
    .order = (CcaOrder) settings->order,
  };
}

gboolean
gst_cca_settings_want_background (const GstCcaSettings *settings)
{
  return (settings->meta_types & GST_CCA_META_TYPE_BACKGROUND) != 0;
}

gboolean
gst_cca_settings_want_labels (const GstCcaSettings *settings)
{
  return (settings->meta_types
             & (GST_CCA_META_TYPE_LABELS | GST_CCA_META_TYPE_SEGMENTATION))
      != 0;
}

gboolean
gst_cca_settings_want_votes (const GstCcaSettings *settings)
{
  return settings->foreground.mode == GST_CCA_FOREGROUND_SIGMA_DELTA
      && settings->foreground.absorb_after > 0;
}
