/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CPU_LEVELS_H
#define CCA_CPU_LEVELS_H

/* Tables of labels, bands of rows and masks, which the engine shares with masks.c, rows.c and
 * features.c. These files are compiled once for each CcaCpuLevel. */

#include "../copied.h"
#include "../engine.h"
#include "../level.h"

/* --- labels --------------------------------------------------------------- */

/* A provisional label: opened by a run that touches no run above it, and the node
 * of a union-find in which the smaller index is the root. Labels are opened in
 * raster order, so that a component's root is the label of its first run, and
 * components in the order of their roots are in raster order of their first
 * pixel. */
typedef struct CpuLabel {
    uint32_t parent;
    union {
        uint32_t min_y; /* row in which it was opened, until all records are written; with
                         * CPU_PEAK if a run of it has a peak, until it is filtered */
        uint32_t id;    /* then: value in the label image */
    };
} CpuLabel;

#define CPU_PEAK (UINT32_C(1) << 31)

/* Sums and extents of the runs with exactly this label; all 0 if there are none. Summing up a
 * band adds those of its labels to their roots. */
typedef struct CpuFeatures {
    uint32_t not_min_x;    /* ~ of the inclusive bound, so that all extents are maxima */
    uint32_t end_x, end_y; /* exclusive */
    uint32_t area;
    uint64_t sum_x, sum_y;
} CpuFeatures;

/* The labels of all bands. */
typedef struct CpuLabels {
    CpuLabel *nodes;
    CpuFeatures *features;
    CcaFeatures *extra; /* summed up as `features`; NULL if none are configured */
} CpuLabels;

/* A 4-connected frame: two labels of which pixels touch at a corner only. */
typedef struct CpuCorner {
    uint32_t above, below;
} CpuCorner;

static inline uint32_t cca_cpu_find(CpuLabel *const labels, uint32_t l)
{
    while (labels[l].parent != l)
        l = labels[l].parent = labels[labels[l].parent].parent;
    return l;
}

/* The root of a label of any band. Paths are not shortened, because the threads of other
 * bands read them at the same time. */
static inline uint32_t cca_cpu_find_root(const CpuLabel *const nodes, uint32_t l)
{
    while (nodes[l].parent != l)
        l = nodes[l].parent;
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

/* The features of a label without runs. */
static inline CcaFeatures cca_cpu_no_features(const CcaFeatureFlags flags)
{
    const uint32_t any = flags & CCA_FEATURES_INTENSITY ? UINT32_MAX : 0;
    return (CcaFeatures) { .v_min = any, .v_max_x = any, .v_max_y = any };
}

/* Whether a pixel with `v` at (x, y) is the first maximum of those so far. A branch on it is hard
 * to predict. */
static inline bool cca_cpu_is_first_max(const CcaFeatures *const f, const uint32_t v,
                                        const uint32_t x, const uint32_t y)
{
    const uint64_t at = (uint64_t) y << 32 | x, best = (uint64_t) f->v_max_y << 32 | f->v_max_x;
    return (v > f->v_max) | ((v == f->v_max) & (at < best));
}

static inline void cca_cpu_merge_extra(CcaFeatures *const to, const CcaFeatures *const from)
{
    to->xx += from->xx;
    to->xy += from->xy;
    to->yy += from->yy;
    to->v += from->v;
    to->vv += from->vv;
    to->vx += from->vx;
    to->vy += from->vy;
    to->v_min = umin(to->v_min, from->v_min);
    const bool first = cca_cpu_is_first_max(to, from->v_max, from->v_max_x, from->v_max_y);
    to->v_max = first ? from->v_max : to->v_max;
    to->v_max_x = first ? from->v_max_x : to->v_max_x;
    to->v_max_y = first ? from->v_max_y : to->v_max_y;
    to->e4 += from->e4;
    to->q4 += from->q4;
    to->w1 += from->w1;
}

static inline bool cca_cpu_has_filter(const CcaJob *const job)
{
    return job->filter.on || job->params.min_area > 1 || job->params.max_area < UINT32_MAX;
}

/* Whether label `l` is the root of a component that passes the filters, after filter_band(). */
static inline bool cca_cpu_is_found(const CcaParams *const params, const CpuLabels labels,
                                    const uint32_t l)
{
    return (labels.nodes[l].parent == l) & cca_area_passes(params, labels.features[l].area);
}

/* --- bands ---------------------------------------------------------------- */

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

/* The number of edges left of pixel x. */
static inline uint32_t cca_cpu_rank(const CpuRank *const ranks, const uint32_t x)
{
    const CpuRank r = ranks[x / 64];
    return (uint32_t) r.before +
           (uint32_t) __builtin_popcountll(r.edges & ((UINT64_C(1) << x % 64) - 1));
}

/* The runs of a row, and its words of pixels. */
typedef struct CpuRow {
    const uint64_t *words;
    const CpuRuns *runs;
    const CpuRank *ranks;
    CcaColumns columns; /* words and ranks outside are undefined, and without pixels */
} CpuRow;

/* The words of two adjacent rows that can have pixels of either. */
static inline CcaColumns cca_cpu_both(const CpuRow *const a, const CpuRow *const b)
{
    return (CcaColumns) { umax(a->columns.first, b->columns.first),
                          umin(a->columns.end, b->columns.end) };
}

/* Rows of a region of interest as bits, 64 pixels a word, the leftmost in bit 0;
 * unused bits are 0. */
typedef struct CpuBits {
    const uint64_t *words; /* of the first row */
    size_t pitch;          /* words from row to row */
} CpuBits;

/* Words of a row of `width` pixels. */
static inline size_t cca_cpu_words(const uint32_t width)
{
    return ((size_t) width + 63) / 64;
}

/* Caches fetch two lines of 64 bytes at a time. */
#define LINES 128

/* Rows that one thread labels on its own, with its part of the label table. Bands share no
 * cache lines, because their threads write to them at the end of each row. */
typedef struct CpuBand {
    _Alignas(LINES) uint32_t first_row;
    uint32_t n_rows;
    CpuBits bits;              /* the foreground; no words if it is found during labelling */
    const CcaColumns *columns; /* of the first row, as of CpuForeground */
    uint32_t first_label, n_labels;
    CpuRuns top, bottom; /* runs of the first and the last row, for the seams */
    CpuRuns rows[2];     /* scratch: this row and the one above, in turn */
    CpuRank *ranks[2];
    uint64_t *words[2];   /* of rows that are not in `bits` */
    uint32_t *run_labels; /* of all runs, in raster order; NULL without a label image */
    uint64_t n_runs;
    CpuCorner *corners; /* room for one for each pixel, if the shape is configured */
    uint64_t n_corners;
    uint32_t group;   /* first of the rows whose runs are the same, up to the last one labelled */
    uint32_t n_found; /* components with their root here that pass the filters */
    uint32_t largest; /* for the order by area: largest area of these */
    uint32_t first_found; /* number of components found in the bands above */
} CpuBand;

/* --- foreground ----------------------------------------------------------- */

/* Tables for a foreground that is not found during labelling (rows.c). */
typedef struct CpuForeground {
    uint32_t threads;
    uint8_t *background;  /* planes of rows of values: the frames of difference as a ring, or
                           * M and V of sigma-delta, with votes then K and a byte a pixel */
    uint64_t plane;       /* bytes of a plane of values */
    bool votes;           /* K and the bytes of votes exist */
    CcaColumns *columns;  /* for each row of the region: words with pixels of the working set in
                           * this row or a neighbour, and one word on each side */
    uint64_t serial;      /* of the mask that these are for, or 0 */
    CcaRect region;       /* of the job that these are for */
    uint64_t *mask;       /* bits of the region before opening and closing */
    uint64_t *scratch;    /* bits of all bands' rows and of those around them */
    uint32_t *histograms; /* of Otsu */
} CpuForeground;

/* Clears the words of a row outside `c`. */
static inline void cca_cpu_clear_outside(uint64_t *const words, const uint32_t n_words,
                                         const CcaColumns c)
{
    for (uint32_t k = 0; k < c.first; k++)
        words[k] = 0;
    for (uint32_t k = c.end; k < n_words; k++)
        words[k] = 0;
}

/* Rows and columns around a band on which its opened and closed rows depend. */
static inline uint32_t cca_cpu_reach(const CcaJob *const job)
{
    return 2 * (job->params.open_radius + job->params.close_radius);
}

#define CPU_MAX_REACH (2 * (CCA_MAX_OPEN_RADIUS + CCA_MAX_CLOSE_RADIUS))

/* --- code for each level -------------------------------------------------- */

/* Writes the mask of rows `first` to `end` of the region. With a background the rows are those
 * of the frame; it also updates the background, writes bits for the region only, and returns
 * their number if foreground is to be counted, else 0. */
typedef uint32_t CpuFindBits(const CpuForeground *f, const CcaConfig *config, const CcaJob *job,
                             uint32_t first, uint32_t end);

/* Opens and closes the mask of a band in `scratch`, which has room for the band with the reach
 * on each side, and for one word more. */
typedef void CpuOpenAndClose(const CpuForeground *f, const CcaJob *job, CpuBand *band,
                             uint64_t *scratch);

/* Labels the rows of a band and sums up its labels: each root then has all features
 * within the band, and the labels of runs at a seam are roots. */
typedef void CpuLabelRows(const CcaJob *job, const CcaConfig *config, CpuLabels labels,
                          CpuBand *band);

/* Adds row r of a band to the extra features, after the rows above it. If the runs are the same as
 * those above, they are only counted, and added with the last row that has them. */
typedef void CpuMeasureRow(const CcaJob *job, const CcaConfig *config, CpuLabels labels,
                           CpuBand *band, uint32_t r, const CpuRow *above, const CpuRow *row,
                           bool same);

/* Adds the last rows of a band, of which `last` is one. */
typedef void CpuMeasureEnd(const CcaJob *job, const CcaConfig *config, CpuLabels labels,
                           CpuBand *band, const CpuRow *last);

/* Writes the rows of a band in the label image, after the roots of all bands have their ids.
 * `plane` has the bits and stride for these ids. */
typedef void CpuWriteLabels(const CcaJob *job, const CcaLabels *plane, CpuLabels labels,
                            CpuBand *band);

/* Samples of a frame by which a change of light is found. */
typedef struct CpuLightSamples {
    uint32_t n, n_brighter, n_darker;
} CpuLightSamples;

/* Compares the samples with M. */
typedef CpuLightSamples CpuCompareLight(const CpuForeground *f, const CcaConfig *config,
                                        const CcaJob *job);

typedef struct CpuCode {
    CpuFindBits *find_bits;
    CpuCompareLight *compare_light;
    CpuOpenAndClose *open_and_close;
    CpuLabelRows *label_rows;
    CpuWriteLabels *write_labels;
} CpuCode;

CpuFindBits cca_cpu_find_bits_baseline, cca_cpu_find_bits_v3, cca_cpu_find_bits_v4;
CpuCompareLight cca_cpu_compare_light_baseline, cca_cpu_compare_light_v3, cca_cpu_compare_light_v4;
CpuOpenAndClose cca_cpu_open_and_close_baseline, cca_cpu_open_and_close_v3,
    cca_cpu_open_and_close_v4;
CpuLabelRows cca_cpu_label_rows_baseline, cca_cpu_label_rows_v3, cca_cpu_label_rows_v4;
CpuWriteLabels cca_cpu_write_labels_baseline, cca_cpu_write_labels_v3, cca_cpu_write_labels_v4;
CpuMeasureRow cca_cpu_measure_row_baseline, cca_cpu_measure_row_v3, cca_cpu_measure_row_v4;
CpuMeasureEnd cca_cpu_measure_end_baseline, cca_cpu_measure_end_v3, cca_cpu_measure_end_v4;

#endif /* CCA_CPU_LEVELS_H */
