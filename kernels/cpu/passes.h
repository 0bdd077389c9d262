/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CPU_PASSES_H
#define CCA_CPU_PASSES_H

#include "levels.h"
#include "workers.h"

/* Lay out the table of the background, and the tables that only the current frame uses. */
void cca_cpu_place_background(CpuForeground *f, CcaArena *arena, const CcaConfig *config);
void cca_cpu_place_masks(CpuForeground *f, CcaArena *arena, const CcaConfig *config,
                         uint32_t n_bands, uint32_t threads);
/* Bytes of the latter that this frame uses. */
uint64_t cca_cpu_mask_size(const CcaJob *job, const CcaConfig *config);

/* Finds the foreground where rows.c does not, and updates the background; with Otsu sets the
 * thresholds of `job`. Returns the threshold used, or the contrast, what `light` did, and the
 * number of foreground pixels if they are to be counted, else 0. */
uint32_t cca_cpu_find_foreground(CpuForeground *f, const CpuCode *code, CcaJob *job,
                                 const CcaConfig *config, CpuWorkers *workers, CcaLight *light,
                                 uint32_t *n_foreground);

/* Bits of the region from row y; no bits if rows.c computes them. */
CpuBits cca_cpu_mask_rows(const CpuForeground *f, const CcaJob *job, uint32_t y);

/* Opens and closes the foreground in the `b`th band, if the job has radii. */
void cca_cpu_open_and_close(const CpuForeground *f, const CpuCode *code, const CcaJob *job,
                            uint32_t b, CpuBand *band);

#endif /* CCA_CPU_PASSES_H */
