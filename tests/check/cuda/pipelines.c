/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* With GStreamer's own CUDA elements. Each frame is analysed by cudacca on the
 * GPU and by cca after the download: the metas must be equal. CCA_TEST_VIDEO
 * may name an MP4 file with H.264 for the decoder; without it the test makes
 * one. */

#include "cudautil.h"

#include <gst/analytics/analytics.h>
#include <glib/gstdio.h>
#include <string.h>

#define CUDA "video/x-raw(memory:CUDAMemory)"
#define NV12 "video/x-raw(memory:CUDAMemory),format=NV12"

typedef struct
{
  guint n_frames, n_components;
  gboolean scaled;
} Seen;

static void
compare (GstElement *sink, GstBuffer *buffer, GstPad *pad, gpointer data)
{
  Seen *seen = data;
  GstCcaMeta *ours = nth_meta (buffer, 0), *theirs = nth_meta (buffer, 1);
  GByteArray *a, *b;

  fail_unless (ours != NULL, "cudacca's meta has not come through");
  seen->n_frames++;
  seen->n_components += gst_cca_meta_get_n_components (ours);
  if (seen->scaled)
    return;
  fail_unless (theirs != NULL);
  a = g_byte_array_new ();
  b = g_byte_array_new ();
  fail_unless (gst_meta_serialize_simple (GST_META_CAST (ours), a));
  fail_unless (gst_meta_serialize_simple (GST_META_CAST (theirs), b));
  fail_unless (a->len == b->len && memcmp (a->data, b->data, a->len) == 0,
      "frame %u: cudacca has %u components, cca has %u", seen->n_frames,
      gst_cca_meta_get_n_found (ours), gst_cca_meta_get_n_found (theirs));
  g_byte_array_unref (a);
  g_byte_array_unref (b);
}

static gboolean
have (const gchar *element)
{
  GstElementFactory *factory = gst_element_factory_find (element);

  if (factory == NULL) {
    g_print ("cuda-pipelines: no element %s, a test is not run\n", element);
    return FALSE;
  }
  gst_object_unref (factory);
  return TRUE;
}

/* Runs to the end; the sink is named sink. */
static void
run (const gchar *line, GCallback handoff, gpointer data)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (line, &error);
  GstElement *sink;
  GstMessage *message;
  GstBus *bus;

  fail_unless (error == NULL, "%s: %s", line, error ? error->message : "");
  bus = gst_element_get_bus (pipeline);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  if (handoff != NULL) {
    g_object_set (sink, "signal-handoffs", TRUE, NULL);
    g_signal_connect (sink, "handoff", handoff, data);
  }
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 60 * GST_SECOND,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message != NULL, "%s: no end", line);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gchar *debug = NULL;

    gst_message_parse_error (message, &error, &debug);
    fail ("%s: %s %s", line, error->message, debug);
  }
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
}

/* With these properties of cca. */
static void
run_compared_with (const gchar *front, const gchar *middle,
    const gchar *properties, guint n_frames)
{
  Seen seen = {0};
  gchar *line = g_strdup_printf ("%s ! %s ! cca name=theirs threshold=120 "
                                 "max-components=500000 %s ! "
                                 "fakesink name=sink sync=false",
      front, middle, properties);

  run (line, G_CALLBACK (compare), &seen);
  if (n_frames > 0)
    assert_equals_int (seen.n_frames, n_frames);
  fail_unless (seen.n_frames > 0 && seen.n_components > 0);
  g_print ("cuda-pipelines: %u frames, %u components: %s\n", seen.n_frames,
      seen.n_components, line);
  g_free (line);
}

static void
run_compared (const gchar *front, const gchar *middle, guint n_frames)
{
  run_compared_with (front, middle, "", n_frames);
}

#define CUDACCA "cudacca threshold=120 max-components=500000"

/* Counts the frames that cudacca got and analysed in CUDA memory. */
static void
count_cuda_frames (GstElement *sink, GstBuffer *buffer, GstPad *pad,
    gpointer data)
{
  GstElement *element =
      gst_bin_get_by_name (GST_BIN (GST_ELEMENT_PARENT (sink)), "ours");
  GstPad *input = gst_element_get_static_pad (element, "sink");
  GstCaps *caps = gst_pad_get_current_caps (input);
  Seen *seen = data;

  seen->n_frames += gst_caps_features_contains (gst_caps_get_features (caps, 0),
                        GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY)
      && gst_is_cuda_memory (gst_buffer_peek_memory (buffer, 0))
      && gst_buffer_get_cca_meta (buffer) != NULL;
  gst_caps_unref (caps);
  gst_object_unref (input);
  gst_object_unref (element);
}

/* The usual idiom uploads, without caps between the two. */
TEST (test_uploads)
{
  static const gchar *const fronts[] = {
    "videotestsrc num-buffers=6 ! cudaupload",
    "videotestsrc num-buffers=6 ! video/x-raw,format=NV12 ! cudaupload",
    "videotestsrc num-buffers=6 ! cudaupload ! queue",
    "videotestsrc num-buffers=6 ! cudaupload ! tee ! queue",
    "videotestsrc num-buffers=6 ! cudaupload ! cudaupload",
    "videotestsrc num-buffers=1 ! cudaupload ! imagefreeze num-buffers=6",
    "videotestsrc num-buffers=6 ! video/x-raw,format=RGBA ! cudaupload ! "
    "cudaconvert",
    "videotestsrc num-buffers=6 ! video/x-raw,format=GRAY16_LE ! videoconvert "
    "! cudaupload",
    "videotestsrc num-buffers=6 ! video/x-raw,format=GRAY8 ! cudagrayupload",
    /* cudadownload hands on the GPU's memory under plain caps where it can */
    "videotestsrc num-buffers=6 ! cudaupload ! " CUDA " ! cudadownload ! "
    "video/x-raw ! cudaupload",
    "videotestsrc num-buffers=6 ! cudaupload ! " CUDA " ! cudadownload",
  };
  guint i;

  if (!have ("cudaupload") || !have ("imagefreeze"))
    return;
  for (i = 0; i < G_N_ELEMENTS (fronts); i++) {
    gchar *line;
    Seen seen = {0};

    if (strstr (fronts[i], "cudaconvert") && !have ("cudaconvert"))
      continue;
    line = g_strdup_printf ("%s ! cudacca name=ours ! fakesink name=sink "
                            "sync=false",
        fronts[i]);
    run (line, G_CALLBACK (count_cuda_frames), &seen);
    fail_unless (seen.n_frames == 6, "%s: %u of 6 frames in CUDA memory", line,
        seen.n_frames);
    g_free (line);
  }
}

/* cudaupload in each of its formats, and cudadownload. */
TEST (test_upload)
{
  guint i;

  if (!have ("cudaupload"))
    return;
  for (i = 0; i < n_cuda_formats; i++) {
    GstVideoFormat format = cuda_formats[i];
    gchar *front;

    if (!is_cca_format (format) || format == GST_VIDEO_FORMAT_GRAY8
        || format == GST_VIDEO_FORMAT_GRAY16_LE)
      continue;
    front = g_strdup_printf (
        "videotestsrc num-buffers=10 pattern=%s ! "
        "video/x-raw,format=%s,width=%u,height=%u ! cudaupload",
        i % 2 ? "snow" : "smpte", gst_video_format_to_string (format),
        322 + 2 * i, 242);
    run_compared (front, CUDACCA " ! cudadownload ! video/x-raw", 10);
    g_free (front);
  }
}

/* Features, in values of 8 and 10 bits. */
TEST (test_features)
{
  static const gchar *const names[] = {"I420", "P010_10LE"};
  static const gchar *const properties[] = {
    "features=moments+intensity+shape",
    "features=moments+intensity+shape connectivity=4 roi-x=3 roi-y=5",
    "features=intensity foreground=sigma-delta min-contrast=40",
    "features=moments+shape foreground=otsu order=area min-area=3",
    "features=intensity+shape open-radius=1 connectivity=4",
  };
  guint i, k;

  if (!have ("cudaupload"))
    return;
  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    for (k = 0; k < G_N_ELEMENTS (properties); k++) {
      gchar *front = g_strdup_printf ("videotestsrc num-buffers=4 pattern=%s ! "
                                      "video/x-raw,format=%s,width=322,"
                                      "height=242 ! cudaupload",
          k == 4 ? "ball" : "snow", names[i]);
      gchar *middle =
          g_strdup_printf (CUDACCA " %s ! cudadownload ! video/x-raw",
              properties[k]);

      run_compared_with (front, middle, properties[k], 4);
      g_free (front);
      g_free (middle);
    }
  }
}

/* cudaconvert and cudascale before cudacca. */
TEST (test_convert)
{
  if (!have ("cudaconvert") || !have ("cudascale"))
    return;
  run_compared (
      "videotestsrc num-buffers=30 pattern=snow ! video/x-raw,"
      "format=I420,width=640,height=360 ! cudaupload ! cudaconvert ! " NV12,
      CUDACCA " ! cudadownload ! video/x-raw", 30);
  run_compared ("videotestsrc num-buffers=30 pattern=snow ! video/x-raw,"
                "format=RGBA,width=640,height=360 ! cudaupload ! cudaconvert ! "
                "video/x-raw(memory:CUDAMemory),format=I420",
      CUDACCA " ! cudadownload ! video/x-raw", 30);
  run_compared ("videotestsrc num-buffers=30 pattern=snow ! video/x-raw,"
                "format=NV12,width=640,height=360 ! cudaupload ! cudascale ! "
                "video/x-raw(memory:CUDAMemory),width=1001,height=555",
      CUDACCA " ! cudadownload ! video/x-raw", 30);
}

static void
check_scale (GstElement *sink, GstBuffer *buffer, GstPad *pad, gpointer data)
{
  Seen *seen = data;
  GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
  GstCcaComponent whole, half;
  GstAnalyticsRelationMeta *relation;
  GstVideoRegionOfInterestMeta *roi;
  guint i;

  fail_unless (meta != NULL);
  assert_equals_int (gst_cca_meta_get_analysis (meta)->width, 640);
  fail_unless (gst_cca_meta_get_n_components (meta) > 0);
  for (i = 0; i < gst_cca_meta_get_n_components (meta); i++) {
    fail_unless (gst_cca_meta_get_component (meta, i, &whole));
    fail_unless (gst_cca_meta_get_component_scaled (meta, i, 320, 180, &half));
    /* the scaled box covers the same part of the picture */
    fail_unless (half.x * 2 <= whole.x && half.y * 2 <= whole.y);
    fail_unless ((half.x + half.width) * 2 >= whole.x + whole.width);
    fail_unless ((half.y + half.height) * 2 >= whole.y + whole.height);
    fail_unless (ABS (half.centroid_x * 2 + 0.5 - whole.centroid_x) < 1);
  }
  /* and ccaexpand has given them back to stock elements, at the new size */
  relation = gst_buffer_get_analytics_relation_meta (buffer);
  fail_unless (relation != NULL);
  fail_unless (gst_analytics_relation_get_length (relation) > 0);
  fail_unless (gst_cca_meta_get_component_scaled (meta, 0, 320, 180, &half));
  roi = gst_buffer_get_video_region_of_interest_meta_id (buffer, 1);
  fail_unless (roi != NULL);
  fail_unless (roi->x == half.x && roi->y == half.y && roi->w == half.width
      && roi->h == half.height);
  seen->n_frames++;
}

/* After cudacca the meta passes a scaler and is expanded. */
TEST (test_scale_after)
{
  Seen seen = {0};

  if (!have ("cudaconvert") || !have ("cudascale"))
    return;
  run ("videotestsrc num-buffers=20 pattern=ball ! video/x-raw,format=I420,"
       "width=640,height=360 ! cudaupload ! cudacca ! cudascale ! "
       "video/x-raw(memory:CUDAMemory),width=320,height=180 ! "
       "cudaconvert ! " NV12 " ! cudadownload ! video/x-raw ! "
       "ccaexpand meta-types=roi+analytics ! fakesink name=sink sync=false",
      G_CALLBACK (check_scale), &seen);
  assert_equals_int (seen.n_frames, 20);
}

/* The demonstration, without a display. Older ones of these overlays did not
 * pass on the end of the stream. */
TEST (test_overlay)
{
  if (!have ("cudadownload") || !have ("objectdetectionoverlay")
      || !GST_CHECK_VERSION (1, 24, 13))
    return;
  run ("videotestsrc num-buffers=20 pattern=ball ! video/x-raw,format=NV12,"
       "width=640,height=360 ! cudaupload ! cudacca ! cudadownload ! "
       "video/x-raw ! ccaexpand ! videoconvert ! objectdetectionoverlay ! "
       "videoconvert ! fakesink name=sink sync=false",
      NULL, NULL);
}

/* An H.264 film, as a file that the caller removes. */
static gchar *
make_film (const gchar *size)
{
  const gchar *given = g_getenv ("CCA_TEST_VIDEO");
  gchar *name, *line;
  gint fd;

  if (given != NULL && *given != '\0')
    return g_strdup (given);
  if (!have ("x264enc") || !have ("mp4mux"))
    return NULL;
  fd = g_file_open_tmp ("cca-XXXXXX.mp4", &name, NULL);
  fail_unless (fd >= 0);
  g_close (fd, NULL);
  line = g_strdup_printf (
      "videotestsrc num-buffers=90 pattern=ball ! "
      "timeoverlay ! video/x-raw,format=I420,%s ! x264enc "
      "speed-preset=ultrafast ! h264parse ! mp4mux ! filesink name=sink "
      "location=%s",
      size, name);
  run (line, NULL, NULL);
  g_free (line);
  return name;
}

static void
remove_film (gchar *film)
{
  if (g_strcmp0 (film, g_getenv ("CCA_TEST_VIDEO")) != 0)
    g_unlink (film);
  g_free (film);
}

/* Frames from NVDEC are analysed in its memory. */
TEST (test_decoder)
{
  static const gchar *const after[] = {
    CUDACCA " ! cudadownload ! video/x-raw",
    CUDACCA " algorithm=flsl-cd ! queue ! cudadownload ! video/x-raw",
    "tee name=t t. ! queue ! cudacca threshold=60 ! fakesink t. ! queue ! " CUDACCA
    " ! cudadownload ! video/x-raw",
    "cudaconvert ! video/x-raw(memory:CUDAMemory),format=I420 ! " CUDACCA
    " ! cudadownload ! video/x-raw",
    "cudagrayupload ! " CUDACCA " ! cudagraydownload",
    /* cudadownload hands on the GPU's memory where it can */
    "cudadownload ! video/x-raw ! cudaupload ! " CUDACCA
    " ! cudadownload ! video/x-raw",
  };
  gchar *film, *front;
  guint i;

  if (!have ("nvh264dec"))
    return;
  /* cropped: 1080 is no multiple of 16 */
  film = make_film ("width=1920,height=1080");
  if (film == NULL)
    return;
  front = g_strdup_printf ("filesrc location=%s ! qtdemux ! h264parse ! "
                           "nvh264dec ! " CUDA,
      film);
  for (i = 0; i < G_N_ELEMENTS (after); i++)
    if (!strstr (after[i], "cudaconvert") || have ("cudaconvert"))
      run_compared (front, after[i], 0);
  g_free (front);
  remove_film (film);
}

TEST (test_jpeg)
{
  if (!have ("nvjpegdec") || !have ("jpegenc"))
    return;
  run_compared (
      "videotestsrc num-buffers=30 pattern=ball ! video/x-raw,"
      "format=I420,width=640,height=360 ! jpegenc ! jpegparse ! nvjpegdec ! " CUDA,
      CUDACCA " ! cudadownload ! video/x-raw", 30);
}

CUDA_SUITE ("cuda-pipelines");
