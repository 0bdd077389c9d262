/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Property values as text, as gst-launch-1.0 has them: a value that is taken
 * is within its range and survives being written as text and read again, and
 * the elements then still analyse frames. Input: lines of NAME=VALUE; a line
 * whose name begins with '/' is for ccaexpand, with '*' for ccatrack. */

#include "plugin.h"

#define MAX_TEXT 2048
#define WIDTH 16
#define HEIGHT 8

static void
check_value (GstElement *element, GParamSpec *pspec)
{
  GValue value = G_VALUE_INIT, again = G_VALUE_INIT;
  gchar *text;

  g_value_init (&value, pspec->value_type);
  g_value_init (&again, pspec->value_type);
  g_object_get_property (G_OBJECT (element), pspec->name, &value);
  REQUIRE (!g_param_value_validate (pspec, &value), "%s is out of range",
      pspec->name);

  text = gst_value_serialize (&value);
  REQUIRE (text != NULL, "%s has no text", pspec->name);
  gst_util_set_object_arg (G_OBJECT (element), pspec->name, text);
  g_object_get_property (G_OBJECT (element), pspec->name, &again);
  /* GLib compares structures by address */
  REQUIRE (G_VALUE_TYPE (&value) == GST_TYPE_ARRAY
          ? gst_value_compare (&value, &again) == GST_VALUE_EQUAL
          : g_param_values_cmp (pspec, &value, &again) == 0,
      "%s is not %s after being set to it", pspec->name, text);
  g_free (text);
  g_value_unset (&value);
  g_value_unset (&again);
}

/* Of LeakSanitizer, where the build has it. */
void __lsan_disable (void) __attribute__ ((weak));
void __lsan_enable (void) __attribute__ ((weak));

/* As gst_util_set_object_arg() reads it. GStreamer has a critical message of
 * its own for the name of a structure, and does not free one in an array that
 * ends before it does. */
static gboolean
read_value (GValue *value, const gchar *text, GParamSpec *pspec)
{
  const GLogLevelFlags fatal = g_log_set_always_fatal (G_LOG_FATAL_MASK);
  gboolean ok;

  if (__lsan_disable != NULL)
    __lsan_disable ();
  ok = gst_value_deserialize_with_pspec (value, text, pspec);
  if (__lsan_enable != NULL)
    __lsan_enable ();
  g_log_set_always_fatal (fatal);
  return ok;
}

static void
set_line (GstElement *cca, GstElement *expand, GstElement *track, gchar *line)
{
  GstElement *element = *line == '/' ? expand : *line == '*' ? track : cca;
  gchar *name = element == cca ? line : line + 1;
  gchar *equals = strchr (name, '=');
  GValue value = G_VALUE_INIT;
  GParamSpec *pspec;

  if (equals == NULL)
    return;
  *equals = '\0';
  pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (element), name);
  /* those of GstObject and GstBaseTransform are not ours */
  if (pspec == NULL || !(pspec->flags & G_PARAM_WRITABLE)
      || !g_str_has_prefix (g_type_name (pspec->owner_type), "GstCca"))
    return;

  /* but for values that GLib turns away with a critical message */
  g_value_init (&value, pspec->value_type);
  if (read_value (&value, equals + 1, pspec)
      && !g_param_value_validate (pspec, &value)) {
    g_object_set_property (G_OBJECT (element), pspec->name, &value);
    check_value (element, pspec);
  }
  g_value_unset (&value);
}

static void
analyse (GstElement *bin, GstElement *cca)
{
  GstHarness *h;
  guint threads, i;

  g_object_get (cca, "threads", &threads, NULL);
  if (threads == 0 || threads > 3)
    g_object_set (cca, "threads", 2, NULL);

  h = gst_harness_new_with_element (bin, "sink", "src");
  gst_harness_set_src_caps_str (h,
      "video/x-raw, format=GRAY8, width=" G_STRINGIFY (
          WIDTH) ", height=" G_STRINGIFY (HEIGHT) ", framerate=25/1");
  for (i = 0; i < 3; i++) {
    GstBuffer *buffer = gst_buffer_new_allocate (NULL, WIDTH * HEIGHT, NULL);

    gst_buffer_memset (buffer, 0, 0, WIDTH * HEIGHT);
    gst_buffer_memset (buffer, WIDTH + 1 + i, 200, 3);
    gst_buffer_memset (buffer, 3 * WIDTH, 100, WIDTH);
    GST_BUFFER_PTS (buffer) = 0;
    buffer = gst_harness_push_and_pull (h, buffer);
    REQUIRE (buffer != NULL, "frame %u did not come through", i);
    gst_buffer_unref (buffer);
  }
  gst_harness_teardown (h);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  gchar *text = g_strndup ((const gchar *) data, MIN (size, MAX_TEXT));
  gchar **lines = g_strsplit (text, "\n", 32);
  GstElement *bin, *cca, *expand, *track;
  guint i;

  bin = gst_parse_bin_from_description ("cca name=a ! ccaexpand name=b ! "
                                        "ccatrack name=c",
      TRUE, NULL);
  REQUIRE (bin != NULL, "no elements");
  gst_object_ref_sink (bin);
  cca = gst_bin_get_by_name (GST_BIN (bin), "a");
  expand = gst_bin_get_by_name (GST_BIN (bin), "b");
  track = gst_bin_get_by_name (GST_BIN (bin), "c");

  for (i = 0; lines[i] != NULL; i++)
    set_line (cca, expand, track, lines[i]);
  analyse (bin, cca);

  gst_object_unref (cca);
  gst_object_unref (expand);
  gst_object_unref (track);
  gst_object_unref (bin);
  g_strfreev (lines);
  g_free (text);

  return 0;
}
