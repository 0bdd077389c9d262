/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Measures the components of a tile: moments, intensity and shape. Squares of 2x2 pixels that
 * reach into other tiles are counted where tiles are merged. */

#ifndef CCA_CUDA_MEASURE_CUH
#define CCA_CUDA_MEASURE_CUH

#include "../compact/sums.cuh"
#include "number.cuh"
#include "votes.cuh"

static_assert(CCA_TILE_DIAGONALS == CCA_TILE_WIDTH * CCA_TILE_HEIGHT, "");
static_assert(CCA_TILE_WIDTH * CCA_TILE_HEIGHT == 1 << 13, "index in CUDA_WORD_PEAK");

DEVICE bool is_maximum(const int word)
{
    return word == CUDA_WORD_NOT_V_MIN || word == CUDA_WORD_PEAK;
}

/* Sums of the components with slots. */
struct MeasureSlots {
    uint32_t words[CUDA_N_WORDS][SLOTS];
    uint32_t n_diagonals; /* of the tile, in CudaMeasure.diagonals */
};

/* The same of some pixels. Only the words in [from, to) are valid. */
struct Measurement {
    uint32_t words[CUDA_N_WORDS];
    uint32_t from, to;
};

template <typename S> DEVICE void clear_slots(MeasureSlots &slots, const CudaMeasure &m)
{
    uint32_t *const words = slots.words[0];
#pragma unroll 1
    for (uint32_t i = m.from * SLOTS + threadIdx.x; i < m.to * SLOTS; i += S::threads)
        words[i] = 0;
}

DEVICE void cast_vote(MeasureSlots &slots, const uint32_t slot, const Measurement &v)
{
#pragma unroll
    for (int k = 0; k < CUDA_N_WORDS; k++) {
        if (k < (int) v.from || k >= (int) v.to)
            continue;
        if (is_maximum(k))
            atomicMax(slots.words[k] + slot, v.words[k]);
        else
            atomicAdd(slots.words[k] + slot, v.words[k]);
    }
}

DEVICE Measurement sum_up(const Measurement &v, const bool mine)
{
    Measurement sum;
#pragma unroll
    for (int k = 0; k < CUDA_N_WORDS; k++)
        if (k >= (int) v.from && k < (int) v.to)
            sum.words[k] = is_maximum(k) ? warp_max(mine ? v.words[k] : 0) :
                                           warp_sum(mine ? v.words[k] : 0);
    sum.from = v.from;
    sum.to = v.to;
    return sum;
}

/* --- pixels --------------------------------------------------------------- */

/* Sums over the samples of 16 bits of a run. */
struct WideIntensity {
    uint32_t v, not_min;
    uint32_t peak; /* the maximum of v << 5 | 31 - x */
    uint64_t vv, vx;
};

/* The pixels with bits in `run`. `row` is the pixel of bit 0. */
DEVICE WideIntensity wide_intensity_of(const CudaMeasure &m, const uint16_t *const row,
                                       const uint32_t run)
{
    WideIntensity sum = {};
#pragma unroll 1
    for (uint32_t rest = run; rest != 0; rest &= rest - 1) {
        const uint32_t x = __ffs(rest) - 1, v = row[x] >> m.shift & m.mask;
        sum.v += v;
        sum.vv += (uint64_t) v * v;
        sum.vx += v * x;
        sum.not_min = max(sum.not_min, ~v);
        sum.peak = max(sum.peak, v << 5 | (31 - x));
    }
    return sum;
}

/* The place of a pixel of the tile in CUDA_WORD_PEAK. */
DEVICE uint32_t peak_place(const uint32_t x, const uint32_t y)
{
    return CCA_TILE_DIAGONALS - 1 - (y * CCA_TILE_WIDTH + x);
}

DEVICE uint32_t sum_of_squares(const uint32_t from, const uint32_t n)
{
    return n * from * from + from * n * (n - 1) + n * (n - 1) * (2 * n - 1) / 6;
}

/* Intensity of a run: pixels of the word that begins at (x, y) in the tile, whose first
 * pixel in the region of this width is (x0, y0). */
DEVICE void measure_bytes(Measurement &r, const CudaMeasure &m, const uint32_t width,
                          const uint32_t x0, const uint32_t y0, const uint32_t x, const uint32_t y,
                          const uint32_t run)
{
    Intensity sum = {};
    add_row(sum, load_pixels(m, width, x0 + x, y0 + y, run), run, first_places);
    const Peak peak = peak_of(sum, run);
    r.words[CUDA_WORD_V] = sum.v;
    r.words[CUDA_WORD_NOT_V_MIN] = not_min_of(sum);
    r.words[CUDA_WORD_PEAK] = peak.v << 13 | peak_place(x + peak.column, y);
    r.words[CUDA_WORD_VV] = sum.vv;
    r.words[CUDA_WORD_VX] = sum.vx + x * sum.v;
    r.words[CUDA_WORD_VY] = y * sum.v;
}

DEVICE void measure_wide(Measurement &r, const CudaMeasure &m, const uint32_t x0, const uint32_t y0,
                         const uint32_t x, const uint32_t y, const uint32_t run)
{
    const uint16_t *const row = (const uint16_t *) (m.pixels + (y0 + y) * m.stride) + x0 + x;
    const WideIntensity sum = wide_intensity_of(m, row, run);
    const uint64_t vx = sum.vx + (uint64_t) x * sum.v, vy = (uint64_t) y * sum.v;
    r.words[CUDA_WORD_V] = sum.v;
    r.words[CUDA_WORD_NOT_V_MIN] = sum.not_min;
    r.words[CUDA_WORD_PEAK] = sum.peak >> 5 << 13 | peak_place(x + 31 - sum.peak % 32, y);
    r.words[CUDA_WORD_VV] = (uint32_t) sum.vv & UINT16_MAX;
    r.words[CUDA_WORD_VX] = (uint32_t) vx & UINT16_MAX;
    r.words[CUDA_WORD_VY] = (uint32_t) vy & UINT16_MAX;
    r.words[CUDA_WORD_VV_HIGH] = (uint32_t) (sum.vv >> 16);
    r.words[CUDA_WORD_VX_HIGH] = (uint32_t) (vx >> 16);
    r.words[CUDA_WORD_VY_HIGH] = (uint32_t) (vy >> 16);
}

/* Moments and intensity of a run. */
DEVICE Measurement measure_run(const CudaMeasure &m, const uint32_t width, const uint32_t x0,
                               const uint32_t y0, const uint32_t x, const uint32_t y,
                               const uint32_t run)
{
    Measurement r = {};
    r.from = m.from;
    r.to = m.to;
    if (m.flags & CCA_FEATURES_MOMENTS) {
        const uint32_t n = __popc(run), from = x + __ffs(run) - 1;
        r.words[CUDA_WORD_XX] = sum_of_squares(from, n);
        r.words[CUDA_WORD_XY] = y * (n * from + n * (n - 1) / 2);
        r.words[CUDA_WORD_YY] = y * y * n;
    }
    if (m.flags & CCA_FEATURES_INTENSITY) {
        if (m.wide)
            measure_wide(r, m, x0, y0, x, y, run);
        else
            measure_bytes(r, m, width, x0, y0, x, y, run);
    }
    return r;
}

/* --- shape ---------------------------------------------------------------- */

/* The component of a node, as in Tile.parent. */
DEVICE uint32_t component_of(const Tile &tile, const uint32_t node)
{
    uint32_t p = tile.parent[node];
    while (!(p & ROOT))
        p = tile.parent[p];
    return p;
}

/* The component at a pixel of the foreground; 0 if the run is isolated. */
DEVICE uint32_t component_at(const Tile &tile, const uint32_t place, const uint32_t bit)
{
    const uint32_t starts = starts_of(tile.bits[place]) & ALL_LANES >> (31 - bit);
    if (!(tile.starts[place] >> highest_index(starts) & 1))
        return 0;
    return component_of(tile, node_of(tile, place, bit));
}

DEVICE Neighbours neighbours_at(const Tile &tile, const uint32_t place)
{
    const uint32_t up = place - ROW_STRIDE;
    return neighbours_of(tile.bits[place], tile.bits[place - 1], tile.bits[place + 1],
                         tile.bits[up], tile.bits[up - 1], tile.bits[up + 1]);
}

/* Counts the diagonals from the pixels of `from`, whose component is `mine`, to those above, on
 * their left or right. Those to another open component are listed. */
DEVICE uint32_t count_diagonals(const Tile &tile, MeasureSlots &slots, const CudaMeasure &m,
                                const uint32_t tile_index, const uint32_t place,
                                const uint32_t from, const int side, const uint32_t mine)
{
    uint32_t n = 0;
#pragma unroll 1
    for (uint32_t rest = from; rest != 0; rest &= rest - 1) {
        const uint32_t at = (place - ROW_STRIDE) * 32 + __ffs(rest) - 1 + side;
        const uint32_t other = component_at(tile, at / 32, at % 32);
        if (other == mine)
            n++;
        else if (other & mine & OPEN)
            m.diagonals[tile_index * CCA_TILE_DIAGONALS + atomicAdd(&slots.n_diagonals, 1)] =
                (uint16_t) ((other & NUMBER_MASK) << 8 | (mine & NUMBER_MASK));
    }
    return n;
}

/* Counts the pairs, squares and diagonals of a run in the tile. */
DEVICE void measure_shape(Measurement &r, const Tile &tile, MeasureSlots &slots,
                          const CudaMeasure &m, const uint32_t corner, const uint32_t tile_index,
                          const uint32_t place, const uint32_t run, const uint32_t mine)
{
    const Neighbours n = neighbours_at(tile, place);
    const Diagonals d = diagonals_of(run, n);
    r.words[CUDA_WORD_PAIRS] = count_pairs(run, n) + (count_squares(run, n) << 16);
    r.words[CUDA_WORD_DIAGONALS] =
        corner ? __popc(d.to_left) + __popc(d.to_right) :
                 count_diagonals(tile, slots, m, tile_index, place, d.to_left, -1, mine) +
                     count_diagonals(tile, slots, m, tile_index, place, d.to_right, 1, mine);
}

/* --- a tile --------------------------------------------------------------- */

/* Measures the components of the pass that starts at `begin`. If the tile is `all` foreground, its
 * component has the first slot. Called by all threads. */
template <typename S>
DEVICE void measure_pass(const Tile &tile, MeasureSlots &slots, const CudaImage &image,
                         const CudaMeasure &m, const Place &place, const bool all,
                         const uint32_t begin)
{
    const uint32_t n_open = tile.n_open, y = threadIdx.x / S::row_lanes;
#pragma unroll 1
    for (uint32_t j = 0; j < S::words; j++) {
        const uint32_t p = thread_place<S>() + j, bits = tile.bits[p];
        const uint32_t x = (threadIdx.x % S::row_lanes * S::words + j) * 32;
        uint32_t rest = all ? 1 : tile.starts[p];
        while (__any_sync(ALL_LANES, rest != 0)) {
            uint32_t slot = UINT32_MAX;
            Measurement v = {};
            v.from = m.from;
            v.to = m.to;
            if (rest != 0) {
                const uint32_t run = run_from(bits, lowest_bit(rest));
                const uint32_t c = all ? 0 : component_of(tile, node_of(tile, p, __ffs(rest) - 1));
                slot = (c & NUMBER_MASK) + (all || c & OPEN ? 0 : n_open) - begin;
                if (slot < SLOTS) {
                    v = measure_run(m, image.width, place.x0, place.y0, x, y, run);
                    if (m.flags & CCA_FEATURES_SHAPE)
                        measure_shape(v, tile, slots, m, image.corner, place.tile, p, run, c);
                }
                rest &= rest - 1;
            }
            vote_together(slots, slot < SLOTS, slot, v);
        }
    }
}

/* The component of a tile at `o`, in pixels of the region. `words` begins with the word `from`. */
DEVICE CudaMeasured in_region(const CudaMeasure &m, const uint32_t (&w)[CUDA_N_WORDS],
                              const Origin &o, const uint32_t width)
{
    CudaMeasured r = {};
    r.sums[CUDA_SUM_XX] = w[CUDA_WORD_XX];
    r.sums[CUDA_SUM_XY] = w[CUDA_WORD_XY];
    r.sums[CUDA_SUM_YY] = w[CUDA_WORD_YY];
    r.sums[CUDA_SUM_PAIRS] = w[CUDA_WORD_PAIRS] & UINT16_MAX;
    r.sums[CUDA_SUM_SQUARES] = w[CUDA_WORD_PAIRS] >> 16;
    r.sums[CUDA_SUM_DIAGONALS] = w[CUDA_WORD_DIAGONALS];
    r.sums[CUDA_SUM_V] = w[CUDA_WORD_V];
    r.sums[CUDA_SUM_VV] = w[CUDA_WORD_VV] + ((uint64_t) w[CUDA_WORD_VV_HIGH] << 16);
    r.sums[CUDA_SUM_VX] = w[CUDA_WORD_VX] + ((uint64_t) w[CUDA_WORD_VX_HIGH] << 16);
    r.sums[CUDA_SUM_VY] = w[CUDA_WORD_VY] + ((uint64_t) w[CUDA_WORD_VY_HIGH] << 16);
    move_sums(r.sums, o);
    const uint32_t at = CCA_TILE_DIAGONALS - 1 - w[CUDA_WORD_PEAK] % CCA_TILE_DIAGONALS;
    const uint32_t index = ((uint32_t) o.y + at / CCA_TILE_WIDTH) * width + (uint32_t) o.x +
                           at % CCA_TILE_WIDTH;
    r.peak = (uint64_t) (w[CUDA_WORD_PEAK] / CCA_TILE_DIAGONALS) << 32 | (UINT32_MAX - index);
    r.not_v_min = w[CUDA_WORD_NOT_V_MIN];
    (void) m;
    return r;
}

/* The words of a slot; those that are not summed up are 0. */
DEVICE void load_words(uint32_t (&w)[CUDA_N_WORDS], const MeasureSlots &slots, const uint32_t slot,
                       const CudaMeasure &m)
{
#pragma unroll
    for (int k = 0; k < CUDA_N_WORDS; k++)
        w[k] = k >= (int) m.from && k < (int) m.to ? slots.words[k][slot] : 0;
}

/* Writes what is measured of a component with a slot. `node` is open, or else the index of a closed
 * component. */
DEVICE void write_measured(const MeasureSlots &slots, const CudaMeasure &m, const uint32_t width,
                           const Place &place, const uint32_t slot, const bool is_open,
                           const uint32_t node, const uint32_t area, const uint32_t sum_x,
                           const uint32_t sum_y)
{
    if (is_open) {
        uint32_t w[CUDA_N_WORDS];
        load_words(w, slots, slot, m);
        m.open[node] = in_region(m, w, { place.x0, place.y0, area, sum_x, sum_y }, width);
        m.contacts[node] = 0;
    } else {
        uint32_t *const to = m.closed + (size_t) node * (m.to - m.from);
#pragma unroll 1
        for (uint32_t k = m.from; k < m.to; k++)
            to[k - m.from] = slots.words[k][slot];
    }
}

#endif /* CCA_CUDA_MEASURE_CUH */
