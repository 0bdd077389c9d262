/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "cuda-rig.h"

#include <dlfcn.h>
#include <gst/check/gstcheck.h>
#include <string.h>

const Gpu *rig_gpu;

void
rig_setup (void)
{
  const char *why = "";

  rig_gpu = gpu_open (&why);
  fail_unless (rig_gpu != NULL, "%s", why);
}

void
rig_teardown (void)
{
  CUresult (*release) (CUdevice device) =
      dlsym (dlopen ("libcuda.so.1", RTLD_NOW), "cuDevicePrimaryCtxRelease_v2");

  fail_unless (release (0) == CUDA_SUCCESS);
}

Gpu
rig_open_other (void)
{
  CUresult (*create) (CUcontext *context, unsigned flags, CUdevice device) =
      dlsym (dlopen ("libcuda.so.1", RTLD_NOW), "cuCtxCreate_v2");
  Gpu other = *rig_gpu;

  fail_unless (create (&other.context, 0, 1) == CUDA_SUCCESS);
  gpu_leave (&other);
  return other;
}

void
rig_close_other (const Gpu *other)
{
  CUresult (*destroy) (CUcontext context) =
      dlsym (dlopen ("libcuda.so.1", RTLD_NOW), "cuCtxDestroy_v2");

  fail_unless (destroy (other->context) == CUDA_SUCCESS);
}

CcaEngine *
rig_open (CcaCudaAlgorithm algorithm)
{
  const CcaCudaOptions options = {.context = rig_gpu->context,
    .algorithm = algorithm};
  CcaEngine *engine;

  fail_unless (cca_cuda_open (&engine, &options, NULL) == CCA_OK);
  return engine;
}

const guint8 *
rig_upload (const guint8 *pixels, gsize size)
{
  CUdeviceptr copy = 0;

  fail_unless (gpu_enter (rig_gpu));
  fail_unless (rig_gpu->cu->mem_alloc (&copy, size) == CUDA_SUCCESS);
  fail_unless (
      rig_gpu->copy_to_device_async (copy, pixels, size, NULL) == CUDA_SUCCESS);
  fail_unless (rig_gpu->stream_synchronize (NULL) == CUDA_SUCCESS);
  gpu_leave (rig_gpu);
  return (const guint8 *) copy;
}

void
rig_release (const guint8 *copy)
{
  fail_unless (gpu_enter (rig_gpu));
  fail_unless (rig_gpu->cu->mem_free ((CUdeviceptr) copy) == CUDA_SUCCESS);
  gpu_leave (rig_gpu);
}

void
rig_assert_same (const CcaResult *result, const CcaResult *expected)
{
  assert_equals_int (result->n_found, expected->n_found);
  assert_equals_int (result->n_components, expected->n_components);
  assert_equals_int (result->threshold, expected->threshold);
  assert_equals_int (result->threshold_high, expected->threshold_high);
  assert_equals_int (result->warming_up, expected->warming_up);
  assert_equals_uint64 (result->background_frames, expected->background_frames);
  fail_unless (expected->n_components == 0
      || memcmp (result->components, expected->components,
             expected->n_components * sizeof (CcaComponent))
          == 0);
  fail_unless (expected->n_components == 0 || expected->features == NULL
      || memcmp (result->features, expected->features,
             expected->n_components * sizeof (CcaFeatures))
          == 0);
}
