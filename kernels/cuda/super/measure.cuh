/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Measures the components of a tile: moments, intensity and shape. A lane has a group or some rows
 * of it, and sums up the pixels of one of its runs in these rows. */

#ifndef CCA_CUDA_SUPER_MEASURE_CUH
#define CCA_CUDA_SUPER_MEASURE_CUH

#include "labels.cuh"

namespace super
{

/* --- components ------------------------------------------------------------ */

/* After the records and labels, components of the tile with the same root share the slot of one of
 * them, their representative. These tables have other uses then. */
DEVICE uint32_t &root_of(Tile &tile, const uint32_t i)
{
    return tile.slots[i].min_x;
}

DEVICE uint32_t &representative(Tile &tile, const uint32_t i)
{
    return tile.slots[i].max_y;
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
        if (tile.slots[i].first & first_is_open) {
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
            atomicAdd(&tile.slots[to].area, tile.slots[i].area);
            atomicAdd(&tile.slots[to].sum_x, tile.slots[i].sum_x);
            atomicAdd(&tile.slots[to].sum_y, tile.slots[i].sum_y);
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
    const Origin origin = { place.x0, place.y0, tile.slots[i].area, tile.slots[i].sum_x,
                            tile.slots[i].sum_y };
    r.sums[CUDA_SUM_XX] += middle * (2 * origin.sum_x - middle * origin.area);
    move_sums(r.sums, origin);
    r.not_v_min = tile.measured.words[SUM_NOT_MIN][i];
    r.peak = peak_in_region(tile.measured.words[SUM_PEAK][i], image, place.x0, place.y0, width);
    return r;
}

/* The sums of a root of the frame. */
DEVICE CudaMeasured &measured_of(const CudaSuper &s, const uint32_t root)
{
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

/* --- beside a run ---------------------------------------------------------- */

/* The group of this warp's strip, or of the one above it, with the word in a row; NULL: the word
 * is 0. */
DEVICE const uint2 *group_at(const Tile &tile, const Place &place, const uint32_t column,
                             const uint32_t row)
{
    const uint32_t strip = threadIdx.x / WARP - (row < place.strip_row);
    const uint32_t at = tile.kept.at[row][column];
    return at != no_group ? tile.kept.groups + strip * strip_groups + at : NULL;
}

/* The label of a pixel beside the tile in the tile `other`, or `none`. */
DEVICE uint32_t label_beside(const CudaSuper &s, const Place &place, const int32_t x,
                             const int32_t y, uint32_t &other)
{
    const int32_t dx = x < 0 ? -1 : x / (int32_t) width;
    if ((dx < 0 && !place.left) || (dx > 0 && !place.right) || (y < 0 && !place.above))
        return none;
    other = place.tile + dx - (y < 0 ? s.tiles_x : 0);
    return load_label(edges_of(s, other) + (y < 0  ? CCA_SUPER_EDGE_BOTTOM + (x & (width - 1)) :
                                            dx < 0 ? CCA_SUPER_EDGE_RIGHT + y :
                                                     CCA_SUPER_EDGE_LEFT + y));
}

/* The word in a column from -1 to WARP and a row from -1 on. Of a word beside the tile only the
 * pixel next to it is loaded. */
DEVICE uint32_t word_at(const Tile &tile, const CudaSuper &s, const Place &place,
                        const int32_t column, const int32_t row)
{
    if ((uint32_t) column < WARP && row >= 0) {
        const uint2 *const group = group_at(tile, place, column, row);
        return group != NULL ? group->x : 0;
    }
    if ((uint32_t) column < WARP)
        return place.above ? __ldcg(s.bottom_words + (place.tile - s.tiles_x) * WARP + column) : 0;
    uint32_t other = 0;
    const int32_t x = column < 0 ? -1 : (int32_t) width;
    return label_beside(s, place, x, row, other) == none ? 0 : column < 0 ? 1u << 31 : 1;
}

/* The root of the component at a pixel, which is in the tile or next to it. */
DEVICE uint32_t root_at(Tile &tile, const CudaSuper &s, const Place &place, const int32_t x,
                        const int32_t y)
{
    if ((uint32_t) x < width && y >= 0) {
        const Group g = unpack_group(*group_at(tile, place, x / 32, y), place);
        return root_of(tile, number_of(tile, run_node(g.word, g.node, 1u << x % 32)));
    }
    uint32_t other = 0;
    const uint32_t label = label_beside(s, place, x, y, other), node = frame_node(other, label);
    return (uint32_t) find_in_frame(s.parent, node, load_relaxed(s.parent + node));
}

/* Which rows of the strip are foreground on the left of the tile. Called by a whole warp. */
DEVICE void keep_left_side(Tile &tile, const CudaSuper &s, const Place &place)
{
    const uint32_t lane = threadIdx.x % WARP;
    uint32_t other = 0, label = none;
    if (lane < place.strip_rows)
        label = label_beside(s, place, -1, place.strip_row + lane, other);
    const uint32_t pixels = __ballot_sync(ALL_LANES, label != none);
    if (lane == 0)
        tile.kept.last_pixels[threadIdx.x / WARP][WARP] = pixels;
    __syncwarp();
}

/* --- a run ----------------------------------------------------------------- */

/* Divides a group into `parts` groups of about as many rows; the last ones may have none. */
DEVICE Group part_of(const Group &g, const uint32_t i, const uint32_t parts)
{
    const uint32_t size = (g.rows - 1) / parts + 1, before = min(i * size, g.rows);
    Group part = g;
    part.y += before;
    part.rows = min(size, g.rows - before);
    return part;
}

/* Counts the diagonals from the pixels of `from` to those above, on their left or right, that
 * belong to the same component. */
DEVICE uint32_t count_diagonals(Tile &tile, const CudaSuper &s, const Place &place,
                                const uint32_t from, const int32_t side, const Group &g,
                                const uint32_t root)
{
    uint32_t n = 0;
#pragma unroll 1
    for (uint32_t rest = from; rest != 0; rest &= rest - 1) {
        const int32_t x = (int32_t) (g.column * 32 + __ffs(rest)) - 1 + side;
        n += root_at(tile, s, place, x, (int32_t) g.y - 1) == root;
    }
    return n;
}

/* The first row of a run. */
template <Scope scope>
DEVICE void measure_first_row(Tile &tile, const CudaImage &image, const CudaSuper &s,
                              const Place &place, PixelSums &sums, const uint32_t run,
                              const Group &g, const uint32_t i)
{
    const int32_t column = g.column, y = g.y;
    uint32_t left = 0, above_left = 0, right = 0, above_right = 0;
    if (run & 1) {
        left = word_at(tile, s, place, column - 1, y);
        above_left = word_at(tile, s, place, column - 1, y - 1);
    }
    if (run >> 31) {
        right = word_at(tile, s, place, column + 1, y);
        above_right = word_at(tile, s, place, column + 1, y - 1);
    }
    const Neighbours n = neighbours_of(g.word, left, right, word_at(tile, s, place, column, y - 1),
                                       above_left, above_right);
    const Diagonals d = add_shape(sums, run, n, has_corners<scope>(image));
    if (has_corners<scope>(image) || (d.to_left | d.to_right) == 0)
        return;
    const uint32_t root = root_of(tile, i);
    sums.v[CUDA_SUM_DIAGONALS] += count_diagonals(tile, s, place, d.to_left, -1, g, root) +
                                  count_diagonals(tile, s, place, d.to_right, 1, g, root);
}

/* The rows that repeat a run. They have no diagonals. */
DEVICE void measure_repeats(const Tile &tile, const Place &place, PixelSums &sums,
                            const uint32_t run, const Group &g)
{
    const uint32_t n = __popc(run), repeats = g.rows - 1;
    sums.v[CUDA_SUM_PAIRS] += repeats * (2 * n - 1);
    sums.v[CUDA_SUM_SQUARES] += repeats * (n - 1);
    if (!(run & 1))
        return;
    const uint32_t *const last = tile.kept.last_pixels[threadIdx.x / WARP];
    const uint32_t left = last[g.column > 0 ? g.column - 1 : WARP];
    const uint32_t rows = ((1u << g.rows) - 2) << (g.y - place.strip_row);
    sums.v[CUDA_SUM_PAIRS] += __popc(left & rows);
    sums.v[CUDA_SUM_SQUARES] += __popc(left & left << 1 & rows);
}

/* The intensity of a run, whose words are inside the region and aligned. `pixels` are those of the
 * first one. Each half of the next word is loaded as soon as that of this one is used. */
DEVICE Intensity sum_whole_words(const uint8_t *pixels, const uint64_t stride, const uint32_t run,
                                 const uint32_t rows)
{
    uint4 halves[2] = { *(const uint4 *) pixels, *(const uint4 *) (pixels + 16) };
    Intensity sum = {};
    uint32_t places = first_places;
#pragma unroll 1
    for (uint32_t rest = rows; rest > 0; rest--, places -= next_row) {
        pixels += rest > 1 ? stride : 0;
#pragma unroll
        for (uint32_t k = 0; k < 2; k++) {
            add_sixteen(sum, halves[k], run >> 16 * k & UINT16_MAX, k, places);
            halves[k] = __ldcs((const uint4 *) (pixels + 16 * k));
        }
        end_row(sum);
    }
    return sum;
}

DEVICE Intensity sum_words(const CudaImage &image, const CudaMeasure &m, const uint32_t x,
                           const uint32_t y, const uint32_t run, const uint32_t rows)
{
    const uint8_t *const pixels = m.pixels + y * m.stride + x;
    if (x + 32 <= image.width && (((uintptr_t) pixels | m.stride) & 15) == 0)
        return sum_whole_words(pixels, m.stride, run, rows);
    Intensity sum = {};
#pragma unroll 1
    for (uint32_t k = 0; k < rows; k++)
        add_row(sum, load_pixels(m, image.width, x, y + k, run), run, first_places - k * next_row);
    return sum;
}

template <Scope scope>
DEVICE void measure_run(Tile &tile, const CudaImage &image, const CudaSuper &s,
                        const CudaMeasure &m, const Place &place, PixelSums &sums,
                        const uint32_t run, const Group &g, const uint32_t i)
{
    static_assert(CCA_SUPER_STRIP_ROWS <= max_intensity_rows, "");
    const uint32_t x = g.column * 32;
    if (m.flags & CCA_FEATURES_INTENSITY)
        set_intensity(sums, sum_words(image, m, place.x0 + x, place.y0 + g.y, run, g.rows), width,
                      run, x, g.y, g.rows);
    if (m.flags & CCA_FEATURES_MOMENTS)
        add_moments(sums, run, x, g.y, g.rows, width / 2);
    if (m.flags & CCA_FEATURES_SHAPE) {
        measure_first_row<scope>(tile, image, s, place, sums, run, g, i);
        measure_repeats(tile, place, sums, run, g);
    }
}

/* Called by all threads. */
template <Scope scope>
DEVICE void measure_strip(Tile &tile, const CudaImage &image, const CudaSuper &s,
                          const CudaMeasure &m, const Place &place)
{
    const uint32_t warp = threadIdx.x / WARP, n_groups = tile.kept.n_groups[warp];
    const uint2 *const groups = tile.kept.groups + warp * strip_groups;
    if (m.flags & CCA_FEATURES_SHAPE)
        keep_left_side(tile, s, place);
    /* Lanes without a group take rows of others', because the pixels take most of the time. */
    const bool divides = m.flags & CCA_FEATURES_INTENSITY && n_groups > 0;
    const uint32_t parts = divides ? max(WARP / n_groups, 1u) : 1;
    uint32_t next = threadIdx.x % WARP, rest = 0;
    Group part = {};
    while (__any_sync(ALL_LANES, rest != 0 || next < n_groups * parts)) {
        if (rest == 0 && next < n_groups * parts) {
            part = part_of(unpack_group(groups[next / parts], place), next % parts, parts);
            rest = part.rows > 0 ? starts_of(part.word) : 0;
            next += WARP;
        }
        uint32_t i = none;
        PixelSums sums = { {}, m.flags };
        if (rest != 0) {
            i = number_of(tile, part.node++);
            measure_run<scope>(tile, image, s, m, place, sums,
                               run_from(part.word, lowest_bit(rest)), part, i);
            i = representative(tile, i);
            rest &= rest - 1;
        }
        vote_together(tile.measured, i != none, i, sums);
    }
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
        if (tile.slots[i].first & first_is_open && representative(tile, i) == i)
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

/* Writes the features of the open or of the closed components that begin in the tile. Called by all
 * threads. */
DEVICE void write_features(Tile &tile, const CudaImage &image, const CudaSuper &s,
                           const CudaCompact &compact, const CudaMeasure &m, const Place &place,
                           const uint32_t n, const bool open)
{
    constexpr uint32_t n_stages = sizeof(tile.feature_stages) / sizeof(tile.feature_stages[0]);
    const uint32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const uint32_t n_writers = min(n_stages, blockDim.x / WARP) * WARP;
    if (warp >= n_stages)
        return;
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i - lane < n; i += n_writers) {
        const uint32_t first = i < n ? tile.slots[i].first : 0;
        uint32_t to = UINT32_MAX;
        if (open ? first & first_begins : i < n && !(first & first_is_open)) {
            const uint32_t node = frame_node(place.tile, i);
            const CudaMeasured r = open ? take_measured(measured_of(s, node)) :
                                          measured_in_slot(tile, image, place, i);
            const uint32_t row = place.y0 + (first & first_mask) / width;
            const uint32_t rank = rank_of(tile, i, first);
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
template <Scope scope>
DEVICE void measure(Tile &tile, const CudaImage &image, const CudaSuper &s,
                    const CudaCompact &compact, const CudaMeasure &m, const Place &place,
                    const uint32_t n, const bool any_open)
{
    __syncthreads();
    if (n > 0) {
        clear_measured(tile.measured, n);
        choose_representatives(tile, s, place, n);
        __syncthreads();
        measure_strip<scope>(tile, image, s, m, place);
        __syncthreads();
        add_slots(tile, image, s, place, n);
    }
    __syncthreads();
    if (any_open && threadIdx.x == 0)
        arrive_at_grid(&s.counters->measured, 0);
    write_features(tile, image, s, compact, m, place, n, false);
    if (!any_open)
        return;
    if (threadIdx.x == 0)
        await_grid(&s.counters->measured);
    __syncthreads();
    write_features(tile, image, s, compact, m, place, n, true);
}

} // namespace super

#endif /* CCA_CUDA_SUPER_MEASURE_CUH */
