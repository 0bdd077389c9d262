/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Label images as pictures, a thread for each pixel. */

#include "../pixel.h"
#include "keys.h"

/* The same position as Place in paint.c. */
static __device__ __forceinline__ uint32_t place(const uint32_t i, const uint32_t from,
                                                 const uint32_t n)
{
    return from == n ? i : (uint32_t) ((2 * (uint64_t) i + 1) * from / (2 * (uint64_t) n));
}

extern "C" __global__ void cca_paint_pixels(const CcaPaintPicture picture, const CcaPaintMode mode,
                                            const CcaPaintLabels labels)
{
    const uint32_t x = blockIdx.x * CCA_PAINT_BLOCK_WIDTH + threadIdx.x;
    const uint32_t y = blockIdx.y * CCA_PAINT_BLOCK_HEIGHT + threadIdx.y;
    if (x >= picture.width || y >= picture.height)
        return;
    const uint32_t label = cca_paint_label(&labels, place(x, labels.width, picture.width),
                                           place(y, labels.height, picture.height));
    const uint32_t size = cca_paint_size(mode);
    cca_paint_store(picture.data + picture.stride * y + (uint64_t) x * size,
                    cca_paint_value(mode, &labels, label), size);
}

extern "C" __global__ void cca_paint_keys(uint32_t *const keys, const CcaPaintKeys some)
{
    for (uint32_t i = threadIdx.x; i < some.n; i += CCA_PAINT_KEY_THREADS)
        keys[some.first + i] = some.keys[i];
}
