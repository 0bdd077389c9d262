/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* cuda-cost [FILE]: time of the streaming thread in a push: cudacca with frames
 * in CUDA memory, cca with the same ones in system memory. Prints a table, and
 * JSON to FILE. */

#include "cudautil.h"

#include <stdio.h>

#define N_WARM_UP 50
#define N_FRAMES 300
#define MAX_COMPONENTS "max-components=1000000"

typedef struct
{
  const gchar *name, *description;
  gboolean on_gpu;
} Way;

static const Way ways[] = {
  {"cudacca tiled", "cudacca algorithm=tiled " MAX_COMPONENTS, TRUE},
  {"cudacca flsl-cd", "cudacca algorithm=flsl-cd " MAX_COMPONENTS, TRUE},
  {"cudacca tiled, cca meta only",
    "cudacca algorithm=tiled meta-types=cca " MAX_COMPONENTS, TRUE},
  {"cca threads=1", "cca " MAX_COMPONENTS, FALSE},
};

/* Blocks of 16 pixels, a third of them above 128; a few; none. */
static guint
blocks (guint x, guint y, guint seed)
{
  return noise (x / 16, y / 16, 10);
}

static guint
few (guint x, guint y, guint seed)
{
  return x % 240 < 60 && y % 180 < 40 ? 200 : 30;
}

static const struct
{
  const gchar *name;
  Pixel pixel;
} scenes[] = {
  {"few", few},
  {"blocks", blocks},
  {"noise", noise},
};

static const guint sizes[][2] = {{1920, 1080}, {3840, 2160}};

/* Median and 99th percentile, in microseconds. */
static void
measure (const Way *way, GstBuffer *frame, guint width, guint height,
    gdouble *median, gdouble *worst, guint *n_found)
{
  GstHarness *h = cuda_harness_new (way->description, shared_context (),
      GST_VIDEO_FORMAT_UNKNOWN, 0, 0, NULL);
  gint64 times[N_FRAMES];
  gint i, j;

  gst_harness_set_src_caps (h,
      way->on_gpu ? cuda_caps (GST_VIDEO_FORMAT_NV12, width, height)
                  : frame_caps (GST_VIDEO_FORMAT_NV12, width, height));
  for (i = -N_WARM_UP; i < N_FRAMES; i++) {
    /* a buffer that is ours alone, as a decoder's is */
    GstBuffer *in = gst_buffer_copy (frame), *out;
    GstClockTime start = gst_util_get_timestamp ();
    gint64 time;

    gst_harness_push (h, in);
    time = gst_util_get_timestamp () - start;
    out = gst_harness_pull (h);
    *n_found = gst_cca_meta_get_n_found (gst_buffer_get_cca_meta (out));
    gst_buffer_unref (out);
    if (i < 0)
      continue;
    for (j = i; j > 0 && times[j - 1] > time; j--)
      times[j] = times[j - 1];
    times[j] = time;
  }
  *median = times[N_FRAMES / 2] / 1e3;
  *worst = times[N_FRAMES * 99 / 100] / 1e3;
  gst_harness_teardown (h);
}

static void
measure_all (FILE *json)
{
  const gchar *comma = "";
  guint i, j, k;

  g_print ("| frame | scene | components | element | median us | 99 %% us |\n"
           "|---|---|---|---|---|---|\n");
  fprintf (json, "[");
  for (i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (j = 0; j < G_N_ELEMENTS (scenes); j++) {
      guint width = sizes[i][0], height = sizes[i][1];
      Picture picture = picture_new (width, height, scenes[j].pixel, 3);
      GstBuffer *system = frame_new (GST_VIDEO_FORMAT_NV12, &picture, NULL);
      GstCudaStream *stream = gst_cuda_stream_new (shared_context ());
      GstBuffer *gpu = to_gpu (system, GST_VIDEO_FORMAT_NV12, width, height,
          shared_context (), stream);

      for (k = 0; k < G_N_ELEMENTS (ways); k++) {
        gdouble median, worst;
        guint n;

        measure (&ways[k], ways[k].on_gpu ? gpu : system, width, height,
            &median, &worst, &n);
        g_print ("| %ux%u | %s | %u | %s | %.1f | %.1f |\n", width, height,
            scenes[j].name, n, ways[k].name, median, worst);
        fprintf (json,
            "%s\n  {\"width\": %u, \"height\": %u, \"scene\": "
            "\"%s\", \"components\": %u, \"element\": \"%s\", "
            "\"median_us\": %.1f, \"p99_us\": %.1f}",
            comma, width, height, scenes[j].name, n, ways[k].name, median,
            worst);
        comma = ",";
      }
      gst_buffer_unref (gpu);
      gst_cuda_stream_unref (stream);
      gst_buffer_unref (system);
      picture_clear (&picture);
    }
  fprintf (json, "\n]\n");
}

static const gchar *file = "/dev/null";

TEST (test_cost)
{
  FILE *json = fopen (file, "w");

  fail_unless (json != NULL, "%s cannot be written", file);
  measure_all (json);
  fclose (json);
}

int
main (int argc, char **argv)
{
  if (argc > 1)
    file = argv[1];
  return cuda_main (1, argv, "cuda-cost");
}
