/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CHECKCCA_CASES_H
#define CHECKCCA_CASES_H

#include "check.h"

/* cases-small.c: exhaustive */
extern const Group group_masks, group_lines, group_tiles;

/* cases-sizes.c */
extern const Group group_sizes, group_widths, group_heights, group_bands, group_joins, group_seams;

/* cases-patterns.c */
extern const Group group_adversaries, group_noise;

/* cases-dense.c */
extern const Group group_dense;

/* cases-random.c */
extern const Group group_random;
void random_areas(Rng *rng, uint32_t width, uint32_t height, CcaParams *params);
void random_roi(Rng *rng, uint32_t width, uint32_t height, CcaRect *roi);

/* cases-symmetry.c */
extern const Group group_symmetry;

/* cases-state.c */
extern const Group group_slots, group_reconfigure, group_repeat;

/* cases-together.c */
extern const Group group_together;

/* cases-errors.c, cases-life.c: the border */
extern const Group group_errors, group_life;

/* cases-clips.c */
extern const Group group_clips, group_working, group_backgrounds;
void random_radii(Rng *rng, CcaParams *params);
void random_params(Rng *rng, const CcaConfig *config, uint32_t width, uint32_t height,
                   CcaParams *params);

/* cases-steps.c, cases-votes.c, cases-otsu.c, cases-morphology.c, cases-depths.c: the foreground */
extern const Group group_steps, group_votes, group_otsu, group_morphology, group_depths;

/* cases-light.c */
extern const Group group_light;

/* cases-limits.c */
extern const Group group_limits;
void random_limits(Rng *rng, uint32_t width, uint32_t height, CcaLimits *limits);
void random_peak(Rng *rng, const CcaConfig *config, CcaParams *params);

/* cases-opencv.c */
extern const Group group_opencv;

/* OpenCV's result for a frame of 8 bits; none if it is not built in. */
struct OpencvPeer *opencv_peer(Check *check);
void check_opencv(Check *check, const Case *c);

/* cases-polygons.c */
extern const Group group_polygons;
CcaMask *random_mask(Rng *rng, uint32_t width, uint32_t height);

/* cases-shifted.c */
extern const Group group_shifted;

/* cases-labels.c */
extern const Group group_labels;

/* cases-features.c */
extern const Group group_features;

/* cases-large.c */
extern const Group group_large, group_far;

#endif /* CHECKCCA_CASES_H */
