/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Closed components and roots of open ones, to the end that both algorithms
 * share. */

#include "../emit/delivery.cuh"
#include "../emit/select.cuh"
#include "closed.cuh"

DEVICE Features features_of(const CudaTiled &t, const Closed &c, uint32_t &first_x)
{
    const uint32_t x0 = c.tile % t.tiles_x * CCA_TILE_WIDTH;
    const uint32_t y0 = c.tile / t.tiles_x * CCA_TILE_HEIGHT;
    const uint32_t area = c.area_sum_y >> AREA_SHIFT;
    const uint32_t sum_y = c.area_sum_y & ((1 << AREA_SHIFT) - 1);
    first_x = x0 + c.first_x;
    return { x0 + c.min_x, y0 + c.min_y, x0 + c.max_x, y0 + c.max_y, area,
             (uint64_t) x0 * area + c.sum_x, (uint64_t) y0 * area + sum_y };
}

/* The components of the frame that pass the filters: what(has one, x of its
 * first pixel, features), by whole warps. Grid: any number of these. */
template <typename What>
DEVICE void for_each_closed(const CudaImage &image, const CudaTiled &t, const What what)
{
    const uint32_t n_isolated = t.totals->n_isolated, stride = gridDim.x * blockDim.x;
    const uint32_t n = n_isolated + t.totals->n_closed;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i - threadIdx.x % WARP < n;
         i += stride) {
        uint32_t x = 0;
        Features f = {};
        if (i < n)
            f = features_of(t, i < n_isolated ?
                                   unpack_isolated(*isolated_place(t, i)) :
                                   unpack_closed(((const uint4 *) t.closed)[i - n_isolated]),
                            x);
        what(i < n && area_passes(image, f.area), x, f);
    }
}

template <typename What>
DEVICE void for_each_open_root(const CudaImage &image, const CudaTiled &t, const What what)
{
    const uint32_t n = t.totals->n_open, stride = gridDim.x * blockDim.x;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i - threadIdx.x % WARP < n;
         i += stride) {
        const bool has = i < n && t.parent[i] == i && area_passes(image, t.area[i]);
        uint32_t x = 0;
        Features f = {};
        if (has) {
            const uint32_t first = t.first[i];
            x = first % image.width;
            f = { t.min_x[i], first / image.width, t.max_x[i], t.max_y[i], t.area[i],
                  t.sum_x[i], t.sum_y[i] };
        }
        what(has, x, f);
    }
}

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
    const auto count = [&](const bool has, const uint32_t x, const Features &f) {
        if (has)
            count_key(s, f.area, rank_of(emit, x, f.min_y));
    };
    for_each_closed(image, t, count);
    for_each_open_root(image, t, count);
    end_select(emit, pass, s);
}

extern "C" __global__ void __launch_bounds__(CCA_LIST_THREADS)
    cca_tile_emit(const CudaImage image, const CudaTiled t, const CudaEmit emit)
{
    __shared__ RecordStage stages[CCA_LIST_THREADS / WARP];
    begin_dependent();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        emit.header->n_open = t.totals->n_open;
    const auto write = [&](const bool has, const uint32_t x, const Features &f) {
        emit_records(image, emit, stages[threadIdx.x / WARP], has, x, f);
    };
    for_each_closed(image, t, write);
    for_each_open_root(image, t, write);
    if (emit.by_area)
        clear_bins(emit); /* for the next frame */
    end_frame(emit);
}
