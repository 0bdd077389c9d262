/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Frames of any layout, true or not. */

#include "elements.h"

#define MAX_MEMORIES 4

enum
{
  VIDEO_META = 1 << 0, /* the layout of the caps, with these exceptions */
  PLANES = 1 << 1,     /* other offsets and strides */
  SIZE = 1 << 2,       /* another size of the picture */
  KIND = 1 << 3,       /* another format and number of planes */
  BYTES = 1 << 4,      /* another size of the buffer */
  CROP = 1 << 5,
  MEMORIES = 1 << 6, /* several, each of exactly its size */
  GAP = 1 << 7,
};

static void
add_video_meta (Frame *f, Input *in, guint flags, const GstVideoInfo *info)
{
  gsize offset[GST_VIDEO_MAX_PLANES] = {0};
  gint stride[GST_VIDEO_MAX_PLANES] = {0};
  guint i;

  for (i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    offset[i] = GST_VIDEO_INFO_PLANE_OFFSET (info, i);
    stride[i] = GST_VIDEO_INFO_PLANE_STRIDE (info, i);
  }
  if (flags & PLANES) {
    guint plane = take_below (in, GST_VIDEO_MAX_PLANES);

    /* that of the luma plane most of the time */
    plane = plane == 1 ? 1 : 0;
    offset[plane] = take_number (in);
    stride[plane] = (gint) take_number (in);
  }
  if (flags & SIZE) {
    f->width = take_number (in);
    f->height = take_number (in);
  }
  if (flags & KIND) {
    f->format = take_below (in, 32);
    f->n_planes = take_below (in, GST_VIDEO_MAX_PLANES + 1);
  }
  gst_buffer_add_video_meta_full (f->buffer, GST_VIDEO_FRAME_FLAG_NONE,
      f->format, f->width, f->height, f->n_planes, offset, stride);
  f->offset = offset[0];
  f->stride = stride[0];
}

static void
add_crop_meta (Frame *f, Input *in)
{
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (f->buffer);

  f->crop = TRUE;
  crop->x = f->rect.x = take_number (in);
  crop->y = f->rect.y = take_number (in);
  crop->width = f->rect.width = take_number (in);
  crop->height = f->rect.height = take_number (in);
}

/* Its bytes begin somewhere in it, and end where it ends. */
static void
append_memory (Frame *f, gsize at, gsize size, gsize before)
{
  guint8 *data = exact (before + size);

  memset (data, 0xff, before);
  if (size > 0)
    memcpy (data + before, f->bytes + at, size);
  gst_buffer_append_memory (f->buffer,
      gst_memory_new_wrapped (GST_MEMORY_FLAG_READONLY, data, before + size,
          before, size, data, free));
}

static void
append_memories (Frame *f, Input *in, guint n)
{
  gsize at = 0;
  guint i;

  for (i = 1; i < n; i++) {
    guint64 wanted = take_number (in);
    gsize size = MIN (wanted, f->size - at);

    append_memory (f, at, size, take_below (in, 4));
    at += size;
  }
  if (at < f->size || n == 1)
    append_memory (f, at, f->size - at, n == 1 ? 0 : take_below (in, 4));
}

Frame
frame_take (Input *in, const Video *video)
{
  guint flags = take (in, 1);
  Frame f = {
    .format = video->format,
    .width = video->width,
    .height = video->height,
    .buffer = gst_buffer_new (),
  };
  GstVideoInfo info;

  gst_video_info_init (&info);
  /* caps of any size: only small ones get all their bytes */
  if (video->width > 0
      && gst_video_info_set_format (&info, video->format, video->width,
          video->height))
    f.size = MIN (GST_VIDEO_INFO_SIZE (&info), MAX_BUFFER);
  f.n_planes = GST_VIDEO_INFO_N_PLANES (&info);
  f.offset = GST_VIDEO_INFO_PLANE_OFFSET (&info, 0);
  f.stride = GST_VIDEO_INFO_PLANE_STRIDE (&info, 0);

  if (flags & VIDEO_META)
    add_video_meta (&f, in, flags, &info);
  if (flags & CROP)
    add_crop_meta (&f, in);
  if (flags & BYTES) {
    guint64 wanted = take_number (in);

    f.size = MIN (wanted, MAX_BUFFER);
  }

  f.bytes = exact (f.size);
  if (flags & MEMORIES) {
    guint n = take_below (in, MAX_MEMORIES) + 1;
    /* n - 1 sizes, and the offset in each memory */
    Input sizes = take_part (in, 4 * n);

    take_paint (in, f.bytes, f.size);
    append_memories (&f, &sizes, n);
  } else {
    take_paint (in, f.bytes, f.size);
    if (f.size > 0)
      append_memory (&f, 0, f.size, 0);
  }
  if (flags & GAP)
    GST_BUFFER_FLAG_SET (f.buffer, GST_BUFFER_FLAG_GAP);

  return f;
}

void
frame_clear (Frame *frame)
{
  gst_clear_buffer (&frame->buffer);
  free (frame->bytes);
  frame->bytes = NULL;
}
