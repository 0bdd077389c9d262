/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Joins open components across the edges of tiles. */

#include "tile.cuh"

/* The open component at a place of a tile's edge, or UINT32_MAX. */
DEVICE uint32_t edge_node(const CudaTiled &t, const uint32_t tile, const uint32_t label)
{
    const uint32_t base = t.open_base[tile];
    if (base == UINT32_MAX)
        return UINT32_MAX;
    const uint32_t open = t.edges[(size_t) tile * CCA_EDGE_LABELS + label];
    return open == CCA_EDGE_NONE ? UINT32_MAX : base + open;
}

/* Unites pixel i of an edge with what it touches on the other side: the pixel
 * straight across, or if that is background its two neighbours. `here` and
 * `there` give the nodes at a place of either side, UINT32_MAX for none. */
template <typename Here, typename There>
DEVICE void merge_pixel(uint32_t *const parent, const uint32_t i, const uint32_t corner,
                        const Here here, const There there)
{
    const uint32_t a = here((int32_t) i);
    if (a == UINT32_MAX)
        return;
    const uint32_t b = there((int32_t) i);
    if (b != UINT32_MAX) {
        /* along a stretch where both sides go on, one join is enough */
        if (i == 0 || here((int32_t) i - 1) != a || there((int32_t) i - 1) != b)
            unite(parent, a, b);
    } else if (corner) {
        const uint32_t before = there((int32_t) i - 1), after = there((int32_t) i + 1);
        if (before != UINT32_MAX)
            unite(parent, a, before);
        if (after != UINT32_MAX)
            unite(parent, a, after);
    }
}

/* Grid: a thread for each pixel of the right and the bottom edge of each tile. */
extern "C" __global__ void cca_tile_merge(const CudaImage image, const CudaTiled t)
{
    begin_dependent();
    const uint64_t item = (uint64_t) blockIdx.x * blockDim.x + threadIdx.x;
    const uint32_t tile = (uint32_t) (item / (CCA_TILE_WIDTH + CCA_TILE_HEIGHT));
    const uint32_t i = (uint32_t) (item % (CCA_TILE_WIDTH + CCA_TILE_HEIGHT));
    if (item == 0) {
        *t.totals = *t.counts;
        *t.counts = { 0, 0 };
    }
    if (tile >= t.tiles_x * t.tiles_y)
        return;

    const uint32_t tx = tile % t.tiles_x, ty = tile / t.tiles_x;
    if (i < CCA_TILE_WIDTH) {
        if (ty + 1 == t.tiles_y)
            return;
        const uint32_t below = tile + t.tiles_x;
        merge_pixel(
            t.parent, i, image.corner,
            [&](const int32_t x) { return edge_node(t, tile, CCA_EDGE_BOTTOM + x); },
            [&](const int32_t x) { /* corners: into the tiles beside */
                if (x < 0)
                    return tx == 0 ? UINT32_MAX :
                                     edge_node(t, below - 1, CCA_EDGE_TOP + CCA_TILE_WIDTH - 1);
                if (x == CCA_TILE_WIDTH)
                    return tx + 1 == t.tiles_x ? UINT32_MAX :
                                                 edge_node(t, below + 1, CCA_EDGE_TOP);
                return edge_node(t, below, CCA_EDGE_TOP + x);
            });
    } else {
        if (tx + 1 == t.tiles_x)
            return;
        merge_pixel(
            t.parent, i - CCA_TILE_WIDTH, image.corner,
            [&](const int32_t y) { return edge_node(t, tile, CCA_EDGE_RIGHT + y); },
            [&](const int32_t y) { /* corners were joined along the bottom edges */
                return y < 0 || y == CCA_TILE_HEIGHT ?
                           UINT32_MAX :
                           edge_node(t, tile + 1, CCA_EDGE_LEFT + y);
            });
    }
}
