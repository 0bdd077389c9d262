/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Engines at work in several threads at once, one each. */

#include <pthread.h>
#include <string.h>

#include "cases.h"

#define N_WORKERS 4
#define MOST_THREADS 8 /* of each engine */

typedef struct Worker {
    Engine engine;
    const Case *c;
    const CcaFrame *frame;
    const CcaResult *expected;
    uint32_t times;
    bool right;
    char text[512];
} Worker;

static void *work(void *const data)
{
    Worker *const w = data;
    for (uint32_t i = 0; i < w->times && w->right; i++) {
        CcaResult result = { 0 };
        CcaStatus status = engine_prepare(&w->engine, &w->c->config);
        if (status == CCA_OK)
            status = cca_engine_analyse(w->engine.engine, 0, w->frame, &w->c->params);
        if (status == CCA_OK)
            status = cca_engine_collect(w->engine.engine, 0, &result);
        w->right = status == CCA_OK &&
                   results_equal(w->expected, &result, w->text, sizeof(w->text));
        if (status != CCA_OK)
            strncpy(w->text, engine_message(&w->engine, status), sizeof(w->text) - 1);
        if (i % 8 == 7)
            engine_close(&w->engine);
    }
    engine_close(&w->engine);
    return NULL;
}

static void work_together(Check *const k, const Engine *const engine, const Case *const c,
                          const CcaResult *const expected)
{
    Worker workers[N_WORKERS];
    pthread_t threads[N_WORKERS];
    uint32_t started = 0;
    for (; started < N_WORKERS; started++) {
        Worker *const w = &workers[started];
        *w = (Worker) {
            .engine = *engine, .c = c, .frame = &k->picture.frame, .expected = expected,
            .times = k->options->set == SET_TINY ? 2 : 20, .right = true,
        };
        w->engine.engine = NULL;
        if (pthread_create(&threads[started], NULL, work, w) != 0)
            break;
    }
    k->engine = engine;
    for (uint32_t i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
        k->n_comparisons += workers[i].times;
        if (!workers[i].right)
            check_fail(k, c, "one of %u at once: %s", started, workers[i].text);
    }
    if (started == 0)
        check_skip(k, "no thread could be started");
}

static uint64_t count_together(const Set set)
{
    return set == SET_TINY ? 1 : set == SET_QUICK ? 4 : 40;
}

static void run_together(Check *const k, const uint64_t index)
{
    Rng r = check_rng(k);
    const Case c = case_plain(&r, index % 2 ? PATTERN_GLYPHS : PATTERN_NOISE, 173, 101, 52, 1);
    CcaResult expected;
    if (!check_draw(k, &c) ||
        !oracle_analyse(&k->oracle, &k->picture.frame, &c.config, &c.params, &expected))
        return;
    for (uint32_t i = 0; i < k->engines.n; i++)
        if (k->engines.list[i].threads <= MOST_THREADS)
            work_together(k, &k->engines.list[i], &c, &expected);
}

const Group group_together = {
    "together", "several engines at work at once", USE_ALL, count_together, run_together,
};
