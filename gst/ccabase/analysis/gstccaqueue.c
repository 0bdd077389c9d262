/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The queue holds frames whose analysis has started and which are not pushed
 * yet: up to async-depth of them, each in a slot of the engine.
 *
 * Serialised events and queries must not overtake these frames, and configuring
 * the engine drops them. The queue is therefore drained before both. */

#include "gstccaqueue.h"

#include "gstccabaseengine.h"
#include "gstccajob.h"
#include "gstccaresult.h"

#define GST_CAT_DEFAULT gst_cca_base_debug

/* The duration of a frame if the caps have no frame rate. A live pipeline needs
 * a latency, and encoders assume the same duration. */
#define ASSUMED_DURATION (GST_SECOND / 25)

void
gst_cca_queue_start (GstCcaBase *base, guint depth)
{
  guint i;

  base->queue = (GstCcaQueue) {
    .depth = depth,
    .jobs = g_new0 (GstCcaJob, depth + 1),
  };
  for (i = 0; i <= depth; i++)
    base->queue.jobs[i].slot = i;
}

/* Returns the job that is not in use: the ring has one more than the queue can
 * hold. */
static GstCcaJob *
next_job (GstCcaQueue *self)
{
  return &self->jobs[(self->first + self->n) % (self->depth + 1)];
}

static GstCcaJob *
take_oldest (GstCcaQueue *self)
{
  GstCcaJob *job = &self->jobs[self->first];

  self->first = (self->first + 1) % (self->depth + 1);
  self->n--;
  return job;
}

static void
drop (GstCcaBase *base)
{
  while (base->queue.n > 0) {
    GstCcaJob *job = take_oldest (&base->queue);

    gst_cca_job_discard (job, base);
    gst_clear_buffer (&job->buffer);
  }
}

void
gst_cca_queue_flush (GstCcaBase *base)
{
  drop (base);
  base->queue.failed = FALSE;
}

void
gst_cca_queue_stop (GstCcaBase *base)
{
  drop (base);
  g_clear_pointer (&base->queue.jobs, g_free);
}

/* Waits for the oldest frame and returns its buffer. On failure it drops all
 * later frames, because the stream ends with the error. */
static GstFlowReturn
collect (GstCcaBase *base, GstBuffer **buffer)
{
  GstCcaJob *job = take_oldest (&base->queue);
  const gboolean ok = gst_cca_job_collect (job, base);

  *buffer = g_steal_pointer (&job->buffer);
  if (ok)
    return GST_FLOW_OK;
  gst_clear_buffer (buffer);
  drop (base);
  return GST_FLOW_ERROR;
}

/* Flow returns above GST_FLOW_OK are successes defined by downstream. */
GstFlowReturn
gst_cca_queue_drain (GstCcaBase *base)
{
  GstFlowReturn ret = GST_FLOW_OK;
  GstBuffer *buffer;

  while (ret >= GST_FLOW_OK && base->queue.n > 0) {
    ret = collect (base, &buffer);
    if (ret == GST_FLOW_OK)
      ret = gst_pad_push (GST_BASE_TRANSFORM_SRC_PAD (base), buffer);
  }
  drop (base);
  return MIN (ret, GST_FLOW_OK);
}

/* Only errors are stored: any other flow return comes back with the next push,
 * unless a segment or caps event changed it. */
void
gst_cca_queue_settle (GstCcaBase *base)
{
  if (gst_cca_queue_drain (base) == GST_FLOW_ERROR)
    base->queue.failed = TRUE;
}

/* Pushes the frames before the failed one, because they can be correct. If they
 * fail as well, the cause is usually the same: post no second error. */
static void
drain_after_error (GstCcaBase *base)
{
  base->is_muted = TRUE;
  gst_cca_queue_drain (base);
  base->is_muted = FALSE;
}

static GstFlowReturn
submit (GstCcaBase *base, GstCcaJob *job)
{
  GstCcaBaseClass *klass = GST_CCA_BASE_GET_CLASS (base);
  GstFlowReturn ret = GST_FLOW_OK;

  if (klass->prepare != NULL)
    ret = klass->prepare (base, job->buffer);
  if (ret != GST_FLOW_OK)
    return ret;
  if (!gst_cca_job_prepare (job, base))
    return GST_FLOW_ERROR;
  /* The result must not depend on how many frames the queue holds: whether the
   * background restarts before this frame is decided by all earlier ones. */
  if (job->picture.width != 0
      && (!gst_cca_base_is_configured (base, job)
          || gst_cca_base_overload_restarts (base, job, base->queue.n)))
    ret = gst_cca_queue_drain (base);
  if (ret == GST_FLOW_OK && !gst_cca_job_submit (job, base))
    ret = GST_FLOW_ERROR;
  return ret;
}

/* The base class sets the DISCONT flag on the next buffer that it pushes. The
 * queue is drained first, so that this is the buffer that had the flag. */
GstFlowReturn
gst_cca_queue_begin (GstCcaBase *base, gboolean is_discont)
{
  const gboolean failed = base->queue.failed;

  base->queue.failed = FALSE;
  base->queue.synchronous = is_discont || base->queue.depth == 0;
  if (failed)
    return GST_FLOW_ERROR;
  return is_discont ? gst_cca_queue_drain (base) : GST_FLOW_OK;
}

GstFlowReturn
gst_cca_queue_analyse (GstCcaBase *base, GstBuffer *buffer)
{
  GstCcaJob *job = next_job (&base->queue);
  GstFlowReturn ret;

  job->buffer = buffer;
  ret = submit (base, job);
  if (ret == GST_FLOW_OK && !gst_cca_job_collect (job, base))
    ret = GST_FLOW_ERROR;
  job->buffer = NULL;
  return ret;
}

GstFlowReturn
gst_cca_queue_exchange (GstCcaBase *base, GstBuffer *in, GstBuffer **out)
{
  GstCcaJob *job = next_job (&base->queue);
  GstFlowReturn ret;

  job->buffer = gst_buffer_make_writable (in);
  ret = submit (base, job);
  if (ret != GST_FLOW_OK) {
    gst_clear_buffer (&job->buffer);
    drain_after_error (base);
    return ret;
  }
  base->queue.n++;
  return base->queue.n > base->queue.depth ? collect (base, out) : GST_FLOW_OK;
}

static GstClockTime
latency_of (guint depth, const GstVideoInfo *info)
{
  if (GST_VIDEO_INFO_FPS_N (info) <= 0)
    return depth * ASSUMED_DURATION;
  return gst_util_uint64_scale (depth * GST_SECOND, GST_VIDEO_INFO_FPS_D (info),
      GST_VIDEO_INFO_FPS_N (info));
}

void
gst_cca_queue_set_latency (GstCcaBase *base)
{
  const GstClockTime latency = latency_of (base->queue.depth, &base->info);
  gboolean changed;

  GST_OBJECT_LOCK (base);
  changed = latency != base->latency;
  base->latency = latency;
  GST_OBJECT_UNLOCK (base);

  if (changed)
    gst_element_post_message (GST_ELEMENT (base),
        gst_message_new_latency (GST_OBJECT (base)));
}

/* Frames held here also buffer, so the maximum latency grows by the same
 * amount. */
void
gst_cca_queue_add_latency (GstCcaBase *base, GstQuery *query)
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

/* Adds a number of buffers without a pool. Upstream applies it to the pool that
 * it creates itself. */
static gboolean
add_buffer_count (GstQuery *query, guint n)
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
gst_cca_queue_add_buffers (GstCcaBase *base, GstQuery *query)
{
  const guint n_pools = gst_query_get_n_allocation_pools (query);
  const guint more = base->queue.depth;
  guint i;

  if (more == 0)
    return FALSE;
  if (n_pools == 0)
    return add_buffer_count (query, more);
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
