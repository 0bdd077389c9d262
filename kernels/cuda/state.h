/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_STATE_H
#define CCA_CUDA_STATE_H

/* What an engine and its slots hold. */

#include "../cca-cuda.h"
#include "../engine.h"
#include "tiled/fine/tables.h"
#include "compact/tables.h"
#include "flsl/tables.h"
#include "foreground/tables.h"
#include "image.h"
#include "launch.h"
#include "single/tables.h"
#include "tiled/tables.h"
#include "wait.h"

/* The GPU counts the frames of a slot in 30 bits (compact/rank.cu). */
#define CCA_MAX_EPOCH ((1u << 30) - 1)

/* What CudaImage.data points to: samples, which are compared while they are labelled, or a
 * mask. */
typedef enum CudaPixels {
    CUDA_PIXELS_8,
    CUDA_PIXELS_16,
    CUDA_PIXELS_OTSU_8,
    CUDA_PIXELS_OTSU_16,
    CUDA_PIXELS_MASK,
    CUDA_PIXELS_MASK_TO_OPEN, /* and to close */
} CudaPixels;

/* Sequences of kernels that alternate from frame to frame: each has a graph of its own. */
typedef enum CudaPath {
    CUDA_PATH_PLAIN,
    CUDA_PATH_FINE,
    CUDA_PATH_SINGLE,
    N_CUDA_PATHS
} CudaPath;

struct CudaAlgorithm;

/* What one frame in flight needs. */
typedef struct CudaSlot {
    /* allocated with the slot */
    CUdeviceptr memory; /* all device tables below */
    CudaMailbox *mailbox;
    CudaGraph graphs[N_CUDA_PATHS];
    CudaCompact compact;
    CudaForeground foreground;
    CudaFlsl flsl;
    CudaTiled tiled;
    CudaFine fine;
    CudaSingle single;
    CUdeviceptr cleared; /* tables that outlive a frame, 0 at first */
    uint64_t cleared_size;
    uint32_t n_begun; /* frames since they were cleared; 0: not yet cleared */

    /* of the frame */
    CcaJob job;
    bool works;     /* the GPU has something to do for it */
    bool reports;   /* and will report its end in `mailbox` */
    bool in_flight; /* it may be on the GPU */
    bool overflowed; /* the first algorithm could not finish it */
    CudaFence fence;
    const struct CudaAlgorithm *algorithm;
    CudaPath path;
    CudaPixels pixels;
    CudaImage image;
    CudaLabels labels;
} CudaSlot;

typedef struct CudaEngine {
    CcaEngine base;
    CcaCudaOptions options;
    CudaGpu gpu;
    CudaMember member;
    CudaWait wait;
    uint32_t n_slots; /* that hold something to free */
    CudaSlot slots[CCA_MAX_SLOTS];
    CcaConfig allocated;
    CUdeviceptr background;   /* of all slots */
    uint32_t background_slot; /* that of the last frame which used it */
    CudaSingleChoice single;
    CudaFineChoice fine;
} CudaEngine;

/* An algorithm is one of these in a folder of its own, and a row in algorithms.c. */
typedef struct CudaAlgorithm {
    const char *name;
    /* Makes its kernels ready when an engine is opened, in the context of that. */
    CUresult (*prepare)(CudaEngine *e, CUdevice device);
    /* Whether the engine has a use for it; if not, nothing below is called. */
    bool (*serves)(const CudaEngine *e);
    /* The tables of a slot for frames up to `config`: those that are to be 0 before the first
     * frame, and all others. */
    void (*clear)(CudaSlot *slot, CcaArena *arena, const CcaConfig *config);
    void (*lay_out)(CudaSlot *slot, CcaArena *arena, const CcaConfig *config);
    /* Whether it takes the frame, whose region is not empty. */
    bool (*fits)(const CudaEngine *e, CudaSlot *slot, const CcaJob *job);
    /* What it reads of such a frame. */
    CudaPixels (*pixels)(const CudaEngine *e, const CcaJob *job);
    /* Its kernels find Otsu's threshold of 8-bit samples themselves. */
    bool finds_otsu_8;
    /* Adds what leads from the pixels to records, and to labels. May set slot->path. */
    void (*launch)(CudaEngine *e, CudaSlot *slot, CudaLaunches *launches);
    /* Of a frame that is done, whichever algorithm had it. */
    void (*learn)(CudaEngine *e, const CudaSlot *slot);
} CudaAlgorithm;

/* algorithms.c: in order of preference; ends with NULL. */
extern const CudaAlgorithm *const cca_cuda_algorithms[];

/* Whether the job opens or closes the mask. */
static inline bool cca_cuda_opens(const CcaJob *const job)
{
    return job->params.open_radius > 0 || job->params.close_radius > 0;
}

/* The samples of frames that the engine is configured for. */
static inline CudaPixels cca_cuda_samples(const CudaEngine *const e, const CcaJob *const job)
{
    const bool wide = e->base.config.sample_size == 2;
    if (job->params.foreground == CCA_FOREGROUND_OTSU)
        return wide ? CUDA_PIXELS_OTSU_16 : CUDA_PIXELS_OTSU_8;
    return wide ? CUDA_PIXELS_16 : CUDA_PIXELS_8;
}

/* Records the sentence on a call of the driver that failed. */
static inline CcaStatus cca_cuda_fail(CudaEngine *const e, const CUresult result,
                                      const char *const what)
{
    return cca_cuda_explain(e->gpu.module.cu, result, what, e->base.error,
                            sizeof(e->base.error));
}

/* Makes the engine's context current. */
static inline bool cca_cuda_enter_engine(CudaEngine *const e, CcaStatus *const status)
{
    const CUresult result = cca_cuda_enter(&e->gpu.module);
    if (result != CUDA_SUCCESS)
        *status = cca_cuda_fail(e, result, "the GPU context cannot be entered");
    return result == CUDA_SUCCESS;
}

static inline void cca_cuda_leave_engine(const CudaEngine *const e)
{
    cca_cuda_leave(&e->gpu.module);
}

#endif /* CCA_CUDA_STATE_H */
