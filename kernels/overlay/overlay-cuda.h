/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_OVERLAY_CUDA_H
#define CCA_OVERLAY_CUDA_H

/* The same drawing on a CUDA GPU. Each CcaOverlayGpu may be used by one thread at a time. */

#include "overlay.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CcaOverlayGpu CcaOverlayGpu;

/* Loads the kernels into a context (CUcontext), which must outlive *gpu and need not be current,
 * here or later. These functions set *why on failure to a sentence without a final period, which
 * is valid until the thread's next call. */
CcaStatus cca_overlay_gpu_open(CcaOverlayGpu **gpu, void *context, const char **why);

/* Waits for all drawings in flight, and frees everything. `gpu` may be NULL. */
void cca_overlay_gpu_close(CcaOverlayGpu *gpu);

/* Copies characters from host memory to the GPU, and replaces the earlier ones. Waits for the
 * stream, so it is not for every frame. */
CcaStatus cca_overlay_gpu_set_glyphs(CcaOverlayGpu *gpu, const CcaOverlayGlyphs *glyphs,
                                     void *stream, const char **why);

/* Enqueues the drawing on the stream (CUstream; NULL: the default stream). The stream must exist
 * until the next drawing on another stream, the next failed drawing, or the close. The picture is
 * in device memory, with cells of at most 2 x 2 pixels; the list is in host memory and has been
 * read when the function returns. A long list needs several launches. If about
 * CCA_OVERLAY_GPU_SLOTS launches are in flight, the function waits for the oldest ones. After
 * CCA_ERROR_NO_MEMORY only a part of the drawing may have been enqueued. */
CcaStatus cca_overlay_gpu_draw(CcaOverlayGpu *gpu, const CcaOverlayPicture *picture,
                               const CcaOverlayList *list, void *stream, const char **why);

#define CCA_OVERLAY_GPU_SLOTS 16

#ifdef __cplusplus
}
#endif

#endif /* CCA_OVERLAY_CUDA_H */
