/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CPU_FOREGROUND_H
#define CCA_CPU_FOREGROUND_H

#include "engine.h"

/* What the foreground is found with where rows.c does not find it itself. */
typedef struct CpuForeground {
    uint32_t threads;
    uint8_t *background; /* planes of rows of values, one behind the other: of difference
                          * the ring of frames, of sigma-delta M and V ... */
    uint64_t plane;      /* ... of so many bytes */
    uint64_t *mask;      /* bits of the region before it is opened and closed */
    uint64_t *scratch;   /* bits of all bands' rows and of those around them */
    uint32_t *histograms; /* of Otsu */
} CpuForeground;

/* Writes the mask of rows `first` to `end`: with a background those of the frame, of
 * which it brings the background forward and the region has bits; otherwise those
 * of the region. */
typedef void CpuFindBits(const CpuForeground *f, const CcaConfig *config, const CcaJob *job,
                         uint32_t first, uint32_t end);

/* Opens and closes the rows of a band of the mask, into `scratch`, where each row is
 * twice the reach longer, and where there are as many more, and a word. */
typedef void CpuOpenAndClose(const CpuForeground *f, const CcaJob *job, CpuBand *band,
                             uint64_t *scratch);

/* Labels the rows of a band and sums up its labels: each root then has all features
 * within the band, and what lies at a seam names its root. */
typedef void CpuLabelRows(const CcaJob *job, uint32_t sample_size, CpuLabels labels,
                          CpuBand *band);

/* Writes the ids of the components into the rows of a band, when all bands' roots have
 * theirs. `plane` is in the form for them. */
typedef void CpuWriteLabels(const CcaJob *job, const CcaLabels *plane, CpuLabels labels,
                            CpuBand *band);

/* What is compiled once for each CcaCpuLevel. */
typedef struct CpuCode {
    CpuFindBits *find_bits;
    CpuOpenAndClose *open_and_close;
    CpuLabelRows *label_rows;
    CpuWriteLabels *write_labels;
} CpuCode;

CpuFindBits cca_cpu_find_bits_baseline, cca_cpu_find_bits_v3, cca_cpu_find_bits_v4;
CpuOpenAndClose cca_cpu_open_and_close_baseline, cca_cpu_open_and_close_v3,
    cca_cpu_open_and_close_v4;
CpuLabelRows cca_cpu_label_rows_baseline, cca_cpu_label_rows_v3, cca_cpu_label_rows_v4;
CpuWriteLabels cca_cpu_write_labels_baseline, cca_cpu_write_labels_v3, cca_cpu_write_labels_v4;

/* Rows and columns around a band on which its opened and closed rows depend. */
static inline uint32_t cca_cpu_reach(const CcaJob *const job)
{
    return 2 * (job->params.open_radius + job->params.close_radius);
}

#define CPU_MAX_REACH (2 * (CCA_MAX_OPEN_RADIUS + CCA_MAX_CLOSE_RADIUS))

/* Tables: that of the background, and those that are of no use between frames. */
void cca_cpu_place_background(CpuForeground *f, CcaArena *arena, const CcaConfig *config);
void cca_cpu_place_masks(CpuForeground *f, CcaArena *arena, const CcaConfig *config,
                         uint32_t n_bands, uint32_t threads);
/* Bytes of the latter that this frame takes. */
uint64_t cca_cpu_mask_size(const CcaJob *job, const CcaConfig *config);

/* Finds the foreground as far as rows.c does not, and brings the background forward:
 * with Otsu sets the thresholds of `job`. Returns the threshold used, or the contrast. */
uint32_t cca_cpu_find_foreground(const CpuForeground *f, const CpuCode *code, CcaJob *job,
                                 const CcaConfig *config, CpuWorkers *workers);

/* Bits of the region from row y on; none if rows.c finds them. */
CpuBits cca_cpu_mask_rows(const CpuForeground *f, const CcaJob *job, uint32_t y);

/* Opens and closes the foreground in the `b`th band, if that is asked for. */
void cca_cpu_open_and_close(const CpuForeground *f, const CpuCode *code, const CcaJob *job,
                            uint32_t b, CpuBand *band);

#endif /* CCA_CPU_FOREGROUND_H */
