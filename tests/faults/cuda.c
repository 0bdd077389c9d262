/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The same for the CUDA elements, on the simulated driver. Calls of the driver
 * itself fail elsewhere. */

#include "../check/cuda/cudautil.h"
#include "../check/elements/labelled.h"

#include "faults.h"

#define NV12 GST_VIDEO_FORMAT_NV12
#define GRAY8 GST_VIDEO_FORMAT_GRAY8
#define WIDTH 65
#define HEIGHT 33
#define N_FRAMES 2

GST_PLUGIN_STATIC_DECLARE (cudacca);

typedef struct
{
  const gchar *description;
  GstVideoFormat format;
  gboolean in_cuda;  /* where the frames come in */
  gboolean out_gray; /* or else as they came, with components */
  guint pools;       /* that are offered upstream */
  guint least_errors;
} Case;

static const Case cases[] = {
  {"cudacca meta-types=cca+roi+analytics", NV12, TRUE, FALSE, 1, 8},
  {"cudacca meta-types=cca+roi+analytics+labels", NV12, TRUE, FALSE, 1, 14},
#if GST_CHECK_VERSION(1, 26, 0)
  {"cudacca meta-types=cca+roi+segmentation", NV12, TRUE, FALSE, 1, 14},
#endif
  {"cudagrayupload", GRAY8, FALSE, TRUE, 0, 10},
  {"cudagrayupload", NV12, TRUE, TRUE, 1, 1},
  {"cudagraydownload", GRAY8, TRUE, TRUE, 0, 6},
};

static Picture pictures[N_FRAMES];

static GstBuffer *
frame (const Case *c, const Picture *picture)
{
  Layout layout = {TRUE, 0, 7};

  return c->in_cuda
      ? gpu_frame (c->format, picture, NULL, shared_context (), NULL)
      : frame_new (c->format, picture, &layout);
}

static GstCaps *
make_caps (const Case *c)
{
  return c->in_cuda ? cuda_caps (c->format, WIDTH, HEIGHT)
                    : frame_caps (c->format, WIDTH, HEIGHT);
}

/* Returns the number of pools in the answer to an allocation query. */
static guint
n_pools (const Case *c, GstHarness *h)
{
  GstCaps *caps = make_caps (c);
  GstQuery *query = gst_query_new_allocation (caps, TRUE);
  guint n = 0;

  if (gst_pad_peer_query (h->srcpad, query))
    n = gst_query_get_n_allocation_pools (query);
  gst_query_unref (query);
  gst_caps_unref (caps);
  return n;
}

static void
assert_pixels (GstBuffer *buffer, const Picture *picture)
{
  GstVideoFrame video;
  GstVideoInfo info;
  guint x, y;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, picture->width,
      picture->height);
  fail_unless (gst_video_frame_map (&video, &info, buffer, GST_MAP_READ));
  for (y = 0; y < picture->height; y++) {
    const guint8 *row = GST_VIDEO_FRAME_PLANE_DATA (&video, 0);

    row += y * GST_VIDEO_FRAME_PLANE_STRIDE (&video, 0);
    for (x = 0; x < picture->width; x++)
      fail_unless (row[x] == picture->pixels[y * picture->width + x]);
  }
  gst_video_frame_unmap (&video);
}

static void
assert_output (const Case *c, GstBuffer *buffer, const Picture *picture)
{
  GArray *expected = expect (picture, &default_look);

  if (c->out_gray) {
    assert_pixels (buffer, picture);
  } else {
    assert_components (gst_buffer_get_cca_meta (buffer), expected);
    assert_equals_int (gst_buffer_get_n_meta (buffer,
                           GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE),
        expected->len);
  }
  g_array_unref (expected);
}

/* From the start to the last frame, while the nth call fails. All output is
 * right, also before and after a failure. */
static gboolean
run (const Case *c, GstHarness *h, guint nth, const gchar **fault)
{
  GstBuffer *in[N_FRAMES], *out[N_FRAMES] = {NULL};
  guint i, n = 0, pools = 0;
  gboolean started;

  for (i = 0; i < N_FRAMES; i++)
    in[i] = frame (c, &pictures[i]);

  faults_arm (nth);
  started = gst_element_set_state (h->element, GST_STATE_PLAYING)
      == GST_STATE_CHANGE_SUCCESS;
  if (started) {
    gst_harness_push_event (h, gst_event_new_stream_start ("again"));
    gst_harness_set_src_caps (h, make_caps (c));
    pools = n_pools (c, h);
    for (i = 0; i < N_FRAMES; i++) {
      GstFlowReturn ret = gst_harness_push (h, g_steal_pointer (&in[i]));

      fail_unless (ret == GST_FLOW_OK || ret == GST_FLOW_ERROR
              || ret == GST_FLOW_NOT_NEGOTIATED,
          "%s", gst_flow_get_name (ret));
      if (ret == GST_FLOW_OK)
        out[n++] = gst_harness_pull (h);
      else
        break;
    }
  }
  *fault = faults_disarm ();

  for (i = 0; i < n; i++)
    assert_output (c, out[i], &pictures[i]);
  if (*fault == NULL)
    assert_equals_int (pools, c->pools);
  for (i = 0; i < N_FRAMES; i++) {
    gst_clear_buffer (&in[i]);
    gst_clear_buffer (&out[i]);
  }
  return n == N_FRAMES;
}

static gboolean
has_error (GstBus *bus)
{
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);

  return message != NULL && gst_bus_post (bus, message);
}

/* FALSE: nothing failed. */
static gboolean
try_case (const Case *c, guint nth, guint *n_errors)
{
  GstHarness *h = gst_harness_new_parse (c->description);
  GstBus *bus = gst_bus_new ();
  const gchar *fault, *none;
  gboolean ok;

  gst_element_set_state (h->element, GST_STATE_NULL);
  gst_element_set_bus (h->element, bus);
  ok = run (c, h, nth, &fault);
  fail_unless (ok || fault != NULL);
  if (!ok || has_error (bus)) {
    fail_unless (fault != NULL);
    fail_unless (has_error (bus), "%s: no error after %s failed",
        c->description, fault);
    assert_error (bus, "");
    ++*n_errors;
    gst_element_set_state (h->element, GST_STATE_NULL);
    fail_unless (run (c, h, 0, &none),
        "%s does not start again after %s "
        "failed",
        c->description, fault);
    assert_no_error (bus);
  }
  harness_free (h, bus);
  return fault != NULL;
}

TEST_LOOP (test_elements, 0, G_N_ELEMENTS (cases))
{
  const Case *c = &cases[__i__];
  guint nth, i, n_errors = 0;

  for (i = 0; i < N_FRAMES; i++)
    pictures[i] = picture_new (WIDTH, HEIGHT, noise, 5 + i);
  for (nth = 1; try_case (c, nth, &n_errors); nth++)
    ;
  fail_unless (n_errors >= c->least_errors, "%s: only %u errors",
      c->description, n_errors);
  faults_print (c->description);
  for (i = 0; i < N_FRAMES; i++)
    picture_clear (&pictures[i]);
}

/* Moves to another context while the nth call fails. Returns TRUE if none
 * failed. */
static gboolean
move (guint nth, GstCudaContext *other, guint *n_errors)
{
  GstBus *bus;
  GstHarness *h = cuda_harness_new ("cudacca", shared_context (), NV12, WIDTH,
      HEIGHT, &bus);
  GArray *expected = expect (&pictures[0], &default_look);
  gboolean ok = TRUE;
  guint i;

  /* in the first context, in the other one, and once more without a failure */
  for (i = 0; i < 3; i++) {
    GstBuffer *buffer = gpu_frame (NV12, &pictures[0], NULL,
        i ? other : shared_context (), NULL);
    const gchar *fault;
    GstFlowReturn ret;

    faults_arm (i == 1 ? nth : 0);
    ret = gst_harness_push (h, buffer);
    fault = faults_disarm ();
    ok &= fault == NULL;
    if (ret == GST_FLOW_OK) {
      buffer = gst_harness_pull (h);
      assert_no_error (bus);
      assert_components (gst_buffer_get_cca_meta (buffer), expected);
      gst_buffer_unref (buffer);
    } else {
      fail_unless (fault != NULL);
      assert_equals_int (ret, GST_FLOW_ERROR);
      assert_error (bus, "");
      ++*n_errors;
    }
  }
  harness_free (h, bus);
  g_array_unref (expected);
  return ok;
}

TEST (test_move)
{
  GstCudaContext *other = gst_cuda_context_new (0);
  guint nth, n_errors = 0;

  pictures[0] = picture_new (WIDTH, HEIGHT, noise, 5);
  for (nth = 1; !move (nth, other, &n_errors); nth++)
    ;
  fail_unless (n_errors >= 2, "only %u errors", n_errors);
  faults_print ("cudacca, from context to context");
  picture_clear (&pictures[0]);
  gst_object_unref (other);
}

/* Empty gaps, and buffers that are not in CUDA memory, use no engine, even
 * after the engine was lost: the element makes no call that can fail. */
TEST (test_no_engine)
{
  GstCudaContext *other = gst_cuda_context_new (0);
  Picture picture = picture_new (WIDTH, HEIGHT, noise, 5);
  GArray *expected = expect (&picture, &default_look);
  GstBus *bus;
  GstHarness *h = cuda_harness_new ("cudacca", shared_context (), NV12, WIDTH,
      HEIGHT, &bus);
  GstFlowReturn ret;
  GstBuffer *buffer;
  const gchar *fault;
  guint i;

  for (i = 0; i < 40; i++) {
    if (i == 20) {
      /* after the stream, the engine in the other context */
      buffer = gpu_frame (NV12, &picture, NULL, other, NULL);
      faults_arm (2);
      ret = gst_harness_push (h, buffer);
      assert_equals_string (faults_disarm (), "calloc");
      assert_equals_int (ret, GST_FLOW_ERROR);
      assert_error (bus, "ran out");
    }
    buffer = gst_buffer_new ();
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
    faults_arm (1);
    ret = gst_harness_push (h, buffer);
    fault = faults_disarm ();
    fail_unless (fault == NULL, "gap %u: %s", i, fault);
    assert_equals_int (ret, GST_FLOW_OK);
    gst_buffer_unref (gst_harness_pull (h));
  }
  buffer = frame_new (NV12, &picture, NULL);
  faults_arm (1);
  ret = gst_harness_push (h, buffer);
  fail_unless (faults_disarm () == NULL);
  assert_equals_int (ret, GST_FLOW_ERROR);
  assert_error (bus, "the buffer is not in CUDA memory");

  buffer = gst_harness_push_and_pull (h,
      gpu_frame (NV12, &picture, NULL, other, NULL));
  assert_components (gst_buffer_get_cca_meta (buffer), expected);
  gst_buffer_unref (buffer);
  harness_free (h, bus);
  g_array_unref (expected);
  picture_clear (&picture);
  gst_object_unref (other);
}

/* Three frames, one of them without a label image, while the nth call fails.
 * TRUE: nothing failed. */
static gboolean
show (const Labelled *labelled, GstBuffer *picture, guint nth, guint *n_errors)
{
  GstBus *bus;
  GstHarness *h = cuda_harness_new ("cudaccamask mode=colors",
      shared_context (), NV12, labelled->width, labelled->height, &bus);
  GstBuffer *in[4];
  GstFlowReturn ret = GST_FLOW_OK;
  const gchar *fault;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (in); i++)
    in[i] =
        labelled_buffer (labelled, i == 1 ? NULL : gst_buffer_ref (picture));
  faults_arm (nth);
  for (i = 0; i < 3 && ret == GST_FLOW_OK; i++)
    ret = gst_harness_push (h, g_steal_pointer (&in[i]));
  fault = faults_disarm ();
  fail_unless (ret == GST_FLOW_OK || fault != NULL);
  if (ret == GST_FLOW_OK) {
    assert_no_error (bus);
  } else {
    assert_equals_int (ret, GST_FLOW_ERROR);
    assert_error (bus, "The mask cannot be rendered: ");
    ++*n_errors;
  }
  assert_equals_int (gst_harness_push (h, g_steal_pointer (&in[3])),
      GST_FLOW_OK);
  for (i = 0; i < 3; i++)
    gst_clear_buffer (&in[i]);
  harness_free (h, bus);
  return fault == NULL;
}

TEST (test_cudaccamask)
{
  const Labelled labelled = {WIDTH, HEIGHT, 8, 0, 20, 1, 20};
  GstBuffer *system = labelled_picture (&labelled);
  GstBuffer *picture = to_gpu (system, GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT,
      shared_context (), NULL);
  guint nth, n_errors = 0;

  for (nth = 1; !show (&labelled, picture, nth, &n_errors); nth++)
    ;
  fail_unless (n_errors >= 8, "only %u errors", n_errors);
  faults_print ("cudaccamask");
  gst_buffer_unref (picture);
  gst_buffer_unref (system);
}

/* A frame of noise with one component. */
static GstBuffer *
frame_with_box (GstVideoFormat format, GstCudaContext *context)
{
  const GstCcaAnalysis analysis = {.width = WIDTH,
    .height = HEIGHT,
    .connectivity = 8,
    .n_found = 1};
  const GstCcaComponent box = {.id = 1, .width = WIDTH, .height = 9, .area = 9};
  GstBuffer *buffer = gpu_frame (format, &pictures[0], NULL, context, NULL);

  fail_unless (
      gst_buffer_add_cca_meta_from_components (buffer, &analysis, &box, 1)
      != NULL);
  return buffer;
}

/* A frame is drawn on, or passes with a warning, or there is an error. */
static void
try_to_draw (GstHarness *h, GstBus *bus, GstCudaContext *context, GstBuffer *in,
    guint nth, const gchar **fault)
{
  GstMessage *message;
  GstFlowReturn ret;

  faults_arm (nth);
  ret = gst_harness_push (h, in);
  *fault = faults_disarm ();
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
  if (*fault == NULL)
    fail_unless (message == NULL);
  /* memory is not freed before it is drawn on */
  gst_cuda_context_push (context);
  CuStreamSynchronize (NULL);
  gst_cuda_context_pop (NULL);
  if (ret == GST_FLOW_OK)
    gst_buffer_unref (gst_harness_pull (h));
  else
    fail_unless (ret == GST_FLOW_ERROR && *fault != NULL);
  if (message != NULL) {
    assert_equals_int (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING,
        ret == GST_FLOW_OK);
    gst_message_unref (message);
  }
  fail_unless (
      gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR)
      == NULL);
}

/* In place and on a copy, in the first context and in another. */
TEST_LOOP (test_overlay, 0, 4)
{
  const GstVideoFormat format = __i__ < 2 ? NV12 : GRAY8;
  const gboolean shared = __i__ % 2;
  GstCudaContext *other = gst_cuda_context_new (0);
  const gchar *fault;
  guint nth = 0, n_faults = 0, i;

  pictures[0] = picture_new (WIDTH, HEIGHT, noise, 5);
  do {
    GstBus *bus;
    GstHarness *h = cuda_harness_new ("cudaccaoverlay", shared_context (),
        format, WIDTH, HEIGHT, &bus);

    nth++;
    for (i = 0; i < 2; i++) {
      GstCudaContext *context = i ? other : shared_context ();
      GstBuffer *in = frame_with_box (format, context);

      if (shared)
        gst_buffer_ref (in);
      try_to_draw (h, bus, context, in, i == nth % 2 ? (nth + 1) / 2 : 0,
          &fault);
      n_faults += fault != NULL;
      if (shared)
        gst_buffer_unref (in);
    }
    harness_free (h, bus);
  } while (nth < 24);
  fail_unless (n_faults >= (shared ? 6 : 3), "only %u faults", n_faults);
  faults_print ("cudaccaoverlay");
  picture_clear (&pictures[0]);
  gst_object_unref (other);
}

/* Without GStreamer's part of CUDA there are no elements, but a plugin. */
static gboolean
register_plugin (void)
{
  GstElementFactory *factory;

  faults_arm (1);
  GST_PLUGIN_STATIC_REGISTER (cudacca);
  if (g_strcmp0 (faults_disarm (), "gst_cuda_load_library") != 0)
    return FALSE;
  factory = gst_element_factory_find ("cudacca");
  if (factory != NULL)
    return FALSE;
  GST_PLUGIN_STATIC_REGISTER (cudacca);
  return TRUE;
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  if (!register_plugin ()) {
    g_print ("the plugin does not tell that the driver cannot be loaded\n");
    return 1;
  }
  return cuda_main (argc, argv, "faults-cuda");
}
