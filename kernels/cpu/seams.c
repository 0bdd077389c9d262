/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Joins components across the seams between bands. */

#include "seams.h"

/* What touches across seams, and how it counts. */
typedef struct Seams {
    const CcaParams *params;
    CpuLabels labels;
    CpuBand *bands;
    uint32_t pitch; /* labels from band to band */
} Seams;

/* Makes one component of two. */
static void join_components(const Seams *const s, const uint32_t root, const uint32_t other)
{
    CpuFeatures *const f = s->labels.features;
    CpuBand *const band = &s->bands[root / s->pitch];
    band->n_found -= cca_area_passes(s->params, f[root].area);
    s->bands[other / s->pitch].n_found -= cca_area_passes(s->params, f[other].area);
    s->labels.nodes[other].parent = root;
    cca_cpu_merge(&f[root], &f[other]);
    band->n_found += cca_area_passes(s->params, f[root].area);
    if (f[root].area > band->largest)
        band->largest = f[root].area;
}

/* Unites what touches across a seam. */
static void join(const Seams *const s, const CpuRuns *const above, const CpuRuns *const below)
{
    const uint32_t corner = s->params->connectivity == 8;
    CpuLabel *const nodes = s->labels.nodes;
    for (uint32_t i = 0, j = 0; i < above->n && j < below->n;) {
        const uint32_t a0 = above->edges[2 * i], a1 = above->edges[2 * i + 1];
        const uint32_t b0 = below->edges[2 * j], b1 = below->edges[2 * j + 1];
        if (a0 < b1 + corner && b0 < a1 + corner) {
            const uint32_t a = cca_cpu_find(nodes, above->labels[i]);
            const uint32_t b = cca_cpu_find(nodes, below->labels[j]);
            if (a != b)
                join_components(s, umin(a, b), umax(a, b));
        }
        if (a1 < b1)
            i++;
        else
            j++;
    }
}

void cca_cpu_join_bands(const CcaParams *const params, const CpuLabels labels,
                        CpuBand *const bands, const uint32_t n_bands, const uint32_t pitch)
{
    const Seams seams = { params, labels, bands, pitch };
    for (uint32_t b = 1; b < n_bands; b++)
        join(&seams, &bands[b - 1].bottom, &bands[b].top);
}
