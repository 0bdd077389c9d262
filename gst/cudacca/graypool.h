/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CUDA_GRAY_POOL_H__
#define __GST_CUDA_GRAY_POOL_H__

#include <gst/cuda/gstcuda.h>

G_BEGIN_DECLS

/* An active pool of buffers of one plane in CUDA memory with that stream, which
 * may be NULL; or NULL. GstCudaBufferPool knows no grey formats. */
GstBufferPool *gst_cuda_gray_pool_new (GstCudaContext * context,
    GstCudaStream * stream, const GstVideoInfo * info);

G_END_DECLS

#endif /* __GST_CUDA_GRAY_POOL_H__ */
