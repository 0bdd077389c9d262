/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* ccajson with metas of any numbers: each gives one line of valid JSON with the
 * values of the meta. Input: steps, most of them a frame. */

#include "../check/elements/jsonline.h"

#include "plugin.h"

#define MAX_STEPS 16
#define MAX_RECORDS 300

typedef struct
{
  GstHarness *h;
  guint max_components;
} State;

/* Values that the library accepts unchecked. */
static void
add_meta (Input *in, GstBuffer *buffer)
{
  GstCcaAnalysis a = {
    .width = take_number (in) % G_MAXINT + 1,
    .height = take_number (in) % G_MAXINT + 1,
    .threshold = take_number (in),
    .connectivity = 8,
    .depth = take_below (in, 17),
    .foreground = take_number (in),
    .flags = take_number (in),
  };
  const guint64 area = (guint64) a.width * a.height;
  const guint wanted = take (in, 2) % (MAX_RECORDS + 1);
  const guint n = MIN (wanted, area);
  const gsize size = n * sizeof (GstCcaComponent);
  guint8 *records = exact (size);

  take_paint (in, records, size);
  a.n_found = n + take_number (in) % (MIN (area, G_MAXUINT) - n + 1);
  attach_meta (buffer, &a, (GstCcaComponent *) records, n);
  free (records);
}

static void
push_frame (State *s, Input *in)
{
  guint n_metas = take_below (in, 3);
  GstBuffer *buffer = gst_buffer_new (), *line;
  GstMapInfo map;
  const gchar *fault;
  gsize at;

  GST_BUFFER_PTS (buffer) = take_number (in);
  while (n_metas-- > 0)
    add_meta (in, buffer);
  REQUIRE (gst_harness_push (s->h, gst_buffer_ref (buffer)) == GST_FLOW_OK,
      "a frame was refused");
  line = gst_harness_try_pull (s->h);
  REQUIRE ((line != NULL) == (gst_buffer_get_cca_meta (buffer) != NULL),
      "a line without a meta, or a meta without a line");
  if (line != NULL) {
    REQUIRE (gst_buffer_map (line, &map, GST_MAP_READ), "no text");
    fault = json_line_fault ((const gchar *) map.data, map.size,
        gst_buffer_get_cca_meta (buffer), GST_BUFFER_PTS (buffer),
        s->max_components, &at);
    REQUIRE (fault == NULL, "%s at %zu: %.*s", fault, at, (int) map.size,
        (const gchar *) map.data);
    REQUIRE (GST_BUFFER_PTS (line) == GST_BUFFER_PTS (buffer), "pts");
    gst_buffer_unmap (line, &map);
    gst_buffer_unref (line);
  }
  gst_buffer_unref (buffer);
}

static void
push_caps (State *s, Input *in)
{
  static const gchar *names[] = {
    "video/x-raw",
    "video/x-raw(memory:CUDAMemory)",
    "image/jpeg",
    "text/plain",
  };
  GstCaps *caps = gst_caps_from_string (names[take_below (in, 4)]);
  const gint num = take_number (in), den = take_number (in);

  if (num >= 0 && den > 0)
    gst_caps_set_simple (caps, "framerate", GST_TYPE_FRACTION, num, den, NULL);
  gst_harness_set_src_caps (s->h, caps);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  enum
  {
    CAPS,
    PROPERTY,
    FRAME
  };
  static const guint8 steps[] = {FRAME, PROPERTY, FRAME, CAPS};
  Input in = {data, size};
  State s = {gst_harness_new ("ccajson"), 65536};
  guint i;

  push_caps (&s, &in);
  for (i = 0; i < MAX_STEPS && in.left > 0; i++) {
    switch (steps[take_below (&in, G_N_ELEMENTS (steps))]) {
      case CAPS:
        push_caps (&s, &in);
        break;
      case PROPERTY:
        s.max_components = take_number (&in) % ((guint64) G_MAXINT + 1);
        gst_harness_set (s.h, "ccajson", "max-components", s.max_components,
            NULL);
        break;
      case FRAME:
        push_frame (&s, &in);
        break;
    }
  }
  gst_harness_teardown (s.h);

  return 0;
}
