/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The kernels of the study for the simulated driver, as tests/simcuda/kernels.cpp has the
 * product's. */

#include "device.h"
#include "sim.h"
#include "typed.h"

#include "kernels.cu"

static const SimKernels study_kernels{
    KERNEL(study_naive_features),
    KERNEL(study_ha4_32_strips),
    KERNEL(study_ha4_32_borders),
    KERNEL(study_ha4_32_relabel),
    KERNEL(study_ha4_64_strips),
    KERNEL(study_ha4_64_borders),
    KERNEL(study_ha4_64_relabel),
    KERNEL(study_ha_32_strips),
    KERNEL(study_ha_32_features),
    KERNEL(study_ha_strips),
    KERNEL(study_ha_features),
    KERNEL(study_ha_cd_features),
    KERNEL(study_ha_otf_strips),
    KERNEL(study_ha_otf_borders),
    KERNEL(study_flsl_strips),
    KERNEL(study_flsl_borders),
    KERNEL(study_flsl_features),
    KERNEL(study_flsl_otf_strips),
    KERNEL(study_flsl_otf_borders),
    KERNEL(study_flsl_cd_features),
    KERNEL(study_komura_initialise),
    KERNEL(study_komura_reduce),
    KERNEL(study_resolve),
    KERNEL(study_playne_initialise),
    KERNEL(study_playne_reduce),
    KERNEL(study_playne_initialise_all),
    KERNEL(study_playne_tiles),
    KERNEL(study_playne_merge),
    KERNEL(study_inherit_clear),
    KERNEL(study_inherit_count),
    KERNEL(study_inherit_best),
    KERNEL(study_inherit_ids),
    KERNEL(study_inherit_count_new),
    KERNEL(study_inherit_number),
    KERNEL(study_inherit_relabel),
    KERNEL(study_tmk_initialise),
    KERNEL(study_tmk_merge_shared),
    KERNEL(study_tmk_merge_global),
    KERNEL(study_tmk_update_size),
    KERNEL(study_tmk_balance),
    KERNEL(study_dlp_tiles),
    KERNEL(study_dlp_set_root_tiles),
    KERNEL(study_dlp_merge),
    KERNEL(study_dlp_relabel),
    KERNEL(study_gather_pixels),
    KERNEL(study_gather_runs),
    KERNEL(study_draw),
    KERNEL(study_sum_updates),
};
