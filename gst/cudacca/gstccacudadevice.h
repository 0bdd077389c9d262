/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_CUDA_DEVICE_H__
#define __GST_CCA_CUDA_DEVICE_H__

#include <gst/cuda/gstcuda.h>

G_BEGIN_DECLS

/* A member of each element that works in CUDA memory. It has the property
 * cuda-device-id, a context, and a stream for memory without a stream. */
typedef struct {
  GstElement *element;          /* the element that contains this; no ref */
  GRecMutex lock;               /* protects context and stream, which other
                                 * threads set and read */
  gboolean started;             /* protected by the object lock */
  gint id;                      /* protected by the object lock; -1: any GPU */
  GstCudaContext *context;      /* NULL in READY unless set_context() set it */
  GstCudaStream *stream;        /* NULL: the default stream */

  GMutex answer_lock;           /* held only to copy a reference */
  GstCudaContext *answer;       /* the context that context queries get */
} GstCcaCudaDevice;

/* To be called in class_init. Installs the property, set_context, query and
 * finalize. If the class has properties of its own, it must set set_property
 * and get_property before the call. offset is the offset of the device in the
 * instance structure. */
void gst_cca_cuda_device_install (gpointer klass, gssize offset);

/* To be called in the init function of the instance. */
void gst_cca_cuda_device_init (GstCcaCudaDevice * self, GstElement * element);

/* Finds or creates the context, and creates the stream. On failure it posts an
 * error and returns FALSE. */
gboolean gst_cca_cuda_device_start (GstCcaCudaDevice * self);
void gst_cca_cuda_device_stop (GstCcaCudaDevice * self);

/* Changes to the context of a buffer's memory and to a new stream in it. Does
 * nothing if the context is the present one. Otherwise it first calls leave,
 * unless that is NULL, to release the resources of the element in the old
 * context. Returns FALSE after posting an error if the context is not on the
 * device of cuda-device-id. For the streaming thread. */
gboolean gst_cca_cuda_device_follow (GstCcaCudaDevice * self,
    GstCudaContext * context, void (*leave) (gpointer element));

G_END_DECLS

#endif /* __GST_CCA_CUDA_DEVICE_H__ */
