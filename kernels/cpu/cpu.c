/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The CPU engine. A frame is cut into bands of rows, which threads (workers.c) label in
 * parallel (rows.c). The bands are joined along their seams, and their components are written
 * out in order. rows.c also writes the label image. In modes that need more than a given
 * threshold, the foreground or the threshold is found before (passes.c, masks.c). */

#define _GNU_SOURCE /* sched_getaffinity */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pages.h"
#include "passes.h"

#define MAX_THREADS 256

/* Fewer labels are written out faster by one thread. */
#define MIN_SHARED_LABELS (32 * 1024)

/* At least GIVE_BACK_BYTES of resident pages are returned to the system after
 * GIVE_BACK_FRAMES consecutive frames that used less than a quarter of them. */
#define GIVE_BACK_FRAMES 64
#define GIVE_BACK_BYTES (1024 * 1024)

/* A component to be sorted by area. */
typedef struct SortKey {
    uint32_t area;
    uint32_t id;
    uint32_t label;
} SortKey;

/* All tables, in one reservation. */
typedef struct CpuTables {
    CpuBand *bands;
    CcaComponent *results; /* max_components for each slot */
    CcaFeatures *measured; /* of each of these; NULL if no features are configured */
    CpuForeground foreground;
    uint8_t *scratch; /* the tables from here on hold nothing between frames */
    CpuLabels labels;
    CpuCorner *corners;   /* one for each pixel, if the shape is configured */
    SortKey *keys[2];     /* of all records of a frame: source and destination of a pass */
    uint32_t *run_labels; /* for all runs that a frame can have, if labels are configured */
} CpuTables;

typedef struct CpuEngine {
    CcaEngine base;
    CpuCode code;
    uint32_t threads;
    CpuWorkers *workers;

    uint8_t *arena; /* the tables */
    size_t arena_size;
    CpuTables t;
    uint32_t n_components[CCA_MAX_SLOTS], n_found[CCA_MAX_SLOTS], threshold[CCA_MAX_SLOTS];
    CcaLight light[CCA_MAX_SLOTS];
    uint32_t n_foreground[CCA_MAX_SLOTS];

    /* Bytes that may be resident: the maximum that a frame used, and the maxima of earlier
     * frames, whose bands had other places in the tables. */
    uint64_t high, elsewhere;
    uint32_t pitch; /* labels from band to band */
    uint32_t n_low; /* consecutive frames that used less than a quarter of these bytes */
} CpuEngine;

/* --- memory --------------------------------------------------------------- */

/* Stores that begin in one page and end in the next are slow. No machine has smaller pages. */
#define PAGE 4096

/* For each word, write_edges() stores 64 bytes up to four times, however few edges there are. If
 * a row has few, all these stores are near the table's start, so the table starts with a page. */
static void place_runs(CpuRuns *const runs, CcaArena *const arena, const uint64_t width)
{
    arena->used = (arena->used + PAGE - 1) / PAGE * PAGE;
    /* edges: two a run, one at the row's end, and up to 16 undefined values after them */
    runs->edges = cca_arena_place(arena, width + 17, sizeof(*runs->edges));
    runs->labels = cca_arena_place(arena, width / 2 + 2, sizeof(*runs->labels));
}

static CpuBand place_band(CcaArena *const arena, const uint32_t width)
{
    CpuBand band = { 0 };
    place_runs(&band.top, arena, width);
    for (int i = 0; i < 2; i++) {
        place_runs(&band.rows[i], arena, width);
        band.ranks[i] = cca_arena_place(arena, width / 64 + 2, sizeof(CpuRank));
        band.words[i] = cca_arena_place(arena, cca_cpu_words(width), sizeof(*band.words[i]));
    }
    return band;
}

/* The maximum number of runs in a row of `width` pixels. */
static uint64_t max_runs(const uint32_t width)
{
    return ((uint64_t) width + 1) / 2;
}

/* Lays out the tables from `base` on; only measures them if that is NULL. Returns their size in
 * bytes, rounded up to pages. */
static uint64_t lay_out(CpuTables *const t, const CcaConfig *const config, const uint32_t threads,
                        uint8_t *const base)
{
    *t = (CpuTables) { 0 };
    CcaArena arena = { .base = (uintptr_t) base };
    const uint64_t n_labels = cca_max_labels(config->width, config->height);
    const uint32_t n_bands = cca_cpu_max_bands(threads, config->height);
    t->bands = cca_arena_place(&arena, n_bands, sizeof(*t->bands));
    t->foreground.columns = cca_arena_place(&arena, config->height, sizeof(*t->foreground.columns));
    t->results = cca_arena_place(&arena, (uint64_t) config->slots * config->max_components,
                                 sizeof(*t->results));
    if (config->features)
        t->measured = cca_arena_place(&arena, (uint64_t) config->slots * config->max_components,
                                      sizeof(*t->measured));
    cca_cpu_place_background(&t->foreground, &arena, config);
    t->labels.nodes = cca_arena_place(&arena, n_labels + n_bands + 1, sizeof(*t->labels.nodes));
    t->labels.features = cca_arena_place(&arena, n_labels + n_bands + 1,
                                         sizeof(*t->labels.features));
    t->scratch = (uint8_t *) t->labels.nodes;
    if (config->features)
        t->labels.extra = cca_arena_place(&arena, n_labels + n_bands + 1, sizeof(*t->labels.extra));
    if (config->features & CCA_FEATURES_SHAPE)
        t->corners = cca_arena_place(&arena, (uint64_t) config->width * config->height,
                                     sizeof(*t->corners));
    for (int i = 0; i < 2; i++)
        t->keys[i] = cca_arena_place(&arena, config->max_components, sizeof(*t->keys[i]));
    for (uint32_t b = 0; b < n_bands; b++) {
        const CpuBand band = place_band(&arena, config->width);
        if (base)
            t->bands[b] = band;
    }
    cca_cpu_place_masks(&t->foreground, &arena, config, n_bands, threads);
    t->run_labels = cca_arena_place(&arena,
                                    config->labels ? max_runs(config->width) * config->height : 0,
                                    sizeof(*t->run_labels));
    const uint64_t page = (uint64_t) sysconf(_SC_PAGESIZE);
    return (arena.used + page - 1) / page * page;
}

static CcaStatus cpu_measure(const CcaEngine *const engine, const CcaConfig *const config,
                             CcaFootprint *const footprint)
{
    const CpuEngine *const e = (const CpuEngine *) engine;
    CpuTables ignored;
    footprint->host = lay_out(&ignored, config, e->threads, NULL);
    return CCA_OK;
}

/* The next frame uses other places in the tables than those that are resident. */
static void move_elsewhere(CpuEngine *const e)
{
    e->elsewhere += e->high;
    e->high = 0;
}

static void cpu_unconfigure(CcaEngine *const engine)
{
    CpuEngine *const e = (CpuEngine *) engine;
    cca_release(e->arena, e->arena_size);
    e->arena = NULL;
    e->arena_size = 0;
}

static CcaStatus cpu_configure(CcaEngine *const engine, const CcaConfig *const config)
{
    CpuEngine *const e = (CpuEngine *) engine;
    CpuTables ignored;
    const uint64_t size = lay_out(&ignored, config, e->threads, NULL);

    if (size > e->arena_size) {
        cpu_unconfigure(engine);
        e->arena = size <= SIZE_MAX ? cca_reserve((size_t) size) : NULL;
        e->arena_size = e->arena ? (size_t) size : 0;
        e->high = 0;
        e->elsewhere = 0;
        if (e->workers == NULL)
            e->workers = cca_workers_new(e->threads);
        if (e->arena == NULL || e->workers == NULL)
            return cca_engine_fail(engine, CCA_ERROR_NO_MEMORY,
                                   "%llu bytes of memory for the CPU engine are not available",
                                   (unsigned long long) size);
    } else {
        cca_give_back(e->t.foreground.background, e->t.scratch);
    }
    lay_out(&e->t, config, e->threads, e->arena);
    memset(e->n_components, 0, sizeof(e->n_components));
    move_elsewhere(e);
    return CCA_OK;
}

static void give_back(const CpuEngine *const e)
{
    const CcaConfig *const c = &e->base.config;
    for (uint32_t s = 0; s < c->slots; s++) {
        CcaComponent *const results = e->t.results + (size_t) s * c->max_components;
        cca_give_back(results + e->n_components[s], results + c->max_components);
        if (e->t.measured != NULL) {
            CcaFeatures *const measured = e->t.measured + (size_t) s * c->max_components;
            cca_give_back(measured + e->n_components[s], measured + c->max_components);
        }
    }
    cca_give_back(e->t.scratch, e->arena + e->arena_size);
}

/* Accounts for the memory that a frame with `n_labels` labels used, and returns pages that only
 * exceptional frames needed to the system. */
static void note_use(CpuEngine *const e, const CcaJob *const job, const uint32_t n_bands,
                     const uint64_t n_labels, const uint32_t slot)
{
    const uint64_t extra = e->t.labels.extra != NULL ? sizeof(CcaFeatures) : 0;
    uint64_t used = n_labels * (sizeof(CpuLabel) + sizeof(CpuFeatures) + extra) +
                    cca_cpu_mask_size(job, &e->base.config);
    for (uint32_t s = 0; s < e->base.config.slots; s++)
        used += e->n_components[s] * (sizeof(CcaComponent) + extra);
    if (job->params.order == CCA_ORDER_AREA)
        used += 2 * e->n_components[slot] * sizeof(SortKey);
    for (uint32_t b = 0; b < n_bands; b++) {
        if (e->t.bands[b].run_labels != NULL)
            used += e->t.bands[b].n_runs * sizeof(*e->t.run_labels);
        used += e->t.bands[b].n_corners * sizeof(*e->t.corners);
    }
    e->high = umax64(e->high, used);

    const uint64_t resident = e->high + e->elsewhere;
    const bool low = resident >= GIVE_BACK_BYTES && used < resident / 4;
    e->n_low = low ? e->n_low + 1 : 0;
    if (e->n_low == GIVE_BACK_FRAMES) {
        give_back(e);
        e->high = used;
        e->elsewhere = 0;
        e->n_low = 0;
    }
}

/* --- bands ---------------------------------------------------------------- */

/* A frame, for the tasks of its bands. */
typedef struct Analysis {
    CpuEngine *e;
    const CcaJob *job;
    CcaComponent *results;
    CcaFeatures *measured; /* of the results, or NULL */
    CcaLabels plane;       /* the label image, in the form for the ids found */
} Analysis;

/* Cuts the region into bands, and returns how many. */
static uint32_t split(CpuEngine *const e, const CcaJob *const job)
{
    if (job->height == 0)
        return 0;
    const uint32_t rows = cca_cpu_band_rows(e->threads, job->width, job->height);
    /* + 1: label_runs() initialises one label beyond those it opens */
    const uint32_t pitch = rows / 2 * job->width + 1;
    if (job->height > rows && pitch != e->pitch) {
        e->pitch = pitch;
        move_elsewhere(e);
    }
    uint32_t n = 0;
    for (uint32_t y = 0; y < job->height; y += rows, n++) {
        CpuBand *const band = &e->t.bands[n];
        band->first_row = y;
        band->n_rows = umin(rows, job->height - y);
        band->bits = cca_cpu_mask_rows(&e->t.foreground, job, y);
        band->columns = e->t.foreground.columns + y;
        band->first_label = n * e->pitch;
        band->run_labels = cca_wants_labels(job) ? e->t.run_labels + y * max_runs(job->width) :
                                                   NULL;
        band->corners = e->t.corners != NULL ? e->t.corners + (size_t) y * job->width : NULL;
        band->n_corners = 0;
    }
    return n;
}

/* Calls `task` for each band, on all threads or on this one. */
static void run(const bool share, const uint32_t n_bands,
                void (*const task)(void *data, uint32_t b), Analysis *const a)
{
    if (share)
        cca_workers_run(a->e->workers, n_bands, task, a);
    else
        for (uint32_t b = 0; b < n_bands; b++)
            task(a, b);
}

static void label_band(void *const data, const uint32_t b)
{
    const Analysis *const a = data;
    CpuEngine *const e = a->e;
    cca_cpu_open_and_close(&e->t.foreground, &e->code, a->job, b, &e->t.bands[b]);
    e->code.label_rows(a->job, &e->base.config, e->t.labels, &e->t.bands[b]);
}

/* Merges two components. The counts of both bands stay the numbers of components that have
 * their root there and pass the filters. */
static void join_components(const Analysis *const a, const uint32_t root, const uint32_t other)
{
    CpuBand *const bands = a->e->t.bands, *const band = &bands[root / a->e->pitch];
    CpuFeatures *const f = a->e->t.labels.features;
    const CcaParams *const params = &a->job->params;
    band->n_found -= cca_area_passes(params, f[root].area);
    bands[other / a->e->pitch].n_found -= cca_area_passes(params, f[other].area);
    CpuLabel *const nodes = a->e->t.labels.nodes;
    nodes[other].parent = root;
    nodes[root].min_y |= nodes[other].min_y & CPU_PEAK;
    cca_cpu_merge(&f[root], &f[other]);
    if (a->e->t.labels.extra != NULL)
        cca_cpu_merge_extra(&a->e->t.labels.extra[root], &a->e->t.labels.extra[other]);
    band->n_found += cca_area_passes(params, f[root].area);
    band->largest = umax(band->largest, f[root].area);
}

/* Accounts for a run of a label above another one of it: `overlap` of their columns are the same,
 * or they touch at a corner. */
static void add_contact(CcaFeatures *const f, const int32_t overlap)
{
    f->e4 += (uint64_t) overlap;
    f->q4 += overlap > 0 ? (uint64_t) overlap - 1 : 0;
    f->w1 -= (uint64_t) overlap + 1;
}

/* Unites components that touch across the seam above a band. */
static void join(const Analysis *const a, const CpuRuns *const above, CpuBand *const band)
{
    const CpuRuns *const below = &band->top;
    const uint32_t corner = a->job->params.connectivity == 8;
    CpuLabel *const nodes = a->e->t.labels.nodes;
    for (uint32_t i = 0, j = 0; i < above->n && j < below->n;) {
        const uint32_t a0 = above->edges[2 * i], a1 = above->edges[2 * i + 1];
        const uint32_t b0 = below->edges[2 * j], b1 = below->edges[2 * j + 1];
        if (a0 < b1 + corner && b0 < a1 + corner) {
            const uint32_t l = cca_cpu_find(nodes, above->labels[i]);
            const uint32_t m = cca_cpu_find(nodes, below->labels[j]);
            if (l != m)
                join_components(a, umin(l, m), umax(l, m));
            if (a->e->t.corners != NULL)
                add_contact(&a->e->t.labels.extra[umin(l, m)],
                            (int32_t) (umin(a1, b1) - umax(a0, b0)));
        } else if (a->e->t.corners != NULL && (a0 == b1 || b0 == a1)) {
            band->corners[band->n_corners++] = (CpuCorner) { above->labels[i], below->labels[j] };
        }
        if (a1 < b1)
            i++;
        else
            j++;
    }
}

/* Accounts for corners of a band at which two runs of the same component touch. Other bands may
 * have more of them. */
static void resolve_corners(void *const data, const uint32_t b)
{
    const Analysis *const a = data;
    const CpuBand *const band = &a->e->t.bands[b];
    const CpuLabels labels = a->e->t.labels;
    for (uint64_t i = 0; i < band->n_corners; i++) {
        const uint32_t root = cca_cpu_find_root(labels.nodes, band->corners[i].above);
        if (root == cca_cpu_find_root(labels.nodes, band->corners[i].below))
            __atomic_fetch_sub(&labels.extra[root].w1, 1, __ATOMIC_RELAXED);
    }
}

/* --- records -------------------------------------------------------------- */

/* Writes the fields in place: a copy of a whole record in wider pieces would stall until its
 * fields are stored. */
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

/* Removes the components of a band that do not pass the filter: they lose their area. */
static void filter_band(void *const data, const uint32_t b)
{
    const Analysis *const a = data;
    const CcaJob *const job = a->job;
    const CpuLabels labels = a->e->t.labels;
    CpuBand *const band = &a->e->t.bands[b];
    for (uint32_t l = band->first_label; l < band->first_label + band->n_labels; l++) {
        CcaComponent c;
        if (!cca_cpu_is_found(&job->params, labels, l))
            continue;
        const bool has_peak = labels.nodes[l].min_y & CPU_PEAK;
        labels.nodes[l].min_y &= ~CPU_PEAK;
        write_record(&c, job, labels, l, 0);
        if (cca_filter_passes(&job->filter, &c, has_peak))
            continue;
        labels.features[l].area = 0;
        band->n_found--;
    }
}

#define LABELS_AT_ONCE 256

/* Writes the records of a band, in raster order, up to max_components. The labels found are
 * listed first, because a branch for each label is hard to predict. */
static inline void write_records(const Analysis *const a, const CpuBand *const band,
                                 const bool has_filter)
{
    const CcaJob *const job = a->job;
    const CpuLabels labels = a->e->t.labels;
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
        for (uint32_t i = 0; a->measured != NULL && i < n_found; i++)
            a->measured[n + i] = labels.extra[found[i]];
        for (uint32_t i = 0; i < n_found; i++, n++)
            write_record(&a->results[n], job, labels, found[i], n + 1);
    }
}

static void write_band_records(void *const data, const uint32_t b)
{
    const Analysis *const a = data;
    const CpuBand *const band = &a->e->t.bands[b];
    if (cca_cpu_has_filter(a->job))
        write_records(a, band, true);
    else
        write_records(a, band, false);
}

#define DIGIT_BITS 11 /* three passes cover the 31 bits of an area */
#define DIGIT_MASK ((1 << DIGIT_BITS) - 1)

/* A stable counting sort by one digit of the area, the largest first. */
static void sort_by_digit(SortKey *const to, const SortKey *const from, const uint32_t n,
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

/* Returns the area of the `n`th largest of more than `n` components. Of those with exactly that
 * area, *n_equal are among the `n` largest. */
static uint32_t find_cut(const CcaJob *const job, const CpuLabels labels,
                         const CpuBand *const bands, const uint32_t n_bands, const uint32_t largest,
                         const uint32_t n, uint32_t *const n_equal)
{
    uint64_t prefix = 0; /* the leading digits of that area, found so far */
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

/* Writes the frame's records by decreasing area, then by id. */
static void write_largest(const Analysis *const a, const uint32_t n_bands, const uint32_t n_found)
{
    const CcaJob *const job = a->job;
    const CpuLabels labels = a->e->t.labels;
    const CpuBand *const bands = a->e->t.bands;
    SortKey *keys = a->e->t.keys[0], *other = a->e->t.keys[1];
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
            keys[n++] = (SortKey) { area, id, l };
        }
    }
    for (uint32_t shift = 0; shift < 32 && largest >> shift != 0; shift += DIGIT_BITS) {
        sort_by_digit(other, keys, n, shift);
        SortKey *const sorted = other;
        other = keys;
        keys = sorted;
    }
    for (uint32_t i = 0; i < n; i++)
        write_record(&a->results[i], job, labels, keys[i].label, keys[i].id);
    for (uint32_t i = 0; a->measured != NULL && i < n; i++)
        a->measured[i] = labels.extra[keys[i].label];
}

/* --- label image ---------------------------------------------------------- */

/* Sets the ids of a band's roots, 0 if they are filtered out. The ids overwrite min_y. */
static void number_roots(void *const data, const uint32_t b)
{
    const Analysis *const a = data;
    const CpuBand *const band = &a->e->t.bands[b];
    const CpuLabels labels = a->e->t.labels;
    uint32_t n = band->first_found;
    for (uint32_t l = band->first_label; l < band->first_label + band->n_labels; l++) {
        const bool found = cca_cpu_is_found(&a->job->params, labels, l);
        n += found;
        if (labels.nodes[l].parent == l)
            labels.nodes[l].id = found ? n : 0;
    }
}

static void write_band_labels(void *const data, const uint32_t b)
{
    const Analysis *const a = data;
    a->e->code.write_labels(a->job, &a->plane, a->e->t.labels, &a->e->t.bands[b]);
}

/* Clears rows `first` to `end` of the label image, which are outside the region. */
static void clear_labels(const Analysis *const a, const uint32_t first, const uint32_t end)
{
    for (uint32_t y = first; y < end; y++)
        memset((uint8_t *) a->plane.data + y * a->plane.stride, 0,
               (size_t) a->job->frame.width * a->plane.bits / 8);
}

static void write_labels(Analysis *const a, const bool share, const uint32_t n_bands)
{
    if (a->plane.bits == 0)
        return;
    run(share, n_bands, number_roots, a);
    run(true, n_bands, write_band_labels, a);
    clear_labels(a, 0, a->job->y);
    clear_labels(a, a->job->y + a->job->height, a->job->frame.height);
}

/* --- analysis ------------------------------------------------------------- */

/* A plane of the background. */
static uint8_t *plane_at(const CpuForeground *const f, const uint32_t i)
{
    return f->background + i * f->plane;
}

static CcaStatus cpu_analyse(CcaEngine *const engine, const uint32_t slot,
                             const CcaJob *const given)
{
    CpuEngine *const e = (CpuEngine *) engine;
    CcaJob with_threshold = *given;
    const CcaJob *const job = &with_threshold;
    const size_t first = (size_t) slot * engine->config.max_components;
    Analysis a = {
        e, job, e->t.results + first, e->t.measured ? e->t.measured + first : NULL, { 0 }
    };
    cca_workers_begin(e->workers);
    e->threshold[slot] = cca_cpu_find_foreground(&e->t.foreground, &e->code, &with_threshold,
                                                 &engine->config, e->workers, &e->light[slot],
                                                 &e->n_foreground[slot]);
    if (job->frame.background != NULL)
        cca_job_write_background(job, plane_at(&e->t.foreground, job->update.next),
                                 engine->config.sample_size);
    const uint32_t n_bands = split(e, job);
    CpuBand *const bands = e->t.bands;
    run(true, n_bands, label_band, &a);
    for (uint32_t b = 1; b < n_bands; b++)
        join(&a, &bands[b - 1].bottom, &bands[b]);
    uint64_t n_corners = 0;
    for (uint32_t b = 0; b < n_bands; b++)
        n_corners += bands[b].n_corners;
    if (n_corners > 0)
        run(n_corners >= MIN_SHARED_LABELS, n_bands, resolve_corners, &a);

    uint64_t n_labels = 0;
    for (uint32_t b = 0; b < n_bands; b++)
        n_labels += bands[b].n_labels;
    const bool share = n_labels >= MIN_SHARED_LABELS;
    if (job->filter.on)
        run(share, n_bands, filter_band, &a);
    uint32_t n_found = 0;
    for (uint32_t b = 0; b < n_bands; b++) {
        bands[b].first_found = n_found;
        n_found += bands[b].n_found;
    }
    e->n_found[slot] = n_found;
    e->n_components[slot] = umin(n_found, job->max_components);
    if (job->params.order == CCA_ORDER_AREA)
        write_largest(&a, n_bands, n_found);
    else
        run(share, n_bands, write_band_records, &a);
    a.plane = cca_labels_form(job->frame.labels, n_found);
    write_labels(&a, share, n_bands);
    cca_workers_end(e->workers);
    note_use(e, job, n_bands, n_labels, slot);
    return CCA_OK;
}

static CcaStatus cpu_collect(CcaEngine *const engine, const uint32_t slot, CcaResult *const result)
{
    const CpuEngine *const e = (const CpuEngine *) engine;
    const size_t first = (size_t) slot * engine->config.max_components;
    result->components = e->t.results + first;
    result->features = e->t.measured ? e->t.measured + first : NULL;
    result->n_components = e->n_components[slot];
    result->n_found = e->n_found[slot];
    result->threshold = e->threshold[slot];
    result->light_changed = e->light[slot].changed;
    result->light_shift = e->light[slot].shift;
    result->n_foreground = e->n_foreground[slot];
    return CCA_OK;
}

/* --- background ----------------------------------------------------------- */

static CcaStatus cpu_export_background(CcaEngine *const engine, const CcaBackground *const b,
                                       uint8_t *const state)
{
    const CpuForeground *const f = &((const CpuEngine *) engine)->t.foreground;
    const size_t size = cca_background_plane(b);
    const uint32_t n = cca_background_planes(b);
    for (uint32_t i = 0; i < n; i++)
        memcpy(state + i * size, plane_at(f, i), size);
    if (b->votes)
        memcpy(state + n * size, plane_at(f, n), size / b->sample_size);
    return CCA_OK;
}

static CcaStatus cpu_import_background(CcaEngine *const engine, const CcaBackground *const b,
                                       const uint8_t *const state)
{
    const CpuForeground *const f = &((const CpuEngine *) engine)->t.foreground;
    const size_t size = cca_background_plane(b);
    const uint32_t n = cca_background_planes(b);
    for (uint32_t i = 0; i < n; i++)
        memcpy(plane_at(f, i), state + i * size, size);
    if (b->votes)
        memcpy(plane_at(f, n), state + n * size, size / b->sample_size);
    return CCA_OK;
}

/* --- open and close ------------------------------------------------------- */

static CpuCode code_for(const CcaCpuLevel level)
{
    return (CpuCode) {
        OF_LEVEL(level, cca_cpu_find_bits_),      OF_LEVEL(level, cca_cpu_compare_light_),
        OF_LEVEL(level, cca_cpu_open_and_close_), OF_LEVEL(level, cca_cpu_label_rows_),
        OF_LEVEL(level, cca_cpu_write_labels_),
    };
}

static uint32_t n_cores(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) == 0)
        return (uint32_t) CPU_COUNT(&set);
#endif
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (uint32_t) n : 1;
}

static void cpu_close(CcaEngine *const engine)
{
    CpuEngine *const e = (CpuEngine *) engine;
    cca_workers_free(e->workers);
    free(e);
}

CcaStatus cca_cpu_open(CcaEngine **const engine, const CcaCpuOptions *const options)
{
    static const CcaEngineOps ops = {
        .name = "cpu",
        .measure = cpu_measure,
        .configure = cpu_configure,
        .analyse = cpu_analyse,
        .collect = cpu_collect,
        .export_background = cpu_export_background,
        .import_background = cpu_import_background,
        .unconfigure = cpu_unconfigure,
        .close = cpu_close,
    };
    const CcaCpuLevel best = cca_cpu_level();
    CcaCpuLevel level = options ? options->level : CCA_CPU_LEVEL_BEST;
    uint32_t threads = options ? options->threads : 0;

    *engine = NULL;
    if (level == CCA_CPU_LEVEL_BEST)
        level = best;
    if (level > best || threads > MAX_THREADS)
        return CCA_ERROR_INVALID;
    if (threads == 0)
        threads = umin(n_cores(), MAX_THREADS);

    CpuEngine *const e = calloc(1, sizeof(*e));
    if (e == NULL)
        return CCA_ERROR_NO_MEMORY;
    e->base.ops = &ops;
    e->code = code_for(level);
    e->threads = threads;
    *engine = &e->base;
    return CCA_OK;
}
