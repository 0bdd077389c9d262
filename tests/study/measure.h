/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef STUDY_MEASURE_H
#define STUDY_MEASURE_H

/* One run of an algorithm on the image that was drawn, between events of the GPU. */

#include "field.h"
#include "timing.h"
#include "transfer.h"

#define MOST_PARTS (STUDY_MAX_STEPS + 1)

typedef enum Kind { TIME, STEPS, COPIED, COUNT } Kind;

typedef struct Plan {
    Kind kind;
    const StudyAlgorithm *algorithm; /* NULL: the product, by */
    CcaCudaAlgorithm product;
    uint32_t width, height;
    Content content;
} Plan;

/* Milliseconds; parts are a kernel each, or the launches and the copies. */
typedef struct Times {
    uint32_t n_parts;
    float ms, parts[MOST_PARTS];
} Times;

typedef struct Measure {
    Timing timing;
    uint32_t seed, repeats;
    Study study;
    bool open;
    uint32_t width, height; /* of the study's tables; 0: there are none */
    Field field;
    void *host; /* for tables that are copied */
    size_t host_size;
    Transfer transfer;  /* of TMK's nodes, instead */
    uint32_t n_objects; /* of its last run */
    CUevent marks[MOST_PARTS + 1];
    uint32_t n_marks;
} Measure;

/* All of these say what failed, and return false then. */
bool measure_check(Measure *measure, CUresult result, const char *what);

/* Room on the host for what is copied. */
bool measure_prepare_copies(Measure *measure, const Plan *plan);
void measure_free_copies(Measure *measure);

bool measure_warm_up(Measure *measure, const Plan *plan);
bool measure_once(Measure *measure, const Plan *plan, Times *times);

#endif /* STUDY_MEASURE_H */
