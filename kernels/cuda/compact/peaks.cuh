/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Pixels that reach CcaLimits.min_peak, and the bits of components that have one. */

#ifndef CCA_CUDA_COMPACT_PEAKS_CUH
#define CCA_CUDA_COMPACT_PEAKS_CUH

#include "records.cuh"

/* (x, y) is in the region. */
DEVICE bool is_peak(const CudaPeaks &peaks, const uint32_t x, const uint32_t y)
{
    const uint8_t *const row = peaks.data + y * peaks.stride;
    const uint32_t sample = peaks.sample_size == 1 ?
                                row[x] :
                                ((const uint16_t *) row)[x] << peaks.lift & UINT16_MAX;
    return sample - peaks.low <= peaks.range;
}

/* For the component whose first pixel is (x, y). */
DEVICE void mark_peak(const CudaCompact &compact, const uint32_t x, const uint32_t y)
{
    uint32_t *const word = peak_word(compact, x, y);
    if (!(load_relaxed(word) >> x % 32 & 1))
        atomicOr(word, 1u << x % 32);
}

#endif /* CCA_CUDA_COMPACT_PEAKS_CUH */
