/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* FLSL, ICASSP 2021: a feature update for each run. */

#include "flsl.cuh"
#include "kernel.cuh"

DEVICE void vote_by_run(const CudaImage &image, const StudyTables &t)
{
    compute_run_features(image, t,
                         [&](uint32_t, const uint32_t l, const uint32_t x0, const uint32_t x1,
                             const uint32_t y) { update_features(t, l, record_of(x0, x1, y)); });
}

STUDY_KERNEL(study_flsl_strips, label_run_strips<Afterwards>)
STUDY_KERNEL(study_flsl_borders, merge_run_borders<Afterwards>)
STUDY_KERNEL(study_flsl_features, vote_by_run)
