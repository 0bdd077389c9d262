/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_CUDA_CONTEXT_H__
#define __GST_CCA_CUDA_CONTEXT_H__

#include <gst/cuda/gstcuda.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

/* What each element that works in CUDA memory has: a context, and a stream in
 * it for memory that has none of its own. The lock is for the context, which
 * applications set and ask for from other threads. */
typedef struct {
  GRecMutex lock;
  gboolean started;             /* under the object lock */
  gint device_id;               /* -1: any; under the object lock */
  GstCudaContext *context;      /* NULL in READY, unless it has been set */
  GstCudaStream *stream;        /* streaming thread; NULL: the default stream */

  GMutex answer_lock;           /* no call is made under it */
  GstCudaContext *answer;       /* to others who ask for the context */
} GstCcaCuda;

void gst_cca_cuda_init (GstCcaCuda * cuda);
void gst_cca_cuda_clear (GstCcaCuda * cuda);

/* The property cuda-device-id. */
#define GST_CCA_CUDA_DEFAULT_DEVICE_ID -1
GParamSpec *gst_cca_cuda_param_spec_device_id (void);
void gst_cca_cuda_set_device_id (GstCcaCuda * cuda, GstElement * element,
    GParamSpec * pspec, gint id);
gint gst_cca_cuda_get_device_id (GstCcaCuda * cuda, GstElement * element);

/* Finds or makes the context. FALSE: the error has been posted. */
gboolean gst_cca_cuda_start (GstCcaCuda * cuda, GstElement * element);
void gst_cca_cuda_stop (GstCcaCuda * cuda, GstElement * element);

/* For the virtual functions set_context and query. */
void gst_cca_cuda_set_context (GstCcaCuda * cuda, GstElement * element,
    GstContext * context);
gboolean gst_cca_cuda_query (GstCcaCuda * cuda, GstElement * element,
    GstQuery * query);

/* Whether a memory of that context may be used: FALSE, and the error has been
 * posted, if the user has chosen another device. */
gboolean gst_cca_cuda_accept (GstCcaCuda * cuda, GstElement * element,
    GstCudaContext * context);

/* Changes to that context, and to a new stream in it. */
void gst_cca_cuda_move (GstCcaCuda * cuda, GstCudaContext * context);

/* Whether the caps are of CUDA memory. */
gboolean gst_cca_cuda_caps (const GstCaps * caps);

/* An active pool of such video, GRAY8 included, in CUDA memory with that stream,
 * which may be NULL. NULL if there is none. */
GstBufferPool *gst_cca_cuda_start_pool (GstCudaContext * context,
    GstCudaStream * stream, const GstVideoInfo * info);

/* Offers a pool of CUDA memory with our stream, so that what is before us
 * works on the same one, if nobody downstream has offered any. */
void gst_cca_cuda_offer_pool (GstCcaCuda * cuda, GstElement * element,
    GstQuery * query);

G_END_DECLS

#endif /* __GST_CCA_CUDA_CONTEXT_H__ */
