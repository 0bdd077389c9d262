/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The life of an engine: the allowed order of calls, and the memory that it reports. */

#include <inttypes.h>
#include <string.h>

#include "cases.h"

static bool expect(Check *const k, const char *const what, const CcaStatus status,
                   const CcaStatus expected)
{
    k->n_comparisons++;
    if (status == expected)
        return true;
    check_fail(k, NULL, "%s: expected \"%s\", got \"%s\"", what, cca_status_string(expected),
               cca_status_string(status));
    return false;
}

static bool is_zero(const CcaResult *const r)
{
    return r->components == NULL && r->n_components == 0 && r->n_found == 0 && !r->truncated &&
           r->threshold == 0 && r->threshold_high == 0 && !r->warming_up &&
           r->background_frames == 0 && r->label_bits == 0;
}

static void check_order_of_calls(Check *const k, Engine *const engine, const Case *const c,
                                 const CcaResult *const expected)
{
    CcaEngine *e = NULL;
    CcaResult result;
    char text[512];
    const CcaFrame *const frame = &k->picture.frame;
    k->engine = engine;
    cca_engine_free(&e);
    if (!expect(k, "open", engine->open(&e, engine), CCA_OK))
        return;
    if (cca_engine_name(e) == NULL || cca_engine_name(e)[0] == '\0')
        check_fail(k, NULL, "the engine has no name");
    if (strcmp(cca_engine_error(e), cca_status_string(CCA_OK)) != 0)
        check_fail(k, NULL, "a new engine tells an error: %s", cca_engine_error(e));
    expect(k, "analyse before configure", cca_engine_analyse(e, 0, frame, &c->params),
           CCA_ERROR_NOT_CONFIGURED);
    cca_engine_reset_background(e);
    memset(&result, 0xff, sizeof(result));
    expect(k, "collect before configure", cca_engine_collect(e, 0, &result),
           CCA_ERROR_NOT_CONFIGURED);
    if (!is_zero(&result))
        check_fail(k, NULL, "a failed collect left a result");

    expect(k, "configure", cca_engine_configure(e, &c->config), CCA_OK);
    expect(k, "collect before analyse", cca_engine_collect(e, 1, &result), CCA_ERROR_EMPTY);
    expect(k, "collect from slot 64", cca_engine_collect(e, 64, &result), CCA_ERROR_INVALID);
    expect(k, "analyse", cca_engine_analyse(e, 1, frame, &c->params), CCA_OK);
    CcaParams other = c->params;
    other.invert = !other.invert;
    expect(k, "analyse in a busy slot", cca_engine_analyse(e, 1, frame, &other), CCA_ERROR_BUSY);
    expect(k, "collect", cca_engine_collect(e, 1, &result), CCA_OK);
    if (!results_equal(expected, &result, text, sizeof(text)))
        check_fail(k, c, "after a busy slot was refused: %s", text);
    expect(k, "collect again", cca_engine_collect(e, 1, &result), CCA_ERROR_EMPTY);

    expect(k, "analyse", cca_engine_analyse(e, 0, frame, &c->params), CCA_OK);
    expect(k, "configure while busy", cca_engine_configure(e, &c->config), CCA_OK);
    expect(k, "collect what was dropped", cca_engine_collect(e, 0, &result), CCA_ERROR_EMPTY);
    expect(k, "analyse", cca_engine_analyse(e, 0, frame, &c->params), CCA_OK);
    cca_engine_free(&e);
    if (e != NULL)
        check_fail(k, NULL, "free left a pointer");
    cca_engine_free(&e);
}

/* The most that can be asked for is measured or refused, never wrapped. */
static void check_footprint(Check *const k, Engine *const engine)
{
    static const struct {
        uint32_t width, height;
    } sizes[] = { { 1, 1 },         { 640, 480 },     { 1920, 1080 },  { 16384, 16384 },
                  { 46340, 46340 }, { INT32_MAX, 1 }, { 1, INT32_MAX } };
    k->engine = engine;
    if (engine->engine == NULL && engine->open(&engine->engine, engine) != CCA_OK)
        return;
    for (uint32_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        uint64_t before = 0;
        for (uint32_t slots = 1; slots <= CCA_MAX_SLOTS; slots *= 2) {
            const CcaConfig config = {
                .width = sizes[i].width,
                .height = sizes[i].height,
                .sample_size = 2,
                .depth = 16,
                .max_components = UINT32_MAX,
                .slots = slots,
            };
            CcaFootprint f;
            if (!expect(k, "measure", cca_engine_measure(engine->engine, &config, &f), CCA_OK))
                continue;
            const uint64_t n_pixels = (uint64_t) config.width * config.height;
            const uint64_t all = f.host + f.pinned + f.device;
            const uint64_t records = (n_pixels + 1) / 2 * slots * sizeof(CcaComponent);
            if (all < records || all < before || all > UINT64_C(1) << 50)
                check_fail(k, NULL,
                           "%" PRIu32 "x%" PRIu32 " with %" PRIu32 " slots cannot take %" PRIu64
                           " bytes: records alone take %" PRIu64 ", fewer slots took %" PRIu64,
                           config.width, config.height, slots, all, records, before);
            before = all;
        }
    }
    engine_close(engine);
}

/* GPU memory for a large frame. */
static void check_device_footprint(Check *const k, Engine *const engine)
{
    const CcaConfig config = {
        .width = 8192,
        .height = 8192,
        .sample_size = 1,
        .depth = 8,
        .max_components = 65536,
        .slots = 1,
    };
    CcaFootprint f;
    k->engine = engine;
    if ((engine->engine == NULL && engine->open(&engine->engine, engine) != CCA_OK) ||
        !expect(k, "measure", cca_engine_measure(engine->engine, &config, &f), CCA_OK))
        return;
    const double most = strcmp(engine->name, "cuda-flsl-cd") == 0 ? 28 : 6;
    const double each = (double) f.device / ((double) config.width * config.height);
    if (each > most)
        check_fail(k, NULL, "a pixel takes %.2f bytes on the GPU: at most %.0f expected", each,
                   most);
    engine_close(engine);
}

/* Memory of the modes in addition to that of thresholds. */
static void check_background_footprint(Check *const k, Engine *const engine)
{
    k->engine = engine;
    if (engine->engine == NULL && engine->open(&engine->engine, engine) != CCA_OK)
        return;
    uint64_t plain = 0;
    for (int mode = CCA_FOREGROUND_THRESHOLD; mode <= CCA_FOREGROUND_SIGMA_DELTA; mode++) {
        const CcaConfig config = {
            .width = 1000,
            .height = 700,
            .sample_size = 2,
            .depth = 16,
            .max_components = UINT32_MAX,
            .slots = 3,
            .foreground = (CcaForeground) mode,
            .frame_distance = CCA_MAX_FRAME_DISTANCE,
        };
        const uint64_t planes = mode == CCA_FOREGROUND_DIFFERENCE  ? CCA_MAX_FRAME_DISTANCE :
                                mode == CCA_FOREGROUND_SIGMA_DELTA ? 2 :
                                                                     0;
        CcaFootprint f;
        if (!expect(k, "measure", cca_engine_measure(engine->engine, &config, &f), CCA_OK))
            continue;
        const uint64_t all = f.host + f.pinned + f.device;
        const uint64_t background = planes * config.sample_size * config.width * config.height;
        if (mode == CCA_FOREGROUND_THRESHOLD)
            plain = all;
        else if (all < plain + background / 100 * 99) /* some need less of other tables */
            check_fail(k, NULL,
                       "mode %d cannot take %" PRIu64 " bytes: thresholds take %" PRIu64
                       ", the background %" PRIu64,
                       mode, all, plain, background);
    }
    engine_close(engine);
}

/* Labels need at most 4 bytes for each possible run, in the reference engine 8 for each pixel.
 * With super tiles, of which there are at least as many as multiprocessors, they need at most 8 for
 * each 32 pixels and 24 KiB for each tile, where tables of other algorithms have no room. Without
 * labels nothing is added. */
static void check_labels_footprint(Check *const k, Engine *const engine)
{
    k->engine = engine;
    if (engine->engine == NULL && engine->open(&engine->engine, engine) != CCA_OK)
        return;
    CcaConfig config = {
        .width = 1001,
        .height = 700,
        .sample_size = 1,
        .depth = 8,
        .max_components = 1000,
        .slots = 3,
    };
    CcaFootprint without, with;
    if (!expect(k, "measure", cca_engine_measure(engine->engine, &config, &without), CCA_OK))
        return;
    config.labels = true;
    if (!expect(k, "measure", cca_engine_measure(engine->engine, &config, &with), CCA_OK))
        return;
    const uint64_t n_pixels = (uint64_t) config.width * config.height, page = 65536;
    const bool has_super = strcmp(engine->name, "cuda-super") == 0 ||
                           strcmp(engine->name, "cuda-staged") == 0;
    uint64_t most = 8 * n_pixels; /* the reference and its broken variants */
    if (strncmp(engine->name, "cpu", 3) == 0)
        most = 2 * (n_pixels + config.height);
    else if (has_super)
        most = (8 * config.height * (1024 / 32) + (152 + 2) * 24576) * config.slots;
    else if (engine_is_on_gpu(engine))
        most = 0;
    const uint64_t more = with.host + with.device + with.pinned - without.host - without.device -
                          without.pinned;
    if (more > most + page || (!has_super && more < most * 3 / 4))
        check_fail(k, NULL, "labels take %" PRIu64 " bytes more, not about %" PRIu64, more, most);
    engine_close(engine);
}

/* Terabytes: given or refused, and the engine works afterwards. On a GPU of its memory, not
 * of page-locked memory: where that runs out, some machines end the process. */
static void check_no_memory(Check *const k, Engine *const engine, const Case *const c)
{
    const bool on_gpu = engine_is_on_gpu(engine);
    const CcaConfig vast = {
        .width = 46340,
        .height = 46340,
        .sample_size = 2,
        .depth = 16,
        .max_components = on_gpu ? 65536 : UINT32_MAX,
        .slots = CCA_MAX_SLOTS,
    };
    k->engine = engine;
    if (engine->engine == NULL && engine->open(&engine->engine, engine) != CCA_OK)
        return;
    const CcaStatus status = cca_engine_configure(engine->engine, &vast);
    if (status != CCA_OK && expect(k, "a vast frame", status, CCA_ERROR_NO_MEMORY))
        expect(k, "analyse afterwards",
               cca_engine_analyse(engine->engine, 0, &k->picture.frame, &c->params),
               CCA_ERROR_NOT_CONFIGURED);
    engine->config = (CcaConfig) { 0 };
    CcaResult result;
    check_analyse(k, engine, c, &k->picture.frame, &result);
    engine_close(engine);
}

static void check_open(Check *const k)
{
    CcaEngine *e = NULL;
    k->engine = NULL;
    expect(k, "open without options", cca_cpu_open(&e, NULL), CCA_OK);
    cca_engine_free(&e);
    const CcaCpuOptions many = { .threads = 257, .level = CCA_CPU_LEVEL_BEST };
    expect(k, "257 threads", cca_cpu_open(&e, &many), CCA_ERROR_INVALID);
    const CcaCpuOptions strange = { .threads = 1, .level = (CcaCpuLevel) 77 };
    expect(k, "level 77", cca_cpu_open(&e, &strange), CCA_ERROR_INVALID);
    if (cca_cpu_level() < CCA_CPU_LEVEL_V4) {
        const CcaCpuOptions above = { 1, (CcaCpuLevel) (cca_cpu_level() + 1) };
        expect(k, "a level above this machine's", cca_cpu_open(&e, &above), CCA_ERROR_INVALID);
    }
    for (int i = CCA_ERROR_DEVICE_LOST - 1; i <= CCA_OK + 1; i++)
        for (int j = CCA_ERROR_DEVICE_LOST - 1; j < i && i <= CCA_OK; j++)
            if (strcmp(cca_status_string((CcaStatus) i), cca_status_string((CcaStatus) j)) == 0)
                check_fail(k, NULL, "status %d and %d have the same sentence", i, j);
    k->n_comparisons++;
}

static uint64_t count_life(const Set set)
{
    return set == SET_TINY ? 3 : 4;
}

static void run_life(Check *const k, const uint64_t index)
{
    Rng r = check_rng(k);
    Case c = case_plain(&r, PATTERN_GLYPHS, 50, 40, 0, 0);
    c.config.slots = 2;
    CcaResult expected;
    if (!check_draw(k, &c) ||
        !oracle_analyse(&k->oracle, &k->picture.frame, &c.config, &c.params, &expected))
        return;
    if (index == 0)
        check_open(k);
    for (uint32_t i = 0; i < k->engines.n; i++) {
        Engine *const engine = &k->engines.list[i];
        if (index == 1)
            check_order_of_calls(k, engine, &c, &expected);
        else if (index == 2) {
            check_footprint(k, engine);
            check_device_footprint(k, engine);
            check_background_footprint(k, engine);
            check_labels_footprint(k, engine);
        } else if (index == 3)
            check_no_memory(k, engine, &c);
    }
}

const Group group_life = {
    "life",   "what may be called when; memory told and memory refused", USE_ALL, count_life,
    run_life,
};
