/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_OVERLAY_CUDA_H
#define CCA_OVERLAY_CUDA_H

/* The same drawing on a CUDA GPU. For one thread at a time. */

#include "overlay.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CcaOverlayGpu CcaOverlayGpu;

/* In a context (CUcontext) that must outlive it; it need not be current, here or later. Each
 * of these functions that fails has a sentence in *why, without a final period, which stays
 * until the next call. */
CcaStatus cca_overlay_gpu_open(CcaOverlayGpu **gpu, void *context, const char **why);

/* Waits for what it has drawn, and frees. NULL is fine. */
void cca_overlay_gpu_close(CcaOverlayGpu *gpu);

/* Replaces the digits by these, from host memory, by way of the stream, for which it waits:
 * not for each frame. */
CcaStatus cca_overlay_gpu_set_glyphs(CcaOverlayGpu *gpu, const CcaOverlayGlyphs *glyphs,
                                     void *stream, const char **why);

/* Enqueues the drawing on the stream (CUstream; NULL: the default one), which must live until
 * a drawing on another one, or one that fails, or the end. The picture is in device memory,
 * with cells of at most 2 x 2 pixels; the list is in host memory and has been read when the
 * function returns. A long list makes several launches. It waits only if
 * CCA_OVERLAY_GPU_SLOTS of them, or a few less, are in flight, for the first of them.
 * CCA_ERROR_NO_MEMORY: not all of it has been enqueued. */
CcaStatus cca_overlay_gpu_draw(CcaOverlayGpu *gpu, const CcaOverlayPicture *picture,
                               const CcaOverlayList *list, void *stream, const char **why);

#define CCA_OVERLAY_GPU_SLOTS 16

#ifdef __cplusplus
}
#endif

#endif /* CCA_OVERLAY_CUDA_H */
