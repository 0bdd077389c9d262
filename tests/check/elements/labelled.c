/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Label images for the elements that show them. */

#include "labelled.h"

guint
labelled_label (const Labelled *labelled, guint x, guint y)
{
  guint32 v = (x / 2 * 2654435761u) ^ (y / 3 * 2246822519u)
      ^ (labelled->seed * 3266489917u);

  v ^= v >> 15;
  v *= 2246822519u;
  v ^= v >> 13;
  return v % 3 == 0 ? 0 : v / 3 % (labelled->n_labels + 1);
}

gint64
labelled_track (const Labelled *labelled, guint label)
{
  if (label > labelled->n_tracked || label % 3 == 2)
    return -1;
  return (gint64) label * 1000003 + ((gint64) label << 33);
}

GstBuffer *
labelled_picture (const Labelled *labelled)
{
  const guint size = labelled->depth / 8;
  const gsize stride = (gsize) labelled->width * size + labelled->padding;
  guint8 *data = g_malloc (stride * labelled->height);
  GstBuffer *picture = gst_buffer_new_wrapped (data, stride * labelled->height);
  guint x, y;

  memset (data, 0xff, stride * labelled->height);
  for (y = 0; y < labelled->height; y++) {
    for (x = 0; x < labelled->width; x++) {
      guint8 *p = data + stride * y + x * size;

      p[0] = labelled_label (labelled, x, y);
      if (size == 2)
        p[1] = labelled_label (labelled, x, y) >> 8;
    }
  }
  gst_buffer_add_video_meta_full (picture, GST_VIDEO_FRAME_FLAG_NONE,
      size == 1 ? GST_VIDEO_FORMAT_GRAY8 : GST_VIDEO_FORMAT_GRAY16_LE,
      labelled->width, labelled->height, 1, (gsize[4]) {0}, (gint[4]) {stride});
  return picture;
}

GstBuffer *
labelled_buffer (const Labelled *labelled, GstBuffer *picture)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 16, NULL);
  const GstCcaAnalysis analysis = {
    .width = labelled->width,
    .height = labelled->height,
    .connectivity = 8,
    .n_found = labelled->n_labels,
  };
  GstCcaComponent *components = g_new0 (GstCcaComponent, labelled->n_labels);
  GBytes *bytes;
  guint i;

  for (i = 0; i < labelled->n_labels; i++)
    components[i] = (GstCcaComponent) {
      .id = i + 1,
      .width = 1,
      .height = 1,
      .area = 1,
      .track_id = labelled_track (labelled, i + 1),
    };
  bytes =
      g_bytes_new_take (components, labelled->n_labels * sizeof (*components));
  fail_unless (gst_buffer_add_cca_meta (buffer, &analysis, bytes) != NULL);
  g_bytes_unref (bytes);
  if (picture != NULL) {
    fail_unless (
        gst_buffer_add_cca_labels_meta (buffer, picture, labelled->n_labels)
        != NULL);
    gst_buffer_unref (picture);
  }
  return buffer;
}

GstBuffer *
background_buffer (const Labelled *labelled, GstBuffer *picture, guint depth)
{
  Labelled without = *labelled;
  GstBuffer *buffer;

  without.n_labels = 0;
  buffer = labelled_buffer (&without, NULL);
  fail_unless (
      gst_buffer_add_cca_background_meta (buffer, picture, depth) != NULL);
  gst_buffer_unref (picture);
  return buffer;
}
