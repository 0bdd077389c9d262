/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_CUDA_POOL_H__
#define __GST_CCA_CUDA_POOL_H__

#include <gst/cuda/gstcuda.h>
#include <gst/video/video.h>

#include "gstccacudadevice.h"

G_BEGIN_DECLS

/* Both make an active pool of such video in CUDA memory with that stream, which
 * may be NULL, or return NULL. The second one is for formats of one plane,
 * which GstCudaBufferPool does not support. */
GstBufferPool *gst_cca_cuda_pool_new (GstCudaContext * context,
    GstCudaStream * stream, const GstVideoInfo * info);
GstBufferPool *gst_cca_cuda_pool_new_plane (GstCudaContext * context,
    GstCudaStream * stream, const GstVideoInfo * info);

/* Offers a pool of CUDA memory with the stream of the device, so that upstream
 * works on the same one, unless downstream has offered a pool. */
void gst_cca_cuda_pool_offer (GstCcaCudaDevice * device, GstQuery * query);

G_END_DECLS

#endif /* __GST_CCA_CUDA_POOL_H__ */
