/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Labels a tile by its runs instead of blocks of pixels. Its components are in raster order, which
 * the fine mode requires. */

#ifndef CCA_CUDA_FINE_RUNS_CUH
#define CCA_CUDA_FINE_RUNS_CUH

#include "../write.cuh"
#include "begun.cuh"
#include "listed.cuh"

/* The tables of words have unused entries beside the words of each row. These hold a bitmap of the
 * first pixels of listed components in starts[], and the number of those in the words before in
 * base[]. */
#define BESIDE (CCA_TILE_WIDTH / 32)
static_assert(2 * BESIDE <= ROW_STRIDE, "");

/* The word of Tile.first that has the first pixel of a run. */
DEVICE uint32_t first_word(const uint32_t run)
{
    return run_y(run) * (CCA_TILE_WIDTH / 32) + run_x(run) / 32;
}

/* Place of a closed component in the list of its tile, by its first pixel. */
DEVICE uint32_t place_beside(const Tile &tile, const uint32_t run)
{
    const uint32_t beside = run / 32 + BESIDE;
    return tile.base[beside] + __popc(tile.starts[beside] & ((1u << run % 32) - 1));
}

/* Finds the roots of a strip, and marks their first pixels: of open components in Tile.first, of
 * closed ones beside the words of starts[]. */
DEVICE Roots mark_roots(Tile &tile, const Strip &strip)
{
    static_assert(MAX_NODES / WARP <= 4 * WARP, "a lane for each ballot");
    const uint32_t lane = threadIdx.x % WARP;
    Roots roots = {};
#pragma unroll 1
    for (uint32_t i = 0; i < strip.n; i += WARP) {
        const uint32_t node = strip.begin + i + lane;
        const bool has = i + lane < strip.n;
        const uint32_t p = has ? tile.parent[node] : 0;
        const bool is_open = p & ROOT, is_closed = has && p == node;
        const uint32_t a = __ballot_sync(ALL_LANES, is_open);
        const uint32_t b = __ballot_sync(ALL_LANES, is_closed);
        if (is_open || is_closed) {
            const uint32_t run = tile.runs[node];
            atomicOr(is_open ? tile.first + first_word(run) : tile.starts + run / 32 + BESIDE,
                     1u << run % 32);
        }
        if (lane == i / WARP)
            roots = { a, b };
    }
    return roots;
}

/* Numbers the open and closed roots of a strip, and writes the rows in which components begin. */
template <typename S>
DEVICE void number_in_order(Tile &tile, uint32_t *const n_begun, const CudaFine &fine,
                            const Place &place, const Strip &strip)
{
    const uint32_t at = thread_place<S>(), word = threadIdx.x * S::words;
    uint32_t isolated[S::words];
#pragma unroll
    for (uint32_t j = 0; j < S::words; j++) {
        isolated[j] = tile.first[word + j];
        tile.starts[at + j + BESIDE] = isolated[j] & tile.bits[at + j] >> 1;
    }
    __syncwarp();
    const Roots roots = mark_roots(tile, strip);
    const uint32_t n_closed = warp_sum(__popc(roots.closed));
    uint32_t next_closed = 0;
    if (threadIdx.x % WARP == 0 && n_closed > 0)
        next_closed = atomicAdd(&tile.n_closed, n_closed);
    next_closed = __shfl_sync(ALL_LANES, next_closed, 0);

    Begun<S> begun;
    uint32_t first[S::words];
#pragma unroll
    for (uint32_t j = 0; j < S::words; j++) {
        begun.listed[j] = tile.starts[at + j + BESIDE];
        first[j] = tile.first[word + j];
        begun.open[j] = first[j] & ~isolated[j];
        first[j] |= begun.listed[j];
    }
    count_begun(n_begun, begun);
    __syncthreads();
    const uint32_t n_all = sum_begun(n_begun, begun);
    if (threadIdx.x == 0)
        tile.n_open = n_all >> 16;
    give_numbers(tile, strip, roots, __shfl_sync(ALL_LANES, begun.before, 0) >> 16, next_closed);

    uint32_t before = begun.before;
#pragma unroll
    for (uint32_t j = 0; j < S::words; j++) {
        tile.first[word + j] = first[j];
        tile.base[at + j + BESIDE] = (uint16_t) before;
        before += __popc(begun.listed[j]);
    }
    write_rows(fine, place, begun, first);
}

/* Writes the isolated runs. They need no votes, and those of one pixel are not listed. */
template <typename S>
DEVICE void list_isolated(const Tile &tile, const CudaFine &fine, const Strip &strip)
{
#pragma unroll 1
    for (uint32_t i = threadIdx.x % WARP; i < tile.n_isolated[threadIdx.x / WARP]; i += WARP) {
        const uint32_t run = tile.runs[strip.begin + S::strip_nodes - 1 - i];
        const uint32_t length = __popc(run_from(tile.bits[run / 32], 1u << run % 32));
        if (length > 1)
            store_listed(fine, tile.closed_base + place_beside(tile, run),
                         listed_run(run_x(run), run_y(run), length));
    }
}

/* Writes the components of a pass. */
template <typename S>
DEVICE void list_pass(Tile &tile, const CudaImage &image, const CudaTiled &t, const CudaFine &fine,
                      const Place &place, const uint32_t begin)
{
    const uint32_t n_open = tile.n_open, n = min(n_open + tile.n_closed - begin, (uint32_t) SLOTS);
#pragma unroll 1
    for (uint32_t k = threadIdx.x; k < n; k += S::threads) {
        const uint32_t run = tile.runs[tile.root[k]];
        const uint32_t area = tile.slots.area_sum_y[k] >> AREA_SHIFT;
        if (begin + k < n_open) {
            write_open(image, t, tile.open_base + k,
                       slot_features(place, tile.slots, k, area, run_y(run)),
                       place.x0 + run_x(run));
            continue;
        }
        store_listed(fine, tile.closed_base + place_beside(tile, run), listed_slot(tile.slots, k));
        if (!area_passes(image, area))
            atomicAnd(tile.first + first_word(run), ~(1u << run % 32));
    }
}

/* Labels a tile after its bits are loaded. Called by all threads of a block. */
template <typename S>
DEVICE void label_runs(Tile &tile, uint32_t *const n_begun, const CudaImage &image,
                       const CudaTiled &t, const CudaFine &fine, const CudaCompact &compact,
                       const Place &place)
{
    if (threadIdx.x == 0)
        tile.n_closed = 0;
    const Strip strip = unite_tile<S>(tile, image);
    clear_slots<S>(tile.slots);
    const Edges<S> edges = mark_edges<S>(tile, place);
    __syncthreads();
    number_in_order<S>(tile, n_begun, fine, place, strip);
    __syncthreads();
    write_labels<S>(tile, t, place, edges);

    uint64_t places = 0; /* the latency overlaps with the votes */
    if (threadIdx.x == 0)
        places = reserve_begun<S>(n_begun, t);
    vote_pass(tile, strip, 0);
    if (threadIdx.x == 0) {
        tile.closed_base = fine.listed_base[place.tile] = (uint32_t) places;
        tile.open_base = (uint32_t) (places >> 32);
        t.open_base[place.tile] = tile.n_open > 0 ? tile.open_base : UINT32_MAX;
    }
    __syncthreads();
    list_isolated<S>(tile, fine, strip);
    list_pass<S>(tile, image, t, fine, place, 0);
    further_passes<S>(
        tile.slots, tile.n_open + tile.n_closed,
        [&](const uint32_t begin) { vote_pass(tile, strip, begin); },
        [&](const uint32_t begin) { list_pass<S>(tile, image, t, fine, place, begin); });
    __syncthreads();
    write_shared_first<S, true>(compact, place, tile.first);
}

#endif /* CCA_CUDA_FINE_RUNS_CUH */
