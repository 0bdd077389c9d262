/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_ENGINE_H
#define CCA_CUDA_ENGINE_H

#include "../cca-cuda.h"
#include "../engine.h"
#include "dense/tables.h"
#include "driver.h"
#include "emit/tables.h"
#include "flsl/tables.h"
#include "foreground/tables.h"
#include "image.h"
#include "launch.h"
#include "module.h"
#include "small/tables.h"
#include "tiled/tables.h"

/* The GPU counts the frames of a slot in 30 bits (emit/rank.cu). */
#define CCA_MAX_EPOCH ((1u << 30) - 1)

/* What the frame of CudaImage consists of. */
typedef enum CudaPixels {
    CUDA_PIXELS_8,
    CUDA_PIXELS_16,
    CUDA_PIXELS_OTSU_8, /* of the tiled algorithm and small frames alone */
    CUDA_PIXELS_OTSU_16,
    CUDA_PIXELS_MASK,
    CUDA_PIXELS_MASK_TO_OPEN, /* and to close: not of FLSL */
} CudaPixels;

/* How long it is worth to wait awake. */
typedef struct CudaPatience {
    uint64_t last;  /* when the last frame was begun, in nanoseconds */
    uint64_t limit; /* for this one */
    uint64_t since; /* when a frame began to be waited for */
    bool sleeps;    /* the last one took longer */
    uint64_t nap;   /* so much of a wait has turned out to be long enough to sleep in */
} CudaPatience;

/* Which kernels a frame goes by. */
typedef enum CudaPath {
    CUDA_PATH_PLAIN, /* the tiled algorithm, or FLSL */
    CUDA_PATH_SMALL,
    CUDA_PATH_DENSE,
    N_CUDA_PATHS
} CudaPath;

/* What one frame in flight needs. */
typedef struct CudaSlot {
    CUdeviceptr memory; /* all device tables below */
    CudaDelivery *delivery;
    CudaGraph graphs[N_CUDA_PATHS];
    CudaEmit emit;
    CudaForeground foreground;
    CudaFlsl flsl;   /* the tables of the algorithm in use */
    CudaTiled tiled;
    CudaDense dense;
    CudaSmall small;
    CUevent done;
    CUdeviceptr cleared; /* tables that outlive a frame, 0 at first ... */
    uint64_t cleared_size;
    uint32_t n_begun;    /* frames since; 0: not yet cleared */

    CUstream stream;    /* of the frame in flight */
    bool works;         /* the GPU has something to do for it, */
    bool reports;       /* and will say in `delivery` when it is done */
    bool recorded;      /* `done` is recorded after it */
    CcaOrder order;
    bool has_threshold; /* in the delivery */
    bool in_flight;     /* a frame that may be on the GPU */
    bool is_dense;      /* of fine grain, as it seems */
    bool is_small;      /* one kernel has it: if that is not enough, the tiled algorithm ... */
    CcaJob job;         /* ... gets it anew, */
    CudaImage image;    /* or this, where its foreground is there */
    CudaLabels labels;
    CudaPixels pixels;
} CudaSlot;

/* Whether small frames go by one kernel: see small/choice.c. */
typedef struct CudaChoice {
    uint32_t pause;  /* frames that are still not to ... */
    bool to_the_end; /* ... even if they look like less work */
} CudaChoice;

/* Whether frames are taken for ones of fine grain: see dense/choice.c. */
typedef struct CudaDenseChoice {
    bool is_worth;     /* it was in the last one */
    bool many_in_vain; /* many components do not mean that it is */
    uint32_t left;     /* frames before the next attempt, */
    uint32_t pause;    /* and how many those were */
} CudaDenseChoice;

/* What the engines of a CUDA context share: see small/flight.c. */
typedef struct CudaFlight CudaFlight;

typedef struct CudaEngine {
    CcaEngine base;
    CcaCudaOptions options;
    const CcaCudaDriver *cu;
    CudaModule module;
    CUfunction kernels[N_CUDA_KERNELS];
    uint32_t n_multiprocessors;
    uint32_t n_cooperating; /* blocks of a small frame that can run at the same time */
    bool has_wide; /* a multiprocessor has room for a wide tile */
    bool overlaps; /* programmatic dependent launch: compute capability 9.0 */
    bool graphs;   /* the driver can make them of our kernels */
    uint32_t n_slots; /* that hold something to free */
    CudaSlot slots[CCA_MAX_SLOTS];
    CcaConfig allocated;
    CUdeviceptr background;  /* of all slots */
    uint32_t background_slot; /* that of the last frame which used it */
    uint32_t n_in_flight; /* slots with a frame in flight */
    CudaFlight *flight;   /* counts those of all engines of the context */
    CudaChoice choice;
    CudaDenseChoice dense_choice;
    CudaPatience patience;
} CudaEngine;

/* frame.c: begins the frame that is in the slot, all of it; and what comes after the foreground
 * again, if it was too much for one kernel. */
CUresult cca_cuda_enqueue(CudaEngine *e, CudaSlot *slot, const CcaJob *job);
CUresult cca_cuda_enqueue_again(CudaEngine *e, CudaSlot *slot);

/* Ranks the components whose first pixels are marked. */
void cca_cuda_rank(CudaLaunches *launches, CudaEmit *emit);

/* After that: clears labels outside the region, if there are such. */
void cca_cuda_clear_labels(CudaLaunches *launches, const CudaImage *image, const CudaEmit *emit,
                           const CudaLabels *labels);

/* Finds which of the ranked components are the largest, with a kernel that has these
 * arguments and the pass. */
void cca_cuda_select(CudaLaunches *launches, CudaKernel kernel, uint32_t blocks,
                     uint32_t n_args, const CudaArg *args);

/* turns.c: a frame is about to be begun, and has been; nobody waits for that for ever. */
uint32_t cca_cuda_take_turn(uint64_t now);
void cca_cuda_end_turn(uint32_t turn);

/* wait.c: nanoseconds of a clock. */
uint64_t cca_cuda_now(void);
/* A frame has just been begun. */
CUresult cca_cuda_begin_wait(CudaEngine *e, CudaSlot *slot);
/* Whether the frame is done, perhaps after a while; makes no call of the driver. */
bool cca_cuda_wait_awake(CudaEngine *e, const CudaSlot *slot);
/* Until it is done. */
CUresult cca_cuda_sleep(CudaEngine *e, CudaSlot *slot);
/* nap.c: sleeps for so many nanoseconds, and hardly longer. */
void cca_cuda_nap(uint64_t nanoseconds);
/* Lets slot->done be that of its frame. */
CUresult cca_cuda_record(const CudaEngine *e, CudaSlot *slot);

/* slot.c: bytes of device and of page-locked memory that a slot takes;
 * allocation and release, in the engine's context. */
void cca_cuda_measure_slot(const CudaEngine *e, const CcaConfig *config, uint64_t *device,
                           uint64_t *pinned);
CUresult cca_cuda_allocate_slot(CudaEngine *e, CudaSlot *slot, const CcaConfig *config);
void cca_cuda_free_slot(CudaEngine *e, CudaSlot *slot);

/* Bytes of `n` records. */
uint64_t cca_cuda_records_size(uint32_t n);

/* auto: the tiled algorithm was faster at every size, see docs/performance.md */
static inline bool cca_cuda_is_flsl(const CudaEngine *const e)
{
    return e->options.algorithm == CCA_CUDA_FLSL_CD;
}

/* Whether small frames may go by one kernel. */
static inline bool cca_cuda_has_small(const CudaEngine *const e)
{
    return e->n_cooperating > 0 && (e->options.algorithm == CCA_CUDA_AUTO ||
                                    e->options.algorithm == CCA_CUDA_SMALL ||
                                    e->options.algorithm == CCA_CUDA_WIDE);
}

/* foreground/host.c: bytes of the background. */
uint64_t cca_cuda_background_size(const CcaConfig *config);
/* The tables of the foreground pass for frames up to `config`: those that are to be 0
 * before the first frame, and the others. */
void cca_foreground_clear(CudaForeground *f, CcaArena *arena, const CcaConfig *config);
void cca_foreground_lay_out(CudaForeground *f, CcaArena *arena, const CcaConfig *config);
/* Lets `image` be compared with Otsu's threshold, of values of a depth, and finds that. */
void cca_foreground_set_otsu(const CudaForeground *tables, CudaImage *image, const CcaJob *job,
                             const CcaConfig *config);
void cca_foreground_otsu(CudaLaunches *launches, CudaForeground *tables,
                         const CudaImage *image);
/* From the pixels of `image` to the mask, which it then has in their place, still to be
 * opened and closed; and the background with them. */
void cca_foreground_mask(CudaLaunches *launches, CudaForeground *tables, CudaImage *image,
                         const CcaJob *job);
/* Opens and closes the mask of `image`, for a labelling that does not. */
void cca_foreground_open(CudaLaunches *launches, CudaForeground *tables, CudaImage *image);

/* The tables of FLSL for frames up to `config`, in `arena`. */
void cca_flsl_lay_out(CudaFlsl *tables, CudaEmit *emit, CcaArena *arena,
                      const CcaConfig *config);

/* Everything from pixels to records, and to labels. */
void cca_flsl_analyse(CudaLaunches *launches, const CudaFlsl *tables, CudaImage *image,
                      CudaEmit *emit, const CudaLabels *labels, CudaPixels pixels);

/* The same of the tiled algorithm, for labels from a mask alone. */
void cca_tiled_lay_out(CudaTiled *tables, CudaDense *dense, CcaArena *arena,
                       const CcaConfig *config);
void cca_tiled_analyse(CudaLaunches *launches, CudaSlot *slot);

/* Tiles of a frame; and whether they are so few that each is to be done soon. */
uint64_t cca_tiled_count(uint32_t width, uint32_t height);
bool cca_tiled_is_soon(const CudaEngine *e, const CudaImage *image);

/* What bounds the closed components of frames up to `config`. Let one take its pixels and a
 * quarter of each of their outer sides: all together take no more than there are pixels,
 * each of background having four sides, and a half of the width and height of each tile. A
 * single pixel takes 2, two take 3.5, and larger ones more. Single pixels that a tile may not
 * know to be alone lie beside the borders of words, of which it has three, or at the edges of
 * the frame. */
typedef struct CudaMostClosed {
    uint64_t halves; /* of a pixel, of all together */
    uint64_t single;
} CudaMostClosed;
CudaMostClosed cca_tiled_most_closed(const CcaConfig *config);

/* Frames of fine grain have two kernels of their own. Whether the frame in `slot` is to have
 * them, and what to learn from one that is done; and what there is before the first. */
bool cca_dense_choose(CudaEngine *e, const CudaSlot *slot);
void cca_dense_learn(CudaEngine *e, const CudaSlot *slot);
void cca_dense_begin(CudaEngine *e);
void cca_dense_lay_out(CudaDense *tables, CcaArena *arena, const CcaConfig *config);
/* The first of them, and the last, with an image without data. */
void cca_dense_label(CudaLaunches *launches, const CudaSlot *slot);
void cca_dense_emit(CudaLaunches *launches, const CudaSlot *slot, const CudaImage *region,
                    uint32_t blocks);

/* Finds out which frames one kernel can analyse on this GPU, and makes the kernels ready. */
CUresult cca_small_prepare(CudaEngine *e, CUdevice device);
/* Of small frames, which one kernel analyses. Whether this is one; how it is divided is
 * then in `tables`. */
bool cca_small_fits(const CudaEngine *e, CudaSmall *tables, const CcaJob *job);
/* The tables that are to be 0 before the first frame, and the others. */
void cca_small_clear(CudaSmall *tables, CcaArena *arena, const CcaConfig *config);
void cca_small_lay_out(CudaSmall *tables, CcaArena *arena);
/* Whether the next frame is to be analysed so, if it fits; and what to learn from one that
 * is done, whether it was or not. */
bool cca_small_is_chosen(const CudaEngine *e);
void cca_small_learn(CudaEngine *e, const CudaSlot *slot);

/* small/flight.c: the engine is one of its context's from now on, unless memory runs out;
 * and no longer. */
bool cca_small_join(CudaEngine *e, CUcontext context);
void cca_small_leave(CudaEngine *e);
/* Keeps count of the frames in flight. */
void cca_small_frame_begins(CudaEngine *e, CudaSlot *slot);
void cca_small_frame_ends(CudaEngine *e, CudaSlot *slot);
/* Of other engines of the context. */
uint32_t cca_small_others_in_flight(const CudaEngine *e);

/* The frame may turn out to be too much: the delivery says so, and nothing else then. */
void cca_small_analyse(CudaLaunches *launches, CudaSmall *tables, CudaImage *image,
                       CudaEmit *emit, CudaPixels pixels);

#endif /* CCA_CUDA_ENGINE_H */
