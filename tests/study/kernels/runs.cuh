/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_STUDY_RUNS_CUH
#define CCA_STUDY_RUNS_CUH

/* FLSL's segment detection: ICASSP 2021, Algorithm 1 (lines are those). */

#include "product.cuh"
#include "tables.h"

typedef uint16_t Er; /* entries of ER and RLC */

/* Pieces of 32 pixels that a warp loads before it looks at the first. */
#define STUDY_AHEAD 8

DEVICE Er *rlc_row(const StudyTables &t, const uint32_t y)
{
    return (Er *) t.flsl.rlc + 2 * (size_t) y * t.flsl.run_stride;
}

/* Row y by one warp, which returns how many runs it has. */
DEVICE uint32_t detect_runs(const CudaImage &image, const StudyTables &t, const uint32_t y)
{
    const uint32_t tx = threadIdx.x, width = image.width;
    const uint8_t *I = image.data + y * image.stride + tx; /* of the lane's next pixel */
    Er *ER = (Er *) t.flsl.er + (size_t) y * width + tx;
    Er *const RLC = rlc_row(t, y);
    uint32_t n = 0, m_p = 0;                                         /* lines 1, 2 */
    for (uint32_t x = tx; x - tx < width; x += STUDY_AHEAD * WARP) { /* line 3 */
        uint32_t p[STUDY_AHEAD];
#pragma unroll
        for (uint32_t i = 0; i < STUDY_AHEAD; i++)
            p[i] = x + i * WARP < width ? I[i * WARP] : 0; /* line 4 */
#pragma unroll
        for (uint32_t i = 0; i < STUDY_AHEAD; i++) {
            const uint32_t m_c = __ballot_sync(ALL_LANES, p[i] != 0); /* line 5 */
            const uint32_t m_e = m_c ^ __funnelshift_l(m_p, m_c, 1);  /* line 6 */
            m_p = m_c;                                                /* line 7 */
            const uint32_t er = n + __popc(m_e & lane_mask_le());     /* line 8 */
            if (x + i * WARP < width)
                ER[i * WARP] = (Er) er; /* line 9 */
            if (m_e >> tx & 1)
                (RLC + er)[-1] = (Er) (x + i * WARP); /* line 10 */
            n += __popc(m_e);                         /* line 11 */
        }
        I += STUDY_AHEAD * WARP;
        ER += STUDY_AHEAD * WARP;
    }
    if (n & 1) { /* line 12 */
        if (tx == 0)
            RLC[n] = (Er) width; /* line 13 */
        n++;                     /* line 14 */
    }
    if (tx == 0)
        t.flsl.n_edges[y] = n; /* line 15 */
    __syncwarp();
    return n / 2;
}

#endif /* CCA_STUDY_RUNS_CUH */
