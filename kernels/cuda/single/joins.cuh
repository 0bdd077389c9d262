/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Finds the runs that a run of a tile touches. Nodes are numbered in raster order, and the smallest
 * node of a component is its root. */

#ifndef CCA_CUDA_SINGLE_JOINS_CUH
#define CCA_CUDA_SINGLE_JOINS_CUH

#include "../tiled/label.cuh"
#include "tile.cuh"

namespace single
{

/* Rounds of jumps before the unions. Each makes a path a third as long. */
constexpr int jump_rounds = 2;

/* Called by the node's owner. Concurrent jumps and unions of other threads are harmless, because
 * parents only decrease and stay in the same component. */
DEVICE void jump(uint32_t *const parent, const uint32_t node)
{
    const uint32_t one = load_shared(parent + node);
    const uint32_t two = load_shared(parent + one);
    const uint32_t three = load_shared(parent + two);
    if (three != one)
        atomicMin(parent + node, three);
}

/* Neighbours that a run must be united with: pixels above, and runs across word borders. */
struct Joins {
    uint32_t touched, borders;
};

DEVICE Joins joins_of(const Word &w, const uint32_t start, const uint32_t corner)
{
    const uint32_t pixels = run_from(w.bits, start);
    const bool left = w.left >> 31, above_left = w.above_left >> 31;
    const bool begins = pixels & 1, ends = pixels >> 31;
    Joins j = { w.above & reach(pixels, corner), 0 };
    /* No join is needed where the row above joins the two words. */
    if (begins && left && !(w.above & 1 && above_left))
        j.borders = JOIN_LEFT;
    if (corner && begins && above_left && !left && !(w.above & 1))
        j.borders = JOIN_ABOVE_LEFT;
    if (corner && ends && !(w.above >> 31) && !(w.right & 1) && w.above_right & 1)
        j.borders |= JOIN_ABOVE_RIGHT;
    return j;
}

DEVICE bool has_joins(const Joins &j)
{
    return (j.touched | j.borders) != 0;
}

/* Removes one join, and returns the node to unite with. */
template <typename S>
DEVICE uint32_t take_join(const Tile<S> &tile, const Word &w, Joins &j)
{
    if (j.touched) {
        const uint32_t lowest = lowest_bit(j.touched);
        j.touched &= ~run_from(w.above, lowest);
        return node_of(tile, w.place - S::stride, highest_index(lowest));
    }
    if (j.borders & JOIN_LEFT) {
        j.borders &= ~JOIN_LEFT;
        return node_of(tile, w.place - 1, 31);
    }
    if (j.borders & JOIN_ABOVE_LEFT) {
        j.borders &= ~JOIN_ABOVE_LEFT;
        return node_of(tile, w.place - S::stride - 1, 31);
    }
    j.borders = 0;
    return node_of(tile, w.place - S::stride + 1, 0);
}

} // namespace single

#endif /* CCA_CUDA_SINGLE_JOINS_CUH */
