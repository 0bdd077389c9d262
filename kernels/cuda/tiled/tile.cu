/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The tile kernel: pixels to closed and open components of one tile. */

#include "closed.cuh"
#include "load.cuh"
#include "votes.cuh"

/* Where a tile lies, and which of its edges have a neighbour. */
struct Place {
    uint32_t tile, x0, y0;
    bool left, right, above, below;
};

DEVICE Place make_place(const CudaImage &image, const CudaTiled &t)
{
    const uint32_t tile = blockIdx.x, tx = tile % t.tiles_x, ty = tile / t.tiles_x;
    return { tile, tx * CCA_TILE_WIDTH, ty * CCA_TILE_HEIGHT, tx > 0, tx + 1 < t.tiles_x,
             ty > 0, ty + 1 < t.tiles_y };
}

/* Pixel of edge label j, and whether a neighbour tile will ask for it. */
DEVICE bool edge_pixel(const Place &place, const uint32_t j, uint32_t &x, uint32_t &y)
{
    if (j < CCA_EDGE_LEFT) {
        x = j % CCA_TILE_WIDTH;
        y = j < CCA_EDGE_BOTTOM ? 0 : CCA_TILE_HEIGHT - 1;
        return j < CCA_EDGE_BOTTOM ? place.above : place.below;
    }
    x = j < CCA_EDGE_RIGHT ? 0 : CCA_TILE_WIDTH - 1;
    y = (j - CCA_EDGE_LEFT) % CCA_TILE_HEIGHT;
    return j < CCA_EDGE_RIGHT ? place.left : place.right;
}

/* Numbers the components that touch an edge with a neighbour, writes the labels
 * of the edges, and reserves places in the table of open components. */
DEVICE void open_components(Tile &tile, const CudaTiled &t, const Place &place)
{
    constexpr uint32_t per_thread = (CCA_EDGE_LABELS + TILE_THREADS - 1) / TILE_THREADS;
    uint32_t roots[per_thread];
#pragma unroll
    for (uint32_t i = 0; i < per_thread; i++) {
        const uint32_t j = threadIdx.x + i * TILE_THREADS;
        uint32_t x, y;
        roots[i] = UINT32_MAX;
        if (j >= CCA_EDGE_LABELS || !edge_pixel(place, j, x, y))
            continue;
        const uint32_t word = y * ROW_WORDS + x / 32;
        const uint32_t bits = *word_bits(tile, word);
        if (!(bits >> x % 32 & 1))
            continue;
        const uint32_t root = root_of(tile, node_of(tile, word, bits, x % 32));
        roots[i] = root;
        if (!(atomicOr(tile.parent + root, OPEN) & OPEN))
            atomicOr(tile.parent + root, atomicAdd(&tile.n_open, 1) << OPEN_SHIFT);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        tile.open_base = tile.n_open ? atomicAdd(&t.counts->n_open, tile.n_open) :
                                       UINT32_MAX;
        t.open_base[place.tile] = tile.open_base;
    }
    uint8_t *const edges = t.edges + (size_t) place.tile * CCA_EDGE_LABELS;
#pragma unroll
    for (uint32_t i = 0; i < per_thread; i++) {
        const uint32_t j = threadIdx.x + i * TILE_THREADS;
        if (j < CCA_EDGE_LABELS)
            edges[j] = roots[i] == UINT32_MAX ? CCA_EDGE_NONE :
                                                (uint8_t) (tile.parent[roots[i]] >> OPEN_SHIFT);
    }
    __syncthreads();
}

DEVICE void write_open(const CudaImage &image, const CudaTiled &t, const uint32_t node,
                       const Features &f, const uint32_t first_x)
{
    t.parent[node] = node;
    t.area[node] = f.area;
    t.min_x[node] = f.min_x;
    t.max_x[node] = f.max_x;
    t.max_y[node] = f.max_y;
    t.first[node] = f.min_y * image.width + first_x;
    t.sum_x[node] = f.sum_x;
    t.sum_y[node] = f.sum_y;
}

/* Writes out the runs that are components of their own: they need no votes. */
DEVICE void write_isolated(Tile &tile, const CudaImage &image, const CudaTiled &t,
                           const Place &place, const Word &w)
{
    const uint32_t column = w.index % ROW_WORDS * 32, y = w.index / ROW_WORDS;
    uint32_t n = 0, total;
    for_each_run(w.bits, [&](const uint32_t i, const uint32_t run) {
        n += (w.isolated >> i & 1) && area_passes(image, __popc(run));
    });
    uint32_t at = block_scan(tile, n, total);
    if (total == 0)
        return;
    if (threadIdx.x == 0)
        tile.closed_base = atomicAdd(&t.counts->n_closed, total);
    __syncthreads();
    at += tile.closed_base;
    uint32_t first = 0;
    for_each_run(w.bits, [&](const uint32_t i, const uint32_t run) {
        const uint32_t area = __popc(run);
        if (!(w.isolated >> i & 1) || !area_passes(image, area))
            return;
        const uint32_t x0 = column + __ffs(run) - 1, x1 = x0 + area - 1;
        const Closed c = { place.tile, x0, y, x0, x1, y, area << AREA_SHIFT | area * y,
                           (x0 + x1) * area / 2 };
        ((uint4 *) t.closed)[at++] = pack_closed(c);
        first |= lowest_bit(run);
    });
    tile.first[w.index] = first;
}

/* Writes out the components of a pass. */
DEVICE void write_pass(Tile &tile, const CudaImage &image, const CudaTiled &t,
                       const Place &place, const uint32_t n_slots)
{
    constexpr uint32_t per_thread = SLOTS / TILE_THREADS;
    uint4 packed[per_thread];
    uint32_t places[per_thread];
    if (threadIdx.x == 0)
        tile.n_closed = 0;
    __syncthreads();
#pragma unroll
    for (uint32_t i = 0; i < per_thread; i++) {
        const uint32_t k = threadIdx.x + i * TILE_THREADS;
        places[i] = UINT32_MAX;
        if (k >= n_slots)
            continue;
        const uint32_t node = tile.root[k], parent = tile.parent[node];
        const uint32_t word = node / WORD_NODES;
        uint32_t starts = starts_of(*word_bits(tile, word));
        for (uint32_t n = node % WORD_NODES; n > 0; n--)
            starts &= starts - 1;
        const uint32_t bit = __ffs(starts) - 1;
        const uint32_t first_x = word % ROW_WORDS * 32 + bit, min_y = word / ROW_WORDS;
        const uint32_t area = tile.area_sum_y[k] >> AREA_SHIFT;
        if (parent & OPEN) {
            const uint32_t sum_y = tile.area_sum_y[k] & ((1 << AREA_SHIFT) - 1);
            const Features f = { place.x0 + tile.min_x[k], place.y0 + min_y,
                                 place.x0 + tile.max_x[k], place.y0 + tile.max_y[k], area,
                                 (uint64_t) place.x0 * area + tile.sum_x[k],
                                 (uint64_t) place.y0 * area + sum_y };
            write_open(image, t, tile.open_base + (parent >> OPEN_SHIFT & 255), f,
                       place.x0 + first_x);
        } else if (area_passes(image, area)) {
            const Closed c = { place.tile,    first_x,       min_y,
                               tile.min_x[k], tile.max_x[k], tile.max_y[k],
                               tile.area_sum_y[k], tile.sum_x[k] };
            packed[i] = pack_closed(c);
            places[i] = atomicAdd(&tile.n_closed, 1);
            atomicOr(tile.first + word, 1u << bit);
        }
    }
    __syncthreads();
    if (tile.n_closed == 0)
        return;
    if (threadIdx.x == 0)
        tile.closed_base = atomicAdd(&t.counts->n_closed, tile.n_closed);
    __syncthreads();
#pragma unroll
    for (uint32_t i = 0; i < per_thread; i++)
        if (places[i] != UINT32_MAX)
            ((uint4 *) t.closed)[tile.closed_base + places[i]] = packed[i];
}

/* The tile's part of the bitmap of first pixels; roots of open components add
 * theirs later. Tile 0 clears the words past the last row. */
DEVICE void write_first(const CudaEmit &emit, const CudaImage &image, const Place &place,
                        const uint32_t bits)
{
    const uint32_t y = place.y0 + threadIdx.x / ROW_WORDS;
    const uint32_t column = place.x0 / 32 + threadIdx.x % ROW_WORDS;
    if (y < image.height && column < emit.row_words)
        emit.first[(size_t) y * emit.row_words + column] = bits;
    if (place.tile == 0)
        for (uint32_t w = emit.n_words + threadIdx.x; w < emit.n_chunks * CCA_CHUNK_WORDS;
             w += TILE_THREADS)
            emit.first[w] = 0;
}

/* A tile that is one component, and has a neighbour to be joined with. */
DEVICE void write_full(const CudaImage &image, const CudaTiled &t, const Place &place)
{
    uint8_t *const edges = t.edges + (size_t) place.tile * CCA_EDGE_LABELS;
    for (uint32_t j = threadIdx.x; j < CCA_EDGE_LABELS; j += TILE_THREADS)
        edges[j] = 0;
    if (threadIdx.x > 0)
        return;
    const uint64_t w = CCA_TILE_WIDTH, h = CCA_TILE_HEIGHT, area = w * h;
    const Features f = { place.x0, place.y0, place.x0 + CCA_TILE_WIDTH - 1,
                         place.y0 + CCA_TILE_HEIGHT - 1, (uint32_t) area,
                         area * place.x0 + h * (w * (w - 1) / 2),
                         area * place.y0 + w * (h * (h - 1) / 2) };
    const uint32_t node = atomicAdd(&t.counts->n_open, 1);
    t.open_base[place.tile] = node;
    write_open(image, t, node, f, place.x0);
}

template <typename Sample>
DEVICE void label_tile(const CudaImage &image, const CudaTiled &t, const CudaEmit &emit)
{
    __shared__ Tile tile;
    const Place place = make_place(image, t);

    bool any, all;
    load_tile<Sample>(tile, image, place.x0, place.y0, any, all);
    const bool alone = !(place.left | place.right | place.above | place.below);
    if (!any || (all && !alone)) {
        write_first(emit, image, place, 0);
        if (all)
            write_full(image, t, place);
        else if (threadIdx.x == 0)
            t.open_base[place.tile] = UINT32_MAX;
        return;
    }

    const Word w = make_word(tile, image.corner);
    tile.first[threadIdx.x] = 0;
    if (threadIdx.x == 0)
        tile.n_open = 0;
    __syncthreads();
    open_nodes(tile, w, image.corner);
    __syncthreads();
    compress(tile, w);
    __syncthreads();
    unite_nodes(tile, w, image.corner);
    __syncthreads();
    const uint32_t n_roots = number_roots(tile, w);
    __syncthreads();
    write_isolated(tile, image, t, place, w);
    open_components(tile, t, place);
    for (uint32_t begin = 0; begin < n_roots; begin += SLOTS) {
        const uint32_t n_slots = min(n_roots - begin, (uint32_t) SLOTS);
        vote_pass(tile, w, begin, n_slots);
        write_pass(tile, image, t, place, n_slots);
        __syncthreads();
    }
    write_first(emit, image, place, tile.first[threadIdx.x]);
}

/* Grid: a block of TILE_THREADS threads for each tile, in raster order. */
extern "C" __global__ void __launch_bounds__(TILE_THREADS)
    cca_tile_8(const CudaImage image, const CudaTiled tables, const CudaEmit emit)
{
    begin_first();
    label_tile<uint8_t>(image, tables, emit);
}

extern "C" __global__ void __launch_bounds__(TILE_THREADS)
    cca_tile_16(const CudaImage image, const CudaTiled tables, const CudaEmit emit)
{
    begin_first();
    label_tile<uint16_t>(image, tables, emit);
}
