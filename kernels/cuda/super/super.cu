/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Analyses a large frame in one kernel. Each block labels a super tile in shared memory while it
 * reads it, joins its open components with those of other blocks, and writes the records of the
 * components that begin in it. */

#include "../compact/mailbox.cuh"
#include "measure.cuh"

namespace super
{

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
    const Place place = make_place(image, s);
    if (__syncthreads_and(full)) {
        number_full(tile, place);
        if (is_measured(scope))
            keep_groups(tile, place, strip);
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
    if (is_measured(scope))
        keep_groups(tile, place, strip);
    __syncthreads();
    return count.n;
}

template <Scope scope>
DEVICE void publish(Tile &tile, const CudaImage &image, const CudaSuper &s, const CcaFilter &filter,
                    const Place &place, const uint32_t n)
{
    publish_components<scope>(tile, image, s, filter, place, n);
    clear_sums(tile);
    publish_edges<scope>(tile, s, place);
    __syncthreads();
    publish_counts(tile, s, place, n);
}

/* Joins the open components of all blocks. */
template <Scope scope>
DEVICE void join(Tile &tile, const CudaImage &image, const CudaSuper &s, const CcaFilter &filter,
                 const Place &place, const uint32_t n)
{
    merge_edges(tile, s, place, has_corners<scope>(image));
    meet_grid(tile, &s.counters->merged);
    reduce_open(tile, s, place, n);
    const bool filters = has_filters<scope>(image);
    if (!filters)
        count_begun<scope>(tile, image, s, filter, place, n);
    meet_grid(tile, &s.counters->reduced);
    if (filters) {
        count_begun<scope>(tile, image, s, filter, place, n);
        meet_grid(tile, &s.counters->counted);
    }
}

/* Ends the frame: the last block, which sees the records of all others, reports to the CPU.
 * The number of components found is the sum of all `n_found`. */
DEVICE void end_frame(const CudaSuper &s, const CudaCompact &compact, const uint32_t n_found,
                      const bool has_room)
{
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    /* The latency of these loads overlaps with the atomic operation. */
    const uint32_t before = load_relaxed((const uint32_t *) compact.ticket + 1);
    const uint32_t threshold = load_relaxed(&compact.header->threshold);
    const uint64_t mine = (uint64_t) n_found << ARRIVALS_BITS | 1;
    const uint64_t all = fetch_add(&s.counters->ended, mine) + mine;
    if ((all & ((1 << ARRIVALS_BITS) - 1)) < gridDim.x)
        return;
    *s.counters = {};
    report_whole_frame(compact, before, threshold, (uint32_t) (all >> ARRIVALS_BITS), has_room);
}

template <typename Sample, Scope scope>
DEVICE void analyse(const CudaImage &image, const CudaSuper &s, const CudaCompact &compact,
                    const CcaFilter &filter, const CudaLabels &labels, const CudaMeasure &m = {})
{
    Tile &tile = shared_tile();
    const uint32_t n = label_tile<Sample, scope>(tile, image, s);
    const Place place = make_place(image, s);
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
        rank_rows(tile, s, place, n);
        write_records(tile, image, s, compact, place, n);
        if (is_general(scope) && labels.data != NULL)
            write_labels<scope>(tile, image, s, labels, place, n, n_open > 0);
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
