/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Otsu's threshold of bytes, found on the way: the blocks count their tiles, wait for each
 * other, and then all choose. */

#ifndef CCA_CUDA_SMALL_OTSU_CUH
#define CCA_CUDA_SMALL_OTSU_CUH

#include "barrier.cuh"
#include "tile.cuh"

namespace small {

/* By a block of CCA_SMALL_MAX_THREADS. The tile's tables are then free again. */
DEVICE uint32_t find_threshold(Tile &tile, const CudaImage &image, const Place &place,
                               CudaSmallCounters &counters)
{
    const uint32_t row = threadIdx.x / row_words, y = place.y0 + row;
    const uint32_t x = place.x0 + threadIdx.x % row_words * WARP;
    const bool has = row < place.rows && y < image.height;
    Samples16<uint8_t> samples[2] = {};
    uint32_t n[2];
#pragma unroll
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t at = x + i * CCA_PASS_PIXELS;
        n[i] = has && at < image.width ? min(image.width - at, (uint32_t) CCA_PASS_PIXELS) : 0;
        if (n[i] > 0)
            samples[i] = load_unit<uint8_t>(image, { at, y, n[i] });
    }
    tile.counts.clear();
    __syncthreads();
#pragma unroll
    for (uint32_t i = 0; i < 2; i++)
        tile.counts.count(samples[i], n[i]);
    __syncthreads();
    tile.counts.add_to(counters.histogram);
    __syncthreads();
    if (threadIdx.x == 0)
        wait_for_grid(&counters.counted, 0);
    __syncthreads();
    return threshold_of(best_of_part(tile.choice, image, counters.histogram, 256, 0, 1));
}

} // namespace small

#endif /* CCA_CUDA_SMALL_OTSU_CUH */
