/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_CUDA_MEMORY_H__
#define __GST_CCA_CUDA_MEMORY_H__

#include <gst/cuda/gstcuda.h>

#include "gst/ccabase/gstccaplane.h"

G_BEGIN_DECLS

/* Returns whether the first structure of the caps is CUDA memory. */
gboolean gst_cca_caps_are_cuda (const GstCaps * caps);

/* Returns the first memory of a buffer if it is CUDA memory, or NULL. The
 * buffer keeps the reference. */
GstCudaMemory *gst_cca_cuda_memory_peek (GstBuffer * buffer);

/* Sets *layout to the offsets and strides of the planes in the memory of a
 * buffer, in bytes. Returns FALSE unless the buffer has one memory, it is CUDA
 * memory and it fits info; *why is then a sentence, which the caller frees. */
gboolean gst_cca_cuda_memory_find_layout (GstBuffer * buffer,
    const GstVideoInfo * info, GstVideoInfo * layout, gchar ** why);

/* Maps the luma plane of a buffer in CUDA memory for reading by the GPU, as
 * gst_cca_plane_map() does for the CPU. plane->data is a device address. On
 * failure it returns FALSE and sets *why to a sentence, which the caller frees.
 *
 * Mapping can enqueue an upload on the stream of the memory. Enqueue reads on
 * the same stream afterwards, before the buffer is passed to the next writer.
 * They need no other synchronisation. */
gboolean gst_cca_cuda_memory_map_plane (GstCcaPlane * plane, GstBuffer * buffer,
    const GstVideoInfo * info, const GstCcaPicture * picture, gchar ** why);
void gst_cca_cuda_memory_unmap_plane (GstCcaPlane * plane);

G_END_DECLS

#endif /* __GST_CCA_CUDA_MEMORY_H__ */
