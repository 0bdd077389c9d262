/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* A tile of many short runs in shared memory. A thread has a block of 8 x 8 pixels and finds its
 * connected parts by flood fill in registers. Parts that touch pixels outside their block, or reach
 * an edge with another tile, are nodes of a union-find; the others are complete components. */

#ifndef CCA_CUDA_PARTS_CUH
#define CCA_CUDA_PARTS_CUH

#include "begun.cuh"
#include "blocks.cuh"

/* Maximum number of parts of a warp, and of pairs of nodes to unite. A tile with more is labelled
 * by its runs. */
#define PARTS 224
#define PAIRS 144
/* Components whose features are summed up at a time, as in Tile. Noise of single pixels has up to
 * 281 at a density of 40 %. More slots would exceed the memory of blocks, borders and pairs. */
#define PART_SLOTS 288
#define EDGE_NODES ((CCA_TILE_WIDTH + 2 * 2 * BLOCK) / 2)
static_assert(N_BLOCKS == CCA_TILE_WARPS * WARP && BLOCKS_X * 2 == WARP, "one a thread");

/* Index of a part: warp * PARTS + number in the warp. For a node it is also the node's index. */
#define N_PARTS (CCA_TILE_WARPS * PARTS)
static_assert(N_PARTS < OPEN && PARTS < 256 && PARTS % 2 == 0, "");

#define BLOCK_STRIDE (BLOCKS_X + 2)

struct FineTile {
    uint32_t bits[N_PLACES]; /* as in Tile, which takes over if something does not fit */
    Square parts[N_PARTS];   /* of each warp: nodes from the start, others from the end down */
    uint8_t block_of[N_PARTS];
    alignas(4) uint16_t parent[N_PARTS]; /* of a node; later ROOT and the slot for a root */
    uint32_t least[N_PARTS];             /* first pixel of a node, later of its component */
    uint32_t listed[CCA_TILE_WORDS], open[CCA_TILE_WORDS], first[CCA_TILE_WORDS];
    uint16_t listed_before[CCA_TILE_WORDS]; /* bits in the words before */
    uint8_t open_before[CCA_TILE_WORDS];
    uint32_t edges[CCA_EDGE_LABELS / 4];            /* complements of the labels, one per byte */
    uint8_t edge_nodes[CCA_TILE_WARPS][EDGE_NODES]; /* numbers in their warp */
    uint16_t begins[N_PARTS]; /* root of each slot; later its first pixel, | OPEN if it is open */
    uint32_t is_open[N_PARTS / 32]; /* one bit per slot */
    union {
        struct {
            Square blocks[(BLOCKS_Y + 2) * BLOCK_STRIDE]; /* surrounded by blocks of background */
            /* For each pixel of the blocks' bottom rows, then right columns, the number of its
             * node in its warp, one per byte. */
            uint32_t border[2][N_BLOCKS * BLOCK / 4];
            uint32_t pairs[CCA_TILE_WARPS][PAIRS];
        };
        Slots<PART_SLOTS> slots;
    };
    uint32_t n_begun[CCA_TILE_WARPS];
    uint32_t n_slots, failed;
    uint32_t open_base, listed_base;
};

/* Numbers of a warp's parts and pairs. */
struct Parts {
    uint32_t n;       /* nodes */
    uint32_t n_inner; /* parts that are components */
    uint32_t n_edge;  /* nodes at edges of the tile */
    uint32_t n_pairs; /* pairs to unite */
};

/* With few pairs, components are small, and most of a warp's nodes are in different components.
 * The limit is the fastest of one pair for 1 to 8 nodes. */
DEVICE bool are_scattered(const Parts &parts)
{
    return parts.n_pairs * 2 < parts.n;
}

DEVICE uint32_t first_node()
{
    return threadIdx.x / WARP * PARTS;
}

/* Calls visit(i) for all i < n, and reconverges. Called by a whole warp. */
template <typename Visit> DEVICE void for_each(const uint32_t n, const Visit visit)
{
    const uint32_t lane = threadIdx.x % WARP;
#pragma unroll 1
    for (uint32_t begin = 0; begin < n; begin += WARP) {
        if (begin + lane < n)
            visit(begin + lane);
        __syncwarp();
    }
}

/* Calls visit(node) for all nodes of the warp. */
template <typename Visit> DEVICE void for_each_node(const Parts &parts, const Visit visit)
{
    for_each(parts.n, [&](const uint32_t i) { visit(first_node() + i); });
}

DEVICE uint32_t block_place(const uint32_t block)
{
    return (block / BLOCKS_X + 1) * BLOCK_STRIDE + block % BLOCKS_X + 1;
}

/* The pixels of a block at an edge with a neighbour tile. */
DEVICE Square tile_edge(const Place &place, const uint32_t block)
{
    const uint32_t x = block % BLOCKS_X, y = block / BLOCKS_X;
    const uint32_t columns = (place.left && x == 0 ? LEFT_COLUMN : 0) |
                             (place.right && x == BLOCKS_X - 1 ? RIGHT_COLUMN : 0);
    return { columns | (place.above && y == 0 ? 0xffu : 0),
             columns | (place.below && y == BLOCKS_Y - 1 ? 0xff000000u : 0) };
}

/* Surroundings of a thread's block. */
struct Around {
    Square edge;       /* its pixels at an edge with a neighbour tile */
    uint32_t contacts; /* pixels outside it, see block_contacts() */
};

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

/* Foreground pixels outside a block that its parts are united with: the row above, from the left to
 * the right corner, then the column to the left. A corner is left out if a foreground pixel beside
 * it connects it anyway. */
#define LEFT_BIT (BLOCK + 3)
DEVICE uint32_t block_contacts(const Square *const at, const uint32_t corner)
{
    const Square left = at[-1];
    uint32_t above = at[-BLOCK_STRIDE].y >> 24 << 1;
    if (corner) {
        const uint32_t above_left = at[-BLOCK_STRIDE - 1].y >> 31;
        const uint32_t above_right = at[-BLOCK_STRIDE + 1].y >> 24;
        above |= (above_left & ~(above >> 1 | left.x >> 7)) |
                 (above_right & ~(above >> BLOCK | at[1].x) & 1) << (BLOCK + 1);
    }
    return above | gather_column(left.x >> 7 & LEFT_COLUMN) << LEFT_BIT |
           gather_column(left.y >> 7 & LEFT_COLUMN) << (LEFT_BIT + 4);
}

/* The contacts of a part. Adjacent pixels belong to one node, so only the first of them is kept. */
DEVICE uint32_t part_contacts(const Square &b, const uint32_t of_block, const uint32_t corner)
{
    uint32_t reach = (b.x & 255) << 1 | gather_column(b.x & LEFT_COLUMN) << LEFT_BIT |
                     gather_column(b.y & LEFT_COLUMN) << (LEFT_BIT + 4);
    if (corner)
        reach |= reach << 1 | reach >> 1;
    return starts_of(reach & of_block);
}

/* Converts the rows of bits to blocks. */
DEVICE void load_blocks(FineTile &d)
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
    for (uint32_t i = 0; i < BLOCK / 4; i++)
        d.border[0][block * BLOCK / 4 + i] = d.border[1][block * BLOCK / 4 + i] = 0;
    for (uint32_t w = threadIdx.x; w < CCA_TILE_WORDS; w += CCA_TILE_WARPS * WARP)
        d.listed[w] = d.open[w] = 0;
    if (threadIdx.x < N_PARTS / 32)
        d.is_open[threadIdx.x] = 0;
    if (threadIdx.x < CCA_EDGE_LABELS / 4)
        d.edges[threadIdx.x] = UINT32_MAX;
    if (threadIdx.x == 0)
        d.n_slots = d.failed = 0;
}

/* Stores the bytes of a block in its rows of a bitmap. */
DEVICE void store_block(uint32_t *const bitmap, const uint32_t block, const Square &b)
{
    uint8_t *const to = (uint8_t *) bitmap + block / BLOCKS_X * BLOCK * (CCA_TILE_WIDTH / 8) +
                        block % BLOCKS_X;
#pragma unroll
    for (uint32_t i = 0; i < 4; i++) {
        to[i * (CCA_TILE_WIDTH / 8)] = (uint8_t) (b.x >> 8 * i);
        to[(i + 4) * (CCA_TILE_WIDTH / 8)] = (uint8_t) (b.y >> 8 * i);
    }
}

/* Finds the parts of a block. Isolated pixels are stored in the bitmap only. */
template <bool corners>
DEVICE Parts find_parts(FineTile &d, const CudaImage &image, const Place &place, Around &around)
{
    const uint32_t block = threadIdx.x;
    const Square *const at = d.blocks + block_place(block);
    const Square pixels = *at, edge = tile_edge(place, block);
    around = { edge, block_contacts(at, corners) };
    Square outside = touched_from_outside(at, corners);
    outside = { outside.x | edge.x, outside.y | edge.y };
    const Square near = neighbours<corners>(pixels);
    const Square single = without(pixels, { near.x | outside.x, near.y | outside.y });
    store_block(d.first, block, area_passes(image, 1) ? single : Square{});

    Square rest = without(pixels, single);
    Square part = (rest.x & rest.y) == ~0u ? rest : first_pixel(rest);
    Parts parts = {};
    while (__any_sync(ALL_LANES, has_pixels(rest))) {
        const Square before = grow<corners>(grow<corners>(part, pixels), pixels);
        part = grow<corners>(before, pixels);
        const bool done = has_pixels(rest) && part.x == before.x && part.y == before.y;
        const bool is_node = has_pixels(both(part, outside));
        const uint32_t nodes = __ballot_sync(ALL_LANES, done && is_node);
        const uint32_t inner = __ballot_sync(ALL_LANES, done && !is_node);
        const uint32_t n = parts.n + __popc(nodes), n_inner = parts.n_inner + __popc(inner);
        if (done) {
            const uint32_t k = __popc((is_node ? nodes : inner) & lane_mask_lt());
            const uint32_t i = is_node ? parts.n + k : PARTS - 1 - parts.n_inner - k;
            if (n + n_inner <= PARTS) { /* otherwise fails below */
                d.parts[first_node() + i] = part;
                d.block_of[first_node() + i] = (uint8_t) block;
            }
            rest = without(rest, part);
            part = first_pixel(rest);
        }
        parts.n = n;
        parts.n_inner = n_inner;
    }
    if (parts.n + parts.n_inner > PARTS) {
        if (threadIdx.x % WARP == 0)
            d.failed = 1;
        parts = {};
    }
    __syncwarp();
    return parts;
}

/* Stores the numbers of the nodes at the bottom rows and right columns of blocks. */
DEVICE void mark_borders(FineTile &d, const Parts &parts)
{
    for_each_node(parts, [&](const uint32_t node) {
        const uint32_t number = node - first_node();
        const Square b = d.parts[node];
        uint32_t *const bottom = d.border[0] + d.block_of[node] * (BLOCK / 4);
        const auto mark = [&](uint32_t *const at, const uint32_t pixels) {
            if (pixels)
                atomicOr(at, pixels * number);
        };
        mark(bottom, spread_row(b.y >> 24));
        mark(bottom + 1, spread_row(b.y >> 28));
        uint32_t *const right = bottom + (d.border[1] - d.border[0]);
        mark(right, b.x >> 7 & LEFT_COLUMN);
        mark(right + 1, b.y >> 7 & LEFT_COLUMN);
    });
}

/* Removes one contact, and returns the node to unite with. */
DEVICE uint32_t take_contact(const FineTile &d, const uint32_t block, uint32_t &contacts)
{
    const uint32_t i = __ffs(contacts) - 1;
    contacts &= contacts - 1;
    const bool above = i < LEFT_BIT;
    const uint32_t from = above ? 0 - BLOCKS_X * BLOCK - 1 : N_BLOCKS * BLOCK - BLOCK - LEFT_BIT;
    const bool other_warp = above && block % WARP < BLOCKS_X;
    return first_node() - (other_warp ? PARTS : 0) +
           ((const uint8_t *) d.border)[block * BLOCK + i + from];
}

/* Makes each node a child of the node of its first contact. Lists the pairs of its other contacts,
 * and the nodes at edges of the tile. */
DEVICE void list_pairs(FineTile &d, const CudaImage &image, const Around &around, Parts &parts)
{
    const uint32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
#pragma unroll 1
    for (uint32_t begin = 0; begin < parts.n; begin += WARP) {
        const uint32_t i = begin + lane, node = first_node() + i;
        const uint32_t block = i < parts.n ? d.block_of[node] : 0, its = block % WARP;
        const Square edge = { __shfl_sync(ALL_LANES, around.edge.x, its),
                              __shfl_sync(ALL_LANES, around.edge.y, its) };
        const uint32_t of_block = __shfl_sync(ALL_LANES, around.contacts, its);
        uint32_t c = 0, last = node;
        bool at_edge = false;
        if (i < parts.n) {
            const Square b = d.parts[node];
            d.least[node] = first_in_tile(b, block);
            at_edge = has_pixels(both(b, edge));
            c = part_contacts(b, of_block, image.corner);
            if (c)
                last = take_contact(d, block, c);
            d.parent[node] = (uint16_t) last;
        }
        const uint32_t edges = __ballot_sync(ALL_LANES, at_edge);
        if (at_edge)
            d.edge_nodes[warp][parts.n_edge + __popc(edges & lane_mask_lt())] = (uint8_t) i;
        parts.n_edge += __popc(edges);
        while (__any_sync(ALL_LANES, c != 0)) {
            const uint32_t other = c ? take_contact(d, block, c) : last;
            const bool has = other != last; /* two blocks may touch more than once */
            const uint32_t more = __ballot_sync(ALL_LANES, has);
            const uint32_t to = parts.n_pairs + __popc(more & lane_mask_lt());
            if (has && to < PAIRS) /* otherwise fails below */
                d.pairs[warp][to] = node | other << 16;
            parts.n_pairs += __popc(more);
            last = other;
        }
    }
    if (parts.n_pairs > PAIRS)
        d.failed = 1;
}

/* Shortens the paths before further unions. Called by all warps; a thread has two nodes at a time.
 * Only it changes their parents, and any value that others read is an ancestor. */
DEVICE void shorten_paths(FineTile &d, const Parts &parts)
{
    const auto shorter = [&](uint32_t node) {
#pragma unroll
        for (uint32_t hop = 0; hop < 3; hop++)
            node = load_shared_16(d.parent + node);
        return node;
    };
#pragma unroll 1
    for (uint32_t jump = are_scattered(parts); jump < 2; jump++)
        for_each((parts.n + 1) / 2, [&](const uint32_t i) {
            uint32_t *const two = (uint32_t *) (d.parent + first_node()) + i;
            const uint32_t before = load_shared(two), a = before & 0xffff;
            const uint32_t b = 2 * i + 1 < parts.n ? before >> 16 : a;
            atomicXor(two, (shorter(a) ^ a) | (shorter(b) ^ b) << 16);
        });
}

#endif /* CCA_CUDA_PARTS_CUH */
