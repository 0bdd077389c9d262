/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Measures the components of a tile: moments, intensity and shape. Each lane has a column of words,
 * and sums up the pixels of consecutive rows that belong to the same component. */

#ifndef CCA_CUDA_SUPER_MEASURE_CUH
#define CCA_CUDA_SUPER_MEASURE_CUH

#include "../tiled/votes.cuh"
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

/* Sums of a component. Those of a strip fit in 32 bits. */
struct Sums {
    uint32_t v[n_sums];
    uint32_t flags; /* CcaFeatureFlags: the sums of the others are not used */
};
static_assert((uint64_t) CCA_SUPER_STRIP_ROWS * width * (width / 2) * (width / 2) <= 1ull << 32,
              "XX, which is less");
static_assert((uint64_t) CCA_SUPER_STRIP_ROWS * width * (max_rows - 1) * (max_rows - 1) <=
                  UINT32_MAX,
              "YY");
static_assert((uint64_t) CCA_SUPER_STRIP_ROWS * (width * (width - 1) / 2) * (max_rows - 1) <=
                  UINT32_MAX,
              "XY");

/* The sums that a feature needs. */
DEVICE constexpr bool is_of(const int sum, const uint32_t flags)
{
    return flags & (sum <= YY        ? CCA_FEATURES_MOMENTS :
                    sum <= DIAGONALS ? CCA_FEATURES_SHAPE :
                                       CCA_FEATURES_INTENSITY);
}

/* Position of a sum's carries; -1: it fits in 32 bits. */
DEVICE constexpr int carry_shift(const int sum)
{
    return sum == XX ? 0 :
           sum == XY ? 4 :
           sum == YY ? 8 :
           sum == VV ? 12 :
           sum == VX ? 16 :
           sum == VY ? 20 :
                       -1;
}

/* Adds to the slot of a component. */
DEVICE void cast_vote(MeasureSlots &slots, const uint32_t slot, const Sums &sums)
{
#pragma unroll
    for (int k = 0; k < n_sums; k++) {
        const uint32_t v = sums.v[k];
        if (!is_of(k, sums.flags) || v == 0)
            continue;
        uint32_t *const to = slots.words[k] + slot;
        if (k >= NOT_MIN) {
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

/* Sums up those of the lanes with `mine`. Called by a whole warp. */
DEVICE Sums reduce_votes(const Sums &sums, const bool mine)
{
    Sums all = { {}, sums.flags };
#pragma unroll
    for (int k = 0; k < n_sums; k++)
        if (is_of(k, sums.flags))
            all.v[k] = k >= NOT_MIN ? warp_max(mine ? sums.v[k] : 0) :
                                      warp_sum(mine ? sums.v[k] : 0);
    return all;
}

/* Index in the region of a pixel of the tile, given the complement of that in the tile. */
DEVICE uint32_t index_of(const CudaImage &image, const Place &place, const uint32_t complement)
{
    const uint32_t at = (1u << peak_bits) - 1 - complement;
    return (place.y0 + at / width) * image.width + place.x0 + at % width;
}

/* The sums in the slot of a component, in pixels of the region. */
DEVICE CudaMeasured measured_in_slot(const Tile &tile, const CudaImage &image, const Place &place,
                                     const uint32_t i)
{
    const uint32_t carries = tile.measured.words[CARRIES][i];
    uint64_t v[n_sums];
#pragma unroll
    for (int k = 0; k < n_sums; k++) {
        v[k] = tile.measured.words[k][i];
        if (carry_shift(k) >= 0)
            v[k] += (uint64_t) (carries >> max(carry_shift(k), 0) & 15) << 32;
    }
    const uint64_t middle = width / 2;
    const Origin origin = { place.x0, place.y0, tile.slots.area[i], tile.slots.sum_x[i],
                            tile.slots.sum_y[i] };
    CudaMeasured r = {};
    r.sums[CUDA_SUM_XX] = v[XX] + middle * (2 * origin.sum_x - middle * origin.area);
    r.sums[CUDA_SUM_XY] = v[XY];
    r.sums[CUDA_SUM_YY] = v[YY];
    r.sums[CUDA_SUM_PAIRS] = v[PAIRS];
    r.sums[CUDA_SUM_SQUARES] = v[SQUARES];
    r.sums[CUDA_SUM_DIAGONALS] = v[DIAGONALS];
    r.sums[CUDA_SUM_V] = v[V];
    r.sums[CUDA_SUM_VV] = v[VV];
    r.sums[CUDA_SUM_VX] = v[VX];
    r.sums[CUDA_SUM_VY] = v[VY];
    move_sums(r.sums, origin);
    const uint32_t peak = (uint32_t) v[PEAK];
    r.peak = (uint64_t) (peak >> peak_bits) << 32 |
             (UINT32_MAX - index_of(image, place, peak & ((1u << peak_bits) - 1)));
    r.not_v_min = v[NOT_MIN];
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

/* --- pixels ---------------------------------------------------------------- */

/* 16 pixels, of which `n` are inside the region. Nothing is read to the right of them. */
DEVICE uint4 load_sixteen(const uint8_t *const p, const uint32_t n)
{
    if (n == 16 && ((uintptr_t) p & 15) == 0)
        return *(const uint4 *) p;
    uint32_t words[4] = {};
#pragma unroll
    for (uint32_t i = 0; i < 16; i++)
        if (i < n)
            words[i / 4] |= (uint32_t) p[i] << i % 4 * 8;
    return make_uint4(words[0], words[1], words[2], words[3]);
}

/* Intensity of the pixels of a run, which is in one word. */
struct Intensity {
    uint32_t v, vv, vx, not_min;
    uint32_t peak; /* the maximum of v << 8 | 31 - x */
};

/* Adds 16 pixels, of which those with `bits` are in the run, whose word begins `x` before. */
DEVICE void add_sixteen(Intensity &sum, uint32_t &peaks, uint32_t &not_mins, const uint4 &pixels,
                        const uint32_t bits, const uint32_t x)
{
    const uint32_t words[4] = { pixels.x, pixels.y, pixels.z, pixels.w };
#pragma unroll
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t first = x + 4 * k, in = spread_bits(bits >> 4 * k & 15);
        const uint32_t v = words[k] & in, not_v = ~words[k] & in;
        sum.v = __dp4a(v, 0x01010101u, sum.v);
        sum.vv = __dp4a(v, v, sum.vv);
        sum.vx = __dp4a(v, 0x03020100u + first * 0x01010101u, sum.vx);
        const uint32_t places = 0x1c1d1e1fu - first * 0x01010101u;
        peaks = max_of_pairs(peaks, __byte_perm(v, places, 0x1504), __byte_perm(v, places, 0x3726));
        not_mins = max_of_pairs(not_mins, not_v & 0x00ff00ffu, not_v >> 8 & 0x00ff00ffu);
    }
}

DEVICE Intensity intensity_of(const uint8_t *const row, const uint32_t run, const uint32_t inside)
{
    Intensity sum = {};
    uint32_t peaks = 0, not_mins = 0;
    if (run & UINT16_MAX)
        add_sixteen(sum, peaks, not_mins, load_sixteen(row, min(inside, 16u)), run & UINT16_MAX, 0);
    if (run >> 16)
        add_sixteen(sum, peaks, not_mins, load_sixteen(row + 16, min(inside - 16, 16u)), run >> 16,
                    16);
    sum.peak = max(peaks & UINT16_MAX, peaks >> 16);
    sum.not_min = max(not_mins & UINT16_MAX, not_mins >> 16) | ~255u;
    if (sum.peak >> 8 == 0) /* pixels outside the run have the value 0, too */
        sum.peak = 32 - __ffs(run);
    return sum;
}

/* --- a row ----------------------------------------------------------------- */

/* A lane's word, its neighbour words, and the same of the row above. */
struct Around {
    uint32_t word, left, right;
};

/* The lane's word of a row, and for the first and the last lane that of the tile beside it. */
struct Loaded {
    uint64_t word;
    uint32_t beside;
};

DEVICE uint64_t load_word(const CudaSuper &s, const Place &place, const int32_t column,
                          const int32_t row)
{
    return __ldcg((const unsigned long long *) word_place(s, place, column, row));
}

DEVICE Loaded load_row(const CudaSuper &s, const Place &place, const int32_t row, const bool shape)
{
    const int32_t lane = (int32_t) (threadIdx.x % WARP);
    const bool beside = lane == 0 ? place.left : lane == WARP - 1 && place.right;
    Loaded v = { load_word(s, place, lane, row), 0 };
    if (shape && beside)
        v.beside = (uint32_t) load_word(s, place, lane == 0 ? -1 : WARP, row);
    return v;
}

/* Called by a whole warp. */
DEVICE Around around(const Loaded &v)
{
    const uint32_t lane = threadIdx.x % WARP, word = (uint32_t) v.word;
    Around a = { word, __shfl_up_sync(ALL_LANES, word, 1), __shfl_down_sync(ALL_LANES, word, 1) };
    if (lane == 0)
        a.left = v.beside;
    if (lane == WARP - 1)
        a.right = v.beside;
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

/* Counts squares of 2x2 pixels, each at the last pixel of the run that it has. */
DEVICE void add_shape(Tile &tile, const CudaImage &image, const CudaSuper &s, const Place &place,
                      Sums &sums, const uint32_t run, const uint32_t y, const Around &own,
                      const Around &above, const uint32_t i)
{
    const uint32_t left = own.word << 1 | own.left >> 31;
    const uint32_t above_left = above.word << 1 | above.left >> 31;
    const uint32_t above_right = above.word >> 1 | above.right << 31;
    const uint32_t right = own.word >> 1 | own.right << 31;
    const uint32_t to_left = run & above_left & ~left & ~above.word;
    const uint32_t to_right = run & above_right & ~right & ~above.word;
    sums.v[PAIRS] += __popc(run & left) + __popc(run & above.word);
    sums.v[SQUARES] += __popc(run & left & above.word & above_left);
    if (image.corner)
        sums.v[DIAGONALS] += __popc(to_left) + __popc(to_right);
    else if (to_left | to_right) {
        const uint32_t root = root_of(tile, i);
        sums.v[DIAGONALS] += count_diagonals(tile, s, place, to_left, -1, y, root) +
                             count_diagonals(tile, s, place, to_right, 1, y, root);
    }
}

/* `x` and `y` are of the word's first pixel in the tile. */
DEVICE void add_moments(Sums &sums, const uint32_t run, const uint32_t x, const uint32_t y)
{
    const uint32_t n = __popc(run), first = x + __ffs(run) - 1, from = first - width / 2;
    const uint32_t pairs = n * (n - 1);
    sums.v[XX] += n * from * from + from * pairs + pairs * (2 * n - 1) / 6;
    sums.v[XY] += y * (n * first + pairs / 2);
    sums.v[YY] += y * y * n;
}

DEVICE void add_intensity(Sums &sums, const CudaImage &image, const CudaMeasure &m,
                          const Place &place, const uint32_t run, const uint32_t x,
                          const uint32_t y)
{
    const uint8_t *const row = m.pixels + (place.y0 + y) * m.stride + place.x0 + x;
    const Intensity v = intensity_of(row, run, min(32u, image.width - place.x0 - x));
    sums.v[V] += v.v;
    sums.v[VV] += v.vv;
    sums.v[VX] += v.vx + x * v.v;
    sums.v[VY] += y * v.v;
    sums.v[NOT_MIN] = max(sums.v[NOT_MIN], v.not_min);
    sums.v[PEAK] = max(sums.v[PEAK],
                       v.peak >> 8 << peak_bits |
                           ((1u << peak_bits) - 1 - (y * width + x + 31 - (v.peak & 255))));
}

/* Called by all threads. */
DEVICE void measure_strip(Tile &tile, const CudaImage &image, const CudaSuper &s,
                          const CudaMeasure &m, const Place &place)
{
    const uint32_t lane = threadIdx.x % WARP, x = lane * 32;
    const bool shape = m.flags & CCA_FEATURES_SHAPE;
    uint32_t last = none; /* the component that `sums` is of */
    Sums sums = { {}, m.flags };
    Around above = {};
    if (shape && place.strip_rows > 0 && (place.strip_row > 0 || place.above))
        above = around(load_row(s, place, (int32_t) place.strip_row - 1, shape));
#pragma unroll 1
    for (uint32_t y = place.strip_row; y < place.strip_row + place.strip_rows; y++) {
        const Loaded loaded = load_row(s, place, (int32_t) y, shape);
        uint32_t node = (uint32_t) (loaded.word >> 32) - place.tile * n_nodes;
        const Around own = shape ? around(loaded) : Around{ (uint32_t) loaded.word, 0, 0 };
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
                    add_moments(sums, run, x, y);
                if (m.flags & CCA_FEATURES_INTENSITY)
                    add_intensity(sums, image, m, place, run, x, y);
                if (shape)
                    add_shape(tile, image, s, place, sums, run, y, own, above, i);
                rest &= rest - 1;
            }
        }
        above = own;
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
