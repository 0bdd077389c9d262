/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_STUDY_LABELS_CUH
#define CCA_STUDY_LABELS_CUH

/* Union-find with ordinary loads, as printed. A multiprocessor's own cache may answer them
 * with a parent that is no longer the parent: it is still a smaller label of the same set,
 * and atomicMin tells whether it was a root. */

#include "product.cuh"

/* Up to the root, where no label is merged any more. */
DEVICE uint32_t find_root(const uint32_t *const L, uint32_t label)
{
    for (uint32_t parent; label != (parent = load_weak(L + label));)
        label = parent;
    return label;
}

/* COMPAS 2019, Algorithm 2. */
DEVICE void merge_labels(uint32_t *const L, uint32_t label1, uint32_t label2)
{
    uint32_t label3;
    while (label1 != label2 && label1 != (label3 = load_weak(L + label1)))
        label1 = label3;
    while (label1 != label2 && label2 != (label3 = load_weak(L + label2)))
        label2 = label3;
    while (label1 != label2) {
        if (label1 < label2) {
            const uint32_t swapped = label1;
            label1 = label2;
            label2 = swapped;
        }
        label3 = atomicMin(L + label1, label2);
        label1 = label1 == label3 ? label2 : label3;
    }
}

#endif /* CCA_STUDY_LABELS_CUH */
