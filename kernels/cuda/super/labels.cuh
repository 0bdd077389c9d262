/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Writes the label image, from the words and nodes that the strips have kept. */

#ifndef CCA_CUDA_SUPER_LABELS_CUH
#define CCA_CUDA_SUPER_LABELS_CUH

#include "../compact/labels.cuh"
#include "records.cuh"

namespace super
{

/* Keeps the ids of the components that begin in the tile, which are 0 if they are not found. An
 * open one passes its id on in place of the first pixel in its parent. Called by all threads. */
template <Scope scope>
DEVICE void store_ids(Tile &tile, const CudaSuper &s, const Place &place, const uint32_t n)
{
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
        const uint32_t first = slot_of<scope>(tile, s, place, i).first;
        const uint32_t node = frame_node(place.tile, i);
        uint32_t id = 0;
        if (tile.counted[i / WARP] >> i % WARP & 1)
            id = rank_of(tile, i, first) + 1;
        if (!(first & first_is_open) || first & first_begins)
            keep_id<scope>(tile, s, place, i, id);
        if (first & first_begins)
            store_relaxed(s.parent + node, (uint64_t) id << 32 | node);
    }
}

/* The same for components that begin in other tiles, once all blocks have passed on theirs. */
DEVICE void fetch_ids(Tile &tile, const CudaSuper &s, const Place &place, const uint32_t n)
{
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
        const uint32_t first = tile.slots[i].first, node = frame_node(place.tile, i);
        if (first & first_is_open && !(first & first_begins))
            tile.slots[i].max_x =
                (uint32_t) (find_in_frame(s.parent, node, load_relaxed(s.parent + node)) >> 32);
    }
}

/* The same for a stored tile. Loads the components of the nodes, too. Called by all threads. */
DEVICE void load_ids(Tile &tile, const CudaSuper &s, const Place &place)
{
    const CudaSuperStored &from = s.stored[place.tile];
    const uint32_t n = from.n;
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
        const uint4 slot = *(const uint4 *) from.slots[i];
        tile.slots[i].max_x = slot.x;
        tile.slots[i].first = slot.w;
    }
    for (uint32_t i = threadIdx.x; i < blockDim.x / WARP * strip_nodes; i += blockDim.x)
        tile.parent[i] = is_root | s.numbers[(size_t) place.tile * n_nodes + i];
    fetch_ids(tile, s, place, n);
    __syncthreads();
}

/* A word of the warp's strip, and its first node << 32. */
template <Scope scope>
DEVICE uint64_t word_of(const Tile &tile, const CudaSuper &s, const Place &place,
                        const uint32_t column, const uint32_t row)
{
    if (!is_measured(scope))
        return *word_place(s, place, column, row);
    const uint32_t at = tile.kept.at[row][column];
    if (at == no_group)
        return 0;
    const Group g = unpack_group(tile.kept.groups[threadIdx.x / WARP * strip_groups + at], place);
    return (uint64_t) g.node << 32 | g.word;
}

/* Writes the labels of a strip, one column of words after the other, whose ids mostly are those of
 * the row above. A warp writes 32 consecutive pixels. */
template <Scope scope>
DEVICE void write_strip(const Tile &tile, const CudaImage &image, const CudaSuper &s,
                        const CudaLabels &labels, const Place &place)
{
    static_assert(CCA_SUPER_STRIP_ROWS <= WARP, "");
    const uint32_t lane = threadIdx.x % WARP;
#pragma unroll 1
    for (uint32_t column = 0; column < WARP; column++) {
        const uint32_t x = place.x0 + column * 32 + lane;
        uint64_t own = 0, above = 0;
        if (lane < place.strip_rows)
            own = word_of<scope>(tile, s, place, column, place.strip_row + lane);
        uint32_t id = 0;
#pragma unroll 1
        for (uint32_t row = 0; row < place.strip_rows; row++) {
            const uint64_t word = __shfl_sync(ALL_LANES, own, row);
            if (word != above) {
                const uint32_t bits = (uint32_t) word;
                const uint32_t node = (uint32_t) (word >> 32);
                id = 0;
                if (bits >> lane & 1)
                    id = tile.slots[number_of(tile, run_node(bits, node, 1u << lane))].max_x;
                above = word;
            }
            if (x < image.width)
                write_label(labels, image.x + x, image.y + place.y0 + place.strip_row + row, id);
        }
    }
}

/* Writes the labels of the tile, whose ids are known, and a part of those outside the region.
 * Returns the number of components of the frame. Called by all threads. */
template <Scope scope>
DEVICE uint32_t write_labels(Tile &tile, const CudaImage &image, const CudaSuper &s,
                             const CudaLabels &asked, const Place &place)
{
    const uint32_t warp = threadIdx.x / WARP, n_warps = blockDim.x / WARP;
    const uint32_t n_found = sum_totals(tile, s, s.n_tiles);
    const CudaLabels labels = labels_form(asked, n_found);
    if (labels.bits > 0) {
        write_strip<scope>(tile, image, s, labels, place);
#pragma unroll 1
        for (uint32_t y = place.tile * n_warps + warp; y < labels.height; y += s.n_tiles * n_warps)
            clear_outside(labels, image, y);
    }
    return n_found;
}

} // namespace super

#endif /* CCA_CUDA_SUPER_LABELS_CUH */
