/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_PAINT_KEYS_H
#define CCA_PAINT_KEYS_H

#include <stdint.h>

#define CCA_PAINT_BLOCK_WIDTH 32
#define CCA_PAINT_BLOCK_HEIGHT 8
#define CCA_PAINT_KEY_THREADS 256

/* Keys are an argument of a launch, which the driver copies during the call, so no host memory has
 * to wait for the GPU. The arguments of a launch have at most 4096 bytes. */
#define CCA_PAINT_MAX_KEYS 1000

typedef struct CcaPaintKeys {
    uint32_t first, n;
    uint32_t keys[CCA_PAINT_MAX_KEYS];
} CcaPaintKeys;

#endif /* CCA_PAINT_KEYS_H */
