/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Adds the features of open components to their roots. Each tile has marked the first pixels of
 * its open components. When two are added, the later mark is removed, so that one mark is left. */

#include "features.cuh"
#include "open.cuh"

/* Minimum number of lanes with the same root for a reduction: the fastest of 2 to 12. */
#define MIN_OPEN_PEERS 5

/* No first pixel. */
#define NO_MARK UINT32_MAX

struct OpenVote {
    CudaOpen c;
    uint32_t first;
};

/* Shared memory for the votes that a warp casts together. */
struct Ballot {
    uint32_t root[WARP];
    uint32_t greatest[WARP * CUDA_N_GREATEST];
    uint64_t sums[WARP * 2];
};

/* Arguments of all votes. */
struct Box {
    const CudaImage &image;
    const CudaTiled &t;
    const CudaCompact &compact;
    Ballot &ballot; /* of the warp */
};

DEVICE void take_back(const Box &box, const uint32_t first)
{
    if (first != NO_MARK)
        unmark_first(box.compact, first % box.image.width, first / box.image.width);
}

/* Adds the votes of the lanes with `votes` to their roots. Called by a whole warp. Neighbour lanes
 * update neighbour words, which the L2 combines into one operation on a sector. Returns the mark
 * to remove for the lane's vote; use it late, because it has the latency of the L2. */
DEVICE uint32_t cast_open(const Box &box, const bool votes, const uint32_t root, const OpenVote &v)
{
    Ballot &ballot = box.ballot;
    const uint32_t lane = threadIdx.x % WARP, voters = __ballot_sync(ALL_LANES, votes);
    const uint32_t n = __popc(voters), place = __popc(voters & lane_mask_lt());
    uint32_t first = NO_MARK;
    if (votes) {
        first = atomicMin(box.t.first + root, v.first);
        atomicAdd(&box.t.open[root].area, v.c.area);
        ballot.root[place] = root;
#pragma unroll
        for (uint32_t i = 0; i < CUDA_N_GREATEST; i++)
            ballot.greatest[place * CUDA_N_GREATEST + i] = v.c.greatest[i];
#pragma unroll
        for (uint32_t i = 0; i < 2; i++)
            ballot.sums[place * 2 + i] = v.c.sums[i];
    }
    __syncwarp();
#pragma unroll 1
    for (uint32_t i = lane; i < CUDA_N_GREATEST * n; i += WARP)
        atomicMax(&box.t.open[ballot.root[i / CUDA_N_GREATEST]].greatest[i % CUDA_N_GREATEST],
                  ballot.greatest[i]);
#pragma unroll 1
    for (uint32_t i = lane; i < 2 * n; i += WARP)
        atomicAdd((unsigned long long *) &box.t.open[ballot.root[i / 2]].sums[i % 2],
                  ballot.sums[i]);
    __syncwarp();
    return votes ? max(v.first, first) : NO_MARK;
}

DEVICE OpenVote reduce_open(const Box &box, const OpenVote &v, const bool mine)
{
    OpenVote sum = { {}, warp_min(mine ? v.first : UINT32_MAX) };
    sum.c.area = warp_sum(mine ? v.c.area : 0);
#pragma unroll
    for (uint32_t i = 0; i < CUDA_N_GREATEST; i++)
        sum.c.greatest[i] = warp_max(mine ? v.c.greatest[i] : 0);
#pragma unroll
    for (uint32_t i = 0; i < 2; i++)
        sum.c.sums[i] = warp_sum_64(mine ? v.c.sums[i] : 0);
    if (mine && v.first != sum.first)
        take_back(box, v.first);
    return sum;
}

/* A component of many tiles that a warp sums up before it votes. */
struct Hot {
    uint32_t root;
    uint32_t n_peers; /* number of lanes that had it in the last round */
    OpenVote sum;
};

/* Adds `more` to the component in `hot`. If they differ, the one with more lanes stays in `hot`,
 * and the other is cast. Called by a whole warp. */
DEVICE void collect(const Box &box, Hot &hot, Hot more)
{
    const bool first_lane = threadIdx.x % WARP == 0;
    if (hot.root != more.root) {
        if (more.n_peers > hot.n_peers) {
            const Hot less = hot;
            hot = more;
            more = less;
        }
        take_back(box, cast_open(box, first_lane && more.root != UINT32_MAX, more.root, more.sum));
        return;
    }
    if (first_lane)
        take_back(box, max(hot.sum.first, more.sum.first));
    hot.n_peers = more.n_peers;
    hot.sum.first = min(hot.sum.first, more.sum.first);
    hot.sum.c.area += more.sum.c.area;
#pragma unroll
    for (uint32_t i = 0; i < CUDA_N_GREATEST; i++)
        hot.sum.c.greatest[i] = max(hot.sum.c.greatest[i], more.sum.c.greatest[i]);
#pragma unroll
    for (uint32_t i = 0; i < 2; i++)
        hot.sum.c.sums[i] += more.sum.c.sums[i];
}

/* --- measured values ------------------------------------------------------ */

/* Maximum number of roots of a warp that are reduced. */
#define MAX_OPEN_LEADERS 2

#define N_MEASURED ((uint32_t) (sizeof(CudaMeasured) / sizeof(uint64_t)))
static_assert(N_MEASURED == CUDA_N_SUMS + 2, "sums, then maxima");

/* A component of many tiles that a block sums up. */
struct HotMeasured {
    uint32_t root; /* UINT32_MAX: none yet */
    uint64_t words[N_MEASURED];
};

/* Adds word `k` of a measured component. */
DEVICE void cast_word(uint64_t *const to, const uint32_t k, const uint64_t v)
{
    if (v == 0)
        return;
    if (k < CUDA_N_SUMS)
        atomicAdd((unsigned long long *) to + k, (unsigned long long) v);
    else
        atomicMax((unsigned long long *) to + k, (unsigned long long) v);
}

/* Adds the measured values of nodes with `votes` to those of their roots. Called by a whole warp.
 */
DEVICE void gather(const CudaMeasure &m, HotMeasured &hot, bool votes, const uint32_t node,
                   const uint32_t root)
{
    const uint32_t lane = threadIdx.x % WARP;
    CudaMeasured v = {};
    if (votes)
        v = open_measured(m, node);
    const uint64_t *const words = v.sums;
    uint32_t voters = __ballot_sync(ALL_LANES, votes);
#pragma unroll 1
    for (int i = 0; i < MAX_OPEN_LEADERS && __popc(voters) >= MIN_OPEN_PEERS; i++) {
        const uint32_t leader = __ffs(voters) - 1;
        const uint32_t leaders_root = __shfl_sync(ALL_LANES, root, leader);
        const bool mine = votes && root == leaders_root;
        const uint32_t peers = __ballot_sync(ALL_LANES, mine);
        if (__popc(peers) >= MIN_OPEN_PEERS) {
            uint64_t sum = 0; /* lane k has word k */
#pragma unroll
            for (uint32_t k = 0; k < N_MEASURED; k++) {
                uint64_t all = 0;
                if (k < CUDA_N_SUMS) {
                    all = warp_sum_64(mine ? v.sums[k] : 0);
                } else {
                    const uint64_t w = !mine ? 0 : k == CUDA_N_SUMS ? v.peak : v.not_v_min;
                    const uint32_t high = warp_max((uint32_t) (w >> 32));
                    all = (uint64_t) high << 32 |
                          warp_max((uint32_t) (w >> 32) == high ? (uint32_t) w : 0);
                }
                if (lane == k)
                    sum = all;
            }
            uint32_t hot_root = 0;
            if (lane == 0)
                hot_root = atomicCAS(&hot.root, UINT32_MAX, leaders_root);
            hot_root = __shfl_sync(ALL_LANES, hot_root, 0);
            const bool is_hot = hot_root == UINT32_MAX || hot_root == leaders_root;
            if (lane < N_MEASURED)
                cast_word(is_hot ? hot.words : m.open[leaders_root].sums, lane, sum);
            votes = votes && !mine;
        }
        voters &= ~peers;
    }
    if (votes) {
#pragma unroll
        for (uint32_t k = 0; k < CUDA_N_SUMS; k++)
            cast_word(m.open[root].sums, k, words[k]);
        cast_word(m.open[root].sums, CUDA_N_SUMS, v.peak);
        cast_word(m.open[root].sums, CUDA_N_SUMS + 1, v.not_v_min);
    }
}

/* Counts a diagonal for each lane with `has` whose nodes belong to the same component. Called by a
 * whole warp. */
DEVICE void count_diagonal(const CudaTiled &t, const CudaMeasure &m, const bool has,
                           const Pair pair)
{
    uint32_t root = UINT32_MAX;
    if (has) {
        const uint32_t a = find(t.parent, pair.a), b = find(t.parent, pair.b);
        root = a == b ? a : UINT32_MAX;
    }
    const uint32_t same = __match_any_sync(ALL_LANES, root);
    if (root != UINT32_MAX && !(same & lane_mask_lt()))
        atomicAdd((unsigned long long *) &m.open[root].sums[CUDA_SUM_DIAGONALS],
                  (unsigned long long) __popc(same));
}

/* Without corner neighbours: counts the diagonals between open components of a tile, and across
 * the edges of tiles, that turned out to be of the same component. Called by all threads. */
DEVICE void count_all_diagonals(const CudaTiled &t, const CudaMeasure &m)
{
    const uint32_t lane = threadIdx.x % WARP, n_tiles = t.tiles_x * t.tiles_y;
    const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    for (uint32_t tile = thread / WARP; tile < n_tiles; tile += stride / WARP) {
        const uint32_t n = m.n_diagonals[tile];
        for (uint32_t i = lane; i - lane < n; i += WARP) {
            Pair pair = {};
            if (i < n) {
                const uint32_t two = m.diagonals[tile * CCA_TILE_DIAGONALS + i];
                pair = { t.open_base[tile] + (two & 255), t.open_base[tile] + (two >> 8) };
            }
            count_diagonal(t, m, i < n, pair);
        }
    }
    const uint32_t n_items = n_tiles * (BOTTOM_ITEMS + RIGHT_ITEMS);
    for (uint32_t item = thread; item - lane < n_items; item += stride) {
        Contacts c = find_contacts(1, t, item);
        c.across = 0;
        Pair pair = {};
        for (bool has; __any_sync(ALL_LANES, has = take_pair(c, pair));)
            count_diagonal(t, m, has, pair);
    }
}

template <bool measures>
DEVICE void reduce_tiles(const CudaImage &image, const CudaTiled &t, const CudaCompact &compact,
                         const CudaMeasure &m = {})
{
    __shared__ Ballot ballots[CCA_LIST_THREADS / WARP];
    HotMeasured *hot_measured = nullptr;
    if constexpr (measures) {
        __shared__ HotMeasured shared;
        hot_measured = &shared;
        if (threadIdx.x < N_MEASURED)
            shared.words[threadIdx.x] = 0;
        if (threadIdx.x == 0)
            shared.root = UINT32_MAX;
        __syncthreads();
    }
    const Box box = { image, t, compact, ballots[threadIdx.x / WARP] };
    const uint32_t n = t.totals->n_open;
    const uint32_t lane = threadIdx.x % WARP;
    Hot hot = { UINT32_MAX, 0, {} };
    const uint32_t stride = gridDim.x * blockDim.x;
    uint32_t node = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t next = node < n ? load_relaxed(t.parent + node) : 0; /* its parent */
    uint32_t later = NO_MARK;                                     /* removed one iteration later */
    for (; node - lane < n; node += stride) {
        /* Issues the loads of this and the next iteration first, to overlap their latencies. */
        const uint32_t p = next, ahead = node + stride;
        const bool votes = node < n && p != node;
        OpenVote v = {};
        if (votes)
            v = { load_open(t.open + node), t.first[node] };
        if (ahead < n)
            next = load_relaxed(t.parent + ahead);
        const uint32_t root = votes ? find_halving(t.parent, node, p) : node;
        if constexpr (measures)
            gather(m, *hot_measured, votes, node, root);
        take_back(box, later);
        const uint32_t n_peers = __popc(__match_any_sync(ALL_LANES, votes ? root : UINT32_MAX));
        bool together = votes && n_peers >= MIN_OPEN_PEERS;
        later = cast_open(box, votes && !together, root, v);
        for (uint32_t left; (left = __ballot_sync(ALL_LANES, together)) != 0;) {
            const uint32_t leader = __ffs(left) - 1;
            const uint32_t leaders_root = __shfl_sync(ALL_LANES, root, leader);
            const bool mine = together && root == leaders_root;
            collect(box, hot,
                    { leaders_root, __shfl_sync(ALL_LANES, n_peers, leader),
                      reduce_open(box, v, mine) });
            together = together && !mine;
        }
    }
    take_back(box, later);
    if constexpr (measures) {
        if (m.flags & CCA_FEATURES_SHAPE && !image.corner)
            count_all_diagonals(t, m);
        __syncthreads();
        if (threadIdx.x < N_MEASURED && hot_measured->root != UINT32_MAX)
            cast_word(m.open[hot_measured->root].sums, threadIdx.x,
                      hot_measured->words[threadIdx.x]);
    }

    /* The warps of a block mostly end with the same component, so their votes are combined. */
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
        take_back(box, cast_open(box, lane == 0, root, sum));
        if (mine.root == root)
            mine.root = UINT32_MAX;
    }
}

/* Grid: any number of blocks of CCA_LIST_THREADS threads. */
extern "C" __global__ void cca_tile_reduce(const CudaImage image, const CudaTiled t,
                                           const CudaCompact compact)
{
    begin_dependent();
    reduce_tiles<false>(image, t, compact);
}

/* The same if components are measured. */
extern "C" __global__ void __launch_bounds__(CCA_LIST_THREADS)
    cca_measured_reduce(const CudaImage image, const CudaTiled t, const CudaCompact compact,
                        const CudaMeasure m)
{
    begin_dependent();
    reduce_tiles<true>(image, t, compact, m);
}
