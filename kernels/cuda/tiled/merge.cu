/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Joins open components across the edges of tiles. */

#include "../tables/measure.h"
#include "tile.cuh"

#define ITEM CCA_EDGE_ITEM
static_assert(ITEM == 4, "labels of a word");
#define BOTTOM_ITEMS (CCA_TILE_WIDTH / ITEM)
#define RIGHT_ITEMS (CCA_TILE_HEIGHT / ITEM)

/* The labels of an item on one side of an edge, and the nodes before and after it. */
struct Side {
    uint32_t base;
    uint32_t labels;        /* one per byte */
    uint32_t before, after; /* nodes; UINT32_MAX: none */
    uint32_t pixels;        /* bit i: pixel i - 1 of the item is foreground */
};

/* The node at one of a tile's edge labels, or UINT32_MAX. */
DEVICE uint32_t edge_node(const CudaTiled &t, const uint32_t tile, const uint32_t label)
{
    const uint32_t open = t.edges[(size_t) tile * CCA_EDGE_LABELS + label];
    return open == CCA_EDGE_NONE ? UINT32_MAX : t.open_base[tile] + open;
}

/* Bit i of the result is set if byte i is a label. */
DEVICE uint32_t labelled(const uint32_t labels)
{
    static_assert(CCA_EDGE_NONE == 255, "");
    const uint32_t v = ~labels;
    return __dp4a((((v & 0x7f7f7f7fu) + 0x7f7f7f7fu) | v) & 0x80808080u, 0x08040201u, 0u) >> 7;
}

DEVICE Side load_side(const CudaTiled &t, const uint32_t tile, const uint32_t label)
{
    const uint8_t *const p = t.edges + (size_t) tile * CCA_EDGE_LABELS + label;
    const uint32_t labels = *(const uint32_t *) p;
    return { t.open_base[tile], labels, UINT32_MAX, UINT32_MAX, labelled(labels) << 1 };
}

/* The node at bit `at` of a side's pixels. */
DEVICE uint32_t node_at(const Side &s, const uint32_t at)
{
    if (at == 0)
        return s.before;
    if (at > ITEM)
        return s.after;
    return s.base + (s.labels >> (at - 1) * 8 & 255);
}

struct Pair {
    uint32_t a, b;
};

/* Contacts of a thread's item, as bits in the positions of Side.pixels. */
struct Contacts {
    Side here, there;
    uint32_t across;      /* first pixel of each stretch with foreground on both sides */
    uint32_t left, right; /* pixels that touch only a diagonal neighbour on this side */
    uint32_t both;        /* pixels with foreground on both sides, also beside the item */
};

DEVICE Contacts find_contacts(const uint32_t corner, const CudaTiled &t, const uint32_t item)
{
    const uint32_t tile = item / (BOTTOM_ITEMS + RIGHT_ITEMS);
    const uint32_t i = item % (BOTTOM_ITEMS + RIGHT_ITEMS);
    const bool bottom = i < BOTTOM_ITEMS;
    const uint32_t tx = tile % t.tiles_x, ty = tile / t.tiles_x;
    Contacts c = {};
    if (bottom ? ty + 1 >= t.tiles_y : ty >= t.tiles_y || tx + 1 == t.tiles_x)
        return c;
    const uint32_t other = bottom ? tile + t.tiles_x : tile + 1;
    const uint32_t from = bottom ? i * ITEM : (i - BOTTOM_ITEMS) * ITEM;
    const uint32_t size = bottom ? CCA_TILE_WIDTH : CCA_TILE_HEIGHT;
    const uint32_t here_edge = bottom ? CCA_EDGE_BOTTOM : CCA_EDGE_RIGHT;
    const uint32_t there_edge = bottom ? CCA_EDGE_TOP : CCA_EDGE_LEFT;
    Side &here = c.here = load_side(t, tile, here_edge + from);
    Side &there = c.there = load_side(t, other, there_edge + from);
    if (here.pixels == 0)
        return c;

    /* Bottom edges continue in the tiles to the left and right. Right edges end at the corners,
     * because contacts across corners are joined along the bottom edges. */
    if (from > 0) {
        here.before = edge_node(t, tile, here_edge + from - 1);
        there.before = edge_node(t, other, there_edge + from - 1);
    } else if (bottom && tx > 0) {
        here.before = edge_node(t, tile - 1, here_edge + size - 1);
        there.before = edge_node(t, other - 1, there_edge + size - 1);
    }
    if (corner) {
        if (from + ITEM < size) {
            here.after = edge_node(t, tile, here_edge + from + ITEM);
            there.after = edge_node(t, other, there_edge + from + ITEM);
        } else if (bottom && tx + 1 < t.tiles_x) {
            here.after = edge_node(t, tile + 1, here_edge);
            there.after = edge_node(t, other + 1, there_edge);
        }
    }
    const uint32_t h = here.pixels | (here.before != UINT32_MAX) |
                       (here.after != UINT32_MAX) << (ITEM + 1);
    const uint32_t o = there.pixels | (there.before != UINT32_MAX) |
                       (there.after != UINT32_MAX) << (ITEM + 1);

    /* One join is enough for a stretch of pixels with foreground on both sides. */
    const uint32_t mine = ((1u << ITEM) - 1) << 1, both = h & o;
    c.both = both;
    c.across = both & ~(both << 1) & mine;
    if (corner) {
        const uint32_t alone = h & ~o & mine;
        c.left = alone & ~(h << 1) & (o << 1);
        c.right = alone & ~(h >> 1) & (o >> 1);
    }
    return c;
}

/* Removes a contact and returns its nodes in `pair`. False if none is left. */
DEVICE bool take_pair(Contacts &c, Pair &pair)
{
    if (!(c.across | c.left | c.right))
        return false;
    uint32_t &from = c.across ? c.across : c.left ? c.left : c.right;
    const uint32_t at = __ffs(from) - 1;
    pair = { node_at(c.here, at), node_at(c.there, c.across ? at : c.left ? at - 1 : at + 1) };
    from &= from - 1;
    return true;
}

/* Adds the contacts of an item to those of the components on this side. Diagonals are added only
 * with corner neighbours: without, their pixels may belong to different components. */
DEVICE void count_contacts(const CudaMeasure &m, const Contacts &c, const uint32_t corner)
{
    const uint32_t mine = ((1u << ITEM) - 1) << 1, squares = c.both & c.both << 1;
#pragma unroll 1
    for (uint32_t rest = c.here.pixels & (c.both | (corner ? c.left | c.right : 0)) & mine;
         rest != 0;) {
        /* neighbour pixels with the same label together */
        const uint32_t at = __ffs(rest) - 1, run = run_from(rest, 1u << at);
        rest &= ~run;
        uint32_t n = __popc(run & c.both) | __popc(run & squares) << CUDA_CONTACT_SQUARES;
        if (corner)
            n += (__popc(run & c.left) + __popc(run & c.right)) << CUDA_CONTACT_DIAGONALS;
        atomicAdd(m.contacts + node_at(c.here, at), n);
    }
}

template <bool measures>
DEVICE void merge_tiles(const CudaImage &image, const CudaTiled &t, const CudaMeasure &m = {})
{
    const uint32_t item = blockIdx.x * blockDim.x + threadIdx.x;
    if (item == 0) {
        *t.totals = *t.counts;
        *t.counts = {};
    }
    Contacts c = find_contacts(image.corner, t, item);
    if constexpr (measures)
        if (m.flags & CCA_FEATURES_SHAPE)
            count_contacts(m, c, image.corner);
    /* One loop for all kinds of contacts avoids divergence. Neighbour pixels often have the same
     * pair, which is united once. */
    Pair last = { UINT32_MAX, UINT32_MAX };
    for (Pair pair; take_pair(c, pair); last = pair)
        if (pair.a != last.a || pair.b != last.b)
            unite(t.parent, pair.a, pair.b);
}

/* Grid: one thread for each item of the bottom and the right edge of each tile. */
extern "C" __global__ void __launch_bounds__(CCA_LIST_THREADS, 8)
    cca_tile_merge(const CudaImage image, const CudaTiled t)
{
    begin_dependent();
    merge_tiles<false>(image, t);
}

/* The same if components are measured. */
extern "C" __global__ void __launch_bounds__(CCA_LIST_THREADS, 8)
    cca_measured_merge(const CudaImage image, const CudaTiled t, const CudaCompact compact,
                       const CudaMeasure m)
{
    begin_dependent();
    (void) compact;
    merge_tiles<true>(image, t, m);
}
