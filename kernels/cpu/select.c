/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* From labels that are summed up to records: order and cap. */

#include <string.h>

#include "select.h"

/* Field by field: a record that is made elsewhere and copied in wider pieces waits for
 * the fields to be stored. */
static inline void write_record(CcaComponent *const to, const CcaJob *const job,
                                const CpuLabels labels, const uint32_t l, const uint32_t id)
{
    const CpuFeatures *const f = &labels.features[l];
    const uint32_t min_x = ~f->not_min_x, min_y = labels.nodes[l].min_y;
    to->id = id;
    to->x = job->x + min_x;
    to->y = job->y + min_y;
    to->width = f->end_x - min_x;
    to->height = f->end_y - min_y;
    to->area = f->area;
    to->sum_x = f->sum_x + (uint64_t) job->x * f->area;
    to->sum_y = f->sum_y + (uint64_t) job->y * f->area;
}

#define LABELS_AT_ONCE 256

/* What is found is hard to predict, so it is listed first. */
static inline void emit(const CcaJob *const job, const CpuLabels labels,
                        const CpuBand *const band, CcaComponent *const results,
                        const bool has_filter)
{
    const uint32_t end = band->first_label + band->n_labels;
    uint32_t found[LABELS_AT_ONCE], n = band->first_found;
    for (uint32_t l = band->first_label; l < end && n < job->max_components;) {
        const uint32_t stop = l + umin(end - l, LABELS_AT_ONCE);
        const uint32_t room = job->max_components - n;
        uint32_t n_found = 0;
        for (; l < stop; l++) {
            found[n_found] = l;
            n_found += has_filter ? cca_cpu_is_found(&job->params, labels, l) :
                                    labels.nodes[l].parent == l;
        }
        n_found = umin(n_found, room);
        for (uint32_t i = 0; i < n_found; i++, n++)
            write_record(&results[n], job, labels, found[i], n + 1);
    }
}

void cca_cpu_emit(const CcaJob *const job, const CpuLabels labels, const CpuBand *const band,
                  CcaComponent *const results)
{
    if (cca_cpu_has_filter(&job->params))
        emit(job, labels, band, results, true);
    else
        emit(job, labels, band, results, false);
}

void cca_cpu_number_roots(const CcaJob *const job, const CpuLabels labels,
                          const CpuBand *const band)
{
    uint32_t n = band->first_found;
    for (uint32_t l = band->first_label; l < band->first_label + band->n_labels; l++) {
        const bool found = cca_cpu_is_found(&job->params, labels, l);
        n += found;
        if (labels.nodes[l].parent == l)
            labels.nodes[l].id = found ? n : 0;
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
static uint32_t find_cut(const CcaJob *const job, const CpuLabels labels,
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
                const uint64_t digits = (uint64_t) labels.features[l].area >> shift;
                if (digits >> DIGIT_BITS == prefix && cca_cpu_is_found(&job->params, labels, l))
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
                          const CpuLabels labels, const CpuBand *const bands,
                          const uint32_t n_bands, const uint32_t n_found,
                          CcaComponent *const results)
{
    CpuKey *keys = select->keys[0], *other = select->keys[1];
    uint32_t id = 0, n = 0, largest = 0, cut = 0, n_equal = 0;
    for (uint32_t b = 0; b < n_bands; b++)
        largest = umax(largest, bands[b].largest);
    if (n_found > job->max_components)
        cut = find_cut(job, labels, bands, n_bands, largest, job->max_components, &n_equal);
    for (uint32_t b = 0; b < n_bands; b++) {
        const uint32_t end = bands[b].first_label + bands[b].n_labels;
        for (uint32_t l = bands[b].first_label; l < end; l++) {
            if (!cca_cpu_is_found(&job->params, labels, l))
                continue;
            id++;
            const uint32_t area = labels.features[l].area;
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
        write_record(&results[i], job, labels, keys[i].label, keys[i].id);
}
