/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clip.h"

/* A clip on its way through an engine. */
typedef struct Run {
    const Clip *clip;
    Engine *engine;
    const ClipFrame *held[CCA_MAX_SLOTS]; /* in flight */
    const ClipFrame *wrong;               /* the error, and its frame */
    char text[512];
} Run;

Clip *clip_new(void)
{
    return calloc(1, sizeof(Clip));
}

void clip_free(Clip *const clip)
{
    for (uint32_t i = 0; clip && i < MOST_CLIP_FRAMES; i++) {
        picture_free(&clip->frames[i].picture);
        free((void *) clip->frames[i].expected.components);
        free((void *) clip->frames[i].expected.features);
        labels_free(&clip->frames[i].labels);
        free(clip->frames[i].state);
        free(clip->frames[i].window);
        free(clip->frames[i].expected_window);
    }
    for (uint32_t i = 0; clip && i < MOST_CLIP_MASKS; i++)
        cca_mask_free(clip->masks[i]);
    free(clip);
}

ClipFrame *clip_add(Clip *const clip, const CcaConfig *const config, const CcaParams *const params,
                    const uint16_t *const values, const uint32_t width, const uint32_t height,
                    Rng *const r)
{
    ClipFrame *const f = &clip->frames[clip->n_frames];
    const Layout layout = case_layout(r, config->sample_size);
    if (!picture_of_values(&f->picture, values, width, height, config, &layout, r))
        return NULL;
    f->config = *config;
    f->params = *params;
    f->events = clip->n_frames == 0 ? CLIP_RESET : 0;
    clip->n_frames++;
    return f;
}

bool clip_ask_labels(ClipFrame *const f, Rng *const r)
{
    CcaFrame *const frame = &f->picture.frame;
    if (!labels_make(&f->labels, frame->width, frame->height, LABELS_BY_CHANCE, r))
        return false;
    frame->labels = f->labels.labels;
    return true;
}

#define MARGIN 16
#define POISON 0xa5

bool clip_ask_background(ClipFrame *const f, Rng *const r)
{
    CcaFrame *const frame = &f->picture.frame;
    const uint32_t size = f->config.sample_size;
    frame->background_stride = (frame->width + rng_below(r, 9)) * size;
    f->window_size = frame->background_stride * frame->height + 2 * MARGIN;
    f->window = malloc(f->window_size);
    f->expected_window = malloc(f->window_size);
    if (!f->window || !f->expected_window)
        return false;
    frame->background = f->window + size * rng_below(r, MARGIN / size);
    memset(f->expected_window, POISON, f->window_size);
    if (frame->height == 1)
        frame->background_stride = 0; /* any value will do */
    return true;
}

static size_t place_in_window(const ClipFrame *const f)
{
    return (size_t) ((const uint8_t *) f->picture.frame.background - f->window);
}

/* Replaces a table of the oracle by a copy, or by none. Returns false if memory ran out. */
static bool keep(const void **const table, const size_t size)
{
    void *const copy = size ? malloc(size) : NULL;
    if (copy)
        memcpy(copy, *table, size);
    *table = copy;
    return copy != NULL || size == 0;
}

bool clip_expect(Clip *const clip)
{
    Oracle oracle = { 0 };
    bool done = true;
    for (uint32_t i = 0; i < clip->n_frames && done; i++) {
        ClipFrame *const f = &clip->frames[i];
        if (f->events & (CLIP_RESET | CLIP_CONFIGURE))
            oracle_forget(&oracle);
        if (f->events & CLIP_CARRY && oracle.memory.n_frames > 0) {
            f->state = oracle_background_state(&oracle.memory, &f->config, &f->form);
            done = f->state != NULL;
        }
        if (!done)
            break;
        done = oracle_analyse(&oracle, &f->picture.frame, &f->config, &f->params, &f->expected);
        if (done && f->labels.window)
            labels_expect(&f->labels, oracle.ids, f->picture.frame.width, f->picture.frame.height,
                          f->expected.label_bits);
        if (done && f->window)
            oracle_background_picture(&oracle.memory, f->config.sample_size,
                                      f->expected_window + place_in_window(f),
                                      f->picture.frame.background_stride);
        const uint32_t n = done ? f->expected.n_components : 0;
        done &= keep((const void **) &f->expected.components, n * sizeof(CcaComponent)) &&
                keep((const void **) &f->expected.features,
                     f->config.features ? n * sizeof(CcaFeatures) : 0);
    }
    oracle_free(&oracle);
    return done;
}

__attribute__((format(printf, 3, 4))) static bool go_wrong(Run *const run, const ClipFrame *const f,
                                                           const char *const format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(run->text, sizeof(run->text), format, args);
    va_end(args);
    run->wrong = f;
    return false;
}

static bool collect(Run *const run, const uint32_t slot)
{
    const ClipFrame *const f = run->held[slot];
    CcaResult result;
    char text[480];
    if (f == NULL)
        return true;
    run->held[slot] = NULL;
    if (cca_engine_collect(run->engine->engine, slot, &result) != CCA_OK)
        return go_wrong(run, f, "collect failed: %s", cca_engine_error(run->engine->engine));
    if (!results_equal(&f->expected, &result, text, sizeof(text)) ||
        (f->labels.window && !labels_right(&f->labels, text, sizeof(text))))
        return go_wrong(run, f, "%s", text);
    for (size_t i = 0; f->window && i < f->window_size; i++)
        if (f->window[i] != f->expected_window[i])
            return go_wrong(run, f, "byte %zu of the background's picture is %u, expected %u",
                            i - place_in_window(f), f->window[i], f->expected_window[i]);
    if (!picture_intact(&f->picture))
        return go_wrong(run, f, "the engine wrote to the frame or next to it");
    return true;
}

static bool configure(Run *const run, const ClipFrame *const f)
{
    memset(run->held, 0, sizeof(run->held));
    if (f->events & CLIP_CONFIGURE)
        run->engine->config = (CcaConfig) { 0 };
    const CcaStatus status = engine_prepare(run->engine, &f->config);
    return status == CCA_OK ||
           go_wrong(run, f, "configure failed: %s", engine_message(run->engine, status));
}

/* A call that must neither be accepted nor change anything. */
static bool refuse(Run *const run, const ClipFrame *const f, const uint32_t kind)
{
    CcaFrame frame = f->picture.frame;
    CcaParams params = f->params;
    uint32_t slot = f->slot;
    const CcaMask other = { .width = frame.width + 1, .height = frame.height };
    switch (kind % 8) {
    case 0: params.connectivity = 5; break;
    case 1: params.close_radius = CCA_MAX_CLOSE_RADIUS + 1; break;
    case 2: frame.height = f->config.height + 1; break;
    case 3: params.foreground = (CcaForeground) (CCA_FOREGROUND_SIGMA_DELTA + 1); break;
    case 4:
        for (uint32_t i = 0; i < f->config.slots; i++)
            if (run->held[i])
                slot = i;
        frame.data = run->held[slot] ? frame.data : NULL;
        break;
    case 5:
        params.foreground = CCA_FOREGROUND_SIGMA_DELTA;
        params.absorb_after = CCA_MAX_ABSORB_AFTER + 1;
        break;
    case 6: params.mask = &other; break;
    case 7:
        frame.background = (void *) frame.data;
        params.foreground = CCA_FOREGROUND_THRESHOLD;
        break;
    }
    return cca_engine_analyse(run->engine->engine, slot, &frame, &params) != CCA_OK ||
           go_wrong(run, f, "a bad frame before it was accepted");
}

static bool same_form(const CcaBackground *const a, const CcaBackground *const b)
{
    return a->foreground == b->foreground && a->width == b->width && a->height == b->height &&
           a->sample_size == b->sample_size && a->depth == b->depth &&
           a->frame_distance == b->frame_distance && a->votes == b->votes &&
           a->n_frames == b->n_frames;
}

/* Imports that must neither be accepted nor change anything. */
static bool refuse_imports(Run *const run, const ClipFrame *const f)
{
    for (uint32_t i = 0; i < 10; i++) {
        CcaBackground b = f->form;
        switch (i) {
        case 0: b.n_frames = 0; break;
        case 1: b.width = f->config.width + 1; break;
        case 2: b.height = f->config.height + 1; break;
        case 3: b.width = 0; break;
        case 4: b.depth ^= 1; break;
        case 5: b.frame_distance++; break;
        case 6: b.votes = !b.votes; break;
        case 7: b.foreground = CCA_FOREGROUND_OTSU; break;
        case 8: b.sample_size ^= 3; break;
        case 9: b.height = 0; break;
        }
        if (cca_engine_import_background(run->engine->engine, &b, f->state) != CCA_ERROR_INVALID)
            return go_wrong(run, f, "background %" PRIu32 " of another form was accepted", i);
    }
    return true;
}

/* The state plus a value of more bits, if samples have room for it, must not be accepted. */
static bool refuse_value(Run *const run, const ClipFrame *const f, uint8_t *const state)
{
    if (f->config.depth == 8 * f->config.sample_size)
        return true;
    const uint16_t value = (uint16_t) (1u << f->config.depth);
    uint16_t before;
    memcpy(&before, state, 2);
    memcpy(state, &value, 2);
    const CcaStatus status = cca_engine_import_background(run->engine->engine, &f->form, state);
    memcpy(state, &before, 2);
    return status == CCA_ERROR_INVALID ||
           go_wrong(run, f, "a background with a value of too many bits was accepted");
}

/* Imports zeros, which must then be exported, to `state`, and after that the background. */
static bool import_both(Run *const run, const ClipFrame *const f, const uint8_t *const zeros,
                        uint8_t *const state, const size_t size)
{
    CcaEngine *const e = run->engine->engine;
    CcaBackground other = f->form;
    other.n_frames += 3;
    if (cca_engine_import_background(e, &other, zeros) != CCA_OK ||
        cca_engine_export_background(e, state) != CCA_OK)
        return go_wrong(run, f, "zeros cannot be imported: %s", cca_engine_error(e));
    if (memcmp(state, zeros, size) != 0)
        return go_wrong(run, f, "the import did not replace the whole background");
    if (cca_engine_import_background(e, &f->form, f->state) != CCA_OK)
        return go_wrong(run, f, "import failed: %s", cca_engine_error(e));
    const CcaBackground now = cca_engine_get_background(e);
    return same_form(&now, &f->form) || go_wrong(run, f, "the import changed the form");
}

static bool export_is_right(Run *const run, const ClipFrame *const f, uint8_t *const state,
                            const size_t size)
{
    CcaEngine *const e = run->engine->engine;
    const CcaBackground form = cca_engine_get_background(e);
    if (!same_form(&form, &f->form))
        return go_wrong(run, f, "the background has another form, or %" PRIu64 " frames",
                        form.n_frames);
    if (cca_engine_export_background(e, state) != CCA_OK)
        return go_wrong(run, f, "export failed: %s", cca_engine_error(e));
    for (size_t i = 0; i < size; i++)
        if (state[i] != f->state[i])
            return go_wrong(run, f, "byte %zu of %zu of the background is %u, expected %u", i, size,
                            state[i], f->state[i]);
    return state[size] == 0xa5 || go_wrong(run, f, "the export is longer than the state");
}

static bool carry(Run *const run, const ClipFrame *const f, const uint32_t i)
{
    CcaEngine *const e = run->engine->engine;
    if (f->state == NULL) {
        uint8_t none;
        return (cca_engine_get_background(e).n_frames == 0 &&
                cca_engine_export_background(e, &none) == CCA_ERROR_EMPTY) ||
               go_wrong(run, f, "there is a background before the first frame");
    }
    const size_t size = cca_background_state_size(&f->form);
    uint8_t *const state = malloc(size + 1), *const zeros = calloc(size, 1);
    bool right = state && zeros;
    if (right) {
        state[size] = 0xa5;
        right = export_is_right(run, f, state, size) && refuse_imports(run, f) &&
                refuse_value(run, f, state) && export_is_right(run, f, state, size);
    } else {
        go_wrong(run, f, "memory ran out");
    }
    if (right && i % 2) { /* drops the frames in flight */
        run->engine->config = (CcaConfig) { 0 };
        right = configure(run, f);
    }
    right = right && import_both(run, f, zeros, state, size);
    free(state);
    free(zeros);
    return right;
}

static bool play_frame(Run *const run, const uint32_t i)
{
    const ClipFrame *const f = &run->clip->frames[i];
    if ((i == 0 || f->events & CLIP_CONFIGURE) && !configure(run, f))
        return false;
    if (f->events & CLIP_RESET)
        cca_engine_reset_background(run->engine->engine);
    if (f->events & CLIP_CARRY && !carry(run, f, i))
        return false;
    if (!collect(run, f->slot) || (f->events & CLIP_REFUSE && !refuse(run, f, i)))
        return false;
    if (f->labels.window)
        labels_reset(&f->labels);
    if (f->window)
        memset(f->window, POISON, f->window_size);
    if (cca_engine_analyse(run->engine->engine, f->slot, &f->picture.frame, &f->params) != CCA_OK)
        return go_wrong(run, f, "analyse failed: %s", cca_engine_error(run->engine->engine));
    run->held[f->slot] = f;
    return true;
}

static bool play(Run *const run)
{
    for (uint32_t i = 0; i < run->clip->n_frames; i++)
        if (!play_frame(run, i))
            return false;
    for (uint32_t i = 0; i < CCA_MAX_SLOTS; i++)
        if (!collect(run, i))
            return false;
    return true;
}

static void describe(const Clip *const clip, const ClipFrame *const f, char *const text,
                     const size_t size)
{
    static const char *const modes[] = { "threshold", "otsu", "difference", "sigma-delta" };
    const CcaParams *const p = &f->params;
    snprintf(text, size,
             "frame %td of %" PRIu32 ", %" PRIu32 "x%" PRIu32 ", %" PRIu32 " bits above %" PRIu32
             " in %" PRIu32 " bytes\n"
             "  %s %" PRIu32 " to %" PRIu32 "%s, contrast %" PRIu32 ", step %" PRIu32
             ", noise factor %" PRIu32 ", period %" PRIu32 ", warm-up %" PRIu32
             ", absorption after %" PRIu32 "%s, distance %" PRIu32 "%s, radii %" PRIu32
             " and %" PRIu32 "\n  %" PRIu32 "-connected, area %" PRIu64 " to %" PRIu64
             ", roi %" PRIu32 ",%" PRIu32 " %" PRIu32 "x%" PRIu32 "%s%s%s%s%s%s%s",
             f - clip->frames, clip->n_frames, f->picture.frame.width, f->picture.frame.height,
             f->config.depth, f->config.shift, f->config.sample_size, modes[p->foreground],
             p->threshold, p->threshold_high, p->invert ? " inverted" : "", p->min_contrast,
             p->step, p->noise_factor, p->background_period, p->warm_up, p->absorb_after,
             f->config.votes ? " with votes" : "", f->config.frame_distance,
             p->learning ? ", learning" : "", p->open_radius, p->close_radius, p->connectivity,
             p->min_area, p->max_area, p->roi.x, p->roi.y, p->roi.width, p->roi.height,
             p->mask ? ", with a mask" : "", f->labels.window ? ", with labels" : "",
             f->window ? ", with a picture" : "", f->events & CLIP_RESET ? ", after a reset" : "",
             f->events & CLIP_CONFIGURE ? ", after configure" : "",
             f->events & CLIP_REFUSE ? ", after a refused frame" : "",
             f->events & CLIP_CARRY ? ", with an imported background" : "");
}

bool clip_plays(const Clip *const clip, Engine *const engine, char *const text, const size_t size)
{
    Run run = { .clip = clip, .engine = engine };
    char about[700];
    if (play(&run))
        return true;
    engine->config = (CcaConfig) { 0 }; /* frames may still be in flight */
    describe(clip, run.wrong, about, sizeof(about));
    snprintf(text, size, "%s\n  %s", run.text, about);
    return false;
}

void clip_check(Check *const k, const Clip *const clip)
{
    for (uint32_t i = 0; i < k->engines.n; i++) {
        Engine *const engine = &k->engines.list[i];
        char text[1000], ignored[1000];
        bool takes_part = check_uses(k, engine);
        for (uint32_t f = 0; f < clip->n_frames; f++)
            takes_part &= engine_takes(engine, &clip->frames[f].config);
        if (!takes_part)
            continue;
        k->engine = engine;
        k->n_comparisons += clip->n_frames;
        if (clip_plays(clip, engine, text, sizeof(text)))
            continue;
        Engine fresh = *engine;
        fresh.engine = NULL;
        k->needs_earlier = clip_plays(clip, &fresh, ignored, sizeof(ignored));
        engine_close(&fresh);
        check_fail(k, NULL, "%s", text);
        k->needs_earlier = false;
    }
}

void clip_run(Check *const k, Clip *const clip, const bool made)
{
    k->engine = NULL;
    if (made && clip_expect(clip))
        clip_check(k, clip);
    else
        check_skip(k, "memory ran out for a clip");
}
