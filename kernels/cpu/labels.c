/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The picture of ids: the runs of the rows once more, each with the id of its label.
 * Compiled once for each instruction set. */

#include <string.h>

#include "level.h"
#include "runs.h"

/* The root of a label of any band. Other bands do the same at this time: no path is
 * shortened. */
static uint32_t find_root(const CpuLabel *const nodes, uint32_t l)
{
    while (nodes[l].parent != l)
        l = nodes[l].parent;
    return l;
}

/* Ids for the labels that are no roots. A parent comes first; it has its id unless it is
 * in another band. */
static void number_labels(CpuLabel *const nodes, const CpuBand *const band)
{
    for (uint32_t l = band->first_label; l < band->first_label + band->n_labels; l++) {
        const uint32_t parent = nodes[l].parent;
        if (parent == l)
            continue;
        const bool here = parent >= band->first_label;
        nodes[l].id = nodes[here ? parent : find_root(nodes, parent)].id;
    }
}

COPIED void fill(const uint32_t bits, uint8_t *const row, const uint32_t x0, const uint32_t x1,
                 const uint32_t id)
{
    for (uint32_t x = x0; x < x1; x++) {
        if (bits == 8)
            row[x] = (uint8_t) id;
        else if (bits == 16)
            ((uint16_t *) row)[x] = (uint16_t) id;
        else
            ((uint32_t *) row)[x] = id;
    }
}

/* A row of the frame, of which the region has runs. */
COPIED void write_row(const uint32_t bits, const CcaJob *const job, uint8_t *const row,
                      const CpuLabel *const nodes, const CpuRuns *const runs)
{
    uint32_t x = 0;
    for (uint32_t i = 0; i < runs->n; i++) {
        const uint32_t x0 = job->x + runs->edges[2 * i], x1 = job->x + runs->edges[2 * i + 1];
        fill(bits, row, x, x0, 0);
        fill(bits, row, x0, x1, nodes[runs->labels[i]].id);
        x = x1;
    }
    fill(bits, row, x, job->frame.width, 0);
}

COPIED void write_rows(const uint32_t bits, const CcaJob *const job,
                       const CcaLabels *const plane, const CpuLabels labels,
                       CpuBand *const band)
{
    CpuRuns runs = { band->rows[0].edges, band->run_labels, 0 };
    for (uint32_t r = 0; r < band->n_rows; r++) {
        const uint32_t y = job->y + band->first_row + r;
        runs.n = detect_runs(band->bits.words + r * band->bits.pitch, job->width, runs.edges,
                             band->ranks[0]);
        write_row(bits, job, (uint8_t *) plane->data + y * plane->stride, labels.nodes, &runs);
        runs.labels += runs.n;
    }
}

void LEVEL(cca_cpu_write_labels_)(const CcaJob *const job, const CcaLabels *const plane,
                                  const CpuLabels labels, CpuBand *const band)
{
    number_labels(labels.nodes, band);
    switch (plane->bits) {
    case 8: write_rows(8, job, plane, labels, band); break;
    case 16: write_rows(16, job, plane, labels, band); break;
    default: write_rows(32, job, plane, labels, band); break;
    }
}
