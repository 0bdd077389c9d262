/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_STUDY_ON_THE_FLY_CUH
#define CCA_STUDY_ON_THE_FLY_CUH

/* OTF, on-the-fly feature merge: ICASSP 2021, Algorithm 2, which shows S alone. */

#include "features.cuh"

/* Lines 9 and 10, or 17 and 18. Extremes may be merged twice: they are read, and stay. */
DEVICE void move_features(const StudyTables &t, const uint32_t from, const uint32_t to)
{
    const Record r = {
        atomicExch(t.S + from, 0),
        load_relaxed(t.min_x + from),
        load_relaxed(t.min_y + from),
        load_relaxed(t.max_x + from),
        load_relaxed(t.max_y + from),
        atomicExch((unsigned long long *) t.Sx + from, 0),
        atomicExch((unsigned long long *) t.Sy + from, 0),
    };
    update_features(t, to, r);
}

/* Lines 14 to 22: what was added to l1 goes on until it is at a root. */
DEVICE void settle(const StudyTables &t, uint32_t l1)
{
    uint32_t a = find(t.L, l1); /* line 14 */
    __threadfence();
    while (a != l1) { /* line 16 */
        move_features(t, l1, a);
        __threadfence();
        l1 = a; /* line 20 */
        a = find(t.L, l1);
        __threadfence();
    }
}

struct OnTheFly {
    /* A label begins with its run's features, so that it can be merged at once. */
    DEVICE void open(const StudyTables &t, const uint32_t l, const Record &r)
    {
        store_features(t, l, r);
    }

    /* A part of a run whose label is there already: the paper does not say how it gets to
     * the root. */
    DEVICE void add_run(const StudyTables &t, const uint32_t l, const Record &r)
    {
        const uint32_t a = find(t.L, l);
        update_features(t, a, r);
        __threadfence();
        settle(t, a);
    }

    DEVICE void merge(const StudyTables &t, uint32_t l1, uint32_t l2)
    {
        l1 = find(t.L, l1); /* line 2 */
        l2 = find(t.L, l2);
        __threadfence();
        while (l1 != l2) { /* line 5 */
            if (l2 < l1) {
                const uint32_t swapped = l1;
                l1 = l2;
                l2 = swapped;
            }
            const uint32_t l = atomicMin(t.L + l2, l1); /* line 7 */
            __threadfence();
            move_features(t, l2, l1); /* line 9 */
            __threadfence();
            if (l == l2) /* line 12 */
                break;
            l2 = l;
        }
        settle(t, l1);
    }
};

#endif /* CCA_STUDY_ON_THE_FLY_CUH */
