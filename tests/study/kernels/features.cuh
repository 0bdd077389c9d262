/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_STUDY_FEATURES_CUH
#define CCA_STUDY_FEATURES_CUH

/* The 7 features of ICASSP 2021, section 4, one table each. */

#include "labels.cuh"
#include "tables.h"

struct Record {
    uint32_t S, min_x, min_y, max_x, max_y;
    uint64_t Sx, Sy;
};

/* Of the pixels [x0, x1) of row y; COMPAS 2019, Algorithm 6. */
DEVICE Record record_of(const uint32_t x0, const uint32_t x1, const uint32_t y)
{
    const uint32_t count = x1 - x0;
    return { count, x0, y, x1 - 1, y, ((uint64_t) x0 + x1 - 1) * count / 2, (uint64_t) y * count };
}

DEVICE void store_features(const StudyTables &t, const uint32_t l, const Record &r)
{
    t.S[l] = r.S;
    t.min_x[l] = r.min_x;
    t.min_y[l] = r.min_y;
    t.max_x[l] = r.max_x;
    t.max_y[l] = r.max_y;
    t.Sx[l] = r.Sx;
    t.Sy[l] = r.Sy;
}

DEVICE void add(uint64_t *const p, const uint64_t v)
{
    atomicAdd((unsigned long long *) p, v);
}

/* The papers' feature update: 7 atomics. */
DEVICE void update_features(const StudyTables &t, const uint32_t l, const Record &r)
{
    if (t.U != nullptr)
        atomicAdd(t.U + l, 1);
    atomicAdd(t.S + l, r.S);
    add(t.Sx + l, r.Sx);
    add(t.Sy + l, r.Sy);
    atomicMin(t.min_x + l, r.min_x);
    atomicMin(t.min_y + l, r.min_y);
    atomicMax(t.max_x + l, r.max_x);
    atomicMax(t.max_y + l, r.max_y);
}

/* Features are computed in a kernel of their own, once all labels are merged. Nothing is
 * said of initialisation: here whatever makes a label does it. */
struct Afterwards {
    DEVICE void open(const StudyTables &t, const uint32_t l, const Record &)
    {
        store_features(t, l, { 0, UINT32_MAX, UINT32_MAX, 0, 0, 0, 0 });
    }

    DEVICE void add_run(const StudyTables &, uint32_t, const Record &)
    {
    }

    DEVICE void merge(const StudyTables &t, const uint32_t l1, const uint32_t l2)
    {
        merge_labels(t.L, l1, l2);
    }
};

#endif /* CCA_STUDY_FEATURES_CUH */
