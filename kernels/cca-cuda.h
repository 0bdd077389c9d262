/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_H
#define CCA_CUDA_H

#include "cca.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CcaCudaAlgorithm {
    CCA_CUDA_AUTO,    /* the faster one for the frame size, by measurement */
    CCA_CUDA_FLSL_CD, /* full runs and conflict detection in global memory, as published */
    CCA_CUDA_TILED,   /* runs in shared-memory tiles, then a merge of the tiles */
    CCA_CUDA_SINGLE,  /* one kernel for frames that are small enough, tiled for others */
    CCA_CUDA_WIDE,    /* the same with wide tiles, as for frames of 4096x2160 */
    CCA_CUDA_FINE,    /* tiled, always in the mode for fine grain */
    CCA_CUDA_SUPER,   /* one kernel with super tiles, as for frames of 8192x8192 */
    CCA_CUDA_STAGED,  /* super tiles with a kernel for each stage, as for larger frames */
} CcaCudaAlgorithm;

typedef struct CcaCudaOptions {
    void *context; /* CUcontext; must outlive the engine. Pushed and popped around every
                    * driver call: the caller need not have it current */
    CcaCudaAlgorithm algorithm;
} CcaCudaOptions;

/* Loads the CUDA driver (libcuda.so.1) once per process. If there is none, or it is too old,
 * returns CCA_ERROR_NO_DRIVER and sets *why (if not NULL) to a static sentence. */
CcaStatus cca_cuda_load(const char **why);

/* Opens the engine for CUDA memory. Work is enqueued on CcaFrame.stream. Collect spins until the
 * GPU reports the end of the frame, and after a limit blocks on an event of the frame, never on the
 * context. It may also wait for later work of others on the stream. Frames in different slots may
 * be on different streams. On failure *engine is NULL, and *why (if not NULL) is a sentence that
 * is valid until the thread's next failed call. */
CcaStatus cca_cuda_open(CcaEngine **engine, const CcaCudaOptions *options, const char **why);

/* The kernels of an engine in its CUDA context, which the engines there share. */
typedef struct CcaCudaKernels CcaCudaKernels;

/* Keeps the kernels of a CUDA engine loaded until they are released, also if all engines are freed
 * before. The context must outlive them. */
CcaCudaKernels *cca_cuda_keep_kernels(const CcaEngine *engine);
void cca_cuda_release_kernels(CcaCudaKernels *kernels);

#ifdef __cplusplus
}
#endif

#endif /* CCA_CUDA_H */
