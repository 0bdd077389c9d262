/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_TEST_ACTIVITY_ORACLE_H__
#define __CCA_TEST_ACTIVITY_ORACLE_H__

#include <gst/gst.h>

typedef enum
{
  STEP_FRAME,
  STEP_TIME,                    /* a buffer without a meta, or a gap */
  STEP_END,                     /* a flush and the like */
} StepKind;

/* A frame, a time or an end that the element receives. */
typedef struct
{
  StepKind kind;
  GstClockTime time;            /* running time, or GST_CLOCK_TIME_NONE */
  gboolean active;              /* of a frame */
  guint64 area;                 /* of an active frame */
  guint x, y, width, height;    /* the box of an active frame */
  const gchar *reason;          /* of an end */
} Step;

typedef struct
{
  guint min_frames;
  GstClockTime max_gap, max_duration, snapshot_interval;
} Rule;

/* A message. Frames are named by the index of their step. */
typedef struct
{
  const gchar *event, *reason;
  guint64 number;
  guint n_frames;
  guint start, end, peak;
  guint x0, y0, x1, y1;
} Expected;

/* All messages, as Expected, of a whole sequence. number is that of the last
 * event before it, and then that of its last event. */
GArray *activity_expect (const Step * steps, guint n, const Rule * rule,
    guint64 * number);

#endif /* __CCA_TEST_ACTIVITY_ORACLE_H__ */
