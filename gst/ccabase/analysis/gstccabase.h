/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_BASE_H__
#define __GST_CCA_BASE_H__

#include <gst/base/gstbasetransform.h>
#include <gst/ccameta/gstccameta.h>

#include "cca.h"
#include "gst/ccabase/gstccaplane.h"
#include "gstccabackgroundfile.h"
#include "gstccagroups.h"
#include "gstccaregions.h"
#include "gstccasettings.h"

G_BEGIN_DECLS

/* The base class of cca and cudacca. A subclass opens the engine and maps the
 * luma plane for it. Each file of this folder uses only those below it:
 *
 *   gstccabaseclass.c   properties, caps, events, queries, buffers
 *   gstccaqueue.c       the frames between two pads, in order
 *   gstccajob.c         the analysis of one frame
 *   gstccabackground.c  the background in files
 *   gstccaresult.c      its result as metas, messages and statistics
 *   gstccagroups.c      groups of components
 *   gstccabaseengine.c  the engine: open, configure, errors
 *   gstccalabels.c      buffers for label images
 *   gstccamaskpicture.c the masks of the application
 *   gstccaregions.c     the regions, and the engine's mask from both
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

/* The analysis of one frame, by the functions of gstccajob.h. */
struct _GstCcaJob {
  GstBuffer *buffer;            /* owned by the caller, writable metadata */
  guint slot;                   /* slot of the engine */

  GstCcaSettings settings;      /* copied when the buffer arrives */
  CcaParams params;             /* the settings at the depth of the video */
  guint restarts;               /* GstCcaBase.restarts at arrival */
  GstCcaPicture picture;
  gboolean skip;                /* a gap without memory: nothing to analyse */
  gboolean submitted;           /* the engine holds the frame in the slot */
  CcaFrame frame;
  GstCcaPlane plane;            /* for map and unmap of the subclass */
  GstCcaRegionMask *mask;       /* the regions of the frame, or NULL */
  gpointer label_pool_key;      /* set by map, see new_label_pool */
  GstBuffer *labels;            /* the label image (owned), or NULL */
  GstMapInfo labels_map;
  GstBuffer *background;        /* its picture (owned), or NULL */
  GstMapInfo background_map;
  GstClockTime busy;            /* time spent in submit and collect, in ns */
};

/* The frames that are submitted and not collected yet, see gstccaqueue.h. */
typedef struct {
  guint depth;                  /* maximum number of frames: async-depth */
  GstCcaJob *jobs;              /* a ring of depth + 1 jobs */
  guint first, n;               /* index of the oldest job, number of jobs */
  gboolean synchronous;         /* analyse the next frame without queueing it */
  gboolean failed;              /* return an error for the next buffer */
} GstCcaQueue;

/* Frames without a change of light before the next one has a message. */
#define GST_CCA_LIGHT_PAUSE 50

/* The overload by max-foreground, after the last frame that was collected. */
typedef struct {
  guint run;                    /* consecutive frames above the limit */
  guint left;                   /* frames in overload still to come */
  gboolean active;              /* the frame is in overload */
  gboolean was_active;          /* the frame before was */
} GstCcaOverload;

typedef struct {
  guint64 frames;               /* frames analysed */
  guint64 truncated_frames;
  guint64 light_frames;         /* in which the light had changed */
  guint64 overload_frames;
  guint n_found, n_components;  /* of the last frame */
  guint64 background_frames;    /* of the last frame */
  GstClockTime total_time, max_time;
} GstCcaStats;

struct _GstCcaBase {
  GstBaseTransform parent;

  /*< protected >*/
  /* Used by the streaming thread only. The engine is NULL in READY, and after a
   * failed gst_cca_base_reopen_engine(). Calls on it take engine_lock, because
   * other threads save its background. */
  CcaEngine *engine;
  GstVideoInfo info;
  GstCaps *refused;             /* the last caps, if refused, or NULL */

  /*< private >*/
  GRecMutex engine_lock;        /* taken before the object lock */
  CcaConfig config;             /* width 0: not configured */
  GstCcaQueue queue;
  GstCcaPicture picture;        /* rectangle that the background belongs to */
  GstCcaWorkingSet drawn;       /* of the last frame */
  GstCcaRegionMask *mask;       /* their mask, or NULL */
  guint restarts_done;          /* value of restarts at the last frame */
  gboolean saves_background;    /* to background-location, at the end */
  const gchar *object_type;     /* interned when the element starts */
  guint warned;                 /* see gst_cca_warn_once() */
  gboolean is_muted;            /* do not post errors */
  GstClockTime last_message;    /* running time of the last message */
  guint frames_since_light;     /* up to GST_CCA_LIGHT_PAUSE */
  GstCcaOverload overload;
  GstCcaGroups groups;
  GstBufferPool *label_pool;    /* pool for the size and the key below */
  guint label_width, label_height;
  gpointer label_pool_key;

  /* Protected by the object lock. */
  gboolean started;
  gboolean warned_of_format;    /* for a caps query, since the start */
  GstCcaSettings settings;
  GstCcaWorkingSet working;
  gchar *mask_location;
  GstSample *mask_sample;
  gchar *regions_error;         /* why regions set in READY are invalid */
  GstCcaStats stats;
  guint restarts;               /* number of requests to reset the background */
  GstCcaBackgroundFile *loaded; /* for the next frame, or NULL */
  GstClockTime latency;         /* latency of the queue, in ns */
};

/* A kind of unsupported video, and the elements that make it supported. */
typedef struct {
  GstStaticCaps caps;
  const gchar *elements;
} GstCcaRemedy;

struct _GstCcaBaseClass {
  GstBaseTransformClass parent_class;

  /* Used in the error message for caps outside the sink template. The first
   * entry whose caps intersect applies. The last entry must have ANY caps. */
  GstCcaRemedy *remedies;

  /* Creates the engine. Called when the element starts and by
   * gst_cca_base_reopen_engine(). On failure it may set *why to a sentence,
   * which the caller frees. */
  CcaStatus (*open) (GstCcaBase * self, CcaEngine ** engine, gchar ** why);

  /* Replaces the engine if it cannot take the memory of the buffer. Must drain
   * the queue before that. May be NULL. */
  GstFlowReturn (*prepare) (GstCcaBase * self, GstBuffer * buffer);

  /* Maps job->buffer for reading. Sets data (first pixel of job->picture),
   * stride (bytes) and stream of job->frame; its width and height are set
   * before the call. May set job->label_pool_key. Must check that the picture
   * lies inside the memory. On failure it returns FALSE and sets *why to a
   * sentence, which the caller frees. */
  gboolean (*map) (GstCcaBase * self, GstCcaJob * job, gchar ** why);
  void (*unmap) (GstCcaBase * self, GstCcaJob * job);

  /* Creates an active pool whose buffers have one memory with room for 16 bits
   * per pixel of job->picture. Returns NULL on failure. The pool is used again
   * while the size and job->label_pool_key stay the same. A key that is not
   * NULL is an object to which the pool must hold a reference, so that no other
   * object gets its address while the pool exists. */
  GstBufferPool *(*new_label_pool) (GstCcaBase * self, const GstCcaJob * job);
  GstMapFlags label_map_flags;  /* added to GST_MAP_WRITE for label images */
  gboolean labels_are_padded;   /* rows have the stride of the video meta */

  /* Adds a pool to an allocation query that downstream has answered or refused.
   * Returns TRUE if it has answered the query. May be NULL. */
  gboolean (*offer_pool) (GstCcaBase * self, GstQuery * query);
};

GType gst_cca_base_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaBase, gst_object_unref)

GST_DEBUG_CATEGORY_EXTERN (gst_cca_base_debug);

G_END_DECLS

#endif /* __GST_CCA_BASE_H__ */
