/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Analyses a frame in one kernel. Each multiprocessor has a narrow or wide tile in shared memory,
 * and the blocks exchange their open components once. */

#include "../compact/mailbox.cuh"
#include "measure.cuh"
#include "otsu.cuh"
#include "wide/load.cuh"
#include "wide/number.cuh"
#include "narrow/load.cuh"
#include "narrow/number.cuh"

namespace single
{

/* Source of the thresholds. GIVEN is also a mask, whatever it was made from. */
enum Thresholds { GIVEN, FOUND_BEFORE, TO_BE_FOUND };

/* Generality of a kernel. LIMITS has limits of boxes, MEASURED features, AREAS neither. EDGES and
 * CORNERS have no filters and a whole region, and 4 and 8 neighbours per pixel. The less general
 * ones are faster. */
enum Scope { EDGES, CORNERS, AREAS, LIMITS, MEASURED };

template <typename S> DEVICE Place make_place(const CudaSingle &small)
{
    const uint32_t tile_x = blockIdx.x % small.tiles_x, tile_y = blockIdx.x / small.tiles_x;
    return { blockIdx.x, tile_x, tile_y, tile_x * S::width, tile_y * small.rows, small.rows };
}

template <typename S> DEVICE void clear_tile(Tile<S> &tile)
{
    if (threadIdx.x == 0) {
        tile.n_runs = tile.n_numbered = tile.n_closed = tile.n_above = tile.n_own = 0;
        tile.n_crowded = tile.n_more = tile.n_found = 0;
        tile.overflows = tile.has_more = tile.is_filled = 0;
    }
    for (uint32_t i = threadIdx.x; i < S::n_counts; i += blockDim.x)
        tile.row_count[i] = tile.row_left[i] = 0;
}

/* The frame's position among those of its slot. */
struct Epoch {
    uint32_t parity; /* see CudaSingle */
    uint32_t before; /* number of frames before this one */
};

DEVICE Epoch load_epoch(const CudaSingle &small, const CudaCompact &compact)
{
    return { load_relaxed(small.parity), load_relaxed((const uint32_t *) compact.ticket + 1) };
}

/* A barrier of the block. Returns whether the data of all its threads fitted. */
template <typename S> DEVICE bool meet(const bool fits)
{
    if (!S::always_fits)
        return !__syncthreads_or(!fits);
    __syncthreads();
    return true;
}

/* Labels a tile that has foreground. Returns whether it fits the tables. */
template <typename S>
DEVICE bool label_tile(Tile<S> &tile, const CudaImage &image, const CudaSingle &small,
                       const Place &place, const uint32_t corner, typename S::Part &part)
{
    if (!meet<S>(find_runs(tile, part, image, place)) ||
        !meet<S>(hook_runs(tile, part, place, image.corner)))
        return false;
    unite_runs(tile, part, image.corner);
    __syncthreads();
    find_contacts(tile, place, corner);
    __syncthreads();
    number_roots(tile, image, small, place, part);
    return true;
}

/* Loads and labels the tile. The load of the epoch overlaps with the labelling, because the result
 * is used only later. */
template <typename Sample, Opening opening, typename S, typename Load>
DEVICE Epoch begin_tile(Tile<S> &tile, const CudaImage &image, const CudaSingle &small,
                        const CudaCompact &compact, const Place &place, const uint32_t corner,
                        const Load load, typename S::Part &part)
{
    clear_tile(tile);
    const bool any = load_tile<Sample, opening>(tile, image, place, load, part);
    const Epoch epoch = load_epoch(small, compact);
    if (!__syncthreads_or(any))
        return epoch;
    if (threadIdx.x == 0)
        tile.is_filled = 1;
    if (!label_tile(tile, image, small, place, corner, part) && threadIdx.x == 0)
        tile.overflows = 1;
    __syncthreads();
    return epoch;
}

/* Initialises the nodes `begin`, `begin` + blockDim.x, ... below `end`. */
template <typename S>
DEVICE void make_nodes(Tile<S> &tile, const uint32_t begin, const uint32_t end)
{
#pragma unroll 1
    for (uint32_t i = begin; i < end; i += blockDim.x) {
        tile.parent[i] = i;
        tile.first[i] = none;
    }
}

/* Number of nodes that are initialised while the block waits at the barrier. */
constexpr uint32_t n_expected = 2048;

/* The thread that communicates with the other blocks. */
DEVICE bool is_messenger()
{
    return threadIdx.x == blockDim.x - WARP;
}

/* After the votes: drops the closed components that are rejected, and counts the others. Called by
 * all threads. */
template <typename S>
DEVICE void filter_closed(Tile<S> &tile, const CudaImage &image, const CcaFilter &filter,
                          const CudaSingle &small, const Place &place, CudaSingleCounters &counters,
                          typename S::Part &part)
{
    const uint32_t n = tile.n_numbered & UINT16_MAX;
    if (image.by_marks)
        sift_isolated(tile, image, filter, place, part);
#pragma unroll 1
    for (uint32_t slot = threadIdx.x; slot < n; slot += blockDim.x)
        sift_slot(tile, image, filter, place, S::open_slots + slot, false);
    __syncthreads();
    count_rows(tile, small, place, part, counters.n_closed + place.tile_y);
}

/* Publishes a tile that has components and has not overflowed. */
template <Scope scope, typename S>
DEVICE void publish(Tile<S> &tile, const CudaImage &image, const CcaFilter &filter,
                    const CudaMeasure &m, const CudaSingle &small, const Place &place,
                    const uint32_t corner, CudaSingleCounters &counters, typename S::Part &part)
{
    /* The latency of these atomic operations overlaps with the votes. */
    const bool messenger = is_messenger();
    uint32_t open_base = 0;
    if (messenger) {
        if (tile.n_numbered >> 16 > 0)
            open_base = reserve_open(counters, tile.n_numbered >> 16);
        if (tile.n_closed > 0)
            atomicAdd(counters.n_closed + place.tile_y, tile.n_closed);
    }
    vote_runs(tile, part);
    if constexpr (scope == MEASURED)
        measure_runs(tile, shared_measures(), image, m, place, part);
    if (messenger)
        tile.open_base = open_base;
    __syncthreads();
    uint32_t diagonals = 0;
    if constexpr (scope == MEASURED)
        if (messenger)
            diagonals = reserve_diagonals(shared_measures(), counters);
    if (has_filters(image))
        filter_closed(tile, image, filter, small, place, counters, part);
    publish_contacts(tile, small, place, corner);
    publish_open(tile, small, image, place);
    if constexpr (scope == MEASURED) {
        publish_measures(tile, shared_measures(), image, small, place);
        if (threadIdx.x / WARP == blockDim.x / WARP - 1)
            publish_diagonals(tile, shared_measures(), small, diagonals);
    }
}

/* Publishes the tile, waits for all other blocks, and returns the frame's counter. tile.parent and
 * tile.first then belong to the open components of the frame. A tile that overflowed publishes
 * nothing else, because the frame has no result. */
template <Scope scope, typename S>
DEVICE uint64_t exchange(Tile<S> &tile, const CudaImage &image, const CcaFilter &filter,
                         const CudaMeasure &m, const CudaSingle &small, const Place &place,
                         const uint32_t corner, CudaSingleCounters &counters,
                         typename S::Part &part)
{
    if (!tile.is_filled)
        publish_nothing(small, place);
    else if (!tile.overflows)
        publish<scope>(tile, image, filter, m, small, place, corner, counters, part);
    __syncthreads();
    if (is_messenger())
        tile.grid = wait_for_grid(&counters.grid, arrival(tile));
    else
        make_nodes(tile, threadIdx.x, n_expected);
    if (threadIdx.x == 0)
        make_nodes(tile, blockDim.x - WARP, n_expected);
    __syncthreads();
    const uint32_t n = min(n_nodes, n_open_in(tile.grid));
    if (n > n_expected) {
        make_nodes(tile, n_expected + threadIdx.x, n);
        __syncthreads();
    }
    return tile.grid;
}

/* Clears the counters of the next frame. Called by all threads of one block. */
DEVICE void change_counters(const CudaSingle &small, const uint32_t parity)
{
    uint32_t *const other = (uint32_t *) (small.counters + (1 - parity));
    for (uint32_t i = threadIdx.x; i < sizeof(CudaSingleCounters) / 4; i += blockDim.x)
        other[i] = 0;
    if (threadIdx.x == 0)
        *small.parity = 1 - parity;
}

/* Drops the joined components that are rejected by the limits of boxes, and counts the others.
 * Called by all threads. */
template <typename S>
DEVICE void sift_joined(Tile<S> &tile, const CudaImage &image, const CcaFilter &filter,
                        const CudaSingle &small, const Place &place, CudaSingleCounters &counters,
                        const uint32_t n)
{
    __syncthreads();
    sift_own(tile, image, filter, small, place, n);
    __syncthreads();
    if (is_messenger())
        wait_for_grid(&counters.sifted, 0);
    __syncthreads();
    count_found(tile, image, small, place, n);
    __syncthreads();
}

/* Writes the records of the components that begin in the tile, and their features. */
template <Scope scope, typename S>
DEVICE void write(Tile<S> &tile, const CudaImage &image, const CudaCompact &compact,
                  const CudaMeasure &m, const Place &place, const typename S::Part &part)
{
    const uint32_t n_closed = tile.n_numbered & UINT16_MAX;
    if constexpr (scope == MEASURED) {
        const Measures &measures = shared_measures();
        RecordStage &stage = (RecordStage &) feature_stage(tile);
        write_isolated(tile, image, compact, stage, place, part,
                       [&](const uint32_t to, const uint32_t run, const ::Features &f) {
                           write_isolated_features(tile, image, m, place, part, to, run, f);
                       });
        write_slots(tile, image, compact, stage, place, n_closed,
                    [&](const uint32_t to, const uint32_t slot, const bool open,
                        const ::Features &f) {
                        write_slot_features(tile, measures, image, m, place, to, slot, open, f);
                    });
    } else {
        RecordStage &stage = tile.stages[threadIdx.x / WARP];
        write_isolated(tile, image, compact, stage, place, part,
                       [](uint32_t, uint32_t, const ::Features &) {});
        write_slots(tile, image, compact, stage, place, n_closed,
                    [](uint32_t, uint32_t, bool, const ::Features &) {});
    }
}

/* Joins the open components, and writes the records. Returns false if the contacts did not fit. */
template <Scope scope, typename S>
DEVICE bool finish_frame(Tile<S> &tile, const CudaImage &image, const CcaFilter &filter,
                         const CudaSingle &small, const CudaCompact &compact, const CudaMeasure &m,
                         const Place &place, const uint32_t corner, CudaSingleCounters &counters,
                         const typename S::Part &part, const uint32_t n, const bool has_more)
{
    const uint4 row = load_row_counts(small, place);
    const uint32_t above = load_closed(counters, place, threadIdx.x % WARP);
    const Held held = hold_nodes(small, n);
    const bool diagonals = scope == MEASURED && corner == corners_are_diagonals;
    const uint32_t n_diagonals = diagonals ? __ldcg(&counters.n_diagonals) : 0;
    if (n > 0 && !solve(tile, small, place, n, has_more, corner))
        return false;
    Candidates candidates = {};
    if (diagonals)
        candidates = load_candidates(small, n_diagonals);
    const bool filters = has_filters(image);
    if (has_more || filters) { /* first[] shares its memory with more[] */
        for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
            tile.first[i] = none;
            if (filters)
                tile.first_and_area[1][i] = 0;
        }
        __syncthreads();
    }
    count_closed(tile, small, counters, place, row, above);
    if (n > 0) {
        find_first(tile, image, small, held, n);
        __syncthreads();
        claim_roots(tile, image, place, n);
    }
    __syncthreads();
    gather_own(tile, small, held, n);
    if constexpr (scope == MEASURED) {
        gather_measures(tile, shared_measures(), small, m.flags, n);
        if (n > 0 && diagonals)
            count_joined_diagonals(tile, shared_measures(), small, candidates, has_more);
    }
    if (image.by_marks && n > 0)
        sift_joined(tile, image, filter, small, place, counters, n);
    if (threadIdx.x / WARP == blockDim.x / WARP - 1) {
        const uint32_t n_found = rank_rows(tile);
        if (place.tile == small.n_tiles - 1 && threadIdx.x % WARP == 0)
            tile.n_found = n_found;
    }
    __syncthreads();
    write<scope>(tile, image, compact, m, place, part);
    return true;
}

/* Ends the frame: the first thread of the last block, which sees the records of all others, reports
 * to the CPU. The counter of ended blocks also sums up the number of components. */
template <Thresholds thresholds, typename S>
DEVICE void end_frame(const Tile<S> &tile, const CudaCompact &compact, CudaSingleCounters &counters,
                      const Epoch &epoch, uint32_t threshold, const bool has_room)
{
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    /* The latency of this load overlaps with the atomic operation. */
    if (thresholds == GIVEN)
        threshold = load_relaxed(&compact.header->threshold);
    const uint64_t mine = (uint64_t) tile.n_found << ARRIVALS_BITS | 1;
    const uint64_t all = fetch_add(&counters.ended, mine) + mine;
    if ((all & ((1 << ARRIVALS_BITS) - 1)) < gridDim.x)
        return;
    report_whole_frame(compact, epoch.before, threshold, (uint32_t) (all >> ARRIVALS_BITS),
                       has_room);
}

template <typename S, typename Sample, Opening opening, Thresholds thresholds, Scope scope>
DEVICE void analyse(const CudaImage &given, const CudaSingle &small, const CudaCompact &compact,
                    const CcaFilter &filter, const CudaMeasure &m = {})
{
    Tile<S> &tile = shared_tile<S>();
    const Place place = make_place<S>(small);
    CudaImage image = given;
    image.by_marks = scope == LIMITS;
    if (scope == EDGES || scope == CORNERS) {
        image.corner = scope == CORNERS;
        image.min_area = 0;
        image.max_area = UINT64_MAX;
        image.working_row_words = 0;
    }
    Kept kept;
    uint32_t threshold = 0;
    if (thresholds == FOUND_BEFORE)
        threshold = *image.threshold;
    if constexpr (thresholds == TO_BE_FOUND)
        threshold = find_threshold(tile, image, small, place, kept);
    if (thresholds != GIVEN)
        image = with_threshold(image, threshold);

    const auto load = [&](const uint32_t column, const uint32_t x, const uint32_t y) {
        return thresholds == TO_BE_FOUND ? kept_word(image, kept, column, x) :
                                           load_word<Sample>(image, column, x, y);
    };
    uint32_t corner = image.corner;
    if (scope == MEASURED && !corner && m.flags & CCA_FEATURES_SHAPE)
        corner = corners_are_diagonals;
    typename S::Part part = {};
    const Epoch epoch = begin_tile<Sample, opening>(tile, image, small, compact, place, corner,
                                                    load, part);
    if constexpr (scope == MEASURED)
        begin_measures(tile, shared_measures());
    CudaSingleCounters &counters = small.counters[epoch.parity];
    const uint64_t grid = exchange<scope>(tile, image, filter, m, small, place, corner, counters,
                                          part);
    if (place.tile == 0)
        change_counters(small, epoch.parity);
    if (thresholds == TO_BE_FOUND && place.tile == small.n_tiles - 1)
        clear_counts(small);
    const uint32_t n = n_open_in(grid);
    if (place.tile == 0 && threadIdx.x == 0)
        begin_mailbox(compact, n, n_runs_in(grid));
    const bool has_more = grid >> more_shift & 255;
    const bool is_empty = (grid >> filled_shift & 255) == 0;
    const bool has_room = grid >> overflow_shift == 0 && n <= max_nodes(image) &&
                          (is_empty ||
                           finish_frame<scope>(tile, image, filter, small, compact, m, place,
                                               corner, counters, part, n, has_more));
    end_frame<thresholds>(tile, compact, counters, epoch, threshold, has_room);
}

} // namespace single

/* Grid: one block for each tile, in raster order, in a cooperative launch. */
#define SINGLE_KERNEL(name, begin, S, Sample, opening, thresholds, scope)                       \
    extern "C" __global__ void __launch_bounds__(single::S::max_threads, 1)                     \
        name(const CudaImage image, const CudaSingle tables, const CudaCompact compact)         \
    {                                                                                           \
        begin();                                                                                \
        single::analyse<single::S, Sample, single::opening, single::thresholds, single::scope>( \
            image, tables, compact, CcaFilter());                                               \
    }

SINGLE_KERNEL(cca_single_8, begin_first, Narrow, uint8_t, NEVER, GIVEN, AREAS)
SINGLE_KERNEL(cca_single_8_edges, begin_first, Narrow, uint8_t, NEVER, GIVEN, EDGES)
SINGLE_KERNEL(cca_single_8_corners, begin_first, Narrow, uint8_t, NEVER, GIVEN, CORNERS)
SINGLE_KERNEL(cca_single_16, begin_first, Narrow, uint16_t, NEVER, GIVEN, AREAS)
SINGLE_KERNEL(cca_single_otsu_8, begin_first, Narrow, uint8_t, NEVER, TO_BE_FOUND, AREAS)
SINGLE_KERNEL(cca_single_otsu_16, begin_dependent, Narrow, uint16_t, PERHAPS, FOUND_BEFORE, AREAS)
SINGLE_KERNEL(cca_single_mask, begin_dependent, Narrow, MaskBits, NEVER, GIVEN, AREAS)
SINGLE_KERNEL(cca_single_opened_8, begin_first, Narrow, uint8_t, PERHAPS, GIVEN, AREAS)
SINGLE_KERNEL(cca_single_opened_otsu_8, begin_first, Narrow, uint8_t, PERHAPS, TO_BE_FOUND, AREAS)
SINGLE_KERNEL(cca_single_opened_16, begin_first, Narrow, uint16_t, PERHAPS, GIVEN, AREAS)
SINGLE_KERNEL(cca_single_opened_mask, begin_dependent, Narrow, MaskBits, PERHAPS, GIVEN, AREAS)
SINGLE_KERNEL(cca_wide_8, begin_first, Wide, uint8_t, NEVER, GIVEN, AREAS)
SINGLE_KERNEL(cca_wide_8_edges, begin_first, Wide, uint8_t, NEVER, GIVEN, EDGES)
SINGLE_KERNEL(cca_wide_8_corners, begin_first, Wide, uint8_t, NEVER, GIVEN, CORNERS)
SINGLE_KERNEL(cca_wide_16, begin_first, Wide, uint16_t, NEVER, GIVEN, AREAS)
SINGLE_KERNEL(cca_wide_mask, begin_dependent, Wide, MaskBits, NEVER, GIVEN, AREAS)

#define LIMITS_KERNEL(name, S, Sample, opening)                                             \
    extern "C" __global__ void __launch_bounds__(single::S::max_threads, 1)                 \
        name(const CudaImage image, const CudaSingle tables, const CudaCompact compact,     \
             const CcaFilter filter)                                                        \
    {                                                                                       \
        begin_dependent();                                                                  \
        single::analyse<single::S, Sample, single::opening, single::GIVEN, single::LIMITS>( \
            image, tables, compact, filter);                                                \
    }

LIMITS_KERNEL(cca_single_8_limits, Narrow, uint8_t, NEVER)
LIMITS_KERNEL(cca_single_mask_limits, Narrow, MaskBits, PERHAPS)
LIMITS_KERNEL(cca_wide_8_limits, Wide, uint8_t, NEVER)
LIMITS_KERNEL(cca_wide_mask_limits, Wide, MaskBits, NEVER)

#define SINGLE_MEASURED_KERNEL(name, begin, Sample, opening)                                       \
    extern "C" __global__ void __launch_bounds__(single::Narrow::max_threads, 1)                   \
        name(const CudaImage image, const CudaSingle tables, const CudaCompact compact,            \
             const CcaFilter filter, const CudaMeasure measure)                                    \
    {                                                                                              \
        begin();                                                                                   \
        single::analyse<single::Narrow, Sample, single::opening, single::GIVEN, single::MEASURED>( \
            image, tables, compact, filter, measure);                                              \
    }

SINGLE_MEASURED_KERNEL(cca_single_8_measured, begin_first, uint8_t, NEVER)
SINGLE_MEASURED_KERNEL(cca_single_mask_measured, begin_dependent, MaskBits, PERHAPS)
