/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Features of components, parallel to their records. */

#ifndef CCA_CUDA_COMPACT_FEATURES_CUH
#define CCA_CUDA_COMPACT_FEATURES_CUH

#include "../tables/measure.h"
#include "records.cuh"

/* Four bytes of ones for four bits. */
DEVICE uint32_t spread_bits(const uint32_t bits)
{
    return (bits * 0x00204081u & 0x01010101u) * 255;
}

/* Position of a tile or region that pixels are relative to, and sums of a component there. */
struct Origin {
    uint64_t x, y;
    uint32_t area;
    uint64_t sum_x, sum_y;
};

/* Sums relative to (-x, -y) of the origin. */
DEVICE void move_sums(uint64_t (&s)[CUDA_N_SUMS], const Origin &o)
{
    s[CUDA_SUM_XY] += o.x * o.sum_y + o.y * (o.sum_x + o.x * o.area);
    s[CUDA_SUM_XX] += o.x * (2 * o.sum_x + o.x * o.area);
    s[CUDA_SUM_YY] += o.y * (2 * o.sum_y + o.y * o.area);
    s[CUDA_SUM_VX] += o.x * s[CUDA_SUM_V];
    s[CUDA_SUM_VY] += o.y * s[CUDA_SUM_V];
}

DEVICE CcaFeatures make_features(const CudaImage &image, const CudaMeasure &m, CudaMeasured r,
                                 const Features &f)
{
    CcaFeatures to = {};
    move_sums(r.sums, { image.x, image.y, f.area, f.sum_x, f.sum_y });
    const uint64_t *const s = r.sums;
    if (m.flags & CCA_FEATURES_MOMENTS) {
        to.xx = s[CUDA_SUM_XX];
        to.xy = s[CUDA_SUM_XY];
        to.yy = s[CUDA_SUM_YY];
    }
    if (m.flags & CCA_FEATURES_INTENSITY) {
        const uint32_t index = UINT32_MAX - (uint32_t) r.peak;
        to.v = s[CUDA_SUM_V];
        to.vv = s[CUDA_SUM_VV];
        to.vx = s[CUDA_SUM_VX];
        to.vy = s[CUDA_SUM_VY];
        to.v_min = ~(uint32_t) r.not_v_min;
        to.v_max = (uint32_t) (r.peak >> 32);
        to.v_max_x = image.x + index % image.width;
        to.v_max_y = image.y + index / image.width;
    }
    if (m.flags & CCA_FEATURES_SHAPE) {
        to.e4 = s[CUDA_SUM_PAIRS];
        to.q4 = s[CUDA_SUM_SQUARES];
        /* Each pixel has four squares. A square with more pixels of the component is counted once
         * less for each pair in it, of which it has one too many if it is full. */
        to.w1 = 4 * (uint64_t) f.area - 2 * to.e4 + to.q4 - s[CUDA_SUM_DIAGONALS];
    }
    return to;
}

#endif /* CCA_CUDA_COMPACT_FEATURES_CUH */
