/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_CUDA_DEVICE_H__
#define __GST_CCA_CUDA_DEVICE_H__

#include <gst/cuda/gstcuda.h>

G_BEGIN_DECLS

/* The part of each element that works in CUDA memory: the property
 * cuda-device-id, a context, and a stream for memory that has none of its
 * own. */
typedef struct {
  GstElement *element;          /* the one that contains this */
  GRecMutex lock;               /* of the context and the stream, which other
                                 * threads set and ask for */
  gboolean started;             /* under the object lock */
  gint id;                      /* -1: any; under the object lock */
  GstCudaContext *context;      /* NULL in READY, unless it has been set */
  GstCudaStream *stream;        /* streaming thread; NULL: the default stream */

  GMutex answer_lock;           /* no call is made under it */
  GstCudaContext *answer;       /* to context queries */
} GstCcaCudaDevice;

/* For class_init: installs the property, the virtual functions set_context and
 * query, and finalize. Properties of the class itself need its set_property and
 * get_property before. offset is that of the device in the instance. */
void gst_cca_cuda_device_install (gpointer klass, gssize offset);

/* For the instance's init. */
void gst_cca_cuda_device_init (GstCcaCudaDevice * self, GstElement * element);

/* Finds or makes the context. FALSE: the error has been posted. */
gboolean gst_cca_cuda_device_start (GstCcaCudaDevice * self);
void gst_cca_cuda_device_stop (GstCcaCudaDevice * self);

/* Changes to the context of a buffer's memory, and to a new stream in it.
 * Before, if the context is another one, leave is called with the element to
 * drop what it has in the old context; it may be NULL. FALSE: the user has
 * chosen another device, and the error has been posted. */
gboolean gst_cca_cuda_device_follow (GstCcaCudaDevice * self,
    GstCudaContext * context, void (*leave) (gpointer element));

G_END_DECLS

#endif /* __GST_CCA_CUDA_DEVICE_H__ */
