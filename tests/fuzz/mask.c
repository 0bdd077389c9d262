/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Label images of any layout and contents, with records and numbers of labels
 * that need not fit. Accepted ones are read, converted to a segmentation and
 * shown by ccamask, with the pixels that the functions return. */

#include <gst/analytics/analytics.h>
#include <gst/ccameta/gstccalabelsmeta.h>

#include "plugin.h"

#define MAX_BYTES 4096
#define MAX_RECORDS 4
#define MAX_SIZE 64 /* of the video, in pixels */

typedef struct
{
  GstVideoFormat format;
  guint64 width, height, offset, stride, n_labels;
  gsize size; /* of the memory */
} Layout;

/* As gst_buffer_add_cca_labels_meta() demands it; with its own arithmetic. */
static gboolean
is_valid (const Layout *l)
{
  const guint bytes = l->format == GST_VIDEO_FORMAT_GRAY8 ? 1 : 2;
  const guint most = bytes == 1 ? 255 : 65535;

  if (l->format != GST_VIDEO_FORMAT_GRAY8
      && l->format != GST_VIDEO_FORMAT_GRAY16_LE)
    return FALSE;
  if (l->width < 1 || l->height < 1 || l->width > l->size || l->height > l->size
      || l->stride < l->width * bytes)
    return FALSE;
  if (l->stride > G_MAXINT || l->offset > l->size)
    return FALSE;
  if (l->width * bytes > l->size - l->offset
      || (l->height - 1) * l->stride > l->size - l->offset - l->width * bytes)
    return FALSE;
  return l->n_labels <= most && l->n_labels <= l->width * l->height;
}

static GstBuffer *
take_picture (Input *in, Layout *l)
{
  static const GstVideoFormat formats[] = {GST_VIDEO_FORMAT_GRAY8,
    GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_GRAY8,
    GST_VIDEO_FORMAT_GRAY16_BE};
  GstBuffer *picture;
  guint8 *bytes;

  l->format = formats[take_below (in, 4)];
  l->width = (guint32) take_number (in);
  l->height = (guint32) take_number (in);
  l->offset = take_number (in);
  l->stride = (guint32) take_number (in);
  l->n_labels = (guint32) take_number (in);
  l->size = take (in, 2) % MAX_BYTES;
  bytes = exact (l->size);
  take_paint (in, bytes, l->size);
  picture =
      gst_buffer_new_wrapped_full (0, bytes, l->size, 0, l->size, bytes, free);
  gst_buffer_add_video_meta_full (picture, GST_VIDEO_FRAME_FLAG_NONE, l->format,
      l->width, l->height, 1, (gsize[4]) {l->offset}, (gint[4]) {l->stride});
  return picture;
}

/* Of the same analysis or not, with tracks and ids of any number. */
static void
take_records (Input *in, GstBuffer *buffer, const Layout *l)
{
  const GstCcaAnalysis analysis = {.width = l->width,
    .height = l->height,
    .connectivity = 8,
    .n_found = take_below (in, 8) ? l->n_labels : l->width * l->height};
  guint n = take_below (in, MAX_RECORDS + 1), i;
  GstCcaComponent records[MAX_RECORDS] = {{0}};

  n = MIN (n, analysis.n_found);
  for (i = 0; i < n; i++) {
    records[i].id = take_number (in);
    records[i].track_id = take_number (in);
  }
  attach_meta (buffer, &analysis, records, n);
}

/* The label of each pixel, by the function for one. */
static guint16 *
read_labels (const GstCcaLabelsMeta *meta, const Layout *l)
{
  GBytes *rows = gst_cca_labels_meta_get_rows (meta, 0, l->height);
  guint16 *labels;
  gsize size;
  guint label = 0, x, y;

  REQUIRE (rows != NULL, "rows");
  labels = g_bytes_unref_to_data (rows, &size);
  REQUIRE (size == 2 * l->width * l->height, "%zu bytes", size);
  x = l->width - 1;
  y = l->height - 1;
  REQUIRE (gst_cca_labels_meta_get_label (meta, x, y, &label)
          && label == labels[y * l->width + x],
      "label %u", label);
  REQUIRE (!gst_cca_labels_meta_get_label (meta, x + 1, y, &label)
          && !gst_cca_labels_meta_get_label (meta, x, y + 1, &label),
      "outside");
  REQUIRE (gst_cca_labels_meta_get_rows (meta, y, 2) == NULL, "outside");
  return labels;
}

/* ccamask shows these labels, its mask has the pixels with a label, and only
 * those have a colour. */
static void
show (GstBuffer *buffer, const Layout *l, const guint16 *labels, guint mode,
    guint width, guint height)
{
  static const gchar *const modes[] = {"mask", "labels", "colors"};
  gchar *line = g_strdup_printf ("ccamask mode=%s", modes[mode]);
  gchar *caps = g_strdup_printf ("video/x-raw,format=GRAY8,width=%u,height=%u,"
                                 "framerate=25/1",
      width, height);
  GstHarness *h = gst_harness_new_parse (line);
  GstVideoFrame frame;
  GstVideoInfo info;
  GstCaps *out;
  guint x, y;

  gst_harness_set_src_caps_str (h, caps);
  buffer = gst_harness_push_and_pull (h, gst_buffer_ref (buffer));
  REQUIRE (buffer != NULL, "no frame");
  out = gst_pad_get_current_caps (h->sinkpad);
  REQUIRE (gst_video_info_from_caps (&info, out)
          && gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ),
      "map");
  for (y = 0; y < height; y++) {
    for (x = 0; x < width; x++) {
      const guint64 from_x = (2 * x + 1) * l->width / (2 * width);
      const guint64 from_y = (2 * y + 1) * l->height / (2 * height);
      const guint label = labels[from_y * l->width + from_x];
      const guint8 *p = GST_VIDEO_FRAME_PLANE_DATA (&frame, 0);

      p += y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0) + (x << mode);
      if (mode == 0)
        REQUIRE (p[0] == (label ? 255 : 0), "%u of %u", p[0], label);
      else if (mode == 1)
        REQUIRE (GST_READ_UINT16_LE (p) == label, "%u", label);
      else if (label == 0)
        REQUIRE (GST_READ_UINT32_LE (p) == 0, "of no label");
      else
        REQUIRE (p[3] == 255 && p[0] >= 64 && p[1] >= 64 && p[2] >= 64,
            "%u,%u,%u,%u", p[0], p[1], p[2], p[3]);
    }
  }
  gst_video_frame_unmap (&frame);
  gst_caps_unref (out);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
  g_free (caps);
  g_free (line);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  Input in = {data, size};
  const guint mode = take_below (&in, 3);
  const guint width = take_below (&in, MAX_SIZE) + 1;
  const guint height = take_below (&in, MAX_SIZE) + 1;
  GstBuffer *buffer = gst_buffer_new ();
  Layout l;
  GstBuffer *picture = take_picture (&in, &l);

  if (is_valid (&l)) {
    GstCcaLabelsMeta *meta =
        gst_buffer_add_cca_labels_meta (buffer, picture, l.n_labels);
    guint16 *labels;

    REQUIRE (meta != NULL, "not taken");
    if (take_below (&in, 4))
      take_records (&in, buffer, &l);
    labels = read_labels (meta, &l);
    show (buffer, &l, labels, mode, width, height);
    REQUIRE (gst_cca_labels_meta_emit_segmentation (meta, buffer, width, height)
            == GST_CHECK_VERSION (1, 26, 0),
        "segmentation");
    g_free (labels);
  }
  gst_buffer_unref (picture);
  gst_buffer_unref (buffer);

  return 0;
}
