/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <dlfcn.h>
#include <stddef.h>

#include "gpu.h"

static bool load(Gpu *const gpu, const char **const why)
{
    if ((gpu->cu = cca_cuda_driver(why)) == NULL)
        return false;
    void *const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
#define LOAD(field, symbol, type)                                                       \
    if (library == NULL || (*(void **) &gpu->field = dlsym(library, symbol)) == NULL) { \
        *why = "the CUDA driver has no " symbol;                                        \
        return false;                                                                   \
    }
    GPU_CALLS(LOAD)
#undef LOAD
    CUdevice device;
    if (gpu->device_get(&device, 0) != CUDA_SUCCESS ||
        gpu->device_name(gpu->name, sizeof(gpu->name), device) != CUDA_SUCCESS ||
        gpu->primary_retain(&gpu->context, device) != CUDA_SUCCESS) {
        *why = "there is no usable GPU";
        return false;
    }
    return true;
}

const Gpu *gpu_open(const char **const why)
{
    static Gpu gpu;
    static const char *reason;
    static bool tried, usable;
    if (!tried) { /* the first call is made before there are other threads */
        usable = load(&gpu, &reason);
        tried = true;
    }
    *why = reason;
    return usable ? &gpu : NULL;
}

bool gpu_enter(const Gpu *const gpu)
{
    return gpu->cu->ctx_push(gpu->context) == CUDA_SUCCESS;
}

void gpu_leave(const Gpu *const gpu)
{
    CUcontext context;
    gpu->cu->ctx_pop(&context);
}
