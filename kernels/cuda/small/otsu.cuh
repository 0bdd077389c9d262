/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Otsu's threshold of bytes, found on the way: the blocks count their tiles, wait for each
 * other, and then all choose. */

#ifndef CCA_CUDA_SMALL_OTSU_CUH
#define CCA_CUDA_SMALL_OTSU_CUH

#include "barrier.cuh"
#include "pixels.cuh"

namespace small {

/* A thread's pixels, and the one beside them where they are at the tile's side: kept until
 * there is a threshold. */
struct Kept {
    Samples16<uint8_t> samples[2];
    uint32_t beside;
};

/* Counts the tile's pixels; rows above and below are kept alone. By a block of
 * CCA_SMALL_MAX_THREADS. */
DEVICE Kept count_tile(Tile &tile, const CudaImage &image, const Place &place)
{
    const uint32_t row = threadIdx.x / row_words, column = threadIdx.x % row_words;
    const bool in_tile = row < place.rows;
    const uint32_t y = in_tile           ? place.y0 + row :
                       row == place.rows ? place.y0 - 1 :
                                           place.y0 + place.rows;
    const uint32_t x = place.x0 + column * WARP;
    const bool has = row < place.rows + 2 && y < image.height;
    Kept kept = {};
    uint32_t n[2];
#pragma unroll
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t at = x + i * CCA_PASS_PIXELS;
        n[i] = has && at < image.width ? min(image.width - at, (uint32_t) CCA_PASS_PIXELS) : 0;
        if (n[i] > 0)
            kept.samples[i] = load_unit<uint8_t>(image, { at, y, n[i] });
    }
    const uint32_t beside = column == 0 ? x - 1 : x + WARP;
    if (has && (column == 0 || column == row_words - 1) && beside < image.width)
        kept.beside = image.data[y * image.stride + beside];
    tile.counts.clear();
    __syncthreads();
#pragma unroll
    for (uint32_t i = 0; i < 2; i++)
        tile.counts.count(kept.samples[i], in_tile ? n[i] : 0);
    __syncthreads();
    return kept;
}

/* What load_word() would read. */
DEVICE Loaded kept_word(const CudaImage &image, const Kept &kept, const uint32_t column,
                        const uint32_t x)
{
    const uint32_t n = min(32u, image.width - x);
    uint32_t bits = 0;
    if (image.low <= UINT16_MAX)
        bits = (pack16(image, pixels_of<uint8_t>(kept.samples[0])) & 0xffff) |
               pack16(image, pixels_of<uint8_t>(kept.samples[1])) << 16;
    const bool beside = is_inside<uint8_t>(image, kept.beside) ^ image.invert;
    return { (bits ^ (0 - image.invert)) & ALL_LANES >> (WARP - n),
             column == 0 && x > 0 && beside,
             column == row_words - 1 && x + 32 < image.width && beside };
}

/* Of pixels and sums that 32 bits hold, by 256 threads: the candidate of each thread's
 * value; the block then knows the best score. By all threads. */
DEVICE Candidate score_value(Choice &choice, const CudaImage &image,
                             const CudaSmallCounts &counts)
{
    const uint32_t value = threadIdx.x, warp = value / WARP;
    uint32_t h = 0, n = 0, sum = 0, total = 0;
    if (value < 256) {
#pragma unroll
        for (uint32_t i = 0; i < CCA_SMALL_HISTOGRAMS; i++)
            h += __ldcg(&counts.histograms[i][value]);
        n = sum_up_to(h);
        sum = sum_up_to(value * h);
        if (value % WARP == WARP - 1) {
            choice.n[warp] = n;
            choice.sum[warp] = sum;
        }
    }
    __syncthreads();
    Candidate c = no_candidate();
    if (value < 256) {
#pragma unroll
        for (uint32_t i = 0; i < 256 / WARP; i++) {
            n += i < warp ? choice.n[i] : 0;
            sum += i < warp ? choice.sum[i] : 0;
            total += choice.sum[i];
        }
        c = candidate(image, total, { n, sum }, value, h);
        const uint32_t best = warp_max(upper_half(c));
        if (value % WARP == 0)
            atomicMax(&choice.best, best);
    }
    __syncthreads();
    return c;
}

/* Those whose scores are not told apart by their upper halves are compared exactly. */
DEVICE uint32_t best_of_values(Tile &tile, const Candidate &c)
{
    const uint32_t score = upper_half(c);
    if (score > 0 && score + 1 >= tile.choice.best)
        tile.left[atomicAdd(&tile.choice.n_left, 1)] = c;
    __syncthreads();
    Candidate winner = no_candidate();
#pragma unroll 1
    for (uint32_t i = 0; i < tile.choice.n_left; i++) {
        const Candidate other = tile.left[i];
        const bool comes_first = other.threshold < winner.threshold;
        if (i == 0 || (comes_first ? !cca_otsu_is_better(winner.score, other.score) :
                                     cca_otsu_is_better(other.score, winner.score)))
            winner = other;
    }
    __syncthreads(); /* the list's place is free again */
    return threshold_of(winner);
}

/* By all threads. */
DEVICE uint32_t find_threshold(Tile &tile, const CudaImage &image, const CudaSmall &small,
                               const Place &place, Kept &kept)
{
    CudaSmallCounts &counts = *small.counts;
    if (threadIdx.x == 0)
        tile.choice.best = tile.choice.n_left = 0;
    kept = count_tile(tile, image, place);
    tile.counts.add_to(counts.histograms[place.tile % CCA_SMALL_HISTOGRAMS]);
    __syncthreads();
    if (threadIdx.x == 0)
        wait_for_grid(&counts.arrivals, 0);
    __syncthreads();
    return best_of_values(tile, score_value(tile.choice, image, counts));
}

/* Once all blocks have their threshold: for the next frame. By the threads of one block. */
DEVICE void clear_counts(const CudaSmall &small)
{
    uint4 *const counts = (uint4 *) small.counts;
    static_assert(sizeof(CudaSmallCounts) % sizeof(uint4) == 0, "whole vectors");
    for (uint32_t i = threadIdx.x; i < sizeof(CudaSmallCounts) / sizeof(uint4); i += blockDim.x)
        counts[i] = make_uint4(0, 0, 0, 0);
}

} // namespace small

#endif /* CCA_CUDA_SMALL_OTSU_CUH */
