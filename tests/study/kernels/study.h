/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_STUDY_H
#define CCA_STUDY_H

/* The algorithms that papers have published, to be run side by side on images in
 * device memory: see ../README.md. For tests and measurements, not for plugins.
 *
 * All calls are made with the same CUDA context current, and none waits for the GPU. */

#include "cuda/driver.h"
#include "tables.h"

/* The longest row: FLSL's entries of ER and RLC have 16 bits. */
#define STUDY_MAX_WIDTH UINT16_MAX
#define STUDY_MAX_PIXELS (UINT32_C(1) << 31)

typedef enum StudyKind {
    STUDY_CCA, /* features */
    STUDY_CCL, /* a label image */
} StudyKind;

/* How a kernel covers the image. A block has STUDY_STRIP warps, or for tiles a thread for
 * each pixel. */
typedef enum StudyGrid {
    STUDY_STRIPS,     /* a warp a row, all of which it goes along */
    STUDY_LINES_32,   /* a warp for 32 pixels of a row */
    STUDY_LINES_64,   /* a warp for 64 pixels of a row */
    STUDY_BORDERS_32, /* the same, of the first row of each strip but the first */
    STUDY_BORDERS_64,
    STUDY_ROWS,        /* CCA_FLSL_ROW_WARPS warps a row */
    STUDY_ROW_BORDERS, /* the same, of the first row of each strip but the first */
    STUDY_TILES,
    STUDY_NODES,    /* a thread for each two neighbours of a row */
    STUDY_TOGETHER, /* fewer threads than that, all at once */
    STUDY_PAIRS,    /* a thread for each place for a pair of objects */
    STUDY_PIXELS,   /* a thread for each pixel, by address */
} StudyGrid;

typedef struct StudyStep {
    const char *kernel;
    StudyGrid grid;
} StudyStep;

#define STUDY_MAX_STEPS 20 /* the last is the end */

typedef struct StudyAlgorithm {
    const char *name;
    const char *paper;
    StudyKind kind;
    bool corners;                     /* it can be 8-connected, too */
    StudyStep steps[STUDY_MAX_STEPS]; /* in order, up to one without a kernel */
    uint32_t first_label; /* of CCL: 1 if background is 0, and labels are addresses + 1 */
    bool nodes;           /* of CCA: features are in `balanced`, and no updates are counted */
    StudyStep gather;     /* of other CCA: StudyComponents of the tables, which is no part of it */
} StudyAlgorithm;

extern const StudyAlgorithm study_algorithms[];
extern const uint32_t n_study_algorithms;

/* TMK's use case: Playne, label inheritance, TMK, whose labels are ids. Not among those. */
extern const StudyAlgorithm study_stream;

/* NULL if there is none. */
const StudyAlgorithm *study_find(const char *name);

typedef struct StudyImage {
    CUdeviceptr pixels; /* a byte each; foreground is not 0. Rows without padding */
    uint32_t width, height;
    uint32_t connectivity; /* 4, or 8 if the algorithm has it */
} StudyImage;

#define STUDY_MAX_TABLES 32
#define STUDY_MAX_KERNELS 64

typedef struct Study {
    const CcaCudaDriver *cu;
    CUmodule module;
    struct StudyKernel {
        const char *name; /* of a step */
        CUfunction function;
    } kernels[STUDY_MAX_KERNELS]; /* that were run before */
    uint32_t n_kernels;
    CUdeviceptr memory[STUDY_MAX_TABLES];
    size_t sizes[STUDY_MAX_TABLES];
    uint32_t n_tables;
    uint32_t n_multiprocessors;
    bool counts; /* feature updates, in tables.U: set it before a run to be counted */
    /* In device memory. Of CCL the result is L; of CCA `balanced` if it has nodes, else, once
     * they are gathered, components and n_components. */
    StudyTables tables;
} Study;

/* After a failure there is nothing to close. */
CUresult study_open(Study *study, const CcaCudaDriver *cu);

/* Allocates tables for images of this size, at least 1x1, and of no other; what was in those
 * before is lost. After a failure there are none. */
CUresult study_configure(Study *study, uint32_t width, uint32_t height);

/* The same for a stream of images, run by study_stream in turn: there is no last one at
 * first, and ids begin with 0. */
CUresult study_configure_stream(Study *study, uint32_t width, uint32_t height, CUstream stream);

/* What the paper has, from pixels to features or labels. */
CUresult study_run(Study *study, const StudyAlgorithm *algorithm, const StudyImage *image,
                   CUstream stream);

/* One step of it. */
CUresult study_step(Study *study, const StudyStep *step, const StudyImage *image, CUstream stream);

/* After it, for CCA without nodes: gathers the components, in any order. */
CUresult study_gather(Study *study, const StudyAlgorithm *algorithm, const StudyImage *image,
                      CUstream stream);

/* Fills all tables with a byte: nothing of earlier runs is left. */
CUresult study_spoil(Study *study, uint8_t value, CUstream stream);

/* Nothing may be under way. */
void study_close(Study *study);

#endif /* CCA_STUDY_H */
