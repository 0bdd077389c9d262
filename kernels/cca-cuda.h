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
    CCA_CUDA_TILED,   /* the same inside shared-memory tiles, then a merge of the tiles */
    CCA_CUDA_SINGLE,  /* frames that are small enough by one kernel, others as tiled */
    CCA_CUDA_WIDE,    /* the same, in tiles as frames of 4096x2160 have them */
    CCA_CUDA_FINE,    /* tiled, as if all frames were of fine grain */
} CcaCudaAlgorithm;

typedef struct CcaCudaOptions {
    void *context; /* CUcontext; must outlive the engine. Pushed and popped around every
                    * driver call: the caller need not have it current */
    CcaCudaAlgorithm algorithm;
} CcaCudaOptions;

/* Loads the CUDA driver (libcuda.so.1), once for the process. Without one, or
 * with one that is too old, CCA_ERROR_NO_DRIVER, and a sentence in *why (if
 * not NULL; static). */
CcaStatus cca_cuda_load(const char **why);

/* The engine for CUDA memory. Work is enqueued on CcaFrame.stream; collect
 * looks for a while whether the GPU says that the frame is done, and then waits for an
 * event of that frame, never for the context. Work that others put into the stream
 * after the frame may be waited for, too, where frames have been quick so far.
 * Frames in different slots may be on different streams. With CCA_ERROR_NO_DEVICE
 * and the like *engine is NULL and `why` (if not NULL) has the sentence; static. */
CcaStatus cca_cuda_open(CcaEngine **engine, const CcaCudaOptions *options, const char **why);

#ifdef __cplusplus
}
#endif

#endif /* CCA_CUDA_H */
