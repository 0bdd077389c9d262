/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* HA4, labels and features, with masks of 32 and of 64 pixels: COMPAS 2019. With 64, and
 * features, it is the HA of ICASSP 2021. */

#include "ha4.cuh"
#include "kernel.cuh"

template <typename Word>
DEVICE void vote_by_segment(const CudaImage &image, const StudyTables &t)
{
    compute_features<Word>(image, t,
                           [&](uint32_t, const uint32_t l, const uint32_t x0, const uint32_t x1,
                               const uint32_t y) {
                               update_features(t, l, record_of(x0, x1, y)); /* line 12 */
                           });
}

STUDY_KERNEL(study_ha4_32_strips, label_strips<uint32_t, LabelsAlone>)
STUDY_KERNEL(study_ha4_32_borders, merge_borders<uint32_t, LabelsAlone>)
STUDY_KERNEL(study_ha4_32_relabel, relabel<uint32_t>)
STUDY_KERNEL(study_ha4_64_strips, label_strips<uint64_t, LabelsAlone>)
STUDY_KERNEL(study_ha4_64_borders, merge_borders<uint64_t, LabelsAlone>)
STUDY_KERNEL(study_ha4_64_relabel, relabel<uint64_t>)

STUDY_KERNEL(study_ha_32_strips, label_strips<uint32_t, Afterwards>)
STUDY_KERNEL(study_ha_32_features, vote_by_segment<uint32_t>)
STUDY_KERNEL(study_ha_strips, label_strips<uint64_t, Afterwards>)
STUDY_KERNEL(study_ha_features, vote_by_segment<uint64_t>)
