/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "front-driver.h"

#include <cuda.h>
#include <string.h>

static struct
{
  CUresult (*push) (CUcontext context);
  CUresult (*load) (CUmodule *module, const void *image);
  CUresult (
      *function) (CUfunction *function, CUmodule module, const char *name);
  CUresult (*unload) (CUmodule module);
  CUresult (*alloc) (CUdeviceptr *p, size_t size);
  CUresult (*synchronize) (CUevent event);
  CUresult (
      *attribute) (int *value, CUdevice_attribute attribute, CUdevice device);
  CUresult (*launch) (const CUlaunchConfig *config, CUfunction function,
      void **params, void **extra);
  CUresult (
      *clear) (CUdeviceptr p, unsigned char value, size_t n, CUstream stream);
  CUresult (
      *copy) (CUdeviceptr to, const void *from, size_t n, CUstream stream);
  CUresult (*record) (CUevent event, CUstream stream);
  CUresult (*wait) (CUstream stream, CUevent event, unsigned int flags);
  CUresult (*stream_create) (CUstream *stream, unsigned int flags);
  CUresult (*stream_synchronize) (CUstream stream);
  CUresult (*copy_rows) (const CUDA_MEMCPY2D *copy, CUstream stream);
  CUresult (*graph_launch) (CUgraphExec exec, CUstream stream);
  CUresult (*graph_add) (CUgraphNode *node, CUgraph graph,
      const CUgraphNode *after, size_t n_after,
      const CUDA_KERNEL_NODE_PARAMS *params);
  CUresult (*graph_set) (CUgraphExec exec, CUgraphNode node,
      const CUDA_KERNEL_NODE_PARAMS *params);
  CUresult (*is_capturing) (CUstream stream, CUstreamCaptureStatus *status);
} real;

FrontDriver front_driver = {.major = 9, .cooperates = TRUE};

static const gchar *failing; /* call; NULL: none */
static guint countdown;      /* until it fails */

static gboolean
fails (const gchar *call)
{
  return g_strcmp0 (call, failing) == 0 && countdown > 0 && --countdown == 0;
}

static CUresult
error (CUresult usual)
{
  return front_driver.error != 0 ? (CUresult) front_driver.error : usual;
}

void
front_driver_fail (const gchar *call, guint nth)
{
  failing = call;
  countdown = nth;
}

gboolean
front_driver_failed (void)
{
  failing = NULL;
  return countdown == 0;
}

static CUresult
push (CUcontext context)
{
  return fails ("push") ? error (CUDA_ERROR_INVALID_CONTEXT)
                        : real.push (context);
}

static CUresult
load (CUmodule *module, const void *image)
{
  CUresult result = fails ("load")
      ? error (CUDA_ERROR_NO_BINARY_FOR_GPU)
      : real.load (module, image);

  front_driver.n_modules += result == CUDA_SUCCESS;
  return result;
}

static CUresult
unload (CUmodule module)
{
  CUresult result = real.unload (module);

  front_driver.n_modules -= result == CUDA_SUCCESS;
  return result;
}

static CUresult
find_function (CUfunction *function, CUmodule module, const char *name)
{
  return fails ("function") ? error (CUDA_ERROR_NOT_FOUND)
                            : real.function (function, module, name);
}

static CUresult
alloc (CUdeviceptr *p, size_t size)
{
  front_driver.n_allocs++;
  return fails ("alloc") ? error (CUDA_ERROR_OUT_OF_MEMORY)
                         : real.alloc (p, size);
}

static CUresult
synchronize (CUevent event)
{
  CUresult result = real.synchronize (event);

  front_driver.n_synchronizes++;
  return fails ("synchronize") ? error (CUDA_ERROR_NOT_PERMITTED) : result;
}

static CUresult
attribute (int *value, CUdevice_attribute which, CUdevice device)
{
  CUresult result = real.attribute (value, which, device);

  if (which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
    *value = front_driver.major;
  if (which == CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH)
    *value = front_driver.cooperates;
  if (which == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
      && front_driver.shared > 0)
    *value = front_driver.shared;
  return result;
}

static CUresult
launch (const CUlaunchConfig *config, CUfunction function, void **params,
    void **extra)
{
  gboolean together = config->numAttrs > 0
      && config->attrs[0].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE;

  front_driver.n_launches++;
  front_driver.n_together += together;
  front_driver.n_overlapping += config->numAttrs - together;
  if (together && front_driver.refuses_together)
    return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
  return fails ("launch") ? error (CUDA_ERROR_NOT_PERMITTED)
                          : real.launch (config, function, params, extra);
}

static CUresult
clear (CUdeviceptr p, unsigned char value, size_t n, CUstream stream)
{
  return fails ("clear") ? error (CUDA_ERROR_NOT_PERMITTED)
                         : real.clear (p, value, n, stream);
}

static CUresult
copy (CUdeviceptr to, const void *from, size_t n, CUstream stream)
{
  front_driver.n_copies++;
  return fails ("copy") ? error (CUDA_ERROR_NOT_PERMITTED)
                        : real.copy (to, from, n, stream);
}

/* The driver may do a copy late, but before all later work of its stream. */
static CUDA_MEMCPY2D delayed;

static CUresult
copy_delayed (CUstream stream)
{
  if (!front_driver.is_delayed)
    return CUDA_SUCCESS;
  front_driver.is_delayed = FALSE;
  return real.copy_rows (&delayed, stream);
}

static CUresult
record (CUevent event, CUstream stream)
{
  CUresult result = copy_delayed (stream);

  if (result != CUDA_SUCCESS)
    return result;
  front_driver.n_records++;
  return fails ("record") ? error (CUDA_ERROR_NOT_PERMITTED)
                          : real.record (event, stream);
}

static CUresult
wait_event (CUstream stream, CUevent event, unsigned int flags)
{
  front_driver.n_waits++;
  return fails ("wait") ? error (CUDA_ERROR_NOT_PERMITTED)
                        : real.wait (stream, event, flags);
}

static CUresult
stream_create (CUstream *stream, unsigned int flags)
{
  return fails ("stream") ? error (CUDA_ERROR_NOT_PERMITTED)
                          : real.stream_create (stream, flags);
}

static CUresult
stream_synchronize (CUstream stream)
{
  CUresult result = real.stream_synchronize (stream);

  return fails ("finish") ? error (CUDA_ERROR_NOT_PERMITTED) : result;
}

static CUresult
copy_rows (const CUDA_MEMCPY2D *copy, CUstream stream)
{
  if (front_driver.delays) {
    delayed = *copy;
    front_driver.is_delayed = TRUE;
    /* the simulated driver runs a kernel once there is work behind it */
    return real.clear (copy->dstDevice, 0, 1, stream);
  }
  return fails ("copy-rows") ? error (CUDA_ERROR_NOT_PERMITTED)
                             : real.copy_rows (copy, stream);
}

static CUresult
graph_launch (CUgraphExec exec, CUstream stream)
{
  front_driver.n_graph_launches++;
  return fails ("graph-launch") ? error (CUDA_ERROR_NOT_PERMITTED)
                                : real.graph_launch (exec, stream);
}

static CUresult
graph_add (CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
    size_t n_after, const CUDA_KERNEL_NODE_PARAMS *params)
{
  return fails ("graph-add")
      ? error (CUDA_ERROR_NOT_SUPPORTED)
      : real.graph_add (node, graph, after, n_after, params);
}

static CUresult
graph_set (CUgraphExec exec, CUgraphNode node,
    const CUDA_KERNEL_NODE_PARAMS *params)
{
  front_driver.n_graph_updates++;
  return fails ("graph-set") ? error (CUDA_ERROR_NOT_PERMITTED)
                             : real.graph_set (exec, node, params);
}

static CUresult
is_capturing (CUstream stream, CUstreamCaptureStatus *status)
{
  CUresult result = real.is_capturing (stream, status);

  if (front_driver.captures)
    *status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  return result;
}

void *__real_dlsym (void *library, const char *name);
void *__wrap_dlsym (void *library, const char *name);
void *
__wrap_dlsym (void *library, const char *name)
{
  static const struct
  {
    const gchar *name;
    void **real;
    void *own;
  } table[] = {
    {"cuCtxPushCurrent_v2", (void **) &real.push, push},
    {"cuModuleLoadData", (void **) &real.load, load},
    {"cuModuleUnload", (void **) &real.unload, unload},
    {"cuModuleGetFunction", (void **) &real.function, find_function},
    {"cuMemAlloc_v2", (void **) &real.alloc, alloc},
    {"cuEventSynchronize", (void **) &real.synchronize, synchronize},
    {"cuDeviceGetAttribute", (void **) &real.attribute, attribute},
    {"cuLaunchKernelEx", (void **) &real.launch, launch},
    {"cuMemsetD8Async", (void **) &real.clear, clear},
    {"cuMemcpyHtoDAsync_v2", (void **) &real.copy, copy},
    {"cuEventRecord", (void **) &real.record, record},
    {"cuStreamWaitEvent", (void **) &real.wait, wait_event},
    {"cuStreamCreate", (void **) &real.stream_create, stream_create},
    {"cuStreamSynchronize", (void **) &real.stream_synchronize,
      stream_synchronize},
    {"cuMemcpy2DAsync_v2", (void **) &real.copy_rows, copy_rows},
    {"cuGraphLaunch", (void **) &real.graph_launch, graph_launch},
    {"cuGraphAddKernelNode_v2", (void **) &real.graph_add, graph_add},
    {"cuGraphExecKernelNodeSetParams_v2", (void **) &real.graph_set, graph_set},
    {"cuStreamIsCapturing", (void **) &real.is_capturing, is_capturing},
  };
  void *entry = __real_dlsym (library, name);
  guint i;

  if (front_driver.lacks != NULL && strcmp (name, front_driver.lacks) == 0)
    return NULL;

  for (i = 0; i < G_N_ELEMENTS (table); i++)
    if (strcmp (table[i].name, name) == 0) {
      *table[i].real = entry;
      return table[i].own;
    }
  return entry;
}
