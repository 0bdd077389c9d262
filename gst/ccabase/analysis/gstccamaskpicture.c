/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Pictures of what to analyse, from PGM files and from samples. */

#include "gstccamaskpicture.h"

#include <gst/video/video.h>
#include <string.h>

#include "cca.h"

/* Returns NULL if the size is 0 or too large, or memory ran out. */
static GstCcaMaskPicture *
new_picture (guint64 width, guint64 height, const gchar **why)
{
  GstCcaMaskPicture *self = NULL;

  *why = "it has no pixels, or more than are supported";
  if (width > 0 && height > 0 && width <= CCA_MAX_PIXELS / height) {
    self = g_try_malloc (sizeof (*self) + (gsize) (width * height));
    *why = "memory for it ran out";
  }
  if (self != NULL) {
    self->ref_count = 1;
    self->width = width;
    self->height = height;
  }
  return self;
}

GstCcaMaskPicture *
gst_cca_mask_picture_ref (GstCcaMaskPicture *self)
{
  g_atomic_int_inc (&self->ref_count);
  return self;
}

void
gst_cca_mask_picture_unref (GstCcaMaskPicture *self)
{
  if (g_atomic_int_dec_and_test (&self->ref_count))
    g_free (self);
}

/* --- files ---------------------------------------------------------------- */

/* Reads a number after white space and comments. Returns FALSE if there is
 * none, or it is greater than 2^31. */
static gboolean
read_number (const guint8 **at, const guint8 *end, guint64 *number)
{
  const guint8 *p = *at;
  gboolean comment = FALSE;

  while (p < end && (comment || *p == '#' || g_ascii_isspace (*p))) {
    comment = *p != '\n' && (comment || *p == '#');
    p++;
  }
  *at = p;
  for (*number = 0; p < end && g_ascii_isdigit (*p); p++) {
    *number = *number * 10 + *p - '0';
    if (*number > (guint64) 1 << 31)
      return FALSE;
  }
  if (p == *at)
    return FALSE;
  *at = p;
  return TRUE;
}

/* Reads the values from `at` on. Returns FALSE if there are not enough. */
static gboolean
read_pixels (GstCcaMaskPicture *self, const guint8 *at, const guint8 *end,
    gboolean is_text, guint64 highest)
{
  const gsize n = (gsize) self->width * self->height;
  gsize i;

  /* One byte of white space ends the header of a file that is not text. */
  if (!is_text && (gsize) (end - at) <= n)
    return FALSE;
  for (i = 0; i < n; i++) {
    guint64 value;

    if (!is_text)
      value = at[i + 1];
    else if (!read_number (&at, end, &value))
      return FALSE;
    self->pixels[i] = 2 * value > highest ? 255 : 0;
  }
  return TRUE;
}

static GstCcaMaskPicture *
parse (const guint8 *at, const guint8 *end, const gchar **why)
{
  const gboolean is_text = end - at >= 2 && at[1] == '2';
  guint64 width, height, highest;
  GstCcaMaskPicture *self;

  *why = "it is not a PGM file";
  if (end - at < 2 || at[0] != 'P' || (at[1] != '5' && at[1] != '2'))
    return NULL;
  at += 2;
  if (!read_number (&at, end, &width) || !read_number (&at, end, &height)
      || !read_number (&at, end, &highest))
    return NULL;
  *why = "its largest value is not 1 to 255";
  if (highest < 1 || highest > 255)
    return NULL;
  self = new_picture (width, height, why);
  if (self != NULL && !read_pixels (self, at, end, is_text, highest)) {
    *why = "it is not complete";
    g_clear_pointer (&self, gst_cca_mask_picture_unref);
  }
  return self;
}

GstCcaMaskPicture *
gst_cca_mask_picture_read (const gchar *path, gchar **why)
{
  GstCcaMaskPicture *self = NULL;
  GError *error = NULL;
  const gchar *reason = "it is not a regular file";
  gchar *text = NULL;
  gsize length;

  /* Opening other files, such as a named pipe, could block. */
  if (g_file_test (path, G_FILE_TEST_EXISTS)
      && !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    *why = g_strdup (reason);
  else if (!g_file_get_contents (path, &text, &length, &error))
    *why = g_strdup (error->message);
  else if ((self = parse ((guint8 *) text, (guint8 *) text + length, &reason))
      == NULL)
    *why = g_strdup (reason);
  g_clear_error (&error);
  g_free (text);
  return self;
}

/* --- samples -------------------------------------------------------------- */

static GstCcaMaskPicture *
copy_frame (const GstVideoFrame *frame, const gchar **why)
{
  const guint width = GST_VIDEO_FRAME_WIDTH (frame);
  const guint height = GST_VIDEO_FRAME_HEIGHT (frame);
  GstCcaMaskPicture *self = new_picture (width, height, why);
  gsize x, y;

  for (y = 0; self != NULL && y < height; y++) {
    const guint8 *row = (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, 0)
        + y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0);

    for (x = 0; x < width; x++)
      self->pixels[y * width + x] = row[x] >= 128 ? 255 : 0;
  }
  return self;
}

GstCcaMaskPicture *
gst_cca_mask_picture_from_sample (GstSample *sample, gchar **why)
{
  GstCaps *caps = gst_sample_get_caps (sample);
  GstBuffer *buffer = gst_sample_get_buffer (sample);
  const gchar *reason = "it needs a picture in the format GRAY8";
  GstCcaMaskPicture *self = NULL;
  GstVideoFrame frame;
  GstVideoInfo info;

  if (caps != NULL && buffer != NULL && gst_video_info_from_caps (&info, caps)
      && GST_VIDEO_INFO_FORMAT (&info) == GST_VIDEO_FORMAT_GRAY8
      && gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ)) {
    self = copy_frame (&frame, &reason);
    gst_video_frame_unmap (&frame);
  }
  if (self == NULL)
    *why = g_strdup (reason);
  return self;
}
