/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Frames whose analysis has started and which are not passed on yet, as many
 * as async-depth: a ring of jobs, each with a slot of the engine.
 *
 * What is serialised with the buffers must not overtake them. So all of them
 * are passed on before an event or a query, and before the engine changes. */

#include "flight.h"

#define GST_CAT_DEFAULT gst_cca_base_debug

/* Of a frame, where the caps do not tell: better for live pipelines than none,
 * and what encoders take. */
#define ASSUMED_DURATION (GST_SECOND / 25)

void
gst_cca_flight_start (GstCcaFlight * self, guint depth)
{
  guint i;

  *self = (GstCcaFlight) {
    .depth = depth,
    .jobs = g_new0 (GstCcaJob, depth + 1),
  };
  for (i = 0; i <= depth; i++)
    self->jobs[i].slot = i;
}

/* Free, though it may not be for long: nothing is allocated for a frame. */
static GstCcaJob *
next_job (GstCcaFlight * self)
{
  return &self->jobs[(self->first + self->n) % (self->depth + 1)];
}

static GstCcaJob *
take_oldest (GstCcaFlight * self)
{
  GstCcaJob *job = &self->jobs[self->first];

  self->first = (self->first + 1) % (self->depth + 1);
  self->n--;
  return job;
}

static void
drop (GstCcaBase * base)
{
  while (base->flight.n > 0) {
    GstCcaJob *job = take_oldest (&base->flight);

    gst_cca_base_discard (base, job);
    gst_clear_buffer (&job->buffer);
  }
}

void
gst_cca_flight_flush (GstCcaBase * base)
{
  drop (base);
  base->flight.failed = FALSE;
}

void
gst_cca_flight_stop (GstCcaBase * base)
{
  drop (base);
  g_clear_pointer (&base->flight.jobs, g_free);
}

/* Waits for the oldest frame. If that fails, there is an error, and those after
 * it are of no use. */
static GstFlowReturn
land (GstCcaBase * base, GstBuffer ** buffer)
{
  GstCcaJob *job = take_oldest (&base->flight);
  GstFlowReturn ret = gst_cca_base_collect (base, job);

  *buffer = g_steal_pointer (&job->buffer);
  if (ret != GST_FLOW_OK) {
    gst_clear_buffer (buffer);
    drop (base);
  }
  return ret;
}

/* Downstream may have words of its own for success, above GST_FLOW_OK. */
GstFlowReturn
gst_cca_flight_drain (GstCcaBase * base)
{
  GstFlowReturn ret = GST_FLOW_OK;
  GstBuffer *buffer;

  while (ret >= GST_FLOW_OK && base->flight.n > 0) {
    ret = land (base, &buffer);
    if (ret == GST_FLOW_OK)
      ret = gst_pad_push (GST_BASE_TRANSFORM_SRC_PAD (base), buffer);
  }
  drop (base);
  return MIN (ret, GST_FLOW_OK);
}

/* What else there is than errors the next buffer meets of itself, or a new
 * segment or caps have changed it. */
void
gst_cca_flight_settle (GstCcaBase * base)
{
  if (gst_cca_flight_drain (base) == GST_FLOW_ERROR)
    base->flight.failed = TRUE;
}

/* One error for all frames that have to do with it, though those before the one
 * that failed may be right and are passed on. */
static void
drain_after_error (GstCcaBase * base)
{
  base->error_told = TRUE;
  gst_cca_flight_drain (base);
  base->error_told = FALSE;
}

static GstFlowReturn
take_off (GstCcaBase * base, GstBuffer * buffer)
{
  GstCcaJob *job = next_job (&base->flight);
  GstFlowReturn ret;

  job->buffer = buffer;
  ret = gst_cca_base_submit (base, job);
  if (ret == GST_FLOW_OK) {
    base->flight.n++;
    return GST_FLOW_OK;
  }
  gst_clear_buffer (&job->buffer);
  drain_after_error (base);
  return ret;
}

/* With DISCONT on a buffer, or after one that was dropped, the base class puts
 * the flag on the next buffer that it pushes: it must be this one. */
GstFlowReturn
gst_cca_flight_begin (GstCcaBase * base, gboolean is_discont)
{
  const gboolean failed = base->flight.failed;

  base->flight.failed = FALSE;
  base->flight.alone = is_discont || base->flight.depth == 0;
  if (failed)
    return GST_FLOW_ERROR;
  return is_discont ? gst_cca_flight_drain (base) : GST_FLOW_OK;
}

GstFlowReturn
gst_cca_flight_analyse (GstCcaBase * base, GstBuffer * buffer)
{
  GstCcaJob *job = next_job (&base->flight);
  GstFlowReturn ret;

  job->buffer = buffer;
  ret = gst_cca_base_submit (base, job);
  if (ret == GST_FLOW_OK)
    ret = gst_cca_base_collect (base, job);
  job->buffer = NULL;
  return ret;
}

GstFlowReturn
gst_cca_flight_exchange (GstCcaBase * base, GstBuffer * in, GstBuffer ** out)
{
  GstFlowReturn ret = take_off (base, gst_buffer_make_writable (in));

  if (ret == GST_FLOW_OK && base->flight.n > base->flight.depth)
    ret = land (base, out);
  return ret;
}

static GstClockTime
latency_of (guint depth, const GstVideoInfo * info)
{
  if (GST_VIDEO_INFO_FPS_N (info) <= 0)
    return depth * ASSUMED_DURATION;
  return gst_util_uint64_scale (depth * GST_SECOND,
      GST_VIDEO_INFO_FPS_D (info), GST_VIDEO_INFO_FPS_N (info));
}

void
gst_cca_flight_set_latency (GstCcaBase * base)
{
  const GstClockTime latency = latency_of (base->flight.depth, &base->info);
  gboolean changed;

  GST_OBJECT_LOCK (base);
  changed = latency != base->latency;
  base->latency = latency;
  GST_OBJECT_UNLOCK (base);

  if (changed)
    gst_element_post_message (GST_ELEMENT (base),
        gst_message_new_latency (GST_OBJECT (base)));
}

/* What is kept here is also room: upstream may be as much later. */
void
gst_cca_flight_add_latency (GstCcaBase * base, GstQuery * query)
{
  GstClockTime min, max, more;
  gboolean live;

  GST_OBJECT_LOCK (base);
  more = base->latency;
  GST_OBJECT_UNLOCK (base);

  gst_query_parse_latency (query, &live, &min, &max);
  if (GST_CLOCK_TIME_IS_VALID (max))
    max += more;
  gst_query_set_latency (query, live, min + more, max);
}

/* Where nobody offers a pool, a number without one is for the pool that
 * upstream makes itself. */
static gboolean
add_number (GstQuery * query, guint n)
{
  GstVideoInfo info;
  GstCaps *caps;

  gst_query_parse_allocation (query, &caps, NULL);
  if (caps == NULL || !gst_caps_is_fixed (caps)
      || !gst_video_info_from_caps (&info, caps))
    return FALSE;
  gst_query_add_allocation_pool (query, NULL, GST_VIDEO_INFO_SIZE (&info), n,
      0);
  return TRUE;
}

gboolean
gst_cca_flight_add_buffers (GstCcaBase * base, GstQuery * query)
{
  const guint n_pools = gst_query_get_n_allocation_pools (query);
  const guint more = base->flight.depth;
  guint i;

  if (more == 0)
    return FALSE;
  if (n_pools == 0)
    return add_number (query, more);
  for (i = 0; i < n_pools; i++) {
    GstBufferPool *pool;
    guint size, min, max;

    gst_query_parse_nth_allocation_pool (query, i, &pool, &size, &min, &max);
    gst_query_set_nth_allocation_pool (query, i, pool, size, min + more,
        max != 0 ? max + more : 0);
    gst_clear_object (&pool);
  }
  return TRUE;
}
