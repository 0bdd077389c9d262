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

static inline void count(const CcaParams *const params, const CpuLabel *const labels,
                         CpuBand *const band, const bool by_area)
{
    uint32_t n = 0, largest = 0;
    const uint32_t end = band->first_label + band->n_labels;
    for (uint32_t l = band->first_label; l < end; l++) {
        const bool found = is_found(params, labels, l);
        n += found;
        if (by_area && found && labels[l].area > largest)
            largest = labels[l].area;
    }
    band->n_found = n;
    band->largest = largest;
}

void cca_cpu_count(const CcaParams *const params, const CpuLabel *const labels,
                   CpuBand *const band)
{
    if (params->order == CCA_ORDER_AREA)
        count(params, labels, band, true);
    else
        count(params, labels, band, false);
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
#define DIGIT_MASK ((1 << DIGIT_BITS) - 1)

/* Stable, by one digit of the area, the largest first. */
static void sort_by_digit(CpuKey *const to, const CpuKey *const from, const uint32_t n,
                          const uint32_t shift)
{
    uint32_t start[1 << DIGIT_BITS] = { 0 };
    for (uint32_t i = 0; i < n; i++)
        start[from[i].area >> shift & DIGIT_MASK]++;
    uint32_t sum = 0;
    for (uint32_t d = DIGIT_MASK + 1; d-- > 0;) {
        const uint32_t count = start[d];
        start[d] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < n; i++)
        to[start[from[i].area >> shift & DIGIT_MASK]++] = from[i];
}

/* The area of the `n`th largest component, of more than `n`; *n_equal of those of
 * just that area are among the `n` largest. */
static uint32_t find_cut(const CcaJob *const job, const CpuLabel *const labels,
                         const CpuBand *const bands, const uint32_t n_bands,
                         const uint32_t largest, const uint32_t n, uint32_t *const n_equal)
{
    uint64_t prefix = 0; /* digits of that area, as far as they are known */
    *n_equal = n;
    for (uint32_t shift = 3 * DIGIT_BITS; shift > 0;) {
        shift -= DIGIT_BITS;
        if (largest >> shift == 0)
            continue;
        uint32_t counts[1 << DIGIT_BITS] = { 0 };
        for (uint32_t b = 0; b < n_bands; b++) {
            const uint32_t end = bands[b].first_label + bands[b].n_labels;
            for (uint32_t l = bands[b].first_label; l < end; l++) {
                const uint64_t digits = (uint64_t) labels[l].area >> shift;
                if (digits >> DIGIT_BITS == prefix && is_found(&job->params, labels, l))
                    counts[digits & DIGIT_MASK]++;
            }
        }
        uint32_t d = DIGIT_MASK;
        while (counts[d] < *n_equal)
            *n_equal -= counts[d--];
        prefix = prefix << DIGIT_BITS | d;
    }
    return (uint32_t) prefix;
}

void cca_cpu_emit_largest(const CpuSelect *const select, const CcaJob *const job,
                          const CpuLabel *const labels, const CpuBand *const bands,
                          const uint32_t n_bands, const uint32_t n_found,
                          CcaComponent *const results)
{
    CpuKey *keys = select->keys[0], *other = select->keys[1];
    uint32_t id = 0, n = 0, largest = 0, cut = 0, n_equal = 0;
    for (uint32_t b = 0; b < n_bands; b++)
        largest = bands[b].largest > largest ? bands[b].largest : largest;
    if (n_found > job->max_components)
        cut = find_cut(job, labels, bands, n_bands, largest, job->max_components, &n_equal);
    for (uint32_t b = 0; b < n_bands; b++) {
        const uint32_t end = bands[b].first_label + bands[b].n_labels;
        for (uint32_t l = bands[b].first_label; l < end; l++) {
            if (!is_found(&job->params, labels, l))
                continue;
            id++;
            const uint32_t area = labels[l].area;
            if (area < cut || (area == cut && n_equal == 0))
                continue;
            n_equal -= area == cut;
            keys[n++] = (CpuKey) { area, id, l };
        }
    }
    for (uint32_t shift = 0; shift < 32 && largest >> shift != 0; shift += DIGIT_BITS) {
        sort_by_digit(other, keys, n, shift);
        CpuKey *const sorted = other;
        other = keys;
        keys = sorted;
    }
    for (uint32_t i = 0; i < n; i++)
        results[i] = record(job, &labels[keys[i].label], keys[i].id);
}
