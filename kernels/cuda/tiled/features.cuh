/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Measured values of closed and open components. */

#ifndef CCA_CUDA_TILED_FEATURES_CUH
#define CCA_CUDA_TILED_FEATURES_CUH

#include "closed.cuh"
#include "measure.cuh"

/* The measured values of a closed component. `index` is its place in the table. */
DEVICE CudaMeasured closed_measured(const CudaMeasure &m, const Closed &c, const bool isolated,
                                    const uint32_t index, const CudaTiled &t, const uint32_t width)
{
    const uint32_t x0 = c.tile % t.tiles_x * CCA_TILE_WIDTH;
    const uint32_t y0 = c.tile / t.tiles_x * CCA_TILE_HEIGHT;
    const Origin origin = { x0, y0, c.area_sum_y >> AREA_SHIFT, c.sum_x,
                            c.area_sum_y & ((1 << AREA_SHIFT) - 1) };
    if (isolated) {
        const uint32_t n = c.max_x - c.min_x + 1;
        Measurement r = measure_run(m, width, x0, y0, c.min_x / 32 * 32, c.min_y,
                                    (ALL_LANES >> (32 - n)) << c.min_x % 32);
        r.words[CUDA_WORD_PAIRS] = n - 1;
        return in_region(m, r.words, origin, width);
    }
    const uint32_t *const from = m.closed + (size_t) index * (m.to - m.from);
    uint32_t w[CUDA_N_WORDS];
#pragma unroll
    for (int k = 0; k < CUDA_N_WORDS; k++)
        w[k] = k >= (int) m.from && k < (int) m.to ? from[k - m.from] : 0;
    return in_region(m, w, origin, width);
}

/* The same of an open component, which other tiles have been added to. */
DEVICE CudaMeasured open_measured(const CudaMeasure &m, const uint32_t node)
{
    CudaMeasured r = m.open[node];
    const uint32_t contacts = m.contacts[node];
    r.sums[CUDA_SUM_PAIRS] += contacts & ((1 << CUDA_CONTACT_SQUARES) - 1);
    r.sums[CUDA_SUM_SQUARES] += contacts >> CUDA_CONTACT_SQUARES &
                                ((1 << (CUDA_CONTACT_DIAGONALS - CUDA_CONTACT_SQUARES)) - 1);
    r.sums[CUDA_SUM_DIAGONALS] += contacts >> CUDA_CONTACT_DIAGONALS;
    return r;
}

#endif /* CCA_CUDA_TILED_FEATURES_CUH */
