/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The product's kernels, compiled for the CPU as they are, and a few bad ones. */

#include <cstring>

#include "device.h"
#include "misuse.cuh"
#include "sim.h"
#include "typed.h"

#include "cuda/kernels.cu"
#include "paint/cuda/paint.cu"
#include "overlay/cuda/overlay.cu"

static const SimKernels product_kernels{
    KERNEL(cca_rank_scan),
    KERNEL(cca_select_count),
    KERNEL(cca_labels_outside),
    KERNEL(cca_otsu_8),
    KERNEL(cca_otsu_16_count),
    KERNEL(cca_otsu_16_choose),
    KERNEL(cca_mask_threshold_8),
    KERNEL(cca_mask_threshold_16),
    KERNEL(cca_mask_otsu_8),
    KERNEL(cca_mask_otsu_16),
    KERNEL(cca_mask_difference_8),
    KERNEL(cca_mask_difference_16),
    KERNEL(cca_mask_sigma_delta_8),
    KERNEL(cca_mask_sigma_delta_16),
    KERNEL(cca_mask_sigma_delta_8_unit),
    KERNEL(cca_mask_votes_8),
    KERNEL(cca_mask_votes_16),
    KERNEL(cca_mask_votes_8_unit),
    KERNEL(cca_lit_sigma_delta_8),
    KERNEL(cca_lit_sigma_delta_16),
    KERNEL(cca_lit_sigma_delta_8_unit),
    KERNEL(cca_lit_votes_8),
    KERNEL(cca_lit_votes_16),
    KERNEL(cca_lit_votes_8_unit),
    KERNEL(cca_open_close),
    KERNEL(cca_open_close_working),
    KERNEL(cca_open_close_1),
    KERNEL(cca_open_close_1_working),
    KERNEL(cca_flsl_segments_8_er16),
    KERNEL(cca_flsl_segments_8_er32),
    KERNEL(cca_flsl_segments_16_er16),
    KERNEL(cca_flsl_segments_16_er32),
    KERNEL(cca_flsl_segments_mask_er16),
    KERNEL(cca_flsl_segments_mask_er32),
    KERNEL(cca_flsl_unite_er16),
    KERNEL(cca_flsl_unite_er32),
    KERNEL(cca_flsl_vote_er16),
    KERNEL(cca_flsl_vote_er32),
    KERNEL(cca_flsl_peaks_er16),
    KERNEL(cca_flsl_peaks_er32),
    KERNEL(cca_flsl_mark_er16),
    KERNEL(cca_flsl_mark_er32),
    KERNEL(cca_flsl_areas_er16),
    KERNEL(cca_flsl_areas_er32),
    KERNEL(cca_flsl_emit_er16),
    KERNEL(cca_flsl_emit_er32),
    KERNEL(cca_flsl_labels_er16),
    KERNEL(cca_flsl_labels_er32),
    KERNEL(cca_single_8),
    KERNEL(cca_single_8_edges),
    KERNEL(cca_single_8_corners),
    KERNEL(cca_wide_8),
    KERNEL(cca_wide_8_edges),
    KERNEL(cca_wide_8_corners),
    KERNEL(cca_wide_16),
    KERNEL(cca_wide_mask),
    KERNEL(cca_wide_8_limits),
    KERNEL(cca_wide_mask_limits),
    KERNEL(cca_single_16),
    KERNEL(cca_single_otsu_8),
    KERNEL(cca_single_otsu_16),
    KERNEL(cca_single_mask),
    KERNEL(cca_single_opened_8),
    KERNEL(cca_single_opened_16),
    KERNEL(cca_single_opened_otsu_8),
    KERNEL(cca_single_opened_mask),
    KERNEL(cca_single_8_limits),
    KERNEL(cca_single_mask_limits),
    KERNEL(cca_single_8_measured),
    KERNEL(cca_single_mask_measured),
    KERNEL(cca_super_8_edges),
    KERNEL(cca_super_8_corners),
    KERNEL(cca_super_16_edges),
    KERNEL(cca_super_16_corners),
    KERNEL(cca_super_mask_edges),
    KERNEL(cca_super_mask_corners),
    KERNEL(cca_super_8_anything),
    KERNEL(cca_super_mask_anything),
    KERNEL(cca_super_8_label),
    KERNEL(cca_super_16_label),
    KERNEL(cca_super_mask_label),
    KERNEL(cca_super_merge),
    KERNEL(cca_super_reduce),
    KERNEL(cca_super_count),
    KERNEL(cca_super_emit),
    KERNEL(cca_super_labels),
    KERNEL(cca_super_8_measured_edges),
    KERNEL(cca_super_8_measured_corners),
    KERNEL(cca_super_mask_measured_edges),
    KERNEL(cca_super_mask_measured_corners),
    KERNEL(cca_super_8_all),
    KERNEL(cca_super_mask_all),
    KERNEL(cca_tile_8),
    KERNEL(cca_tile_16),
    KERNEL(cca_tile_8_soon),
    KERNEL(cca_tile_16_soon),
    KERNEL(cca_tile_otsu_8),
    KERNEL(cca_tile_otsu_16),
    KERNEL(cca_tile_otsu_8_soon),
    KERNEL(cca_tile_otsu_16_soon),
    KERNEL(cca_tile_mask),
    KERNEL(cca_tile_mask_soon),
    KERNEL(cca_tile_opened),
    KERNEL(cca_tile_opened_soon),
    KERNEL(cca_measured_8),
    KERNEL(cca_measured_16),
    KERNEL(cca_measured_otsu_8),
    KERNEL(cca_measured_otsu_16),
    KERNEL(cca_measured_mask),
    KERNEL(cca_measured_merge),
    KERNEL(cca_measured_reduce),
    KERNEL(cca_measured_emit),
    KERNEL(cca_tile_merge),
    KERNEL(cca_tile_reduce),
    KERNEL(cca_tile_filter),
    KERNEL(cca_tile_peaks),
    KERNEL(cca_tile_sift),
    KERNEL(cca_tile_select),
    KERNEL(cca_tile_emit),
    KERNEL(cca_fine_8),
    KERNEL(cca_fine_16),
    KERNEL(cca_fine_mask),
    KERNEL(cca_fine_emit),
    KERNEL(cca_overlay_nv12),
    KERNEL(cca_overlay_any),
    KERNEL(cca_paint_pixels),
    KERNEL(cca_paint_keys),
    KERNEL(cca_tile_labels),
    /* for misuse.c */
    KERNEL(misuse_none),
    KERNEL(misuse_image),
    KERNEL(misuse_race),
    KERNEL(misuse_next),
    KERNEL(misuse_next_keeps),
    KERNEL(misuse_next_early),
    KERNEL(misuse_write_past_end),
    KERNEL(misuse_lane_returned),
    KERNEL(misuse_lanes_apart),
    KERNEL(misuse_not_in_mask),
    KERNEL(misuse_shuffle_from_outside),
    KERNEL(misuse_barrier_left_out),
    KERNEL(misuse_grid),
    KERNEL(misuse_grid_left_out),
    KERNEL(misuse_unaligned),
};

/* Never destroyed, as calls of other static objects' destructors may still find kernels. */
static std::vector<SimKernel> &all_kernels()
{
    static auto &all = *new std::vector<SimKernel>;
    return all;
}

SimKernels::SimKernels(const std::initializer_list<SimKernel> kernels)
{
    all_kernels().insert(all_kernels().end(), kernels);
}

const SimKernel *sim_find_kernel(const char *const name)
{
    for (const SimKernel &k : all_kernels())
        if (strcmp(k.name, name) == 0)
            return &k;
    return nullptr;
}

/* The launch bounds are not known here; only those of super tiles matter. */
uint32_t sim_max_threads(const SimKernel &kernel)
{
    return strncmp(kernel.name, "cca_super_", 10) == 0 ? super::max_threads : 1024;
}
