/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CUDA_GRAY_H__
#define __GST_CUDA_GRAY_H__

#include <gst/base/gstbasetransform.h>

#include "gstccacudadevice.h"
#include "gst/ccabase/gstccaplane.h"

G_BEGIN_DECLS

/* What cudagrayupload and cudagraydownload share: a context, copies that are
 * waited for, and metas that stay. Stock GStreamer neither makes nor moves
 * GRAY8 in CUDA memory. */

#define GST_TYPE_CUDA_GRAY (gst_cuda_gray_get_type ())
G_DECLARE_DERIVABLE_TYPE (GstCudaGray, gst_cuda_gray, GST, CUDA_GRAY,
    GstBaseTransform)

struct _GstCudaGrayClass {
  GstBaseTransformClass parent_class;

  /* The context, the caps or both are new, or the element stops: what was
   * allocated for them is to be dropped. */
  void (*reset) (GstCudaGray * self);
};

/* For subclasses, on the streaming thread. */
GstCcaCudaDevice *gst_cuda_gray_get_device (GstCudaGray * self);
const GstVideoInfo *gst_cuda_gray_get_in_info (GstCudaGray * self);
const GstVideoInfo *gst_cuda_gray_get_out_info (GstCudaGray * self);

/* Posts an error with a sentence that has no final period, which it frees. */
void gst_cuda_gray_post_error (GstCudaGray * self, gchar * sentence);

/* Goes to the context of that memory. */
gboolean gst_cuda_gray_follow (GstCudaGray * self, GstCudaMemory * memory);

/* The rectangle of the buffer that shows the picture of the caps: the whole,
 * or what a crop meta says. */
gboolean gst_cuda_gray_find_picture (GstCudaGray * self, GstBuffer * buffer,
    GstCcaPicture * picture);

/* Copies on the stream and waits for that copy alone. */
gboolean gst_cuda_gray_copy (GstCudaGray * self, const CUDA_MEMCPY2D * copy,
    GstCudaStream * stream);

G_END_DECLS

#endif /* __GST_CUDA_GRAY_H__ */
