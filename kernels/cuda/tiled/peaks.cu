/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Finds the components that have a peak. Each tile is labelled a second time, now that its open
 * components are united with those of other tiles. */

#include "../compact/peaks.cuh"
#include "again.cuh"

/* Bits of the roots in a tile that have a peak. */
struct RootPeaks {
    uint32_t words[(MAX_NODES + WARP - 1) / WARP];
};

/* Finds the peaks of a tile. A warp reads 32 consecutive pixels, and the first peak of each run
 * marks its component, which is the whole one unless it is open. */
template <typename S>
DEVICE void find_peaks(const Tile &tile, RootPeaks &roots, const CudaCompact &compact,
                       const CudaPeaks &peaks, const Place &place)
{
    constexpr uint32_t row_words = CCA_TILE_WIDTH / 32;
    const uint32_t lane = threadIdx.x % WARP;
#pragma unroll 1
    for (uint32_t w = threadIdx.x / WARP; w < CCA_TILE_WORDS; w += S::warps) {
        const uint32_t y = w / row_words, x0 = w % row_words * 32, at = run_at(x0, y) / 32;
        const uint32_t bits = tile.bits[at];
        if (bits == 0)
            continue;
        const bool peak = (bits >> lane & 1) && is_peak(peaks, place.x0 + x0 + lane, place.y0 + y);
        const uint32_t found = __ballot_sync(ALL_LANES, peak);
        const uint32_t start = highest_index((starts_of(bits) & lane_mask_le()) | 1);
        if (!peak || (found & lane_mask_lt()) >> start != 0)
            continue;
        if (!(tile.starts[at] >> start & 1)) { /* an isolated run */
            mark_peak(compact, place.x0 + x0 + start, place.y0 + y);
            continue;
        }
        const uint32_t root = find_node(tile.parent, node_of(tile, at, lane));
        const uint32_t bit = 1u << root % WARP, run = tile.runs[root];
        if (!(atomicOr(roots.words + root / WARP, bit) & bit))
            mark_peak(compact, place.x0 + run_x(run), place.y0 + run_y(run));
    }
}

template <typename S>
DEVICE void mark_peaks(const CudaImage &image, const CudaTiled &t, const CudaCompact &compact,
                       const CudaPeaks &peaks)
{
    __shared__ Tile tile;
    __shared__ RootPeaks roots;
    const Place place = make_place(image, t);
    Strip strip;
    for (uint32_t i = threadIdx.x; i < sizeof(roots) / sizeof(*roots.words); i += S::threads)
        roots.words[i] = 0;
    if (!label_again<S>(tile, image, place, strip))
        return;
    __syncthreads();
    find_peaks<S>(tile, roots, compact, peaks, place);
    __syncthreads();
    for_each_open_label<S>(tile, t, place, [&](const uint32_t root, const uint32_t open) {
        if (!(roots.words[root / WARP] >> root % WARP & 1))
            return;
        const uint32_t first = first_of_open(t, open);
        mark_peak(compact, first % image.width, first / image.width);
    });
}

/* Grid: one block for each tile, in raster order. */
extern "C" __global__ void __launch_bounds__(Shape<CCA_TILE_WARPS>::threads, 4)
    cca_tile_peaks(const CudaImage image, const CudaTiled tables, const CudaCompact compact,
                   const CudaPeaks peaks)
{
    begin_dependent();
    mark_peaks<Shape<CCA_TILE_WARPS>>(image, tables, compact, peaks);
}
