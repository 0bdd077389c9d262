/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_TILES_H
#define CCA_CUDA_TILES_H

/* The number of tiles of a frame, and bounds on their components. */

#include "../../engine.h"
#include "../image.h"
#include "../launch.h"
#include "../tables/tiled.h"

/* Up to this number of tiles per multiprocessor, blocks have more warps. */
#define CCA_SOON_TILES_PER_SM 4

/* Number of tiles in one direction. */
static inline uint32_t cca_tiles(const uint32_t size, const uint32_t tile_size)
{
    return (size - 1) / tile_size + 1;
}

static inline uint64_t cca_tiles_count(const uint32_t width, const uint32_t height)
{
    return (uint64_t) cca_tiles(width, CCA_TILE_WIDTH) * cca_tiles(height, CCA_TILE_HEIGHT);
}

/* Whether a frame has so few tiles that the latency of each tile matters. */
static inline bool cca_tiles_are_soon(const CudaGpu *const gpu, const CudaImage *const image)
{
    return cca_tiles_count(image->width, image->height) <=
           gpu->n_multiprocessors * CCA_SOON_TILES_PER_SM;
}

/* Number of rows or columns that closed components can touch: those not beside an edge between
 * tiles. A frame that is smaller by one may have one edge less. */
static inline uint64_t cca_tiles_inner(const uint32_t size, const uint32_t tile_size)
{
    return (uint64_t) size - 2 * (cca_tiles(size, tile_size) - 1) + (size % tile_size == 1);
}

/* Bounds on the closed components of frames up to a size. In a row of a tile a run of n pixels has
 * space for n + 1: a background pixel or the edge of the tile follows it. A component has at least
 * one run, and one with several rows has one in each. Isolated runs that a tile may not detect are
 * at one of its three inner borders of words, or at the edges of the frame. */
typedef struct CudaMaxClosed {
    uint64_t space;      /* sum over the rows of all tiles */
    uint64_t undetected; /* maximum number of isolated runs that are not detected */
} CudaMaxClosed;

static inline CudaMaxClosed cca_tiles_max_closed(const CcaConfig *const config)
{
    const uint64_t across = cca_tiles(config->width, CCA_TILE_WIDTH);
    const uint64_t width = cca_tiles_inner(config->width, CCA_TILE_WIDTH);
    const uint64_t height = cca_tiles_inner(config->height, CCA_TILE_HEIGHT);
    return (CudaMaxClosed) {
        .space = (width + across) * height,
        .undetected = 3 * across * height + config->width + config->height + 4,
    };
}

#endif /* CCA_CUDA_TILES_H */
