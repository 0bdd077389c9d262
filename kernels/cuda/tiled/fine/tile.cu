/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The tile kernel of the fine mode. */

#include <stddef.h>

#include "../load.cuh"
#include "components.cuh"
#include "runs.cuh"

/* Writes a tile that is all background, or all foreground with neighbour tiles. */
DEVICE void label_uniform(const CudaImage &image, const CudaTiled &t, const CudaFine &fine,
                          const CudaCompact &compact, const Place &place, const bool all)
{
    const uint32_t first[FineShape::words] = { all && threadIdx.x == 0 };
    write_first<FineShape, true>(compact, place, first);
    write_same_labels(t, place, all ? 0 : CCA_EDGE_NONE);
    if (threadIdx.x > 0)
        return;
    if (!all) {
        t.open_base[place.tile] = UINT32_MAX;
        return;
    }
    const size_t row = (size_t) place.tile * CCA_TILE_HEIGHT;
    fine.listed_base[place.tile] = 0;
    fine.rows[row] = { {}, { 1 } };
    fine.rows_before[row] = 0;
    write_full(image, t, place);
}

/* Measures the grain of a tile: the number of threads whose 64 pixels change at least MIN_CHANGES
 * times both along the row and against the row above. Larger blobs rarely do both. */
#define MIN_CHANGES 4
DEVICE uint32_t count_grain(const uint32_t *const bits)
{
    const uint32_t *const words = bits + thread_place<FineShape>();
    uint32_t across = 0, down = 0;
#pragma unroll
    for (uint32_t j = 0; j < FineShape::words; j++) {
        across += __popc(words[j] ^ words[j] << 1);
        down += __popc(words[j] ^ words[(int32_t) j - ROW_STRIDE]);
    }
    return (uint32_t) __syncthreads_count(min(across, down) >= MIN_CHANGES);
}

/* Minimum grain of a fine tile. Noise of single pixels reaches it except at extreme densities,
 * noise of 2 x 2 pixels does not. The others are the minimum for labelling by blocks of 8 x 8. */
#define FINE 72
#define FINE_ENOUGH 56
#define FINE_ENOUGH_WITH_CORNERS 16

/* Labels a tile by blocks of pixels. False if its grain is too coarse, or it does not fit. */
DEVICE bool label_fine(FineTile &tile, const CudaImage &image, const CudaTiled &t,
                       const CudaFine &fine, const CudaCompact &compact, const Place &place)
{
    const uint32_t grain = count_grain(tile.bits);
    if (grain < (image.corner ? FINE_ENOUGH_WITH_CORNERS : FINE_ENOUGH) ||
        !label_blocks(tile, image, t, fine, compact, place))
        return false;
    static_assert(offsetof(CudaTileCounts, n_blocks) == offsetof(CudaTileCounts, n_fine) + 4, "");
    if (threadIdx.x == 0)
        atomicAdd((unsigned long long *) &t.counts->n_fine, 1ull << 32 | (grain >= FINE));
    return true;
}

template <typename Sample>
DEVICE void label_fine(const CudaImage &image, const CudaTiled &t, const CudaCompact &compact,
                       const CudaFine &fine)
{
    __shared__ union {
        Tile runs;
        FineTile blocks;
    } tile;
    __shared__ uint32_t n_begun[CCA_TILE_WARPS];
    static_assert(offsetof(Tile, bits) == offsetof(FineTile, bits), "the same");
    const Place place = make_place(image, t);

    bool any, all;
    load_tile<FineShape, Sample>(tile.runs, image, place.x0, place.y0, any, all);
    const bool alone = !(place.left | place.right | place.above | place.below);
    if (!any || (all && !alone))
        label_uniform(image, t, fine, compact, place, all);
    else if (!label_fine(tile.blocks, image, t, fine, compact, place))
        label_runs<FineShape>(tile.runs, n_begun, image, t, fine, compact, place);
}

/* Grid: one block for each tile, in raster order. */
#define FINE_KERNEL(name, begin, Sample)                                               \
    extern "C" __global__ void __launch_bounds__(FineShape::threads, 8)                \
        name(const CudaImage image, const CudaTiled tables, const CudaCompact compact, \
             const CudaFine fine)                                                      \
    {                                                                                  \
        begin();                                                                       \
        label_fine<Sample>(image, tables, compact, fine);                              \
    }

FINE_KERNEL(cca_fine_8, begin_first, uint8_t)
FINE_KERNEL(cca_fine_16, begin_first, uint16_t)
FINE_KERNEL(cca_fine_mask, begin_dependent, MaskBits)
