/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_PAINT_CUDA_H
#define CCA_PAINT_CUDA_H

#include <stdbool.h>

#include "paint.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Paints in one CUDA context. For one thread at a time. */
typedef struct CcaPainter CcaPainter;

/* The context (CUcontext) must outlive the painter and need not be current, here or later.
 * Returns NULL on failure, with a constant sentence in *why, without a final period. */
CcaPainter *cca_painter_open(void *context, const char **why);

/* All enqueued work must be done. */
void cca_painter_close(CcaPainter *painter);

/* Enqueues the work on the stream (CUstream) and does not wait. Only labels->keys are in host
 * memory; they have been read when the function returns. All work on the stream of the call
 * before must be done if this is another one. False if the driver refuses a call. */
bool cca_painter_paint(CcaPainter *painter, const CcaPaintPicture *picture, CcaPaintMode mode,
                       const CcaPaintLabels *labels, void *stream);

/* The same, but makes all bytes of the picture's rows 0. */
bool cca_painter_clear(CcaPainter *painter, const CcaPaintPicture *picture, void *stream);

#ifdef __cplusplus
}
#endif

#endif /* CCA_PAINT_CUDA_H */
