/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_MODULE_H
#define CCA_CUDA_MODULE_H

#include "driver.h"

/* A fat binary that is loaded in a CUDA context. */
typedef struct CcaCudaKernels CudaLoaded;

/* A user of one. All 0: of none. */
typedef struct CudaModule {
    const CcaCudaDriver *cu;
    CUcontext context;
    CudaLoaded *loaded;
} CudaModule;

/* Loads the driver, then the fat binary into the context unless it has other users there, and looks
 * up `n` functions by name. The context must outlive the module and need not be current. On failure
 * nothing stays loaded, and *why is a sentence without a final period that names the driver's
 * error. It is valid until the thread's next failed call. */
CcaStatus cca_cuda_module_open(CudaModule *module, CUcontext context, const void *fatbin,
                               const char *const *names, CUfunction *functions, uint32_t n,
                               const char **why);
void cca_cuda_module_close(CudaModule *module);

/* Adds a user, who need not be a module, and removes one. The last one unloads the fat binary. */
CudaLoaded *cca_cuda_loaded_ref(CudaLoaded *loaded);
void cca_cuda_loaded_unref(CudaLoaded *loaded);

/* Makes the module's context current; each success needs a leave on the same thread. */
CUresult cca_cuda_enter(const CudaModule *module);
void cca_cuda_leave(const CudaModule *module);

/* Returns the status, and sets *why as cca_cuda_module_open() does, for a driver call that failed
 * while kernels were loaded or prepared. */
CcaStatus cca_cuda_explain_loading(const CcaCudaDriver *cu, CUresult result, const char **why);

/* Returns the status for any other driver call that failed. Writes a sentence that begins with
 * `subject` into the `size` bytes of `why`. */
CcaStatus cca_cuda_explain(const CcaCudaDriver *cu, CUresult result, const char *subject, char *why,
                           size_t size);

#endif /* CCA_CUDA_MODULE_H */
