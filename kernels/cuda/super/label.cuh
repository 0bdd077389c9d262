/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Labels a tile, and publishes its components. */

#ifndef CCA_CUDA_SUPER_LABEL_CUH
#define CCA_CUDA_SUPER_LABEL_CUH

#include "labels.cuh"

namespace super
{

/* Keeps what measuring or a label image needs of a strip whose components are numbered. Called by
 * a whole warp. */
template <Scope scope>
DEVICE void keep_strip(Tile &tile, const CudaSuper &s, const Place &place, const Strip &strip)
{
    if (is_measured(scope))
        keep_groups(tile, place, strip);
    if (scope == STAGED && s.words != NULL)
        store_numbers(tile, s, place, strip);
}

/* Labels the tile, and sums up the features of its components. Returns their number, or
 * UINT32_MAX if they do not fit. */
template <typename Sample, Scope scope>
DEVICE uint32_t label_tile(Tile &tile, const CudaImage &image, const CudaSuper &s)
{
    for (uint32_t i = threadIdx.x; i < n_nodes / 32; i += blockDim.x)
        tile.open[i] = 0;
    for (uint32_t i = threadIdx.x; i < max_rows; i += blockDim.x)
        tile.row_counts[i] = 0;
    if (threadIdx.x == 0)
        tile.n_open = 0;
    bool fits, full;
    const Strip strip = label_strip<Sample, scope>(tile, image, s, fits, full);
    if (__syncthreads_or(!fits))
        return UINT32_MAX;
    const Place place = make_place<Sample>(image, s);
    if (__syncthreads_and(full)) {
        number_full(tile, place);
        __syncwarp();
        keep_strip<scope>(tile, s, place, strip);
        __syncthreads();
        return 1;
    }
    unite_strips(tile, strip, has_corners<scope>(image));
    __syncthreads();
    const uint32_t roots = flatten_strip(tile, strip);
    __syncthreads();
    mark_edges(tile, place);
    const Count count = count_components(tile);
    if (count.n > (is_measured(scope) ? n_measured : n_slots))
        return UINT32_MAX;
    clear_slots(tile.slots, count.n);
    __syncthreads();
    number_roots(tile, strip, roots, count.before);
    __syncthreads();
    vote_strip(tile, place, strip);
    keep_strip<scope>(tile, s, place, strip);
    __syncthreads();
    return count.n;
}

template <Scope scope>
DEVICE void publish(Tile &tile, const CudaImage &image, const CudaSuper &s, const CcaFilter &filter,
                    const Place &place, const uint32_t n)
{
    publish_components<scope>(tile, image, s, filter, place, n);
    if (scope != STAGED)
        clear_sums(tile);
    publish_edges<scope>(tile, s, place);
    __syncthreads();
    publish_counts(tile, s, place, n);
}

} // namespace super

#endif /* CCA_CUDA_SUPER_LABEL_CUH */
