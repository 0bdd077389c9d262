/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Video that cudacca does not accept: one error that names the element to put
 * before it. */

#include "cudautil.h"

#define CUDA "video/x-raw(memory:CUDAMemory)"
#define REFUSED(what, elements) \
  "The video cannot be analysed: " what " is " \
  "not supported, put " elements " before this element."
#define SYSTEM(format, elements) \
  REFUSED (format " with memory:SystemMemory", elements)

static const struct
{
  const gchar *caps, *sentence;
} cases[] = {
  {"video/x-raw,format=NV12", SYSTEM ("NV12", "cudaupload")},
  {"video/x-raw,format=I420", SYSTEM ("I420", "cudaupload")},
  {"video/x-raw,format=P010_10LE", SYSTEM ("P010_10LE", "cudaupload")},
  {"video/x-raw,format=GRAY8", SYSTEM ("GRAY8", "cudagrayupload")},
  {"video/x-raw,format=GRAY16_LE",
    SYSTEM ("GRAY16_LE", "videoconvert and cudaupload")},
  {"video/x-raw,format=RGB", SYSTEM ("RGB", "videoconvert and cudaupload")},
  {CUDA ",format=RGBA", REFUSED ("the format RGBA", "cudaconvert")},
  {CUDA ",format=Y444_16LE", REFUSED ("the format Y444_16LE", "cudaconvert")},
  {"video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=NV12",
    REFUSED ("DMA_DRM with memory:DMABuf",
        "the matching download element and cudaupload")},
  {"video/x-raw(memory:GLMemory),format=RGBA",
    REFUSED ("RGBA with memory:GLMemory",
        "the matching download element and cudaupload")},
};

/* Also after video that it has taken, and before. */
TEST (test_other_video)
{
  GstVideoFormat format = GST_VIDEO_FORMAT_NV12;
  Picture picture = picture_new (64, 48, noise, 3);
  GArray *expected = expect (&picture, &default_look);
  GstBus *bus;
  GstHarness *h =
      cuda_harness_new ("cudacca", shared_context (), format, 64, 48, &bus);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    gchar *string = g_strconcat (cases[i].caps,
        ",width=64,height=48,"
        "framerate=25/1",
        NULL);
    GstCaps *caps = gst_caps_from_string (string);
    GstPad *pad = gst_pad_get_peer (h->srcpad);
    GstCaps *offered = gst_pad_query_caps (pad, NULL);
    GstBuffer *buffer;

    fail_if (gst_caps_can_intersect (offered, caps), "%s", string);
    gst_harness_push_event (h, gst_event_new_caps (caps));
    assert_refusal (bus, "cudacca", cases[i].sentence);
    assert_equals_int (gst_harness_push (h, frame_new (format, &picture, NULL)),
        GST_FLOW_NOT_NEGOTIATED);
    assert_no_error (bus);

    gst_harness_set_src_caps (h, cuda_caps (format, 64, 48));
    buffer = gst_harness_push_and_pull (h,
        gpu_frame (format, &picture, NULL, shared_context (), NULL));
    assert_components (gst_buffer_get_cca_meta (buffer), expected);
    gst_buffer_unref (buffer);
    gst_caps_unref (offered);
    gst_object_unref (pad);
    gst_caps_unref (caps);
    g_free (string);
  }
  harness_free (h, bus);
  g_array_unref (expected);
  picture_clear (&picture);
}

/* Caps that are not video get no explanation of cudacca. */
TEST (test_no_video)
{
  static const gchar *const strings[] = {
    "video/x-h264,width=64,height=48",
    CUDA ",format=NV12,width=0,height=48",
    "audio/x-raw,format=S16LE,rate=44100,channels=2,layout=interleaved",
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (strings); i++) {
    GstBus *bus;
    GstHarness *h = cuda_harness_new ("cudacca", shared_context (),
        GST_VIDEO_FORMAT_UNKNOWN, 0, 0, &bus);
    GstCaps *caps = gst_caps_from_string (strings[i]);

    fail_if (gst_pad_peer_query_accept_caps (h->srcpad, caps), "%s",
        strings[i]);
    gst_harness_push_event (h, gst_event_new_caps (caps));
    assert_no_error (bus);
    gst_caps_unref (caps);
    harness_free (h, bus);
  }
}

CUDA_SUITE ("cuda-refused");
