/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Writes components as records in raster order, see CudaCompact. */

#ifndef CCA_CUDA_COMPACT_RECORDS_CUH
#define CCA_CUDA_COMPACT_RECORDS_CUH

#include "../../filter.h"
#include "../common.cuh"
#include "../tables/compact.h"

/* A component's features, in pixels of the region. */
struct Features {
    uint32_t min_x, min_y, max_x, max_y; /* inclusive */
    uint32_t area;
    uint64_t sum_x, sum_y;
};

/* Index of the patch row that contains (x, y). */
DEVICE uint32_t patch_row_index(const CudaCompact &compact, const uint32_t x, const uint32_t y)
{
    const uint32_t patch = y / CCA_PATCH_HEIGHT * compact.patches_x + x / CCA_PATCH_WIDTH;
    return patch * CCA_PATCH_HEIGHT + y % CCA_PATCH_HEIGHT;
}

DEVICE uint32_t *first_word(const CudaCompact &compact, const uint32_t x, const uint32_t y)
{
    return compact.first + (size_t) y * compact.row_words + x / 32;
}

/* Adds to a byte by an atomic operation on its word. No carry reaches the next byte, because a
 * count stays between 0 and 255. */
DEVICE void add_to_count(const CudaCompact &compact, const uint32_t place, const uint32_t n)
{
    atomicAdd((uint32_t *) compact.counts + place / 4, n << place % 4 * 8);
}

DEVICE void mark_first(const CudaCompact &compact, const uint32_t x, const uint32_t y)
{
    atomicOr(first_word(compact, x, y), 1u << x % 32);
    add_to_count(compact, patch_row_index(compact, x, y), 1);
}

DEVICE void unmark_first(const CudaCompact &compact, const uint32_t x, const uint32_t y)
{
    atomicAnd(first_word(compact, x, y), ~(1u << x % 32));
    add_to_count(compact, patch_row_index(compact, x, y), 0 - 1u);
}

/* Whether a component whose area passes, and whose first pixel is (x, y), is found. */
DEVICE bool is_left(const CudaImage &image, const CudaCompact &compact, const uint32_t x,
                    const uint32_t y)
{
    return !image.by_marks || *first_word(compact, x, y) >> x % 32 & 1;
}

/* Rank of the component whose first pixel is (x, y), from 0. */
DEVICE uint32_t rank_of(const CudaCompact &compact, const uint32_t x, const uint32_t y)
{
    static_assert(CCA_PATCH_WORDS == 4, "a vector");
    const uint4 v = *(const uint4 *) first_word(compact, x / CCA_PATCH_WIDTH * CCA_PATCH_WIDTH, y);
    const uint32_t words[CCA_PATCH_WORDS] = { v.x, v.y, v.z, v.w };
    const uint32_t column = x / 32 % CCA_PATCH_WORDS;
    uint32_t rank = compact.prefix[patch_row_index(compact, x, y)];
#pragma unroll
    for (uint32_t i = 0; i < CCA_PATCH_WORDS; i++) {
        const uint32_t before = i < column ? ALL_LANES : i == column ? (1u << x % 32) - 1 : 0;
        rank += __popc(words[i] & before);
    }
    return rank;
}

/* Larger areas have larger keys. Among equal areas smaller ranks have larger keys, so that no
 * two keys are equal. */
DEVICE uint64_t select_key(const uint32_t area, const uint32_t rank)
{
    return (uint64_t) area << 31 | (INT32_MAX - rank);
}

/* Clears the histograms of the selection. Called by all blocks. */
DEVICE void clear_bins(const CudaCompact &compact)
{
    const uint32_t n_threads = blockDim.x * blockDim.y;
    for (uint32_t i = blockIdx.x * n_threads + threadIdx.y * blockDim.x + threadIdx.x;
         i < CCA_SELECT_DIGITS * CCA_SELECT_BINS; i += gridDim.x * n_threads)
        compact.bins[i] = 0;
}

/* Index of the record of the component with this rank; UINT32_MAX if it is not kept. */
DEVICE uint32_t record_place(const CudaCompact &compact, const uint32_t rank, const uint32_t area)
{
    uint32_t place = rank;
    if (compact.by_area) {
        if (select_key(area, rank) < compact.states[CCA_SELECT_DIGITS].prefix)
            return UINT32_MAX;
        place = atomicAdd(&compact.header->n_emitted, 1);
    }
    return place < compact.max_components ? place : UINT32_MAX;
}

/* Shared memory in which a warp gathers its records. */
template <typename Record> struct Stage {
    static_assert(sizeof(Record) % sizeof(uint2) == 0, "whole parts");
    static constexpr uint32_t n_parts = sizeof(Record) / sizeof(uint2); /* of a record */
    uint2 parts[WARP * n_parts];
};
typedef Stage<CcaComponent> RecordStage;

DEVICE CcaComponent make_record(const CudaImage &image, const uint32_t rank, const Features &f)
{
    CcaComponent c;
    c.id = rank + 1;
    c.x = image.x + f.min_x;
    c.y = image.y + f.min_y;
    c.width = f.max_x - f.min_x + 1;
    c.height = f.max_y - f.min_y + 1;
    c.area = f.area;
    c.sum_x = f.sum_x + (uint64_t) image.x * f.area;
    c.sum_y = f.sum_y + (uint64_t) image.y * f.area;
    return c;
}

/* Word with the bit of the component whose first pixel is (x, y): it has a peak. */
DEVICE uint32_t *peak_word(const CudaCompact &compact, const uint32_t x, const uint32_t y)
{
    return compact.peaks + (size_t) y * compact.row_words + x / 32;
}

/* Whether a component whose area passes is found. Requires a frame without min_peak. */
DEVICE bool passes(const CudaImage &image, const CcaFilter &filter, const Features &f)
{
    const CcaComponent c = make_record(image, 0, f);
    return cca_filter_passes(&filter, &c, false);
}

/* The same with or without min_peak. (x, f.min_y) is the first pixel. */
DEVICE bool passes(const CudaImage &image, const CudaCompact &compact, const CcaFilter &filter,
                   const uint32_t x, const Features &f)
{
    const CcaComponent c = make_record(image, 0, f);
    const bool has_peak = filter.limits.min_peak > 0 &&
                          (*peak_word(compact, x, f.min_y) >> x % 32 & 1);
    return cca_filter_passes(&filter, &c, has_peak);
}

template <typename Record> DEVICE void stage_record(Stage<Record> &stage, const Record &r)
{
    constexpr uint32_t n = Stage<Record>::n_parts;
#pragma unroll
    for (uint32_t p = 0; p < n; p++)
        stage.parts[threadIdx.x % WARP * n + p] = ((const uint2 *) &r)[p];
}

/* Writes the records of the lanes whose place is not UINT32_MAX. Called by a whole warp. Records
 * of neighbour lanes mostly are neighbours in memory, so consecutive lanes write consecutive
 * parts. The stores are evict-first, because the GPU does not read the records again. */
template <typename Record>
DEVICE void write_staged(Record *const records, Stage<Record> &stage, const uint32_t place)
{
    constexpr uint32_t n = Stage<Record>::n_parts;
    __syncwarp();
#pragma unroll
    for (uint32_t i = threadIdx.x % WARP; i < WARP * n; i += WARP) {
        const uint32_t to = __shfl_sync(ALL_LANES, place, i / n);
        if (to != UINT32_MAX)
            __stcs((uint2 *) (records + to) + i % n, stage.parts[i]);
    }
    __syncwarp();
}

DEVICE void write_staged(const CudaCompact &compact, RecordStage &stage, const uint32_t place)
{
    write_staged(compact.mailbox->records, stage, place);
}

/* Writes one record for each lane with `has`. Called by a whole warp. `at` is the rank of the
 * component if `ranked`, else the column of its first pixel, whose row is f.min_y. Returns the
 * index of the lane's record, UINT32_MAX if there is none. */
template <bool ranked = false>
DEVICE uint32_t emit_records(const CudaImage &image, const CudaCompact &compact, RecordStage &stage,
                             const bool has, const uint32_t at, const Features &f)
{
    uint32_t place = UINT32_MAX;
    if (has) {
        const uint32_t rank = ranked ? at : rank_of(compact, at, f.min_y);
        place = record_place(compact, rank, f.area);
        stage_record(stage, make_record(image, rank, f));
    }
    write_staged(compact, stage, place);
    return place;
}

#endif /* CCA_CUDA_COMPACT_RECORDS_CUH */
