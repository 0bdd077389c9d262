/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* A closed component, in pixels of its tile, packed into 16 bytes. */

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

#endif /* CCA_CUDA_CLOSED_CUH */
