/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "npp-library.h"

#include <dlfcn.h>

static void *load(void)
{
    static const char *const names[] = {
        "libnppif.so.13",
        "libnppif.so.12",
        "/usr/local/cuda/lib64/libnppif.so.13",
        "/usr/local/cuda/lib64/libnppif.so.12",
    };
    void *library = NULL;
    for (size_t i = 0; library == NULL && i < sizeof(names) / sizeof(*names); i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

static bool describe(NppContext *const c, const Gpu *const gpu)
{
    const CUdevice device = c->device;
    int shared = 0;
    const struct {
        CUdevice_attribute attribute;
        int *value;
    } values[] = {
        { CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &c->multiprocessors },
        { CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, &c->threads_of_multiprocessor },
        { CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &c->threads_of_block },
        { CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, &shared },
        { CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &c->capability_major },
        { CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &c->capability_minor },
    };
    for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
        if (gpu->cu->device_attribute(values[i].value, values[i].attribute, device) != CUDA_SUCCESS)
            return false;
    c->shared_of_block = (size_t) shared;
    return true;
}

bool npp_open(Npp *const npp, const Gpu *const gpu, const CUstream stream, const char **const why)
{
    void *const library = load();
    *npp = (Npp) { .context = { .stream = stream, .stream_flags = CU_STREAM_NON_BLOCKING } };
    *why = "NPP is not installed";
    if (library == NULL)
        return false;
#define NPP_LOAD(field, symbol, result, type)                        \
    if ((*(void **) &npp->field = dlsym(library, symbol)) == NULL) { \
        *why = "NPP has no " symbol;                                 \
        return false;                                                \
    }
    NPP_CALLS(NPP_LOAD)
#undef NPP_LOAD
    *why = "the GPU does not say what it is";
    return gpu->cu->ctx_device(&npp->context.device) == CUDA_SUCCESS &&
           describe(&npp->context, gpu);
}
