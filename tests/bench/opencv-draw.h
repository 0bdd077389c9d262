/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_BENCH_OPENCV_DRAW_H
#define CCA_BENCH_OPENCV_DRAW_H

/* OpenCV's drawing, in one thread and on a BGR picture, as it has no NV12. */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OPENCV_TRAIL 32

typedef struct OpencvBox {
    int32_t x, y, size;
    uint32_t id;
} OpencvBox;

/* Each with what those before it have. */
typedef enum OpencvDrawing { OPENCV_BOXES, OPENCV_LABELS, OPENCV_TRAILS } OpencvDrawing;

typedef struct OpencvCanvas OpencvCanvas;

/* NULL without OpenCV. */
OpencvCanvas *opencv_canvas_new(uint32_t width, uint32_t height);
void opencv_canvas_free(OpencvCanvas *canvas);

/* Of each of `n` objects OPENCV_TRAIL boxes, the latest one first. */
void opencv_draw(OpencvCanvas *canvas, uint32_t drawing, const OpencvBox *boxes, uint32_t n);

#ifdef __cplusplus
}
#endif

#endif /* CCA_BENCH_OPENCV_DRAW_H */
