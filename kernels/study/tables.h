/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_STUDY_TABLES_H
#define CCA_STUDY_TABLES_H

#include "../cuda/flsl/tables.h"
#include "../cuda/image.h"

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

/* All tables of all algorithms, by the papers' names. Labels are pixel addresses
 * y * width + x, but for FLSL, whose labels are those of CudaFlsl. */
typedef struct StudyTables {
    uint32_t *L;  /* union-find over the labels, a root is the smallest; label image */
    uint32_t *S;  /* features, one table each, by label */
    uint32_t *min_x, *min_y, *max_x, *max_y;
    uint64_t *Sx, *Sy;
    uint32_t *U;  /* feature updates, by label; NULL: they are not counted */
    CudaFlsl flsl; /* of which ER, RLC, N and L are used */
    StudyComponent *components;
    uint32_t *n_components;
} StudyTables;

#endif /* CCA_STUDY_TABLES_H */
