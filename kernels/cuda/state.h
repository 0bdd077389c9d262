/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_STATE_H
#define CCA_CUDA_STATE_H

/* State of an engine and its slots. */

#include "../cca-cuda.h"
#include "../engine.h"
#include "image.h"
#include "launch.h"
#include "tables/compact.h"
#include "tables/fine.h"
#include "tables/flsl.h"
#include "tables/foreground.h"
#include "tables/measure.h"
#include "tables/single.h"
#include "tables/super.h"
#include "tables/tiled.h"
#include "wait.h"

/* The GPU counts the frames of a slot in 30 bits (compact/rank.cu). */
#define CCA_MAX_EPOCH ((1u << 30) - 1)

/* Type of the pixels at CudaImage.data: samples, which the labelling kernels compare with the
 * thresholds, or a mask. */
typedef enum CudaPixels {
    CUDA_PIXELS_8,
    CUDA_PIXELS_16,
    CUDA_PIXELS_OTSU_8,
    CUDA_PIXELS_OTSU_16,
    CUDA_PIXELS_MASK,
    CUDA_PIXELS_MASK_TO_OPEN, /* still to be opened and closed */
} CudaPixels;

/* Sequences of kernels that may alternate from frame to frame. Each has its own graph. */
typedef enum CudaPath {
    CUDA_PATH_PLAIN,
    CUDA_PATH_FINE,
    CUDA_PATH_SINGLE,
    CUDA_PATH_SUPER,
    N_CUDA_PATHS
} CudaPath;

struct CudaAlgorithm;

/* State of one frame in flight. */
typedef struct CudaSlot {
    /* These live as long as the slot. */
    CUdeviceptr memory; /* all device tables below */
    CudaMailbox *mailbox;
    uint64_t *staging; /* after the records of the mailbox: a copy of the mask */
    CudaGraph graphs[N_CUDA_PATHS];
    CudaCompact compact;
    CudaForeground foreground;
    CudaFlsl flsl;
    CudaTiled tiled;
    CudaMeasure measure;
    CudaFine fine;
    CudaSingle single;
    CudaSuper super;
    CUdeviceptr cleared; /* the tables that keep state between frames and are 0 before the first */
    uint64_t cleared_size;
    uint32_t n_begun;                /* frames since they were cleared; 0: not yet cleared */
    uint64_t working;                /* serial of the mask in device memory; 0: none */
    uint64_t divided;                /* serial of the mask whose region `super` divides; 0: none */
    CcaRect divided_region;          /* and the region */
    CcaAreas *areas, *areas_staging; /* in device memory, and a copy after that of the mask */
    uint64_t areas_serial;           /* of the mask whose areas are in device memory; 0: none */

    /* These belong to the slot's frame. */
    CcaJob job;
    bool works;            /* the frame has launches */
    bool reports;          /* the GPU will report its end in `mailbox` */
    bool in_flight;        /* counted as in flight in the engine's context */
    uint32_t overflowed;   /* bit i: CudaPath i could not finish the frame */
    bool background_begun; /* the update of the background has reached the GPU */
    CudaFence fence;
    const struct CudaAlgorithm *const *algorithm; /* its row in cca_cuda_algorithms */
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
    uint32_t n_slots; /* slots with memory to free */
    CudaSlot slots[CCA_MAX_SLOTS];
    CcaConfig allocated;
    CUdeviceptr background;   /* shared by all slots */
    uint32_t background_slot; /* slot of the last frame that used the background */
    CudaSingleChoice single;
    CudaSuperChoice super;
    CudaFineChoice fine;
} CudaEngine;

/* An algorithm. Each has a folder, and a row in algorithms.c. */
typedef struct CudaAlgorithm {
    const char *name;
    /* Prepares the kernels when an engine is opened; the engine's context is current. */
    CUresult (*prepare)(CudaEngine *e, CUdevice device);
    /* Whether the engine's options allow the algorithm. If not, no function below is called. */
    bool (*serves)(const CudaEngine *e);
    /* Lay out a slot's tables for frames up to `config`: first those that must be 0 before the
     * first frame, then all others. */
    void (*clear)(const CudaEngine *e, CudaSlot *slot, CcaArena *arena, const CcaConfig *config);
    void (*lay_out)(const CudaEngine *e, CudaSlot *slot, CcaArena *arena, const CcaConfig *config);
    /* Whether the algorithm accepts the frame, whose region is not empty. */
    bool (*fits)(const CudaEngine *e, CudaSlot *slot, const CcaJob *job);
    /* The type of pixels that the algorithm reads for a frame that it accepts. */
    CudaPixels (*pixels)(const CudaEngine *e, const CudaSlot *slot);
    /* Its kernels find Otsu's threshold of 8-bit samples themselves. */
    bool finds_otsu_8;
    /* Adds the launches from pixels to records and labels. May set slot->path. */
    void (*launch)(CudaEngine *e, CudaSlot *slot, CudaLaunches *launches);
    /* Called after each frame, also after those of other algorithms, to adapt later choices. */
    void (*learn)(CudaEngine *e, const CudaSlot *slot);
} CudaAlgorithm;

/* In order of preference; ends with NULL. */
extern const CudaAlgorithm *const cca_cuda_algorithms[];

/* Whether the algorithm has to open or close the mask. In a working set that is no rectangle, a
 * kernel before it does if a radius exceeds 1. */
static inline bool cca_cuda_opens(const CcaJob *const job)
{
    const uint32_t radius = umax(job->params.open_radius, job->params.close_radius);
    return radius > 0 && (job->mask == NULL || radius == 1);
}

static inline bool cca_cuda_measures(const CudaEngine *const e)
{
    return e->base.config.features != CCA_FEATURES_NONE;
}

/* Type of the samples for which the engine is configured. */
static inline CudaPixels cca_cuda_samples(const CudaEngine *const e, const CcaJob *const job)
{
    const bool wide = e->base.config.sample_size == 2;
    if (job->params.foreground == CCA_FOREGROUND_OTSU)
        return wide ? CUDA_PIXELS_OTSU_16 : CUDA_PIXELS_OTSU_8;
    return wide ? CUDA_PIXELS_16 : CUDA_PIXELS_8;
}

/* Records the error sentence for a driver call that failed. */
static inline CcaStatus cca_cuda_fail(CudaEngine *const e, const CUresult result,
                                      const char *const subject)
{
    return cca_cuda_explain(e->gpu.module.cu, result, subject, e->base.error,
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
