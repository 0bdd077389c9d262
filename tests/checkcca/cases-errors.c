/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Calls that the interface refuses: their status and sentence, and that the engine works
 * afterwards. */

#include <stdio.h>
#include <string.h>

#include "cases.h"

#define WIDTH 40
#define HEIGHT 30
#define SLOTS 2

/* Whether `status` is as expected and `engine` explains a refusal in one sentence. */
static bool expect(Check *const k, const char *const what, const CcaStatus status,
                   const CcaStatus expected, const CcaEngine *const engine)
{
    k->n_comparisons++;
    if (status != expected) {
        check_fail(k, NULL, "%s: expected \"%s\" (%d), got \"%s\" (%d)", what,
                   cca_status_string(expected), expected, cca_status_string(status), status);
        return false;
    }
    const char *const sentence = engine ? cca_engine_error(engine) : NULL;
    const size_t length = sentence ? strlen(sentence) : 0;
    if (expected != CCA_OK && engine != NULL &&
        (length < 10 || sentence[length - 1] == '.' || strchr(sentence, '\n') ||
         strcmp(sentence, cca_status_string(CCA_OK)) == 0)) {
        check_fail(k, NULL, "%s: \"%s\" is no sentence on a failure", what,
                   sentence ? sentence : "NULL");
        return false;
    }
    return true;
}

/* A call of analyse that contradicts cca.h in one argument. */
typedef struct Bad {
    const char *what;
    uint32_t sample_size; /* 0: either */
    CcaStatus status;
    uint32_t width, height;
    size_t stride;
    uint32_t slot, odd; /* odd: bytes added to the address */
    uint32_t threshold, threshold_high, connectivity;
    int order;
    bool no_data;
    int configured, foreground; /* modes */
    uint32_t min_contrast, step, noise_factor, background_period, warm_up, absorb_after;
    bool votes; /* configured for them */
    uint32_t open_radius, close_radius;
    bool labels, not_configured; /* asks for labels; of an engine that is not to write any */
    uint32_t label_bits, label_odd;
    size_t label_stride, narrow_stride;
    bool picture; /* asks for the background's picture */
    size_t picture_stride;
    uint32_t picture_odd;
    uint32_t mask_width, mask_height; /* 0: no mask */
    const char *says;                 /* part of the sentence, or NULL */
} Bad;

#define GOOD                                                                                     \
    .width = WIDTH, .height = HEIGHT, .stride = 2 * WIDTH, .threshold_high = 65535,              \
    .connectivity = 8, .min_contrast = 15, .step = 1, .noise_factor = 2, .background_period = 4, \
    .warm_up = 255
#define OTSU GOOD, .configured = CCA_FOREGROUND_OTSU, .foreground = CCA_FOREGROUND_OTSU
#define DIFFERENCE \
    GOOD, .configured = CCA_FOREGROUND_DIFFERENCE, .foreground = CCA_FOREGROUND_DIFFERENCE
#define SIGMA_DELTA \
    GOOD, .configured = CCA_FOREGROUND_SIGMA_DELTA, .foreground = CCA_FOREGROUND_SIGMA_DELTA
#define LABELS GOOD, .labels = true, .label_bits = 16, .label_stride = 2 * WIDTH
#define PICTURE DIFFERENCE, .picture = true, .picture_stride = 2 * WIDTH
#define WIDE_LABELS LABELS, .label_bits = 32, .label_stride = 4 * WIDTH
#define NOTHING \
    .min_contrast = 0, .step = 0, .noise_factor = 0, .background_period = 0, .warm_up = 70000
#define SAYS(text) .says = text
#pragma GCC diagnostic ignored "-Woverride-init" /* one member after GOOD */

#define INVALID .status = CCA_ERROR_INVALID
#define ALLOWED .status = CCA_OK
#define TOO_LARGE .status = CCA_ERROR_TOO_LARGE

static const Bad bad_calls[] = {
    { "slot 2 of 2", 0, INVALID, GOOD, .slot = SLOTS },
    { "slot 64", 0, INVALID, GOOD, .slot = 64 },
    { "the last slot number there is", 0, INVALID, GOOD, .slot = UINT32_MAX },
    { "width 0", 0, INVALID, GOOD, .width = 0 },
    { "height 0", 0, INVALID, GOOD, .height = 0 },
    { "a column too many", 0, TOO_LARGE, GOOD, .width = WIDTH + 1 },
    { "a row too many", 0, TOO_LARGE, GOOD, .height = HEIGHT + 1 },
    { "width INT32_MAX", 0, TOO_LARGE, GOOD, .width = INT32_MAX },
    { "height UINT32_MAX", 0, TOO_LARGE, GOOD, .height = UINT32_MAX },
    { "no pixels", 0, INVALID, GOOD, .no_data = true },
    { "stride 0", 0, INVALID, GOOD, .stride = 0 },
    { "stride a byte short", 1, INVALID, GOOD, .stride = WIDTH - 1 },
    { "stride a sample short", 2, INVALID, GOOD, .stride = 2 * WIDTH - 2 },
    { "stride beyond memory", 0, INVALID, GOOD, .stride = SIZE_MAX - 1 },
    { "stride beyond half of memory", 0, INVALID, GOOD, .stride = SIZE_MAX / 2 - 1 },
    { "odd stride", 2, INVALID, GOOD, .stride = 2 * WIDTH + 1 },
    { "odd address", 2, INVALID, GOOD, .odd = 1 },
    { "odd address of one row", 2, INVALID, GOOD, .odd = 1, .height = 1 },
    { "connectivity 0", 0, INVALID, GOOD, .connectivity = 0 },
    { "connectivity 1", 0, INVALID, GOOD, .connectivity = 1 },
    { "connectivity 6", 0, INVALID, GOOD, .connectivity = 6 },
    { "connectivity 12", 0, INVALID, GOOD, .connectivity = 12 },
    { "threshold 65536", 0, INVALID, GOOD, .threshold = 65536 },
    { "threshold UINT32_MAX", 0, INVALID, GOOD, .threshold = UINT32_MAX },
    { "high threshold 65536", 0, INVALID, GOOD, .threshold_high = 65536 },
    { "order 2", 0, INVALID, GOOD, .order = 2 },
    { "order -1", 0, INVALID, GOOD, .order = -1 },
    { "open radius 8", 0, INVALID, GOOD, .open_radius = 8, SAYS("radii of 8 and 0") },
    { "close radius 16", 0, INVALID, GOOD, .close_radius = 16, SAYS("radii of 0 and 16") },
    { "open radius UINT32_MAX", 0, INVALID, SIGMA_DELTA, .open_radius = UINT32_MAX },
    { "close radius UINT32_MAX", 0, INVALID, OTSU, .close_radius = UINT32_MAX },
    { "a mask a column wider", 0, INVALID, GOOD, .mask_width = WIDTH + 1, .mask_height = HEIGHT,
      SAYS("a mask of 41x30 pixels is not of the frame's 40x30") },
    { "a mask a row lower", 0, INVALID, GOOD, .mask_width = WIDTH, .mask_height = HEIGHT - 1,
      SAYS("a mask of 40x29 pixels is not of the frame's 40x30") },
    { "otsu, configured for thresholds", 0, INVALID, OTSU, .configured = 0,
      SAYS("not configured for a foreground mode of 1") },
    { "difference, configured for sigma-delta", 0, INVALID, SIGMA_DELTA, .foreground = 2,
      SAYS("not configured for a foreground mode of 2") },
    { "sigma-delta, configured for difference", 0, INVALID, DIFFERENCE, .foreground = 3,
      SAYS("not configured for a foreground mode of 3") },
    { "mode 4", 0, INVALID, GOOD, .foreground = 4 },
    { "mode -1", 0, INVALID, SIGMA_DELTA, .foreground = -1 },
    { "contrast 0 of a difference", 0, INVALID, DIFFERENCE, .min_contrast = 0,
      SAYS("a contrast of 0 is not 1 to 65536") },
    { "contrast 65537 of a difference", 0, INVALID, DIFFERENCE, .min_contrast = 65537,
      SAYS("a contrast of 65537") },
    { "contrast 0", 0, INVALID, SIGMA_DELTA, .min_contrast = 0, SAYS("a contrast of 0") },
    { "contrast UINT32_MAX", 0, INVALID, SIGMA_DELTA, .min_contrast = UINT32_MAX },
    { "step 0", 0, INVALID, SIGMA_DELTA, .step = 0, SAYS("a step of 0 is not 1 to ") },
    { "step 256", 1, INVALID, SIGMA_DELTA, .step = 256, SAYS("256 is not 1 to 255") },
    { "step 65536", 2, INVALID, SIGMA_DELTA, .step = 65536, SAYS("65536 is not 1 to 65535") },
    { "noise factor 0", 0, INVALID, SIGMA_DELTA, .noise_factor = 0,
      SAYS("a noise factor of 0 is not 1 to 16") },
    { "noise factor 17", 0, INVALID, SIGMA_DELTA, .noise_factor = 17 },
    { "period 0", 0, INVALID, SIGMA_DELTA, .background_period = 0,
      SAYS("a background period of 0") },
    { "period 65536", 0, INVALID, SIGMA_DELTA, .background_period = 65536 },
    { "warm-up 65536", 0, INVALID, SIGMA_DELTA, .warm_up = 65536, SAYS("a warm-up of 65536") },
    { "absorption, not configured for votes", 0, INVALID, SIGMA_DELTA, .absorb_after = 1,
      SAYS("not configured for votes") },
    { "absorption after 8322945 frames", 0, ALLOWED, SIGMA_DELTA, .votes = true,
      .absorb_after = 8322945 },
    { "absorption after 8322946 frames", 0, INVALID, SIGMA_DELTA, .votes = true,
      .absorb_after = 8322946, SAYS("after 8322946 frames is not after 0 to 8322945") },
    { "absorption of a difference", 0, ALLOWED, DIFFERENCE, .absorb_after = UINT32_MAX },
    { "labels, not configured for them", 0, INVALID, LABELS, .not_configured = true,
      SAYS("not configured for labels") },
    { "labels of 0 bits", 0, INVALID, LABELS, .label_bits = 0, SAYS("labels of 0 bits") },
    { "labels of 8 bits", 0, INVALID, LABELS, .label_bits = 8, SAYS("labels of 8 bits") },
    { "labels of 24 bits", 0, INVALID, WIDE_LABELS, .label_bits = 24 },
    { "narrow labels of 32 bits", 0, INVALID, WIDE_LABELS, .narrow_stride = WIDTH },
    { "label stride 0", 0, INVALID, LABELS, .label_stride = 0 },
    { "label stride a pixel short", 0, INVALID, LABELS, .label_stride = 2 * WIDTH - 2,
      SAYS("strides of 78 and 0 bytes are too short") },
    { "wide label stride a pixel short", 0, INVALID, WIDE_LABELS, .label_stride = 4 * WIDTH - 4 },
    { "narrow stride a pixel short", 0, INVALID, LABELS, .narrow_stride = WIDTH - 1,
      SAYS("strides of 80 and 39 bytes are too short") },
    { "label stride beyond memory", 0, INVALID, LABELS, .label_stride = SIZE_MAX - 1 },
    { "narrow stride beyond memory", 0, INVALID, LABELS, .narrow_stride = SIZE_MAX / 2,
      SAYS("do not fit in memory") },
    { "odd label stride", 0, INVALID, LABELS, .label_stride = 2 * WIDTH + 1,
      SAYS("at an odd address or stride") },
    { "half a wide label more", 0, INVALID, WIDE_LABELS, .label_stride = 4 * WIDTH + 2 },
    { "odd label address", 0, INVALID, LABELS, .label_odd = 1 },
    { "odd label address of one row", 0, INVALID, LABELS, .label_odd = 1, .height = 1 },
    { "wide labels at half a label", 0, INVALID, WIDE_LABELS, .label_odd = 2 },
    { "labels", 0, ALLOWED, LABELS },
    { "narrow labels at an odd stride", 0, ALLOWED, LABELS, .narrow_stride = WIDTH + 1 },
    { "a row of labels with stride 1", 0, ALLOWED, LABELS, .label_stride = 1, .height = 1 },
    { "picture of no background", 0, INVALID, PICTURE, .foreground = 0,
      SAYS("has no background to write") },
    { "picture stride 0", 0, INVALID, PICTURE, .picture_stride = 0,
      SAYS("stride of 0 bytes does not fit a background of 40x") },
    { "picture stride a pixel short", 1, INVALID, PICTURE, .picture_stride = WIDTH - 1 },
    { "picture stride a pixel short", 2, INVALID, PICTURE, .picture_stride = 2 * WIDTH - 2 },
    { "picture stride beyond memory", 0, INVALID, PICTURE, .picture_stride = SIZE_MAX - 1 },
    { "odd picture stride", 2, INVALID, PICTURE, .picture_stride = 2 * WIDTH + 1,
      SAYS("at an odd address or stride") },
    { "odd picture address", 2, INVALID, PICTURE, .picture_odd = 1 },
    { "odd picture address of one row", 2, INVALID, PICTURE, .picture_odd = 1, .height = 1 },
    { "odd picture address and stride", 1, ALLOWED, PICTURE, .picture_odd = 1,
      .picture_stride = WIDTH + 1 },
    { "a row of a picture with stride 1", 0, ALLOWED, PICTURE, .picture_stride = 1, .height = 1 },
    /* values that the mode does not use are not checked, and the greatest values are valid */
    { "thresholds, configured for otsu", 0, ALLOWED, OTSU, .foreground = 0, NOTHING },
    { "thresholds, configured for sigma-delta", 0, ALLOWED, SIGMA_DELTA, .foreground = 0, NOTHING },
    { "otsu without the others' parameters", 0, ALLOWED, OTSU, NOTHING },
    { "difference without those of sigma-delta", 0, ALLOWED, DIFFERENCE, NOTHING,
      .min_contrast = 65536 },
    { "the most of all", 1, ALLOWED, SIGMA_DELTA, .min_contrast = 65536, .step = 255,
      .noise_factor = 16, .background_period = 65535, .warm_up = 65535, .open_radius = 7,
      .close_radius = 15 },
    { "the most of all", 2, ALLOWED, SIGMA_DELTA, .min_contrast = 65536, .step = 65535,
      .noise_factor = 16, .background_period = 65535, .warm_up = 65535, .open_radius = 7,
      .close_radius = 15 },
};

#define N_BAD_CALLS (sizeof(bad_calls) / sizeof(bad_calls[0]))

#define PLAIN(w, h, size, bits, low, components, n_slots) \
    { .width = w,                                         \
      .height = h,                                        \
      .sample_size = size,                                \
      .depth = bits,                                      \
      .shift = low,                                       \
      .max_components = components,                       \
      .slots = n_slots }

#define MODE(mode, distance)              \
    { .width = 8,                         \
      .height = 8,                        \
      .sample_size = 1,                   \
      .depth = 8,                         \
      .max_components = 1,                \
      .slots = 1,                         \
      .foreground = (CcaForeground) mode, \
      .frame_distance = distance }

#define FEATURES(w, h, flags) \
    { .width = w,             \
      .height = h,            \
      .sample_size = 1,       \
      .depth = 8,             \
      .max_components = 1,    \
      .slots = 1,             \
      .features = (CcaFeatureFlags) flags }

/* A configuration that contradicts cca.h. */
static const struct {
    const char *what;
    CcaStatus status;
    CcaConfig config;
} bad_configs[] = {
    { "width 0", CCA_ERROR_INVALID, PLAIN(0, 1, 1, 8, 0, 1, 1) },
    { "height 0", CCA_ERROR_INVALID, PLAIN(1, 0, 1, 8, 0, 1, 1) },
    { "2^31 pixels in a row", CCA_ERROR_TOO_LARGE, PLAIN(UINT32_C(1) << 31, 1, 1, 8, 0, 1, 1) },
    { "2^31 pixels in a column", CCA_ERROR_TOO_LARGE, PLAIN(1, UINT32_C(1) << 31, 1, 8, 0, 1, 1) },
    { "46341x46341", CCA_ERROR_TOO_LARGE, PLAIN(46341, 46341, 1, 8, 0, 1, 1) },
    { "65536x65536, 0 in 32 bits", CCA_ERROR_TOO_LARGE, PLAIN(65536, 65536, 1, 8, 0, 1, 1) },
    { "UINT32_MAX squared", CCA_ERROR_TOO_LARGE, PLAIN(UINT32_MAX, UINT32_MAX, 1, 8, 0, 1, 1) },
    { "INT32_MAX x 2", CCA_ERROR_TOO_LARGE, PLAIN(INT32_MAX, 2, 2, 16, 0, 1, 1) },
    { "samples of 0 bytes", CCA_ERROR_INVALID, PLAIN(8, 8, 0, 8, 0, 1, 1) },
    { "samples of 3 bytes", CCA_ERROR_INVALID, PLAIN(8, 8, 3, 8, 0, 1, 1) },
    { "samples of 4 bytes", CCA_ERROR_INVALID, PLAIN(8, 8, 4, 8, 0, 1, 1) },
    { "values of 7 bits in 1 byte", CCA_ERROR_INVALID, PLAIN(8, 8, 1, 7, 0, 1, 1) },
    { "values of 10 bits in 1 byte", CCA_ERROR_INVALID, PLAIN(8, 8, 1, 10, 0, 1, 1) },
    { "values above the byte", CCA_ERROR_INVALID, PLAIN(8, 8, 1, 8, 1, 1, 1) },
    { "values of no bits", CCA_ERROR_INVALID, PLAIN(8, 8, 2, 0, 16, 1, 1) },
    { "values of 17 bits", CCA_ERROR_INVALID, PLAIN(8, 8, 2, 17, 0, 1, 1) },
    { "values of UINT32_MAX bits", CCA_ERROR_INVALID, PLAIN(8, 8, 2, UINT32_MAX, 1, 1, 1) },
    { "values of which a bit is missing", CCA_ERROR_INVALID, PLAIN(8, 8, 2, 10, 7, 1, 1) },
    { "values UINT32_MAX bits up", CCA_ERROR_INVALID, PLAIN(8, 8, 2, 1, UINT32_MAX, 1, 1) },
    { "no room for components", CCA_ERROR_INVALID, PLAIN(8, 8, 1, 8, 0, 0, 1) },
    { "no slot", CCA_ERROR_INVALID, PLAIN(8, 8, 1, 8, 0, 1, 0) },
    { "65 slots", CCA_ERROR_INVALID, PLAIN(8, 8, 1, 8, 0, 1, 65) },
    { "UINT32_MAX slots", CCA_ERROR_INVALID, PLAIN(8, 8, 1, 8, 0, 1, UINT32_MAX) },
    { "mode 4", CCA_ERROR_INVALID, MODE(4, 1) },
    { "mode -1", CCA_ERROR_INVALID, MODE(-1, 1) },
    { "frame distance 0", CCA_ERROR_INVALID, MODE(CCA_FOREGROUND_DIFFERENCE, 0) },
    { "frame distance 17", CCA_ERROR_INVALID, MODE(CCA_FOREGROUND_DIFFERENCE, 17) },
    { "frame distance UINT32_MAX", CCA_ERROR_INVALID, MODE(CCA_FOREGROUND_DIFFERENCE, UINT32_MAX) },
    { "features 8", CCA_ERROR_INVALID, FEATURES(8, 8, 8) },
    { "features -1", CCA_ERROR_INVALID, FEATURES(8, 8, -1) },
    { "a width of 65536 with features", CCA_ERROR_TOO_LARGE, FEATURES(65536, 1, 1) },
    { "a height of 65536 with features", CCA_ERROR_TOO_LARGE, FEATURES(1, 65536, 4) },
};

#define N_BAD_CONFIGS (sizeof(bad_configs) / sizeof(bad_configs[0]))

static Case good_case(Check *const k, const uint32_t sample_size)
{
    Rng r = check_rng(k);
    Case c = case_plain(&r, PATTERN_GLYPHS, WIDTH, HEIGHT, 0, 0);
    c.config.sample_size = sample_size;
    c.config.depth = 8 * sample_size;
    c.config.shift = 0;
    c.layout = (Layout) { .padding = sample_size == 1 ? WIDTH : 0 };
    c.params.threshold %= 255;
    c.config.slots = SLOTS;
    return c;
}

static void check_sentence(Check *const k, const Bad *const b, const CcaEngine *const engine)
{
    if (b->says != NULL && strstr(cca_engine_error(engine), b->says) == NULL)
        check_fail(k, NULL, "%s: \"%s\" does not say \"%s\"", b->what, cca_engine_error(engine),
                   b->says);
}

static void try_bad_call(Check *const k, Engine *const engine, const Bad *const b,
                         const Case *const c)
{
    CcaConfig config = c->config;
    config.foreground = (CcaForeground) b->configured;
    config.frame_distance = 3;
    config.labels = !b->not_configured;
    config.votes = b->votes;
    const CcaStatus configured = engine_prepare(engine, &config);
    k->engine = engine;
    if (!expect(k, "configure", configured, CCA_OK, NULL))
        return;
    CcaFrame frame = k->picture.frame;
    frame.width = b->width;
    frame.height = b->height;
    frame.stride = b->stride;
    frame.data = b->no_data ? NULL : (const uint8_t *) frame.data + b->odd;
    static uint32_t labels[HEIGHT * (WIDTH + 1)];
    if (b->labels)
        frame.labels = (CcaLabels) {
            .data = (uint8_t *) labels + b->label_odd,
            .bits = b->label_bits,
            .stride = b->label_stride,
            .narrow_stride = b->narrow_stride,
        };
    static uint16_t picture[HEIGHT * (WIDTH + 1)];
    if (b->picture) {
        frame.background = (uint8_t *) picture + b->picture_odd;
        frame.background_stride = b->picture_stride;
    }
    CcaParams params = c->params;
    params.threshold = b->threshold;
    params.threshold_high = b->threshold_high;
    params.connectivity = b->connectivity;
    params.order = (CcaOrder) b->order;
    params.foreground = (CcaForeground) b->foreground;
    params.min_contrast = b->min_contrast;
    params.step = b->step;
    params.noise_factor = b->noise_factor;
    params.background_period = b->background_period;
    params.warm_up = b->warm_up;
    params.absorb_after = b->absorb_after;
    params.open_radius = b->open_radius;
    params.close_radius = b->close_radius;
    const CcaMask mask = { .width = b->mask_width, .height = b->mask_height };
    params.mask = b->mask_width > 0 ? &mask : NULL;
    CcaEngine *const e = engine->engine;
    CcaResult result;
    if (!expect(k, b->what, cca_engine_analyse(e, b->slot, &frame, &params), b->status, e))
        engine_close(engine);
    else
        check_sentence(k, b, e);
    if (engine->engine != NULL && b->slot < SLOTS)
        expect(k, "collect afterwards", cca_engine_collect(e, b->slot, &result),
               b->status == CCA_OK ? CCA_OK : CCA_ERROR_EMPTY, e);
}

static void try_bad_config(Check *const k, Engine *const engine, const uint64_t i,
                           const Case *const c)
{
    k->engine = engine;
    if (!expect(k, "configure", engine_prepare(engine, &c->config), CCA_OK, NULL))
        return;
    CcaEngine *const e = engine->engine;
    const CcaConfig *const config = &bad_configs[i].config;
    CcaFootprint footprint;
    CcaResult result;
    expect(k, "measure", cca_engine_measure(e, config, &footprint), bad_configs[i].status, NULL);
    expect(k, bad_configs[i].what, cca_engine_configure(e, config), bad_configs[i].status, e);
    expect(k, "analyse afterwards", cca_engine_analyse(e, 0, &k->picture.frame, &c->params),
           CCA_ERROR_NOT_CONFIGURED, e);
    expect(k, "collect afterwards", cca_engine_collect(e, 0, &result), CCA_ERROR_NOT_CONFIGURED, e);
    engine->config = (CcaConfig) { 0 };
}

/* Imports into an engine without a background, and into one that is not configured. */
static void try_bad_imports(Check *const k, Engine *const engine, const Case *const c)
{
    const CcaBackground form = {
        .foreground = CCA_FOREGROUND_THRESHOLD,
        .width = c->config.width,
        .height = c->config.height,
        .sample_size = c->config.sample_size,
        .depth = c->config.depth,
        .n_frames = 1,
    };
    uint8_t state;
    CcaEngine *e;
    expect(k, "export of no background", cca_engine_export_background(engine->engine, &state),
           CCA_ERROR_EMPTY, engine->engine);
    expect(k, "import of no background",
           cca_engine_import_background(engine->engine, &form, &state), CCA_ERROR_INVALID,
           engine->engine);
    if (engine->open(&e, engine) != CCA_OK)
        return;
    expect(k, "import before configure", cca_engine_import_background(e, &form, &state),
           CCA_ERROR_NOT_CONFIGURED, e);
    cca_engine_free(&e);
}

static uint64_t count_errors(const Set set)
{
    return N_BAD_CALLS + N_BAD_CONFIGS;
}

static void run_errors(Check *const k, const uint64_t index)
{
    const bool call = index < N_BAD_CALLS;
    for (uint32_t sample_size = 1; sample_size <= 2; sample_size++) {
        if (call && bad_calls[index].sample_size + sample_size == 3)
            continue;
        const Case c = good_case(k, sample_size);
        if (!check_case(k, &c))
            return;
        for (uint32_t i = 0; i < k->engines.n; i++)
            if (call)
                try_bad_call(k, &k->engines.list[i], &bad_calls[index], &c);
            else
                try_bad_config(k, &k->engines.list[i], index - N_BAD_CALLS, &c);
        if (index == 0)
            for (uint32_t i = 0; i < k->engines.n; i++)
                try_bad_imports(k, &k->engines.list[i], &c);
        check_case(k, &c);
    }
}

const Group group_errors = {
    "errors",   "frames, parameters and configurations that must be refused", USE_ALL, count_errors,
    run_errors,
};
