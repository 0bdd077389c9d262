/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The components of a tile in shared memory, or with a kernel for each stage (STAGED) stored in
 * global memory. */

#ifndef CCA_CUDA_SUPER_STORED_CUH
#define CCA_CUDA_SUPER_STORED_CUH

#include "number.cuh"

namespace super
{

/* A stored slot has four words: area | min_x, sum_x | lower bits of max_y, sum_y | upper bits of
 * max_y, first | max_x. */
constexpr int min_x_shift = 20, sum_x_shift = 4, sum_y_shift = 5, max_x_shift = 19;
constexpr uint64_t most_pixels = (uint64_t) width * max_rows;
static_assert(most_pixels < 1u << min_x_shift && width <= 1u << (32 - min_x_shift), "");
static_assert(most_pixels / 2 * (width - 1) < 1u << (32 - sum_x_shift), "");
static_assert(most_pixels / 2 * (max_rows - 1) < 1u << (32 - sum_y_shift), "");
static_assert(max_rows <= 1u << (sum_x_shift + sum_y_shift), "");
static_assert(first_mask < 1u << max_x_shift && width <= first_begins >> max_x_shift, "");

static_assert(sizeof(CudaSuperStored) % sizeof(uint4) == 0, "slots are read as vectors");

DEVICE uint4 pack_slot(const Slot &v)
{
    return make_uint4(v.area | v.min_x << min_x_shift,
                      v.sum_x << sum_x_shift | (v.max_y & ((1u << sum_x_shift) - 1)),
                      v.sum_y << sum_y_shift | v.max_y >> sum_x_shift,
                      v.first | v.max_x << max_x_shift);
}

DEVICE Slot unpack_slot(const uint4 v)
{
    Slot s;
    s.area = v.x & ((1u << min_x_shift) - 1);
    s.sum_x = v.y >> sum_x_shift;
    s.sum_y = v.z >> sum_y_shift;
    s.min_x = v.x >> min_x_shift;
    s.max_x = v.w >> max_x_shift & (width - 1);
    s.max_y = (v.y & ((1u << sum_x_shift) - 1)) | (v.z & ((1u << sum_y_shift) - 1)) << sum_x_shift;
    s.first = v.w & (first_is_open | first_begins | first_mask);
    return s;
}

template <Scope scope>
DEVICE Slot slot_of(const Tile &tile, const CudaSuper &s, const Place &place, const uint32_t i)
{
    if constexpr (scope == STAGED)
        return unpack_slot(*(const uint4 *) s.stored[place.tile].slots[i]);
    return tile.slots[i];
}

/* Marks a component that begins in the tile. */
template <Scope scope>
DEVICE void mark_begun(Tile &tile, const CudaSuper &s, const Place &place, const uint32_t i)
{
    if constexpr (scope == STAGED)
        s.stored[place.tile].slots[i][3] |= first_begins;
    else
        tile.slots[i].first |= first_begins;
}

/* Keeps the id of a component, which replaces max_x, or if it is stored its area. */
template <Scope scope>
DEVICE void keep_id(Tile &tile, const CudaSuper &s, const Place &place, const uint32_t i,
                    const uint32_t id)
{
    if constexpr (scope == STAGED)
        s.stored[place.tile].slots[i][0] = id;
    else
        tile.slots[i].max_x = id;
}

/* Stores the components. Called by all threads. */
DEVICE void store_tile(const Tile &tile, const CudaSuper &s, const Place &place, const uint32_t n)
{
    CudaSuperStored &to = s.stored[place.tile];
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
        *(uint4 *) to.slots[i] = pack_slot(tile.slots[i]);
    for (uint32_t i = threadIdx.x; i < (n + WARP - 1) / WARP; i += blockDim.x)
        to.counted[i] = tile.counted[i];
    if (threadIdx.x == 0) {
        to.n = n;
        to.n_open = tile.n_open;
    }
}

/* For a label image: stores the numbers of the nodes of the warp's strip, and 0 where it has no
 * more, because all are loaded. */
DEVICE void store_numbers(const Tile &tile, const CudaSuper &s, const Place &place,
                          const Strip &strip)
{
#pragma unroll 1
    for (uint32_t i = strip.begin + threadIdx.x % WARP; i < strip.begin + strip_nodes; i += WARP)
        s.numbers[(size_t) place.tile * n_nodes + i] = i < strip.end ?
                                                           (uint16_t) number_of(tile, i) :
                                                           0;
}

/* Loads what counting changes. Returns the number of components. Called by all threads. */
DEVICE uint32_t load_counts(Tile &tile, const CudaSuper &s, const Place &place)
{
    const CudaSuperStored &from = s.stored[place.tile];
    const uint32_t n = from.n;
    for (uint32_t i = threadIdx.x; i < (n + WARP - 1) / WARP; i += blockDim.x)
        tile.counted[i] = from.counted[i];
    for (uint32_t i = threadIdx.x; i < place.rows; i += blockDim.x)
        tile.row_counts[i] = s.row_counts[place.tile * max_rows + i];
    if (threadIdx.x == 0)
        tile.n_open = from.n_open;
    __syncthreads();
    return n;
}

/* Stores the bitmap of the counted components. Called by all threads, after a barrier of the
 * block. */
DEVICE void store_counted(const Tile &tile, const CudaSuper &s, const Place &place,
                          const uint32_t n)
{
    for (uint32_t i = threadIdx.x; i < (n + WARP - 1) / WARP; i += blockDim.x)
        s.stored[place.tile].counted[i] = tile.counted[i];
}

} // namespace super

#endif /* CCA_CUDA_SUPER_STORED_CUH */
