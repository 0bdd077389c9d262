/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Packed closed components, in pixels of their tile: 8 bytes for an isolated run, else 16. */

#ifndef CCA_CUDA_CLOSED_CUH
#define CCA_CUDA_CLOSED_CUH

#include "tile.cuh"

struct Closed {
    uint32_t tile;
    uint32_t first_x, min_y; /* the first pixel is in the top row */
    uint32_t min_x, max_x, max_y;
    uint32_t area_sum_y; /* as in Tile */
    uint32_t sum_x;
};

static_assert(CCA_TILE_WIDTH <= 128 && CCA_TILE_HEIGHT <= 64, "7 and 6 bits");
static_assert(CCA_TILE_HEIGHT * (CCA_TILE_WIDTH * (CCA_TILE_WIDTH - 1) / 2) < 1 << 20, "20 bits");

DEVICE uint4 pack_closed(const Closed &c)
{
    return make_uint4(c.tile, c.first_x | c.min_y << 7 | c.min_x << 13 | c.max_x << 20,
                      c.sum_x | c.max_y << 20, c.area_sum_y);
}

DEVICE Closed unpack_closed(const uint4 v)
{
    Closed c;
    c.tile = v.x;
    c.first_x = v.y & 127;
    c.min_y = v.y >> 7 & 63;
    c.min_x = v.y >> 13 & 127;
    c.max_x = v.y >> 20 & 127;
    c.sum_x = v.z & ((1 << 20) - 1);
    c.max_y = v.z >> 20;
    c.area_sum_y = v.w;
    return c;
}

DEVICE uint2 pack_isolated(const uint32_t tile, const uint32_t x, const uint32_t y,
                           const uint32_t length)
{
    return make_uint2(tile, x | y << 7 | length << 13);
}

DEVICE Closed unpack_isolated(const uint2 v)
{
    const uint32_t x = v.y & 127, y = v.y >> 7 & 63, length = v.y >> 13;
    return { v.x,
             x,
             y,
             x,
             x + length - 1,
             y,
             length << AREA_SHIFT | length * y,
             length * (2 * x + length - 1) / 2 };
}

/* Address of isolated run `i`. They are stored from the end of the memory down. */
DEVICE uint2 *isolated_place(const CudaTiled &t, const uint32_t i)
{
    return (uint2 *) t.isolated_end - 1 - i;
}

#endif /* CCA_CUDA_CLOSED_CUH */
