/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccajsonevent.h"

#include <math.h>

/* Control characters, quotation marks and backslashes must be escaped. */
void
gst_cca_json_append_text (GString *to, const gchar *text)
{
  const gchar *c;

  g_string_append_c (to, '"');
  for (c = text; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\')
      g_string_append_c (to, '\\');
    if ((guchar) *c < ' ')
      g_string_append_printf (to, "\\u%04x", *c);
    else
      g_string_append_c (to, *c);
  }
  g_string_append_c (to, '"');
}

/* Keys have underscores, as all others of a line. */
static void
append_key (GString *to, const gchar *name)
{
  const gsize begin = to->len;
  gsize i;

  gst_cca_json_append_text (to, name);
  for (i = begin; i < to->len; i++)
    if (to->str[i] == '-')
      to->str[i] = '_';
  g_string_append_c (to, ':');
}

static void
append_double (GString *to, gdouble value)
{
  gchar digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (isfinite (value))
    g_string_append (to,
        g_ascii_formatd (digits, sizeof (digits), "%.17g", value));
  else
    g_string_append (to, "null");
}

static void append_fields (GString *to, const GstStructure *s);

/* The types are those of gst_cca_meta_add_event(). The greatest guint64 is
 * GST_CLOCK_TIME_NONE: an unknown time. */
static void
append_value (GString *to, const GValue *value)
{
  switch (G_VALUE_TYPE (value)) {
    case G_TYPE_STRING:
      gst_cca_json_append_text (to, g_value_get_string (value));
      break;
    case G_TYPE_BOOLEAN:
      g_string_append (to, g_value_get_boolean (value) ? "true" : "false");
      break;
    case G_TYPE_INT:
      g_string_append_printf (to, "%d", g_value_get_int (value));
      break;
    case G_TYPE_UINT:
      g_string_append_printf (to, "%u", g_value_get_uint (value));
      break;
    case G_TYPE_INT64:
      g_string_append_printf (to, "%" G_GINT64_FORMAT,
          g_value_get_int64 (value));
      break;
    case G_TYPE_UINT64:
      if (g_value_get_uint64 (value) == GST_CLOCK_TIME_NONE)
        g_string_append (to, "null");
      else
        g_string_append_printf (to, "%" G_GUINT64_FORMAT,
            g_value_get_uint64 (value));
      break;
    case G_TYPE_DOUBLE:
      append_double (to, g_value_get_double (value));
      break;
    default:
      g_string_append_c (to, '{');
      append_fields (to, gst_value_get_structure (value));
      g_string_append_c (to, '}');
      break;
  }
}

static void
append_fields (GString *to, const GstStructure *s)
{
  const gint n = gst_structure_n_fields (s);
  gint i;

  for (i = 0; i < n; i++) {
    const gchar *name = gst_structure_nth_field_name (s, i);

    if (i > 0)
      g_string_append_c (to, ',');
    append_key (to, name);
    append_value (to, gst_structure_get_value (s, name));
  }
}

void
gst_cca_json_append_events (GString *to, const GstCcaMeta *meta)
{
  const guint n = gst_cca_meta_get_n_events (meta);
  guint i;

  for (i = 0; i < n; i++) {
    const GstStructure *event = gst_cca_meta_get_event (meta, i);

    g_string_append (to, i > 0 ? ",{\"message\":" : "{\"message\":");
    gst_cca_json_append_text (to, gst_structure_get_name (event));
    if (gst_structure_n_fields (event) > 0)
      g_string_append_c (to, ',');
    append_fields (to, event);
    g_string_append_c (to, '}');
  }
}
