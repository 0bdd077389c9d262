/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Adds the features of open components to their roots. Each tile has marked the
 * first pixels of its parts: wherever two are added, the later mark is taken back,
 * and one is left in the end. */

#include "open.cuh"

/* Lanes with the same root that are worth a reduction. Searched: 2 to 9. */
#define MIN_OPEN_PEERS 5

struct OpenVote {
    CudaOpen c;
    uint32_t first;
};

/* What all votes go to. */
struct Box {
    const CudaImage &image;
    const CudaTiled &t;
    const CudaEmit &emit;
};

DEVICE void take_back(const Box &box, const uint32_t first)
{
    unmark_first(box.emit, first % box.image.width, first / box.image.width);
}

DEVICE void cast_open(const Box &box, const uint32_t root, const OpenVote &v)
{
    CudaOpen &sum = box.t.open[root];
    atomicAdd(&sum.area, v.c.area);
    atomicMin(&sum.min_x, v.c.min_x);
    atomicMax(&sum.max_x, v.c.max_x);
    atomicMax(&sum.max_y, v.c.max_y);
    take_back(box, max(v.first, atomicMin(box.t.first + root, v.first)));
    atomicAdd((unsigned long long *) &sum.sum_x, v.c.sum_x);
    atomicAdd((unsigned long long *) &sum.sum_y, v.c.sum_y);
}

DEVICE OpenVote reduce_open(const Box &box, const OpenVote &v, const bool mine)
{
    const uint32_t first = warp_min(mine ? v.first : UINT32_MAX);
    if (mine && v.first != first)
        take_back(box, v.first);
    return { { warp_sum(mine ? v.c.area : 0),
               warp_min(mine ? v.c.min_x : UINT32_MAX),
               warp_max(mine ? v.c.max_x : 0),
               warp_max(mine ? v.c.max_y : 0),
               warp_sum_64(mine ? v.c.sum_x : 0),
               warp_sum_64(mine ? v.c.sum_y : 0) },
             first };
}

/* A component of many tiles that a warp collects before it votes. */
struct Hot {
    uint32_t root;
    uint32_t n_peers; /* lanes that had it last */
    OpenVote sum;
};

/* Adds to the component that is collected, or takes this one instead if it has
 * more lanes; by a whole warp. */
DEVICE void collect(const Box &box, Hot &hot, const Hot &more)
{
    const bool first_lane = threadIdx.x % WARP == 0;
    if (hot.root != more.root) {
        if (more.n_peers > hot.n_peers) {
            if (first_lane && hot.root != UINT32_MAX)
                cast_open(box, hot.root, hot.sum);
            hot = more;
        } else if (first_lane) {
            cast_open(box, more.root, more.sum);
        }
        return;
    }
    hot.n_peers = more.n_peers;
    CudaOpen &sum = hot.sum.c;
    sum.area += more.sum.c.area;
    sum.min_x = min(sum.min_x, more.sum.c.min_x);
    sum.max_x = max(sum.max_x, more.sum.c.max_x);
    sum.max_y = max(sum.max_y, more.sum.c.max_y);
    sum.sum_x += more.sum.c.sum_x;
    sum.sum_y += more.sum.c.sum_y;
    if (first_lane)
        take_back(box, max(hot.sum.first, more.sum.first));
    hot.sum.first = min(hot.sum.first, more.sum.first);
}

/* Grid: any number of blocks of CCA_LIST_THREADS threads. */
extern "C" __global__ void cca_tile_reduce(const CudaImage image, const CudaTiled t,
                                           const CudaEmit emit)
{
    begin_dependent();
    const Box box = { image, t, emit };
    const uint32_t n = t.totals->n_open;
    const uint32_t lane = threadIdx.x % WARP;
    Hot hot = { UINT32_MAX, 0, {} };
    for (uint32_t begin = blockIdx.x * blockDim.x + threadIdx.x - lane; begin < n;
         begin += gridDim.x * blockDim.x) {
        const uint32_t node = begin + lane;
        uint32_t root = node;
        OpenVote v = {};
        if (node < n && (root = find_halving(t.parent, node)) != node)
            v = { load_open(t, node), t.first[node] };
        const bool votes = root != node;
        const uint32_t n_peers = __popc(__match_any_sync(ALL_LANES, votes ? root : UINT32_MAX));
        bool together = votes && n_peers >= MIN_OPEN_PEERS;
        if (votes && !together)
            cast_open(box, root, v);
        for (uint32_t left; (left = __ballot_sync(ALL_LANES, together)) != 0;) {
            const uint32_t leader = __ffs(left) - 1;
            const uint32_t leaders_root = __shfl_sync(ALL_LANES, root, leader);
            const bool mine = together && root == leaders_root;
            collect(box, hot, { leaders_root, __shfl_sync(ALL_LANES, n_peers, leader),
                                reduce_open(box, v, mine) });
            together = together && !mine;
        }
    }

    /* the warps of a block mostly end with the same one */
    __shared__ Hot hots[CCA_LIST_THREADS / WARP];
    if (lane == 0)
        hots[threadIdx.x / WARP] = hot;
    __syncthreads();
    if (threadIdx.x >= WARP)
        return;
    Hot mine = { UINT32_MAX, 0, {} };
    if (lane < CCA_LIST_THREADS / WARP)
        mine = hots[lane];
    for (uint32_t left; (left = __ballot_sync(ALL_LANES, mine.root != UINT32_MAX)) != 0;) {
        const uint32_t root = __shfl_sync(ALL_LANES, mine.root, __ffs(left) - 1);
        const OpenVote sum = reduce_open(box, mine.sum, mine.root == root);
        if (lane == 0)
            cast_open(box, root, sum);
        if (mine.root == root)
            mine.root = UINT32_MAX;
    }
}
