/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_DRIVER_H
#define CCA_CUDA_DRIVER_H

#include <cuda.h>
#include <stdbool.h>

#include "../cca.h"

/* The required driver calls: field of the table, entry point, type. Entry points have the names
 * of the ABI, which the macros of cuda.h may hide. */
#define CCA_CUDA_CALLS(X)                                                                  \
    X(init, "cuInit", (unsigned int flags))                                                \
    X(driver_version, "cuDriverGetVersion", (int *version))                                \
    X(error_name, "cuGetErrorName", (CUresult error, const char **name))                   \
    X(ctx_push, "cuCtxPushCurrent_v2", (CUcontext context))                                \
    X(ctx_pop, "cuCtxPopCurrent_v2", (CUcontext * context))                                \
    X(ctx_device, "cuCtxGetDevice", (CUdevice * device))                                   \
    X(device_attribute, "cuDeviceGetAttribute",                                            \
      (int *value, CUdevice_attribute attribute, CUdevice device))                         \
    X(module_load, "cuModuleLoadData", (CUmodule * module, const void *image))             \
    X(module_unload, "cuModuleUnload", (CUmodule module))                                  \
    X(module_function, "cuModuleGetFunction",                                              \
      (CUfunction * function, CUmodule module, const char *name))                          \
    X(func_get_attribute, "cuFuncGetAttribute",                                            \
      (int *value, CUfunction_attribute attribute, CUfunction function))                   \
    X(func_set_attribute, "cuFuncSetAttribute",                                            \
      (CUfunction function, CUfunction_attribute attribute, int value))                    \
    X(mem_alloc, "cuMemAlloc_v2", (CUdeviceptr * p, size_t size))                          \
    X(mem_free, "cuMemFree_v2", (CUdeviceptr p))                                           \
    X(host_alloc, "cuMemHostAlloc", (void **p, size_t size, unsigned int flags))           \
    X(host_free, "cuMemFreeHost", (void *p))                                               \
    X(memcpy_htod_async, "cuMemcpyHtoDAsync_v2",                                           \
      (CUdeviceptr to, const void *from, size_t n, CUstream stream))                       \
    X(memcpy_2d_async, "cuMemcpy2DAsync_v2", (const CUDA_MEMCPY2D *copy, CUstream stream)) \
    X(memset_d8_async, "cuMemsetD8Async",                                                  \
      (CUdeviceptr p, unsigned char value, size_t n, CUstream stream))                     \
    X(event_create, "cuEventCreate", (CUevent * event, unsigned int flags))                \
    X(event_destroy, "cuEventDestroy_v2", (CUevent event))                                 \
    X(event_record, "cuEventRecord", (CUevent event, CUstream stream))                     \
    X(stream_create, "cuStreamCreate", (CUstream * stream, unsigned int flags))            \
    X(stream_destroy, "cuStreamDestroy_v2", (CUstream stream))                             \
    X(stream_synchronize, "cuStreamSynchronize", (CUstream stream))                        \
    X(stream_wait_event, "cuStreamWaitEvent",                                              \
      (CUstream stream, CUevent event, unsigned int flags))                                \
    X(event_synchronize, "cuEventSynchronize", (CUevent event))                            \
    X(launch, "cuLaunchKernelEx",                                                          \
      (const CUlaunchConfig *config, CUfunction function, void **params, void **extra))

/* The calls for CUDA graphs. They are optional, because they need CUDA 12.3 in this form. */
#define CCA_CUDA_GRAPH_CALLS(X)                                                        \
    X(stream_is_capturing, "cuStreamIsCapturing",                                      \
      (CUstream stream, CUstreamCaptureStatus * status))                               \
    X(graph_create, "cuGraphCreate", (CUgraph * graph, unsigned int flags))            \
    X(graph_destroy, "cuGraphDestroy", (CUgraph graph))                                \
    X(graph_add_kernel, "cuGraphAddKernelNode_v2",                                     \
      (CUgraphNode * node, CUgraph graph, const CUgraphNode *after, size_t n_after,    \
       const CUDA_KERNEL_NODE_PARAMS *params))                                         \
    X(graph_set_attribute, "cuGraphKernelNodeSetAttribute",                            \
      (CUgraphNode node, CUlaunchAttributeID id, const CUlaunchAttributeValue *value)) \
    X(graph_add_dependencies, "cuGraphAddDependencies_v2",                             \
      (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,                  \
       const CUgraphEdgeData *edges, size_t n))                                        \
    X(graph_instantiate, "cuGraphInstantiateWithFlags",                                \
      (CUgraphExec * exec, CUgraph graph, unsigned long long flags))                   \
    X(graph_exec_destroy, "cuGraphExecDestroy", (CUgraphExec exec))                    \
    X(graph_exec_set_kernel, "cuGraphExecKernelNodeSetParams_v2",                      \
      (CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params))     \
    X(graph_launch, "cuGraphLaunch", (CUgraphExec exec, CUstream stream))

typedef struct CcaCudaDriver {
#define CCA_CUDA_FIELD(field, name, type) CUresult(CUDAAPI *field) type;
    CCA_CUDA_CALLS(CCA_CUDA_FIELD)
    CCA_CUDA_GRAPH_CALLS(CCA_CUDA_FIELD)
#undef CCA_CUDA_FIELD
    bool has_graphs;
} CcaCudaDriver;

/* Returns the driver's entry points, loaded once per process. Returns NULL, with a static
 * sentence in *why, if there is no driver or it lacks a required call. */
const CcaCudaDriver *cca_cuda_driver(const char **why);

/* Whether all later calls in the context fail after this error. */
bool cca_cuda_is_sticky(CUresult result);

#endif /* CCA_CUDA_DRIVER_H */
