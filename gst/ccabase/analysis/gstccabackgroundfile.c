/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Reads and writes the background as a file of one PGM picture for each plane
 * of its state. The first picture, which image viewers show, is the background
 * itself; the comment in its header has the rest of the form. */

#include "gstccabackgroundfile.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#define FILE_VERSION 1
#define MAX_HEADER 256

static const gchar *
mode_name (CcaForeground mode)
{
  return mode == CCA_FOREGROUND_DIFFERENCE ? "difference" : "sigma-delta";
}

void
gst_cca_background_file_free (GstCcaBackgroundFile *self)
{
  g_free (self->state);
  g_free (self->path);
  g_free (self);
}

/* --- layout --------------------------------------------------------------- */

static guint
n_value_planes (const CcaBackground *form)
{
  if (form->foreground == CCA_FOREGROUND_DIFFERENCE)
    return form->frame_distance;
  return form->votes ? 3 : 2;
}

/* Votes are a plane of bytes after those of values. */
static guint
n_planes (const CcaBackground *form)
{
  return n_value_planes (form) + (form->votes ? 1 : 0);
}

static gsize
plane_size (const CcaBackground *form, guint plane)
{
  const gsize n_pixels = (gsize) form->width * form->height;

  return plane < n_value_planes (form)
      ? n_pixels * form->sample_size
      : n_pixels;
}

static void
write_header (gchar header[MAX_HEADER], const GstCcaBackgroundFile *self,
    guint plane)
{
  const CcaBackground *f = &self->form;
  const gboolean is_votes = plane >= n_value_planes (f);
  gchar comment[MAX_HEADER / 2] = "";

  if (plane == 0)
    g_snprintf (comment, sizeof (comment),
        "# cca-background %u foreground=%s votes=%u frames=%" G_GUINT64_FORMAT
        " distance=%u x=%u y=%u\n",
        FILE_VERSION, mode_name (f->foreground), f->votes, f->n_frames,
        f->frame_distance, self->x, self->y);
  g_snprintf (header, MAX_HEADER, "P5\n%s%u %u\n%u\n", comment, f->width,
      f->height, (1u << (is_votes ? 8 : f->depth)) - 1);
}

static guint64
file_length (const GstCcaBackgroundFile *self)
{
  guint64 length = cca_background_state_size (&self->form);
  gchar header[MAX_HEADER];
  guint i;

  for (i = 0; i < n_planes (&self->form); i++) {
    write_header (header, self, i);
    length += strlen (header);
  }
  return length;
}

/* Converts samples of two bytes, which are big-endian in the file, to or from
 * the byte order of the machine. In the file they may be at odd addresses. */
static void
convert (const CcaBackground *form, guint plane, guint8 *data)
{
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
  const gsize size = plane_size (form, plane);
  gsize i;

  if (plane >= n_value_planes (form) || form->sample_size == 1)
    return;
  for (i = 0; i < size; i += 2) {
    const guint8 low = data[i];

    data[i] = data[i + 1];
    data[i + 1] = low;
  }
#endif
}

/* --- write ---------------------------------------------------------------- */

gboolean
gst_cca_background_file_write (const GstCcaBackgroundFile *self,
    const gchar *path, gchar **why)
{
  const CcaBackground *form = &self->form;
  const guint n = n_planes (form);
  const guint8 *from = self->state;
  GError *error = NULL;
  gchar *content, *to;
  guint i;

  content = g_try_malloc (
      (gsize) cca_background_state_size (form) + (gsize) n * MAX_HEADER);
  if (content == NULL) {
    *why = g_strdup ("memory for the file ran out");
    return FALSE;
  }
  for (i = 0, to = content; i < n; i++) {
    const gsize size = plane_size (form, i);

    write_header (to, self, i);
    to += strlen (to);
    memcpy (to, from, size);
    convert (form, i, (guint8 *) to);
    to += size;
    from += size;
  }
  if (!g_file_set_contents_full (path, content, to - content,
          G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0666,
          &error)) {
    *why = g_strdup (error->message);
    g_error_free (error);
  }
  g_free (content);
  return *why == NULL;
}

/* --- read ----------------------------------------------------------------- */

#define NOT_A_BACKGROUND "it is not the file of a background"

/* The header must be exactly as written for the form that it has. */
static gboolean
parse_header (GstCcaBackgroundFile *self, const gchar *text, const gchar **why)
{
  CcaBackground *f = &self->form;
  gchar mode[16], header[MAX_HEADER];
  guint version, votes, highest;

  if (sscanf (text, "P5\n# cca-background %u", &version) != 1)
    return FALSE;
  if (version != FILE_VERSION) {
    *why = "it was saved by another version of the element";
    return FALSE;
  }
  *why = "its header is damaged";
  if (sscanf (text,
          "P5\n# cca-background %*u foreground=%15[a-z-] votes=%u "
          "frames=%" G_GUINT64_FORMAT " distance=%u x=%u y=%u %u %u %u",
          mode, &votes, &f->n_frames, &f->frame_distance, &self->x, &self->y,
          &f->width, &f->height, &highest)
      != 9)
    return FALSE;
  f->foreground = strcmp (mode, "difference") == 0
      ? CCA_FOREGROUND_DIFFERENCE
      : CCA_FOREGROUND_SIGMA_DELTA;
  f->votes = votes != 0;
  f->depth = g_bit_storage (highest);
  f->sample_size = f->depth > 8 ? 2 : 1;
  if (f->width < 1 || f->height < 1
      || (guint64) f->width * f->height > CCA_MAX_PIXELS || f->depth < 8
      || f->depth > 16 || f->n_frames < 1
      || (f->foreground == CCA_FOREGROUND_DIFFERENCE) != (f->frame_distance > 0)
      || f->frame_distance > CCA_MAX_FRAME_DISTANCE
      || (f->votes && f->frame_distance > 0))
    return FALSE;
  write_header (header, self, 0);
  return g_str_has_prefix (text, header);
}

/* Reads the header of a plane, which is known, and the plane. */
static gboolean
read_plane (GstCcaBackgroundFile *self, FILE *file, guint plane, guint8 *to)
{
  const gsize size = plane_size (&self->form, plane);
  gchar header[MAX_HEADER], text[MAX_HEADER] = "";

  write_header (header, self, plane);
  if (fread (text, strlen (header), 1, file) != 1 || strcmp (text, header) != 0
      || fread (to, size, 1, file) != 1)
    return FALSE;
  convert (&self->form, plane, to);
  return TRUE;
}

/* Checks the length first, so that no header makes it allocate more memory than
 * the file is long. */
static gboolean
read_file (GstCcaBackgroundFile *self, FILE *file, guint64 length,
    const gchar **why)
{
  gchar text[MAX_HEADER + 1] = "";
  guint8 *to;
  guint i;

  *why = NOT_A_BACKGROUND;
  if (fread (text, 1, MAX_HEADER, file) == 0 || !parse_header (self, text, why))
    return FALSE;
  *why = "it is not complete, or has been changed";
  if (length != file_length (self))
    return FALSE;
  rewind (file);
  self->state = g_try_malloc ((gsize) cca_background_state_size (&self->form));
  if (self->state == NULL) {
    *why = "memory for it ran out";
    return FALSE;
  }
  for (i = 0, to = self->state; i < n_planes (&self->form); i++) {
    if (!read_plane (self, file, i, to))
      return FALSE;
    to += plane_size (&self->form, i);
  }
  return TRUE;
}

GstCcaBackgroundFile *
gst_cca_background_file_read (const gchar *path, gchar **why)
{
  GstCcaBackgroundFile *self;
  const gchar *reason = NULL;
  GStatBuf about = {
    0,
  };
  FILE *file = NULL;
  gboolean ok;

  /* Opening other files, such as a named pipe, could block. */
  if (g_stat (path, &about) == 0 && !S_ISREG (about.st_mode)) {
    *why = g_strdup ("it is not a regular file");
    return NULL;
  }
  file = g_fopen (path, "rb");
  if (file == NULL) {
    if (errno != ENOENT)
      *why = g_strdup (g_strerror (errno));
    return NULL;
  }
  self = g_new0 (GstCcaBackgroundFile, 1);
  self->path = g_strdup (path);
  ok = read_file (self, file, about.st_size, &reason);
  fclose (file);
  if (ok)
    return self;
  *why = g_strdup (reason);
  gst_cca_background_file_free (self);
  return NULL;
}

/* --- forms ---------------------------------------------------------------- */

gchar *
gst_cca_background_file_describe (const GstCcaBackgroundFile *self)
{
  const CcaBackground *f = &self->form;
  gchar *details;
  gchar *text;

  if (f->foreground == CCA_FOREGROUND_DIFFERENCE)
    details = g_strdup_printf ("frame-distance=%u", f->frame_distance);
  else
    details = g_strdup (f->votes ? "absorb-after" : "absorb-after=0");
  text = g_strdup_printf ("%ux%u pixels from (%u, %u) with %u bits for %s and "
                          "%s",
      f->width, f->height, self->x, self->y, f->depth,
      mode_name (f->foreground), details);
  g_free (details);
  return text;
}

gboolean
gst_cca_background_file_matches (const GstCcaBackgroundFile *self,
    const GstCcaBackgroundFile *other)
{
  const CcaBackground *a = &self->form, *b = &other->form;

  return self->x == other->x && self->y == other->y && a->width == b->width
      && a->height == b->height && a->depth == b->depth
      && a->foreground == b->foreground
      && a->frame_distance == b->frame_distance && a->votes == b->votes;
}
