/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_STUDY_TABLES_H
#define CCA_STUDY_TABLES_H

#include "product.h"

/* Rows of a strip, which a block labels, a warp each: HA4 has 4. */
#define STUDY_STRIP 4
/* Tiles that a block labels in shared memory. */
#define STUDY_TILE_W 32
#define STUDY_TILE_H 16

/* A component, as it is gathered from the tables; its label is its smallest. */
typedef struct StudyComponent {
    uint32_t label, area;
    uint32_t min_x, min_y, max_x, max_y; /* inclusive */
    uint64_t sum_x, sum_y;
} StudyComponent;

/* TMK: labels of what is no object, and indices of no node. */
#define STUDY_INVALID_LABEL UINT32_MAX
#define STUDY_NO_NODE UINT32_MAX
/* TMK: nodes that a block merges in shared memory, a power of two. */
#define STUDY_BLOCK_NODES 512
/* Warps of a block of those that wait for each other, one for each multiprocessor. */
#define STUDY_TOGETHER_WARPS 32

/* TMK's object feature struct, which is a node of a tree, too. */
typedef struct StudyNode {
    uint32_t label, S;
    uint32_t min_x, min_y, max_x, max_y; /* inclusive */
    uint64_t Sx, Sy;
    uint32_t parent, child[2]; /* left and right */
    uint32_t size;             /* of the tree below it, and itself */
} StudyNode;

/* Of label inheritance, between a frame and the last one. */
typedef struct StudyInheritance {
    uint32_t *last;     /* L of the last frame */
    uint32_t *last_id;  /* ids of its objects, by label */
    uint32_t *id;       /* of this frame's, by label */
    uint64_t *best_old; /* most pixels shared, and with which id, by label of this frame */
    uint64_t *best_new; /* and with which label, by label of the last frame */
    uint64_t *pairs;    /* last label << 32 | label, in any order; a power of two of places */
    uint32_t *overlaps; /* pixels that they share */
    uint32_t n_pairs;   /* places */
    uint32_t *n_new;    /* objects without a partner, by block */
    uint32_t *next_id, *next_after; /* now, and once this frame's have theirs */
} StudyInheritance;

/* All tables of all algorithms, by the papers' names. Labels are pixel addresses
 * y * width + x, but for FLSL, whose labels are those of CudaFlsl. */
typedef struct StudyTables {
    uint32_t *L; /* union-find over the labels, a root is the smallest; label image */
    uint32_t *S; /* features, one table each, by label */
    uint32_t *min_x, *min_y, *max_x, *max_y;
    uint64_t *Sx, *Sy;
    uint32_t *U;         /* feature updates, by label; NULL: they are not counted */
    CudaFlsl flsl;       /* of which ER, RLC, N and L are used */
    uint32_t *labels;    /* TMK: the label image that it is given: L, unless ids are */
    StudyNode *F;        /* TMK: two neighbours of a row each, and then trees of them */
    StudyNode *balanced; /* TMK: objects, as many as `size` of the first, if that is valid */
    StudyInheritance inheritance; /* if it is configured for a stream */
    uint64_t *arrivals;           /* of blocks that wait for each other */
    StudyComponent *components;
    uint32_t *n_components;
} StudyTables;

#endif /* CCA_STUDY_TABLES_H */
