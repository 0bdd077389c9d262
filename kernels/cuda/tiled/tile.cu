/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The tile kernel: finds the closed and open components of a tile. */

#include "closed.cuh"
#include "load.cuh"
#include "measure.cuh"
#include "number.cuh"
#include "votes.cuh"
#include "write.cuh"

/* Writes the isolated runs, which need no votes. */
template <typename S>
DEVICE void write_isolated(const Tile &tile, const CudaTiled &t, const Place &place,
                           const Strip &strip)
{
    const uint32_t warp = threadIdx.x / WARP;
    uint32_t base = tile.isolated_base;
    for (uint32_t w = 0; w < warp; w++)
        base += tile.n_isolated[w];
#pragma unroll 1
    for (uint32_t i = threadIdx.x % WARP; i < tile.n_isolated[warp]; i += WARP) {
        const uint32_t run = tile.runs[strip.begin + S::strip_nodes - 1 - i];
        const uint32_t length = __popc(run_from(tile.bits[run / 32], 1u << run % 32));
        *isolated_place(t, base + i) = pack_isolated(place.tile, run_x(run), run_y(run), length);
    }
}

/* Writes the components of a pass. */
template <typename S, bool measures>
DEVICE void write_pass(Tile &tile, const CudaImage &image, const CudaTiled &t, const Place &place,
                       const uint32_t begin, const CudaMeasure &m, const MeasureSlots *const slots)
{
    const uint32_t n_open = tile.n_open, n = min(n_open + tile.n_closed - begin, (uint32_t) SLOTS);
#pragma unroll 1
    for (uint32_t k = threadIdx.x; k < n; k += S::threads) {
        const uint32_t run = tile.runs[tile.root[k]];
        const uint32_t first_x = run_x(run), min_y = run_y(run);
        const uint32_t area = tile.slots.area_sum_y[k] >> AREA_SHIFT;
        const bool is_open = begin + k < n_open;
        if constexpr (measures)
            write_measured(*slots, m, image.width, place, k, is_open,
                           is_open ? tile.open_base + k : tile.closed_base + begin + k - n_open,
                           area, tile.slots.sum_x[k],
                           tile.slots.area_sum_y[k] & ((1 << AREA_SHIFT) - 1));
        if (is_open) {
            const Features f = slot_features(place, tile.slots, k, area, min_y);
            write_open(image, t, tile.open_base + k, f, place.x0 + first_x);
        } else {
            const Slots<SLOTS> &v = tile.slots;
            const Closed c = { place.tile, first_x,    min_y,           v.min_x[k],
                               v.max_x[k], v.max_y[k], v.area_sum_y[k], v.sum_x[k] };
            ((uint4 *) t.closed)[tile.closed_base + begin + k - n_open] = pack_closed(c);
        }
        if (is_open || area_passes(image, area))
            atomicOr(tile.first + min_y * (CCA_TILE_WIDTH / 32) + first_x / 32, 1u << first_x % 32);
    }
}

/* Places in the tables: the old values of the counters. Their latency overlaps with other work
 * until they are used. */
struct Places {
    uint64_t components; /* open ones << 32 | closed ones */
    uint32_t isolated;
};

/* Reserves places in the tables of closed and of open components. */
template <typename S> DEVICE void reserve(Places &old, const Tile &tile, const CudaTiled &t)
{
    uint32_t n_isolated = 0;
    for (uint32_t w = 0; w < S::warps; w++)
        n_isolated += tile.n_isolated[w];
    if (n_isolated > 0)
        old.isolated = add_alone(&t.counts->n_isolated, n_isolated);
    old.components = add_alone((uint64_t *) &t.counts->n_closed,
                               (uint64_t) tile.n_open << 32 | tile.n_closed);
}

/* Measures and writes a tile that is all foreground. Called by all threads. */
template <typename S>
DEVICE void measure_full(Tile &tile, MeasureSlots &slots, const CudaImage &image,
                         const CudaTiled &t, const CudaMeasure &m, const Place &place)
{
    clear_slots<S>(slots, m);
    if (threadIdx.x == 0)
        tile.n_open = 1;
    __syncthreads();
    measure_pass<S>(tile, slots, image, m, place, true, 0);
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    const uint32_t w = CCA_TILE_WIDTH, h = CCA_TILE_HEIGHT, area = w * h;
    const uint32_t node = write_full(image, t, place);
    write_measured(slots, m, image.width, place, 0, true, node, area, area * (w - 1) / 2,
                   area * (h - 1) / 2);
}

template <typename S, typename Sample, bool measures = false>
DEVICE void label_tile(const CudaImage &image, const CudaTiled &t, const CudaCompact &compact,
                       const CudaMeasure &m = {})
{
    __shared__ Tile tile;
    MeasureSlots *measured = nullptr;
    if constexpr (measures) {
        __shared__ MeasureSlots slots;
        measured = &slots;
    }
    const Place place = make_place(image, t);

    bool any, all;
    load_tile<S, Sample>(tile, image, place.x0, place.y0, any, all);
    const bool alone = !(place.left | place.right | place.above | place.below);
    if (!any || (all && !alone)) {
        write_same_first(compact, place, all);
        write_same_labels(t, place, all ? 0 : CCA_EDGE_NONE);
        if constexpr (measures) {
            if (threadIdx.x == 0)
                m.n_diagonals[place.tile] = 0;
            if (all) {
                measure_full<S>(tile, *measured, image, t, m, place);
                return;
            }
        }
        if (threadIdx.x == 0 && all)
            write_full(image, t, place);
        else if (threadIdx.x == 0)
            t.open_base[place.tile] = UINT32_MAX;
        return;
    }

    if (threadIdx.x == 0)
        tile.n_open = tile.n_closed = 0;
    if constexpr (measures) {
        if (threadIdx.x == 0)
            measured->n_diagonals = 0;
        clear_slots<S>(*measured, m);
    }
    const Strip strip = unite_tile<S>(tile, image);
    clear_slots<S>(tile.slots);
    const Edges<S> edges = mark_edges<S>(tile, place);
    __syncthreads();
    number_roots(tile, strip);
    __syncthreads();
    write_labels<S>(tile, t, place, edges);

    /* One thread reserves places for the whole tile. The latency overlaps with the votes. */
    Places old = {};
    if (threadIdx.x == 0)
        reserve<S>(old, tile, t);
    vote_pass(tile, strip, 0);
    if constexpr (measures)
        measure_pass<S>(tile, *measured, image, m, place, false, 0);
    if (threadIdx.x == 0) {
        tile.closed_base = (uint32_t) old.components;
        tile.open_base = (uint32_t) (old.components >> 32);
        tile.isolated_base = old.isolated;
        t.open_base[place.tile] = tile.n_open > 0 ? tile.open_base : UINT32_MAX;
    }
    __syncthreads();
    write_isolated<S>(tile, t, place, strip);
    write_pass<S, measures>(tile, image, t, place, 0, m, measured);
    if (measures && threadIdx.x == 0)
        m.n_diagonals[place.tile] = measured->n_diagonals;
    further_passes<S>(
        tile.slots, tile.n_open + tile.n_closed,
        [&](const uint32_t begin) {
            if constexpr (measures) {
                clear_slots<S>(*measured, m);
                __syncthreads();
                measure_pass<S>(tile, *measured, image, m, place, false, begin);
            }
            vote_pass(tile, strip, begin);
        },
        [&](const uint32_t begin) {
            write_pass<S, measures>(tile, image, t, place, begin, m, measured);
        });
    __syncthreads();
    write_shared_first<S>(compact, place, tile.first);
}

/* Grid: one block for each tile, in raster order. Few warps per tile are faster for many tiles,
 * many warps are faster for few tiles. */
#define TILE_KERNEL(name, begin, warps, blocks, Sample, seen)                          \
    extern "C" __global__ void __launch_bounds__(Shape<warps>::threads, blocks)        \
        name(const CudaImage image, const CudaTiled tables, const CudaCompact compact) \
    {                                                                                  \
        begin();                                                                       \
        label_tile<Shape<warps>, Sample>(seen, tables, compact);                       \
    }

TILE_KERNEL(cca_tile_8, begin_first, CCA_TILE_WARPS, 8, uint8_t, image)
TILE_KERNEL(cca_tile_16, begin_first, CCA_TILE_WARPS, 8, uint16_t, image)
TILE_KERNEL(cca_tile_otsu_8, begin_dependent, CCA_TILE_WARPS, 8, uint8_t, with_threshold(image))
TILE_KERNEL(cca_tile_otsu_16, begin_dependent, CCA_TILE_WARPS, 8, uint16_t, with_threshold(image))
TILE_KERNEL(cca_tile_mask, begin_dependent, CCA_TILE_WARPS, 8, MaskBits, image)
TILE_KERNEL(cca_tile_opened, begin_dependent, CCA_TILE_WARPS, 8, MaskToOpen, image)
TILE_KERNEL(cca_tile_8_soon, begin_first, CCA_TILE_SOON_WARPS, 4, uint8_t, image)
TILE_KERNEL(cca_tile_16_soon, begin_first, CCA_TILE_SOON_WARPS, 4, uint16_t, image)
TILE_KERNEL(cca_tile_otsu_8_soon, begin_dependent, CCA_TILE_SOON_WARPS, 4, uint8_t,
            with_threshold(image))
TILE_KERNEL(cca_tile_otsu_16_soon, begin_dependent, CCA_TILE_SOON_WARPS, 4, uint16_t,
            with_threshold(image))
TILE_KERNEL(cca_tile_mask_soon, begin_dependent, CCA_TILE_SOON_WARPS, 4, MaskBits, image)
TILE_KERNEL(cca_tile_opened_soon, begin_dependent, CCA_TILE_SOON_WARPS, 4, MaskToOpen, image)

/* The same, and measures the components. */
#define MEASURED_KERNEL(name, Sample, seen)                                                   \
    extern "C" __global__ void __launch_bounds__(Shape<CCA_TILE_SOON_WARPS>::threads, 4)      \
        name(const CudaImage image, const CudaTiled tables, const CudaCompact compact,        \
             const CudaMeasure measure)                                                       \
    {                                                                                         \
        begin_dependent();                                                                    \
        label_tile<Shape<CCA_TILE_SOON_WARPS>, Sample, true>(seen, tables, compact, measure); \
    }

MEASURED_KERNEL(cca_measured_8, uint8_t, image)
MEASURED_KERNEL(cca_measured_16, uint16_t, image)
MEASURED_KERNEL(cca_measured_otsu_8, uint8_t, with_threshold(image))
MEASURED_KERNEL(cca_measured_otsu_16, uint16_t, with_threshold(image))
MEASURED_KERNEL(cca_measured_mask, MaskBits, image)
