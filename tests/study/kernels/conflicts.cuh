/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_STUDY_CONFLICTS_CUH
#define CCA_STUDY_CONFLICTS_CUH

/* CD, conflict detection: ICASSP 2021, Algorithm 3, which shows S alone. */

#include "features.cuh"
#include "product.cuh"

/* The feature update of the lanes of `mask`, each with pixels [x0, x1) of row y. */
DEVICE void update_features_cd(const StudyTables &t, const uint32_t mask, const uint32_t l,
                               const uint32_t x0, const uint32_t x1, const uint32_t y)
{
    Votes votes = votes_of(x0, x1);
    if (elect(mask, l, votes))
        update_features(t, l,
                        { votes.area, x0, y, votes.max_x, y, votes.sum_x,
                          (uint64_t) y * votes.area });
}

#endif /* CCA_STUDY_CONFLICTS_CUH */
