/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <string.h>

#include "engine.h"

static void add(CudaLaunches *const launches, const CudaLaunch launch,
                const CudaArg *const args)
{
    CudaLaunch *const l = &launches->list[launches->n++];
    *l = launch;
    for (uint32_t i = 0; i < l->n_args; i++) {
        l->args[i] = launches->n_bytes;
        l->arg_sizes[i] = (uint32_t) args[i].size;
        memcpy((uint8_t *) launches->bytes + launches->n_bytes, args[i].p, args[i].size);
        launches->n_bytes += ((uint32_t) args[i].size + 7) & ~7u;
    }
}

void cca_cuda_launch(CudaLaunches *const launches, const CudaKernel kernel,
                     const uint32_t blocks, const uint32_t threads_x, const uint32_t threads_y,
                     const uint32_t n_args, const CudaArg *const args)
{
    const CudaLaunch launch = {
        .kernel = kernel, .blocks = blocks, .threads_x = threads_x, .threads_y = threads_y,
        .n_args = n_args,
    };
    add(launches, launch, args);
}

void cca_cuda_launch_together(CudaLaunches *const launches, const CudaKernel kernel,
                              const uint32_t blocks, const uint32_t threads,
                              const uint32_t shared, const uint32_t n_args,
                              const CudaArg *const args)
{
    const CudaLaunch launch = {
        .kernel = kernel, .blocks = blocks, .threads_x = threads, .threads_y = 1,
        .shared = shared, .together = 1, .n_args = n_args,
    };
    add(launches, launch, args);
}
