/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The properties that decide which pixels are foreground. */

#include "settings.h"

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

enum
{
  PROP_FOREGROUND = GST_CCA_PROP_FOREGROUND,
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

void
gst_cca_foreground_init (GstCcaForegroundSettings * settings)
{
  *settings = (GstCcaForegroundSettings) {
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
  };
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

void
gst_cca_foreground_install (GObjectClass * klass)
{
  install_threshold_properties (klass);
  install_background_properties (klass);
  install_morphology_properties (klass);
}

/* *INDENT-OFF* */
#define SETTINGS(GET_OR_SET) \
    GET_OR_SET (PROP_FOREGROUND, enum, mode) \
    GET_OR_SET (PROP_THRESHOLD, uint, threshold) \
    GET_OR_SET (PROP_THRESHOLD_HIGH, uint, threshold_high) \
    GET_OR_SET (PROP_THRESHOLD_DEPTH, uint, threshold_depth) \
    GET_OR_SET (PROP_INVERT, boolean, invert) \
    GET_OR_SET (PROP_MIN_CONTRAST, uint, min_contrast) \
    GET_OR_SET (PROP_NOISE_FACTOR, uint, noise_factor) \
    GET_OR_SET (PROP_BACKGROUND_PERIOD, uint, background_period) \
    GET_OR_SET (PROP_WARM_UP, uint, warm_up) \
    GET_OR_SET (PROP_FRAME_DISTANCE, uint, frame_distance) \
    GET_OR_SET (PROP_LEARNING, boolean, learning) \
    GET_OR_SET (PROP_OPEN_RADIUS, uint, open_radius) \
    GET_OR_SET (PROP_CLOSE_RADIUS, uint, close_radius)
/* *INDENT-ON* */

gboolean
gst_cca_foreground_set (GstCcaForegroundSettings * settings, guint prop_id,
    const GValue * value)
{
  switch (prop_id) {
      SETTINGS (GST_CCA_SET_CASE);
    default:
      return FALSE;
  }
}

gboolean
gst_cca_foreground_get (const GstCcaForegroundSettings * settings,
    guint prop_id, GValue * value)
{
  switch (prop_id) {
      SETTINGS (GST_CCA_GET_CASE);
    default:
      return FALSE;
  }
}
