/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Joins the open components of all tiles at their contacts. Each block does this for the whole
 * frame, which is faster than another exchange between blocks. */

#ifndef CCA_CUDA_SINGLE_SOLVE_CUH
#define CCA_CUDA_SINGLE_SOLVE_CUH

#include "exchange.cuh"

namespace single
{

/* Contacts of a thread: `sets` vectors, and one contact at a corner. One set has room for the first
 * CCA_SINGLE_FIRST contacts of each border, two have room for CCA_SINGLE_FEW. In unused entries
 * both components are 0. */
template <uint32_t sets> struct Edges {
    static constexpr uint32_t n = 4 * sets + 1;
    uint32_t a[n], b[n];
    bool any; /* in the warp */
};

/* The first n elements of a vector; the others become none. */
DEVICE uint4 first_of(const uint4 v, const int32_t n)
{
    return make_uint4(n > 0 ? v.x : none, n > 1 ? v.y : none, n > 2 ? v.z : none,
                      n > 3 ? v.w : none);
}

/* Whether an entry is a contact that joins its components. */
DEVICE bool joins(const uint32_t pair)
{
    return (pair & UINT16_MAX) != UINT16_MAX && !(pair & is_diagonal);
}

template <uint32_t sets>
DEVICE Edges<sets> load_edges(const CudaSingle &small, const Place &place, const uint32_t corner)
{
    const uint32_t n_borders = 2 * small.n_tiles;
    const uint32_t n = (sets == 1 ? CCA_SINGLE_FIRST : CCA_SINGLE_FEW) / 4 * n_borders;
    uint32_t pairs[Edges<sets>::n];
#pragma unroll
    for (uint32_t set = 0; set < sets; set++) {
        const uint32_t at = threadIdx.x + set * blockDim.x;
        const uint32_t four = (at >= n_borders) + (at >= 2 * n_borders) + (at >= 3 * n_borders);
        uint4 v = { none, none, none, none };
        if (at < n) {
            /* Blocks start at different borders, to spread their loads. */
            uint32_t border = at - four * n_borders + 2 * place.tile;
            border -= border >= n_borders ? n_borders : 0;
            v = __ldcg((const uint4 *) small.few + four * (2 * CCA_SINGLE_MAX_TILES) + border);
            if (sets > 1 && four >= CCA_SINGLE_FIRST / 4)
                v = first_of(v, __ldcg(small.n_contacts + border) - (int32_t) (4 * four));
        }
        pairs[4 * set] = v.x;
        pairs[4 * set + 1] = v.y;
        pairs[4 * set + 2] = v.z;
        pairs[4 * set + 3] = v.w;
    }
    pairs[4 * sets] = corner && threadIdx.x < n_borders ?
                          __ldcg((const uint32_t *) small.corners + threadIdx.x) :
                          none;

    Edges<sets> e;
    bool any = false;
#pragma unroll
    for (uint32_t i = 0; i < Edges<sets>::n; i++) {
        const bool has = joins(pairs[i]);
        e.a[i] = has ? pairs[i] & UINT16_MAX : 0;
        e.b[i] = has ? pairs[i] >> 16 : 0;
        any = any || has;
    }
    e.any = __any_sync(ALL_LANES, any);
    return e;
}

/* Hooks the component with the larger parent, and that parent, onto the smaller parent. */
DEVICE void hook(uint32_t *const parent, const uint32_t a, const uint32_t b, const uint32_t above_a,
                 const uint32_t above_b)
{
    const uint32_t low = min(above_a, above_b);
    atomicMin(parent + max(above_a, above_b), low);
    atomicMin(parent + (above_a > above_b ? a : b), low);
}

/* Hooks the components of all contacts whose parents differ. Returns whether any did. */
template <uint32_t sets> DEVICE bool hook_edges(uint32_t *const parent, const Edges<sets> &e)
{
    if (!e.any)
        return false;
    constexpr uint32_t n = Edges<sets>::n;
    uint32_t a[n], b[n];
    bool differ = false;
#pragma unroll
    for (uint32_t i = 0; i < n; i++) {
        a[i] = load_shared(parent + e.a[i]);
        b[i] = load_shared(parent + e.b[i]);
    }
#pragma unroll
    for (uint32_t i = 0; i < n; i++)
        if (a[i] != b[i]) {
            hook(parent, e.a[i], e.b[i], a[i], b[i]);
            differ = true;
        }
    return differ;
}

/* The same for the contacts in more[]. */
template <typename S>
DEVICE bool hook_more(Tile<S> &tile)
{
    bool differ = false;
#pragma unroll 2
    for (uint32_t i = threadIdx.x; i < tile.n_more; i += blockDim.x) {
        if (!joins(tile.more[i]))
            continue;
        const uint32_t a = tile.more[i] & UINT16_MAX, b = tile.more[i] >> 16;
        const uint32_t above_a = load_shared(tile.parent + a);
        const uint32_t above_b = load_shared(tile.parent + b);
        if (above_a != above_b) {
            hook(tile.parent, a, b, above_a, above_b);
            differ = true;
        }
    }
    return differ;
}

/* Shortens all paths. A thread processes `at_once` nodes at a time to overlap their latencies. */
template <uint32_t at_once> DEVICE void jump_nodes(uint32_t *const parent, const uint32_t n)
{
#pragma unroll 1
    for (uint32_t begin = threadIdx.x; begin < n; begin += at_once * blockDim.x) {
        uint32_t node[at_once], one[at_once], above[at_once];
#pragma unroll
        for (uint32_t k = 0; k < at_once; k++) {
            node[k] = begin + k * blockDim.x < n ? begin + k * blockDim.x : begin;
            one[k] = load_shared(parent + node[k]);
        }
#pragma unroll
        for (uint32_t k = 0; k < at_once; k++)
            above[k] = load_shared(parent + one[k]);
#pragma unroll
        for (uint32_t k = 0; k < at_once; k++)
            above[k] = load_shared(parent + above[k]);
#pragma unroll
        for (uint32_t k = 0; k < at_once; k++)
            if (above[k] != one[k])
                atomicMin(parent + node[k], above[k]);
    }
}

/* Lists the contacts beyond CCA_SINGLE_FEW of each border in more[], if they fit. */
template <typename S>
DEVICE void collect_more(Tile<S> &tile, const CudaSingle &small)
{
    const uint32_t border = threadIdx.x;
    if (border < 2 * small.n_tiles) {
        const uint32_t n = __ldcg(small.n_contacts + border);
        if (n > CCA_SINGLE_FEW)
            tile.crowded[atomicAdd(&tile.n_crowded, 1)] =
                make_uint2(border << 16 | n, atomicAdd(&tile.n_more, n - CCA_SINGLE_FEW));
    }
    __syncthreads();
    if (tile.n_more > n_nodes)
        return;
#pragma unroll 4
    for (uint32_t i = threadIdx.x / WARP; i < tile.n_crowded; i += blockDim.x / WARP) {
        const uint32_t n = (tile.crowded[i].x & UINT16_MAX) - CCA_SINGLE_FEW;
        const uint32_t to = tile.crowded[i].y;
        const uint32_t *const from = (const uint32_t *) small.more +
                                     (tile.crowded[i].x >> 16) * CCA_SINGLE_CONTACTS +
                                     CCA_SINGLE_FEW;
        for (uint32_t j = threadIdx.x % WARP; j < n; j += WARP)
            tile.more[to + j] = __ldcg(from + j);
    }
    __syncthreads();
}

/* Rounds of hooks and jumps (Shiloach and Vishkin), until both sides of each contact have the same
 * parent. Then each component has one parent, which is its root. */
template <uint32_t sets, typename S>
DEVICE void solve(Tile<S> &tile, const CudaSingle &small, const Place &place, const uint32_t n,
                  const bool has_more, const uint32_t corner)
{
    const Edges<sets> edges = load_edges<sets>(small, place, corner);
    if (has_more)
        collect_more(tile, small);
    if (tile.n_more > n_nodes)
        return;
    while (__syncthreads_or(hook_edges(tile.parent, edges) | (has_more && hook_more(tile)))) {
        if (n <= 2 * blockDim.x)
            jump_nodes<1>(tile.parent, n);
        else
            jump_nodes<4>(tile.parent, n);
        __syncthreads();
    }
}

/* Returns whether all contacts fitted. Called by all threads. */
template <typename S>
DEVICE bool solve(Tile<S> &tile, const CudaSingle &small, const Place &place, const uint32_t n,
                  const bool has_more, const uint32_t corner)
{
    if (has_more)
        solve<2>(tile, small, place, n, true, corner);
    else
        solve<1>(tile, small, place, n, false, corner);
    return tile.n_more <= n_nodes;
}

} // namespace single

#endif /* CCA_CUDA_SINGLE_SOLVE_CUH */
