/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Full-run labelling (FLSL, Lemaitre and Lacassagne, ICASSP 2021) on the CPU, a row at
 * a time: its runs, the unions of labels above that it causes, and then the labels of
 * its runs. None of these asks of a run what is hard to predict. Compiled once for each
 * instruction set. */

#include "level.h"
#include "pack.h"
#include "runs.h"
#include "sums.h"

/* A row and what it was made of. */
typedef struct Row {
    const uint64_t *words;
    const CpuRuns *runs;
    const CpuRank *ranks;
} Row;

static inline void unite(CpuLabel *const nodes, uint32_t *const left, uint32_t *const right)
{
    const uint32_t a = cca_cpu_find(nodes, *left), b = cca_cpu_find(nodes, *right);
    const uint32_t root = umin(a, b), other = umax(a, b);
    nodes[other].parent = root;
    *right = root;
}

/* Unites the labels of runs above that the same run of this row touches: those on both
 * sides of a gap that the foreground of this row covers, with its ends for edges alone.
 * A carry runs through the covered pixels of a gap to the run at its end. */
static inline void unite_bridged(CpuLabel *const nodes, const Row *const above,
                                 const uint64_t *const words, const size_t n_words,
                                 const bool corners)
{
    uint32_t *const labels = above->runs->labels;
    uint64_t carry = 0, before = 0;
    for (size_t k = 0; k < n_words; k++) {
        const uint64_t a = above->words[k], b = words[k], edges = above->ranks[k].edges;
        const uint64_t left = b << 1 | before;
        before = b >> 63;
        if (edges == 0) {
            carry &= b == UINT64_MAX;
            continue;
        }
        const uint64_t covered = b & ~a;
        const uint64_t starts = edges & covered & (corners ? UINT64_MAX : left);
        uint64_t sum;
        const bool carried = __builtin_add_overflow(covered, starts, &sum);
        carry = __builtin_add_overflow(sum, carry, &sum) | carried;
        for (uint64_t ends = sum & a & (corners ? UINT64_MAX : b); ends != 0; ends &= ends - 1) {
            const uint64_t before_end = (ends & -ends) - 1;
            const uint64_t i = (above->ranks[k].before +
                                (uint64_t) __builtin_popcountll(edges & before_end)) / 2;
            unite(nodes, &labels[i - 1], &labels[i]);
        }
    }
}

/* Gives each run of row y the label of the first run above that it touches, or a new
 * one, and adds it to the label's features. Returns the number of labels. */
static inline uint32_t label_runs(const CpuLabels labels, const uint32_t n_labels,
                                  const uint32_t y, const CpuRuns *const runs,
                                  const Row *const above, const uint32_t corner)
{
    const uint32_t *const edges = runs->edges, *const edges_above = above->runs->edges;
    const uint32_t *const labels_above = above->runs->labels;
    uint32_t *const own = runs->labels;
    const size_t n = runs->n;
    LastLabel last = NO_LAST_LABEL;
    size_t next = n_labels;
    for (size_t i = 0; i < n; i++) {
        const uint32_t x0 = edges[2 * i], x1 = edges[2 * i + 1], area = x1 - x0;
        /* of the runs above that do not end left of this one */
        const size_t first = rank(above->ranks, x0 + 1 - corner) / 2;

        /* The next free label is made ready for every run: whether a run opens
         * one is hard to predict, a few stores are cheap. */
        labels.nodes[next] = (CpuLabel) { .parent = (uint32_t) next, .min_y = y };
        labels.features[next] = (CpuFeatures) { 0 };
        const uint32_t opens = edges_above[2 * first] >= x1 + corner;
        const uint32_t touched = labels.nodes[labels_above[first]].parent;
        const uint32_t l = touched ^ ((touched ^ (uint32_t) next) & -opens);
        own[i] = l;
        next += opens;
        const CpuFeatures run = {
            .not_min_x = ~x0,
            .end_x = x1,
            .end_y = y + 1,
            .area = area,
            .sum_x = ((uint64_t) x0 + x1 - 1) * area / 2,
            .sum_y = (uint64_t) y * area,
        };
        add_run(labels.features, l, run, &last);
    }
    own[n] = n_labels; /* any label: it is looked up where there is no run */
    return (uint32_t) next;
}

#define LABELS_AT_ONCE 256

/* Adds the features of labels to their parents' in falling order, in which all that is
 * below a label has come to it before. Which labels are roots is hard to predict: the
 * others are listed first. */
static inline void sum_up(const CcaParams *const params, const CpuLabels labels,
                          CpuBand *const band, const bool areas_decide)
{
    uint32_t others[LABELS_AT_ONCE], n_found = 0, largest = 0;
    for (uint32_t end = band->first_label + band->n_labels, start; end > band->first_label;
         end = start) {
        const uint32_t left = end - band->first_label;
        uint32_t n = 0;
        start = end - (umin(left, LABELS_AT_ONCE));
        for (uint32_t l = end; l-- > start;) {
            others[n] = l;
            n += labels.nodes[l].parent != l;
        }
        for (uint32_t i = 0; i < n; i++)
            add_features(&labels.features[labels.nodes[others[i]].parent],
                         &labels.features[others[i]]);
        if (!areas_decide)
            n_found += end - start - n;
        for (uint32_t l = start; areas_decide && l < end; l++) {
            const bool found = cca_cpu_is_found(params, labels, l);
            const uint32_t area = found ? labels.features[l].area : 0;
            n_found += found;
            largest = umax(area, largest);
        }
    }
    band->n_found = n_found;
    band->largest = largest;
}

static inline void label_rows(const CcaJob *const job, const uint32_t sample_size,
                              const CpuLabels labels, CpuBand *const band,
                              const uint32_t corner)
{
    Row above = { band->words[1], &band->rows[1], band->ranks[1] };
    uint32_t end = band->first_label;
    band->n_runs = 0;
    for (uint32_t r = 0; r < band->n_rows; r++) {
        const uint32_t y = band->first_row + r;
        const uint64_t *words = band->words[r & 1];
        if (band->bits.words != NULL)
            words = band->bits.words + r * band->bits.pitch;
        else
            pack_row(job, job->data + y * job->stride, sample_size, band->words[r & 1]);
        CpuRuns *const runs = r == 0 ? &band->top : &band->rows[r & 1];
        runs->n = detect_runs(words, job->width, runs->edges, band->ranks[r & 1]);
        if (above.runs->n > 1)
            unite_bridged(labels.nodes, &above, words, cca_cpu_words(job->width), corner == 1);
        end = label_runs(labels, end, y, runs, &above, corner);
        if (band->run_labels != NULL)
            memcpy(band->run_labels + band->n_runs, runs->labels,
                   runs->n * sizeof(*runs->labels));
        band->n_runs += runs->n;
        above = (Row) { words, runs, band->ranks[r & 1] };
    }
    band->bottom = *above.runs;
    band->n_labels = end - band->first_label;
}

/* Seams are joined by one thread: it should find the roots at once. */
static void find_roots(CpuLabel *const nodes, const CpuRuns *const runs)
{
    for (uint32_t i = 0; i < runs->n; i++)
        runs->labels[i] = cca_cpu_find(nodes, runs->labels[i]);
}

/* Nothing above the first row. */
static void clear_row_above(const CcaJob *const job, CpuBand *const band)
{
    const uint32_t n_ranks = job->width / 64 + 2;
    for (uint32_t k = 0; k < n_ranks; k++)
        band->ranks[1][k] = (CpuRank) { 0, 0 };
    band->rows[1].edges[0] = UINT32_MAX;
    band->rows[1].labels[0] = band->first_label;
    band->rows[1].n = 0;
}

void LEVEL(cca_cpu_label_rows_)(const CcaJob *const job, const uint32_t sample_size,
                                const CpuLabels labels, CpuBand *const band)
{
    clear_row_above(job, band);
    if (job->params.connectivity == 8)
        label_rows(job, sample_size, labels, band, 1);
    else
        label_rows(job, sample_size, labels, band, 0);
    if (job->params.order == CCA_ORDER_AREA || cca_cpu_has_filter(&job->params))
        sum_up(&job->params, labels, band, true);
    else
        sum_up(&job->params, labels, band, false);
    find_roots(labels.nodes, &band->top);
    find_roots(labels.nodes, &band->bottom);
}
