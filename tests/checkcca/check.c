/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

Rng check_rng(const Check *const k)
{
    return rng_for(k->options->seed, k->group->name, k->index);
}

Layout case_layout(Rng *const r, const uint32_t sample_size)
{
    static const uint32_t paddings[] = { 0, 0, 1, 2, 3, 7, 16, 31, 33, 64, 129 };
    return (Layout) {
        .padding = paddings[rng_below(r, sizeof(paddings) / sizeof(*paddings))] * sample_size,
        .misalignment = rng_below(r, 64) * sample_size,
        .placement = (Placement) rng_below(r, 3),
        .poison = (Poison) rng_below(r, 3),
    };
}

void case_samples(Rng *const r, const uint32_t sample_size, CcaConfig *const config)
{
    static const struct {
        uint32_t depth, shift;
    } usual[] = { { 16, 0 }, { 16, 0 }, { 10, 0 }, { 10, 6 }, { 12, 4 }, { 14, 0 } };
    const uint32_t i = rng_below(r, sizeof(usual) / sizeof(*usual));
    config->sample_size = sample_size;
    config->depth = 8;
    config->shift = 0;
    if (sample_size == 2 && rng_percent(r, 60)) {
        config->depth = usual[i].depth;
        config->shift = usual[i].shift;
    } else if (sample_size == 2) {
        config->depth = rng_range(r, 1, 16);
        config->shift = rng_range(r, 0, 16 - config->depth);
    }
}

/* Thresholds with pixel values on both sides, both narrow and wide. */
static void random_thresholds(Rng *const r, const uint32_t top, CcaParams *const p)
{
    static const uint32_t usual[] = { 0, 1, 126, 127, 128, 253, 254 };
    p->threshold = (rng_percent(r, 60) ? usual[rng_below(r, 7)] : rng_below(r, top)) % top;
    p->threshold_high = rng_percent(r, 50) ? 65535 : rng_range(r, p->threshold + 1, top);
    p->invert = rng_percent(r, 20);
}

Case case_plain(Rng *const r, const Pattern pattern, const uint32_t width, const uint32_t height,
                const uint32_t a, const uint32_t b)
{
    Case c = {
        .pattern = pattern, .a = a, .b = b, .seed = rng_next(r),
        .width = width, .height = height,
        .params = CCA_DEFAULT_PARAMS,
        .config = {
            .width = width, .height = height, .max_components = UINT32_MAX, .slots = 1,
        },
    };
    case_samples(r, rng_percent(r, 75) ? 1 : 2, &c.config);
    c.layout = case_layout(r, c.config.sample_size);
    random_thresholds(r, (1u << c.config.depth) - 1, &c.params);
    c.params.connectivity = rng_percent(r, 50) ? 4 : 8;
    return c;
}

void case_describe(const Case *const c, char *const text, const size_t size)
{
    static const char *const placements[] = { "middle", "start", "end" };
    static const char *const poisons[] = { "foreground", "background", "mixed" };
    const CcaParams *const p = &c->params;
    const CcaLimits *const l = &p->limits;
    snprintf(text, size,
             "  %s a=%" PRIu32 " b=%" PRIu32 " seed=0x%" PRIx64 ", %" PRIu32 "x%" PRIu32
             ", %" PRIu32 " bits above %" PRIu32 " in %" PRIu32 " bytes, padding %" PRIu32
             ", misalignment %" PRIu32 ", placed at %s, %s poison\n"
             "  threshold %" PRIu32 " to %" PRIu32 "%s, %" PRIu32 "-connected, area %" PRIu64
             " to %" PRIu64 ", width %" PRIu32 " to %" PRIu32 ", height %" PRIu32 " to %" PRIu32
             ", aspect %" PRIu32 " to %" PRIu32 ", extent %" PRIu32 ", peak %" PRIu32
             "%s, radii %" PRIu32 " and %" PRIu32 ", roi %" PRIu32 ",%" PRIu32 " %" PRIu32
             "x%" PRIu32 ", at most %" PRIu32 ", by %s\n"
             "  configured for %" PRIu32 "x%" PRIu32 ", %" PRIu32 " components, %" PRIu32
             " slots\n",
             pattern_name(c->pattern), c->a, c->b, c->seed, c->width, c->height, c->config.depth,
             c->config.shift, c->config.sample_size, c->layout.padding, c->layout.misalignment,
             placements[c->layout.placement], poisons[c->layout.poison], p->threshold,
             p->threshold_high, p->invert ? " inverted" : "", p->connectivity, p->min_area,
             p->max_area, l->min_width, l->max_width, l->min_height, l->max_height, l->min_aspect,
             l->max_aspect, l->min_extent, l->min_peak,
             l->exclude_border ? ", not at the border" : "", p->open_radius, p->close_radius,
             p->roi.x, p->roi.y, p->roi.width, p->roi.height, p->max_components,
             p->order == CCA_ORDER_AREA ? "area" : "order of first pixel", c->config.width,
             c->config.height, c->config.max_components, c->config.slots);
}

bool check_uses(const Check *const k, const Engine *const engine)
{
    return k->options->engine != NULL || k->any_use || k->group->use == USE_ALL ||
           engine->threads <= 1;
}

bool check_draw(Check *const k, const Case *const c)
{
    Rng r = { c->seed };
    return pattern_draw(&k->mask, c->pattern, c->width, c->height, c->a, c->b, c->seed) &&
           picture_make(&k->picture, &k->mask, &c->config, &c->params, &c->layout, &r);
}

bool check_analyse(Check *const k, Engine *const engine, const Case *const c,
                   const CcaFrame *const frame, CcaResult *const result)
{
    k->engine = engine;
    k->n_comparisons++;
    CcaStatus status = engine_prepare(engine, &c->config);
    if (status != CCA_OK) {
        check_fail(k, c, "configure failed: %s", engine_message(engine, status));
        return false;
    }
    status = cca_engine_analyse(engine->engine, 0, frame, &c->params);
    if (status != CCA_OK) {
        check_fail(k, c, "analyse failed: %s", engine_message(engine, status));
        return false;
    }
    status = cca_engine_collect(engine->engine, 0, result);
    if (status != CCA_OK) {
        check_fail(k, c, "collect failed: %s", engine_message(engine, status));
        return false;
    }
    return true;
}

/* The oracle itself is checked against the mask: unfiltered areas add up to
 * the number of foreground pixels. */
static bool check_oracle(Check *const k, const Case *const c, const CcaResult *const expected)
{
    const CcaParams *const p = &c->params;
    const CcaRect *const roi = &p->roi;
    const CcaLimits none = CCA_NO_LIMITS;
    if (p->foreground != CCA_FOREGROUND_THRESHOLD || p->open_radius > 0 || p->close_radius > 0 ||
        expected->truncated || p->mask != NULL || memcmp(&p->limits, &none, sizeof(none)) != 0 ||
        p->min_area > 1 || p->max_area != UINT64_MAX || roi->x != 0 || roi->y != 0 ||
        roi->width != 0 || roi->height != 0)
        return true;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < expected->n_components; i++)
        sum += expected->components[i].area;
    if (sum == k->picture.foreground)
        return true;
    check_fail(k, c, "the oracle's areas add up to %" PRIu64 ", not %" PRIu64, sum,
               k->picture.foreground);
    return false;
}

/* Whether the picture of ids is right, or none was asked for. */
static bool check_plane(const Check *const k, const CcaFrame *const frame, char *const text,
                        const size_t size)
{
    return frame->labels.data == NULL || labels_right(&k->labels, text, size);
}

/* Whether a freshly opened engine fails, too. */
static bool fails_alone(Check *const k, const Engine *const engine, const Case *const c,
                        const CcaFrame *const frame, const CcaResult *const expected)
{
    Engine fresh = *engine;
    fresh.engine = NULL;
    CcaResult result;
    char text[512];
    if (frame->labels.data != NULL)
        labels_reset(&k->labels);
    const bool right = engine_prepare(&fresh, &c->config) == CCA_OK &&
                       cca_engine_analyse(fresh.engine, 0, frame, &c->params) == CCA_OK &&
                       cca_engine_collect(fresh.engine, 0, &result) == CCA_OK &&
                       results_equal(expected, &result, text, sizeof(text)) &&
                       check_plane(k, frame, text, sizeof(text)) && picture_intact(&k->picture);
    engine_close(&fresh);
    return !right;
}

static bool check_engine(Check *const k, Engine *const engine, const Case *const c,
                         const CcaFrame *const frame, const CcaResult *const expected)
{
    CcaResult result;
    char text[512];
    if (frame->labels.data != NULL)
        labels_reset(&k->labels);
    if (!check_analyse(k, engine, c, frame, &result))
        return false;
    if (!results_equal(expected, &result, text, sizeof(text)) ||
        !check_plane(k, frame, text, sizeof(text))) {
        k->needs_earlier = !fails_alone(k, engine, c, frame, expected);
        check_fail(k, c, "%s", text);
        k->needs_earlier = false;
        return false;
    }
    if (!picture_intact(&k->picture)) {
        check_fail(k, c, "the engine wrote to the frame or next to it");
        return false;
    }
    return true;
}

/* Above it an engine is closed after its turn: all at once, full of
 * components, would not fit in memory. */
#define MOST_PIXELS_KEPT (UINT32_C(1) << 22)

/* Of frames whose labels are left to chance, a quarter asks for them. */
static bool has_labels(const Case *const c)
{
    return c->labels != LABELS_BY_CHANCE || (c->seed >> 20 & 3) == 0;
}

/* Computes the expected result of the frame, and of its labels if it has any. */
static bool ask_oracle(Check *const k, const Case *const c, const CcaFrame *const frame,
                       CcaResult *const expected)
{
    k->engine = NULL;
    if (!oracle_analyse(&k->oracle, frame, &c->config, &c->params, expected)) {
        check_skip(k, "memory ran out for a frame of %" PRIu32 "x%" PRIu32, c->width, c->height);
        return false;
    }
    if (frame->labels.data != NULL)
        labels_expect(&k->labels, k->oracle.ids, c->width, c->height, expected->label_bits);
    return true;
}

/* The same frame, once more, with labels. */
static bool check_labels(Check *const k, const Case *const c)
{
    Rng r = { c->seed };
    CcaResult expected;
    Case with_labels = *c;
    with_labels.config.labels = true;
    CcaFrame frame = k->picture.frame;
    if (!labels_make(&k->labels, c->width, c->height, c->labels, &r)) {
        check_skip(k, "memory ran out for labels of %" PRIu32 "x%" PRIu32, c->width, c->height);
        return true;
    }
    frame.labels = k->labels.labels;
    bool right = true;
    if (!ask_oracle(k, &with_labels, &frame, &expected))
        return true;
    for (uint32_t i = 0; i < k->engines.n; i++)
        if (check_uses(k, &k->engines.list[i]) && engine_takes(&k->engines.list[i], &c->config))
            right &= check_engine(k, &k->engines.list[i], &with_labels, &frame, &expected);
    return right;
}

bool check_case(Check *const k, const Case *const c)
{
    CcaResult expected;
    k->engine = NULL;
    if (!check_draw(k, c)) {
        check_skip(k, "memory ran out for a frame of %" PRIu32 "x%" PRIu32, c->width, c->height);
        return true;
    }
    if (!ask_oracle(k, c, &k->picture.frame, &expected))
        return true;
    bool right = check_oracle(k, c, &expected);
    const bool large = (uint64_t) c->width * c->height > MOST_PIXELS_KEPT;
    for (uint32_t i = 0; i < k->engines.n; i++) {
        if (!check_uses(k, &k->engines.list[i]) || !engine_takes(&k->engines.list[i], &c->config))
            continue;
        right &= check_engine(k, &k->engines.list[i], c, &k->picture.frame, &expected);
        if (large)
            engine_close(&k->engines.list[i]);
    }
    if (!large && right && has_labels(c))
        right &= check_labels(k, c);
    return right;
}
