/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The engine on the GPU. For each image of a content the minimum of some repeats; of
 * these the mean, and the worst. */

#include <stdlib.h>
#include <string.h>

#include "timing.h"

#define N_WARM_UP 2
#define REPEATS 40
#define REPEATS_IF_LARGE 12
#define LARGE_PIXELS 16000000
#define WORST_SIZE 8192

typedef struct Figures {
    double us, worst_us; /* mean and most over the images */
    double floor_us;     /* mean that moving the bytes takes: pixels in, records out */
    double components;   /* mean */
    double each_us[CONTENT_MOST_IMAGES];
} Figures;

typedef struct Plan {
    CcaCudaAlgorithm algorithm;
    uint32_t features;
    uint32_t width, height, connectivity;
    Content content;
} Plan;

/* Features of each of more components would need gigabytes. */
#define MAX_WITH_FEATURES (1u << 20)

static bool is_connectivity(const char *const word, uint32_t *const connectivity)
{
    return point_number(word, "", "", connectivity) && (*connectivity == 4 || *connectivity == 8);
}

static bool parse(const Point *const p, Plan *const plan)
{
    static const struct {
        const char *name;
        CcaCudaAlgorithm algorithm;
    } others[] = { { "flsl-cd", CCA_CUDA_FLSL_CD },
                   { "tiled", CCA_CUDA_TILED },
                   { "super", CCA_CUDA_SUPER },
                   { "staged", CCA_CUDA_STAGED } };
    uint32_t i = 0;
    plan->algorithm = CCA_CUDA_AUTO;
    plan->features = CCA_FEATURES_NONE;
    if (point_features(p->words[0], "auto-", &plan->features))
        i = 1;
    for (size_t k = 0; k < sizeof(others) / sizeof(*others); k++)
        if (strcmp(p->words[0], others[k].name) == 0) {
            plan->algorithm = others[k].algorithm;
            i = 1;
        }
    return p->n_words >= i + 3 && point_size(p->words[i], &plan->width, &plan->height) &&
           is_connectivity(p->words[i + 1], &plan->connectivity) &&
           content_parse(&plan->content, p, i + 2);
}

static bool configure(Timing *const t, const Plan *const plan)
{
    const CcaConfig config = {
        .width = plan->width,
        .height = plan->height,
        .sample_size = 1,
        .depth = 8,
        .max_components = plan->features ? MAX_WITH_FEATURES : UINT32_MAX,
        .slots = 1,
        .features = (CcaFeatureFlags) plan->features,
    };
    return timing_configure(t, plan->algorithm, &config);
}

static bool time_image(Timing *const t, const CcaParams *const params, double *const best,
                       uint32_t *const n_found)
{
    const uint64_t n_pixels = (uint64_t) t->config.width * t->config.height;
    const uint32_t repeats = t->simulated            ? 1 :
                             n_pixels < LARGE_PIXELS ? REPEATS :
                                                       REPEATS_IF_LARGE;
    *best = 1e30;
    /* the state of the engine after many frames of this kind */
    ((CudaEngine *) t->engine)->fine.left = 0;
    ((CudaEngine *) t->engine)->super.pause = 0;
    for (uint32_t r = 0; r < N_WARM_UP; r++) {
        CcaResult result;
        if (!timing_analyse(t, r, params, &result))
            return false;
        *n_found = result.n_found;
    }
    for (uint32_t r = 0; r < repeats; r++) {
        double us;
        if (!timing_analyse_on_device(t, r, params, &us))
            return false;
        *best = us < *best ? us : *best;
    }
    return true;
}

static bool time_content(Timing *const t, const Plan *const plan, Figures *const f)
{
    const uint32_t n = content_images(&plan->content);
    CcaParams params = CCA_DEFAULT_PARAMS;
    params.connectivity = plan->connectivity;
    *f = (Figures) { 0 };
    for (uint32_t i = 0; i < n; i++) {
        uint32_t n_found;
        double us;
        if (!timing_draw(t, &plan->content, i) || !time_image(t, &params, &us, &n_found))
            return false;
        f->each_us[i] = us;
        f->us += us / n;
        f->worst_us = us > f->worst_us ? us : f->worst_us;
        f->components += (double) n_found / n;
    }
    f->floor_us = ((double) plan->width * plan->height + f->components * sizeof(CcaComponent)) /
                  t->bytes_us;
    return true;
}

static void print(const Point *const point, const Plan *const plan, const Figures *const f)
{
    point_begin(point);
    point_figure("us", f->us);
    point_figure("worst_us", f->worst_us);
    point_figure("gpix_s", (double) plan->width * plan->height / f->us / 1e3);
    point_figure("floor_percent", 100 * f->floor_us / f->us);
    point_figure("components", f->components);
    if (content_images(&plan->content) > 1)
        point_list("densities_us", f->each_us, content_images(&plan->content));
    point_end();
}

/* worst/CONNECTIVITY: the slowest adversary, and the time of each. */
static bool measure_worst(Timing *const t, const Point *const point, Plan *const plan)
{
    const char *const *const names = content_adversaries();
    const char *worst = NULL;
    double us[64], most = 0;
    plan->algorithm = CCA_CUDA_AUTO;
    if (!configure(t, plan))
        return false;
    for (uint32_t i = 0; names[i] != NULL; i++) {
        Figures f;
        plan->content = (Content) { .name = names[i], .step = 5 };
        if (!time_content(t, plan, &f))
            return false;
        us[i] = f.us;
        if (f.us > most) {
            most = f.us;
            worst = names[i];
        }
    }
    point_begin(point);
    point_figure("us", most);
    point_text("picture", worst);
    for (uint32_t i = 0; names[i] != NULL; i++)
        point_figure(names[i], us[i]);
    point_end();
    return true;
}

bool measure_device(Timing *const t, const Point *const point)
{
    Plan plan = { .width = WORST_SIZE, .height = WORST_SIZE };
    Figures figures;
    if (point->n_words >= 2 && strcmp(point->words[0], "worst") == 0 &&
        is_connectivity(point->words[1], &plan.connectivity) &&
        (point->n_words == 2 ||
         (point->n_words == 3 && point_size(point->words[2], &plan.width, &plan.height))))
        return measure_worst(t, point, &plan);
    if (!parse(point, &plan) || !configure(t, &plan) || !time_content(t, &plan, &figures))
        return false;
    print(point, &plan, &figures);
    return true;
}
