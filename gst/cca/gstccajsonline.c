/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Writes the format that docs/meta.md specifies. Numbers are written digit by
 * digit because printf allocates memory and depends on the locale. */

#include "gstccajsonline.h"

#include <gst/ccameta/gstccafeatures.h>
#include <math.h>
#include <string.h>

/* Upper bounds in bytes. With the longest numbers the text of a frame without
 * components has 390 bytes, that of a component without zones 234, and that of its features
 * 677. */
#define MAX_FRAME 416
#define MAX_RECORD 256
#define MAX_FEATURES 720

/* Inline, so that the length of a constant is one, too. */
static G_ALWAYS_INLINE inline gchar *
put_text (gchar *to, const gchar *text)
{
  const gsize length = strlen (text);

  memcpy (to, text, length);
  return to + length;
}

static gchar *
put_string (gchar *to, const GString *string)
{
  memcpy (to, string->str, string->len);
  return to + string->len;
}

#define MAX_DIGITS 20

/* Also writes undefined bytes after the number, of which more text or the end
 * of the memory is MAX_DIGITS away: a copy of constant length is faster. */
static inline gchar *
put_number (gchar *to, guint64 value)
{
  gchar digits[2 * MAX_DIGITS];
  guint first = MAX_DIGITS;

  do
    digits[--first] = '0' + value % 10;
  while ((value /= 10) > 0);
  memcpy (to, digits + first, MAX_DIGITS);
  return to + MAX_DIGITS - first;
}

static G_ALWAYS_INLINE inline gchar *
put_field (gchar *to, const gchar *name, guint64 value)
{
  return put_number (put_text (to, name), value);
}

static G_ALWAYS_INLINE inline gchar *
put_time (gchar *to, const gchar *name, GstClockTime time)
{
  if (GST_CLOCK_TIME_IS_VALID (time))
    return put_field (to, name, time);
  return put_text (put_text (to, name), "null");
}

static G_ALWAYS_INLINE inline gchar *
put_boolean (gchar *to, const gchar *name, gboolean value)
{
  return put_text (put_text (to, name), value ? "true" : "false");
}

#define SIGNIFICANT_DIGITS 17
#define MANTISSA_BITS 52
#define EXPONENT_OF_1 1023

static const guint64 powers_of_10[] = {1, 10, 100, 1000, 10000, 100000, 1000000,
  10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000,
  10000000000000, 100000000000000, 1000000000000000, 10000000000000000};

/* Writes 17 significant digits of a number from 1 up to 2^53 as "%.17g" does,
 * without zeros at the end of the fraction. With digits that start before the
 * point, mantissa * 10^decimals has less than 107 bits, so that it is exact and
 * rounded once, half to even. */
#ifdef __SIZEOF_INT128__
static gchar *
put_digits (gchar *to, gdouble value)
{
  guint decimals = SIGNIFICANT_DIGITS - 1, shift, i;
  guint64 bits, digits, fraction;
  unsigned __int128 scaled, rest, half;

  while (value >= powers_of_10[SIGNIFICANT_DIGITS - decimals])
    decimals--;
  memcpy (&bits, &value, sizeof (bits));
  shift = MANTISSA_BITS + EXPONENT_OF_1 - (guint) (bits >> MANTISSA_BITS);
  bits = (bits & (((guint64) 1 << MANTISSA_BITS) - 1))
      | (guint64) 1 << MANTISSA_BITS;
  scaled = (unsigned __int128) bits * powers_of_10[decimals];
  half = ((unsigned __int128) 1 << shift) >> 1;
  digits = (guint64) (scaled >> shift);
  rest = scaled - ((unsigned __int128) digits << shift);
  digits += rest > half || (rest == half && half > 0 && digits % 2 == 1);

  to = put_number (to, digits / powers_of_10[decimals]);
  fraction = digits % powers_of_10[decimals];
  if (fraction == 0)
    return to;
  /* most fractions are short */
  for (i = 8; i > 0; i /= 2)
    if (fraction % powers_of_10[i] == 0) {
      fraction /= powers_of_10[i];
      decimals -= i;
    }
  *to = '.';
  for (i = decimals; i > 0; fraction /= 10)
    to[i--] = '0' + fraction % 10;
  return to + decimals + 1;
}
#endif

/* JSON has no NaN and no infinity, which a meta made by an application may
 * contain. */
static G_ALWAYS_INLINE inline gchar *
put_double (gchar *to, const gchar *name, gdouble value)
{
  to = put_text (to, name);
  if (!isfinite (value))
    return put_text (to, "null");
#ifdef __SIZEOF_INT128__
  if (value >= 1 && value < (guint64) 1 << (MANTISSA_BITS + 1))
    return put_digits (to, value);
#endif
  g_ascii_formatd (to, G_ASCII_DTOSTR_BUF_SIZE, "%.17g", value);
  return to + strlen (to);
}

static gchar *
put_signed (gchar *to, const gchar *name, gint64 value)
{
  to = put_text (to, name);
  if (value < 0)
    *to++ = '-';
  return put_number (to, value < 0 ? -(guint64) value : (guint64) value);
}

static gchar *
put_track (gchar *to, gint64 id)
{
  if (id == -1)
    return put_text (to, ",\"track\":null");
  return put_signed (to, ",\"track\":", id);
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
put_sums (gchar *to, GstCcaFeatureFlags flags, const GstCcaFeatures *f)
{
  if (flags & GST_CCA_FEATURE_FLAG_MOMENTS) {
    to = put_field (to, ",\"xx\":", f->xx);
    to = put_field (to, ",\"xy\":", f->xy);
    to = put_field (to, ",\"yy\":", f->yy);
  }
  if (flags & GST_CCA_FEATURE_FLAG_INTENSITY) {
    to = put_field (to, ",\"v\":", f->v);
    to = put_field (to, ",\"vv\":", f->vv);
    to = put_field (to, ",\"vx\":", f->vx);
    to = put_field (to, ",\"vy\":", f->vy);
    to = put_field (to, ",\"v_min\":", f->v_min);
    to = put_field (to, ",\"v_max\":", f->v_max);
    to = put_field (to, ",\"v_max_x\":", f->v_max_x);
    to = put_field (to, ",\"v_max_y\":", f->v_max_y);
  }
  if (flags & GST_CCA_FEATURE_FLAG_SHAPE) {
    to = put_field (to, ",\"e4\":", f->e4);
    to = put_field (to, ",\"q4\":", f->q4);
    to = put_field (to, ",\"w1\":", f->w1);
  }

  return to;
}

static gchar *
put_measures (gchar *to, GstCcaFeatureFlags flags, const GstCcaFeatures *f,
    const GstCcaComponent *c, guint connectivity)
{
  gdouble a, b;

  if (flags & GST_CCA_FEATURE_FLAG_SHAPE)
    to = put_signed (to,
        ",\"euler\":", gst_cca_features_get_euler_number (f, c, connectivity));
  if (flags & GST_CCA_FEATURE_FLAG_MOMENTS) {
    gst_cca_features_get_axes (f, c, &a, &b);
    to = put_double (to,
        ",\"orientation\":", gst_cca_features_get_orientation (f, c));
    to = put_double (to, ",\"major\":", a);
    to = put_double (to, ",\"minor\":", b);
  }
  if (flags & GST_CCA_FEATURE_FLAG_INTENSITY) {
    gst_cca_features_get_weighted_centroid (f, &a, &b);
    to = put_double (to, ",\"mean\":", gst_cca_features_get_mean (f, c));
    to = put_double (to, ",\"weighted_x\":", a);
    to = put_double (to, ",\"weighted_y\":", b);
  }

  return to;
}

static gchar *
put_features (gchar *to, const GstCcaMeta *meta, const GstCcaComponent *c,
    const GstCcaFeatures *f)
{
  const GstCcaFeatureFlags flags = gst_cca_meta_get_feature_flags (meta);
  gchar *begin = put_text (to, ",\"features\":");

  to = put_sums (begin, flags, f);
  to = put_measures (to, flags, f, c,
      gst_cca_meta_get_analysis (meta)->connectivity);
  /* the first comma, or nothing if all flags are unknown */
  *begin = '{';
  return put_text (MAX (to, begin + 1), "}");
}

static gchar *
put_component (gchar *to, const GstCcaMeta *meta, const GstCcaComponent *c,
    const GstCcaFeatures *f, const GstCcaJsonZones *zones)
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
  to = put_text (to, ",\"zones\":[");
  if (c->zones != 0)
    to = gst_cca_json_zones_put (zones, to, c->zones);
  to = put_text (to, "]");
  if (c->group != 0)
    to = put_field (to, ",\"group\":", c->group);
  if (f != NULL)
    to = put_features (to, meta, c, f);
  return put_text (to, "}");
}

gsize
gst_cca_json_bound (const GstCcaMeta *meta, const GstCcaJsonLine *line)
{
  const GstCcaComponent *components;
  gsize bound;
  guint n, n_features, i;

  components = gst_cca_meta_get_components (meta, &n);
  n = MIN (n, line->max_components);
  gst_cca_meta_get_features (meta, &n_features);
  bound = MAX_FRAME
      + (gsize) (n_features > 0 ? MAX_RECORD + MAX_FEATURES : MAX_RECORD) * n
      + line->source->len + line->events->len;
  for (i = 0; i < n && line->zones->n > 0; i++)
    bound += gst_cca_json_zones_length (line->zones, components[i].zones);
  return bound;
}

gsize
gst_cca_json_write (gchar *text, const GstCcaMeta *meta,
    const GstCcaJsonLine *line)
{
  const GstCcaAnalysis *a = gst_cca_meta_get_analysis (meta);
  const GstCcaComponent *components;
  const GstCcaFeatures *features;
  gchar *to = text;
  guint n, n_features, i;

  features = gst_cca_meta_get_features (meta, &n_features);
  components = gst_cca_meta_get_components (meta, &n);
  n = MIN (n, line->max_components);

  to = put_field (to, "{\"frame\":", line->frame);
  to = put_string (put_text (to, ",\"source\":"), line->source);
  to = put_time (to, ",\"pts\":", line->pts);
  to = put_time (to, ",\"running_time\":", line->running_time);
  to = put_time (to, ",\"utc\":", line->utc);
  to = put_field (to, ",\"width\":", a->width);
  to = put_field (to, ",\"height\":", a->height);
  to = put_field (to, ",\"depth\":", a->depth);
  to = put_foreground (to, a->foreground);
  to = put_boolean (to,
      ",\"warming_up\":", a->flags & GST_CCA_ANALYSIS_FLAG_WARMING_UP);
  to = put_boolean (to,
      ",\"light_changed\":", a->flags & GST_CCA_ANALYSIS_FLAG_LIGHT_CHANGED);
  to = put_boolean (to,
      ",\"overload\":", a->flags & GST_CCA_ANALYSIS_FLAG_OVERLOAD);
  to = put_field (to, ",\"threshold\":", a->threshold);
  to = put_field (to, ",\"region_area\":", a->region_area);
  to = put_field (to, ",\"n_found\":", a->n_found);
  to = put_boolean (to, ",\"truncated\":", n < a->n_found);
  to = put_text (to, ",\"components\":[");
  for (i = 0; i < n; i++) {
    if (i > 0)
      *to++ = ',';
    to = put_component (to, meta, &components[i],
        features != NULL ? &features[i] : NULL, line->zones);
  }
  to = put_string (put_text (to, "],\"events\":["), line->events);
  to = put_text (to, "]}\n");

  return to - text;
}
