/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Access to the tables of the background. */

#ifndef CCA_CUDA_FOREGROUND_BACKGROUND_CUH
#define CCA_CUDA_FOREGROUND_BACKGROUND_CUH

#include "pass.cuh"

/* The lane's pixels in a table of the background. Rows are padded to whole units. */
template <typename Sample>
DEVICE Pixels16<Sample> *background_at(const CudaForeground &f, uint8_t *const table, const Unit &u)
{
    return (Pixels16<Sample> *) (table + (u.y * f.pitch + u.x) * sizeof(Sample));
}

template <typename Sample>
DEVICE Samples16<Sample> load_background(const CudaForeground &f, uint8_t *const table,
                                         const Unit &u)
{
    return samples_of<Sample>(*background_at<Sample>(f, table, u));
}

template <typename Sample>
DEVICE void store_background(const CudaForeground &f, uint8_t *const table, const Unit &u,
                             const Samples16<Sample> &words)
{
    *background_at<Sample>(f, table, u) = pixels_of<Sample>(words);
}

/* The point of the tone curve for a value, one of 256. */
template <typename Sample> DEVICE uint32_t tone_of(const CudaForeground &f, const uint32_t value)
{
    return sizeof(Sample) == 1 ? value : value << f.drop >> 8;
}

#endif /* CCA_CUDA_FOREGROUND_BACKGROUND_CUH */
