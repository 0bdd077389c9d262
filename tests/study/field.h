/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef STUDY_FIELD_H
#define STUDY_FIELD_H

/* The papers' random images: a word of MT19937 for each block of g x g pixels, which is
 * foreground below the density. Drawn on the GPU, as are the sums over the labels. */

#include "gpu.h"
#include "kernels/study.h"

typedef struct Field {
    const Gpu *gpu;
    uint32_t width, height, g, seed; /* of `words`; g 0: there are none */
    CUdeviceptr words;
    CUdeviceptr pixels; /* 0 or 255, for that size */
    CUdeviceptr sums;
} Field;

/* Makes the words, unless they are those already. The module is the study's. */
CUresult field_prepare(Field *field, uint32_t width, uint32_t height, uint32_t g, uint32_t seed,
                       CUstream stream);
CUresult field_draw(const Field *field, CUmodule module, uint32_t density, CUstream stream);

/* Sum of the updates of all labels, and of their squares. Waits for it. */
CUresult field_sum(Field *field, const Study *study, uint64_t sums[2], CUstream stream);

void field_free(Field *field);

#endif /* STUDY_FIELD_H */
