/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CUDA_GRAY_H__
#define __GST_CUDA_GRAY_H__

#include <gst/base/gstbasetransform.h>

#include "gstccacudadevice.h"
#include "gst/ccabase/gstccaplane.h"

G_BEGIN_DECLS

/* The base class of cudagrayupload and cudagraydownload. It has a context,
 * copies synchronously, and keeps the metas that describe the picture. The
 * elements exist because those of GStreamer do not support GRAY8 in CUDA
 * memory. */

#define GST_TYPE_CUDA_GRAY (gst_cuda_gray_get_type ())
G_DECLARE_DERIVABLE_TYPE (GstCudaGray, gst_cuda_gray, GST, CUDA_GRAY,
    GstBaseTransform)

struct _GstCudaGrayClass {
  GstBaseTransformClass parent_class;

  /* Releases all that was allocated for the context or the caps. Called before
   * either changes and when the element stops. May be NULL. */
  void (*reset) (GstCudaGray * self);
};

/* The functions are for subclasses, on the streaming thread. Those that return
 * FALSE have posted an error. */
GstCcaCudaDevice *gst_cuda_gray_get_device (GstCudaGray * self);
const GstVideoInfo *gst_cuda_gray_get_in_info (GstCudaGray * self);
const GstVideoInfo *gst_cuda_gray_get_out_info (GstCudaGray * self);

/* Posts an element error and frees the sentence, which has no final period. */
void gst_cuda_gray_post_error (GstCudaGray * self, gchar * sentence);

/* Changes to the context of the memory. */
gboolean gst_cuda_gray_follow (GstCudaGray * self, GstCudaMemory * memory);

/* Sets *picture to the rectangle of the buffer that is shown: the whole frame,
 * or that of a crop meta. It must have the size in the caps. */
gboolean gst_cuda_gray_find_picture (GstCudaGray * self, GstBuffer * buffer,
    GstCcaPicture * picture);

/* Copies on the stream and waits for the copy, not for later work. */
gboolean gst_cuda_gray_copy (GstCudaGray * self, const CUDA_MEMCPY2D * copy,
    GstCudaStream * stream);

G_END_DECLS

#endif /* __GST_CUDA_GRAY_H__ */
