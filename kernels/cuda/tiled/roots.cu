/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Compaction of closed components and of the roots of open ones. */

#include "../compact/mailbox.cuh"
#include "../compact/select.cuh"
#include "closed.cuh"
#include "features.cuh"
#include "open.cuh"

DEVICE Features features_of(const CudaTiled &t, const Closed &c, uint32_t &first_x)
{
    const uint32_t x0 = c.tile % t.tiles_x * CCA_TILE_WIDTH;
    const uint32_t y0 = c.tile / t.tiles_x * CCA_TILE_HEIGHT;
    const uint32_t area = c.area_sum_y >> AREA_SHIFT;
    const uint32_t sum_y = c.area_sum_y & ((1 << AREA_SHIFT) - 1);
    first_x = x0 + c.first_x;
    return { x0 + c.min_x,
             y0 + c.min_y,
             x0 + c.max_x,
             y0 + c.max_y,
             area,
             (uint64_t) x0 * area + c.sum_x,
             (uint64_t) y0 * area + sum_y };
}

/* Both lists of closed components, divided into portions for a warp. A portion is from one list.
 * The lists are interleaved, so that neighbour records in memory are written at nearly the same
 * time: a sector that is written in two parts at different times costs more than two sectors. */
struct ClosedLists {
    uint32_t n_isolated, n_closed;
    uint32_t n;     /* number of portions */
    uint64_t share; /* fraction of portions that are not of isolated runs, times 2^32 */
};

DEVICE ClosedLists closed_lists(const CudaTiled &t)
{
    const uint32_t n_isolated = t.totals->n_isolated, n_closed = t.totals->n_closed;
    const uint32_t isolated = (n_isolated + WARP - 1) / WARP;
    const uint32_t closed = (n_closed + WARP - 1) / WARP;
    const uint32_t n = isolated + closed;
    return { n_isolated, n_closed, n, n > 0 ? (((uint64_t) closed << 32) + n - 1) / n : 0 };
}

/* A lane's component of a portion, packed. */
struct ClosedItem {
    uint4 packed;
    bool has, isolated;
    uint32_t index; /* in its list */
};

DEVICE Closed unpack(const ClosedItem &item)
{
    return item.isolated ? unpack_isolated(make_uint2(item.packed.x, item.packed.y)) :
                           unpack_closed(item.packed);
}

DEVICE ClosedItem load_closed(const CudaTiled &t, const ClosedLists &l, const uint32_t at)
{
    const uint32_t lane = threadIdx.x % WARP;
    const uint32_t before = (uint32_t) (at * l.share >> 32);
    ClosedItem item = { {}, false, (uint32_t) ((at + 1) * l.share >> 32) == before, 0 };
    if (at >= l.n)
        return item;
    const uint32_t i = (item.isolated ? at - before : before) * WARP + lane;
    item.has = i < (item.isolated ? l.n_isolated : l.n_closed);
    item.index = i;
    if (!item.has)
        return item;
    if (item.isolated) {
        const uint2 v = *isolated_place(t, i);
        item.packed.x = v.x;
        item.packed.y = v.y;
    } else {
        item.packed = ((const uint4 *) t.closed)[i];
    }
    return item;
}

/* Calls visit(lane has a component whose area passes, x of its first pixel, features, item) in all
 * lanes of a warp. Grid: any number of blocks of whole warps. */
template <typename Visit>
DEVICE void for_each_closed(const CudaImage &image, const CudaTiled &t, const Visit visit)
{
    const ClosedLists lists = closed_lists(t);
    const uint32_t stride = gridDim.x * (blockDim.x / WARP);
    uint32_t at = blockIdx.x * (blockDim.x / WARP) + threadIdx.x / WARP;
    ClosedItem next = load_closed(t, lists, at);
    for (; at < lists.n; at += stride) {
        const ClosedItem item = next;
        next = load_closed(t, lists, at + stride); /* overlaps with visit() */
        uint32_t x = 0;
        Features f = {};
        if (item.has)
            f = features_of(t, unpack(item), x);
        visit(item.has && area_passes(image, f.area), x, f, item);
    }
}

/* The same for open components, with their node as the last argument. */
template <typename Visit>
DEVICE void for_each_open_root(const CudaImage &image, const CudaTiled &t, const Visit visit)
{
    const uint32_t n = t.totals->n_open, stride = gridDim.x * blockDim.x;
    const uint32_t block = gridDim.x - 1 - blockIdx.x; /* it has the fewest closed ones */
    for (uint32_t i = block * blockDim.x + threadIdx.x; i - threadIdx.x % WARP < n; i += stride) {
        const bool is_root = i < n && t.parent[i] == i;
        uint32_t x = 0;
        Features f = {};
        if (is_root) {
            const uint32_t first = t.first[i];
            x = first % image.width;
            f = open_features(load_open(t.open + i), first / image.width);
        }
        visit(is_root && area_passes(image, f.area), x, f, i);
    }
}

/* Removes the marks of roots whose areas do not pass. */
extern "C" __global__ void cca_tile_filter(const CudaImage image, const CudaTiled t,
                                           const CudaCompact compact)
{
    begin_dependent();
    const uint32_t n = t.totals->n_open, stride = gridDim.x * blockDim.x;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        if (t.parent[i] == i && !area_passes(image, t.open[i].area))
            unmark_first(compact, t.first[i] % image.width, t.first[i] / image.width);
}

/* Removes the marks of components whose areas pass, but that do not pass the filter. */
extern "C" __global__ void __launch_bounds__(CCA_LIST_THREADS)
    cca_tile_sift(const CudaImage image, const CudaTiled t, const CudaCompact compact,
                  const CcaFilter filter)
{
    begin_dependent();
    const auto sift = [&](const bool has, const uint32_t x, const Features &f, const auto &) {
        if (has && !passes(image, compact, filter, x, f))
            unmark_first(compact, x, f.min_y);
    };
    for_each_closed(image, t, sift);
    for_each_open_root(image, t, sift);
}

extern "C" __global__ void __launch_bounds__(CCA_LIST_THREADS)
    cca_tile_select(const CudaImage image, const CudaTiled t, const CudaCompact compact,
                    const uint32_t pass)
{
    static_assert(CCA_LIST_THREADS == CCA_SELECT_THREADS, "");
    begin_dependent();
    SelectPass s;
    if (!begin_select(compact, pass, s))
        return;
    const auto count = [&](const bool has, const uint32_t x, const Features &f, const auto &) {
        if (has && is_left(image, compact, x, f.min_y))
            count_key(s, f.area, rank_of(compact, x, f.min_y));
    };
    for_each_closed(image, t, count);
    for_each_open_root(image, t, count);
    end_select(compact, pass, s);
}

template <bool measures>
DEVICE void emit_all(const CudaImage &image, const CudaTiled &t, const CudaCompact &compact,
                     const CudaMeasure &m = {})
{
    __shared__ RecordStage stages[CCA_LIST_THREADS / WARP];
    Stage<CcaFeatures> *features = nullptr;
    if constexpr (measures) {
        __shared__ Stage<CcaFeatures> shared[CCA_LIST_THREADS / WARP];
        features = &shared[threadIdx.x / WARP];
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
        begin_mailbox(compact, t.totals->n_open);
    /* measured() gives the values of the lane's component. */
    const auto write = [&](const bool has, const uint32_t x, const Features &f,
                           const auto measured) {
        const uint32_t place = emit_records(image, compact, stages[threadIdx.x / WARP],
                                            has && is_left(image, compact, x, f.min_y), x, f);
        if constexpr (measures) {
            if (!__any_sync(ALL_LANES, place != UINT32_MAX))
                return;
            if (place != UINT32_MAX)
                stage_record(*features, make_features(image, m, measured(), f));
            write_staged(m.records, *features, place);
        }
    };
    for_each_closed(
        image, t, [&](const bool has, const uint32_t x, const Features &f, const ClosedItem &item) {
            write(has, x, f, [&] {
                return closed_measured(m, unpack(item), item.isolated, item.index, t, image.width);
            });
        });
    for_each_open_root(image, t,
                       [&](const bool has, const uint32_t x, const Features &f,
                           const uint32_t node) {
                           write(has, x, f, [&] { return open_measured(m, node); });
                       });
    if (compact.by_area)
        clear_bins(compact); /* for the next frame */
    end_frame(compact);
}

extern "C" __global__ void __launch_bounds__(CCA_LIST_THREADS)
    cca_tile_emit(const CudaImage image, const CudaTiled t, const CudaCompact compact)
{
    begin_dependent();
    emit_all<false>(image, t, compact);
}

/* The same with features. */
extern "C" __global__ void __launch_bounds__(CCA_LIST_THREADS)
    cca_measured_emit(const CudaImage image, const CudaTiled t, const CudaCompact compact,
                      const CudaMeasure m)
{
    begin_dependent();
    emit_all<true>(image, t, compact, m);
}
