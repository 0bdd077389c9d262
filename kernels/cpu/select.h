/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CPU_SELECT_H
#define CCA_CPU_SELECT_H

#include "engine.h"

/* A component to be sorted by area. */
typedef struct CpuKey {
    uint32_t area;
    uint32_t id;
    uint32_t label;
} CpuKey;

/* Scratch for the sort: room for every record of a frame, twice. */
typedef struct CpuSelect {
    CpuKey *keys[2];
} CpuSelect;

/* Writes the records of a band, in raster order, to their places in the frame's
 * `results`, as far as these fit in job->max_components. */
void cca_cpu_emit(const CcaJob *job, CpuLabels labels, const CpuBand *band,
                  CcaComponent *results);

/* Gives the roots of a band their ids, or 0, for the labels: they lose min_y. */
void cca_cpu_number_roots(const CcaJob *job, CpuLabels labels, const CpuBand *band);

/* Writes the frame's records by falling area, then by id. */
void cca_cpu_emit_largest(const CpuSelect *select, const CcaJob *job, CpuLabels labels,
                          const CpuBand *bands, uint32_t n_bands, uint32_t n_found,
                          CcaComponent *results);

#endif /* CCA_CPU_SELECT_H */
