/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The passes before the rows are labelled, each in bands on all threads. */

#include "foreground.h"
#include "otsu.h"

void cca_cpu_place_background(CpuForeground *const f, CcaArena *const arena,
                              const CcaConfig *const c)
{
    f->plane = (uint64_t) c->width * c->height * c->sample_size;
    f->background = cca_arena_place(arena, f->plane, cca_background_size(c) / c->sample_size);
}

void cca_cpu_place_masks(CpuForeground *const f, CcaArena *const arena, const CcaConfig *const c,
                         const uint32_t n_bands, const uint32_t threads)
{
    const uint64_t n_rows = (uint64_t) c->height + (uint64_t) 2 * CPU_MAX_REACH * n_bands;
    const uint64_t longest = cca_cpu_words(c->width + 2 * CPU_MAX_REACH);
    f->threads = threads;
    f->mask = cca_arena_place(arena, cca_cpu_words(c->width) * (uint64_t) c->height,
                              sizeof(*f->mask));
    f->scratch = cca_arena_place(arena, longest * n_rows + n_bands, sizeof(*f->scratch));
    if (c->foreground == CCA_FOREGROUND_OTSU)
        f->histograms = cca_arena_place(
            arena, cca_cpu_n_histograms(c, c->width, c->height, threads),
            cca_cpu_histogram_size(c) * sizeof(*f->histograms));
}

static bool has_radii(const CcaJob *const job)
{
    return cca_cpu_reach(job) > 0;
}

static bool has_mask(const CcaJob *const job)
{
    /* labels are written when the runs are looked for once more */
    return has_radii(job) || cca_has_background(job->params.foreground) ||
           cca_wants_labels(job);
}

uint64_t cca_cpu_mask_size(const CcaJob *const job, const CcaConfig *const config)
{
    const uint64_t row = cca_cpu_words(job->width) * sizeof(uint64_t);
    uint64_t size = (has_mask(job) + has_radii(job)) * row * job->height;
    if (job->params.foreground == CCA_FOREGROUND_OTSU)
        size += cca_cpu_histogram_size(config) * sizeof(uint32_t);
    return size;
}

/* Rows in parts of `n_rows` each. */
typedef struct Pass {
    const CpuForeground *f;
    const CpuCode *code;
    const CcaJob *job;
    const CcaConfig *config;
    uint32_t n_rows, height;
} Pass;

static uint32_t end_of_part(const Pass *const p, const uint32_t i)
{
    const uint32_t begin = i * p->n_rows;
    return begin + umin(p->n_rows, p->height - begin);
}

static uint32_t n_parts(const Pass *const p)
{
    return (p->height - 1) / p->n_rows + 1;
}

static void count_part(void *const data, const uint32_t i)
{
    const Pass *const p = data;
    cca_cpu_count_values(p->f->histograms + i * cca_cpu_histogram_size(p->config), p->job,
                         p->config, i * p->n_rows, end_of_part(p, i));
}

static uint32_t find_threshold(Pass p, CpuWorkers *const workers)
{
    const uint32_t n = cca_cpu_n_histograms(p.config, p.job->width, p.job->height, p.f->threads);
    p.height = p.job->height;
    if (p.height == 0)
        return 0;
    p.n_rows = (p.height - 1) / n + 1;
    cca_workers_run(workers, n_parts(&p), count_part, &p);
    return cca_cpu_otsu(p.f->histograms, n_parts(&p), p.config);
}

static void find_part(void *const data, const uint32_t i)
{
    const Pass *const p = data;
    p->code->find_bits(p->f, p->config, p->job, i * p->n_rows, end_of_part(p, i));
}

uint32_t cca_cpu_find_foreground(const CpuForeground *const f, const CpuCode *const code,
                                 CcaJob *const job, const CcaConfig *const config,
                                 CpuWorkers *const workers)
{
    Pass p = { .f = f, .code = code, .job = job, .config = config };
    const bool has_background = cca_has_background(job->params.foreground);
    uint32_t threshold = has_background ? job->update.contrast : job->params.threshold;
    if (job->params.foreground == CCA_FOREGROUND_OTSU) {
        threshold = find_threshold(p, workers);
        cca_job_set_thresholds(job, config, threshold, job->params.threshold_high);
    }
    p.height = has_background ? job->frame.height : job->height;
    if (has_mask(job) && p.height > 0) {
        const uint32_t width = has_background ? job->frame.width : job->width;
        p.n_rows = cca_cpu_band_rows(f->threads, width, p.height);
        cca_workers_run(workers, n_parts(&p), find_part, &p);
    }
    return threshold;
}

CpuBits cca_cpu_mask_rows(const CpuForeground *const f, const CcaJob *const job,
                          const uint32_t y)
{
    const size_t pitch = cca_cpu_words(job->width);
    return has_mask(job) ? (CpuBits) { f->mask + y * pitch, pitch } : (CpuBits) { NULL, 0 };
}

void cca_cpu_open_and_close(const CpuForeground *const f, const CpuCode *const code,
                            const CcaJob *const job, const uint32_t b, CpuBand *const band)
{
    if (!has_radii(job))
        return;
    const uint32_t around = 2 * cca_cpu_reach(job);
    const size_t pitch = cca_cpu_words(job->width + around);
    code->open_and_close(f, job, band, f->scratch + b +
                                           pitch * (band->first_row + (size_t) b * around));
}
