/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <stdio.h>

#include "module.h"

static CcaStatus status_of(const CUresult result, const CcaStatus otherwise)
{
    return result == CUDA_ERROR_OUT_OF_MEMORY ? CCA_ERROR_NO_MEMORY :
           cca_cuda_is_sticky(result)         ? CCA_ERROR_DEVICE_LOST :
                                                otherwise;
}

CcaStatus cca_cuda_explain(const CcaCudaDriver *const cu, const CUresult result,
                           const char *const what, char *const why, const size_t size)
{
    const CcaStatus status = status_of(result, CCA_ERROR_DEVICE);
    const char *name = NULL;
    cu->error_name(result, &name);
    if (status == CCA_ERROR_NO_MEMORY)
        snprintf(why, size, "%s: memory ran out", what);
    else if (status == CCA_ERROR_DEVICE_LOST)
        snprintf(why, size, "%s: the GPU context is unusable after an error (%s)", what,
                 name ? name : "unknown");
    else
        snprintf(why, size, "%s: the CUDA driver says %s", what, name ? name : "unknown error");
    return status;
}

CcaStatus cca_cuda_explain_loading(const CUresult result, const char **const why)
{
    const CcaStatus status = status_of(result, CCA_ERROR_NO_DEVICE);
    if (status == CCA_ERROR_NO_MEMORY)
        *why = "GPU memory for the kernels ran out";
    else if (status == CCA_ERROR_DEVICE_LOST)
        *why = "the GPU context is unusable after an error";
    else if (result == CUDA_ERROR_NO_BINARY_FOR_GPU ||
             result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION || result == CUDA_ERROR_INVALID_PTX)
        *why = "the kernels were not built for this GPU, or the driver is too old for them";
    else
        *why = "the kernels cannot be loaded";
    return status;
}

CUresult cca_cuda_enter(const CudaModule *const module)
{
    return module->cu->ctx_push(module->context);
}

void cca_cuda_leave(const CudaModule *const module)
{
    CUcontext context;
    module->cu->ctx_pop(&context);
}

static CUresult load(CudaModule *const module, const void *const fatbin,
                     const char *const *const names, CUfunction *const functions, const uint32_t n)
{
    CUresult result = module->cu->module_load(&module->handle, fatbin);
    if (result != CUDA_SUCCESS)
        module->handle = NULL;
    for (uint32_t i = 0; i < n && result == CUDA_SUCCESS; i++)
        result = module->cu->module_function(&functions[i], module->handle, names[i]);
    return result;
}

CcaStatus cca_cuda_module_open(CudaModule *const module, CUcontext context,
                               const void *const fatbin, const char *const *const names,
                               CUfunction *const functions, const uint32_t n,
                               const char **const why)
{
    *module = (CudaModule) { .cu = cca_cuda_driver(why), .context = context };
    if (module->cu == NULL)
        return CCA_ERROR_NO_DRIVER;
    CUresult result = cca_cuda_enter(module);
    if (result != CUDA_SUCCESS) {
        *why = "the GPU context cannot be entered";
        return status_of(result, CCA_ERROR_DEVICE);
    }
    result = load(module, fatbin, names, functions, n);
    cca_cuda_leave(module);
    if (result == CUDA_SUCCESS)
        return CCA_OK;
    cca_cuda_module_close(module);
    return cca_cuda_explain_loading(result, why);
}

void cca_cuda_module_close(CudaModule *const module)
{
    if (module->handle != NULL && cca_cuda_enter(module) == CUDA_SUCCESS) {
        module->cu->module_unload(module->handle);
        cca_cuda_leave(module);
    }
    module->handle = NULL;
}
