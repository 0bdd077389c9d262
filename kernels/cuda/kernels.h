/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_KERNELS_H
#define CCA_CUDA_KERNELS_H

/* The kernels by name, in the order of their CudaKernel. */
#define CCA_CUDA_KERNELS(X)                                           \
    X(RANK_SCAN, "cca_rank_scan")                                     \
    X(SELECT_COUNT, "cca_select_count")                               \
    X(LABELS_OUTSIDE, "cca_labels_outside")                           \
    X(OTSU_8, "cca_otsu_8")                                           \
    X(OTSU_16_COUNT, "cca_otsu_16_count")                             \
    X(OTSU_16_CHOOSE, "cca_otsu_16_choose")                           \
    X(MASK_THRESHOLD_8, "cca_mask_threshold_8")                       \
    X(MASK_THRESHOLD_16, "cca_mask_threshold_16")                     \
    X(MASK_OTSU_8, "cca_mask_otsu_8")                                 \
    X(MASK_OTSU_16, "cca_mask_otsu_16")                               \
    X(MASK_DIFFERENCE_8, "cca_mask_difference_8")                     \
    X(MASK_DIFFERENCE_16, "cca_mask_difference_16")                   \
    X(MASK_SIGMA_DELTA_8, "cca_mask_sigma_delta_8")                   \
    X(MASK_SIGMA_DELTA_16, "cca_mask_sigma_delta_16")                 \
    X(MASK_SIGMA_DELTA_8_UNIT, "cca_mask_sigma_delta_8_unit")         \
    X(MASK_VOTES_8, "cca_mask_votes_8")                               \
    X(MASK_VOTES_16, "cca_mask_votes_16")                             \
    X(MASK_VOTES_8_UNIT, "cca_mask_votes_8_unit")                     \
    X(LIT_SIGMA_DELTA_8, "cca_lit_sigma_delta_8")                     \
    X(LIT_SIGMA_DELTA_16, "cca_lit_sigma_delta_16")                   \
    X(LIT_SIGMA_DELTA_8_UNIT, "cca_lit_sigma_delta_8_unit")           \
    X(LIT_VOTES_8, "cca_lit_votes_8")                                 \
    X(LIT_VOTES_16, "cca_lit_votes_16")                               \
    X(LIT_VOTES_8_UNIT, "cca_lit_votes_8_unit")                       \
    X(OPEN_CLOSE, "cca_open_close")                                   \
    X(OPEN_CLOSE_WORKING, "cca_open_close_working")                   \
    X(OPEN_CLOSE_1, "cca_open_close_1")                               \
    X(OPEN_CLOSE_1_WORKING, "cca_open_close_1_working")               \
    X(FLSL_SEGMENTS_8_ER16, "cca_flsl_segments_8_er16")               \
    X(FLSL_SEGMENTS_8_ER32, "cca_flsl_segments_8_er32")               \
    X(FLSL_SEGMENTS_16_ER16, "cca_flsl_segments_16_er16")             \
    X(FLSL_SEGMENTS_16_ER32, "cca_flsl_segments_16_er32")             \
    X(FLSL_SEGMENTS_MASK_ER16, "cca_flsl_segments_mask_er16")         \
    X(FLSL_SEGMENTS_MASK_ER32, "cca_flsl_segments_mask_er32")         \
    X(FLSL_UNITE_ER16, "cca_flsl_unite_er16")                         \
    X(FLSL_UNITE_ER32, "cca_flsl_unite_er32")                         \
    X(FLSL_VOTE_ER16, "cca_flsl_vote_er16")                           \
    X(FLSL_VOTE_ER32, "cca_flsl_vote_er32")                           \
    X(FLSL_PEAKS_ER16, "cca_flsl_peaks_er16")                         \
    X(FLSL_PEAKS_ER32, "cca_flsl_peaks_er32")                         \
    X(FLSL_MARK_ER16, "cca_flsl_mark_er16")                           \
    X(FLSL_MARK_ER32, "cca_flsl_mark_er32")                           \
    X(FLSL_AREAS_ER16, "cca_flsl_areas_er16")                         \
    X(FLSL_AREAS_ER32, "cca_flsl_areas_er32")                         \
    X(FLSL_EMIT_ER16, "cca_flsl_emit_er16")                           \
    X(FLSL_EMIT_ER32, "cca_flsl_emit_er32")                           \
    X(FLSL_LABELS_ER16, "cca_flsl_labels_er16")                       \
    X(FLSL_LABELS_ER32, "cca_flsl_labels_er32")                       \
    X(SINGLE_8, "cca_single_8")                                       \
    X(SINGLE_8_EDGES, "cca_single_8_edges")                           \
    X(SINGLE_8_CORNERS, "cca_single_8_corners")                       \
    X(SINGLE_16, "cca_single_16")                                     \
    X(SINGLE_OTSU_8, "cca_single_otsu_8")                             \
    X(SINGLE_OTSU_16, "cca_single_otsu_16")                           \
    X(SINGLE_MASK, "cca_single_mask")                                 \
    X(SINGLE_OPENED_8, "cca_single_opened_8")                         \
    X(SINGLE_OPENED_16, "cca_single_opened_16")                       \
    X(SINGLE_OPENED_OTSU_8, "cca_single_opened_otsu_8")               \
    X(SINGLE_OPENED_MASK, "cca_single_opened_mask")                   \
    X(SINGLE_8_LIMITS, "cca_single_8_limits")                         \
    X(SINGLE_MASK_LIMITS, "cca_single_mask_limits")                   \
    X(SINGLE_8_MEASURED, "cca_single_8_measured")                     \
    X(SINGLE_MASK_MEASURED, "cca_single_mask_measured")               \
    X(WIDE_8, "cca_wide_8")                                           \
    X(WIDE_8_EDGES, "cca_wide_8_edges")                               \
    X(WIDE_8_CORNERS, "cca_wide_8_corners")                           \
    X(WIDE_16, "cca_wide_16")                                         \
    X(WIDE_MASK, "cca_wide_mask")                                     \
    X(WIDE_8_LIMITS, "cca_wide_8_limits")                             \
    X(WIDE_MASK_LIMITS, "cca_wide_mask_limits")                       \
    X(SUPER_8_EDGES, "cca_super_8_edges")                             \
    X(SUPER_8_CORNERS, "cca_super_8_corners")                         \
    X(SUPER_16_EDGES, "cca_super_16_edges")                           \
    X(SUPER_16_CORNERS, "cca_super_16_corners")                       \
    X(SUPER_MASK_EDGES, "cca_super_mask_edges")                       \
    X(SUPER_MASK_CORNERS, "cca_super_mask_corners")                   \
    X(SUPER_8_ANYTHING, "cca_super_8_anything")                       \
    X(SUPER_MASK_ANYTHING, "cca_super_mask_anything")                 \
    X(SUPER_8_LABEL, "cca_super_8_label")                             \
    X(SUPER_16_LABEL, "cca_super_16_label")                           \
    X(SUPER_MASK_LABEL, "cca_super_mask_label")                       \
    X(SUPER_MERGE, "cca_super_merge")                                 \
    X(SUPER_REDUCE, "cca_super_reduce")                               \
    X(SUPER_COUNT, "cca_super_count")                                 \
    X(SUPER_EMIT, "cca_super_emit")                                   \
    X(SUPER_LABELS, "cca_super_labels")                               \
    X(SUPER_8_MEASURED_EDGES, "cca_super_8_measured_edges")           \
    X(SUPER_8_MEASURED_CORNERS, "cca_super_8_measured_corners")       \
    X(SUPER_MASK_MEASURED_EDGES, "cca_super_mask_measured_edges")     \
    X(SUPER_MASK_MEASURED_CORNERS, "cca_super_mask_measured_corners") \
    X(SUPER_8_ALL, "cca_super_8_all")                                 \
    X(SUPER_MASK_ALL, "cca_super_mask_all")                           \
    X(TILE_8, "cca_tile_8")                                           \
    X(TILE_16, "cca_tile_16")                                         \
    X(TILE_OTSU_8, "cca_tile_otsu_8")                                 \
    X(TILE_OTSU_16, "cca_tile_otsu_16")                               \
    X(TILE_MASK, "cca_tile_mask")                                     \
    X(TILE_OPENED, "cca_tile_opened")                                 \
    X(TILE_8_SOON, "cca_tile_8_soon")                                 \
    X(TILE_16_SOON, "cca_tile_16_soon")                               \
    X(TILE_OTSU_8_SOON, "cca_tile_otsu_8_soon")                       \
    X(TILE_OTSU_16_SOON, "cca_tile_otsu_16_soon")                     \
    X(TILE_MASK_SOON, "cca_tile_mask_soon")                           \
    X(TILE_OPENED_SOON, "cca_tile_opened_soon")                       \
    X(MEASURED_8, "cca_measured_8")                                   \
    X(MEASURED_16, "cca_measured_16")                                 \
    X(MEASURED_OTSU_8, "cca_measured_otsu_8")                         \
    X(MEASURED_OTSU_16, "cca_measured_otsu_16")                       \
    X(MEASURED_MASK, "cca_measured_mask")                             \
    X(MEASURED_MERGE, "cca_measured_merge")                           \
    X(MEASURED_REDUCE, "cca_measured_reduce")                         \
    X(MEASURED_EMIT, "cca_measured_emit")                             \
    X(TILE_MERGE, "cca_tile_merge")                                   \
    X(TILE_REDUCE, "cca_tile_reduce")                                 \
    X(TILE_FILTER, "cca_tile_filter")                                 \
    X(TILE_PEAKS, "cca_tile_peaks")                                   \
    X(TILE_SIFT, "cca_tile_sift")                                     \
    X(TILE_SELECT, "cca_tile_select")                                 \
    X(TILE_EMIT, "cca_tile_emit")                                     \
    X(TILE_LABELS, "cca_tile_labels")                                 \
    X(FINE_8, "cca_fine_8")                                           \
    X(FINE_16, "cca_fine_16")                                         \
    X(FINE_MASK, "cca_fine_mask")                                     \
    X(FINE_EMIT, "cca_fine_emit")

typedef enum CudaKernel {
#define CCA_CUDA_KERNEL(id, name) CUDA_##id,
    CCA_CUDA_KERNELS(CCA_CUDA_KERNEL)
#undef CCA_CUDA_KERNEL
        N_CUDA_KERNELS
} CudaKernel;

#endif /* CCA_CUDA_KERNELS_H */
