/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_PAINT_CUDA_H
#define CCA_PAINT_CUDA_H

#include <stdbool.h>

#include "paint.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Paints in one CUDA context, on one stream after the other. All 0: closed. */
typedef struct CcaPainter {
    void *context, *module;
    void *pixels, *keys; /* kernels */
    uint64_t table;      /* of keys, in device memory; 0 until there are some */
} CcaPainter;

/* These are called when cca_cuda_load() has found a driver, and are false if that refuses
 * something. The context, a CUcontext, need not be current, and outlives the painter. */
bool cca_painter_open(CcaPainter *painter, void *context);

/* Nothing that was enqueued may still be running. */
void cca_painter_close(CcaPainter *painter);

/* Enqueues the work on the stream, a CUstream, and waits for nothing. labels->keys, however,
 * are in the memory of the CPU, and are not needed any more afterwards. When the stream is
 * another one than before, the work on that has to be done. */
bool cca_painter_paint(CcaPainter *painter, const CcaPaintPicture *picture, CcaPaintMode mode,
                       const CcaPaintLabels *labels, void *stream);

/* Makes all bytes of the picture's rows 0, likewise. */
bool cca_painter_clear(CcaPainter *painter, const CcaPaintPicture *picture, void *stream);

#ifdef __cplusplus
}
#endif

#endif /* CCA_PAINT_CUDA_H */
