/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Adds the features of open components to their roots. */

#include "../emit.cuh"

/* Lanes with the same root that are worth a reduction. Searched: 2 to 8. */
#define MIN_OPEN_PEERS 3

struct OpenVote {
    uint32_t area, min_x, max_x, max_y, first;
    uint64_t sum_x, sum_y;
};

DEVICE void cast_open(const CudaTiled &t, const uint32_t root, const OpenVote &v)
{
    atomicAdd(t.area + root, v.area);
    atomicMin(t.min_x + root, v.min_x);
    atomicMax(t.max_x + root, v.max_x);
    atomicMax(t.max_y + root, v.max_y);
    atomicMin(t.first + root, v.first);
    atomicAdd((unsigned long long *) t.sum_x + root, v.sum_x);
    atomicAdd((unsigned long long *) t.sum_y + root, v.sum_y);
}

DEVICE OpenVote reduce_open(const OpenVote &v, const bool mine)
{
    return { warp_sum(mine ? v.area : 0),
             warp_min(mine ? v.min_x : UINT32_MAX),
             warp_max(mine ? v.max_x : 0),
             warp_max(mine ? v.max_y : 0),
             warp_min(mine ? v.first : UINT32_MAX),
             warp_sum_64(mine ? v.sum_x : 0),
             warp_sum_64(mine ? v.sum_y : 0) };
}

/* A component of many tiles that a warp collects before it votes. */
struct Hot {
    uint32_t root;
    OpenVote sum;
};

DEVICE void flush(const CudaTiled &t, Hot &hot)
{
    if (hot.root != UINT32_MAX && threadIdx.x % WARP == 0)
        cast_open(t, hot.root, hot.sum);
    hot.root = UINT32_MAX;
}

DEVICE void collect(const CudaTiled &t, Hot &hot, const uint32_t root, const OpenVote &v)
{
    if (hot.root != root) {
        flush(t, hot);
        hot.root = root;
        hot.sum = v;
        return;
    }
    hot.sum.area += v.area;
    hot.sum.min_x = min(hot.sum.min_x, v.min_x);
    hot.sum.max_x = max(hot.sum.max_x, v.max_x);
    hot.sum.max_y = max(hot.sum.max_y, v.max_y);
    hot.sum.first = min(hot.sum.first, v.first);
    hot.sum.sum_x += v.sum_x;
    hot.sum.sum_y += v.sum_y;
}

/* Grid: any number of whole warps. */
extern "C" __global__ void cca_tile_reduce(const CudaImage, const CudaTiled t)
{
    begin_dependent();
    const uint32_t n = t.totals->n_open;
    const uint32_t lane = threadIdx.x % WARP;
    Hot hot = { UINT32_MAX, {} };
    for (uint32_t begin = blockIdx.x * blockDim.x + threadIdx.x - lane; begin < n;
         begin += gridDim.x * blockDim.x) {
        const uint32_t node = begin + lane;
        uint32_t root = node;
        OpenVote v = {};
        if (node < n && (root = find(t.parent, node)) != node)
            v = { t.area[node],  t.min_x[node], t.max_x[node], t.max_y[node],
                  t.first[node], t.sum_x[node], t.sum_y[node] };
        bool votes = root != node;
        for (uint32_t voters; (voters = __ballot_sync(ALL_LANES, votes)) != 0;) {
            const uint32_t leaders_root = __shfl_sync(ALL_LANES, root, __ffs(voters) - 1);
            const bool mine = votes && root == leaders_root;
            if (__popc(__ballot_sync(ALL_LANES, mine)) < MIN_OPEN_PEERS)
                break;
            collect(t, hot, leaders_root, reduce_open(v, mine));
            votes = votes && !mine;
        }
        if (votes)
            cast_open(t, root, v);
    }
    flush(t, hot);
}
