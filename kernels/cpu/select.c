/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* From flattened labels to records: filters, order, cap. */

#include <string.h>

#include "select.h"

static inline bool is_found(const CcaParams *const params, const CpuLabel *const labels,
                            const uint32_t l)
{
    return labels[l].parent == l && cca_area_passes(params, labels[l].area);
}

uint32_t cca_cpu_count(const CcaParams *const params, const CpuLabel *const labels,
                       const CpuBand *const band)
{
    uint32_t n = 0;
    const uint32_t end = band->first_label + band->n_labels;
    for (uint32_t l = band->first_label; l < end; l++)
        n += is_found(params, labels, l);
    return n;
}

static inline CcaComponent record(const CcaJob *const job, const CpuLabel *const f,
                                  const uint32_t id)
{
    return (CcaComponent) {
        .id = id,
        .x = job->x + f->min_x,
        .y = job->y + f->min_y,
        .width = f->max_x - f->min_x + 1,
        .height = f->max_y - f->min_y + 1,
        .area = f->area,
        .sum_x = f->sum_x + (uint64_t) job->x * f->area,
        .sum_y = f->sum_y + (uint64_t) job->y * f->area,
    };
}

void cca_cpu_emit(const CcaJob *const job, const CpuLabel *const labels,
                  const CpuBand *const band, CcaComponent *const results)
{
    const uint32_t end = band->first_label + band->n_labels;
    uint32_t n = band->first_found;
    for (uint32_t l = band->first_label; l < end && n < job->max_components; l++) {
        if (is_found(&job->params, labels, l)) {
            results[n] = record(job, &labels[l], n + 1);
            n++;
        }
    }
}

#define DIGIT_BITS 11 /* three passes cover the 31 bits of an area */

/* Stable, by one digit of the area, the largest first. */
static void sort_by_digit(CpuKey *const to, const CpuKey *const from, const uint32_t n,
                          const uint32_t shift)
{
    const uint32_t mask = (1 << DIGIT_BITS) - 1;
    uint32_t start[1 << DIGIT_BITS] = { 0 };
    for (uint32_t i = 0; i < n; i++)
        start[from[i].area >> shift & mask]++;
    uint32_t sum = 0;
    for (uint32_t d = mask + 1; d-- > 0;) {
        const uint32_t count = start[d];
        start[d] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < n; i++)
        to[start[from[i].area >> shift & mask]++] = from[i];
}

void cca_cpu_emit_largest(const CpuSelect *const select, const CcaJob *const job,
                          const CpuLabel *const labels, const CpuBand *const bands,
                          const uint32_t n_bands, const uint32_t n_found,
                          CcaComponent *const results)
{
    CpuKey *keys = select->keys[0], *other = select->keys[1];
    uint32_t n = 0, largest = 0;
    for (uint32_t b = 0; b < n_bands; b++) {
        const uint32_t end = bands[b].first_label + bands[b].n_labels;
        for (uint32_t l = bands[b].first_label; l < end; l++) {
            if (!is_found(&job->params, labels, l))
                continue;
            keys[n] = (CpuKey) { labels[l].area, n + 1, l };
            n++;
            if (labels[l].area > largest)
                largest = labels[l].area;
        }
    }
    for (uint32_t shift = 0; shift < 32 && largest >> shift != 0; shift += DIGIT_BITS) {
        sort_by_digit(other, keys, n, shift);
        CpuKey *const sorted = other;
        other = keys;
        keys = sorted;
    }
    const uint32_t n_results = n_found < job->max_components ? n_found : job->max_components;
    for (uint32_t i = 0; i < n_results; i++)
        results[i] = record(job, &labels[keys[i].label], keys[i].id);
}
