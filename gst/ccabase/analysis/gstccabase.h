/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_BASE_H__
#define __GST_CCA_BASE_H__

#include <gst/base/gstbasetransform.h>
#include <gst/ccameta/gstccameta.h>

#include "cca.h"
#include "gst/ccabase/gstccaplane.h"
#include "gstccasettings.h"

G_BEGIN_DECLS

/* The base class of the elements that analyse video. A subclass opens the
 * engine and maps the pixels for it. Of the files in this folder each uses only
 * those below it:
 *
 *   gstccabaseclass.c   properties, caps, events, queries, buffers
 *   gstccaqueue.c       the frames between two pads, in order
 *   gstccajob.c         the analysis of one frame
 *   gstccaresult.c      its result as metas, messages and statistics
 *   gstccabaseengine.c  the engine: open, configure, errors
 *   gstccalabels.c      buffers for label images
 *   gstccasettings.c    the properties, and the engine's parameters from them
 */

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

/* The analysis of one frame: see gstccajob.h. */
struct _GstCcaJob {
  GstBuffer *buffer;            /* the caller's reference, writable metadata */
  guint slot;                   /* of the engine */

  GstCcaSettings settings;      /* when the buffer arrived */
  CcaParams params;             /* these settings for this video */
  guint restarts;               /* of the background, when the buffer arrived */
  GstCcaPicture picture;
  gboolean skip;                /* an empty gap: nothing to analyse */
  gboolean submitted;           /* the slot holds the frame */
  CcaFrame frame;
  GstCcaPlane plane;            /* for the subclass's map and unmap */
  gpointer label_place;         /* set by map: see new_label_pool */
  GstBuffer *labels;            /* the label image, or NULL */
  GstMapInfo labels_map;
  GstClockTime busy;            /* time spent in submit and collect so far */
};

/* The frames that are submitted and not collected yet: see gstccaqueue.h. */
typedef struct {
  guint depth;                  /* the most frames to keep: async-depth */
  GstCcaJob *jobs;              /* a ring of depth + 1 */
  guint first, n;               /* the oldest frame, and their number */
  gboolean synchronous;         /* the next frame is waited for */
  gboolean failed;              /* an error to return for the next buffer */
} GstCcaQueue;

typedef struct {
  guint64 frames;               /* analysed */
  guint64 truncated_frames;
  guint n_found, n_components;  /* of the last frame */
  guint64 background_frames;    /* of the last frame */
  GstClockTime total_time, max_time;
} GstCcaStats;

struct _GstCcaBase {
  GstBaseTransform parent;

  /*< protected >*/
  /* for the streaming thread; the engine is NULL in READY */
  CcaEngine *engine;
  GstVideoInfo info;
  GstCaps *refused;             /* caps that an error was posted for, or NULL */

  /*< private >*/
  CcaConfig config;             /* width 0: not configured */
  GstCcaQueue queue;
  GstCcaPicture picture;        /* that the background belongs to */
  guint restarts_done;
  const gchar *object_type;     /* interned when the element started */
  guint warned;                 /* see gst_cca_warn_once() */
  gboolean is_muted;              /* post no further error for now */
  GstClockTime last_message;    /* running time */
  GstBufferPool *label_pool;    /* of label images of that size and place */
  guint label_width, label_height;
  gpointer label_place;

  /* under the object lock */
  gboolean started;
  gboolean warned_of_format;    /* since then, for a caps query */
  GstCcaSettings settings;
  GstCcaStats stats;
  guint restarts;               /* of the background that were asked for */
  GstClockTime latency;         /* of the queue */
};

/* The elements that convert such video into a supported format. */
typedef struct {
  GstStaticCaps caps;
  const gchar *elements;
} GstCcaRemedy;

struct _GstCcaBaseClass {
  GstBaseTransformClass parent_class;

  /* For video that the sink template does not have. The first that intersects
   * is used, and the last one is for ANY caps. */
  GstCcaRemedy *remedies;

  /* Makes the engine. On failure *why may be set to a sentence, to be freed.
   * Called when the element starts, and by gst_cca_base_reopen_engine(). */
  CcaStatus (*open) (GstCcaBase * self, CcaEngine ** engine, gchar ** why);

  /* Makes sure that the engine can take the buffer. Drains the queue before it
   * replaces the engine. May be NULL. */
  GstFlowReturn (*prepare) (GstCcaBase * self, GstBuffer * buffer);

  /* Maps job->buffer: sets data (first pixel of job->picture), stride and
   * stream of job->frame, whose size is set. Checks that the picture is inside
   * the memory. On failure sets *why to a sentence, to be freed. */
  gboolean (*map) (GstCcaBase * self, GstCcaJob * job, gchar ** why);
  void (*unmap) (GstCcaBase * self, GstCcaJob * job);

  /* Makes an active pool of buffers with one memory each, which has room for 16
   * bits a pixel of job->picture, or returns NULL. job->label_place says where:
   * an object that the pool holds a reference to, so that no other object has
   * its address while the pool exists. */
  GstBufferPool *(*new_label_pool) (GstCcaBase * self, const GstCcaJob * job);
  GstMapFlags label_map_flags;  /* with which the engine can write there */
  gboolean labels_are_padded;   /* to the stride of the pool's video meta */

  /* Adds a pool to an allocation query that the peer has answered or refused.
   * Whether there is an answer now. May be NULL. */
  gboolean (*offer_pool) (GstCcaBase * self, GstQuery * query);
};

GType gst_cca_base_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaBase, gst_object_unref)

GST_DEBUG_CATEGORY_EXTERN (gst_cca_base_debug);

G_END_DECLS

#endif /* __GST_CCA_BASE_H__ */
