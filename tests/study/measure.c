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

#include <stdlib.h>
#include <string.h>

#include "field.h"
#include "timing.h"

#define MAX_REPEATS 1000
#define WARM_UP_MS 20   /* what takes longer is run once to warm up, not twice */
#define REPEATS_MS 40   /* of all repeats, or ... */
#define LEAST_REPEATS 3
#define SIMULATED_REPEATS 1
#define MOST_PARTS (STUDY_MAX_STEPS + 1)
#define FEATURE_BYTES 36 /* the 7 features of a label */

typedef enum Kind { TIME, STEPS, COPIED, COUNT } Kind;

static const struct {
    const char *name;
    Kind kind;
} kinds[] = {
    { "steps", STEPS }, { "copied", COPIED }, { "count", COUNT },
};

static const struct {
    const char *name;
    CcaCudaAlgorithm algorithm;
} products[] = {
    { "product", CCA_CUDA_AUTO }, { "product-flsl-cd", CCA_CUDA_FLSL_CD },
};

typedef struct Plan {
    Kind kind;
    const StudyAlgorithm *algorithm; /* NULL: the product, by */
    CcaCudaAlgorithm product;
    uint32_t width, height;
    Content content;
} Plan;

/* Milliseconds; parts are a kernel each, or the launches and the copies. */
typedef struct Times {
    uint32_t n_parts;
    float ms, parts[MOST_PARTS];
} Times;

typedef struct Measure {
    Timing timing;
    uint32_t seed, repeats;
    Study study;
    bool open;
    uint32_t width, height; /* of the study's tables; 0: there are none */
    Field field;
    void *host; /* for what is copied */
    size_t host_size;
    CUevent marks[MOST_PARTS + 1];
    uint32_t n_marks;
} Measure;

static bool check(Measure *const m, const CUresult result, const char *const what)
{
    return timing_check(&m->timing, result, what);
}

/* --- one run ----------------------------------------------------------------------------- */

static bool mark(Measure *const m, const uint32_t i)
{
    return check(m, m->timing.gpu->cu->event_record(m->marks[i], m->timing.stream), "event");
}

static bool copy_features(Measure *const m)
{
    const StudyTables *const t = &m->study.tables;
    const size_t n = (size_t) m->width * m->height;
    const struct {
        const void *table;
        size_t entry;
    } features[] = {
        { t->S, 4 }, { t->min_x, 4 }, { t->min_y, 4 }, { t->max_x, 4 }, { t->max_y, 4 },
        { t->Sx, 8 }, { t->Sy, 8 },
    };
    uint8_t *to = m->host;
    for (size_t i = 0; i < sizeof(features) / sizeof(*features); i++) {
        const size_t size = n * features[i].entry;
        if (!check(m, m->timing.gpu->copy_to_host_async(
                          to, (CUdeviceptr) (uintptr_t) features[i].table, size,
                          m->timing.stream), "copy"))
            return false;
        to += size;
    }
    return true;
}

static bool run_study(Measure *const m, const Plan *const plan, const StudyImage *const image,
                      uint32_t *const n_parts)
{
    const StudyAlgorithm *const a = plan->algorithm;
    const CUstream stream = m->timing.stream;
    *n_parts = 1;
    if (plan->kind == STEPS) {
        uint32_t i = 0;
        for (; a->steps[i].kernel != NULL; i++)
            if (!check(m, study_step(&m->study, &a->steps[i], image, stream), a->name) ||
                !mark(m, i + 1))
                return false;
        *n_parts = i;
        return true;
    }
    if (!check(m, study_run(&m->study, a, image, stream), a->name) || !mark(m, 1))
        return false;
    if (plan->kind == COPIED) {
        *n_parts = 2;
        return copy_features(m) && mark(m, 2);
    }
    return true;
}

static bool time_study(Measure *const m, const Plan *const plan, Times *const times)
{
    const Timing *const t = &m->timing;
    const StudyImage image = { m->field.pixels, plan->width, plan->height, 4 };
    if (!mark(m, 0) || !run_study(m, plan, &image, &times->n_parts) ||
        !check(m, t->gpu->cu->event_synchronize(m->marks[times->n_parts]), "kernels"))
        return false;
    times->ms = 0;
    for (uint32_t i = 0; i < times->n_parts; i++) {
        if (!check(m, t->gpu->event_elapsed(&times->parts[i], m->marks[i], m->marks[i + 1]),
                   "event"))
            return false;
        times->ms += times->parts[i];
    }
    return true;
}

static CcaParams product_params(void)
{
    CcaParams params = CCA_DEFAULT_PARAMS;
    params.connectivity = 4;
    return params;
}

static bool time_product(Measure *const m, const Plan *const plan, Times *const times)
{
    const CcaParams params = product_params();
    double us;
    times->n_parts = 1;
    if (!(plan->kind == COPIED ? timing_analyse_to_host(&m->timing, 0, &params, &us) :
                                 timing_analyse_on_device(&m->timing, 0, &params, &us)))
        return false;
    times->ms = times->parts[0] = (float) (us / 1e3);
    return true;
}

static bool time_once(Measure *const m, const Plan *const plan, Times *const times)
{
    return plan->algorithm ? time_study(m, plan, times) : time_product(m, plan, times);
}

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
    return fit > m->repeats ? m->repeats : fit < LEAST_REPEATS ? LEAST_REPEATS : (uint32_t) fit;
}

static bool time_image(Measure *const m, const Plan *const plan, Times *const shortest,
                       double *const median)
{
    static Times all[MAX_REPEATS];
    const CcaParams params = product_params();
    CcaResult result;
    if (plan->algorithm == NULL && !timing_analyse(&m->timing, 0, &params, &result))
        return false;
    if (!time_once(m, plan, shortest) ||
        (shortest->ms < WARM_UP_MS && !m->timing.simulated && !time_once(m, plan, shortest)))
        return false;
    const uint32_t n = choose_repeats(m, shortest->ms);
    for (uint32_t i = 0; i < n; i++)
        if (!time_once(m, plan, &all[i]))
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
    const CUresult result =
        study_run(&m->study, plan->algorithm, &image, m->timing.stream);
    m->study.counts = false;
    if (!check(m, result, plan->algorithm->name) ||
        !check(m, field_sum(&m->field, &m->study, sums, m->timing.stream), "sums"))
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
    for (uint32_t p = 0; plan->kind == STEPS && p < f->n_parts; p++)
        point_list(plan->algorithm->steps[p].kernel, f->parts[p], f->n);
    if (plan->kind == COPIED && f->n_parts == 2)
        point_list("copy_ms", f->parts[1], f->n);
    point_end();
}

/* What only some algorithms have: features, kernels of their own. */
static bool is_possible(const Plan *const plan)
{
    const StudyAlgorithm *const a = plan->algorithm;
    return plan->kind == TIME || (a == NULL && plan->kind == COPIED) ||
           (a != NULL && (plan->kind == STEPS || a->kind == STUDY_CCA));
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

static void free_host(Measure *const m)
{
    if (m->host != NULL)
        m->timing.gpu->cu->host_free(m->host);
    m->host = NULL;
    m->host_size = 0;
}

static bool prepare_host(Measure *const m, const size_t size)
{
    if (size <= m->host_size)
        return true;
    free_host(m);
    if (!check(m, m->timing.gpu->cu->host_alloc(&m->host, size, 0), "host memory"))
        return false;
    m->host_size = size;
    return true;
}

static bool prepare(Measure *const m, const Plan *const plan)
{
    Timing *const t = &m->timing;
    const CcaConfig config = {
        .width = plan->width, .height = plan->height, .sample_size = 1, .depth = 8,
        .max_components = UINT32_MAX, .slots = 1,
    };
    if (!check(m, field_prepare(&m->field, plan->width, plan->height, plan->content.g, m->seed,
                                t->stream), "image"))
        return false;
    if (plan->algorithm == NULL) {
        for (uint32_t i = 0; i < TIMING_COPIES; i++)
            t->copies[i] = m->field.pixels;
        return timing_configure(t, plan->product, &config);
    }
    if (m->width != plan->width || m->height != plan->height) {
        m->width = 0;
        if (!check(m, study_configure(&m->study, plan->width, plan->height), "tables"))
            return false;
        m->width = plan->width;
        m->height = plan->height;
    }
    return plan->kind != COPIED ||
           prepare_host(m, (size_t) plan->width * plan->height * FEATURE_BYTES);
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
        ok = check(m, field_draw(&m->field, m->study.module,
                                 plan.content.first + i * plan.content.step,
                                 m->timing.stream), "image") &&
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
    m->open = check(m, study_open(&m->study, m->timing.gpu->cu), "module");
    for (; m->open && m->n_marks < MOST_PARTS + 1; m->n_marks++)
        if (!check(m, m->timing.gpu->cu->event_create(&m->marks[m->n_marks], 0), "event"))
            return false;
    return m->open;
}

static void close_all(Measure *const m)
{
    for (uint32_t i = 0; i < m->n_marks; i++)
        m->timing.gpu->cu->event_destroy(m->marks[i]);
    if (m->open) {
        free_host(m);
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
               i : -1;
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
