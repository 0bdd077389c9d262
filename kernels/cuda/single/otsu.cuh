/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Otsu's threshold of bytes, found on the way: the blocks count their tiles, and each then
 * chooses by what all have counted. No barrier: who sees the counts of all pixels has
 * nothing to wait for. */

#ifndef CCA_CUDA_SINGLE_OTSU_CUH
#define CCA_CUDA_SINGLE_OTSU_CUH

#include "../foreground/choice.cuh"
#include "../foreground/pass.cuh"
#include "barrier.cuh"
#include "pixels.cuh"

namespace single {

/* A thread's pixels, and the one beside them where they are at the tile's side: kept until
 * there is a threshold. */
struct Kept {
    Samples16<uint8_t> samples[2];
    uint32_t beside;
};

/* By all threads. */
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

/* The first `n` samples; all at once if they are the same. */
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

/* Counts the tile's pixels; rows above and below are kept alone. By all threads. */
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

/* Where a value's count is in a histogram: four values of each lane are a vector, so are
 * its next four. */
DEVICE uint32_t count_at(const uint32_t value)
{
    return value / 4 % 2 * 128 + value / 8 * 4 + value % 4;
}

/* Adds the tile's counts to a histogram; two threads have a value. By all threads. */
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
            const uint4 v = copies[k ^ value % each]; /* other banks than its neighbours */
            sum += v.x + v.y + v.z + v.w;
        }
        sum += __shfl_xor_sync(ALL_LANES, sum, 1);
        if (i % 2 == 0 && sum > 0)
            add_relaxed(histogram + count_at(value), sum);
    }
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
             column == Narrow::row_words - 1 && x + 32 < image.width && beside };
}

/* A lane's values: of 8 the counts. */
struct Values {
    uint32_t h[8];
};

/* Of the whole region, by a warp: waits until all tiles are counted. */
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
                const uint4 v = load_relaxed((const uint4 *) counts.histograms[i] +
                                             half * WARP + lane);
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

/* A score as rounded, and how much less of the best one may be better in truth: what is
 * rounded off is some 2^-21 of each. */
#define NEARLY_BEST (1 - 0x1p-18f)

/* Of w pixels that sum up to q, among n that sum up to s; 0 if there is no candidate. As
 * small frames have fewer than 2^23 pixels, two classes are all it takes to be one. */
DEVICE float rough_score(const uint32_t n, const uint32_t s, const uint32_t w,
                         const uint32_t q, const uint32_t h)
{
    if (h == 0 || w == n)
        return 0;
    const float a = (float) ((uint64_t) w * s - (uint64_t) n * q);
    return __fdividef(a * a, (float) w * (float) (n - w));
}

/* By a warp: hardly ever more than one value is left to be compared exactly. */
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
    /* numbers that are not negative are in the order of their bits */
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
            take_better(winner,
                        candidate(image, total, below, 8 * leader + __ffs(rest) - 1, 1));
        }
    }
    return threshold_of(winner);
}

/* By all threads. */
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

/* Once all blocks have their threshold: for the next frame. By the threads of one block. */
DEVICE void clear_counts(const CudaSingle &small)
{
    uint4 *const counts = (uint4 *) small.counts;
    static_assert(sizeof(CudaSingleCounts) % sizeof(uint4) == 0, "whole vectors");
    for (uint32_t i = threadIdx.x; i < sizeof(CudaSingleCounts) / sizeof(uint4); i += blockDim.x)
        counts[i] = make_uint4(0, 0, 0, 0);
}

} // namespace single

#endif /* CCA_CUDA_SINGLE_OTSU_CUH */
