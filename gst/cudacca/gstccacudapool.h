/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_CUDA_POOL_H__
#define __GST_CCA_CUDA_POOL_H__

#include <gst/cuda/gstcuda.h>
#include <gst/video/video.h>

#include "gstccacudadevice.h"

G_BEGIN_DECLS

/* Both create an active pool of CUDA memory for video of info, or return NULL.
 * Its memory has the stream, which may be NULL. The second function is for
 * formats of one plane, which GstCudaBufferPool does not support. */
GstBufferPool *gst_cca_cuda_pool_new (GstCudaContext * context,
    GstCudaStream * stream, const GstVideoInfo * info);
GstBufferPool *gst_cca_cuda_pool_new_plane (GstCudaContext * context,
    GstCudaStream * stream, const GstVideoInfo * info);

/* Adds a pool of CUDA memory with the stream of the device to an allocation
 * query, so that upstream uses the same stream. Does nothing if downstream has
 * offered a pool already. */
void gst_cca_cuda_pool_offer (GstCcaCudaDevice * device, GstQuery * query);

G_END_DECLS

#endif /* __GST_CCA_CUDA_POOL_H__ */
