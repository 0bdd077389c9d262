/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_GPU_TIMING_H
#define CCA_GPU_TIMING_H

/* What the programs that time the CUDA engine by GPU events have in common. */

#include "cuda/engine.h"
#include "gpu.h"

/* Says what failed and ends the program, unless `result` is a success. */
void timing_check(CUresult result, const char *what);
void timing_check_engine(const CcaEngine *engine, CcaStatus status);

/* The driver, without events: what is left is launches. */
CcaCudaDriver timing_driver(const Gpu *gpu);

/* Makes the engine's calls go through `driver`, and its launches become a graph or not. */
void timing_prepare(CcaEngine *engine, const CcaCudaDriver *driver, bool graphs);
/* Once it is configured for one slot: its records stay on the GPU. To be freed after it. */
CUdeviceptr timing_keep_records(CcaEngine *engine);

/* Fills an image of 8-bit pixels with blocks of `g` x `g` pixels, 255 with a probability
 * of `density` %, else 0. `blocks` is scratch as large as the image. */
void timing_draw(uint8_t *pixels, uint8_t *blocks, uint32_t width, uint32_t height, uint32_t g,
                 uint32_t density);

#endif /* CCA_GPU_TIMING_H */
