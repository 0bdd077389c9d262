/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Measures the components of a frame: moments, intensity and shape. Before the barrier each block
 * sums up the pixels of its tile's components, and after it the open components that begin in its
 * tile. */

#ifndef CCA_CUDA_SINGLE_MEASURE_CUH
#define CCA_CUDA_SINGLE_MEASURE_CUH

#include "../compact/sums.cuh"
#include "narrow/number.cuh"
#include "solve.cuh"

namespace single
{

/* Maximum number of diagonals in a tile between open components that may be the same. */
constexpr uint32_t n_tile_diagonals = 1024;

/* In shared memory, after the tile. */
struct Measures {
    /* Of each slot, in pixels of the tile. */
    uint32_t words[n_pixel_sums][Narrow::open_slots + CCA_SINGLE_MEASURED];
    /* Sums of the joined components that begin in the tile. */
    uint32_t own[CUDA_SINGLE_WORDS][Narrow::open_slots];
    uint32_t diagonals[n_tile_diagonals]; /* pairs of slots: a | b << 16 */
    uint32_t n_diagonals;
};
static_assert(CCA_SINGLE_SHARED + sizeof(Measures) <= CCA_SINGLE_MEASURED_SHARED, "");
static_assert((uint64_t) Narrow::max_rows * Narrow::width * UINT8_MAX * UINT8_MAX <= UINT32_MAX &&
                  Narrow::max_rows <= UINT8_MAX && Narrow::width <= UINT8_MAX,
              "each of these sums");
static_assert(Narrow::max_rows * Narrow::width <= 1 << peak_bits, "");
static_assert(CCA_SINGLE_MAX_TILES * Narrow::max_rows * Narrow::width <= 1 << CUDA_SINGLE_PEAK_BITS,
              "");

DEVICE Measures &shared_measures()
{
    return *(Measures *) ((uint8_t *) dynamic_shared() + CCA_SINGLE_SHARED);
}

/* Clears the sums of the tile's components, and those of joined ones that may begin in it. A tile
 * with too many components overflows. Called by all threads. */
DEVICE void begin_measures(Tile<Narrow> &tile, Measures &measures)
{
    const uint32_t n_open = tile.n_numbered >> 16, n_closed = tile.n_numbered & UINT16_MAX;
    const uint32_t n = n_open + min(n_closed, CCA_SINGLE_MEASURED);
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
#pragma unroll
        for (int k = 0; k < n_pixel_sums; k++)
            measures.words[k][i < n_open ? i : Narrow::open_slots + i - n_open] = 0;
        if (i < n_open)
#pragma unroll
            for (int k = 0; k < CUDA_SINGLE_WORDS; k++)
                measures.own[k][i] = 0;
    }
    if (threadIdx.x == 0) {
        measures.n_diagonals = 0;
        if (n_closed > CCA_SINGLE_MEASURED)
            tile.overflows = 1;
    }
    __syncthreads();
}

/* --- pixels of the tile ---------------------------------------------------- */

DEVICE void cast_vote(Measures &measures, const uint32_t slot, const PixelSums &sums)
{
#pragma unroll
    for (int k = 0; k < n_pixel_sums; k++) {
        if (!is_of(k, sums.flags) || sums.v[k] == 0)
            continue;
        if (k >= SUM_NOT_MIN)
            atomicMax(measures.words[k] + slot, sums.v[k]);
        else
            atomicAdd(measures.words[k] + slot, sums.v[k]);
    }
}

/* The neighbours of a thread's word, also those in other tiles. */
DEVICE Neighbours neighbours_of(const Tile<Narrow> &tile, const ThreadWord &w)
{
    const uint32_t *const upper = tile.before + border_begin<Narrow>(UPPER);
    const bool first = w.column == 0, last = w.column == Narrow::row_words - 1, top = w.row == 0;
    uint32_t left = w.left, right = w.right, above = w.above;
    uint32_t above_left = w.above_left, above_right = w.above_right;
    if (top) {
        above = upper[w.column];
        above_left = first ? tile.outer_corner[0] << 31 : upper[w.column - 1];
        above_right = last ? tile.outer_corner[1] : upper[w.column + 1];
    }
    if (first) {
        left = (uint32_t) border_pixel<Narrow>(tile.before, LEFT, w.row) << 31;
        if (!top)
            above_left = (uint32_t) border_pixel<Narrow>(tile.before, LEFT, w.row - 1) << 31;
    }
    if (last) {
        right = border_pixel<Narrow>(tile.after, RIGHT, w.row);
        if (!top)
            above_right = border_pixel<Narrow>(tile.after, RIGHT, w.row - 1);
    }
    return ::neighbours_of(w.bits, left, right, above, above_left, above_right);
}

/* The slot of the component at a pixel of the foreground, or none if its run is isolated. */
DEVICE uint32_t slot_at(const Tile<Narrow> &tile, const uint32_t x, const uint32_t row)
{
    const uint32_t place = Narrow::word_index(x / 32, row), bit = x % 32;
    const uint32_t starts = starts_of(tile.bits[place]) & ALL_LANES >> (31 - bit);
    return tile.starts[place] >> highest_index(starts) & 1 ?
               slot_of(tile, node_of(tile, place, bit)) :
               none;
}

/* Counts the diagonals from pixels of a thread's word to the row above in the tile. Those between
 * two open components are listed. Contacts count those to other tiles. */
DEVICE uint32_t count_diagonals(const Tile<Narrow> &tile, Measures &measures, const ThreadWord &w,
                                const uint32_t from, const int32_t side, const uint32_t slot)
{
    uint32_t n = 0;
    if (w.row == 0)
        return n;
#pragma unroll 1
    for (uint32_t rest = from; rest != 0; rest &= rest - 1) {
        const uint32_t x = w.column * 32 + __ffs(rest) - 1 + side;
        const uint32_t other = x < Narrow::width ? slot_at(tile, x, w.row - 1) : none;
        n += other == slot;
        if (other == slot || slot >= Narrow::open_slots || other >= Narrow::open_slots)
            continue;
        const uint32_t i = atomicAdd(&measures.n_diagonals, 1);
        if (i < n_tile_diagonals)
            measures.diagonals[i] = slot | other << 16;
    }
    return n;
}

DEVICE void add_pixels(PixelSums &sums, const CudaImage &image, const CudaMeasure &m,
                       const Place &place, const ThreadWord &w, const uint32_t run)
{
    const uint32_t x = w.column * 32;
    if (m.flags & CCA_FEATURES_MOMENTS)
        add_moments(sums, run, x, w.row, 1, 0);
    if (m.flags & CCA_FEATURES_INTENSITY) {
        Intensity sum = {};
        add_row(sum, load_pixels(m, image.width, place.x0 + x, place.y0 + w.row, run), run,
                first_places);
        set_intensity(sums, sum, Narrow::width, run, x, w.row, 1);
    }
}

/* Sums up the pixels of components with slots. Called by whole warps. */
DEVICE void measure_runs(Tile<Narrow> &tile, Measures &measures, const CudaImage &image,
                         const CudaMeasure &m, const Place &place, const ThreadWord &w)
{
    const bool shape = m.flags & CCA_FEATURES_SHAPE;
    uint32_t rest = w.row < place.rows ? tile.starts[w.place] : 0;
    Neighbours n = {};
    if (shape && rest != 0)
        n = neighbours_of(tile, w);
#pragma unroll 1
    while (__any_sync(ALL_LANES, rest != 0)) {
        const bool has = rest != 0;
        uint32_t slot = none;
        PixelSums sums = { {}, m.flags };
        if (has) {
            const uint32_t run = run_from(w.bits, lowest_bit(rest));
            slot = slot_of(tile, node_of(tile, w.place, __ffs(rest) - 1));
            add_pixels(sums, image, m, place, w, run);
            if (shape) {
                const Diagonals d = add_shape(sums, run, n, image.corner);
                if (!image.corner)
                    sums.v[CUDA_SUM_DIAGONALS] +=
                        count_diagonals(tile, measures, w, d.to_left, -1, slot) +
                        count_diagonals(tile, measures, w, d.to_right, 1, slot);
            }
            rest &= rest - 1;
        }
        vote_together<min_peers>(measures, has, slot, sums);
    }
}

/* Moves the sums of a component of the tile to the region. */
DEVICE CudaMeasured in_region(const CudaImage &image, const Place &place, const Features &f,
                              const uint32_t (&v)[n_pixel_sums])
{
    CudaMeasured r;
#pragma unroll
    for (int k = 0; k < CUDA_N_SUMS; k++)
        r.sums[k] = v[k];
    move_sums(r.sums, { place.x0, place.y0, f.area, f.sum_x, f.sum_y });
    r.not_v_min = v[SUM_NOT_MIN];
    r.peak = peak_in_region(v[SUM_PEAK], image, place.x0, place.y0, Narrow::width);
    return r;
}

DEVICE CudaMeasured slot_measured(const Tile<Narrow> &tile, const Measures &measures,
                                  const CudaImage &image, const Place &place, const uint32_t slot)
{
    uint32_t v[n_pixel_sums];
#pragma unroll
    for (int k = 0; k < n_pixel_sums; k++)
        v[k] = measures.words[k][slot];
    return in_region(image, place, features_in(tile.slots, slot), v);
}

/* --- open components ------------------------------------------------------- */

/* Reserves room for the tile's diagonals, and returns their first place. Called by the messenger
 * only. */
DEVICE uint32_t reserve_diagonals(const Measures &measures, CudaSingleCounters &counters)
{
    const uint32_t n = measures.n_diagonals;
    return n == 0                ? 0 :
           n <= n_tile_diagonals ? atomicAdd(&counters.n_diagonals, n) :
                                   CCA_SINGLE_DIAGONALS;
}

/* Publishes the diagonals of the tile from `begin` on, which the messenger, the first lane, has.
 * Called by its warp. */
DEVICE void publish_diagonals(Tile<Narrow> &tile, const Measures &measures, const CudaSingle &small,
                              uint32_t begin)
{
    const uint32_t n = measures.n_diagonals;
    begin = __shfl_sync(ALL_LANES, begin, 0);
    if (begin + n > CCA_SINGLE_DIAGONALS) {
        tile.overflows = 1;
        return;
    }
    for (uint32_t i = threadIdx.x % WARP; i < n; i += WARP) {
        const uint32_t pair = measures.diagonals[i];
        small.diagonals[begin + i] = (tile.open_base + (pair & UINT16_MAX)) |
                                     (tile.open_base + (pair >> 16)) << 16;
    }
}

/* Publishes the sums of the tile's open components. Called by all threads. */
DEVICE void publish_measures(const Tile<Narrow> &tile, const Measures &measures,
                             const CudaImage &image, const CudaSingle &small, const Place &place)
{
    const uint32_t n = tile.n_numbered >> 16;
#pragma unroll 1
    for (uint32_t slot = threadIdx.x; slot < n && tile.open_base + slot < n_nodes;
         slot += blockDim.x) {
        const CudaMeasured r = slot_measured(tile, measures, image, place, slot);
        CudaSingleMeasured &to = small.measured[tile.open_base + slot];
#pragma unroll
        for (int k = 0; k < CUDA_N_SUMS; k++) {
            to.words[2 * k] = (uint32_t) r.sums[k] & UINT16_MAX;
            to.words[2 * k + 1] = (uint32_t) (r.sums[k] >> 16);
        }
        to.words[CUDA_SINGLE_NOT_MIN] = (uint32_t) r.not_v_min;
        to.words[CUDA_SINGLE_PEAK] = (uint32_t) (r.peak >> 32) << CUDA_SINGLE_PEAK_BITS |
                                     ((uint32_t) r.peak & ((1u << CUDA_SINGLE_PEAK_BITS) - 1));
    }
}

/* Contacts and diagonals, which are loaded while roots are claimed. */
struct Candidates {
    uint4 contacts;
    uint32_t corner;
    uint32_t n_diagonals, diagonal;
};

DEVICE Candidates load_candidates(const CudaSingle &small, const uint32_t n_diagonals)
{
    static_assert(CCA_SINGLE_FIRST == 8, "two vectors of a border");
    const uint32_t n_borders = 2 * small.n_tiles, i = threadIdx.x;
    const uint32_t four = i >= n_borders, border = i - four * n_borders;
    Candidates c = { { none, none, none, none }, none, n_diagonals, none };
    if (i < 2 * n_borders)
        c.contacts = __ldcg((const uint4 *) small.few + four * (2 * CCA_SINGLE_MAX_TILES) + border);
    if (i < n_borders)
        c.corner = __ldcg((const uint32_t *) small.corners + i);
    if (i < n_diagonals)
        c.diagonal = __ldcg(small.diagonals + i) | is_diagonal;
    return c;
}

/* Adds a diagonal between two components of the frame to the component that both belong to, if this
 * begins in the tile. */
DEVICE void count_diagonal(const Tile<Narrow> &tile, Measures &measures, const uint32_t pair)
{
    if ((pair & UINT16_MAX) == UINT16_MAX || !(pair & is_diagonal))
        return;
    const uint32_t root = tile.parent[pair & contact_mask];
    const uint32_t slot = root == tile.parent[pair >> 16 & contact_mask] ? tile.first[root] : none;
    if (slot != none)
        atomicAdd(measures.own[2 * CUDA_SUM_DIAGONALS] + slot, 1);
}

/* Counts the diagonals across borders, which are in the lists of contacts, and those in the tiles.
 * Called by all threads, once the roots are claimed. */
DEVICE void count_joined_diagonals(const Tile<Narrow> &tile, Measures &measures,
                                   const CudaSingle &small, const Candidates &c,
                                   const bool has_more)
{
    count_diagonal(tile, measures, c.contacts.x);
    count_diagonal(tile, measures, c.contacts.y);
    count_diagonal(tile, measures, c.contacts.z);
    count_diagonal(tile, measures, c.contacts.w);
    count_diagonal(tile, measures, c.corner);
    count_diagonal(tile, measures, c.diagonal);
#pragma unroll 1
    for (uint32_t i = threadIdx.x + blockDim.x; i < c.n_diagonals; i += blockDim.x)
        count_diagonal(tile, measures, __ldcg(small.diagonals + i) | is_diagonal);
    if (!has_more)
        return;
#pragma unroll 1
    for (uint32_t border = threadIdx.x / WARP; border < 2 * small.n_tiles;
         border += blockDim.x / WARP) {
        const uint32_t n = __ldcg(small.n_contacts + border);
        for (uint32_t i = CCA_SINGLE_FIRST + threadIdx.x % WARP; i < n; i += WARP) {
            const uint32_t *const pair = i < CCA_SINGLE_FEW ?
                                             (const uint32_t *) small.few + few_at(border, i) :
                                             (const uint32_t *) small.more +
                                                 border * CCA_SINGLE_CONTACTS + i;
            count_diagonal(tile, measures, __ldcg(pair));
        }
    }
}

/* The sums of an open component. */
struct OpenSums : CudaSingleMeasured {
    uint32_t flags; /* as in PixelSums */
};

/* The sum of CudaMeasureSum, or the maximum after these, that a word is of. */
DEVICE constexpr int sum_of(const int word)
{
    return word < CUDA_SINGLE_NOT_MIN ? word / 2 : word - CUDA_SINGLE_NOT_MIN + SUM_NOT_MIN;
}

DEVICE OpenSums sum_up(const OpenSums &v, const bool mine)
{
    OpenSums all = {};
    all.flags = v.flags;
#pragma unroll
    for (int k = 0; k < CUDA_SINGLE_WORDS; k++)
        if (is_of(sum_of(k), v.flags))
            all.words[k] = k >= CUDA_SINGLE_NOT_MIN ? warp_max(mine ? v.words[k] : 0) :
                                                      warp_sum(mine ? v.words[k] : 0);
    return all;
}

DEVICE void cast_vote(Measures &measures, const uint32_t slot, const OpenSums &v)
{
#pragma unroll
    for (int k = 0; k < CUDA_SINGLE_WORDS; k++) {
        if (!is_of(sum_of(k), v.flags) || v.words[k] == 0)
            continue;
        if (k >= CUDA_SINGLE_NOT_MIN)
            atomicMax(measures.own[k] + slot, v.words[k]);
        else
            atomicAdd(measures.own[k] + slot, v.words[k]);
    }
}

DEVICE OpenSums load_open(const CudaSingle &small, const uint32_t i, const uint32_t flags)
{
    static_assert(sizeof(CudaSingleMeasured) % sizeof(uint4) == 0, "");
    OpenSums v = {};
    v.flags = flags;
#pragma unroll
    for (uint32_t k = 0; k < sizeof(CudaSingleMeasured) / sizeof(uint4); k++) {
        const uint4 four = __ldcg((const uint4 *) (small.measured + i) + k);
        v.words[4 * k] = four.x;
        v.words[4 * k + 1] = four.y;
        v.words[4 * k + 2] = four.z;
        v.words[4 * k + 3] = four.w;
    }
    return v;
}

/* Sums up the joined components that begin in the tile. Called by all threads. */
DEVICE void gather_measures(const Tile<Narrow> &tile, Measures &measures, const CudaSingle &small,
                            const uint32_t flags, const uint32_t n)
{
    if (tile.n_own == 0)
        return;
    const uint32_t lane = threadIdx.x % WARP;
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i - lane < n; i += blockDim.x) {
        const uint32_t slot = i < n ? tile.first[tile.parent[i]] : none;
        if (!__any_sync(ALL_LANES, slot != none))
            continue;
        OpenSums v = {};
        v.flags = flags;
        if (slot != none)
            v = load_open(small, i, flags);
        vote_together<min_peers>(measures, slot != none, slot, v);
    }
}

DEVICE CudaMeasured own_measured(const Measures &measures, const uint32_t slot)
{
    CudaMeasured r;
#pragma unroll
    for (int k = 0; k < CUDA_N_SUMS; k++)
        r.sums[k] = measures.own[2 * k][slot] + ((uint64_t) measures.own[2 * k + 1][slot] << 16);
    r.not_v_min = measures.own[CUDA_SINGLE_NOT_MIN][slot];
    const uint32_t peak = measures.own[CUDA_SINGLE_PEAK][slot];
    r.peak = (uint64_t) (peak >> CUDA_SINGLE_PEAK_BITS) << 32 |
             (peak | ~((1u << CUDA_SINGLE_PEAK_BITS) - 1));
    return r;
}

/* --- features -------------------------------------------------------------- */

/* Where a warp gathers its records, and then its features: the memory of parent[] and first[],
 * which are not used any more. */
DEVICE Stage<CcaFeatures> &feature_stage(Tile<Narrow> &tile)
{
    static_assert(sizeof(Stage<CcaFeatures>) * (Narrow::max_threads / WARP) <=
                      sizeof(tile.parent) + sizeof(tile.first),
                  "");
    return ((Stage<CcaFeatures> *) &tile)[threadIdx.x / WARP];
}

/* Writes the features of the lanes whose place is not UINT32_MAX. Called by a whole warp. */
DEVICE void write_features(Tile<Narrow> &tile, const CudaImage &image, const CudaMeasure &m,
                           const uint32_t place, const CudaMeasured &r, const ::Features &f)
{
    Stage<CcaFeatures> &stage = feature_stage(tile);
    if (place != UINT32_MAX)
        stage_record(stage, make_features(image, m, r, f));
    write_staged(m.records, stage, place);
}

/* Writes the features of components with slots, whose records have been written to `to`. */
DEVICE void write_slot_features(Tile<Narrow> &tile, const Measures &measures,
                                const CudaImage &image, const CudaMeasure &m, const Place &place,
                                const uint32_t to, const uint32_t slot, const bool is_open,
                                const ::Features &f)
{
    CudaMeasured r = {};
    if (to != UINT32_MAX)
        r = is_open ? own_measured(measures, slot) :
                      slot_measured(tile, measures, image, place, slot);
    write_features(tile, image, m, to, r, f);
}

/* The same of an isolated run with these first pixels of the tile. */
DEVICE void write_isolated_features(Tile<Narrow> &tile, const CudaImage &image,
                                    const CudaMeasure &m, const Place &place, const ThreadWord &w,
                                    const uint32_t to, const uint32_t run, const ::Features &f)
{
    CudaMeasured r = {};
    if (to != UINT32_MAX) {
        PixelSums sums = { {}, m.flags };
        add_pixels(sums, image, m, place, w, run);
        sums.v[CUDA_SUM_PAIRS] = __popc(run) - 1;
        r = in_region(image, place,
                      features_of(w.column * 32 + __ffs(run) - 1, w.row, __popc(run), 1), sums.v);
    }
    write_features(tile, image, m, to, r, f);
}

} // namespace single

#endif /* CCA_CUDA_SINGLE_MEASURE_CUH */
