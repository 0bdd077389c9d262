/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "engine.h"

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
