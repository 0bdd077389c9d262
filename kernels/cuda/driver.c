/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include "../cca-cuda.h"
#include "driver.h"

/* cuLaunchKernelEx, the newest entry point that is required, needs CUDA 11.8. */
#define MIN_DRIVER_VERSION 11080

static CcaCudaDriver driver;
static const CcaCudaDriver *loaded;
static char reason[256];

static void load(void)
{
    void *const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        snprintf(reason, sizeof(reason), "the CUDA driver (libcuda.so.1) is not installed");
        return;
    }
#define LOAD(field, name, type)                                                             \
    if ((*(void **) &driver.field = dlsym(library, name)) == NULL) {                        \
        snprintf(reason, sizeof(reason), "the CUDA driver is too old: it has no %s", name); \
        return;                                                                             \
    }
    CCA_CUDA_CALLS(LOAD)
#undef LOAD
    driver.has_graphs = true;
#define LOAD(field, name, type)                                    \
    if ((*(void **) &driver.field = dlsym(library, name)) == NULL) \
        driver.has_graphs = false;
    CCA_CUDA_GRAPH_CALLS(LOAD)
#undef LOAD

    int version = 0;
    CUresult result = driver.init(0);
    if (result == CUDA_SUCCESS)
        result = driver.driver_version(&version);
    if (result != CUDA_SUCCESS) {
        const char *name = NULL;
        driver.error_name(result, &name);
        snprintf(reason, sizeof(reason), "the CUDA driver does not start (%s)",
                 name ? name : "unknown error");
        return;
    }
    if (version < MIN_DRIVER_VERSION) {
        snprintf(reason, sizeof(reason),
                 "the CUDA driver is too old: it is for CUDA %d.%d, at least %d.%d is needed",
                 version / 1000, version % 1000 / 10, MIN_DRIVER_VERSION / 1000,
                 MIN_DRIVER_VERSION % 1000 / 10);
        return;
    }
    loaded = &driver;
}

const CcaCudaDriver *cca_cuda_driver(const char **const why)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    if (loaded == NULL && why != NULL)
        *why = reason;
    return loaded;
}

CcaStatus cca_cuda_load(const char **const why)
{
    return cca_cuda_driver(why) ? CCA_OK : CCA_ERROR_NO_DRIVER;
}

bool cca_cuda_is_sticky(const CUresult result)
{
    switch (result) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_DEINITIALIZED: return true;
    default: return false;
    }
}
