/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Packed closed components: the features that their position in the frame does not determine, in
 * pixels of their tile. */

#ifndef CCA_CUDA_LISTED_CUH
#define CCA_CUDA_LISTED_CUH

#include "../tile.cuh"
#include "../../tables/fine.h"

struct Listed {
    uint32_t min_x, max_x, max_y;
    uint32_t area_sum_y; /* as in Slots */
    uint32_t sum_x;
};

static_assert(CCA_TILE_WIDTH <= 128 && CCA_TILE_HEIGHT <= 64, "7 and 6 bits");

DEVICE void store_listed(const CudaFine &t, const uint32_t i, const Listed &c)
{
    uint32_t *const words = t.listed + (size_t) i * CCA_LISTED_WORDS;
    words[0] = c.min_x | c.max_x << 7 | c.max_y << 14;
    words[1] = c.sum_x;
    words[2] = c.area_sum_y;
}

DEVICE Listed load_listed(const CudaFine &t, const uint32_t i)
{
    const uint32_t *const words = t.listed + (size_t) i * CCA_LISTED_WORDS;
    const uint32_t box = words[0], sum_x = words[1], area_sum_y = words[2];
    return { box & 127, box >> 7 & 127, box >> 14, area_sum_y, sum_x };
}

/* The packed form of a component with a slot. */
template <uint32_t room>
DEVICE Listed listed_slot(const Slots<room> &slots, const uint32_t slot)
{
    return { slots.min_x[slot], slots.max_x[slot], slots.max_y[slot], slots.area_sum_y[slot],
             slots.sum_x[slot] };
}

/* The packed form of an isolated run. */
DEVICE Listed listed_run(const uint32_t x, const uint32_t y, const uint32_t length)
{
    return { x, x + length - 1, y, length << AREA_SHIFT | length * y,
             length * (2 * x + length - 1) / 2 };
}

#endif /* CCA_CUDA_LISTED_CUH */
