/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Writes the format that docs/meta.md specifies. Numbers are written digit by
 * digit because printf allocates memory and depends on the locale. */

#include "gstccajsonline.h"

#include <math.h>
#include <string.h>

/* Upper bounds in bytes. With the longest numbers the text of a frame without
 * components has 211 bytes and that of a component 204. */
#define MAX_FRAME 256
#define MAX_RECORD 224

static gchar *
put_text (gchar *to, const gchar *text)
{
  const gsize length = strlen (text);

  memcpy (to, text, length);
  return to + length;
}

static gchar *
put_number (gchar *to, guint64 value)
{
  gchar digits[20];
  guint n = 0;

  do
    digits[n++] = '0' + value % 10;
  while ((value /= 10) > 0);
  while (n > 0)
    *to++ = digits[--n];
  return to;
}

static gchar *
put_field (gchar *to, const gchar *name, guint64 value)
{
  return put_number (put_text (to, name), value);
}

static gchar *
put_boolean (gchar *to, const gchar *name, gboolean value)
{
  return put_text (put_text (to, name), value ? "true" : "false");
}

/* JSON has no NaN and no infinity, which a meta made by an application may
 * contain. */
static gchar *
put_double (gchar *to, const gchar *name, gdouble value)
{
  to = put_text (to, name);
  if (!isfinite (value))
    return put_text (to, "null");
  g_ascii_formatd (to, G_ASCII_DTOSTR_BUF_SIZE, "%.17g", value);
  return to + strlen (to);
}

static gchar *
put_track (gchar *to, gint64 id)
{
  to = put_text (to, ",\"track\":");
  if (id == -1)
    return put_text (to, "null");
  if (id < 0)
    *to++ = '-';
  return put_number (to, id < 0 ? -(guint64) id : (guint64) id);
}

static gchar *
put_foreground (gchar *to, GstCcaForeground foreground)
{
  const gchar *nick = gst_cca_foreground_get_nick (foreground);

  if (nick == NULL)
    return put_field (to, ",\"foreground\":", (guint) foreground);
  return put_text (put_text (put_text (to, ",\"foreground\":\""), nick), "\"");
}

static gchar *
put_component (gchar *to, const GstCcaComponent *c)
{
  to = put_field (to, "{\"id\":", c->id);
  to = put_field (to, ",\"x\":", c->x);
  to = put_field (to, ",\"y\":", c->y);
  to = put_field (to, ",\"width\":", c->width);
  to = put_field (to, ",\"height\":", c->height);
  to = put_field (to, ",\"area\":", c->area);
  to = put_double (to, ",\"cx\":", c->centroid_x);
  to = put_double (to, ",\"cy\":", c->centroid_y);
  to = put_track (to, c->track_id);
  return put_text (to, "}");
}

gsize
gst_cca_json_bound (guint n_components)
{
  return MAX_FRAME + (gsize) MAX_RECORD * n_components;
}

gsize
gst_cca_json_write (gchar *text, const GstCcaMeta *meta, GstClockTime pts,
    guint max_components)
{
  const GstCcaAnalysis *a = gst_cca_meta_get_analysis (meta);
  const GstCcaComponent *components;
  gchar *to = text;
  guint n, i;

  components = gst_cca_meta_get_components (meta, &n);
  n = MIN (n, max_components);

  if (GST_CLOCK_TIME_IS_VALID (pts))
    to = put_field (to, "{\"pts\":", pts);
  else
    to = put_text (to, "{\"pts\":null");
  to = put_field (to, ",\"width\":", a->width);
  to = put_field (to, ",\"height\":", a->height);
  to = put_field (to, ",\"depth\":", a->depth);
  to = put_foreground (to, a->foreground);
  to = put_boolean (to,
      ",\"warming_up\":", a->flags & GST_CCA_ANALYSIS_FLAG_WARMING_UP);
  to = put_field (to, ",\"threshold\":", a->threshold);
  to = put_field (to, ",\"n_found\":", a->n_found);
  to = put_boolean (to, ",\"truncated\":", n < a->n_found);
  to = put_text (to, ",\"components\":[");
  for (i = 0; i < n; i++) {
    if (i > 0)
      *to++ = ',';
    to = put_component (to, &components[i]);
  }
  to = put_text (to, "]}\n");

  return to - text;
}
