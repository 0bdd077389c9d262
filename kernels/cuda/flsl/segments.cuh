/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_FLSL_SEGMENTS_CUH
#define CCA_CUDA_FLSL_SEGMENTS_CUH

/* FLSL segment detection: Lemaitre, Hennequin and Lacassagne, "Taming voting
 * algorithms on GPUs for an efficient connected component analysis algorithm",
 * ICASSP 2021, Algorithm 1. */

#include "../pixels.cuh"
#include "../tables/flsl.h"

/* Chunks of 32 pixels that a warp loads ahead. Searched: 1 to 16. */
#define AHEAD 8

/* State of Algorithm 1 in a row. */
template <typename Er> struct Row {
    uint32_t y;
    Er *er, *rlc;
    uint32_t n, mask_before;
};

/* Foreground of AHEAD chunks of 32 pixels. All pixels are inside the row if `whole`. */
template <bool whole, typename Sample>
DEVICE void load_chunks(const CudaImage &image, const uint32_t y, const uint32_t x0,
                        uint32_t (&masks)[AHEAD], Sample)
{
    const Sample *const pixels = (const Sample *) (image.data + y * image.stride);
    const uint32_t inverted = image.invert ? ALL_LANES : 0;
    uint32_t v[AHEAD];
#pragma unroll
    for (uint32_t i = 0; i < AHEAD; i++) {
        const uint32_t x = x0 + i * WARP + threadIdx.x;
        v[i] = pixels[whole ? x : min(x, image.width - 1)]; /* line 4 */
    }
#pragma unroll
    for (uint32_t i = 0; i < AHEAD; i++) {
        masks[i] = __ballot_sync(ALL_LANES, is_inside<Sample>(image, v[i])) ^ inverted; /* line 5 */
        if (!whole)
            masks[i] &= __ballot_sync(ALL_LANES, x0 + i * WARP + threadIdx.x < image.width);
    }
}

/* The same for a mask, of which each lane loads one chunk. */
template <bool whole>
DEVICE void load_chunks(const CudaImage &image, const uint32_t y, const uint32_t x0,
                        uint32_t (&masks)[AHEAD], MaskBits)
{
    const uint32_t x = x0 + threadIdx.x * WARP;
    uint32_t mine = 0;
    if (threadIdx.x < AHEAD && x < image.width)
        mine = mask_bits(image, x, y, min(image.width - x, (uint32_t) WARP));
#pragma unroll
    for (uint32_t i = 0; i < AHEAD; i++)
        masks[i] = __shfl_sync(ALL_LANES, mine, i);
}

template <bool whole, typename Sample, typename Er>
DEVICE void detect_chunks(const CudaImage &image, Row<Er> &row, const uint32_t x0)
{
    const uint32_t lane = threadIdx.x;
    uint32_t masks[AHEAD];
    load_chunks<whole>(image, row.y, x0, masks, Sample());
#pragma unroll
    for (uint32_t i = 0; i < AHEAD; i++) {
        const uint32_t x = x0 + i * WARP + lane, mask = masks[i];
        const uint32_t edges = mask ^ __funnelshift_l(row.mask_before, mask, 1); /* line 6 */
        row.mask_before = mask;                                                  /* line 7 */
        const uint32_t er = row.n + __popc(edges & lane_mask_le());              /* line 8 */
        if (whole || x < image.width)
            row.er[x] = (Er) er; /* line 9 */
        if (edges >> lane & 1)
            row.rlc[er - 1] = (Er) x; /* line 10 */
        row.n += __popc(edges);       /* line 11 */
    }
}

/* Fills the parts of ER, RLC and N of row y, and returns the number of runs. Called by a whole
 * warp. */
template <typename Sample, typename Er>
DEVICE uint32_t detect_segments(const CudaImage &image, const CudaFlsl &t, const uint32_t y)
{
    Row<Er> row = { y, (Er *) t.er + (size_t) y * image.width,
                    (Er *) t.rlc + 2 * (size_t) y * t.run_stride, 0, 0 }; /* lines 1, 2 */
    uint32_t x0 = 0;
    for (; image.width - x0 >= AHEAD * WARP; x0 += AHEAD * WARP) /* line 3 */
        detect_chunks<true, Sample>(image, row, x0);
    if (x0 < image.width)
        detect_chunks<false, Sample>(image, row, x0);
    if (row.n & 1) { /* line 12 */
        if (threadIdx.x == 0)
            row.rlc[row.n] = (Er) image.width; /* line 13 */
        row.n++;                               /* line 14 */
    }
    if (threadIdx.x == 0)
        t.n_edges[y] = row.n; /* line 15 */
    __syncwarp();
    return row.n / 2;
}

#endif /* CCA_CUDA_FLSL_SEGMENTS_CUH */
