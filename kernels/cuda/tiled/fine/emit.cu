/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Writes the records of a frame in raster order from the bitmap of first pixels. The ranks are
 * consecutive, so neighbour lanes write contiguous memory. */

#include "../../compact/mailbox.cuh"
#include "raster.cuh"

/* Words of the bitmap that a warp processes together, one in each lane. */
#define PORTION WARP
static_assert(PORTION % CCA_PATCH_WORDS == 0, "it begins where ranks are known");
#define PORTION_WARPS (CCA_LIST_THREADS / WARP)

/* A warp's portion. */
struct Portion {
    RasterWord words[PORTION];
    uint16_t bits[PORTION * WARP / 2]; /* of the components; these are not adjacent */
    RecordStage stage;
};

/* The rank of the first component of a portion. */
DEVICE uint32_t portion_rank(const CudaCompact &compact, const uint32_t portion)
{
    const uint32_t word = portion * PORTION;
    return compact
        .prefix[patch_row_index(compact, word % compact.row_words * 32, word / compact.row_words)];
}

/* The lane's word of a portion. In the fine mode all words of the bitmap are valid. */
DEVICE uint32_t load_word(const CudaCompact &compact, const uint32_t portion,
                          const uint32_t n_words)
{
    const uint32_t word = portion * PORTION + threadIdx.x % WARP;
    return word < n_words ? compact.first[word] : 0;
}

/* Lists the components that begin in a portion, and returns their number. `first` is the lane's
 * word. */
DEVICE uint32_t load_portion(Portion &p, const CudaTiled &t, const CudaFine &fine,
                             const CudaCompact &compact, const uint32_t word, const uint32_t first)
{
    const uint32_t lane = threadIdx.x % WARP, n = __popc(first);
    if (n > 0)
        p.words[lane] = raster_word(t, fine, compact, word);
    const uint32_t inclusive = warp_sum_up_to(n);
    uint16_t *to = p.bits + inclusive - n;
#pragma unroll 1
    for (uint32_t rest = first; rest != 0; rest &= rest - 1)
        *to++ = (uint16_t) (lane * 32 + __ffs(rest) - 1);
    const uint32_t n_all = __shfl_sync(ALL_LANES, inclusive, WARP - 1);
    __syncwarp();
    return n_all;
}

/* Writes the records of `n` components, the first of which has rank `rank`. */
DEVICE void write_portion(Portion &p, const CudaImage &image, const CudaTiled &t,
                          const CudaFine &fine, const CudaCompact &compact, const uint32_t n,
                          const uint32_t rank)
{
    const uint32_t lane = threadIdx.x % WARP;
#pragma unroll 1
    for (uint32_t k = lane; k - lane < n; k += WARP) {
        const bool has = k < n && rank + k < compact.max_components;
        Features f = {};
        if (has)
            f = features_at(t, fine, p.words[p.bits[k] / 32], p.bits[k] % 32);
        emit_records<true>(image, compact, p.stage, has, rank + k, f);
    }
    __syncwarp();
}

/* Grid: any number of blocks. More than 6 blocks per multiprocessor are slower. */
extern "C" __global__ void __launch_bounds__(CCA_LIST_THREADS, 6)
    cca_fine_emit(const CudaImage image, const CudaTiled t, const CudaCompact compact,
                  const CudaFine fine)
{
    __shared__ Portion portions[PORTION_WARPS];
    begin_dependent();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        begin_mailbox(compact, t.totals->n_open);
        compact.mailbox->n_fine = t.totals->n_fine;
        compact.mailbox->n_blocks = t.totals->n_blocks;
    }
    Portion &portion = portions[threadIdx.x / WARP];
    const uint32_t lane = threadIdx.x % WARP, n_found = compact.header->n_found;
    const uint32_t n_words = image.height * compact.row_words;
    const int32_t n_portions = (n_words - 1) / PORTION + 1;
    const int32_t stride = gridDim.x * PORTION_WARPS;
    /* Starts with the last portion, because the tables of the last tiles are still in the L2. */
#pragma unroll 1
    for (int32_t i = n_portions - 1 - blockIdx.x * PORTION_WARPS - threadIdx.x / WARP; i >= 0;
         i -= stride * WARP) {
        /* Each lane checks whether one of the 32 next portions has components. */
        const int32_t mine = i - lane * stride;
        uint32_t rank = 0;
        bool any = mine >= 0;
        if (any) {
            rank = portion_rank(compact, mine);
            any = rank < compact.max_components &&
                  rank != (mine + 1 < n_portions ? portion_rank(compact, mine + 1) : n_found);
        }
        uint32_t left = __ballot_sync(ALL_LANES, any);
        uint32_t next = left ? load_word(compact, i - (__ffs(left) - 1) * stride, n_words) : 0;
#pragma unroll 1
        while (left) {
            const uint32_t from = __ffs(left) - 1, first = next;
            left &= left - 1;
            if (left) /* overlaps with this portion */
                next = load_word(compact, i - (__ffs(left) - 1) * stride, n_words);
            const uint32_t n = load_portion(portion, t, fine, compact,
                                            (i - from * stride) * PORTION + lane, first);
            write_portion(portion, image, t, fine, compact, n, __shfl_sync(ALL_LANES, rank, from));
        }
    }
    end_frame(compact);
}
