/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Combines the parts of a tile into components. */

#ifndef CCA_CUDA_COMPONENTS_CUH
#define CCA_CUDA_COMPONENTS_CUH

#include "../write.cuh"
#include "listed.cuh"
#include "parts.cuh"

typedef Shape<CCA_TILE_WARPS> FineShape;

/* Slot of a node's component, after number_roots(). */
DEVICE uint32_t slot_of(const FineTile &d, uint32_t node)
{
    uint32_t p;
    while (!((p = d.parent[node]) & ROOT))
        node = p;
    return p & NUMBER_MASK;
}

DEVICE void mark_pixel(uint32_t *const bitmap, const uint32_t pixel)
{
    atomicOr(bitmap + pixel / 32, 1u << pixel % 32);
}

DEVICE uint32_t count_before(const uint32_t *const bitmap, const uint32_t pixel)
{
    return __popc(bitmap[pixel / 32] & ((1u << pixel % 32) - 1));
}

/* Assigns slots to roots after all unions, in any order. */
DEVICE void number_roots(FineTile &d, const Parts &parts)
{
    for_each_node(parts, [&](const uint32_t node) {
        if (d.parent[node] != node)
            return;
        const uint32_t slot = atomicAdd(&d.n_slots, 1);
        d.begins[slot] = (uint16_t) node;
        d.parent[node] = (uint16_t) (ROOT | slot);
    });
}

/* Adds the features of nodes to the slots of the pass that starts at `begin`. Also moves the first
 * pixel of each component to its root. */
DEVICE void vote_parts(FineTile &d, const Parts &parts, const uint32_t begin)
{
    const uint32_t lane = threadIdx.x % WARP;
#pragma unroll 1
    for (uint32_t i = lane; i - lane < parts.n; i += WARP) {
        const bool has = i < parts.n;
        const uint32_t node = first_node() + (has ? i : 0);
        uint32_t p = d.parent[node], root = node;
        /* All lanes climb to the roots together, so that they do not diverge in the votes. */
        while (__any_sync(ALL_LANES, !(p & ROOT))) {
            root = p & ROOT ? root : p;
            p = d.parent[root];
        }
        const uint32_t slot = has ? (p & NUMBER_MASK) - begin : UINT32_MAX;
        if (has && root != node) {
            const uint32_t pixel = load_shared(d.least + node);
            if (pixel < load_shared(d.least + root))
                atomicMin(d.least + root, pixel);
        }
        const Vote v = block_vote(d.parts[node], d.block_of[node]);
        if (!are_scattered(parts))
            vote_together(d.slots, slot < PART_SLOTS, slot, v);
        else if (slot < PART_SLOTS)
            cast_vote(d.slots, slot, v);
    }
}

/* Marks the open components. */
DEVICE void mark_open(FineTile &d, const Parts &parts)
{
    for_each(parts.n_edge, [&](const uint32_t i) {
        const uint32_t slot = slot_of(d, first_node() + d.edge_nodes[threadIdx.x / WARP][i]);
        atomicOr(d.is_open + slot / 32, 1u << slot % 32);
    });
}

/* Marks the first pixels of listed and of open components. */
DEVICE void mark_first(FineTile &d, const Parts &parts)
{
#pragma unroll 1
    for (uint32_t slot = threadIdx.x; slot < d.n_slots; slot += FineShape::threads) {
        const uint32_t pixel = d.least[d.begins[slot]];
        const bool is_open = d.is_open[slot / 32] >> slot % 32 & 1;
        d.begins[slot] = (uint16_t) (pixel | (is_open ? OPEN : 0));
        mark_pixel(is_open ? d.open : d.listed, pixel);
    }
    for_each(parts.n_inner, [&](const uint32_t i) {
        const uint32_t at = first_node() + PARTS - 1 - i;
        mark_pixel(d.listed, first_in_tile(d.parts[at], d.block_of[at]));
    });
}

/* Writes the rows in which components begin. Returns the numbers of components as sum_begun(). */
DEVICE uint32_t write_begun(FineTile &d, const CudaFine &t, const Place &place)
{
    const uint32_t word = threadIdx.x * FineShape::words;
    Begun<FineShape> begun;
    uint32_t first[FineShape::words];
#pragma unroll
    for (uint32_t j = 0; j < FineShape::words; j++) {
        begun.listed[j] = d.listed[word + j];
        begun.open[j] = d.open[word + j];
        first[j] = d.first[word + j] | begun.listed[j] | begun.open[j];
    }
    count_begun(d.n_begun, begun);
    __syncthreads();
    const uint32_t n_begun = sum_begun(d.n_begun, begun);
    uint32_t before = begun.before;
#pragma unroll
    for (uint32_t j = 0; j < FineShape::words; j++) {
        d.first[word + j] = first[j];
        d.listed_before[word + j] = (uint16_t) before;
        d.open_before[word + j] = (uint8_t) (before >> 16);
        before += __popc(begun.listed[j]) + (__popc(begun.open[j]) << 16);
    }
    write_rows(t, place, begun, first);
    return n_begun;
}

/* Rank of an open component of the tile, by its first pixel. */
DEVICE uint32_t open_rank(const FineTile &d, const uint32_t pixel)
{
    return d.open_before[pixel / 32] + count_before(d.open, pixel);
}

/* Marks the labels of the pixels at the edges of the tile. */
DEVICE void mark_labels(FineTile &d, const Place &place, const Parts &parts)
{
    const uint32_t warp = threadIdx.x / WARP;
    for_each(parts.n_edge, [&](const uint32_t i) {
        const uint32_t node = first_node() + d.edge_nodes[warp][i], block = d.block_of[node];
        const uint32_t x = block % BLOCKS_X, y = block / BLOCKS_X;
        const Square b = d.parts[node];
        const uint32_t label = ~open_rank(d, d.begins[slot_of(d, node)] & (OPEN - 1)) & 255;
        const auto mark = [&](const uint32_t first, const uint32_t low, const uint32_t high) {
            if (low)
                atomicAnd(d.edges + first / 4, ~(low * label));
            if (high)
                atomicAnd(d.edges + first / 4 + 1, ~(high * label));
        };
        if (place.above && y == 0)
            mark(CCA_EDGE_TOP + x * BLOCK, spread_row(b.x), spread_row(b.x >> 4));
        if (place.below && y == BLOCKS_Y - 1)
            mark(CCA_EDGE_BOTTOM + x * BLOCK, spread_row(b.y >> 24), spread_row(b.y >> 28));
        if (place.left && x == 0)
            mark(CCA_EDGE_LEFT + y * BLOCK, b.x & LEFT_COLUMN, b.y & LEFT_COLUMN);
        if (place.right && x == BLOCKS_X - 1)
            mark(CCA_EDGE_RIGHT + y * BLOCK, b.x >> 7 & LEFT_COLUMN, b.y >> 7 & LEFT_COLUMN);
    });
}

/* Place of a closed component in the frame's list. */
DEVICE uint32_t listed_place(const FineTile &d, const uint32_t pixel)
{
    return d.listed_base + d.listed_before[pixel / 32] + count_before(d.listed, pixel);
}

/* Removes the mark of a closed component that does not pass the filters. */
DEVICE void filter_closed(FineTile &d, const CudaImage &image, const uint32_t pixel,
                          const uint32_t area)
{
    if (!area_passes(image, area))
        atomicAnd(d.first + pixel / 32, ~(1u << pixel % 32));
}

/* Writes the components that are inside one block. */
DEVICE void write_inner(FineTile &d, const CudaImage &image, const CudaFine &t, const Parts &parts)
{
    for_each(parts.n_inner, [&](const uint32_t i) {
        const uint32_t at = first_node() + PARTS - 1 - i, block = d.block_of[at];
        const Square b = d.parts[at];
        const uint32_t pixel = first_in_tile(b, block);
        const Vote v = block_vote(b, block);
        store_listed(t, listed_place(d, pixel),
                     { v.min_x, v.max_x, v.max_y, v.area_sum_y, v.sum_x });
        filter_closed(d, image, pixel, v.area_sum_y >> AREA_SHIFT);
    });
}

/* Writes the components of a pass. */
DEVICE void write_slots(FineTile &d, const CudaImage &image, const CudaTiled &t,
                        const CudaFine &fine, const Place &place, const uint32_t begin)
{
    const uint32_t n = min(d.n_slots - begin, (uint32_t) PART_SLOTS);
    static_assert(CCA_TILE_WIDTH * CCA_TILE_HEIGHT <= OPEN, "a pixel and a flag");
#pragma unroll 1
    for (uint32_t k = threadIdx.x; k < n; k += FineShape::threads) {
        const uint32_t first = d.begins[begin + k], pixel = first & (OPEN - 1);
        const uint32_t x = pixel % CCA_TILE_WIDTH, y = pixel / CCA_TILE_WIDTH;
        const uint32_t area = d.slots.area_sum_y[k] >> AREA_SHIFT;
        if (first & OPEN) {
            write_open(image, t, d.open_base + open_rank(d, pixel),
                       slot_features(place, d.slots, k, area, y), place.x0 + x);
        } else {
            store_listed(fine, listed_place(d, pixel), listed_slot(d.slots, k));
            filter_closed(d, image, pixel, area);
        }
    }
}

/* Labels a tile by blocks of pixels, after its bits are loaded. Returns false, and writes nothing,
 * if the tile does not fit. Called by all threads of a block. */
DEVICE bool label_blocks(FineTile &d, const CudaImage &image, const CudaTiled &t,
                         const CudaFine &fine, const CudaCompact &compact, const Place &place)
{
    load_blocks(d);
    __syncthreads();
    Around around;
    Parts parts = image.corner ? find_parts<true>(d, image, place, around) :
                                 find_parts<false>(d, image, place, around);
    mark_borders(d, parts);
    __syncthreads();
    list_pairs(d, image, around, parts);
    __syncthreads();
    if (d.failed) {
        __syncthreads();
        return false;
    }
    shorten_paths(d, parts);
    __syncthreads();
    for_each(parts.n_pairs, [&](const uint32_t i) {
        const uint32_t pair = d.pairs[threadIdx.x / WARP][i];
        unite_nodes(d.parent, pair & 0xffff, pair >> 16);
    });
    __syncthreads();
    number_roots(d, parts);
    clear_slots<FineShape>(d.slots);
    __syncthreads();
    vote_parts(d, parts, 0);
    mark_open(d, parts);
    __syncthreads();
    mark_first(d, parts);
    __syncthreads();
    const uint32_t n_open = write_begun(d, fine, place) >> 16;
    __syncthreads();

    /* One thread reserves places for the whole tile. The latency overlaps with the labels. */
    uint64_t places = 0;
    if (threadIdx.x == 0)
        places = reserve_begun<FineShape>(d.n_begun, t);
    mark_labels(d, place, parts);
    if (threadIdx.x == 0) {
        d.listed_base = fine.listed_base[place.tile] = (uint32_t) places;
        d.open_base = (uint32_t) (places >> 32);
        t.open_base[place.tile] = n_open > 0 ? d.open_base : UINT32_MAX;
    }
    __syncthreads();
    if (threadIdx.x < CCA_EDGE_LABELS / 4)
        ((uint32_t *) (t.edges + (size_t) place.tile * CCA_EDGE_LABELS))[threadIdx.x] =
            d.edges[threadIdx.x];
    write_inner(d, image, fine, parts);
    write_slots(d, image, t, fine, place, 0);
    further_passes<FineShape>(
        d.slots, d.n_slots, [&](const uint32_t begin) { vote_parts(d, parts, begin); },
        [&](const uint32_t begin) { write_slots(d, image, t, fine, place, begin); });
    __syncthreads();
    write_shared_first<FineShape, true>(compact, place, d.first);
    return true;
}

#endif /* CCA_CUDA_COMPONENTS_CUH */
