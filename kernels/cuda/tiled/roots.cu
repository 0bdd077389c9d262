/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Closed components and roots of open ones, to the end that both algorithms
 * share. */

#include "../emit/delivery.cuh"
#include "../emit/select.cuh"
#include "sparse.cuh"

/* Takes back the marks of roots that do not pass the filters. */
extern "C" __global__ void cca_tile_filter(const CudaImage image, const CudaTiled t,
                                           const CudaEmit emit)
{
    begin_dependent();
    const uint32_t n = t.totals->n_open, stride = gridDim.x * blockDim.x;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        if (t.parent[i] == i && !area_passes(image, t.area[i]))
            unmark_first(emit, t.first[i] % image.width, t.first[i] / image.width);
}

extern "C" __global__ void __launch_bounds__(CCA_LIST_THREADS)
    cca_tile_select(const CudaImage image, const CudaTiled t, const CudaEmit emit,
                    const uint32_t pass)
{
    static_assert(CCA_LIST_THREADS == CCA_SELECT_THREADS, "");
    begin_dependent();
    SelectPass s;
    if (!begin_select(emit, pass, s))
        return;
    const auto count = [&](const bool has, const uint32_t rank, const Features &f) {
        if (has)
            count_key(s, f.area, rank);
    };
    for_each_component(image, t, emit, UINT32_MAX, count);
    end_select(emit, pass, s);
}

/* More blocks of it a multiprocessor would be in each other's way. */
extern "C" __global__ void __launch_bounds__(CCA_LIST_THREADS, 6)
    cca_tile_emit(const CudaImage image, const CudaTiled t, const CudaEmit emit)
{
    __shared__ RecordStage stages[CCA_LIST_THREADS / WARP];
    begin_dependent();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        emit.header->n_open = t.totals->n_open;
    const auto write = [&](const bool has, const uint32_t rank, const Features &f) {
        emit_records(image, emit, stages[threadIdx.x / WARP], has, rank, f);
    };
    for_each_component(image, t, emit, emit.by_area ? UINT32_MAX : emit.max_components, write);
    if (emit.by_area)
        clear_bins(emit); /* for the next frame */
    end_frame(emit);
}
