/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Loads and stores open components. */

#ifndef CCA_CUDA_OPEN_CUH
#define CCA_CUDA_OPEN_CUH

#include "../compact/records.cuh"
#include "../tables/tiled.h"

static_assert(sizeof(CudaOpen) == 2 * sizeof(uint4), "two vectors");

DEVICE CudaOpen load_open(const CudaOpen *const p)
{
    const uint4 *const vectors = (const uint4 *) p;
    const uint4 a = vectors[0], b = vectors[1];
    return { a.x, { a.y, a.z, a.w }, { (uint64_t) b.y << 32 | b.x, (uint64_t) b.w << 32 | b.z } };
}

DEVICE void store_open(CudaOpen *const p, const CudaOpen &c)
{
    uint4 *const vectors = (uint4 *) p;
    vectors[0] = make_uint4(c.area, c.greatest[0], c.greatest[1], c.greatest[2]);
    vectors[1] = make_uint4((uint32_t) c.sums[0], (uint32_t) (c.sums[0] >> 32),
                            (uint32_t) c.sums[1], (uint32_t) (c.sums[1] >> 32));
}

/* Features of an open component whose first pixel is in row `min_y`. */
DEVICE Features open_features(const CudaOpen &c, const uint32_t min_y)
{
    return { ~c.greatest[CUDA_NOT_MIN_X],
             min_y,
             c.greatest[CUDA_MAX_X],
             c.greatest[CUDA_MAX_Y],
             c.area,
             c.sums[0],
             c.sums[1] };
}

#endif /* CCA_CUDA_OPEN_CUH */
