/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CHECKCCA_GPU_H
#define CHECKCCA_GPU_H

#include <cuda.h>

#include "cuda/driver.h"

/* The driver's calls that only tests make. */
#define GPU_CALLS(X)                                                                          \
    X(device_get, "cuDeviceGet", (CUdevice * device, int ordinal))                            \
    X(device_name, "cuDeviceGetName", (char *name, int size, CUdevice device))                \
    X(primary_retain, "cuDevicePrimaryCtxRetain", (CUcontext * context, CUdevice device))     \
    X(copy_to_host_async, "cuMemcpyDtoHAsync_v2",                                             \
      (void *to, CUdeviceptr from, size_t size, CUstream stream))                             \
    X(copy_to_device_async, "cuMemcpyHtoDAsync_v2",                                           \
      (CUdeviceptr to, const void *from, size_t size, CUstream stream))                       \
    X(copy_on_device_async, "cuMemcpyDtoDAsync_v2",                                           \
      (CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream))                       \
    X(stream_create, "cuStreamCreate", (CUstream * stream, unsigned int flags))               \
    X(stream_synchronize, "cuStreamSynchronize", (CUstream stream))                           \
    X(stream_destroy, "cuStreamDestroy_v2", (CUstream stream))                                \
    X(launch_host_func, "cuLaunchHostFunc", (CUstream stream, CUhostFn function, void *data)) \
    X(event_elapsed, "cuEventElapsedTime", (float *milliseconds, CUevent from, CUevent to))   \
    X(mem_info, "cuMemGetInfo_v2", (size_t *available, size_t *total))

typedef struct Gpu {
    const CcaCudaDriver *cu;
    CUcontext context; /* primary context of device 0 */
    char name[128];
#define GPU_FIELD(field, symbol, type) CUresult(CUDAAPI *field) type;
    GPU_CALLS(GPU_FIELD)
#undef GPU_FIELD
} Gpu;

/* The first GPU, opened once for the process; NULL, and a sentence in *why, if
 * there is none. */
const Gpu *gpu_open(const char **why);

/* Makes it current for the calling thread until it leaves; false if that fails. */
bool gpu_enter(const Gpu *gpu);
void gpu_leave(const Gpu *gpu);

#endif /* CHECKCCA_GPU_H */
