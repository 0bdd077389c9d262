/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CPU_OTSU_H
#define CCA_CPU_OTSU_H

#include "engine.h"

/* Histograms that are worth counting in parallel for a region of this size. */
uint32_t cca_cpu_n_histograms(const CcaConfig *config, uint32_t width, uint32_t height,
                              uint32_t n_threads);
/* Counters of each, one behind the other. */
size_t cca_cpu_histogram_size(const CcaConfig *config);

/* Counts the values in rows `first` to `end` of the region. */
void cca_cpu_count_values(uint32_t *histogram, const CcaJob *job, const CcaConfig *config,
                          uint32_t first, uint32_t end);

/* The threshold for the pixels of all histograms, the first of which becomes their sum. */
uint32_t cca_cpu_otsu(uint32_t *histograms, uint32_t n_histograms, const CcaConfig *config);

#endif /* CCA_CPU_OTSU_H */
