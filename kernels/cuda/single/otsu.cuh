/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Otsu's threshold of bytes within the kernel: each block counts its tile, and then chooses the
 * threshold from the counts of all blocks. This needs no barrier: a block polls the histogram
 * until it contains all pixels. */

#ifndef CCA_CUDA_SINGLE_OTSU_CUH
#define CCA_CUDA_SINGLE_OTSU_CUH

#include "../foreground/choice.cuh"
#include "../foreground/pass.cuh"
#include "barrier.cuh"
#include "pixels.cuh"

namespace single
{

/* A thread's pixels, and the pixel beside them if they are at the tile's side. They stay in
 * registers until the threshold is known. */
struct Kept {
    Samples16<uint8_t> samples[2];
    uint32_t beside;
};

/* Called by all threads. */
DEVICE void clear_bins(Narrow::Counts &counts)
{
    uint4 *const all = (uint4 *) counts.bins;
#pragma unroll 4
    for (uint32_t i = threadIdx.x; i < sizeof(counts) / sizeof(uint4); i += blockDim.x)
        all[i] = make_uint4(0, 0, 0, 0);
}

DEVICE bool is_flat(const Samples16<uint8_t> &s)
{
    return s.w[0] == s.w[1] && s.w[0] == s.w[2] && s.w[0] == s.w[3] &&
           s.w[0] == __funnelshift_l(s.w[0], s.w[0], 8);
}

/* Counts the first `n` samples, by one addition if they are all equal. */
DEVICE void count_unit(Narrow::Counts &counts, const Samples16<uint8_t> &s, const uint32_t n)
{
    const uint32_t lane = threadIdx.x % WARP;
    if (n == CCA_PASS_PIXELS && is_flat(s)) {
        atomicAdd(&counts.bins[s.w[0] & 255][lane], CCA_PASS_PIXELS);
        return;
    }
#pragma unroll
    for (uint32_t i = 0; i < CCA_PASS_PIXELS; i++)
        if (i < n)
            atomicAdd(&counts.bins[get<uint8_t>(s, i)][lane], 1);
}

/* Counts the tile's pixels. The rows above and below are kept but not counted. Called by all
 * threads. */
DEVICE Kept count_tile(Tile<Narrow> &tile, const CudaImage &image, const Place &place)
{
    const uint32_t row = threadIdx.x / Narrow::row_words, column = threadIdx.x % Narrow::row_words;
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
    if (has && (column == 0 || column == Narrow::row_words - 1) && beside < image.width)
        kept.beside = image.data[y * image.stride + beside];
    clear_bins(tile.foreground.counts);
    __syncthreads();
#pragma unroll
    for (uint32_t i = 0; i < 2; i++)
        count_unit(tile.foreground.counts, kept.samples[i], in_tile ? n[i] : 0);
    __syncthreads();
    return kept;
}

/* Index of a value's count in a histogram. Of the 8 values of a lane, the first four are a vector,
 * and so are the last four. */
DEVICE uint32_t count_at(const uint32_t value)
{
    return value / 4 % 2 * 128 + value / 8 * 4 + value % 4;
}

/* Adds the tile's counts to a histogram. Two threads sum up the copies of a value. Called by all
 * threads. */
DEVICE void publish_counts(const Narrow::Counts &counts, uint32_t *const histogram)
{
    constexpr uint32_t each = WARP / 4 / 2;
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < 2 * 256; i += blockDim.x) {
        const uint32_t value = i / 2;
        const uint4 *const copies = (const uint4 *) counts.bins[value] + i % 2 * each;
        uint32_t sum = 0;
#pragma unroll
        for (uint32_t k = 0; k < each; k++) {
            const uint4 v = copies[k ^ value % each]; /* avoids the banks of neighbour values */
            sum += v.x + v.y + v.z + v.w;
        }
        sum += __shfl_xor_sync(ALL_LANES, sum, 1);
        if (i % 2 == 0 && sum > 0)
            add_relaxed(histogram + count_at(value), sum);
    }
}

/* The same result as load_word(), from the kept pixels. */
DEVICE Loaded kept_word(const CudaImage &image, const Kept &kept, const uint32_t column,
                        const uint32_t x)
{
    const uint32_t n = min(32u, image.width - x);
    uint32_t bits = 0;
    if (image.low <= UINT16_MAX)
        bits = (pack16(image, pixels_of<uint8_t>(kept.samples[0])) & 0xffff) |
               pack16(image, pixels_of<uint8_t>(kept.samples[1])) << 16;
    const bool beside = is_inside<uint8_t>(image, kept.beside) ^ image.invert;
    return { (bits ^ (0 - image.invert)) & ALL_LANES >> (WARP - n), column == 0 && x > 0 && beside,
             column == Narrow::row_words - 1 && x + 32 < image.width && beside };
}

/* The counts of a lane's 8 values. */
struct Values {
    uint32_t h[8];
};

/* Waits until all tiles are counted, and loads the counts of the region. Called by a whole warp. */
DEVICE Values load_counts(const CudaImage &image, const CudaSingleCounts &counts)
{
    const uint32_t lane = threadIdx.x % WARP;
    for (;;) {
        const uint64_t since = grid_progress();
        Values values = {};
        uint32_t n = 0;
#pragma unroll
        for (uint32_t half = 0; half < 2; half++) {
            uint4 sum = {};
#pragma unroll
            for (uint32_t i = 0; i < CCA_SINGLE_HISTOGRAMS; i++) {
                const uint4 v =
                    load_relaxed((const uint4 *) counts.histograms[i] + half * WARP + lane);
                sum = make_uint4(sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w);
            }
            values.h[4 * half] = sum.x;
            values.h[4 * half + 1] = sum.y;
            values.h[4 * half + 2] = sum.z;
            values.h[4 * half + 3] = sum.w;
            n += sum.x + sum.y + sum.z + sum.w;
        }
        if (warp_sum(n) == image.width * image.height)
            return values;
        wait_for_blocks(since);
    }
}

/* Scores are rounded to float, with a relative error of some 2^-21. Candidates above this part of
 * the best rounded score are compared exactly. */
#define NEARLY_BEST (1 - 0x1p-18f)

/* Rounded score of a threshold: w pixels with sum q are up to it, of n pixels with sum s. 0 if it
 * is no candidate. Frames here have fewer than 2^23 pixels, so any threshold with two classes is
 * a candidate. */
DEVICE float rough_score(const uint32_t n, const uint32_t s, const uint32_t w, const uint32_t q,
                         const uint32_t h)
{
    if (h == 0 || w == n)
        return 0;
    const float a = (float) ((uint64_t) w * s - (uint64_t) n * q);
    return __fdividef(a * a, (float) w * (float) (n - w));
}

/* Called by a whole warp. Rarely is more than one value left for the exact comparison. */
DEVICE uint32_t best_threshold(const CudaImage &image, const Values &values)
{
    const uint32_t lane = threadIdx.x % WARP, n = image.width * image.height;
    uint32_t own_w = 0, own_q = 0;
#pragma unroll
    for (uint32_t k = 0; k < 8; k++) {
        own_w += values.h[k];
        own_q += (8 * lane + k) * values.h[k];
    }
    const uint32_t up_to_w = warp_sum_up_to(own_w), up_to_q = warp_sum_up_to(own_q);
    const uint32_t total = __shfl_sync(ALL_LANES, up_to_q, WARP - 1);

    float score[8], best = 0;
    uint32_t w = up_to_w - own_w, q = up_to_q - own_q;
#pragma unroll
    for (uint32_t k = 0; k < 8; k++) {
        w += values.h[k];
        q += (8 * lane + k) * values.h[k];
        score[k] = rough_score(n, total, w, q, values.h[k]);
        best = fmaxf(best, score[k]);
    }
    /* The bits of floats that are not negative have the order of their values. */
    best = __uint_as_float(warp_max(__float_as_uint(best)));
    uint32_t left = 0;
#pragma unroll
    for (uint32_t k = 0; k < 8; k++)
        left |= (uint32_t) (score[k] > 0 && score[k] >= best * NEARLY_BEST) << k;

    Candidate winner = no_candidate();
#pragma unroll 1
    for (uint32_t lanes = __ballot_sync(ALL_LANES, left != 0); lanes != 0; lanes &= lanes - 1) {
        const uint32_t leader = __ffs(lanes) - 1;
        const uint32_t leaders = __shfl_sync(ALL_LANES, left, leader);
        if ((lanes & (lanes - 1)) == 0 && (leaders & (leaders - 1)) == 0 &&
            winner.threshold == UINT32_MAX)
            return 8 * leader + __ffs(leaders) - 1;
#pragma unroll 1
        for (uint32_t rest = leaders; rest != 0; rest &= rest - 1) {
            w = up_to_w - own_w;
            q = up_to_q - own_q;
#pragma unroll
            for (uint32_t k = 0; k < 8; k++)
                if (lowest_bit(rest) >> k > 0) {
                    w += values.h[k];
                    q += (8 * lane + k) * values.h[k];
                }
            const Moments below = { __shfl_sync(ALL_LANES, w, leader),
                                    __shfl_sync(ALL_LANES, q, leader) };
            take_better(winner, candidate(image, total, below, 8 * leader + __ffs(rest) - 1, 1));
        }
    }
    return threshold_of(winner);
}

/* Called by all threads. */
DEVICE uint32_t find_threshold(Tile<Narrow> &tile, const CudaImage &image, const CudaSingle &small,
                               const Place &place, Kept &kept)
{
    CudaSingleCounts &counts = *small.counts;
    kept = count_tile(tile, image, place);
    publish_counts(tile.foreground.counts, counts.histograms[place.tile % CCA_SINGLE_HISTOGRAMS]);
    if (threadIdx.x / WARP == 0) {
        const uint32_t best = best_threshold(image, load_counts(image, counts));
        if (threadIdx.x == 0)
            tile.threshold = best;
    }
    __syncthreads();
    return tile.threshold;
}

/* Clears the counts for the next frame, once all blocks have their threshold. Called by all threads
 * of one block. */
DEVICE void clear_counts(const CudaSingle &small)
{
    uint4 *const counts = (uint4 *) small.counts;
    static_assert(sizeof(CudaSingleCounts) % sizeof(uint4) == 0, "whole vectors");
    for (uint32_t i = threadIdx.x; i < sizeof(CudaSingleCounts) / sizeof(uint4); i += blockDim.x)
        counts[i] = make_uint4(0, 0, 0, 0);
}

} // namespace single

#endif /* CCA_CUDA_SINGLE_OTSU_CUH */
