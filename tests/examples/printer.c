/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The CSV of cca-json for metas with features, which only some analysers make. */

#include <gst/app/gstappsrc.h>
#include <gst/check/gstcheck.h>

#include "examples/cca-json.h"

#include "../check/suite.h"
#include "../check/two-pixels.h"

static GstBuffer *
frame_new (guint n, GstCcaFeatureFlags flags)
{
  GstCcaAnalysis *analysis = gst_cca_analysis_new (9, 9, n);
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaMeta *meta = gst_buffer_add_cca_meta_from_components (buffer, analysis,
      &two_pixels, n);

  if (flags != GST_CCA_FEATURE_FLAG_NONE)
    gst_cca_meta_set_features_from_records (meta, flags, &two_pixels_features,
        n);
  gst_cca_analysis_free (analysis);
  return buffer;
}

/* Prints the components of frames, which it takes. */
static void
print_frames (GstBuffer **frames, guint n, gchar *text, gsize size)
{
  GstElement *pipeline =
      gst_parse_launch ("appsrc name=source format=time ! fakesink async=false",
          NULL);
  GstElement *source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  GstBus *bus = gst_element_get_bus (pipeline);
  FILE *out = tmpfile ();
  Printer printer;
  GstMessage *end;
  guint i;

  printer_init (&printer, NULL, PRINT_COMPONENTS, out, 0);
  printer_attach (&printer, pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (i = 0; i < n; i++)
    gst_app_src_push_buffer (GST_APP_SRC (source), frames[i]);
  gst_app_src_end_of_stream (GST_APP_SRC (source));
  end = gst_bus_timed_pop_filtered (bus, 20 * GST_SECOND,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (end != NULL && GST_MESSAGE_TYPE (end) == GST_MESSAGE_EOS);
  gst_message_unref (end);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  printer_clear (&printer);

  rewind (out);
  fail_unless (fread (text, 1, size - 1, out) > 0);
  fclose (out);
  gst_object_unref (bus);
  gst_object_unref (source);
  gst_object_unref (pipeline);
}

#define FIRST \
  "frame,time,source,id,x,y,width,height,area,cx,cy,track,zones,group"
#define MOMENTS "xx,xy,yy"
#define INTENSITY "v,vv,vx,vy,v_min,v_max,v_max_x,v_max_y"
#define BOX ",,1,3,5,2,1,2,3.5,5,,,"
#define NOTHING ",,,,,,,,,,,,,"

/* The first frame decides which columns there are; each line has as many. */
TEST_LOOP (test_csv, 0, 4)
{
  static const struct
  {
    GstCcaFeatureFlags flags;
    const gchar *columns, *values, *empty;
  } cases[] = {
    {0, "", "", ""},
    {GST_CCA_FEATURE_FLAG_MOMENTS, "," MOMENTS ",orientation,major,minor",
      ",25,35,50,1.5707963267948966,2,0", ",,,,,,"},
    {GST_CCA_FEATURE_FLAG_INTENSITY | GST_CCA_FEATURE_FLAG_SHAPE,
      "," INTENSITY ",e4,q4,w1,euler,mean,weighted_x,weighted_y",
      ",40,1000,150,200,10,30,4,5,1,0,6,1,20,3.75,5", ",,,,,,,,,,,,,,,"},
    {7,
      "," MOMENTS "," INTENSITY ",e4,q4,w1,euler,orientation,major,minor,mean,"
      "weighted_x,weighted_y",
      ",25,35,50,40,1000,150,200,10,30,4,5,1,0,6,1,1.5707963267948966,2,0,20,"
      "3.75,5",
      ",,,,,,,,,,,,,,,,,,,,,"},
  };
  const GstCcaFeatureFlags flags = cases[__i__].flags;
  GstBuffer *frames[] = {
    frame_new (0, flags),
    frame_new (1, flags),
    frame_new (1, 7),
    frame_new (1, 8),
    frame_new (1, 0),
  };
  gchar text[2000] = "", *want;

  print_frames (frames, G_N_ELEMENTS (frames), text, sizeof (text));
  want = g_strconcat (FIRST, cases[__i__].columns, "\r\n0" NOTHING,
      cases[__i__].empty, "\r\n1,", BOX, cases[__i__].values, "\r\n2,", BOX,
      cases[__i__].values, "\r\n3,", BOX, cases[__i__].empty, "\r\n4,", BOX,
      cases[__i__].empty, "\r\n", NULL);
  assert_equals_string (text, want);
  g_free (want);
}

/* Names with a character that ends a field or a line are quoted. Other shapes
 * than zones do not count. */
TEST_LOOP (test_quotes, 0, 5)
{
  static const gchar *const names[][2] = {
    {"a b;c", ",a b;c,\r\n"},
    {"a,b", ",\"a,b\",\r\n"},
    {"a\"b", ",\"a\"\"b\",\r\n"},
    {"a\rb", ",\"a\rb\",\r\n"},
    {"a\nb", ",\"a\nb\",\r\n"},
  };
  static const gdouble triangle[] = {0, 0, 9, 0, 0, 9};
  GstCcaComponent component = two_pixels;
  GstCcaAnalysis *analysis = gst_cca_analysis_new (9, 9, 1);
  GstCcaShapes *shapes = gst_cca_shapes_new ();
  GstBuffer *frame = gst_buffer_new ();
  gchar text[2000] = "";

  component.zones = 1;
  fail_unless (gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_INCLUDE,
      "road", triangle, G_N_ELEMENTS (triangle)));
  fail_unless (gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_ZONE,
      names[__i__][0], triangle, G_N_ELEMENTS (triangle)));
  gst_cca_meta_set_shapes (gst_buffer_add_cca_meta_from_components (frame,
                               analysis, &component, 1),
      shapes, NULL);
  print_frames (&frame, 1, text, sizeof (text));
  fail_unless (g_str_has_suffix (text, names[__i__][1]), "%s", text);
  gst_cca_shapes_unref (shapes);
  gst_cca_analysis_free (analysis);
}

SUITE ("printer");
