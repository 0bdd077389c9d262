/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Launches, and the end that both algorithms share. */

#include "cuda-engine.h"

/* Blocks of the selection: it reads little, and mostly does not run. */
#define SELECT_BLOCKS 64
#define SELECT_THREADS 256

void cca_cuda_launch(CudaLaunches *const launches, const CudaKernel kernel,
                     const uint32_t blocks, const uint32_t threads_x, const uint32_t threads_y,
                     void **const params)
{
    if (launches->result != CUDA_SUCCESS)
        return;
    CUlaunchAttribute overlap = {
        .id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
        .value.programmaticStreamSerializationAllowed = 1,
    };
    const CUlaunchConfig config = {
        .gridDimX = blocks, .gridDimY = 1, .gridDimZ = 1,
        .blockDimX = threads_x, .blockDimY = threads_y, .blockDimZ = 1,
        .hStream = launches->stream,
        .attrs = &overlap,
        .numAttrs = launches->overlaps && launches->e->overlaps,
    };
    launches->result =
        launches->e->cu->launch(&config, launches->e->kernels[kernel], params, NULL);
    launches->overlaps = true;
}

void cca_cuda_rank(CudaLaunches *const launches, CudaEmit *const emit)
{
    void *params[] = { emit };
    cca_cuda_launch(launches, CUDA_RANK_SCAN, emit->n_chunks, CCA_CHUNK_SEGMENTS, 1, params);
}

void cca_cuda_select(CudaLaunches *const launches, CudaEmit *const emit)
{
    if (launches->result == CUDA_SUCCESS)
        launches->result = launches->e->cu->memset_d8_async(
            (CUdeviceptr) emit->bins, 0,
            CCA_SELECT_DIGITS * CCA_SELECT_BINS * sizeof(*emit->bins), launches->stream);
    launches->overlaps = false;
    for (uint32_t pass = 0; pass <= CCA_SELECT_DIGITS; pass++) {
        void *params[] = { emit, &pass };
        cca_cuda_launch(launches, CUDA_SELECT_COUNT, pass < CCA_SELECT_DIGITS ? SELECT_BLOCKS : 1,
                        SELECT_THREADS, 1, params);
    }
}
