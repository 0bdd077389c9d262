/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Compaction of FLSL's roots. A root is its component's first run, so the run's start is the
 * component's first pixel. */

#include "../compact/mailbox.cuh"
#include "unite.cuh"

/* Calls visit(run is a root whose area passes, label, x, y) in all lanes of a warp.
 * Grid: CCA_FLSL_ROW_WARPS warps per row, CCA_FLSL_STRIP warps per block. */
template <typename Er, typename Visit>
DEVICE void for_each_run(const CudaImage &image, const CudaFlsl &t, const Visit visit)
{
    const uint64_t warp = (uint64_t) blockIdx.x * CCA_FLSL_STRIP + threadIdx.y;
    const uint32_t y = (uint32_t) (warp / CCA_FLSL_ROW_WARPS);
    const uint32_t part = (uint32_t) (warp % CCA_FLSL_ROW_WARPS);
    if (y >= image.height)
        return;
    const Er *const rlc_row = (const Er *) t.rlc + 2 * (size_t) y * t.run_stride;
    const uint32_t n_runs = t.n_edges[y] / 2;
    for (uint32_t begin = part * WARP; begin < n_runs; begin += CCA_FLSL_ROW_WARPS * WARP) {
        const uint32_t s = begin + threadIdx.x;
        const uint32_t l = y * t.run_stride + s;
        const bool has = s < n_runs && t.parent[l] == l && area_passes(image, t.area[l]);
        visit(has, l, has ? (uint32_t) rlc_row[2 * s] : 0, y);
    }
}

DEVICE Features features_of(const CudaFlsl &t, const uint32_t l, const uint32_t y)
{
    return { t.min_x[l], y, t.max_x[l], t.max_y[l], t.area[l], t.sum_x[l], t.sum_y[l] };
}

template <typename Er>
DEVICE void mark_roots(const CudaImage &image, const CudaFlsl &t, const CudaCompact &compact,
                       const CcaFilter &filter)
{
    for_each_run<Er>(image, t,
                     [&](const bool has, const uint32_t l, const uint32_t x, const uint32_t y) {
                         if (has && (!filter.on ||
                                     passes(image, compact, filter, x, features_of(t, l, y))))
                             mark_first(compact, x, y);
                     });
}

template <typename Er>
DEVICE void note_areas(const CudaImage &image, const CudaFlsl &t, const CudaCompact &compact)
{
    clear_bins(compact);
    for_each_run<Er>(image, t,
                     [&](const bool has, const uint32_t l, const uint32_t x, const uint32_t y) {
                         if (has && is_left(image, compact, x, y))
                             compact.areas[rank_of(compact, x, y)] = t.area[l];
                     });
}

template <typename Er>
DEVICE void emit_roots(const CudaImage &image, const CudaFlsl &t, const CudaCompact &compact)
{
    __shared__ RecordStage stages[CCA_FLSL_STRIP];
    if (blockIdx.x == 0 && threadIdx.x == 0 && threadIdx.y == 0)
        begin_mailbox(compact, 0);
    for_each_run<Er>(image, t, [&](bool has, const uint32_t l, const uint32_t x, const uint32_t y) {
        Features f = {};
        has = has && is_left(image, compact, x, y);
        if (has)
            f = features_of(t, l, y);
        emit_records(image, compact, stages[threadIdx.y], has, x, f);
    });
    end_frame(compact);
}

#define ROOTS(name, function, Er)                                                 \
    extern "C" __global__ void name(const CudaImage image, const CudaFlsl tables, \
                                    const CudaCompact compact)                    \
    {                                                                             \
        begin_dependent();                                                        \
        function<Er>(image, tables, compact);                                     \
    }

#define MARK(name, Er)                                                                 \
    extern "C" __global__ void name(const CudaImage image, const CudaFlsl tables,      \
                                    const CudaCompact compact, const CcaFilter filter) \
    {                                                                                  \
        begin_dependent();                                                             \
        mark_roots<Er>(image, tables, compact, filter);                                \
    }

MARK(cca_flsl_mark_er16, uint16_t)
MARK(cca_flsl_mark_er32, uint32_t)
ROOTS(cca_flsl_areas_er16, note_areas, uint16_t)
ROOTS(cca_flsl_areas_er32, note_areas, uint32_t)
ROOTS(cca_flsl_emit_er16, emit_roots, uint16_t)
ROOTS(cca_flsl_emit_er32, emit_roots, uint32_t)
