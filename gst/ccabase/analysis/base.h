/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_BASE_H__
#define __GST_CCA_BASE_H__

#include <gst/base/gstbasetransform.h>
#include <gst/ccameta/gstccameta.h>

#include "cca.h"
#include "gst/ccabase/plane.h"
#include "settings.h"

G_BEGIN_DECLS

/* What the connected-component elements share: everything but where the
 * engine comes from and how it gets at the pixels. */

#define GST_TYPE_CCA_BASE (gst_cca_base_get_type ())
#define GST_CCA_BASE(obj) \
    (G_TYPE_CHECK_INSTANCE_CAST ((obj), GST_TYPE_CCA_BASE, GstCcaBase))
#define GST_CCA_BASE_CLASS(klass) \
    (G_TYPE_CHECK_CLASS_CAST ((klass), GST_TYPE_CCA_BASE, GstCcaBaseClass))
#define GST_CCA_BASE_GET_CLASS(obj) \
    (G_TYPE_INSTANCE_GET_CLASS ((obj), GST_TYPE_CCA_BASE, GstCcaBaseClass))

typedef struct _GstCcaBase GstCcaBase;
typedef struct _GstCcaBaseClass GstCcaBaseClass;
typedef struct _GstCcaJob GstCcaJob;

/* A frame in flight, from gst_cca_base_submit() to gst_cca_base_collect(). */
struct _GstCcaJob {
  GstBuffer *buffer;            /* the caller's reference, writable metadata */
  guint slot;                   /* of the engine */

  GstCcaSettings settings;      /* as they were when the frame came */
  CcaParams params;             /* what follows from them for this video */
  guint restarts;               /* asked for until then */
  GstCcaPicture picture;
  gboolean skip;                /* there is nothing to analyse or attach */
  gboolean submitted;           /* the slot holds the frame */
  CcaFrame frame;
  GstCcaPlane plane;            /* for the subclass's map and unmap */
  gpointer user_data;           /* likewise */
  gpointer label_place;         /* set by map: see new_label_pool */
  GstBuffer *labels;            /* the label image, or NULL; see labels.c */
  GstMapInfo labels_map;
  GstClockTime busy;            /* time spent in submit and collect so far */
};

/* See flight.c. */
typedef struct {
  guint depth;                  /* as many frames may be in flight */
  GstCcaJob *jobs;              /* a ring of depth + 1 */
  guint first, n;               /* those in flight: from the oldest on */
  gboolean alone;               /* the frame that comes is waited for */
  gboolean failed;              /* the next buffer is to hear of it */
} GstCcaFlight;

typedef struct {
  guint64 frames;               /* analysed */
  guint64 truncated_frames;
  guint n_found, n_components;  /* of the last frame */
  guint64 background_frames;    /* likewise */
  GstClockTime total_time, max_time;
} GstCcaStats;

struct _GstCcaBase {
  GstBaseTransform parent;

  /*< protected >*/
  /* for the streaming thread; the engine is NULL in READY */
  CcaEngine *engine;
  GstVideoInfo info;
  GstCaps *refused;             /* that there was an error for, or NULL */

  /*< private >*/
  CcaConfig config;             /* width 0: not configured */
  GstCcaFlight flight;
  GstCcaPicture picture;        /* that the background is of */
  guint restarts_done;
  const gchar *object_type;     /* interned when the element started */
  gboolean truncation_told, left_out_told, too_many_told;
  gboolean error_told;          /* there has been one: no others now */
  GstClockTime last_message;    /* running time */
  GstBufferPool *label_pool;    /* of label images of that size and place */
  guint label_width, label_height;
  gpointer label_place;

  /* under the object lock */
  gboolean started;
  GstCcaSettings settings;
  GstCcaStats stats;
  guint restarts;               /* of the background that were asked for */
  GstClockTime latency;         /* of the frames in flight */
};

/* What to put before the element so that it can take such video. */
typedef struct {
  GstStaticCaps caps;
  const gchar *elements;
} GstCcaRemedy;

struct _GstCcaBaseClass {
  GstBaseTransformClass parent_class;

  /* For video that the sink template does not have. The first that fits
   * counts; the last one is for ANY caps. */
  GstCcaRemedy *remedies;

  /* Makes the engine. On failure *why may be set to a sentence, to be freed.
   * Called when the element starts, and by gst_cca_base_reopen(). */
  CcaStatus (*open) (GstCcaBase * self, CcaEngine ** engine, gchar ** why);

  /* Makes sure that the engine can take the buffer; drains before it replaces
   * it. May be NULL. */
  GstFlowReturn (*prepare) (GstCcaBase * self, GstBuffer * buffer);

  /* Maps job->buffer so that job->frame has data (first pixel of
   * job->picture), stride and stream; its size is set. Checks that the picture
   * lies in the memory. On failure sets *why to a sentence, to be freed. */
  gboolean (*map) (GstCcaBase * self, GstCcaJob * job, gchar ** why);
  void (*unmap) (GstCcaBase * self, GstCcaJob * job);

  /* Makes an active pool of buffers, each with one memory that has room for 16
   * bits a pixel of job->picture, or gives NULL. The images are in a place that
   * map has told, by a pointer that the pool keeps from becoming another place's. */
  GstBufferPool *(*new_label_pool) (GstCcaBase * self, const GstCcaJob * job);
  GstMapFlags label_map_flags;  /* so that the engine can write there */
  gboolean labels_are_padded;   /* to the stride that the pool's video meta has */

  /* Adds to an allocation query that came back from the peer. Whether there is
   * an answer now. May be NULL. */
  gboolean (*offer_pool) (GstCcaBase * self, GstQuery * query);
};

GType gst_cca_base_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaBase, gst_object_unref)

/* Replaces the engine, after a change of what it runs on. No frame may be in
 * flight. */
gboolean gst_cca_base_reopen (GstCcaBase * self);

/* Posts an error with a sentence that has no final period. */
void gst_cca_base_post_error (GstCcaBase * self, CcaStatus status,
    const gchar * sentence);

/* Whether the engine is ready for a job, of which the picture is known, and
 * makes it so, when no frame is in flight. */
gboolean gst_cca_base_is_configured (GstCcaBase * self, const GstCcaJob * job);
gboolean gst_cca_base_ensure_configured (GstCcaBase * self,
    const GstCcaJob * job);

/* caps.c: whether the caps are of raw video of any kind; whether those of an
 * event may be tried. FALSE: there has been an error that says what to do. */
gboolean gst_cca_caps_are_video (const GstCaps * caps);
gboolean gst_cca_base_check_caps (GstCcaBase * self, GstCaps * caps);

/* frame.c: submit starts the analysis of job->buffer in job->slot;
 * collect waits for it and attaches what was found, discard throws that away. A
 * failure has been posted, unless it is downstream's. After a submit that
 * succeeds, one of the others must follow, in the order of the submits.
 * Streaming thread. */
GstFlowReturn gst_cca_base_submit (GstCcaBase * self, GstCcaJob * job);
GstFlowReturn gst_cca_base_collect (GstCcaBase * self, GstCcaJob * job);
void gst_cca_base_discard (GstCcaBase * self, GstCcaJob * job);

/* result.c: the engine's records as metas, messages and statistics. */
gboolean gst_cca_base_publish (GstCcaBase * self, GstCcaJob * job,
    const CcaResult * result);
GstStructure *gst_cca_stats_to_structure (const GstCcaStats * stats);

/* message.c */
void gst_cca_base_post_message (GstCcaBase * self, const GstCcaJob * job,
    const GstCcaAnalysis * analysis, const GstCcaComponent * components,
    guint n_components);

GST_DEBUG_CATEGORY_EXTERN (gst_cca_base_debug);

G_END_DECLS

#endif /* __GST_CCA_BASE_H__ */
