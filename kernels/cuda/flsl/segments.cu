/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* FLSL segment detection: Lemaitre, Hennequin and Lacassagne, "Taming voting
 * algorithms on GPUs for an efficient connected component analysis algorithm",
 * ICASSP 2021, Algorithm 1. */

#include "../pixels.cuh"
#include "unite.cuh"

/* Chunks of 32 pixels that a warp loads ahead. Searched: 1 to 16. */
#define AHEAD 8

/* A row on its way through Algorithm 1. */
template <typename Er> struct Row {
    uint32_t y;
    Er *er, *rlc;
    uint32_t n, mask_before;
};

/* Foreground of AHEAD chunks of 32 pixels, all of which lie in the row if `whole`. */
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
        v[i] = pixels[whole ? x : min(x, image.width - 1)];                  /* line 4 */
    }
#pragma unroll
    for (uint32_t i = 0; i < AHEAD; i++) {
        masks[i] = __ballot_sync(ALL_LANES, is_inside<Sample>(image, v[i])) ^ inverted; /* line 5 */
        if (!whole)
            masks[i] &= __ballot_sync(ALL_LANES, x0 + i * WARP + threadIdx.x < image.width);
    }
}

/* The same of a mask: a lane loads a chunk. */
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
        row.mask_before = mask;                                              /* line 7 */
        const uint32_t er = row.n + __popc(edges & lane_mask_le());          /* line 8 */
        if (whole || x < image.width)
            row.er[x] = (Er) er;                                             /* line 9 */
        if (edges >> lane & 1)
            row.rlc[er - 1] = (Er) x;                                        /* line 10 */
        row.n += __popc(edges);                                              /* line 11 */
    }
}

/* One row by one warp: fills its parts of ER, RLC and N. */
template <typename Sample, typename Er>
DEVICE uint32_t detect_segments(const CudaImage &image, const CudaFlsl &t, const uint32_t y)
{
    Row<Er> row = { y, (Er *) t.er + (size_t) y * image.width,
                    (Er *) t.rlc + 2 * (size_t) y * t.run_stride, 0, 0 };    /* lines 1, 2 */
    uint32_t x0 = 0;
    for (; image.width - x0 >= AHEAD * WARP; x0 += AHEAD * WARP)             /* line 3 */
        detect_chunks<true, Sample>(image, row, x0);
    if (x0 < image.width)
        detect_chunks<false, Sample>(image, row, x0);
    if (row.n & 1) {                                                         /* line 12 */
        if (threadIdx.x == 0)
            row.rlc[row.n] = (Er) image.width;                               /* line 13 */
        row.n++;                                                             /* line 14 */
    }
    if (threadIdx.x == 0)
        t.n_edges[y] = row.n;                                                /* line 15 */
    __syncwarp();
    return row.n / 2;
}

/* The features' neutral elements; the paper says nothing of initialisation. */
DEVICE void open_labels(const CudaFlsl &t, const uint32_t y, const uint32_t n_runs)
{
    for (uint32_t s = threadIdx.x; s < n_runs; s += WARP) {
        const uint32_t l = y * t.run_stride + s;
        t.parent[l] = l;
        t.area[l] = 0;
        t.min_x[l] = UINT32_MAX;
        t.max_x[l] = 0;
        t.max_y[l] = 0;
        t.sum_x[l] = 0;
        t.sum_y[l] = 0;
    }
}

/* Detection, then the labelling of the strip of CCA_FLSL_STRIP rows that a block
 * has; the rows between strips are united by cca_flsl_unite. */
template <typename Sample, typename Er>
DEVICE void label_strip(const CudaImage &image, const CudaFlsl &t, const CudaEmit &emit)
{
    const uint32_t y = blockIdx.x * CCA_FLSL_STRIP + threadIdx.y;
    const bool inside = y < image.height;
    uint32_t n_runs = 0;
    if (inside) {
        n_runs = detect_segments<Sample, Er>(image, t, y);
        open_labels(t, y, n_runs);
        for (uint32_t w = threadIdx.x; w < emit.row_words; w += WARP)
            emit.first[(size_t) y * emit.row_words + w] = 0;
    }
    if (blockIdx.x == 0)
        for (uint32_t w = emit.n_words + threadIdx.y * WARP + threadIdx.x;
             w < emit.n_chunks * CCA_CHUNK_WORDS; w += WARP * CCA_FLSL_STRIP)
            emit.first[w] = 0;
    __syncthreads();
    if (inside && threadIdx.y > 0)
        for (uint32_t s = threadIdx.x; s < n_runs; s += WARP)
            unite_run<Er>(image, t, y, s);
}

/* Grid: a block of 32 x CCA_FLSL_STRIP threads for each CCA_FLSL_STRIP rows. */
#define SEGMENTS(name, begin, Sample, Er)                                                  \
    extern "C" __global__ void name(const CudaImage image, const CudaFlsl tables,          \
                                    const CudaEmit emit)                                   \
    {                                                                                      \
        begin();                                                                           \
        label_strip<Sample, Er>(image, tables, emit);                                      \
    }

SEGMENTS(cca_flsl_segments_8_er16, begin_first, uint8_t, uint16_t)
SEGMENTS(cca_flsl_segments_8_er32, begin_first, uint8_t, uint32_t)
SEGMENTS(cca_flsl_segments_16_er16, begin_first, uint16_t, uint16_t)
SEGMENTS(cca_flsl_segments_16_er32, begin_first, uint16_t, uint32_t)
SEGMENTS(cca_flsl_segments_mask_er16, begin_dependent, MaskBits, uint16_t)
SEGMENTS(cca_flsl_segments_mask_er32, begin_dependent, MaskBits, uint32_t)
