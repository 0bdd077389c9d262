/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The stages of super tiles as a kernel each. A frame may then have more tiles than the GPU has
 * multiprocessors, and other frames may be analysed at the same time. Between the kernels the
 * tiles are stored in global memory. Grid of each kernel: one block for each tile, in raster
 * order. */

#include "label.cuh"

namespace super
{

template <typename Sample>
DEVICE void label_stage(const CudaImage &image, const CudaSuper &s, const CcaFilter &filter)
{
    Tile &tile = shared_tile();
    const uint32_t n = label_tile<Sample, STAGED>(tile, image, s);
    if (n == UINT32_MAX) {
        if (threadIdx.x == 0)
            s.counters->overflowed = 1;
        return;
    }
    const Place place = make_place<Sample>(image, s);
    publish<STAGED>(tile, image, s, filter, place, n);
    store_tile(tile, s, place, n);
    if (threadIdx.x == 0 && tile.n_open > 0)
        atomicAdd(&s.counters->n_open, tile.n_open);
}

/* Whether the tile has open components, of a frame that fits. */
DEVICE bool is_open_tile(const CudaSuper &s)
{
    return !s.counters->overflowed && s.stored[read_block_index()].n_open > 0;
}

DEVICE void count_stage(Tile &tile, const CudaImage &image, const CudaSuper &s,
                        const CcaFilter &filter, const Place &place, const uint32_t n)
{
    count_begun<STAGED>(tile, image, s, filter, place, n);
    __syncthreads();
    store_counted(tile, s, place, n);
}

} // namespace super

#define SUPER_LABEL_KERNEL(name, Sample)                                            \
    extern "C" __global__ void __launch_bounds__(super::max_threads, 1)             \
        name(const CudaImage image, const CudaSuper tables, const CcaFilter filter) \
    {                                                                               \
        begin_dependent();                                                          \
        super::label_stage<Sample>(image, tables, filter);                          \
    }

SUPER_LABEL_KERNEL(cca_super_8_label, uint8_t)
SUPER_LABEL_KERNEL(cca_super_16_label, uint16_t)
SUPER_LABEL_KERNEL(cca_super_mask_label, MaskBits)

extern "C" __global__ void __launch_bounds__(super::max_threads, 2)
    cca_super_merge(const CudaImage image, const CudaSuper tables)
{
    begin_dependent();
    if (!super::is_open_tile(tables))
        return;
    super::Tile &tile = super::shared_tile();
    super::clear_sums(tile);
    __syncthreads();
    super::merge_edges<super::STAGED>(tile, tables, super::make_place<MaskBits>(image, tables),
                                      image.corner);
}

extern "C" __global__ void __launch_bounds__(super::max_threads, 1)
    cca_super_reduce(const CudaImage image, const CudaSuper tables, const CcaFilter filter)
{
    begin_dependent();
    if (!super::is_open_tile(tables))
        return;
    super::Tile &tile = super::shared_tile();
    const super::Place place = super::make_place<MaskBits>(image, tables);
    super::clear_sums(tile);
    const uint32_t n = super::load_counts(tile, tables, place);
    super::reduce_open<super::STAGED>(tile, tables, place, n);
    if (!super::has_filters<super::STAGED>(image))
        super::count_stage(tile, image, tables, filter, place, n);
}

/* With filters: counts components, of which all parts have been added up. */
extern "C" __global__ void __launch_bounds__(super::max_threads, 1)
    cca_super_count(const CudaImage image, const CudaSuper tables, const CcaFilter filter)
{
    begin_dependent();
    if (!super::is_open_tile(tables))
        return;
    super::Tile &tile = super::shared_tile();
    const super::Place place = super::make_place<MaskBits>(image, tables);
    const uint32_t n = super::load_counts(tile, tables, place);
    super::count_stage(tile, image, tables, filter, place, n);
}

/* Writes the records, and keeps the ids for a label image, whose kernel then ends the frame. */
extern "C" __global__ void __launch_bounds__(super::max_threads, 1)
    cca_super_emit(const CudaImage image, const CudaSuper tables, const CudaCompact compact,
                   const CudaLabels labels)
{
    begin_dependent();
    super::Tile &tile = super::shared_tile();
    const super::Place place = super::make_place<MaskBits>(image, tables);
    const bool fits = !tables.counters->overflowed;
    if (place.tile == 0 && threadIdx.x == 0)
        begin_mailbox(compact, tables.counters->n_open);
    if (fits) {
        const uint32_t n = super::load_counts(tile, tables, place);
        super::rank_rows<super::STAGED>(tile, tables, place, n);
        super::write_records<super::STAGED>(tile, image, tables, compact, place, n);
        if (labels.data != NULL)
            super::store_ids<super::STAGED>(tile, tables, place, n);
    }
    if (labels.data == NULL)
        super::end_frame(tables, compact, fits ? tile.n_found : 0, fits);
}

extern "C" __global__ void __launch_bounds__(super::max_threads, 1)
    cca_super_labels(const CudaImage image, const CudaSuper tables, const CudaCompact compact,
                     const CudaLabels labels)
{
    begin_dependent();
    super::Tile &tile = super::shared_tile();
    const super::Place place = super::make_place<MaskBits>(image, tables);
    const bool fits = !tables.counters->overflowed;
    uint32_t n_found = 0;
    if (fits) {
        super::load_ids(tile, tables, place);
        n_found = super::write_labels<super::STAGED>(tile, image, tables, labels, place);
    }
    super::end_frame(tables, compact, place.tile == 0 ? n_found : 0, fits);
}
