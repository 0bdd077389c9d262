/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Labelling of a tile: FLSL's runs, cut at word borders, in a union-find in
 * shared memory. A smaller node comes first in raster order and is the root. */

#ifndef CCA_CUDA_LABEL_CUH
#define CCA_CUDA_LABEL_CUH

#include "tile.cuh"

/* A thread's word. */
struct Word {
    uint32_t index;
    uint32_t bits, above, left;
    uint32_t node;    /* first of its nodes */
    uint32_t repeats; /* 1: equals the word above, and has no nodes of its own */
    uint32_t height;  /* rows that it and its repetitions take up */
    uint32_t isolated; /* bit i: run i is a component of its own */
};

DEVICE uint32_t find_shared(const uint32_t *const parent, const uint32_t node)
{
    return find_by<load_shared>(parent, node);
}

DEVICE void unite_shared(uint32_t *const parent, const uint32_t a, const uint32_t b)
{
    unite_by<load_shared>(parent, a, b);
}

/* Calls what(i, run) for the runs of a word from the left. */
template <typename What> DEVICE void for_each_run(uint32_t bits, const What what)
{
    for (uint32_t i = 0; bits != 0; i++) {
        const uint32_t run = lowest_run(bits);
        what(i, run);
        bits &= ~run;
    }
}

/* Bits above or below which a run's pixels have neighbours in its own word. */
DEVICE uint32_t reach(const uint32_t run, const uint32_t corner)
{
    return corner ? run | run << 1 | run >> 1 : run;
}

/* Whether nothing touches a run. Those at a border of their word or of the tile
 * are left to the union-find. */
DEVICE bool is_isolated(const Word &w, const uint32_t run, const uint32_t below,
                        const uint32_t corner)
{
    const uint32_t row = w.index / ROW_WORDS;
    return row > 0 && row < CCA_TILE_HEIGHT - 1 && !(run & 0x80000001u) &&
           !((w.above | below) & reach(run, corner));
}

/* A word that equals the one above adds no nodes: each of its runs touches that
 * one run above, and no other. Rows of a warp only, for it is told by ballots. */
DEVICE Word make_word(Tile &tile, const uint32_t corner)
{
    constexpr uint32_t column = 0x11111111u; /* lanes of the first column of words */
    static_assert(ROW_WORDS == 4, "column");
    const uint32_t lane = threadIdx.x % WARP;

    Word w;
    w.index = threadIdx.x;
    const uint32_t *const p = word_bits(tile, w.index);
    w.bits = p[0];
    w.above = p[-BITS_STRIDE];
    w.left = p[-1];
    w.repeats = lane >= ROW_WORDS && w.bits != 0 && w.bits == w.above;

    const uint32_t fresh = ~__ballot_sync(ALL_LANES, w.repeats) & column << lane % ROW_WORDS;
    const uint32_t top = highest_index(fresh & lane_mask_le());
    const uint32_t below = fresh & lane_mask_gt();
    const uint32_t end = below ? __ffs(below) - 1 : WARP + lane % ROW_WORDS;
    w.height = (end - lane) / ROW_WORDS;
    w.node = (w.index - (lane - top)) * WORD_NODES;
    tile.base[w.index] = (uint16_t) w.node;

    w.isolated = 0;
    if (!w.repeats)
        for_each_run(w.bits, [&](const uint32_t i, const uint32_t run) {
            w.isolated |= is_isolated(w, run, p[BITS_STRIDE], corner) << i;
        });
    return w;
}

/* Each run hangs on the first one that it touches above: a plain store, since
 * a smaller parent can close no cycle. */
DEVICE void open_nodes(Tile &tile, const Word &w, const uint32_t corner)
{
    if (w.repeats)
        return;
    for_each_run(w.bits, [&](const uint32_t i, const uint32_t run) {
        const uint32_t touched = w.above & reach(run, corner);
        tile.parent[w.node + i] =
            touched ? node_of(tile, w.index - ROW_WORDS, w.above, __ffs(touched) - 1) :
                      w.node + i;
    });
}

/* Hangs each node on its root, so that the finds that follow are short. Others
 * may climb past it meanwhile: they meet the old parent or the root. */
DEVICE void compress(Tile &tile, const Word &w)
{
    const uint32_t n_nodes = w.repeats ? 0 : __popc(starts_of(w.bits));
    for (uint32_t i = 0; i < n_nodes; i++) {
        const uint32_t parent = tile.parent[w.node + i];
        const uint32_t root = find_shared(tile.parent, parent);
        if (root != parent)
            atomicMin(tile.parent + w.node + i, root);
    }
}

/* All other joins: further runs above, and those across word borders. */
DEVICE void unite_nodes(Tile &tile, const Word &w, const uint32_t corner)
{
    const uint32_t *const p = word_bits(tile, w.index);
    if (!w.repeats)
        for_each_run(w.bits, [&](const uint32_t i, const uint32_t run) {
            uint32_t touched = w.above & reach(run, corner);
            for (;;) {
                touched &= ~(w.above & ~(w.above + lowest_bit(touched)));
                if (touched == 0)
                    break;
                unite_shared(tile.parent, w.node + i,
                             node_of(tile, w.index - ROW_WORDS, w.above, __ffs(touched) - 1));
            }
        });

    const bool first_bit = w.bits & 1, last_bit = w.bits >> 31;
    if (first_bit && w.left >> 31) {
        /* where both words repeat those above, so does the join */
        const bool left_repeats = tile.base[w.index - 1] != (w.index - 1) * WORD_NODES;
        if (!w.repeats || !left_repeats)
            unite_shared(tile.parent, w.node, node_of(tile, w.index - 1, w.left, 31));
    }
    if (corner) {
        const uint32_t above_left = p[-BITS_STRIDE - 1], above_right = p[-BITS_STRIDE + 1];
        if (first_bit && above_left >> 31 && !(w.left >> 31) && !(w.above & 1))
            unite_shared(tile.parent, w.node,
                         node_of(tile, w.index - ROW_WORDS - 1, above_left, 31));
        if (last_bit && above_right & 1 && !(p[1] & 1) && !(w.above >> 31))
            unite_shared(tile.parent, node_of(tile, w.index, w.bits, 31),
                         node_of(tile, w.index - ROW_WORDS + 1, above_right, 0));
    }
}

/* Numbers the roots in raster order, but for isolated runs; returns how many
 * there are. */
DEVICE uint32_t number_roots(Tile &tile, const Word &w)
{
    const uint32_t n_nodes = w.repeats ? 0 : __popc(starts_of(w.bits));
    uint32_t roots = 0; /* bit i: node i of the word is one */
    for (uint32_t i = 0; i < n_nodes; i++)
        roots |= (tile.parent[w.node + i] == w.node + i) << i;
    roots &= ~w.isolated;
    uint32_t total;
    uint32_t slot = block_scan(tile, __popc(roots), total);
    for (; roots != 0; roots &= roots - 1)
        tile.parent[w.node + __ffs(roots) - 1] = ROOT | slot++;
    return total;
}

/* The root above a node, once roots are numbered. */
DEVICE uint32_t root_of(const Tile &tile, uint32_t node)
{
    for (uint32_t p; !((p = tile.parent[node]) & ROOT);)
        node = p;
    return node;
}

#endif /* CCA_CUDA_LABEL_CUH */
