/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The passes over a frame before its rows are labelled: Otsu's threshold and the mask of the
 * foreground. Each pass works on parts of some rows, on all threads. */

#include <stdatomic.h>
#include <string.h>

#include "../otsu.h"
#include "passes.h"

/* --- working set ---------------------------------------------------------- */

/* In words. */
static CcaColumns columns_of_row(const CcaJob *const job, const uint32_t y)
{
    CcaColumns c = { 0, job->width };
    if (y >= job->height)
        c = (CcaColumns) { job->width, 0 };
    else if (job->mask != NULL)
        c = cca_job_working_columns(job, y);
    return (CcaColumns) { c.first / 64, (c.end + 63) / 64 };
}

/* Mostly the mask and the region are those of the frame before. */
static void find_working_columns(CpuForeground *const f, const CcaJob *const job)
{
    const uint64_t serial = job->mask != NULL ? job->mask->serial : 0;
    const CcaRect region = { job->x, job->y, job->width, job->height };
    const uint32_t n_words = (uint32_t) cca_cpu_words(job->width);
    if (f->serial == serial && cca_same_rect(&f->region, &region))
        return;
    f->serial = serial;
    f->region = region;
    CcaColumns above = { n_words, 0 }, row = columns_of_row(job, 0);
    for (uint32_t y = 0; y < job->height; y++) {
        const CcaColumns below = columns_of_row(job, y + 1);
        const uint32_t first = umin(row.first, umin(above.first, below.first));
        const uint32_t end = umax(row.end, umax(above.end, below.end));
        f->columns[y] = (CcaColumns) { 0, 0 };
        if (first < end)
            f->columns[y] = (CcaColumns) { first - umin(first, 1), umin(end + 1, n_words) };
        above = row;
        row = below;
    }
}

/* --- histograms ----------------------------------------------------------- */

/* Neighbours mostly have the same value, and loading a counter that was just stored is slow. So
 * four neighbours are counted in four tables, if these are small. */
static uint32_t n_tables(const CcaConfig *const config)
{
    return config->depth <= 10 ? 4 : 1;
}

/* Counters in all tables of a histogram, which follow one another. */
static size_t histogram_size(const CcaConfig *const config)
{
    return (size_t) n_tables(config) << config->depth;
}

/* Number of histograms to count in parallel for a region of this size. For few pixels, waking a
 * thread and adding its histogram costs more than counting. */
static uint32_t n_histograms(const CcaConfig *const config, const uint32_t width,
                             const uint32_t height, const uint32_t n_threads)
{
    const uint64_t pixels_each = UINT64_C(16) << umax(config->depth, 11);
    return (uint32_t) umin64((uint64_t) width * height / pixels_each + 1, n_threads);
}

/* Counts four values, `bits` apart in `samples`, in tables that are `table` counters apart. */
static inline void count_4(uint32_t *const h, const size_t table, const uint64_t samples,
                           const uint32_t bits, const uint32_t top)
{
    h[samples & top]++;
    h[table + (samples >> bits & top)]++;
    h[2 * table + (samples >> 2 * bits & top)]++;
    h[3 * table + (samples >> 3 * bits & top)]++;
}

static void count_8(uint32_t *const h, const uint8_t *const row, const uint32_t width)
{
    uint32_t x = 0;
    for (; width - x >= 8; x += 8) {
        uint64_t samples;
        memcpy(&samples, row + x, 8);
        count_4(h, 256, samples, 8, 255);
        count_4(h, 256, samples >> 32, 8, 255);
    }
    for (; x < width; x++)
        h[row[x]]++;
}

static void count_16(uint32_t *const h, const uint8_t *const row, const uint32_t width,
                     const CcaConfig *const config)
{
    const uint32_t top = (1u << config->depth) - 1;
    const size_t table = n_tables(config) > 1 ? (size_t) 1 << config->depth : 0;
    uint32_t x = 0;
    for (; width - x >= 4; x += 4) {
        uint64_t samples;
        memcpy(&samples, row + (size_t) 2 * x, 8);
        count_4(h, table, samples >> config->shift, 16, top);
    }
    for (; x < width; x++) {
        uint16_t sample;
        memcpy(&sample, row + (size_t) 2 * x, 2);
        h[sample >> config->shift & top]++;
    }
}

static void count_row(uint32_t *const h, const CcaJob *const job, const CcaConfig *const config,
                      const uint32_t y, const uint32_t x, const uint32_t n)
{
    const uint8_t *const row = job->data + y * job->stride + (size_t) x * config->sample_size;
    if (config->sample_size == 1)
        count_8(h, row, n);
    else
        count_16(h, row, n, config);
}

/* The first pixel of a row, from column x to before `end`, that the mask has or lacks; else
 * `end`. */
static uint32_t find_pixel(const CcaJob *const job, const bool has, uint32_t x, const uint32_t end,
                           const uint32_t y)
{
    const uint64_t lacks = has ? 0 : UINT64_MAX;
    const size_t at = (size_t) job->x + x;
    const uint64_t *w = job->mask->words + (size_t) (job->y + y) * job->mask->row_words + at / 64;
    uint64_t word = (*w ^ lacks) & UINT64_MAX << at % 64;
    x -= (uint32_t) (at % 64); /* the first pixel of the word, perhaps left of the region */
    while (word == 0) {
        x += 64;
        if (x >= end)
            return end;
        word = *++w ^ lacks;
    }
    return umin(x + (uint32_t) __builtin_ctzll(word), end);
}

/* Counts the pixels of a row that the mask has, one run of them after the other. */
static void count_working(uint32_t *const h, const CcaJob *const job, const CcaConfig *const config,
                          const CcaColumns columns, const uint32_t y)
{
    const uint32_t right = umin(64 * columns.end, job->width);
    uint32_t x = 64 * columns.first;
    while ((x = find_pixel(job, true, x, right, y)) < right) {
        const uint32_t end = find_pixel(job, false, x, right, y);
        count_row(h, job, config, y, x, end - x);
        x = end;
    }
}

/* Returns the threshold for the sum of all histograms, which replaces the first one. */
static uint32_t otsu_threshold(uint32_t *const h, const uint32_t n, const CcaConfig *const config)
{
    const uint32_t n_values = 1u << config->depth;
    for (uint32_t i = 1; i < n * n_tables(config); i++)
        for (uint32_t v = 0; v < n_values; v++)
            h[v] += h[((size_t) i << config->depth) + v];

    uint64_t n_pixels = 0, sum = 0;
    for (uint32_t v = 0; v < n_values; v++) {
        n_pixels += h[v];
        sum += (uint64_t) v * h[v];
    }
    CcaOtsuScore best = { 0 }, score;
    uint32_t threshold = 0;
    uint64_t w = 0, q = 0;
    for (uint32_t t = 0; t < n_values; t++) {
        w += h[t];
        q += (uint64_t) t * h[t];
        if (cca_otsu_score(n_pixels, sum, w, q, h[t], &score) && cca_otsu_is_better(score, best)) {
            best = score;
            threshold = t;
        }
    }
    return threshold;
}

/* --- light ---------------------------------------------------------------- */

/* The first multiple of the grid from `start` on. */
static uint32_t on_grid(const uint32_t start)
{
    return (start + CCA_LIGHT_GRID - 1) / CCA_LIGHT_GRID * CCA_LIGHT_GRID;
}

static int32_t plain_value(const CcaJob *const job, const CcaConfig *const config,
                           const uint8_t *const table, const size_t at, const bool lifted)
{
    if (config->sample_size == 1)
        return table[at];
    uint16_t sample;
    memcpy(&sample, table + 2 * at, 2);
    return lifted ? (uint16_t) (sample << job->lift) >> (16 - config->depth) : sample;
}

typedef uint32_t LightCounts[CCA_LIGHT_BANDS][CCA_LIGHT_SHIFTS];

static void count_light(const CpuForeground *const f, const CcaJob *const job,
                        const CcaConfig *const config, LightCounts counts)
{
    const uint32_t end_x = job->x + job->width, end_y = job->y + job->height;
    for (uint32_t y = on_grid(job->y); y < end_y; y += CCA_LIGHT_GRID) {
        const uint8_t *const row = (const uint8_t *) job->frame.data + y * job->frame.stride;
        const uint8_t *const means = f->background +
                                     (size_t) y * job->frame.width * config->sample_size;
        for (uint32_t x = on_grid(job->x); x < end_x; x += CCA_LIGHT_GRID) {
            if (job->mask != NULL && !cca_mask_has(job->mask, x, y))
                continue;
            const int32_t value = plain_value(job, config, row, x, true);
            const int32_t mean = plain_value(job, config, means, x, false);
            counts[mean * CCA_LIGHT_BANDS >> config->depth]
                  [cca_light_shift_index(value, mean, (int32_t) job->update.step)]++;
        }
    }
}

/* Returns the number of samples in bands with levels, and the sum of these samples' levels. */
static uint32_t find_levels(LightCounts counts, CcaLightLevels *const l, int64_t *const sum)
{
    uint32_t n_known = 0;
    *l = (CcaLightLevels) { 0 };
    *sum = 0;
    for (uint32_t b = 0; b < CCA_LIGHT_BANDS; b++) {
        uint32_t n = 0, below = 0, i = 0;
        for (uint32_t k = 0; k < CCA_LIGHT_SHIFTS; k++)
            n += counts[b][k];
        if (n < CCA_LIGHT_LEAST_SAMPLES)
            continue;
        while ((below += counts[b][i]) < n - n / 2)
            i++;
        l->levels[b] = (int32_t) i - CCA_LIGHT_ZERO;
        l->known |= 1u << b;
        n_known += n;
        *sum += (int64_t) n * l->levels[b];
    }
    return n_known;
}

/* Finds the curve if light has changed. Mostly it has not, which the first pass shows. */
static CcaLight find_light(const CpuForeground *const f, const CpuCode *const code,
                           const CcaJob *const job, const CcaConfig *const config,
                           int8_t *const curve)
{
    const CpuLightSamples s = code->compare_light(f, config, job);
    if (!cca_light_changes(s.n_brighter, s.n_darker, s.n))
        return (CcaLight) { 0 };
    LightCounts counts = { { 0 } };
    CcaLightLevels levels;
    int64_t sum;
    count_light(f, job, config, counts);
    const uint32_t n = find_levels(counts, &levels, &sum);
    if (!cca_light_is_tone(&levels, job->update.step, config->depth))
        return (CcaLight) { 0 };
    for (int32_t k = 0; k < CCA_LIGHT_TONES; k++)
        curve[k] = (int8_t) cca_light_curve(&levels, k);
    return (CcaLight) { true, (int32_t) ((int64_t) job->update.step * sum / n) };
}

/* --- tables --------------------------------------------------------------- */

void cca_cpu_place_background(CpuForeground *const f, CcaArena *const arena,
                              const CcaConfig *const c)
{
    const uint64_t n_pixels = (uint64_t) c->width * c->height;
    f->plane = n_pixels * c->sample_size;
    f->votes = cca_has_votes(c);
    f->background = cca_arena_place(arena, n_pixels, cca_background_size(c));
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
        f->histograms = cca_arena_place(arena, n_histograms(c, c->width, c->height, threads),
                                        histogram_size(c) * sizeof(*f->histograms));
}

static bool has_radii(const CcaJob *const job)
{
    return cca_cpu_reach(job) > 0;
}

/* The label image is written in a second pass over the rows, which reads the mask. */
static bool has_mask(const CcaJob *const job)
{
    return has_radii(job) || cca_has_background(job->params.foreground) || cca_wants_labels(job);
}

uint64_t cca_cpu_mask_size(const CcaJob *const job, const CcaConfig *const config)
{
    const uint64_t row = cca_cpu_words(job->width) * sizeof(uint64_t);
    uint64_t size = (has_mask(job) + has_radii(job)) * row * job->height;
    if (job->params.foreground == CCA_FOREGROUND_OTSU)
        size += histogram_size(config) * sizeof(uint32_t);
    return size;
}

CpuBits cca_cpu_mask_rows(const CpuForeground *const f, const CcaJob *const job, const uint32_t y)
{
    const size_t pitch = cca_cpu_words(job->width);
    return has_mask(job) ? (CpuBits) { f->mask + y * pitch, pitch } : (CpuBits) { NULL, 0 };
}

/* --- passes --------------------------------------------------------------- */

typedef struct Pass {
    const CpuForeground *f;
    const CpuCode *code;
    const CcaJob *job;
    const CcaConfig *config;
    uint32_t height, n_rows;   /* rows of all parts and of each but the last */
    atomic_uint *n_foreground; /* of all parts, with `invert` */
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
    const CcaJob *const job = p->job;
    const uint32_t end = end_of_part(p, i);
    uint32_t *const h = p->f->histograms + i * histogram_size(p->config);
    memset(h, 0, histogram_size(p->config) * sizeof(*h));
    for (uint32_t y = i * p->n_rows; y < end; y++)
        if (job->mask != NULL)
            count_working(h, job, p->config, p->f->columns[y], y);
        else
            count_row(h, job, p->config, y, 0, job->width);
}

static uint32_t find_threshold(Pass p, CpuWorkers *const workers)
{
    p.height = p.job->height;
    if (p.height == 0)
        return 0;
    p.n_rows = (p.height - 1) / n_histograms(p.config, p.job->width, p.height, p.f->threads) + 1;
    cca_workers_run(workers, n_parts(&p), count_part, &p);
    return otsu_threshold(p.f->histograms, n_parts(&p), p.config);
}

static void find_part(void *const data, const uint32_t i)
{
    const Pass *const p = data;
    const uint32_t n = p->code->find_bits(p->f, p->config, p->job, i * p->n_rows,
                                          end_of_part(p, i));
    if (n > 0)
        atomic_fetch_add(p->n_foreground, n);
}

uint32_t cca_cpu_find_foreground(CpuForeground *const f, const CpuCode *const code,
                                 CcaJob *const job, const CcaConfig *const config,
                                 CpuWorkers *const workers, CcaLight *const light,
                                 uint32_t *const n_foreground)
{
    int8_t curve[CCA_LIGHT_TONES];
    atomic_uint n = 0;
    Pass p = { .f = f, .code = code, .job = job, .config = config, .n_foreground = &n };
    const bool has_background = cca_has_background(job->params.foreground);
    find_working_columns(f, job);
    uint32_t threshold = has_background ? job->update.contrast : job->params.threshold;
    if (job->params.foreground == CCA_FOREGROUND_OTSU) {
        threshold = find_threshold(p, workers);
        cca_job_set_thresholds(job, config, threshold, job->params.threshold_high);
    }
    *light = job->update.light ? find_light(f, code, job, config, curve) : (CcaLight) { 0 };
    job->update.curve = light->changed ? curve : NULL;
    p.height = has_background ? job->frame.height : job->height;
    if (has_mask(job) && p.height > 0) {
        const uint32_t width = has_background ? job->frame.width : job->width;
        p.n_rows = cca_cpu_band_rows(f->threads, width, p.height);
        cca_workers_run(workers, n_parts(&p), find_part, &p);
    }
    job->update.curve = NULL;
    *n_foreground = job->update.count && job->invert ? job->n_pixels - n : n;
    return threshold;
}

void cca_cpu_open_and_close(const CpuForeground *const f, const CpuCode *const code,
                            const CcaJob *const job, const uint32_t b, CpuBand *const band)
{
    if (!has_radii(job))
        return;
    const uint32_t around = 2 * cca_cpu_reach(job);
    const size_t pitch = cca_cpu_words(job->width + around);
    code->open_and_close(f, job, band,
                         f->scratch + b + pitch * (band->first_row + (size_t) b * around));
}
