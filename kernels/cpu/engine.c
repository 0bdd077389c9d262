/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The CPU engine: bands of rows are labelled in parallel (rows.c), joined
 * along their seams, and their components are written out in order. There is a
 * label image only if one is asked for (labels.c). What takes more than a threshold to
 * tell the foreground is found before, in bands, too (foreground.c, bits.c), and opened
 * and closed (morphology.c). */

#define _GNU_SOURCE /* sched_getaffinity */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "seams.h"
#include "tables.h"

#define MAX_THREADS 256

/* Fewer labels are written out faster by one thread. */
#define MIN_SHARED_LABELS (32 * 1024)

/* Pages are given back after so many frames in a row that took less than a
 * quarter of them, if they are worth the call. */
#define GIVE_BACK_FRAMES 64
#define GIVE_BACK_BYTES (1024 * 1024)

typedef struct CpuEngine {
    CcaEngine base;
    CpuCode code;
    uint32_t threads;
    CpuWorkers *workers;

    uint8_t *arena; /* the tables */
    size_t arena_size;
    CpuTables t;
    uint32_t n_components[CCA_MAX_SLOTS], n_found[CCA_MAX_SLOTS], threshold[CCA_MAX_SLOTS];

    /* What may be resident, in bytes: the most that a frame took, and what
     * frames took that had other bands and so other places in the tables. */
    uint64_t high, elsewhere;
    uint32_t pitch; /* labels from band to band */
    uint32_t n_calm;
} CpuEngine;

CcaCpuLevel cca_cpu_level(void)
{
#ifdef CCA_X86_LEVELS
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v4"))
        return CCA_CPU_LEVEL_V4;
    if (__builtin_cpu_supports("x86-64-v3"))
        return CCA_CPU_LEVEL_V3;
#endif
    return CCA_CPU_LEVEL_BASELINE;
}

#define CODE(level)                                                                 \
    ((CpuCode) { cca_cpu_find_bits_##level, cca_cpu_open_and_close_##level,   \
                 cca_cpu_label_rows_##level, cca_cpu_write_labels_##level })

static CpuCode code_for(const CcaCpuLevel level)
{
    switch (level) {
#ifdef CCA_X86_LEVELS
    case CCA_CPU_LEVEL_V4: return CODE(v4);
    case CCA_CPU_LEVEL_V3: return CODE(v3);
#endif
    default: return CODE(baseline);
    }
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

/* --- memory --------------------------------------------------------------- */

static CcaStatus cpu_measure(const CcaEngine *const engine, const CcaConfig *const config,
                             CcaFootprint *const footprint)
{
    const CpuEngine *const e = (const CpuEngine *) engine;
    CpuTables ignored;
    footprint->host = cca_cpu_lay_out(&ignored, config, e->threads, NULL);
    return CCA_OK;
}

/* What is resident is not where the next frame writes. */
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
    const uint64_t size = cca_cpu_lay_out(&ignored, config, e->threads, NULL);

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
                                   "%llu bytes of memory for the CPU engine are not to be had",
                                   (unsigned long long) size);
    } else {
        cca_give_back(e->t.foreground.background, e->t.scratch);
    }
    cca_cpu_lay_out(&e->t, config, e->threads, e->arena);
    memset(e->n_components, 0, sizeof(e->n_components));
    move_elsewhere(e);
    return CCA_OK;
}

/* --- analysis ------------------------------------------------------------- */

typedef struct Analysis {
    CpuEngine *e;
    const CcaJob *job;
    CcaComponent *results;
    CcaLabels plane; /* in the form for the ids found */
} Analysis;

static void label_band(void *const data, const uint32_t b)
{
    const Analysis *const a = data;
    CpuEngine *const e = a->e;
    cca_cpu_open_and_close(&e->t.foreground, &e->code, a->job, b, &e->t.bands[b]);
    e->code.label_rows(a->job, e->base.config.sample_size, e->t.labels, &e->t.bands[b]);
}

static uint32_t split(CpuEngine *const e, const CcaJob *const job)
{
    if (job->height == 0)
        return 0;
    const uint32_t rows = cca_cpu_band_rows(e->threads, job->width, job->height);
    /* + 1: a band makes one label ready beyond those it opens */
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
        band->first_label = n * e->pitch;
        band->run_labels =
            cca_wants_labels(job) ? e->t.run_labels + y * cca_cpu_max_runs(job->width) : NULL;
    }
    return n;
}

static void emit_band(void *const data, const uint32_t b)
{
    const Analysis *const a = data;
    cca_cpu_emit(a->job, a->e->t.labels, &a->e->t.bands[b], a->results);
}

static void number_band(void *const data, const uint32_t b)
{
    const Analysis *const a = data;
    cca_cpu_number_roots(a->job, a->e->t.labels, &a->e->t.bands[b]);
}

static void write_band(void *const data, const uint32_t b)
{
    const Analysis *const a = data;
    a->e->code.write_labels(a->job, &a->plane, a->e->t.labels, &a->e->t.bands[b]);
}

/* For each band, on all threads or on this one. */
static void run(const CpuEngine *const e, const bool share, const uint32_t n_bands,
                void (*const task)(void *data, uint32_t b), Analysis *const a)
{
    if (share)
        cca_workers_run(e->workers, n_bands, task, a);
    else
        for (uint32_t b = 0; b < n_bands; b++)
            task(a, b);
}

/* Rows `first` to `end` of the frame, which the region has nothing of. */
static void clear_labels(const Analysis *const a, const uint32_t first, const uint32_t end)
{
    for (uint32_t y = first; y < end; y++)
        memset((uint8_t *) a->plane.data + y * a->plane.stride, 0,
               (size_t) a->job->frame.width * a->plane.bits / 8);
}

static void write_labels(const CpuEngine *const e, const bool share, const uint32_t n_bands,
                         Analysis *const a)
{
    if (a->plane.bits == 0)
        return;
    run(e, share, n_bands, number_band, a);
    run(e, true, n_bands, write_band, a);
    clear_labels(a, 0, a->job->y);
    clear_labels(a, a->job->y + a->job->height, a->job->frame.height);
}

static void give_back(const CpuEngine *const e)
{
    const CcaConfig *const c = &e->base.config;
    for (uint32_t s = 0; s < c->slots; s++) {
        CcaComponent *const results = e->t.results + (size_t) s * c->max_components;
        cca_give_back(results + e->n_components[s], results + c->max_components);
    }
    cca_give_back(e->t.scratch, e->arena + e->arena_size);
}

/* After a frame that had so many labels: what an exceptional frame made resident
 * goes back to the system when it has not been needed for a while. */
static void note_use(CpuEngine *const e, const uint32_t n_bands, const uint64_t n_labels,
                     const uint64_t mask_size, const bool by_area, const uint32_t slot)
{
    uint64_t used = n_labels * (sizeof(CpuLabel) + sizeof(CpuFeatures)) + mask_size;
    for (uint32_t s = 0; s < e->base.config.slots; s++)
        used += e->n_components[s] * sizeof(CcaComponent);
    if (by_area)
        used += 2 * e->n_components[slot] * sizeof(CpuKey);
    for (uint32_t b = 0; b < n_bands; b++)
        if (e->t.bands[b].run_labels != NULL)
            used += e->t.bands[b].n_runs * sizeof(*e->t.run_labels);

    if (e->high < used)
        e->high = used;

    const uint64_t resident = e->high + e->elsewhere;
    const bool calm = resident >= GIVE_BACK_BYTES && used < resident / 4;
    e->n_calm = calm ? e->n_calm + 1 : 0;
    if (e->n_calm == GIVE_BACK_FRAMES) {
        give_back(e);
        e->high = used;
        e->elsewhere = 0;
        e->n_calm = 0;
    }
}

static CcaStatus cpu_analyse(CcaEngine *const engine, const uint32_t slot,
                             const CcaJob *const given)
{
    CpuEngine *const e = (CpuEngine *) engine;
    CcaJob with_threshold = *given;
    const CcaJob *const job = &with_threshold;
    Analysis a = { e, job, e->t.results + (size_t) slot * engine->config.max_components, { 0 } };
    cca_workers_begin(e->workers);
    e->threshold[slot] = cca_cpu_find_foreground(&e->t.foreground, &e->code, &with_threshold,
                                                 &engine->config, e->workers);
    const uint32_t n_bands = split(e, job);

    run(e, true, n_bands, label_band, &a);
    cca_cpu_join_bands(&job->params, e->t.labels, e->t.bands, n_bands, e->pitch);

    uint64_t n_labels = 0;
    for (uint32_t b = 0; b < n_bands; b++)
        n_labels += e->t.bands[b].n_labels;
    const bool share = n_labels >= MIN_SHARED_LABELS;
    uint32_t n_found = 0;
    for (uint32_t b = 0; b < n_bands; b++) {
        e->t.bands[b].first_found = n_found;
        n_found += e->t.bands[b].n_found;
    }
    e->n_found[slot] = n_found;
    e->n_components[slot] = umin(n_found, job->max_components);
    if (job->params.order == CCA_ORDER_AREA)
        cca_cpu_emit_largest(&e->t.select, job, e->t.labels, e->t.bands, n_bands, n_found, a.results);
    else
        run(e, share, n_bands, emit_band, &a);
    a.plane = cca_labels_form(job->frame.labels, n_found);
    write_labels(e, share, n_bands, &a);
    cca_workers_end(e->workers);
    note_use(e, n_bands, n_labels, cca_cpu_mask_size(job, &engine->config),
             job->params.order == CCA_ORDER_AREA, slot);
    return CCA_OK;
}

static CcaStatus cpu_collect(CcaEngine *const engine, const uint32_t slot,
                             CcaResult *const result)
{
    const CpuEngine *const e = (const CpuEngine *) engine;
    result->components = e->t.results + (size_t) slot * engine->config.max_components;
    result->n_components = e->n_components[slot];
    result->n_found = e->n_found[slot];
    result->threshold = e->threshold[slot];
    return CCA_OK;
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
