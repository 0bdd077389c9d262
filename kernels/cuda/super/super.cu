/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Analyses a large frame in one kernel. Each block labels a super tile in shared memory while it
 * reads it, joins its open components with those of other blocks, and writes the records of the
 * components that begin in it. */

#include "label.cuh"
#include "measure.cuh"

namespace super
{

/* Joins the open components of all blocks. */
template <Scope scope>
DEVICE void join(Tile &tile, const CudaImage &image, const CudaSuper &s, const CcaFilter &filter,
                 const Place &place, const uint32_t n)
{
    merge_edges<scope>(tile, s, place, has_corners<scope>(image));
    meet_grid(tile, &s.counters->merged);
    reduce_open<scope>(tile, s, place, n);
    const bool filters = has_filters<scope>(image);
    if (!filters)
        count_begun<scope>(tile, image, s, filter, place, n);
    meet_grid(tile, &s.counters->reduced);
    if (filters) {
        count_begun<scope>(tile, image, s, filter, place, n);
        meet_grid(tile, &s.counters->counted);
    }
}

/* Writes the label image. */
template <Scope scope>
DEVICE void write_ids(Tile &tile, const CudaImage &image, const CudaSuper &s,
                      const CudaLabels &labels, const Place &place, const uint32_t n,
                      const bool any_open)
{
    __syncthreads();
    store_ids<scope>(tile, s, place, n);
    if (any_open) {
        meet_grid(tile, &s.counters->ranked);
        fetch_ids(tile, s, place, n);
    }
    write_labels<scope>(tile, image, s, labels, place);
}

template <typename Sample, Scope scope>
DEVICE void analyse(const CudaImage &image, const CudaSuper &s, const CudaCompact &compact,
                    const CcaFilter &filter, const CudaLabels &labels, const CudaMeasure &m = {})
{
    Tile &tile = shared_tile();
    const uint32_t n = label_tile<Sample, scope>(tile, image, s);
    const Place place = make_place<Sample>(image, s);
    const bool fits = n != UINT32_MAX;
    if (fits)
        publish<scope>(tile, image, s, filter, place, n);
    const uint64_t grid = meet_grid(tile, &s.counters->labelled,
                                    fits ? (uint64_t) tile.n_open << open_shift :
                                           1ull << overflow_shift);
    const uint32_t n_open = (uint32_t) (grid >> open_shift);
    const bool all_fit = grid >> overflow_shift == 0;
    if (place.tile == 0 && threadIdx.x == 0)
        begin_mailbox(compact, n_open);
    if (all_fit) {
        if (n_open > 0)
            join<scope>(tile, image, s, filter, place, n);
        rank_rows<scope>(tile, s, place, n);
        write_records<scope>(tile, image, s, compact, place, n);
        if (is_general(scope) && labels.data != NULL)
            write_ids<scope>(tile, image, s, labels, place, n, n_open > 0);
        if constexpr (is_measured(scope))
            measure<scope>(tile, image, s, compact, m, place, n, n_open > 0);
    }
    end_frame(s, compact, all_fit ? tile.n_found : 0, all_fit);
}

} // namespace super

/* Grid: one block for each tile, in raster order, in a cooperative launch. A warp for each strip
 * of a tile. */
#define SUPER_KERNEL(name, Sample, scope)                                                        \
    extern "C" __global__ void __launch_bounds__(super::max_threads, 1)                          \
        name(const CudaImage image, const CudaSuper tables, const CudaCompact compact)           \
    {                                                                                            \
        begin_dependent();                                                                       \
        super::analyse<Sample, super::scope>(image, tables, compact, CcaFilter(), CudaLabels()); \
    }

SUPER_KERNEL(cca_super_8_edges, uint8_t, EDGES)
SUPER_KERNEL(cca_super_8_corners, uint8_t, CORNERS)
SUPER_KERNEL(cca_super_16_edges, uint16_t, EDGES)
SUPER_KERNEL(cca_super_16_corners, uint16_t, CORNERS)
SUPER_KERNEL(cca_super_mask_edges, MaskBits, EDGES)
SUPER_KERNEL(cca_super_mask_corners, MaskBits, CORNERS)

#define SUPER_ANYTHING_KERNEL(name, Sample)                                              \
    extern "C" __global__ void __launch_bounds__(super::max_threads, 1)                  \
        name(const CudaImage image, const CudaSuper tables, const CudaCompact compact,   \
             const CcaFilter filter, const CudaLabels labels)                            \
    {                                                                                    \
        begin_dependent();                                                               \
        super::analyse<Sample, super::ANYTHING>(image, tables, compact, filter, labels); \
    }

SUPER_ANYTHING_KERNEL(cca_super_8_anything, uint8_t)
SUPER_ANYTHING_KERNEL(cca_super_mask_anything, MaskBits)

#define SUPER_MEASURED_KERNEL(name, Sample, scope)                                             \
    extern "C" __global__ void __launch_bounds__(super::max_threads, 1)                        \
        name(const CudaImage image, const CudaSuper tables, const CudaCompact compact,         \
             const CcaFilter filter, const CudaLabels labels, const CudaMeasure measure)       \
    {                                                                                          \
        begin_dependent();                                                                     \
        super::analyse<Sample, super::scope>(image, tables, compact, filter, labels, measure); \
    }

SUPER_MEASURED_KERNEL(cca_super_8_measured_edges, uint8_t, MEASURED_EDGES)
SUPER_MEASURED_KERNEL(cca_super_8_measured_corners, uint8_t, MEASURED_CORNERS)
SUPER_MEASURED_KERNEL(cca_super_8_all, uint8_t, ALL)
SUPER_MEASURED_KERNEL(cca_super_mask_measured_edges, MaskBits, MEASURED_EDGES)
SUPER_MEASURED_KERNEL(cca_super_mask_measured_corners, MaskBits, MEASURED_CORNERS)
SUPER_MEASURED_KERNEL(cca_super_mask_all, MaskBits, ALL)
