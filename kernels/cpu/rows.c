/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Full-run labelling (FLSL, Lemaitre and Lacassagne, ICASSP 2021) on the CPU,
 * a row at a time. The names of the paper's tables are kept: RLC are the run
 * edges, ER the ranks. Compiled once for each instruction set. */

#include "level.h"
#include "pack.h"

/* Writes the positions of the bits of `edges`, up to 8 at a time: positions
 * past the last one are junk that the next word overwrites. One branch for
 * eight edges is predicted better than one for each. */
static inline uint32_t *write_edges(uint32_t *const out, uint64_t edges, const uint32_t x0)
{
    const int n = __builtin_popcountll(edges);
    for (int i = 0; i < n; i += 8) {
        for (int k = 0; k < 8; k++) {
            /* | 1 << 63: a count of trailing zeros of 0 is undefined */
            out[i + k] = x0 + (uint32_t) __builtin_ctzll(edges | UINT64_C(1) << 63);
            edges &= edges - 1;
        }
    }
    return out + n;
}

/* Segment detection: pixels, or their bits for a sample size of 0, to RLC and ER.
 * Returns the number of runs. */
static inline uint32_t detect_runs(const CcaJob *const job, const void *const row,
                                   const uint32_t sample_size, uint32_t *const edges,
                                   CpuRank *const ranks)
{
    uint32_t *out = edges;
    uint64_t carry = 0;
    uint32_t x = 0, k = 0;
    for (; x < job->width; x += 64, k++) {
        const uint64_t bits = sample_size == 0 ? ((const uint64_t *) row)[k] :
                                                 pack_word(job, row, sample_size, x);
        const uint64_t e = bits ^ (bits << 1 | carry);
        carry = bits >> 63;
        ranks[k] = (CpuRank) { e, (uint64_t) (out - edges) };
        out = write_edges(out, e, x);
    }
    /* a run that ends with a row of 64 k pixels; or nothing, for ranks at the end */
    ranks[k] = (CpuRank) { carry, (uint64_t) (out - edges) };
    *out = job->width;
    out += carry;
    return (uint32_t) (out - edges) / 2;
}

/* The number of edges left of pixel x. */
static inline uint32_t rank(const CpuRank *const ranks, const uint32_t x)
{
    const CpuRank r = ranks[x / 64];
    return (uint32_t) r.before +
           (uint32_t) __builtin_popcountll(r.edges & ((UINT64_C(1) << x % 64) - 1));
}

static inline uint32_t unite(CpuLabel *const labels, const uint32_t i, const uint32_t j)
{
    const uint32_t a = cca_cpu_find(labels, i), b = cca_cpu_find(labels, j);
    if (a < b)
        return labels[b].parent = a;
    return labels[a].parent = b;
}

/* Gives each run of row y the label of what touches it above, or a new one,
 * and adds the run to its label's features. Returns the number of labels. */
static inline uint32_t label_runs(CpuLabel *const labels, uint32_t n_labels, const uint32_t y,
                                  const CpuRuns *const runs, const CpuRuns *const above,
                                  const CpuRank *const ranks, const uint32_t corner)
{
    for (uint32_t i = 0; i < runs->n; i++) {
        const uint32_t x0 = runs->edges[2 * i], x1 = runs->edges[2 * i + 1];
        /* runs above: not those that end left of x0, nor those that start from x1 on */
        const uint32_t first = rank(ranks, x0 + 1 - corner) / 2;
        const uint32_t end = (rank(ranks, x1 + corner) + 1) / 2;

        /* The next free label is made ready for every run: whether a run opens
         * one is hard to predict, a few stores are cheap. */
        labels[n_labels] = (CpuLabel) { .parent = n_labels, .min_x = UINT32_MAX, .min_y = y };
        const uint32_t opens = first >= end;
        uint32_t l = above->labels[first];
        l = opens ? n_labels : l;
        n_labels += opens;
        for (uint32_t j = first + 1; j < end; j++)
            l = unite(labels, l, above->labels[j]);
        runs->labels[i] = l;

        CpuLabel *const f = &labels[l];
        const uint32_t area = x1 - x0;
        f->min_x = x0 < f->min_x ? x0 : f->min_x;
        f->max_x = x1 - 1 > f->max_x ? x1 - 1 : f->max_x;
        f->max_y = y;
        f->area += area;
        f->sum_x += ((uint64_t) x0 + x1 - 1) * area / 2;
        f->sum_y += (uint64_t) y * area;
    }
    return n_labels;
}

/* A label's parent is smaller: in rising order it is a root already. */
static void flatten(CpuLabel *const labels, const uint32_t first, const uint32_t end)
{
    for (uint32_t l = first; l < end; l++) {
        if (labels[l].parent == l)
            continue;
        const uint32_t root = labels[labels[l].parent].parent;
        labels[l].parent = root;
        cca_cpu_merge(&labels[root], &labels[l]);
    }
}

static inline void label_rows(const CcaJob *const job, const uint32_t sample_size,
                              CpuLabel *const labels, CpuBand *const band,
                              const uint32_t corner)
{
    uint32_t end = band->first_label;
    for (uint32_t r = 0; r < band->n_rows; r++) {
        const uint32_t y = band->first_row + r;
        CpuRuns *const runs = r == 0 ? &band->top : &band->rows[r & 1];
        const CpuRuns *const above = r == 1 ? &band->top : &band->rows[~r & 1];
        const void *const row = sample_size == 0 ?
            (const void *) (band->bits.words + r * band->bits.pitch) :
            (const void *) (job->data + y * job->stride);
        runs->n = detect_runs(job, row, sample_size, runs->edges, band->ranks[r & 1]);
        end = label_runs(labels, end, y, runs, above, band->ranks[~r & 1], corner);
    }
    band->bottom = band->n_rows == 1 ? band->top : band->rows[~band->n_rows & 1];
    band->n_labels = end - band->first_label;
    flatten(labels, band->first_label, end);
}

static inline void label_rows_of(const CcaJob *const job, const uint32_t sample_size,
                                 CpuLabel *const labels, CpuBand *const band,
                                 const uint32_t corner)
{
    if (band->bits.words != NULL)
        label_rows(job, 0, labels, band, corner);
    else if (sample_size == 1)
        label_rows(job, 1, labels, band, corner);
    else
        label_rows(job, 2, labels, band, corner);
}

void LEVEL(cca_cpu_label_rows_)(const CcaJob *const job, const uint32_t sample_size,
                                CpuLabel *const labels, CpuBand *const band)
{
    /* the rank above the first row */
    const uint32_t n_ranks = job->width / 64 + 2;
    for (uint32_t k = 0; k < n_ranks; k++)
        band->ranks[1][k] = (CpuRank) { 0, 0 };

    if (job->params.connectivity == 8)
        label_rows_of(job, sample_size, labels, band, 1);
    else
        label_rows_of(job, sample_size, labels, band, 0);
}
