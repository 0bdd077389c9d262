/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "measure.h"

#include <string.h>

#define FEATURE_BYTES 36 /* the 7 features of a label */

bool measure_check(Measure *const m, const CUresult result, const char *const what)
{
    return timing_check(&m->timing, result, what);
}

static bool mark(Measure *const m, const uint32_t i)
{
    return measure_check(m, m->timing.gpu->cu->event_record(m->marks[i], m->timing.stream),
                         "event");
}

/* --- copies ------------------------------------------------------------------------------ */

void measure_free_copies(Measure *const m)
{
    if (m->host != NULL)
        m->timing.gpu->cu->host_free(m->host);
    m->host = NULL;
    m->host_size = 0;
    transfer_close(&m->transfer, m->timing.gpu);
}

bool measure_prepare_copies(Measure *const m, const Plan *const plan)
{
    const Gpu *const gpu = m->timing.gpu;
    const uint32_t room = (plan->width / 2 + plan->width % 2) * plan->height;
    const size_t size = (size_t) plan->width * plan->height * FEATURE_BYTES;
    if (plan->algorithm->nodes ? room <= m->transfer.room : size <= m->host_size)
        return true;
    measure_free_copies(m);
    if (plan->algorithm->nodes)
        return measure_check(m, transfer_open(&m->transfer, gpu, room), "host memory");
    if (!measure_check(m, gpu->cu->host_alloc(&m->host, size, 0), "host memory"))
        return false;
    m->host_size = size;
    return true;
}

/* The tables of features from one end to the other. */
static bool copy_tables(Measure *const m, const StudyAlgorithm *const a)
{
    const StudyTables *const t = &m->study.tables;
    const struct {
        const void *table;
        size_t entry;
    } features[] = {
        { t->S, 4 },     { t->min_x, 4 }, { t->min_y, 4 }, { t->max_x, 4 },
        { t->max_y, 4 }, { t->Sx, 8 },    { t->Sy, 8 },
    };
    const bool runs = a->gather.grid == STUDY_ROWS;
    const size_t n = (size_t) (runs ? t->flsl.run_stride : m->width) * m->height;
    uint8_t *to = m->host;
    for (size_t i = 0; i < sizeof(features) / sizeof(*features); i++) {
        const CUdeviceptr from = (CUdeviceptr) (uintptr_t) features[i].table;
        const size_t size = n * features[i].entry;
        if (!measure_check(m, m->timing.gpu->copy_to_host_async(to, from, size, m->timing.stream),
                           "copy"))
            return false;
        to += size;
    }
    return true;
}

static bool begin_copy(Measure *const m, const StudyAlgorithm *const a)
{
    return a->nodes ?
               measure_check(m,
                             transfer_begin(&m->transfer, m->timing.gpu, m->study.tables.balanced,
                                            m->n_objects, m->timing.stream),
                             "copy") :
               copy_tables(m, a);
}

/* Of an image that was run before, as many are expected as there are: no second copy. */
static bool end_copy(Measure *const m, const StudyAlgorithm *const a)
{
    const StudyNode *const balanced = m->study.tables.balanced;
    return !a->nodes || measure_check(m,
                                      transfer_end(&m->transfer, m->timing.gpu, balanced,
                                                   m->timing.stream, &m->n_objects),
                                      "copy");
}

/* --- one run ----------------------------------------------------------------------------- */

static bool run_steps(Measure *const m, const StudyAlgorithm *const a,
                      const StudyImage *const image, uint32_t *const n_parts)
{
    uint32_t i = 0;
    for (; a->steps[i].kernel != NULL; i++)
        if (!measure_check(m, study_step(&m->study, &a->steps[i], image, m->timing.stream),
                           a->name) ||
            !mark(m, i + 1))
            return false;
    *n_parts = i;
    return true;
}

static bool run_study(Measure *const m, const Plan *const plan, const StudyImage *const image,
                      uint32_t *const n_parts)
{
    const StudyAlgorithm *const a = plan->algorithm;
    if (plan->kind == STEPS)
        return run_steps(m, a, image, n_parts);
    *n_parts = plan->kind == COPIED ? 2 : 1;
    return measure_check(m, study_run(&m->study, a, image, m->timing.stream), a->name) &&
           mark(m, 1) && (plan->kind != COPIED || (begin_copy(m, a) && mark(m, 2)));
}

static bool time_study(Measure *const m, const Plan *const plan, Times *const times)
{
    const Timing *const t = &m->timing;
    const StudyImage image = { m->field.pixels, plan->width, plan->height, 4 };
    if (!mark(m, 0) || !run_study(m, plan, &image, &times->n_parts) ||
        !measure_check(m, t->gpu->cu->event_synchronize(m->marks[times->n_parts]), "kernels"))
        return false;
    times->ms = 0;
    for (uint32_t i = 0; i < times->n_parts; i++) {
        if (!measure_check(m, t->gpu->event_elapsed(&times->parts[i], m->marks[i], m->marks[i + 1]),
                           "event"))
            return false;
        times->ms += times->parts[i];
    }
    return plan->kind != COPIED || end_copy(m, plan->algorithm);
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

bool measure_once(Measure *const m, const Plan *const plan, Times *const times)
{
    return plan->algorithm ? time_study(m, plan, times) : time_product(m, plan, times);
}

/* What makes the next run one of many: the engine has its memory, and it is known how many
 * objects there are. */
bool measure_warm_up(Measure *const m, const Plan *const plan)
{
    const CcaParams params = product_params();
    CcaResult result;
    Times times;
    if (plan->algorithm == NULL)
        return timing_analyse(&m->timing, 0, &params, &result);
    return plan->kind != COPIED || time_study(m, plan, &times);
}
