/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The state of an engine between calls: slots, memory, results. */

#include <stdlib.h>
#include <string.h>

#include "cases.h"

#define N_FRAMES 6

/* A frame and its expected result, kept while other frames are analysed. */
typedef struct Task {
    Case c;
    Picture picture;
    Oracle oracle;
    CcaResult expected;
} Task;

static bool task_make(Check *const k, Task *const t, Rng *const r)
{
    const Pattern pattern = (Pattern) rng_below(r, N_PATTERNS);
    const uint32_t width = rng_range(r, 1, 90), height = rng_range(r, 1, 60);
    uint32_t a, b;
    pattern_pick(pattern, width, height, r, &a, &b);
    t->c = case_plain(r, pattern, width, height, a, b);
    t->c.params.threshold %= 255;
    t->c.params.max_components = rng_percent(r, 30) ? rng_below(r, 20) : UINT32_MAX;
    t->c.params.order = (CcaOrder) rng_below(r, 2);
    t->c.config = (CcaConfig) {
        .width = 90,
        .height = 60,
        .sample_size = 1,
        .depth = 8,
        .max_components = 1000,
        .slots = 1,
        .foreground = CCA_FOREGROUND_OTSU,
    };
    if (rng_percent(r, 40))
        t->c.params.foreground = CCA_FOREGROUND_OTSU;
    if (rng_percent(r, 40))
        random_radii(r, &t->c.params);
    return pattern_draw(&k->mask, pattern, width, height, a, b, t->c.seed) &&
           picture_make(&t->picture, &k->mask, &t->c.config, &t->c.params, &t->c.layout, r) &&
           oracle_analyse(&t->oracle, &t->picture.frame, &t->c.config, &t->c.params, &t->expected);
}

static void task_free(Task *const t)
{
    picture_free(&t->picture);
    oracle_free(&t->oracle);
}

typedef struct Slot {
    const Task *task; /* in flight or, if not busy, collected last */
    bool busy;
    CcaResult result;
} Slot;

static bool compare(Check *const k, const Task *const t, const CcaResult *const result,
                    const char *const when)
{
    char text[512];
    if (results_equal(&t->expected, result, text, sizeof(text)))
        return true;
    check_fail(k, &t->c, "%s: %s", when, text);
    return false;
}

/* Collects if the slot is busy; otherwise checks its last result once more and starts the next
 * frame. */
static bool use_slot(Check *const k, CcaEngine *const e, Slot *const slots, const uint32_t i,
                     const Task *const next)
{
    Slot *const s = &slots[i];
    k->n_comparisons++;
    if (s->busy) {
        s->busy = false;
        if (cca_engine_collect(e, i, &s->result) != CCA_OK) {
            check_fail(k, &s->task->c, "collect failed: %s", cca_engine_error(e));
            return false;
        }
        return compare(k, s->task, &s->result, "collected");
    }
    if (s->task && !compare(k, s->task, &s->result, "collected, then other slots used"))
        return false;
    s->task = next;
    s->busy = cca_engine_analyse(e, i, &next->picture.frame, &next->c.params) == CCA_OK;
    if (!s->busy)
        check_fail(k, &next->c, "analyse failed: %s", cca_engine_error(e));
    return s->busy;
}

static void use_slots(Check *const k, Engine *const engine, const Task *const tasks,
                      const uint32_t n_slots, Rng r)
{
    CcaConfig config = tasks[0].c.config;
    config.slots = n_slots;
    k->engine = engine;
    const CcaStatus status = engine_prepare(engine, &config);
    if (status != CCA_OK) {
        check_fail(k, NULL, "configure failed: %s", engine_message(engine, status));
        return;
    }
    Slot slots[CCA_MAX_SLOTS] = { 0 };
    for (uint32_t i = 0; i < 60 + 4 * n_slots; i++)
        if (!use_slot(k, engine->engine, slots, rng_below(&r, n_slots),
                      &tasks[rng_below(&r, N_FRAMES)]))
            break;
    for (uint32_t i = 0; i < n_slots; i++)
        if (slots[i].busy && !use_slot(k, engine->engine, slots, i, NULL))
            break;
    engine->config = (CcaConfig) { 0 }; /* some slots may still be busy */
}

static uint64_t count_slots(const Set set)
{
    return set == SET_TINY ? 2 : set == SET_QUICK ? 40 : 1000;
}

static void run_slots(Check *const k, const uint64_t index)
{
    static const uint32_t counts[] = { 1, 2, 3, 8, CCA_MAX_SLOTS };
    Rng r = check_rng(k);
    Task tasks[N_FRAMES] = { 0 };
    bool made = true;
    for (uint32_t i = 0; i < N_FRAMES; i++)
        made &= task_make(k, &tasks[i], &r);
    for (uint32_t i = 0; made && i < k->engines.n; i++)
        use_slots(k, &k->engines.list[i], tasks, counts[rng_below(&r, 5)], r);
    for (uint32_t i = 0; i < N_FRAMES; i++) {
        if (made && !picture_intact(&tasks[i].picture))
            check_fail(k, &tasks[i].c, "an engine wrote to the frame or next to it");
        task_free(&tasks[i]);
    }
}

const Group group_slots = {
    "slots", "several frames in flight, collected in any order", USE_ALL, count_slots, run_slots,
};

/* Sizes that have nothing in common, with work in flight at each change. The last case
 * is one in which the values alone become more. */
static uint64_t count_reconfigure(const Set set)
{
    return 1 + (set == SET_TINY ? 8 : set == SET_QUICK ? 80 : 2000);
}

static void run_depths(Check *const k)
{
    static const uint32_t depths[] = { 10, 16 };
    Rng r = check_rng(k);
    Case c = case_plain(&r, PATTERN_NOISE, 90, 70, 50, 1);
    c.config.foreground = c.params.foreground = CCA_FOREGROUND_OTSU;
    c.config.sample_size = 2;
    c.layout = case_layout(&r, 2);
    c.config.shift = 0;
    for (uint32_t i = 0; i < sizeof(depths) / sizeof(depths[0]); i++) {
        c.config.depth = depths[i];
        if (!check_case(k, &c))
            return;
    }
}

static void run_reconfigure(Check *const k, const uint64_t index)
{
    static const struct {
        uint32_t width, height;
    } sizes[] = {
        { 1, 1 },    { 640, 480 }, { 1, 1 },     { 1, 3000 },
        { 3000, 1 }, { 2, 2 },     { 17, 1000 }, { 1000, 17 },
    };
    if (index + 1 == count_reconfigure(k->options->set)) {
        run_depths(k);
        return;
    }
    Rng r = check_rng(k);
    uint32_t width = sizes[index % 8].width, height = sizes[index % 8].height;
    if (index >= 8 && rng_percent(&r, 60)) {
        width = rng_range(&r, 1, 400);
        height = rng_range(&r, 1, 300);
    }
    Case c = case_plain(&r, rng_percent(&r, 50) ? PATTERN_NOISE : PATTERN_CHECKER, width, height,
                        rng_percent(&r, 50), 1);
    c.config.slots = rng_range(&r, 1, 4);
    c.config.max_components = rng_percent(&r, 50) ? UINT32_MAX : rng_range(&r, 1, 50);
    if (rng_percent(&r, 30))
        c.config.foreground = c.params.foreground = CCA_FOREGROUND_OTSU;
    if (rng_percent(&r, 30))
        random_radii(&r, &c.params);
    Case more = c;
    more.config.slots++;
    if (!check_case(k, &c) || !check_case(k, &more))
        return;
    for (uint32_t i = 0; i < k->engines.n; i++) /* left in flight */
        for (uint32_t slot = 0; slot < c.config.slots; slot++)
            if (cca_engine_analyse(k->engines.list[i].engine, slot, &k->picture.frame, &c.params) !=
                CCA_OK) {
                k->engine = &k->engines.list[i];
                check_fail(k, &c, "analyse failed: %s",
                           cca_engine_error(k->engines.list[i].engine));
            }
    for (uint32_t i = 0; i < k->engines.n; i++)
        k->engines.list[i].config = (CcaConfig) { 0 };
}

const Group group_reconfigure = {
    "reconfigure",   "growing and shrinking from 1x1 to large, with work in flight",
    USE_ALL,         count_reconfigure,
    run_reconfigure,
};

/* The same frame again and again. */
static uint64_t count_repeat(const Set set)
{
    return set == SET_TINY ? 1 : set == SET_QUICK ? 4 : 12;
}

static void run_repeat(Check *const k, const uint64_t index)
{
    static const Pattern patterns[] = {
        PATTERN_NOISE,
        PATTERN_GLYPHS,
        PATTERN_CHECKER,
        PATTERN_SNAKE_COLUMNS,
    };
    const Set set = k->options->set;
    const uint32_t times = set == SET_TINY ? 3 : set == SET_QUICK ? 30 : 1000;
    Rng r = check_rng(k);
    const Case c = case_plain(&r, patterns[index % 4], 331, 217, 48, 1);
    if (!check_case(k, &c))
        return;
    CcaResult expected, result;
    if (!oracle_analyse(&k->oracle, &k->picture.frame, &c.config, &c.params, &expected))
        return;
    for (uint32_t i = 0; i < k->engines.n; i++)
        for (uint32_t t = 0; t < times; t++) {
            char text[512];
            if (!check_analyse(k, &k->engines.list[i], &c, &k->picture.frame, &result))
                break;
            if (!results_equal(&expected, &result, text, sizeof(text))) {
                check_fail(k, &c, "time %u: %s", t, text);
                break;
            }
        }
}

const Group group_repeat = {
    "repeat", "the same frame many times, the same bytes", USE_ALL, count_repeat, run_repeat,
};
