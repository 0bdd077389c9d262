/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Joins the open components of the frame in global memory, between barriers of all blocks. */

#ifndef CCA_CUDA_SUPER_EXCHANGE_CUH
#define CCA_CUDA_SUPER_EXCHANGE_CUH

#include "../single/barrier.cuh"
#include "../tiled/open.cuh"
#include "number.cuh"
#include "stored.cuh"

namespace super
{

/* Positions of the fields above the arrivals in CudaSuperCounters.labelled. */
constexpr int open_shift = ARRIVALS_BITS, overflow_shift = 56;
static_assert(CCA_SUPER_MAX_TILES < 1 << ARRIVALS_BITS, "");

/* All threads of the block arrive at a barrier of all blocks. `more` is added to the upper bits of
 * its counter. Returns the counter. */
DEVICE uint64_t meet_grid(Tile &tile, uint64_t *const counter, const uint64_t more = 0)
{
    __syncthreads();
    if (threadIdx.x == 0)
        tile.grid = wait_for_grid(counter, more);
    __syncthreads();
    return tile.grid;
}

/* Whether components are rejected by their features. */
template <Scope scope> DEVICE bool has_filters(const CudaImage &image)
{
    return image.min_area > 1 || image.max_area < (uint64_t) image.width * image.height ||
           (is_general(scope) && image.by_marks);
}

/* --- before the first barrier ---------------------------------------------- */

/* Features in pixels of the region of a component that begins at `first` in the tile. */
DEVICE Features in_region(const Place &place, const Vote &v, const uint32_t first)
{
    return { place.x0 + v.min_x,
             place.y0 + first / width,
             place.x0 + v.max_x,
             place.y0 + v.max_y,
             v.area,
             v.sum_x + (uint64_t) place.x0 * v.area,
             v.sum_y + (uint64_t) place.y0 * v.area };
}

DEVICE Features closed_features(const Tile &tile, const Place &place, const uint32_t i)
{
    return in_region(place, tile.slots[i], tile.slots[i].first & first_mask);
}

DEVICE void publish_open(const Tile &tile, const CudaImage &image, const CudaSuper &s,
                         const Place &place, const uint32_t i)
{
    const uint32_t first = tile.slots[i].first & first_mask, node = frame_node(place.tile, i);
    const Features f = closed_features(tile, place, i);
    const uint32_t pixel = f.min_y * image.width + place.x0 + first % width;
    s.parent[node] = (uint64_t) pixel << 32 | node;
    store_open(s.open + node, { f.area, { ~f.min_x, f.max_x, f.max_y }, { f.sum_x, f.sum_y } });
}

/* Publishes the open components, and counts the closed ones. */
template <Scope scope>
DEVICE void publish_components(Tile &tile, const CudaImage &image, const CudaSuper &s,
                               const CcaFilter &filter, const Place &place, const uint32_t n)
{
    const uint32_t lane = threadIdx.x % WARP;
    uint32_t n_open = 0;
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i - lane < n; i += blockDim.x) {
        const uint32_t first = i < n ? tile.slots[i].first : 0;
        const bool open = first & first_is_open;
        const bool counts = i < n && !open && area_passes(image, tile.slots[i].area) &&
                            (!is_general(scope) || !image.by_marks ||
                             passes(image, filter, closed_features(tile, place, i)));
        if (open)
            publish_open(tile, image, s, place, i);
        if (counts)
            atomicAdd(tile.row_counts + first / width, 1);
        const uint32_t counted = __ballot_sync(ALL_LANES, counts);
        if (lane == 0)
            tile.counted[i / WARP] = counted;
        n_open += open;
    }
    n_open = warp_sum(n_open);
    if (lane == 0 && n_open > 0)
        atomicAdd(&tile.n_open, n_open);
}

DEVICE uint16_t *edges_of(const CudaSuper &s, const uint32_t tile)
{
    return s.edges + tile * CCA_SUPER_EDGE_LABELS;
}

/* The component at a pixel of a row of words, whose first nodes are `nodes`. */
DEVICE uint32_t number_at(const Tile &tile, const uint32_t *const words,
                          const uint16_t *const nodes, const uint32_t x)
{
    const uint32_t word = words[x / 32], bit = 1u << x % 32;
    return word & bit ? number_of(tile, run_node(word, nodes[x / 32], bit)) : none;
}

/* The component at a pixel of the left (0) or right (1) edge. */
DEVICE uint32_t number_at_side(const Tile &tile, const uint32_t side, const uint32_t y)
{
    const uint32_t node = tile.sides[side][y];
    return node != none ? number_of(tile, node) : none;
}

/* Publishes the labels at the edges with the neighbours above and on the left, and for the shape
 * or the next stage those at the other edges. */
template <Scope scope>
DEVICE void publish_edges(const Tile &tile, const CudaSuper &s, const Place &place)
{
    uint16_t *const labels = edges_of(s, place.tile);
    const bool shape = is_measured(scope) && s.bottom_words != NULL;
    const bool all = scope == STAGED || shape;
#pragma unroll 1
    for (uint32_t x = threadIdx.x; x < width; x += blockDim.x) {
        if (place.above)
            labels[x] = (uint16_t) number_at(tile, tile.top_words, tile.top_nodes, x);
        if (all && place.below)
            labels[CCA_SUPER_EDGE_BOTTOM + x] = (uint16_t) number_at(tile, tile.bottom_words,
                                                                     tile.bottom_nodes, x);
    }
    const uint32_t y = threadIdx.x;
    if (place.left && y < place.rows)
        labels[CCA_SUPER_EDGE_LEFT + y] = (uint16_t) number_at_side(tile, 0, y);
    if (all && place.right && y < place.rows)
        labels[CCA_SUPER_EDGE_RIGHT + y] = (uint16_t) number_at_side(tile, 1, y);
    if (shape && place.below && y < WARP)
        s.bottom_words[place.tile * WARP + y] = tile.bottom_words[y];
}

/* Publishes how many components begin in the rows and in the tile. Called by all threads, after a
 * barrier of the block. */
DEVICE void publish_counts(const Tile &tile, const CudaSuper &s, const Place &place,
                           const uint32_t n)
{
    if (threadIdx.x < place.rows)
        s.row_counts[place.tile * max_rows + threadIdx.x] = (uint16_t) tile.row_counts[threadIdx.x];
    if (threadIdx.x / WARP != blockDim.x / WARP - 1)
        return;
    uint32_t sum = 0;
    for (uint32_t i = threadIdx.x % WARP; i < (n + WARP - 1) / WARP; i += WARP)
        sum += __popc(tile.counted[i]);
    sum = warp_sum(sum);
    if (threadIdx.x % WARP == 0)
        s.totals[place.tile] = sum;
}

/* --- merge ----------------------------------------------------------------- */

/* Halves the path of a node whose parent is `p`, and returns the root's own value. */
DEVICE uint64_t find_in_frame(uint64_t *const parent, uint32_t node, uint64_t p)
{
    while ((uint32_t) p != node) {
        const uint64_t above = load_relaxed(parent + (uint32_t) p);
        if (above == p)
            return p;
        store_relaxed(parent + node, above);
        node = (uint32_t) above;
        p = load_relaxed(parent + node);
    }
    return p;
}

/* An edge of a tile, and the tile on the other side. */
struct Edge {
    bool bottom;          /* else the right edge */
    uint32_t size;        /* in pixels */
    uint32_t other;       /* the other tile */
    const uint16_t *far;  /* its labels */
    const uint16_t *near; /* those of the tile itself, if it is stored */
};

DEVICE Edge make_edge(const CudaSuper &s, const Place &place, const bool bottom)
{
    const uint32_t other = bottom ? place.tile_below : place.tile + 1;
    return { bottom, bottom ? width : place.rows, other,
             edges_of(s, other) + (bottom ? 0 : CCA_SUPER_EDGE_LEFT),
             edges_of(s, place.tile) + (bottom ? CCA_SUPER_EDGE_BOTTOM : CCA_SUPER_EDGE_RIGHT) };
}

DEVICE uint32_t load_label(const uint16_t *const p)
{
    return __ldcg(p);
}

/* The component of the tile at a pixel of an edge. */
template <Scope scope>
DEVICE uint32_t near_number(const Tile &tile, const Edge &e, const uint32_t at)
{
    if constexpr (scope == STAGED)
        return load_label(e.near + at);
    return e.bottom ? number_at(tile, tile.bottom_words, tile.bottom_nodes, at) :
                      number_at_side(tile, 1, at);
}

/* Unites components that touch across an edge in pixel `at` and the one beside it. Corners of
 * tiles belong to bottom edges. */
template <Scope scope>
DEVICE void unite_diagonal(const Tile &tile, const CudaSuper &s, const Place &place, const Edge &e,
                           const uint32_t at, const uint32_t near)
{
    const uint32_t node = frame_node(place.tile, near);
    uint32_t before = none, after = none, tile_before = e.other, tile_after = e.other;
    if (at > 0) {
        if (near_number<scope>(tile, e, at - 1) == none)
            before = load_label(e.far + at - 1);
    } else if (e.bottom && place.left) {
        tile_before = e.other - 1;
        before = load_label(edges_of(s, tile_before) + width - 1);
    }
    if (at + 1 < e.size) {
        if (near_number<scope>(tile, e, at + 1) == none)
            after = load_label(e.far + at + 1);
    } else if (e.bottom && place.right) {
        tile_after = e.other + 1;
        after = load_label(edges_of(s, tile_after));
    }
    if (before != none)
        unite_nodes(s.parent, node, frame_node(tile_before, before));
    if (after != none)
        unite_nodes(s.parent, node, frame_node(tile_after, after));
}

/* Unites components that touch across an edge. Called by all threads. */
template <Scope scope>
DEVICE void merge_edge(Tile &tile, const CudaSuper &s, const Place &place, const Edge &e,
                       const bool corners)
{
    const uint32_t lane = threadIdx.x % WARP;
#pragma unroll 1
    for (uint32_t at = threadIdx.x; at - lane < e.size; at += blockDim.x) {
        uint32_t near = none, far = none, far_before = none;
        if (at < e.size) {
            far = load_label(e.far + at);
            if (lane == 0 && at > 0)
                far_before = load_label(e.far + at - 1);
            near = near_number<scope>(tile, e, at);
        }
        if (corners && near != none && far == none)
            unite_diagonal<scope>(tile, s, place, e, at, near);
        /* One union is enough for a stretch of pixels with foreground on both sides. */
        const bool both = near != none && far != none;
        const uint32_t all = __ballot_sync(ALL_LANES, both);
        const bool continues = lane > 0 ? all >> (lane - 1) & 1 :
                                          far_before != none &&
                                              near_number<scope>(tile, e, at - 1) != none;
        if (!both || continues)
            continue;
        const uint32_t key = 1u << 31 | (uint32_t) e.bottom << 2 * number_bits |
                             near << number_bits | far;
        if (atomicExch(tile.asked + (key * 0x9e3779b1u >> 22), key) != key)
            unite_nodes(s.parent, frame_node(place.tile, near), frame_node(e.other, far));
    }
}

template <Scope scope>
DEVICE void merge_edges(Tile &tile, const CudaSuper &s, const Place &place, const bool corners)
{
    static_assert(n_asked == 1u << (32 - 22), "");
    if (place.below)
        merge_edge<scope>(tile, s, place, make_edge(s, place, true), corners);
    if (place.right)
        merge_edge<scope>(tile, s, place, make_edge(s, place, false), corners);
}

/* --- reduction ------------------------------------------------------------- */

DEVICE void clear_sums(Tile &tile)
{
    RootSums &t = tile.sums;
    for (uint32_t i = threadIdx.x; i < n_asked; i += blockDim.x)
        tile.asked[i] = 0;
    for (uint32_t i = threadIdx.x; i < n_roots; i += blockDim.x) {
        t.root[i] = t.min_x[i] = UINT32_MAX;
        t.area[i] = t.sum_x[i] = t.sum_y[i] = t.max_x[i] = t.max_y[i] = 0;
    }
}

/* Adds features, in pixels of the tile, to an open component. */
DEVICE void add_to_root(const CudaSuper &s, const Place &place, const uint32_t root, const Vote &v)
{
    CudaOpen &c = s.open[root];
    const Features f = in_region(place, v, 0);
    atomicAdd(&c.area, f.area);
    atomicMax(c.greatest + CUDA_NOT_MIN_X, ~f.min_x);
    atomicMax(c.greatest + CUDA_MAX_X, f.max_x);
    atomicMax(c.greatest + CUDA_MAX_Y, f.max_y);
    atomicAdd((unsigned long long *) c.sums, (unsigned long long) f.sum_x);
    atomicAdd((unsigned long long *) c.sums + 1, (unsigned long long) f.sum_y);
}

/* Adds to the table; returns false if it is too full. */
DEVICE bool add_to_sums(RootSums &t, const uint32_t root, const Vote &v)
{
    static_assert(n_roots == 1u << (32 - 23), "");
    constexpr uint32_t max_tries = 8;
    uint32_t at = root * 0x9e3779b1u >> 23;
    for (uint32_t tries = 0; tries < max_tries; tries++, at = (at + 1) % n_roots) {
        const uint32_t old = atomicCAS(t.root + at, UINT32_MAX, root);
        if (old != UINT32_MAX && old != root)
            continue;
        atomicAdd(t.area + at, v.area);
        atomicAdd(t.sum_x + at, v.sum_x);
        atomicAdd(t.sum_y + at, v.sum_y);
        atomicMin(t.min_x + at, v.min_x);
        atomicMax(t.max_x + at, v.max_x);
        atomicMax(t.max_y + at, v.max_y);
        return true;
    }
    return false;
}

/* Maximum number of open components that go to global memory one by one. */
constexpr uint32_t n_few = 32;

/* Adds the open components to their roots. Marks those that are roots, which begin in the tile.
 * Called by all threads. */
template <Scope scope>
DEVICE void reduce_open(Tile &tile, const CudaSuper &s, const Place &place, const uint32_t n)
{
    const bool few = tile.n_open <= n_few;
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
        const Slot v = slot_of<scope>(tile, s, place, i);
        if (!(v.first & first_is_open))
            continue;
        const uint32_t node = frame_node(place.tile, i);
        const uint32_t root = (uint32_t) find_in_frame(s.parent, node,
                                                       load_relaxed(s.parent + node));
        if (root == node)
            mark_begun<scope>(tile, s, place, i);
        else if (few || !add_to_sums(tile.sums, root, v))
            add_to_root(s, place, root, v);
    }
    if (few)
        return;
    __syncthreads();
    const RootSums &t = tile.sums;
    for (uint32_t i = threadIdx.x; i < n_roots; i += blockDim.x)
        if (t.root[i] != UINT32_MAX)
            add_to_root(s, place, t.root[i],
                        { t.area[i], t.sum_x[i], t.sum_y[i], t.min_x[i], t.max_x[i], t.max_y[i] });
}

/* Whether an open component is found, of which all parts have been added up. */
template <Scope scope>
DEVICE bool is_found(const CudaImage &image, const CudaOpen *const open, const CcaFilter &filter,
                     const uint32_t min_y)
{
    if (!is_general(scope) || !image.by_marks)
        return area_passes(image, load_relaxed(&open->area));
    const Features f = open_features(load_open(open), min_y);
    return area_passes(image, f.area) && passes(image, filter, f);
}

/* Counts the open components that begin in the tile. With filters, all blocks must have reduced
 * theirs. Called by all threads. */
template <Scope scope>
DEVICE void count_begun(Tile &tile, const CudaImage &image, const CudaSuper &s,
                        const CcaFilter &filter, const Place &place, const uint32_t n)
{
    const bool filters = has_filters<scope>(image);
    bool any = false;
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
        const uint32_t first = slot_of<scope>(tile, s, place, i).first;
        const uint32_t row = (first & first_mask) / width;
        if (!(first & first_begins) ||
            (filters &&
             !is_found<scope>(image, s.open + frame_node(place.tile, i), filter, place.y0 + row)))
            continue;
        atomicAdd(tile.row_counts + row, 1);
        atomicOr(tile.counted + i / WARP, 1u << i % WARP);
        any = true;
    }
    if (__syncthreads_or(any))
        publish_counts(tile, s, place, n);
}

} // namespace super

#endif /* CCA_CUDA_SUPER_EXCHANGE_CUH */
