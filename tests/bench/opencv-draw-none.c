/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "opencv-draw.h"

#include <stddef.h>

OpencvCanvas *opencv_canvas_new(const uint32_t width, const uint32_t height)
{
    (void) width;
    (void) height;
    return NULL;
}

void opencv_canvas_free(OpencvCanvas *const canvas)
{
    (void) canvas;
}

void opencv_draw(OpencvCanvas *const canvas, const uint32_t drawing, const OpencvBox *const boxes,
                 const uint32_t n)
{
    (void) canvas;
    (void) drawing;
    (void) boxes;
    (void) n;
}
