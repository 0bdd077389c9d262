/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Labels tiles a second time, after the components of the frame are complete. */

#ifndef CCA_CUDA_AGAIN_CUH
#define CCA_CUDA_AGAIN_CUH

#include "load.cuh"
#include "number.cuh"

/* Labels a tile from the mask. Returns false if it has no foreground. Ends without a barrier. */
template <typename S>
DEVICE bool label_again(Tile &tile, const CudaImage &image, const Place &place, Strip &strip)
{
    bool any, all;
    load_tile<S, MaskBits>(tile, image, place.x0, place.y0, any, all);
    if (!any)
        return false;
    strip = list_runs<S>(tile, image);
    __syncthreads();
    unite_strip<S>(tile, strip, image.corner);
    __syncthreads();
    unite_strips<S>(tile, strip, image.corner);
    return true;
}

/* Calls visit(root in the tile, open component) for the components that reach into other tiles,
 * for some of them several times. */
template <typename S, typename Visit>
DEVICE void for_each_open_label(const Tile &tile, const CudaTiled &t, const Place &place,
                                const Visit visit)
{
    const uint8_t *const labels = t.edges + (size_t) place.tile * CCA_EDGE_LABELS;
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < CCA_EDGE_LABELS; i += S::threads) {
        const uint32_t label = labels[i];
        if (label == CCA_EDGE_NONE || (i > 0 && labels[i - 1] == label)) /* already done */
            continue;
        const uint32_t at = i < CCA_EDGE_BOTTOM ? run_at(i, 0) :
                            i < CCA_EDGE_LEFT   ? run_at(i - CCA_EDGE_BOTTOM, CCA_TILE_HEIGHT - 1) :
                            i < CCA_EDGE_RIGHT  ? run_at(0, i - CCA_EDGE_LEFT) :
                                                  run_at(CCA_TILE_WIDTH - 1, i - CCA_EDGE_RIGHT);
        visit(find_node(tile.parent, node_of(tile, at / 32, at % 32)),
              t.open_base[place.tile] + label);
    }
}

/* The first pixel of the whole component: y * width + x. */
DEVICE uint32_t first_of_open(const CudaTiled &t, const uint32_t open)
{
    return t.first[find(t.parent, open)];
}

#endif /* CCA_CUDA_AGAIN_CUH */
