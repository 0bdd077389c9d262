/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* study-measure [--seed N] [--repeats N] POINT...: what the papers' algorithms, and the
 * product, take for random images of MT19937 (42), 4-connected.
 *
 *     ALGORITHM/SIZE/CONTENT         milliseconds by the GPU's events around the launches
 *     steps/ALGORITHM/SIZE/CONTENT   and of each kernel, with events between them
 *     copied/ALGORITHM/SIZE/CONTENT  and until all tables of features are in the host's
 *                                    memory; of the product, its records
 *     count/ALGORITHM/SIZE/CONTENT   feature updates, and the conflicts that ICASSP 2021,
 *                                    section 4.1, estimates from them
 *
 * ALGORITHM is one of study-check --list, or product, or product-flsl-cd. CONTENT is g1, g4
 * and so on: a list of figures for densities from 0 to 100 % in steps of 5, or g1/40 and the
 * like. Of up to N repeats (20; fewer, but 3, of what takes long), the shortest and the
 * median are told. --about prints the GPU's name. */

#include "measure.h"

#include <stdlib.h>
#include <string.h>

#define MAX_REPEATS 1000
#define WARM_UP_MS 20 /* what takes longer is run once to warm up, not twice */
#define REPEATS_MS 40 /* of all repeats, or ... */
#define LEAST_REPEATS 3
#define SIMULATED_REPEATS 1

static const struct {
    const char *name;
    Kind kind;
} kinds[] = {
    { "steps", STEPS },
    { "copied", COPIED },
    { "count", COUNT },
};

static const struct {
    const char *name;
    CcaCudaAlgorithm algorithm;
} products[] = {
    { "product", CCA_CUDA_AUTO },
    { "product-flsl-cd", CCA_CUDA_FLSL_CD },
};

/* --- one image --------------------------------------------------------------------------- */

static int by_time(const void *const a, const void *const b)
{
    const float x = ((const Times *) a)->ms, y = ((const Times *) b)->ms;
    return (x > y) - (x < y);
}

static uint32_t choose_repeats(const Measure *const m, const float ms)
{
    if (m->timing.simulated)
        return SIMULATED_REPEATS;
    const float fit = REPEATS_MS / ms;
    const uint32_t n = fit < LEAST_REPEATS ? LEAST_REPEATS :
                       fit < MAX_REPEATS   ? (uint32_t) fit :
                                             MAX_REPEATS;
    return n < m->repeats ? n : m->repeats;
}

static bool time_image(Measure *const m, const Plan *const plan, Times *const shortest,
                       double *const median)
{
    static Times all[MAX_REPEATS];
    if (!measure_warm_up(m, plan) || !measure_once(m, plan, shortest))
        return false;
    if (shortest->ms < WARM_UP_MS && !m->timing.simulated && !measure_once(m, plan, shortest))
        return false;
    const uint32_t n = choose_repeats(m, shortest->ms);
    for (uint32_t i = 0; i < n; i++)
        if (!measure_once(m, plan, &all[i]))
            return false;
    qsort(all, n, sizeof(*all), by_time);
    *shortest = all[0];
    *median = all[n / 2].ms;
    return true;
}

static bool count_image(Measure *const m, const Plan *const plan, double *const updates,
                        double *const conflicts)
{
    const StudyImage image = { m->field.pixels, plan->width, plan->height, 4 };
    uint64_t sums[2];
    m->study.counts = true;
    const CUresult result = study_run(&m->study, plan->algorithm, &image, m->timing.stream);
    m->study.counts = false;
    if (!measure_check(m, result, plan->algorithm->name) ||
        !measure_check(m, field_sum(&m->field, &m->study, sums, m->timing.stream), "sums"))
        return false;
    *updates = (double) sums[0];
    *conflicts = sums[0] > 0 ? (double) sums[1] / (double) sums[0] : 0;
    return true;
}

/* --- one point --------------------------------------------------------------------------- */

/* Lists of figures, one for each density. */
typedef struct Figures {
    uint32_t n, n_parts;
    double first[CONTENT_MOST_IMAGES], second[CONTENT_MOST_IMAGES];
    double parts[MOST_PARTS][CONTENT_MOST_IMAGES];
} Figures;

static bool measure_image(Measure *const m, const Plan *const plan, const uint32_t i,
                          Figures *const f)
{
    if (plan->kind == COUNT)
        return count_image(m, plan, &f->first[i], &f->second[i]);
    Times shortest;
    if (!time_image(m, plan, &shortest, &f->second[i]))
        return false;
    f->first[i] = shortest.ms;
    f->n_parts = shortest.n_parts;
    for (uint32_t p = 0; p < shortest.n_parts; p++)
        f->parts[p][i] = shortest.parts[p];
    return true;
}

static void print(const Measure *const m, const Point *const point, const Plan *const plan,
                  const Figures *const f)
{
    double sum = 0;
    for (uint32_t i = 0; i < f->n; i++)
        sum += f->first[i];
    point_begin(point);
    if (plan->kind == COUNT) {
        point_list("updates", f->first, f->n);
        point_list("conflicts", f->second, f->n);
    } else {
        point_figure("mean_ms", sum / f->n);
        point_figure("gpix_s", (double) plan->width * plan->height * f->n / sum / 1e6);
        point_list("ms", f->first, f->n);
        point_list("median_ms", f->second, f->n);
    }
    for (uint32_t p = 0; plan->kind == STEPS && p < f->n_parts; p++) {
        char name[80]; /* a kernel can come twice */
        snprintf(name, sizeof(name), "%u %s", p + 1, plan->algorithm->steps[p].kernel);
        point_list(name, f->parts[p], f->n);
    }
    if (plan->kind == COPIED && f->n_parts == 2)
        point_list("copy_ms", f->parts[1], f->n);
    point_end();
}

/* What only some algorithms have: features, kernels of their own. */
static bool is_possible(const Plan *const plan)
{
    const StudyAlgorithm *const a = plan->algorithm;
    return plan->kind == TIME || (a == NULL && plan->kind == COPIED) ||
           (a != NULL &&
            (plan->kind == STEPS || (a->kind == STUDY_CCA && !(plan->kind == COUNT && a->nodes))));
}

static bool parse(const Point *const p, Plan *const plan)
{
    uint32_t i = 0;
    bool found = false;
    *plan = (Plan) { .kind = TIME };
    for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
        if (strcmp(p->words[0], kinds[k].name) == 0) {
            plan->kind = kinds[k].kind;
            i = 1;
        }
    if (p->n_words < i + 3)
        return false;
    for (size_t k = 0; k < sizeof(products) / sizeof(*products); k++)
        if (strcmp(p->words[i], products[k].name) == 0) {
            plan->product = products[k].algorithm;
            found = true;
        }
    plan->algorithm = study_find(p->words[i]);
    return (found || plan->algorithm != NULL) && is_possible(plan) &&
           point_size(p->words[i + 1], &plan->width, &plan->height) &&
           content_parse(&plan->content, p, i + 2) && plan->content.name == NULL;
}

static bool prepare(Measure *const m, const Plan *const plan)
{
    Timing *const t = &m->timing;
    const CcaConfig config = {
        .width = plan->width,
        .height = plan->height,
        .sample_size = 1,
        .depth = 8,
        .slots = 1,
        /* 4-connected noise has one in 7 pixels at most, and page-locked memory takes time */
        .max_components = (plan->width * plan->height + 3) / 4,
    };
    if (!measure_check(m,
                       field_prepare(&m->field, plan->width, plan->height, plan->content.g, m->seed,
                                     t->stream),
                       "image"))
        return false;
    if (plan->algorithm == NULL) {
        for (uint32_t i = 0; i < TIMING_COPIES; i++)
            t->copies[i] = m->field.pixels;
        return timing_configure(t, plan->product, &config);
    }
    if (m->width != plan->width || m->height != plan->height) {
        m->width = 0;
        if (!measure_check(m, study_configure(&m->study, plan->width, plan->height), "tables"))
            return false;
        m->width = plan->width;
        m->height = plan->height;
    }
    return plan->kind != COPIED || measure_prepare_copies(m, plan);
}

static bool measure(Measure *const m, const Point *const point)
{
    static Figures figures;
    Plan plan;
    m->timing.failed = false;
    if (!parse(point, &plan)) {
        point_no_figures(point, true, "there is no such point");
        return false;
    }
    bool ok = prepare(m, &plan);
    figures.n = content_images(&plan.content);
    for (uint32_t i = 0; ok && i < figures.n; i++)
        ok = measure_check(m,
                           field_draw(&m->field, m->study.module,
                                      plan.content.first + i * plan.content.step, m->timing.stream),
                           "image") &&
             measure_image(m, &plan, i, &figures);
    if (ok)
        print(m, point, &plan, &figures);
    else
        point_no_figures(point, true, "it failed");
    return ok;
}

/* --- all of it --------------------------------------------------------------------------- */

static bool open_all(Measure *const m, const char **const why)
{
    if (!timing_open(&m->timing, why))
        return false;
    *why = "the study cannot be opened";
    m->field.gpu = m->timing.gpu;
    m->open = measure_check(m, study_open(&m->study, m->timing.gpu->cu), "module");
    for (; m->open && m->n_marks < MOST_PARTS + 1; m->n_marks++) {
        CUevent *const event = &m->marks[m->n_marks];
        if (!measure_check(m, m->timing.gpu->cu->event_create(event, 0), "event"))
            return false;
    }
    return m->open;
}

static void close_all(Measure *const m)
{
    for (uint32_t i = 0; i < m->n_marks; i++)
        m->timing.gpu->cu->event_destroy(m->marks[i]);
    if (m->open) {
        measure_free_copies(m);
        field_free(&m->field);
        study_close(&m->study);
    }
    memset(m->timing.copies, 0, sizeof(m->timing.copies)); /* they were the field's */
    timing_close(&m->timing);
}

/* Numbers before the points; returns how many arguments they are, or -1. */
static int parse_options(Measure *const m, const int argc, char **const argv)
{
    int i = 1;
    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
        const bool seed = strcmp(argv[i], "--seed") == 0;
        if ((!seed && strcmp(argv[i], "--repeats") != 0) ||
            !point_number(argv[i + 1], "", "", seed ? &m->seed : &m->repeats))
            return -1;
    }
    return m->repeats >= 1 && m->repeats <= MAX_REPEATS && i < argc &&
                   (argv[i][0] != '-' || strcmp(argv[i], "--about") == 0) ?
               i :
               -1;
}

int main(int argc, char **argv)
{
    static Measure m = { .seed = 42, .repeats = 20 };
    const char *why;
    bool ok = true;
    const int first = parse_options(&m, argc, argv);
    if (first < 0) {
        fprintf(stderr, "usage: study-measure --about | [--seed N] [--repeats N] POINT...\n");
        return 2;
    }
    const bool usable = open_all(&m, &why);
    for (int i = first; i < argc; i++) {
        Point point;
        if (!point_parse(&point, argv[i]))
            point_no_figures(&point, true, "there is no such point");
        else if (!usable)
            point_no_figures(&point, false, why);
        else if (strcmp(argv[i], "--about") == 0)
            printf("{\"gpu\": \"%s\", \"gb_s\": %.0f}\n", m.timing.gpu->name,
                   m.timing.bytes_us / 1e3);
        else
            ok &= measure(&m, &point);
    }
    close_all(&m);
    return !ok;
}
