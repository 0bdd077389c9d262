/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Labels of the region. Each tile is labelled a second time from the same mask, now that the
 * frame's components have ids. The bitmap of first pixels gives the ids of components that begin
 * in the tile; the edges of the tile give the ids of open ones. */

#include "../compact/labels.cuh"
#include "again.cuh"

struct TileIds {
    uint32_t of_node[MAX_NODES];
    uint32_t before[CCA_TILE_WORDS]; /* rank before each word of Tile.first */
};
static_assert(sizeof(Tile) + sizeof(TileIds) <= 48 * 1024, "shared memory without asking");

/* Fills tile.first from the frame's bitmap, and the ranks before its words. */
template <typename S>
DEVICE void load_first(Tile &tile, TileIds &ids, const CudaCompact &compact, const Place &place)
{
#pragma unroll 1
    for (uint32_t w = threadIdx.x; w < CCA_TILE_WORDS; w += S::threads) {
        const uint32_t row = w / CCA_PATCH_WORDS;
        const uint32_t x = place.x0 + w % CCA_PATCH_WORDS * 32, y = place.y0 + row;
        const bool any = compact.counts[place.tile * CCA_PATCH_HEIGHT + row] > 0;
        tile.first[w] = any ? *first_word(compact, x, y) : 0;
        ids.before[w] = any ? rank_of(compact, x, y) : 0;
    }
}

/* Id of the component whose first pixel is (x, y) in the tile; 0 if no component that passes the
 * filters begins there. */
DEVICE uint32_t id_in_tile(const Tile &tile, const TileIds &ids, const uint32_t x, const uint32_t y)
{
    const uint32_t w = y * (CCA_TILE_WIDTH / 32) + x / 32, bit = 1u << x % 32;
    return tile.first[w] & bit ? ids.before[w] + __popc(tile.first[w] & (bit - 1)) + 1 : 0;
}

DEVICE void number_roots(const Tile &tile, TileIds &ids, const Strip &strip)
{
#pragma unroll 1
    for (uint32_t i = threadIdx.x % WARP; i < strip.n; i += WARP) {
        const uint32_t node = strip.begin + i, run = tile.runs[node];
        if (tile.parent[node] == node)
            ids.of_node[node] = id_in_tile(tile, ids, run_x(run), run_y(run));
    }
}

/* Sets the ids of open components, most of which begin in other tiles. The id is 0 before, or, if
 * the component begins in this tile, already set. */
template <typename S>
DEVICE void number_open(const Tile &tile, TileIds &ids, const CudaTiled &t,
                        const CudaCompact &compact, const CudaImage &image, const Place &place)
{
    for_each_open_label<S>(tile, t, place, [&](const uint32_t root, const uint32_t open) {
        const uint32_t first = first_of_open(t, open);
        atomicMax(ids.of_node + root, id_of(compact, first % image.width, first / image.width));
    });
}

DEVICE void number_others(const Tile &tile, TileIds &ids, const Strip &strip)
{
#pragma unroll 1
    for (uint32_t i = threadIdx.x % WARP; i < strip.n; i += WARP) {
        const uint32_t node = strip.begin + i, root = find_node(tile.parent, node);
        if (root != node)
            ids.of_node[node] = ids.of_node[root];
    }
}

/* A warp writes 32 consecutive pixels. */
template <typename S>
DEVICE void write_pixels(const Tile &tile, const TileIds &ids, const CudaImage &image,
                         const Place &place, const CudaLabels &labels)
{
    constexpr uint32_t row_words = CCA_TILE_WIDTH / 32;
    const uint32_t lane = threadIdx.x % WARP;
#pragma unroll 1
    for (uint32_t w = threadIdx.x / WARP; w < CCA_TILE_WORDS; w += S::warps) {
        const uint32_t y = w / row_words, x0 = w % row_words * 32, at = run_at(x0, y) / 32;
        if (place.y0 + y >= image.height || place.x0 + x0 + lane >= image.width)
            continue;
        const uint32_t bits = tile.bits[at], up_to = ALL_LANES >> (31 - lane);
        uint32_t id = 0;
        if (bits >> lane & 1) {
            const uint32_t start = highest_index(starts_of(bits) & up_to);
            /* An isolated run is not a node. */
            id = tile.starts[at] >> start & 1 ? ids.of_node[node_of(tile, at, lane)] :
                                                id_in_tile(tile, ids, x0 + start, y);
        }
        write_label(labels, image.x + place.x0 + x0 + lane, image.y + place.y0 + y, id);
    }
}

template <typename S>
DEVICE void label_pixels(const CudaImage &image, const CudaTiled &t, const CudaCompact &compact,
                         const CudaLabels &labels)
{
    __shared__ Tile tile;
    __shared__ TileIds ids;
    const Place place = make_place(image, t);
    Strip strip;
    if (labels.bits == 0)
        return;
    if (label_again<S>(tile, image, place, strip)) {
        load_first<S>(tile, ids, compact, place);
        __syncthreads();
        number_roots(tile, ids, strip);
        __syncthreads();
        number_open<S>(tile, ids, t, compact, image, place);
        __syncthreads();
        number_others(tile, ids, strip);
        __syncthreads();
    }
    write_pixels<S>(tile, ids, image, place, labels);
}

/* Grid: one block for each tile, in raster order. */
extern "C" __global__ void __launch_bounds__(Shape<CCA_TILE_WARPS>::threads, 4)
    cca_tile_labels(const CudaImage image, const CudaTiled tables, const CudaCompact compact,
                    const CudaLabels asked)
{
    begin_dependent();
    label_pixels<Shape<CCA_TILE_WARPS>>(image, tables, compact, labels_form(compact, asked));
}
