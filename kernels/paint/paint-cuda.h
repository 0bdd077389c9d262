/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_PAINT_CUDA_H
#define CCA_PAINT_CUDA_H

#include <stdbool.h>

#include "paint.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Paints in one CUDA context. May be used by one thread at a time. */
typedef struct CcaPainter CcaPainter;

/* The context (CUcontext) must outlive the painter and need not be current, here or later.
 * Returns NULL on failure, with a sentence in *why, without a final period, which is valid until
 * the thread's next call. */
CcaPainter *cca_painter_open(void *context, const char **why);

/* All enqueued work must be done. */
void cca_painter_close(CcaPainter *painter);

/* Enqueues the work on the stream (CUstream) and does not wait. Only labels->keys are in host
 * memory; they have been read when the function returns. If the stream differs from that of the
 * previous call, all work on that one must be done. Returns false if a driver call fails. */
bool cca_painter_paint(CcaPainter *painter, const CcaPaintPicture *picture, CcaPaintMode mode,
                       const CcaPaintLabels *labels, void *stream);

/* The same, but sets all bytes of the picture's rows to 0. */
bool cca_painter_clear(CcaPainter *painter, const CcaPaintPicture *picture, void *stream);

#ifdef __cplusplus
}
#endif

#endif /* CCA_PAINT_CUDA_H */
