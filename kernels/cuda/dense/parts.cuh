/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* A tile of many short runs, in shared memory: a thread has a block of 8 x 8 pixels and
 * finds its parts, which it fills in registers. Parts that reach a border of their block are
 * nodes of a union-find; the others are components, which are complete. */

#ifndef CCA_CUDA_PARTS_CUH
#define CCA_CUDA_PARTS_CUH

#include "begun.cuh"
#include "blocks.cuh"

/* Parts of the blocks of a warp that there is room for, pairs of nodes to unite, and nodes at
 * edges of the tile. A tile with more parts or pairs is labelled by its runs. */
#define PARTS 224
#define PAIRS 144
#define EDGE_NODES ((CCA_TILE_WIDTH + 2 * 2 * BLOCK) / 2)
static_assert(N_BLOCKS == CCA_TILE_WARPS * WARP && BLOCKS_X * 2 == WARP, "one a thread");

/* At the most 14 parts of a block reach its border. A node is block * BLOCK_NODES + its number
 * among them. */
#define BLOCK_NODES 16
#define N_NODES (N_BLOCKS * BLOCK_NODES)
static_assert(N_NODES < OPEN && CCA_TILE_WARPS * PARTS < OPEN, "");

#define BLOCK_STRIDE (BLOCKS_X + 2)

struct DenseTile {
    uint32_t bits[N_PLACES]; /* as in Tile, which takes over if something does not fit */
    Square parts[CCA_TILE_WARPS][PARTS];     /* of a warp: nodes, and from the end the others */
    uint16_t names[CCA_TILE_WARPS][PARTS];  /* nodes; of the others their blocks * BLOCK_NODES */
    alignas(4) uint16_t parent[N_NODES];    /* as in Tile, but for the numbers, see below */
    uint32_t listed[CCA_TILE_WORDS], open[CCA_TILE_WORDS], first[CCA_TILE_WORDS];
    uint16_t listed_before[CCA_TILE_WORDS]; /* in words before */
    uint8_t open_before[CCA_TILE_WORDS];
    uint32_t edges[CCA_EDGE_LABELS / 4];    /* complements of the labels, one a byte */
    uint16_t edge_nodes[CCA_TILE_WARPS][EDGE_NODES]; /* which of names[] */
    uint16_t begins[CCA_TILE_WARPS * PARTS];         /* first pixel of a numbered component */
    union {
        struct {
            Square blocks[(BLOCKS_Y + 2) * BLOCK_STRIDE]; /* between blocks of background */
            /* Numbers of the nodes at the right columns and bottom rows, one a byte. */
            uint32_t border[N_BLOCKS][2 * BLOCK / 4];
            uint32_t pairs[CCA_TILE_WARPS][PAIRS];
        };
        uint32_t least[CCA_TILE_WARPS * PARTS]; /* first pixels, by the place of the root */
        Slots slots;
    };
    uint32_t n_begun[CCA_TILE_WARPS];
    uint32_t n_closed, failed;
    uint32_t open_base, listed_base;
};

/* What a warp has. */
struct Parts {
    uint32_t n;       /* nodes, */
    uint32_t n_inner; /* parts that are components, */
    uint32_t n_edge;  /* and nodes at edges of the tile */
};

DEVICE uint32_t block_place(const uint32_t block)
{
    return (block / BLOCKS_X + 1) * BLOCK_STRIDE + block % BLOCKS_X + 1;
}

/* Pixels of a block beside which another tile goes on. */
DEVICE Square tile_edge(const Place &place, const uint32_t block)
{
    const uint32_t x = block % BLOCKS_X, y = block / BLOCKS_X;
    const uint32_t columns = (place.left && x == 0 ? LEFT_COLUMN : 0) |
                             (place.right && x == BLOCKS_X - 1 ? RIGHT_COLUMN : 0);
    return { columns | (place.above && y == 0 ? 0xffu : 0),
             columns | (place.below && y == BLOCKS_Y - 1 ? 0xff000000u : 0) };
}

/* Pixels of a block that its neighbours touch. */
DEVICE Square touched_from_outside(const Square *const at, const uint32_t corner)
{
    const Square left = at[-1], right = at[1];
    const Square columns = { (left.x >> 7 & LEFT_COLUMN) | (right.x << 7 & RIGHT_COLUMN),
                             (left.y >> 7 & LEFT_COLUMN) | (right.y << 7 & RIGHT_COLUMN) };
    const Square sides = reach_column(columns, corner);
    uint32_t above = reach_row(at[-BLOCK_STRIDE].y >> 24, corner);
    uint32_t below = reach_row(at[BLOCK_STRIDE].x & 255, corner);
    if (corner) {
        above |= at[-BLOCK_STRIDE - 1].y >> 31 | (at[-BLOCK_STRIDE + 1].y >> 24 & 1) << 7;
        below |= (at[BLOCK_STRIDE - 1].x >> 7 & 1) | (at[BLOCK_STRIDE + 1].x & 1) << 7;
    }
    return { sides.x | above, sides.y | below << 24 };
}

/* From rows to blocks. */
DEVICE void load_blocks(DenseTile &d)
{
    const uint32_t block = threadIdx.x, x = block % BLOCKS_X * BLOCK, y = block / BLOCKS_X * BLOCK;
    const uint8_t *const rows = (const uint8_t *) d.bits + run_at(x, y) / 8;
    constexpr uint32_t step = ROW_STRIDE * 4;
    const uint32_t a = rows[0] | rows[step] << 8;
    const uint32_t b = rows[2 * step] | rows[3 * step] << 8;
    const uint32_t e = rows[4 * step] | rows[5 * step] << 8;
    const uint32_t f = rows[6 * step] | rows[7 * step] << 8;
    d.blocks[block_place(block)] = { a | b << 16, e | f << 16 };
    if (threadIdx.x < BLOCK_STRIDE)
        d.blocks[threadIdx.x] = d.blocks[(BLOCKS_Y + 1) * BLOCK_STRIDE + threadIdx.x] = {};
    if (threadIdx.x < BLOCKS_Y)
        d.blocks[(threadIdx.x + 1) * BLOCK_STRIDE] =
            d.blocks[(threadIdx.x + 2) * BLOCK_STRIDE - 1] = {};
#pragma unroll
    for (uint32_t i = 0; i < 2 * BLOCK / 4; i++)
        d.border[block][i] = 0;
    for (uint32_t w = threadIdx.x; w < CCA_TILE_WORDS; w += CCA_TILE_WARPS * WARP)
        d.listed[w] = d.open[w] = 0;
    if (threadIdx.x < CCA_EDGE_LABELS / 4)
        d.edges[threadIdx.x] = UINT32_MAX;
    if (threadIdx.x == 0)
        d.n_closed = d.failed = 0;
}

/* The bytes of a block to its rows of a bitmap. */
DEVICE void store_block(uint32_t *const bitmap, const uint32_t block, const Square &b)
{
    uint8_t *const to =
        (uint8_t *) bitmap + block / BLOCKS_X * BLOCK * (CCA_TILE_WIDTH / 8) + block % BLOCKS_X;
#pragma unroll
    for (uint32_t i = 0; i < 4; i++) {
        to[i * (CCA_TILE_WIDTH / 8)] = (uint8_t) (b.x >> 8 * i);
        to[(i + 4) * (CCA_TILE_WIDTH / 8)] = (uint8_t) (b.y >> 8 * i);
    }
}

/* Finds the parts of a block. Pixels of their own go to the bitmap alone. */
DEVICE Parts find_parts(DenseTile &d, const CudaImage &image, const Place &place)
{
    const uint32_t block = threadIdx.x, warp = block / WARP;
    const Square *const at = d.blocks + block_place(block);
    const Square pixels = *at, edge = tile_edge(place, block);
    Square outside = touched_from_outside(at, image.corner);
    outside = { outside.x | edge.x, outside.y | edge.y };
    const Square near = neighbours(pixels, image.corner);
    const Square single = without(pixels, { near.x | outside.x, near.y | outside.y });
    store_block(d.first, block, area_passes(image, 1) ? single : Square {});

    Square rest = without(pixels, single);
    Square part = (rest.x & rest.y) == ~0u ? rest : first_pixel(rest);
    uint32_t number = 0;
    Parts parts = {};
    while (__any_sync(ALL_LANES, has_pixels(rest))) {
        const Square once = grow(part, pixels, image.corner);
        const Square twice = grow(once, pixels, image.corner);
        const bool done = has_pixels(rest) && twice.x == once.x && twice.y == once.y;
        const bool is_node = has_pixels(both(twice, outside));
        const uint32_t nodes = __ballot_sync(ALL_LANES, done && is_node);
        const uint32_t inner = __ballot_sync(ALL_LANES, done && !is_node);
        part = twice;
        if (done) {
            const uint32_t i =
                is_node ? parts.n + __popc(nodes & lane_mask_lt()) :
                          PARTS - 1 - parts.n_inner - __popc(inner & lane_mask_lt());
            if (i < PARTS) { /* or it fails below */
                d.parts[warp][i] = part;
                d.names[warp][i] = (uint16_t) (block * BLOCK_NODES + number);
            }
            number += is_node;
            rest = without(rest, part);
            part = first_pixel(rest);
        }
        parts.n += __popc(nodes);
        parts.n_inner += __popc(inner);
    }
    if (parts.n + parts.n_inner > PARTS) {
        if (threadIdx.x % WARP == 0)
            d.failed = 1;
        parts = {};
    }
    __syncwarp();
    return parts;
}

/* Notes which node is at which place of the right columns and bottom rows. */
DEVICE void mark_borders(DenseTile &d, const Parts &parts)
{
    const uint32_t warp = threadIdx.x / WARP;
#pragma unroll 1
    for (uint32_t i = threadIdx.x % WARP; i < parts.n; i += WARP) {
        const uint32_t node = d.names[warp][i], number = node % BLOCK_NODES;
        const Square b = d.parts[warp][i];
        uint32_t *const border = d.border[node / BLOCK_NODES];
        const uint32_t marks[] = { b.x >> 7 & LEFT_COLUMN, b.y >> 7 & LEFT_COLUMN,
                                   spread_row(b.y >> 24), spread_row(b.y >> 28) };
#pragma unroll
        for (uint32_t k = 0; k < 4; k++)
            if (number > 0 && marks[k])
                atomicOr(border + k, marks[k] * number);
    }
}

/* Bits of what a node is to be united with: 0 to 7 pixels above, 8 to 15 those to the left,
 * and corners. Of pixels in a row, which are of one node, the first. */
#define ABOVE_LEFT 16
#define ABOVE_RIGHT 17
DEVICE uint32_t contacts(const DenseTile &d, const Square &b, const uint32_t block,
                         const uint32_t corner)
{
    const Square *const at = d.blocks + block_place(block);
    const uint32_t above = at[-BLOCK_STRIDE].y >> 24;
    const Square left = at[-1];
    const Square mine = reach_column({ b.x & LEFT_COLUMN, b.y & LEFT_COLUMN }, corner);
    const Square l = { left.x >> 7 & mine.x, left.y >> 7 & mine.y };
    const uint32_t u = above & reach_row(b.x & 255, corner);
    uint32_t c = starts_of(u) | gather_column(l.x & ~(l.x << 8)) << 8 |
                 gather_column(l.y & ~__funnelshift_l(l.x, l.y, 8)) << 12;
    if (corner) {
        if (b.x & 1 && at[-BLOCK_STRIDE - 1].y >> 31 && !(above & 1) && !(left.x & 0x80))
            c |= 1u << ABOVE_LEFT;
        if (b.x & 0x80 && at[-BLOCK_STRIDE + 1].y >> 24 & 1 && !(above & 0x80) && !(at[1].x & 1))
            c |= 1u << ABOVE_RIGHT;
    }
    return c;
}

/* Takes out one, and returns the other node. */
DEVICE uint32_t take_contact(const DenseTile &d, const uint32_t block, uint32_t &contacts)
{
    const uint32_t i = __ffs(contacts) - 1;
    contacts &= contacts - 1;
    const uint32_t other = i < 8           ? block - BLOCKS_X :
                           i < ABOVE_LEFT  ? block - 1 :
                           i == ABOVE_LEFT ? block - BLOCKS_X - 1 :
                                             block - BLOCKS_X + 1;
    const uint32_t at = i < 8 ? 8 + i : i < ABOVE_LEFT ? i - 8 : i == ABOVE_LEFT ? 15 : 8;
    return other * BLOCK_NODES + ((const uint8_t *) d.border[other])[at];
}

/* Each node hangs on the first one that it is to be united with; the other pairs are listed. */
DEVICE uint32_t list_pairs(DenseTile &d, const CudaImage &image, const Place &place, Parts &parts)
{
    const uint32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    uint32_t n_pairs = 0;
#pragma unroll 1
    for (uint32_t begin = 0; begin < parts.n; begin += WARP) {
        const uint32_t i = begin + lane;
        uint32_t node = 0, c = 0;
        bool at_edge = false;
        if (i < parts.n) {
            node = d.names[warp][i];
            const uint32_t block = node / BLOCK_NODES;
            const Square b = d.parts[warp][i];
            at_edge = has_pixels(both(b, tile_edge(place, block)));
            c = contacts(d, b, block, image.corner);
            d.parent[node] = (uint16_t) (c ? take_contact(d, block, c) : node);
        }
        const uint32_t edges = __ballot_sync(ALL_LANES, at_edge);
        if (at_edge)
            d.edge_nodes[warp][parts.n_edge + __popc(edges & lane_mask_lt())] = (uint16_t) i;
        parts.n_edge += __popc(edges);
        for (uint32_t more; (more = __ballot_sync(ALL_LANES, c != 0)) != 0;
             n_pairs += __popc(more)) {
            const uint32_t to = n_pairs + __popc(more & lane_mask_lt());
            if (c == 0)
                continue;
            const uint32_t other = take_contact(d, node / BLOCK_NODES, c);
            if (to < PAIRS) /* or it fails below */
                d.pairs[warp][to] = node | other << 16;
        }
    }
    if (n_pairs > PAIRS)
        d.failed = 1;
    return n_pairs;
}

/* Makes paths shorter before there are more unions; by all threads. Whatever others see of a
 * parent meanwhile is above the node; nobody else changes it. */
DEVICE void shorten_paths(DenseTile &d, const Parts &parts)
{
#pragma unroll 1
    for (uint32_t jump = 0; jump < 2; jump++)
#pragma unroll 1
        for (uint32_t i = threadIdx.x % WARP; i < parts.n; i += WARP) {
            const uint32_t node = d.names[threadIdx.x / WARP][i];
            const uint32_t before = load_shared_16(d.parent + node);
            uint32_t p = load_shared_16(d.parent + before);
            p = load_shared_16(d.parent + p);
            p = load_shared_16(d.parent + p);
            atomicXor((uint32_t *) d.parent + node / 2, (before ^ p) << node % 2 * 16);
        }
}

#endif /* CCA_CUDA_PARTS_CUH */
