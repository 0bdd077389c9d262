/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The list of fat binaries that are loaded, each once in a context. */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "module.h"

struct CcaCudaKernels {
    CudaModule opener; /* of the first user, for its driver and context */
    const void *fatbin;
    CUmodule handle;
    uint32_t n_users;
    CudaLoaded *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects the list and n_users */
static CudaLoaded *all_loaded;

CcaStatus cca_cuda_explain(const CcaCudaDriver *const cu, const CUresult result,
                           const char *const subject, char *const why, const size_t size)
{
    const CcaStatus status = result == CUDA_ERROR_OUT_OF_MEMORY ? CCA_ERROR_NO_MEMORY :
                             cca_cuda_is_sticky(result)         ? CCA_ERROR_DEVICE_LOST :
                                                                  CCA_ERROR_DEVICE;
    const char *name = NULL;
    cu->error_name(result, &name);
    if (status == CCA_ERROR_NO_MEMORY)
        snprintf(why, size, "%s: memory ran out", subject);
    else if (status == CCA_ERROR_DEVICE_LOST)
        snprintf(why, size, "%s: the GPU context is unusable after an error (%s)", subject,
                 name ? name : "unknown");
    else
        snprintf(why, size, "%s: the CUDA driver says %s", subject, name ? name : "unknown error");
    return status;
}

static CcaStatus explain_open(const CcaCudaDriver *const cu, const CUresult result,
                              const char *const subject, const char **const why)
{
    /* modules may be opened in several threads at the same time */
    static _Thread_local char sentence[160];
    *why = sentence;
    return cca_cuda_explain(cu, result, subject, sentence, sizeof(sentence));
}

CcaStatus cca_cuda_explain_loading(const CcaCudaDriver *const cu, const CUresult result,
                                   const char **const why)
{
    const bool mismatch = result == CUDA_ERROR_NO_BINARY_FOR_GPU ||
                          result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION ||
                          result == CUDA_ERROR_INVALID_PTX;
    const CcaStatus status = explain_open(
        cu, result,
        mismatch ? "the kernels were not built for this GPU, or the driver is too old for them" :
                   "the kernels cannot be loaded",
        why);
    return status == CCA_ERROR_DEVICE ? CCA_ERROR_NO_DEVICE : status;
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

CudaLoaded *cca_cuda_loaded_ref(CudaLoaded *const loaded)
{
    pthread_mutex_lock(&lock);
    loaded->n_users++;
    pthread_mutex_unlock(&lock);
    return loaded;
}

void cca_cuda_loaded_unref(CudaLoaded *const loaded)
{
    pthread_mutex_lock(&lock);
    const bool last = --loaded->n_users == 0;
    if (last) {
        CudaLoaded **link = &all_loaded;
        while (*link != loaded)
            link = &(*link)->next;
        *link = loaded->next;
    }
    pthread_mutex_unlock(&lock);
    if (!last)
        return;
    if (cca_cuda_enter(&loaded->opener) == CUDA_SUCCESS) {
        loaded->opener.cu->module_unload(loaded->handle);
        cca_cuda_leave(&loaded->opener);
    }
    free(loaded);
}

/* Called with the context current, and with the lock. */
static CUresult load(CudaModule *const module, const void *const fatbin)
{
    CudaLoaded *l = all_loaded;
    while (l != NULL && (l->opener.context != module->context || l->fatbin != fatbin))
        l = l->next;
    if (l == NULL) {
        if ((l = calloc(1, sizeof(*l))) == NULL)
            return CUDA_ERROR_OUT_OF_MEMORY;
        const CUresult result = module->cu->module_load(&l->handle, fatbin);
        if (result != CUDA_SUCCESS) {
            free(l);
            return result;
        }
        l->opener = *module;
        l->fatbin = fatbin;
        l->next = all_loaded;
        all_loaded = l;
    }
    l->n_users++;
    module->loaded = l;
    return CUDA_SUCCESS;
}

static CUresult find_functions(const CudaModule *const module, const char *const *const names,
                               CUfunction *const functions, const uint32_t n)
{
    CUresult result = CUDA_SUCCESS;
    for (uint32_t i = 0; i < n && result == CUDA_SUCCESS; i++)
        result = module->cu->module_function(&functions[i], module->loaded->handle, names[i]);
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
    if (result != CUDA_SUCCESS)
        return explain_open(module->cu, result, "the GPU context cannot be entered", why);
    pthread_mutex_lock(&lock);
    result = load(module, fatbin);
    pthread_mutex_unlock(&lock);
    if (result == CUDA_SUCCESS)
        result = find_functions(module, names, functions, n);
    cca_cuda_leave(module);
    if (result == CUDA_SUCCESS)
        return CCA_OK;
    cca_cuda_module_close(module);
    return cca_cuda_explain_loading(module->cu, result, why);
}

void cca_cuda_module_close(CudaModule *const module)
{
    if (module->loaded != NULL)
        cca_cuda_loaded_unref(module->loaded);
    module->loaded = NULL;
}
