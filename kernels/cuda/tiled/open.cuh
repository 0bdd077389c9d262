/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Open components in memory. */

#ifndef CCA_CUDA_OPEN_CUH
#define CCA_CUDA_OPEN_CUH

#include "../emit/records.cuh"
#include "tables.h"

static_assert(sizeof(CudaOpen) == 2 * sizeof(uint4), "two vectors");

DEVICE CudaOpen load_open(const CudaTiled &t, const uint32_t node)
{
    const uint4 *const vectors = (const uint4 *) (t.open + node);
    const uint4 a = vectors[0], b = vectors[1];
    return { a.x, a.y, a.z, a.w, (uint64_t) b.y << 32 | b.x, (uint64_t) b.w << 32 | b.z };
}

DEVICE void store_open(const CudaTiled &t, const uint32_t node, const CudaOpen &c)
{
    uint4 *const vectors = (uint4 *) (t.open + node);
    vectors[0] = make_uint4(c.area, c.min_x, c.max_x, c.max_y);
    vectors[1] = make_uint4((uint32_t) c.sum_x, (uint32_t) (c.sum_x >> 32),
                            (uint32_t) c.sum_y, (uint32_t) (c.sum_y >> 32));
}

/* Features of the one whose first pixel is in this row. */
DEVICE Features open_features(const CudaOpen &c, const uint32_t min_y)
{
    return { c.min_x, min_y, c.max_x, c.max_y, c.area, c.sum_x, c.sum_y };
}

#endif /* CCA_CUDA_OPEN_CUH */
