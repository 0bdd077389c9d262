/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_STRESS_H__
#define __CCA_STRESS_H__

#include "../check/elements/util.h"

/* Counts of events in all rounds. */
typedef enum
{
  N_PUSHED,                     /* buffers into a harness */
  N_CHECKED,                    /* results compared */
  N_RACED,                      /* of these, while properties changed */
  N_TRUNCATED,
  N_CROPS,
  N_CAPS,
  N_FLUSHES,
  N_SEEKS,
  N_STATES,
  N_CHANGES,                    /* of properties */
  N_REQUESTS,                   /* queries and properties read */
  N_MESSAGES,
  N_COUNTS
} Count;

void count (Count what);

/* Ends the run as failed, with the sentence. */
void complain (const gchar * format, ...) G_GNUC_PRINTF (1, 2);

/* A thread of the round, watched for hangs. */
typedef struct _Actor Actor;
typedef void (*ActorFunc) (Actor * actor, gpointer data);

Actor *actor_start (const gchar * name, ActorFunc func, gpointer data);
void actor_join (Actor * actor);

/* The actor's own random numbers: below n. */
guint dice (Actor * actor, guint n);

/* Records the next step of the actor. Returns FALSE if the round is over. */
gboolean actor_goes_on (Actor * actor, const gchar * doing);

/* The properties that results depend on. */
typedef struct
{
  Look look;
  guint order, types, max_objects;
  guint threshold_depth;        /* 0 or 8 */
} Wish;

extern const Wish default_wish;

#define MAX_WISHES 24

/* A buffer that came out, and each state of the properties that may have been
 * in force. */
typedef struct
{
  GstBuffer *buffer;
  GstCaps *caps;
  guint max_components;
  const gchar *object_type;
  Wish wishes[MAX_WISHES];
  guint n_wishes;
} Outcome;

/* verify.c: returns NULL, or the error. */
gchar *verify (const Outcome * outcome);

/* rig.c: an element whose properties change and whose results are checked. */
typedef struct _Rig Rig;

Rig *rig_new (GstElement * element);

/* All is checked; the element is no longer used. */
void rig_free (Rig * rig);

/* The first is called while the element is stopped, the second while it runs
 * and refuses such options. */
void rig_set_start_options (Rig * rig, Actor * actor);
void rig_mislead (Rig * rig, Actor * actor);

/* A bus handler: errors fail the run. Its data is NULL, or where to read, as a
 * gint, whether a pipeline is being stopped. */
GstBusSyncReply watch_messages (GstBus * bus, GstMessage * message,
    gpointer stopping);

/* harness.c, pipeline.c */
gpointer harness_start (const gchar * element);
void harness_stop (gpointer harness);
gpointer pipeline_start (const gchar * element);
void pipeline_stop (gpointer pipeline);

/* frame.c: offset and padding in bytes; without them there is no video meta. */
GstBuffer *system_frame (GstVideoFormat format, const Picture * picture,
    guint offset, guint padding);

/* cuda.c: cuda_read_luma gives the first plane's bytes, to be freed, or NULL
 * for a buffer in system memory. */
gboolean cuda_start (void);
void cuda_stop (void);
GstBuffer *cuda_frame (GstBuffer * frame, GstVideoFormat format, guint width,
    guint height, gboolean with_stream);
guint8 *cuda_read_luma (GstBuffer * buffer, gsize * stride);
void cuda_give_context (GstElement * element);

#endif /* __CCA_STRESS_H__ */
