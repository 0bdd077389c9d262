/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Reads a line by the grammar of RFC 8259, and compares its values. */

#include "jsonline.h"

#include <math.h>
#include <string.h>

typedef struct
{
  const gchar *at, *end;
  const gchar *fault; /* the first one */
} Reader;

static void
blame (Reader *r, const gchar *fault)
{
  if (r->fault == NULL)
    r->fault = fault;
}

static gboolean
skip (Reader *r, const gchar *text)
{
  const gsize n = strlen (text);

  if (r->fault != NULL || (gsize) (r->end - r->at) < n
      || memcmp (r->at, text, n) != 0)
    return FALSE;
  r->at += n;
  return TRUE;
}

static void
expect_text (Reader *r, const gchar *text)
{
  if (!skip (r, text))
    blame (r, text);
}

static guint
skip_digits (Reader *r)
{
  guint n = 0;

  for (; r->at < r->end && g_ascii_isdigit (*r->at); n++)
    r->at++;
  return n;
}

/* number = [ minus ] int [ frac ] [ exp ] */
static gchar *
take_number (Reader *r)
{
  const gchar *begin = r->at;

  skip (r, "-");
  if (!skip (r, "0") && skip_digits (r) == 0)
    blame (r, "a number");
  if (skip (r, ".") && skip_digits (r) == 0)
    blame (r, "digits of a fraction");
  if (skip (r, "e") || skip (r, "E")) {
    if (!skip (r, "-"))
      skip (r, "+");
    if (skip_digits (r) == 0)
      blame (r, "digits of an exponent");
  }
  return g_strndup (begin, r->at - begin);
}

static void
expect_integer (Reader *r, const gchar *key, guint64 value)
{
  gchar *number, *end;

  expect_text (r, key);
  number = take_number (r);
  if (*number == '-' || g_ascii_strtoull (number, &end, 10) != value
      || *end != '\0')
    blame (r, key);
  g_free (number);
}

static void
expect_double (Reader *r, const gchar *key, gdouble value)
{
  gchar *number, *end;
  gdouble read;

  expect_text (r, key);
  if (!isfinite (value)) {
    expect_text (r, "null");
    return;
  }
  number = take_number (r);
  read = g_ascii_strtod (number, &end);
  if (memcmp (&read, &value, sizeof (read)) != 0 || *end != '\0')
    blame (r, key);
  g_free (number);
}

static void
expect_boolean (Reader *r, const gchar *key, gboolean value)
{
  expect_text (r, key);
  expect_text (r, value ? "true" : "false");
}

static void
expect_track (Reader *r, gint64 id)
{
  gchar *number, *end;

  expect_text (r, ",\"track\":");
  if (id == -1) {
    expect_text (r, "null");
    return;
  }
  number = take_number (r);
  if (g_ascii_strtoll (number, &end, 10) != id || *end != '\0')
    blame (r, "track");
  g_free (number);
}

static void
expect_foreground (Reader *r, guint foreground)
{
  static const gchar *names[] = {
    "threshold",
    "otsu",
    "difference",
    "sigma-delta",
  };

  if (foreground >= G_N_ELEMENTS (names)) {
    expect_integer (r, ",\"foreground\":", foreground);
    return;
  }
  expect_text (r, ",\"foreground\":\"");
  expect_text (r, names[foreground]);
  expect_text (r, "\"");
}

/* Names that need no escapes. */
static void
expect_zones (Reader *r, guint64 zones, GstCcaShapes *shapes)
{
  const guint n = shapes != NULL ? gst_cca_shapes_get_n_shapes (shapes) : 0;
  const gchar *separator = "";
  guint zone = 0, i;

  expect_text (r, ",\"zones\":[");
  for (i = 0; i < n && zone < 64; i++) {
    if (gst_cca_shapes_get_kind (shapes, i) != GST_CCA_SHAPE_KIND_ZONE
        || (zones >> zone++ & 1) == 0)
      continue;
    expect_text (r, separator);
    expect_text (r, "\"");
    expect_text (r, gst_cca_shapes_get_name (shapes, i));
    expect_text (r, "\"");
    separator = ",";
  }
  expect_text (r, "]");
}

static void
expect_component (Reader *r, const GstCcaComponent *c, GstCcaShapes *shapes)
{
  expect_integer (r, "{\"id\":", c->id);
  expect_integer (r, ",\"x\":", c->x);
  expect_integer (r, ",\"y\":", c->y);
  expect_integer (r, ",\"width\":", c->width);
  expect_integer (r, ",\"height\":", c->height);
  expect_integer (r, ",\"area\":", c->area);
  expect_double (r, ",\"cx\":", c->centroid_x);
  expect_double (r, ",\"cy\":", c->centroid_y);
  expect_track (r, c->track_id);
  expect_zones (r, c->zones, shapes);
  if (c->group != 0)
    expect_integer (r, ",\"group\":", c->group);
  expect_text (r, "}");
}

/* A number or null. */
static void
skip_time (Reader *r, const gchar *name)
{
  expect_text (r, name);
  if (skip_digits (r) == 0)
    expect_text (r, "null");
}

const gchar *
json_line_fault (const gchar *line, gsize size, const GstCcaMeta *meta,
    GstClockTime pts, guint max_components, gsize *at)
{
  const GstCcaAnalysis *a = gst_cca_meta_get_analysis (meta);
  Reader r = {line, line + size, NULL};
  const GstCcaComponent *components;
  guint n, i;

  components = gst_cca_meta_get_components (meta, &n);
  n = MIN (n, max_components);
  expect_text (&r, "{\"frame\":");
  if (skip_digits (&r) == 0)
    blame (&r, "frame");
  expect_text (&r, ",\"source\":null");
  if (pts == GST_CLOCK_TIME_NONE)
    expect_text (&r, ",\"pts\":null");
  else
    expect_integer (&r, ",\"pts\":", pts);
  skip_time (&r, ",\"running_time\":");
  skip_time (&r, ",\"utc\":");
  expect_integer (&r, ",\"width\":", a->width);
  expect_integer (&r, ",\"height\":", a->height);
  expect_integer (&r, ",\"depth\":", a->depth);
  expect_foreground (&r, a->foreground);
  expect_boolean (&r, ",\"warming_up\":", (a->flags & 1) != 0);
  expect_boolean (&r, ",\"light_changed\":", (a->flags & 2) != 0);
  expect_boolean (&r, ",\"overload\":", (a->flags & 4) != 0);
  expect_integer (&r, ",\"threshold\":", a->threshold);
  expect_integer (&r, ",\"region_area\":", a->region_area);
  expect_integer (&r, ",\"n_found\":", a->n_found);
  expect_boolean (&r, ",\"truncated\":", a->n_found > n);
  expect_text (&r, ",\"components\":[");
  for (i = 0; i < n && r.fault == NULL; i++) {
    if (i > 0)
      expect_text (&r, ",");
    expect_component (&r, &components[i], gst_cca_meta_get_shapes (meta));
  }
  expect_text (&r, "],\"events\":[]}\n");
  if (r.at != r.end)
    blame (&r, "the end");
  *at = r.at - line;

  return r.fault;
}
