/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* HA+CD, ICASSP 2021: HA, and Algorithm 3 in place of its feature update. */

#include "conflicts.cuh"
#include "ha4.cuh"
#include "kernel.cuh"

DEVICE void vote_by_segment_cd(const CudaImage &image, const StudyTables &t)
{
    compute_features<uint64_t>(image, t,
                               [&](const uint32_t mask, const uint32_t l, const uint32_t x0,
                                   const uint32_t x1, const uint32_t y) {
                                   update_features_cd(t, mask, l, x0, x1, y);
                               });
}

STUDY_KERNEL(study_ha_cd_features, vote_by_segment_cd)
