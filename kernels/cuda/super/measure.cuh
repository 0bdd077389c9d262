/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Measures the components of a tile: moments, intensity and shape. Each lane has a column of words,
 * and sums up the pixels of consecutive rows that belong to the same component. */

#ifndef CCA_CUDA_SUPER_MEASURE_CUH
#define CCA_CUDA_SUPER_MEASURE_CUH

#include "labels.cuh"

namespace super
{

/* --- before the first barrier ---------------------------------------------- */

/* Publishes the components of the strip's nodes, for those that touch them from other tiles. */
DEVICE void publish_numbers(const Tile &tile, const CudaSuper &s, const Place &place,
                            const Strip &strip)
{
#pragma unroll 1
    for (uint32_t i = strip.begin + threadIdx.x % WARP; i < strip.end; i += WARP)
        s.numbers[place.tile * n_nodes + i] = (uint16_t) number_of(tile, i);
}

/* --- components ------------------------------------------------------------ */

/* After the records and labels, components of the tile with the same root share the slot of one of
 * them, their representative. These tables have other uses then. */
DEVICE uint32_t &root_of(Tile &tile, const uint32_t i)
{
    return tile.slots.min_x[i];
}

DEVICE uint32_t &representative(Tile &tile, const uint32_t i)
{
    return tile.slots.max_y[i];
}

/* Finds or makes the entry of a root; returns `none` if there is no room. */
DEVICE uint32_t enter_root(Tile &tile, const uint32_t root, const uint32_t i)
{
    static_assert(n_shared_roots == 1u << (32 - 22), "");
    constexpr uint32_t max_tries = 8;
    uint32_t at = root * 0x9e3779b1u >> 22;
    for (uint32_t tries = 0; tries < max_tries; tries++, at = (at + 1) % n_shared_roots) {
        const uint32_t old = atomicCAS(tile.roots + at, UINT32_MAX, root);
        if (old == UINT32_MAX)
            tile.root_numbers[at] = (uint16_t) i;
        if (old == UINT32_MAX || old == root)
            return at;
    }
    return none;
}

/* Called by all threads. */
DEVICE void choose_representatives(Tile &tile, const CudaSuper &s, const Place &place,
                                   const uint32_t n)
{
    for (uint32_t i = threadIdx.x; i < n_shared_roots; i += blockDim.x)
        tile.roots[i] = UINT32_MAX;
    __syncthreads();
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
        const uint32_t node = frame_node(place.tile, i);
        uint32_t root = node, at = none;
        if (tile.slots.first[i] & first_is_open) {
            root = (uint32_t) find_in_frame(s.parent, node, load_relaxed(s.parent + node));
            at = enter_root(tile, root, i);
        }
        root_of(tile, i) = root;
        representative(tile, i) = at;
    }
    __syncthreads();
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
        const uint32_t at = representative(tile, i), to = at != none ? tile.root_numbers[at] : i;
        representative(tile, i) = to;
        if (to != i) {
            atomicAdd(tile.slots.area + to, tile.slots.area[i]);
            atomicAdd(tile.slots.sum_x + to, tile.slots.sum_x[i]);
            atomicAdd(tile.slots.sum_y + to, tile.slots.sum_y[i]);
        }
    }
}

/* --- sums ------------------------------------------------------------------ */

static_assert((uint64_t) CCA_SUPER_STRIP_ROWS * width * (width / 2) * (width / 2) <= 1ull << 32,
              "CUDA_SUM_XX, which is less");
static_assert((uint64_t) CCA_SUPER_STRIP_ROWS * width * (max_rows - 1) * (max_rows - 1) <=
                  UINT32_MAX,
              "CUDA_SUM_YY");
static_assert((uint64_t) CCA_SUPER_STRIP_ROWS * (width * (width - 1) / 2) * (max_rows - 1) <=
                  UINT32_MAX,
              "CUDA_SUM_XY");

/* Position of a sum's carries; -1: it fits in 32 bits. */
DEVICE constexpr int carry_shift(const int sum)
{
    return sum == CUDA_SUM_XX ? 0 :
           sum == CUDA_SUM_XY ? 4 :
           sum == CUDA_SUM_YY ? 8 :
           sum == CUDA_SUM_VV ? 12 :
           sum == CUDA_SUM_VX ? 16 :
           sum == CUDA_SUM_VY ? 20 :
                                -1;
}

/* Adds to the slot of a component. */
DEVICE void cast_vote(MeasureSlots &slots, const uint32_t slot, const PixelSums &sums)
{
#pragma unroll
    for (int k = 0; k < n_pixel_sums; k++) {
        const uint32_t v = sums.v[k];
        if (!is_of(k, sums.flags) || v == 0)
            continue;
        uint32_t *const to = slots.words[k] + slot;
        if (k >= SUM_NOT_MIN) {
            if (v > load_shared(to))
                atomicMax(to, v);
        } else if (carry_shift(k) < 0) {
            atomicAdd(to, v);
        } else {
            const uint32_t old = atomicAdd(to, v);
            if (old + v < old)
                atomicAdd(slots.words[CARRIES] + slot, 1u << carry_shift(k));
        }
    }
}

/* The sums in the slot of a component, in pixels of the region. */
DEVICE CudaMeasured measured_in_slot(const Tile &tile, const CudaImage &image, const Place &place,
                                     const uint32_t i)
{
    const uint32_t carries = tile.measured.words[CARRIES][i];
    CudaMeasured r = {};
#pragma unroll
    for (int k = 0; k < CUDA_N_SUMS; k++) {
        r.sums[k] = tile.measured.words[k][i];
        if (carry_shift(k) >= 0)
            r.sums[k] += (uint64_t) (carries >> max(carry_shift(k), 0) & 15) << 32;
    }
    const uint64_t middle = width / 2;
    const Origin origin = { place.x0, place.y0, tile.slots.area[i], tile.slots.sum_x[i],
                            tile.slots.sum_y[i] };
    r.sums[CUDA_SUM_XX] += middle * (2 * origin.sum_x - middle * origin.area);
    move_sums(r.sums, origin);
    r.not_v_min = tile.measured.words[SUM_NOT_MIN][i];
    r.peak = peak_in_region(tile.measured.words[SUM_PEAK][i], image, place.x0, place.y0, width);
    return r;
}

/* The sums of a root of the frame. */
DEVICE CudaMeasured &measured_of(const CudaSuper &s, const uint32_t root)
{
    static_assert(n_measured == CCA_SUPER_MEASURED, "");
    return s.measured[root / n_slots * n_measured + root % n_slots];
}

DEVICE void add_to_frame(CudaMeasured &to, const CudaMeasured &r)
{
#pragma unroll
    for (int k = 0; k < CUDA_N_SUMS; k++)
        if (r.sums[k] != 0)
            atomicAdd((unsigned long long *) to.sums + k, (unsigned long long) r.sums[k]);
    atomicMax((unsigned long long *) &to.peak, (unsigned long long) r.peak);
    atomicMax((unsigned long long *) &to.not_v_min, (unsigned long long) r.not_v_min);
}

/* --- a row ----------------------------------------------------------------- */

DEVICE uint64_t load_word(const CudaSuper &s, const Place &place, const int32_t column,
                          const int32_t row)
{
    return __ldcg((const unsigned long long *) word_place(s, place, column, row));
}

/* A lane's word of a row with its first node in the tile, and if the shape is measured the words
 * beside it. */
struct Around {
    uint32_t word, node;
    uint32_t left, right;
};

/* Called by a whole warp. */
DEVICE Around load_row(const CudaSuper &s, const Place &place, const int32_t row, const bool shape)
{
    const uint32_t lane = threadIdx.x % WARP;
    const bool first = lane == 0, last = lane == WARP - 1;
    const uint64_t v = load_word(s, place, (int32_t) lane, row);
    Around a = { (uint32_t) v, (uint32_t) (v >> 32) - place.tile * n_nodes, 0, 0 };
    if (!shape)
        return a;
    uint32_t beside = 0; /* in another tile */
    if (first ? place.left : last && place.right)
        beside = (uint32_t) load_word(s, place, first ? -1 : WARP, row);
    a.left = __shfl_up_sync(ALL_LANES, a.word, 1);
    a.right = __shfl_down_sync(ALL_LANES, a.word, 1);
    if (first)
        a.left = beside;
    if (last)
        a.right = beside;
    return a;
}

/* The root of the component at a pixel, which is in the tile or next to it. */
DEVICE uint32_t root_at(Tile &tile, const CudaSuper &s, const Place &place, const int32_t x,
                        const int32_t y)
{
    const uint64_t word = load_word(s, place, x >> 5, y);
    const uint32_t node = run_node((uint32_t) word, (uint32_t) (word >> 32), 1u << (x & 31));
    if (node / n_nodes == place.tile)
        return root_of(tile, number_of(tile, node % n_nodes));
    const uint32_t other = frame_node(node / n_nodes, __ldcg(s.numbers + node));
    return (uint32_t) find_in_frame(s.parent, other, load_relaxed(s.parent + other));
}

/* Counts the diagonals from the pixels of `from` to those above, on their left or right, that
 * belong to the same component. */
DEVICE uint32_t count_diagonals(Tile &tile, const CudaSuper &s, const Place &place,
                                const uint32_t from, const int32_t side, const uint32_t y,
                                const uint32_t root)
{
    uint32_t n = 0;
#pragma unroll 1
    for (uint32_t rest = from; rest != 0; rest &= rest - 1) {
        const int32_t x = (int32_t) (threadIdx.x % WARP * 32 + __ffs(rest)) - 1 + side;
        n += root_at(tile, s, place, x, (int32_t) y - 1) == root;
    }
    return n;
}

DEVICE void measure_shape(Tile &tile, const CudaImage &image, const CudaSuper &s,
                          const Place &place, PixelSums &sums, const uint32_t run, const uint32_t y,
                          const Around &own, const Around &above, const uint32_t i)
{
    const Neighbours n = neighbours_of(own.word, own.left, own.right, above.word, above.left,
                                       above.right);
    const Diagonals d = add_shape(sums, run, n, image.corner);
    if (image.corner || (d.to_left | d.to_right) == 0)
        return;
    const uint32_t root = root_of(tile, i);
    sums.v[CUDA_SUM_DIAGONALS] += count_diagonals(tile, s, place, d.to_left, -1, y, root) +
                                  count_diagonals(tile, s, place, d.to_right, 1, y, root);
}

/* From the last row up, because the frame's pixels that were read last are still in the cache.
 * Called by all threads. */
DEVICE void measure_strip(Tile &tile, const CudaImage &image, const CudaSuper &s,
                          const CudaMeasure &m, const Place &place)
{
    const uint32_t x = threadIdx.x % WARP * 32, begin = place.strip_row;
    const bool shape = m.flags & CCA_FEATURES_SHAPE;
    uint32_t last = none; /* the component that `sums` is of */
    PixelSums sums = { {}, m.flags };
#pragma unroll 1
    for (uint32_t y = begin + place.strip_rows; y-- > begin;) {
        const Around own = load_row(s, place, (int32_t) y, shape);
        Around above = {};
        if (shape && (y > 0 || place.above))
            above = load_row(s, place, (int32_t) y - 1, shape);
        uint32_t node = own.node;
        uint32_t rest = starts_of(own.word);
        while (__any_sync(ALL_LANES, rest != 0)) {
            const uint32_t i = rest != 0 ? representative(tile, number_of(tile, node++)) : last;
            const bool ends = i != last && last != none;
            if (__any_sync(ALL_LANES, ends)) {
                vote_together(tile.measured, ends, last, sums);
                if (ends)
                    sums = { {}, m.flags };
            }
            last = i;
            if (rest != 0) {
                const uint32_t run = run_from(own.word, lowest_bit(rest));
                if (m.flags & CCA_FEATURES_MOMENTS)
                    add_moments(sums, run, x, y, width / 2);
                if (m.flags & CCA_FEATURES_INTENSITY)
                    add_intensity(sums,
                                  load_pixels(m, image.width, place.x0 + x, place.y0 + y, run),
                                  width, run, x, y);
                if (shape)
                    measure_shape(tile, image, s, place, sums, run, y, own, above, i);
                rest &= rest - 1;
            }
        }
    }
    vote_together(tile.measured, last != none, last, sums);
}

/* --- a tile ---------------------------------------------------------------- */

DEVICE void clear_measured(MeasureSlots &slots, const uint32_t n)
{
#pragma unroll
    for (int k = 0; k < n_sum_words; k++)
        for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
            slots.words[k][i] = 0;
}

/* Adds the slots of open components to their roots. */
DEVICE void add_slots(Tile &tile, const CudaImage &image, const CudaSuper &s, const Place &place,
                      const uint32_t n)
{
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
        if (tile.slots.first[i] & first_is_open && representative(tile, i) == i)
            add_to_frame(measured_of(s, root_of(tile, i)), measured_in_slot(tile, image, place, i));
}

/* Takes what all blocks have added to a root, and leaves 0. */
DEVICE CudaMeasured take_measured(CudaMeasured &from)
{
    CudaMeasured r;
#pragma unroll
    for (int k = 0; k < CUDA_N_SUMS; k++)
        r.sums[k] = load_relaxed(from.sums + k);
    r.peak = load_relaxed(&from.peak);
    r.not_v_min = load_relaxed(&from.not_v_min);
    from = {};
    return r;
}

/* Writes the features of the components that begin in the tile. Called by all threads. */
DEVICE void write_features(Tile &tile, const CudaImage &image, const CudaSuper &s,
                           const CudaCompact &compact, const CudaMeasure &m, const Place &place,
                           const uint32_t n)
{
    constexpr uint32_t n_stages = sizeof(tile.feature_stages) / sizeof(tile.feature_stages[0]);
    const uint32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const uint32_t n_writers = min(n_stages, blockDim.x / WARP) * WARP;
    if (warp >= n_stages)
        return;
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i - lane < n; i += n_writers) {
        const uint32_t first = i < n ? tile.slots.first[i] : first_is_open;
        uint32_t to = UINT32_MAX;
        if (!(first & first_is_open) || first & first_begins) {
            const uint32_t node = frame_node(place.tile, i);
            const bool open = first & first_is_open;
            const CudaMeasured r = open ? take_measured(measured_of(s, node)) :
                                          measured_in_slot(tile, image, place, i);
            const uint32_t row = place.y0 + (first & first_mask) / width;
            const uint32_t rank = rank_of(tile, i);
            if (tile.counted[i / WARP] >> lane & 1 && rank < compact.max_components) {
                to = rank;
                const Features f = open ? open_features(load_open(s.open + node), row) :
                                          closed_features(tile, place, i);
                stage_record(tile.feature_stages[warp], make_features(image, m, r, f));
            }
        }
        write_staged(m.records, tile.feature_stages[warp], to);
    }
}

/* Measures the components, after the records and labels. Called by all threads. */
DEVICE void measure(Tile &tile, const CudaImage &image, const CudaSuper &s,
                    const CudaCompact &compact, const CudaMeasure &m, const Place &place,
                    const uint32_t n, const bool any_open)
{
    __syncthreads();
    if (n > 0) {
        clear_measured(tile.measured, n);
        choose_representatives(tile, s, place, n);
        __syncthreads();
        measure_strip(tile, image, s, m, place);
        __syncthreads();
        add_slots(tile, image, s, place, n);
    }
    if (any_open)
        meet_grid(tile, &s.counters->measured);
    else
        __syncthreads();
    write_features(tile, image, s, compact, m, place, n);
}

} // namespace super

#endif /* CCA_CUDA_SUPER_MEASURE_CUH */
