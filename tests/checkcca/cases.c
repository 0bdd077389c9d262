/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "cases.h"

const Group *const groups[] = {
    &group_masks,    &group_lines,    &group_tiles,      &group_sizes,   &group_widths,
    &group_heights,  &group_bands,    &group_joins,      &group_seams,   &group_adversaries,
    &group_noise,    &group_random,   &group_symmetry,   &group_slots,   &group_reconfigure,
    &group_repeat,   &group_together, &group_errors,     &group_life,    &group_clips,
    &group_steps,    &group_otsu,     &group_morphology, &group_depths,  &group_labels,
    &group_opencv,   &group_dense,    &group_far,        &group_large,   &group_votes,
    &group_light,    &group_working,  &group_polygons,   &group_shifted, &group_backgrounds,
    &group_features, &group_limits,
};

const uint32_t n_groups = sizeof(groups) / sizeof(groups[0]);
