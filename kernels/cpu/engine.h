/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CPU_ENGINE_H
#define CCA_CPU_ENGINE_H

#include "../engine.h"

/* Of a function that is compiled once for each set of constant arguments, with nothing
 * left of what they decide; but once for all where the lines that run are counted. */
#ifdef CCA_COUNTS_LINES
#define COPIED static inline
#else
#define COPIED static inline __attribute__((always_inline))
#endif

/* A provisional label: opened by a run with nothing above it, and the node of
 * a union-find in which the smaller index is the root. Labels are opened in
 * raster order, so that a component's root is the label of its first run, and
 * components in the order of their roots are in raster order of their first
 * pixel. */
typedef struct CpuLabel {
    uint32_t parent;
    union {
        uint32_t min_y; /* where it was opened ... */
        uint32_t id;    /* ... and once all records are written, what labels.c writes */
    };
} CpuLabel;

/* Of the runs that bear just this label; the root's become the component's when
 * a band is summed up. Of none all are 0. */
typedef struct CpuFeatures {
    uint32_t not_min_x; /* ~ of the inclusive bound: extents are all the greatest values */
    uint32_t end_x, end_y; /* exclusive */
    uint32_t area;
    uint64_t sum_x, sum_y;
} CpuFeatures;

/* Of all bands. */
typedef struct CpuLabels {
    CpuLabel *nodes;
    CpuFeatures *features;
} CpuLabels;

/* 64 pixels of a row for rank queries: the relative labels (ER) of FLSL, kept
 * as bits and a count instead of one entry a pixel. */
typedef struct CpuRank {
    uint64_t edges;  /* bit p: a run starts at, or ended just before, pixel p */
    uint64_t before; /* number of edges in the words to the left */
} CpuRank;

/* The runs of a row, and the label of each. Run i is [edges[2 i], edges[2 i + 1]). */
typedef struct CpuRuns {
    uint32_t *edges;
    uint32_t *labels;
    uint32_t n;
} CpuRuns;

/* Rows of a region of interest as bits, 64 pixels a word, the leftmost in bit 0;
 * unused bits are 0. */
typedef struct CpuBits {
    const uint64_t *words; /* of the first row */
    size_t pitch;          /* words from row to row */
} CpuBits;

/* Words for a row of so many pixels. */
static inline size_t cca_cpu_words(const uint32_t width)
{
    return ((size_t) width + 63) / 64;
}

/* Caches fetch two lines of 64 bytes at a time. */
#define LINES 128

/* Rows that one thread labels on its own, with its part of the label table. It shares no
 * cache lines with the next band, in which another thread may be: both write as rows end. */
typedef struct CpuBand {
    _Alignas(LINES) uint32_t first_row;
    uint32_t n_rows;
    CpuBits bits;           /* the foreground; without words if it is found as it is labelled */
    uint32_t first_label, n_labels;
    CpuRuns top, bottom;    /* runs of the first and the last row, for the seams */
    CpuRuns rows[2];        /* scratch: this row and the one above, in turn */
    CpuRank *ranks[2];
    uint64_t *words[2];     /* of rows that are not in `bits` */
    uint32_t *run_labels;   /* of all runs, one after the other; NULL if nobody will ask */
    uint64_t n_runs;
    uint32_t n_found;       /* components that pass the filters ... */
    uint32_t largest;       /* ... and, by area, the area of the largest */
    uint32_t first_found;   /* ... in the bands above */
} CpuBand;

/* Rows of a band in a frame of this size: even, so that the labels of the bands
 * above take up a whole number of pairs of pixels. */
uint32_t cca_cpu_band_rows(uint32_t threads, uint32_t width, uint32_t height);

static inline uint32_t cca_cpu_find(CpuLabel *const labels, uint32_t l)
{
    while (labels[l].parent != l)
        l = labels[l].parent = labels[labels[l].parent].parent;
    return l;
}

static inline void cca_cpu_merge(CpuFeatures *const to, const CpuFeatures *const from)
{
    if (from->not_min_x > to->not_min_x)
        to->not_min_x = from->not_min_x;
    if (from->end_x > to->end_x)
        to->end_x = from->end_x;
    if (from->end_y > to->end_y)
        to->end_y = from->end_y;
    to->area += from->area;
    to->sum_x += from->sum_x;
    to->sum_y += from->sum_y;
}

static inline bool cca_cpu_has_filter(const CcaParams *const params)
{
    return params->min_area > 1 || params->max_area < UINT32_MAX;
}

static inline bool cca_cpu_is_found(const CcaParams *const params, const CpuLabels labels,
                                    const uint32_t l)
{
    return (labels.nodes[l].parent == l) & cca_area_passes(params, labels.features[l].area);
}

/* Zeroed memory that becomes resident only where it is written to; NULL if
 * the address space has no room. */
void *cca_reserve(size_t size);
/* Makes whole pages between two addresses of it what they were at first. */
void cca_give_back(void *from, void *to);
void cca_release(void *memory, size_t size);

/* Threads that wait for work. */
typedef struct CpuWorkers CpuWorkers;

/* Starts `n_threads` - 1 threads; the caller of run is the last. NULL if memory
 * ran out; fewer threads than asked for if the system has no more. */
CpuWorkers *cca_workers_new(uint32_t n_threads);

/* Calls task(data, i) once for each i < n, spread over the threads, and returns
 * when all are done. */
void cca_workers_run(CpuWorkers *workers, uint32_t n, void (*task)(void *data, uint32_t i),
                     void *data);

/* A frame begins and ends: between them threads without work do not go to sleep at
 * once, and not afterwards if the next frame is likely to follow at once. */
void cca_workers_begin(CpuWorkers *workers);
void cca_workers_end(CpuWorkers *workers);
void cca_workers_free(CpuWorkers *workers);

#endif /* CCA_CPU_ENGINE_H */
