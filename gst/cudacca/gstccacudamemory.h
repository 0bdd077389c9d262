/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_CUDA_MEMORY_H__
#define __GST_CCA_CUDA_MEMORY_H__

#include <gst/cuda/gstcuda.h>

#include "gst/ccabase/gstccaplane.h"

G_BEGIN_DECLS

/* Whether the caps are of CUDA memory. */
gboolean gst_cca_caps_are_cuda (const GstCaps * caps);

/* The first memory of a buffer if it is CUDA memory, or NULL. */
GstCudaMemory *gst_cca_cuda_memory_peek (GstBuffer * buffer);

/* Where the planes of a buffer lie in its one memory, which is CUDA memory:
 * offsets and strides. FALSE, with a sentence in *why, if it is not. */
gboolean gst_cca_cuda_memory_find_layout (GstBuffer * buffer,
    const GstVideoInfo * info, GstVideoInfo * layout, gchar ** why);

/* Maps the luma plane of a buffer in CUDA memory for the GPU to read, as
 * gst_cca_plane_map() does for the CPU: plane->data is a device address. To map
 * may enqueue an upload on the memory's stream: it comes before all else that
 * is enqueued there. Work enqueued on that stream before the next writer gets
 * the buffer needs no other synchronisation. */
gboolean gst_cca_cuda_memory_map_plane (GstCcaPlane * plane, GstBuffer * buffer,
    const GstVideoInfo * info, const GstCcaPicture * picture, gchar ** why);
void gst_cca_cuda_memory_unmap_plane (GstCcaPlane * plane);

G_END_DECLS

#endif /* __GST_CCA_CUDA_MEMORY_H__ */
