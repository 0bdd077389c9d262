/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CPU_TABLES_H
#define CCA_CPU_TABLES_H

#include "foreground.h"
#include "select.h"

/* All of the engine, in one reservation. */
typedef struct CpuTables {
    CpuBand *bands;
    CcaComponent *results; /* max_components for each slot */
    CpuForeground foreground;
    uint8_t *scratch;      /* what lies from here on is of no use between frames */
    CpuLabels labels;
    CpuSelect select;
    uint32_t *run_labels;  /* for every run that a frame can have, if labels may be asked for */
} CpuTables;

/* Lays them out for `config` from `base` on, or nowhere if that is NULL; returns their size
 * in bytes, whole pages. */
uint64_t cca_cpu_lay_out(CpuTables *t, const CcaConfig *config, uint32_t threads, uint8_t *base);

/* Runs of a row of so many pixels, at the most. */
static inline uint64_t cca_cpu_max_runs(const uint32_t width)
{
    return ((uint64_t) width + 1) / 2;
}

#endif /* CCA_CPU_TABLES_H */
