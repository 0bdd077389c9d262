/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* FLSL+CD, ICASSP 2021: FLSL, and Algorithm 3 in place of its feature update. The product's
 * flsl-cd is this, less a table (a root's row is its min_y) and with an order after it. */

#include "conflicts.cuh"
#include "flsl.cuh"
#include "kernel.cuh"

DEVICE void vote_by_run_cd(const CudaImage &image, const StudyTables &t)
{
    compute_run_features(image, t,
                         [&](const uint32_t mask, const uint32_t l, const uint32_t x0,
                             const uint32_t x1,
                             const uint32_t y) { update_features_cd(t, mask, l, x0, x1, y); });
}

STUDY_KERNEL(study_flsl_cd_features, vote_by_run_cd)
