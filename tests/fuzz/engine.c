/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The engine interface: the reference and the CPU engine with one and with three
 * threads give the same bytes, and refuse the same calls with the same sentence.
 * Input: a CPU level, then calls. */

#include <stdbool.h>

#include "cca.h"
#include "fuzz.h"

#define N_ENGINES 3
#define MAX_CALLS 24
/* large enough for several bands of the CPU engine, which have 64 Ki pixels */
#define MAX_PIXELS (200 * 1024) /* of all frames of an input */
#define MAX_BYTES (1024 * 1024) /* of one frame */
#define MAX_FOOTPRINT (32 * 1024 * 1024)
#define MAX_MASKS 4

typedef struct State {
    CcaEngine *engines[N_ENGINES];
    CcaConfig config;
    bool configured;
    void *held[CCA_MAX_SLOTS];              /* pixels of the frames in flight, */
    void *labels[CCA_MAX_SLOTS][N_ENGINES]; /* and their labels */
    size_t labels_size[CCA_MAX_SLOTS];
    size_t pixels; /* analysed so far */
    CcaMask *masks[MAX_MASKS];
    uint32_t n_masks;
} State;

/* --- the valid values of cca.h, defined again ------------------------------ */

static bool config_is_valid(const CcaConfig *const c)
{
    return c->width > 0 && c->height > 0 && c->width <= (uint32_t) CCA_MAX_PIXELS / c->height &&
           ((c->sample_size == 1 && c->depth == 8 && c->shift == 0) ||
            (c->sample_size == 2 && c->depth > 0 && c->depth + c->shift <= 16)) &&
           c->max_components > 0 && c->slots > 0 && c->slots <= CCA_MAX_SLOTS &&
           (uint32_t) c->foreground <= 3 &&
           (c->foreground != CCA_FOREGROUND_DIFFERENCE ||
            (c->frame_distance > 0 && c->frame_distance <= 16)) &&
           (uint32_t) c->features <= 7 &&
           (c->features == 0 || (c->width <= 65535 && c->height <= 65535));
}

static bool frame_is_valid(const State *const s, const CcaFrame *const f)
{
    const uint32_t size = s->config.sample_size;
    if (f->width == 0 || f->height == 0 || f->width > s->config.width ||
        f->height > s->config.height || f->data == NULL)
        return false;
    if (size == 2 && (uintptr_t) f->data & 1)
        return false;
    if (f->height == 1)
        return true;
    return f->stride / size >= f->width && f->stride % size == 0 &&
           f->stride <= SIZE_MAX / f->height;
}

static bool labels_are_valid(const State *const s, const CcaFrame *const f)
{
    const CcaLabels *const l = &f->labels;
    if (l->data == NULL)
        return true;
    return s->config.labels && ((l->bits == 16) || (l->bits == 32 && l->narrow_stride == 0));
}

static bool mode_is_valid(const State *const s, const CcaParams *const p)
{
    if (p->foreground == CCA_FOREGROUND_THRESHOLD)
        return true;
    if (p->foreground != s->config.foreground)
        return false;
    if (p->foreground == CCA_FOREGROUND_OTSU)
        return true;
    if (p->min_contrast == 0 || p->min_contrast > 65536)
        return false;
    return p->foreground == CCA_FOREGROUND_DIFFERENCE ||
           (p->step > 0 && p->step >> s->config.depth == 0 && p->noise_factor > 0 &&
            p->noise_factor <= 16 && p->background_period > 0 && p->background_period <= 65535 &&
            p->warm_up <= 65535 && p->absorb_after <= (s->config.votes ? 127 * 65535 : 0));
}

static bool params_are_valid(const State *const s, const CcaParams *const p)
{
    return mode_is_valid(s, p) && p->open_radius <= 7 && p->close_radius <= 15 &&
           p->threshold < 65536 && p->threshold_high < 65536 &&
           (p->connectivity == 4 || p->connectivity == 8) &&
           (p->order == CCA_ORDER_RASTER || p->order == CCA_ORDER_AREA);
}

static bool mask_is_valid(const CcaFrame *const f, const CcaMask *const m)
{
    return m == NULL || (m->width == f->width && m->height == f->height);
}

/* --- calls ------------------------------------------------------------------ */

/* All engines gave the same status and, if they refused, the same sentence. */
static void check_status(const State *const s, const CcaStatus *const status, const bool valid,
                         const char *const call)
{
    for (int i = 0; i < N_ENGINES; i++) {
        const char *const error = cca_engine_error(s->engines[i]);
        REQUIRE((status[i] == CCA_OK) == valid, "%s of %s: status %d, %s", call,
                cca_engine_name(s->engines[i]), status[i], error);
        REQUIRE(status[i] == status[0], "%s: status %d of %s, %d of the reference", call, status[i],
                cca_engine_name(s->engines[i]), status[0]);
        if (status[i] != CCA_OK)
            REQUIRE(*error != '\0' && strcmp(error, cca_engine_error(s->engines[0])) == 0,
                    "%s: '%s' or '%s'", call, error, cca_engine_error(s->engines[0]));
    }
}

static void drop_frame(State *const s, const uint32_t slot)
{
    free(s->held[slot]);
    s->held[slot] = NULL;
    for (int i = 0; i < N_ENGINES; i++) {
        free(s->labels[slot][i]);
        s->labels[slot][i] = NULL;
    }
}

static void drop_frames(State *const s)
{
    for (uint32_t i = 0; i < CCA_MAX_SLOTS; i++)
        drop_frame(s, i);
}

/* A byte each; without the upper ones, values are whole samples, and the mode is that
 * of thresholds. */
static void take_samples(Input *const in, CcaConfig *const config)
{
    const uint64_t v = take_number(in);
    config->sample_size = v & 255;
    config->depth = v < 256 ? 8 * config->sample_size : v >> 8 & 255;
    config->shift = v >> 16 & 255;
    config->foreground = (CcaForeground) (v >> 24 & 7);
    config->frame_distance = v >> 27 & 31;
    config->labels = !(v >> 32 & 1);
    config->votes = v >> 33 & 1;
    config->features = (CcaFeatureFlags) (v >> 34 & 15);
}

static void configure(State *const s, Input *const in)
{
    CcaConfig config = {
        .width = (uint32_t) take_number(in),
        .height = (uint32_t) take_number(in),
    };
    take_samples(in, &config);
    config.max_components = (uint32_t) take_number(in);
    config.slots = (uint32_t) take_number(in);
    const bool valid = config_is_valid(&config);
    CcaStatus status[N_ENGINES];
    for (int i = 0; i < N_ENGINES; i++) {
        CcaFootprint footprint;
        status[i] = cca_engine_measure(s->engines[i], &config, &footprint);
        REQUIRE((status[i] == CCA_OK) == valid && status[i] == status[0],
                "measure of engine %d: status %d", i, status[i]);
        REQUIRE((footprint.host > 0) == valid && footprint.pinned == 0 && footprint.device == 0,
                "footprint %llu", (unsigned long long) footprint.host);
        /* within the memory of the machine */
        if (footprint.host > MAX_FOOTPRINT)
            return;
    }
    for (int i = 0; i < N_ENGINES; i++)
        status[i] = cca_engine_configure(s->engines[i], &config);
    check_status(s, status, valid, "configure");
    drop_frames(s);
    s->configured = valid;
    s->config = config;
}

/* Reads absorb_after only with votes, so older inputs keep their meaning. */
static void take_mode(Input *const in, const bool all, const bool votes, CcaParams *const p)
{
    const uint32_t v = (uint32_t) take(in, 1); /* of the mode's bits 0 is as configured */
    p->foreground = (CcaForeground) (p->foreground ^ (v & 7));
    p->learning = !(v & 8);
    p->compensate_light = v & 16;
    p->count_foreground = v & 32;
    p->open_radius = (uint32_t) take_number(in);
    p->close_radius = (uint32_t) take_number(in);
    if (!all)
        return;
    p->min_contrast = (uint32_t) take_number(in);
    p->step = (uint32_t) take_number(in);
    p->noise_factor = (uint32_t) take_number(in);
    p->background_period = (uint32_t) take_number(in);
    p->warm_up = (uint32_t) take_number(in);
    if (votes)
        p->absorb_after = (uint32_t) take_number(in);
}

static CcaLimits take_limits(Input *const in)
{
    enum { BORDER = 1 << 8, N_NUMBERS = 8 };
    const uint32_t flags = (uint32_t) take(in, 2);
    CcaLimits l = CCA_NO_LIMITS;
    uint32_t *const numbers[N_NUMBERS] = {
        &l.min_width,  &l.max_width,  &l.min_height, &l.max_height,
        &l.min_aspect, &l.max_aspect, &l.min_extent, &l.min_peak,
    };
    for (uint32_t i = 0; i < N_NUMBERS; i++)
        if (flags >> i & 1)
            *numbers[i] = (uint32_t) take_number(in);
    l.exclude_border = (flags & BORDER) != 0;
    return l;
}

static void take_polygon(Input *const in, CcaMask *const mask)
{
    enum { EXCLUDE = 1, AREA = 2, SIZE = 4, N_POINTS = 3, MAX_POINTS = 10 };
    const int64_t limit = 1 << 20;
    const uint32_t flags = (uint32_t) take(in, 1);
    int32_t points[2 * MAX_POINTS];
    CcaPolygon polygon = {
        .points = points,
        .n_points = 3 + (flags >> N_POINTS & 7),
        .width = mask->width,
        .height = mask->height,
    };
    if (flags & SIZE) {
        polygon.width = (uint32_t) take_number(in) | 1;
        polygon.height = (uint32_t) take_number(in) | 1;
    }
    for (uint32_t i = 0; i < 2 * polygon.n_points; i++)
        points[i] = (int32_t) ((int64_t) take_number(in) % (limit + 1));
    REQUIRE(cca_mask_polygon(mask, &polygon, !(flags & EXCLUDE)), "memory");
    if (flags & AREA) {
        const uint32_t min_area = (uint32_t) take_number(in);
        const uint32_t max_area = (uint32_t) take_number(in);
        REQUIRE(cca_mask_add_area(mask, &polygon, min_area, max_area), "memory");
    }
}

/* A new mask for a frame, or an earlier one, which may have another size. */
static const CcaMask *take_mask(State *const s, Input *const in, const CcaFrame *const f)
{
    enum { OLD = 1, ALL = 2, N_POLYGONS = 2 };
    const uint32_t flags = (uint32_t) take(in, 1);
    if (s->n_masks == MAX_MASKS || (s->n_masks > 0 && flags & OLD))
        return s->masks[s->n_masks - 1];
    CcaMask *const mask = cca_mask_new(f->width, f->height, flags & ALL);
    REQUIRE(mask != NULL, "memory");
    for (uint32_t i = 0; i < (flags >> N_POLYGONS & 3); i++)
        take_polygon(in, mask);
    s->masks[s->n_masks++] = mask;
    return mask;
}

static CcaParams take_params(State *const s, Input *const in, const CcaFrame *const f)
{
    enum { RANGE = 1, MIN = 2, MAX = 4, ROI = 8, CAP = 16, AREA = 32, INVERT = 64, ODD = 128 };
    enum { ORDER = 3, MODE = 4, MODE_PARAMS = 8, LIMITS = 16, MASK = 32 };
    CcaParams p = CCA_DEFAULT_PARAMS;
    p.foreground = s->config.foreground;
    const uint32_t flags = (uint32_t) take(in, 1);
    p.connectivity = take_below(in, 2) ? 8 : 4;
    if (flags & RANGE) {
        p.threshold = (uint32_t) take_number(in);
        p.threshold_high = (uint32_t) take_number(in);
    }
    if (flags & MIN)
        p.min_area = take_number(in);
    if (flags & MAX)
        p.max_area = take_number(in);
    if (flags & ROI) {
        p.roi.x = (uint32_t) take_number(in);
        p.roi.y = (uint32_t) take_number(in);
        p.roi.width = (uint32_t) take_number(in);
        p.roi.height = (uint32_t) take_number(in);
    }
    if (flags & CAP)
        p.max_components = (uint32_t) take_number(in);
    p.order = flags & AREA ? CCA_ORDER_AREA : CCA_ORDER_RASTER;
    p.invert = flags & INVERT;
    if (flags & ODD) {
        p.connectivity = (uint32_t) take_number(in);
        const uint32_t odd = (uint32_t) take(in, 1);
        p.order = (CcaOrder) (odd & ORDER);
        if (odd & MODE)
            take_mode(in, odd & MODE_PARAMS, s->config.votes, &p);
        if (odd & LIMITS)
            p.limits = take_limits(in);
        if (odd & MASK && s->configured && f->width > 0 && f->height > 0 &&
            f->width <= MAX_PIXELS / f->height)
            p.mask = take_mask(s, in, f);
    }
    return p;
}

/* Rows without anything between them, or with 2 bytes. */
static CcaLabels make_labels(const CcaFrame *const f, const uint32_t form, const bool padded)
{
    static const uint32_t bits[] = { 16, 16, 32, 8 };
    const size_t padding = padded ? 2 : 0;
    return (CcaLabels) {
        .data = (void *) 64, /* there is none yet */
        .bits = bits[form],
        .stride = ((size_t) f->width + padding) * (bits[form] / 8),
        .narrow_stride = form == 1 ? (size_t) f->width + padding : 0,
    };
}

static void analyse(State *const s, Input *const in)
{
    enum { SIZE = 1, STRIDE = 2, SHIFT = 4, NOTHING = 8, LABELS = 16, FORM = 5, PADDED = 128 };
    const uint32_t slot = (uint32_t) take_number(in);
    const uint32_t flags = (uint32_t) take(in, 1);
    CcaFrame f = { .width = s->config.width, .height = s->config.height };
    if (flags & SIZE) {
        f.width = (uint32_t) take_number(in);
        f.height = (uint32_t) take_number(in);
    }
    if (flags & LABELS)
        f.labels = make_labels(&f, flags >> FORM & 3, flags & PADDED);
    const size_t row = (size_t) f.width * (s->config.sample_size ? s->config.sample_size : 1);
    f.stride = flags & STRIDE ? row + (size_t) take_number(in) : row;
    const size_t shift = flags & SHIFT ? take_below(in, 64) : 0;
    const CcaParams params = take_params(s, in, &f);

    /* a frame that must not be read has hardly any memory */
    size_t size = 1;
    f.data = (const void *) (uintptr_t) (64 + shift);
    const bool to_be_read = s->configured && slot < s->config.slots && !s->held[slot] &&
                            frame_is_valid(s, &f) && labels_are_valid(s, &f) &&
                            params_are_valid(s, &params) && mask_is_valid(&f, params.mask);
    if (to_be_read) {
        if (f.height > 1 && f.stride > MAX_BYTES / f.height)
            return;
        size = (f.height > 1 ? (f.height - 1) * f.stride : 0) + row;
        /* the reference looks at each pixel of each square */
        s->pixels += (size_t) f.width * f.height * (1 + params.open_radius + params.close_radius);
        if (size > MAX_BYTES || s->pixels > MAX_PIXELS)
            return;
    }
    uint8_t *const memory = exact(shift + size);
    take_paint(in, memory + shift, size);
    f.data = flags & NOTHING ? NULL : memory + shift;

    const bool valid = to_be_read && f.data != NULL;
    const bool has_labels = valid && f.labels.data != NULL;
    const size_t labels_size = f.labels.stride * f.height;
    CcaStatus status[N_ENGINES];
    for (int i = 0; i < N_ENGINES; i++) {
        if (has_labels)
            f.labels.data = s->labels[slot][i] = memset(exact(labels_size), 0xa5, labels_size);
        status[i] = cca_engine_analyse(s->engines[i], slot, &f, &params);
    }
    if (valid)
        s->labels_size[slot] = has_labels ? labels_size : 0;
    check_status(s, status, valid, "analyse");
    if (valid)
        s->held[slot] = memory;
    else
        free(memory);
}

static void check_result(const CcaResult *const want, const CcaResult *const got,
                         const bool has_features, const char *const name)
{
    REQUIRE(got->n_components == want->n_components && got->n_found == want->n_found,
            "%s delivers %u of %u components, the reference %u of %u", name, got->n_components,
            got->n_found, want->n_components, want->n_found);
    REQUIRE(got->truncated == want->truncated && got->threshold == want->threshold &&
                got->threshold_high == want->threshold_high,
            "%s differs in truncated or thresholds", name);
    REQUIRE(got->warming_up == want->warming_up &&
                got->background_frames == want->background_frames,
            "%s: frame %llu of the background, that of the reference %llu", name,
            (unsigned long long) got->background_frames,
            (unsigned long long) want->background_frames);
    REQUIRE(got->light_changed == want->light_changed && got->light_shift == want->light_shift &&
                got->n_foreground == want->n_foreground,
            "%s: light %d by %d and %u foreground pixels, of the reference %d by %d and %u", name,
            got->light_changed, got->light_shift, got->n_foreground, want->light_changed,
            want->light_shift, want->n_foreground);
    REQUIRE(got->n_pixels == want->n_pixels, "%s has a working set of %u pixels, the reference %u",
            name, got->n_pixels, want->n_pixels);
    REQUIRE(got->label_bits == want->label_bits, "%s has labels of %u bits, the reference %u", name,
            got->label_bits, want->label_bits);
    REQUIRE((got->components == NULL) == (got->n_components == 0), "%s: no NULL", name);
    REQUIRE((got->features == NULL) == (got->n_components == 0 || !has_features), "%s: features %p",
            name, (const void *) got->features);
    for (uint32_t i = 0; i < got->n_components; i++) {
        const CcaComponent *const a = &want->components[i], *const b = &got->components[i];
        REQUIRE(memcmp(a, b, sizeof(*a)) == 0,
                "%s: record %u is %u: %ux%u at %u,%u, the reference has %u: %ux%u at %u,%u", name,
                i, b->id, b->width, b->height, b->x, b->y, a->id, a->width, a->height, a->x, a->y);
        if (got->features != NULL)
            REQUIRE(memcmp(&want->features[i], &got->features[i], sizeof(*got->features)) == 0,
                    "%s: the features of record %u differ", name, i);
    }
}

static void collect(State *const s, Input *const in)
{
    const uint32_t slot = (uint32_t) take_number(in);
    const bool valid = s->configured && slot < s->config.slots && s->held[slot] != NULL;
    CcaStatus status[N_ENGINES];
    CcaResult results[N_ENGINES];
    for (int i = 0; i < N_ENGINES; i++)
        status[i] = cca_engine_collect(s->engines[i], slot, &results[i]);
    check_status(s, status, valid, "collect");
    for (int i = 1; i < N_ENGINES; i++)
        check_result(&results[0], &results[i], s->config.features != CCA_FEATURES_NONE,
                     cca_engine_name(s->engines[i]));
    if (!valid)
        return;
    for (int i = 1; i < N_ENGINES && results[0].label_bits > 0; i++)
        REQUIRE(memcmp(s->labels[slot][0], s->labels[slot][i], s->labels_size[slot]) == 0,
                "%s has other labels than the reference", cca_engine_name(s->engines[i]));
    drop_frame(s, slot);
}

int LLVMFuzzerInitialize(int *const argc, char ***const argv)
{
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *const data, const size_t size)
{
    enum { CONFIGURE, ANALYSE, COLLECT, RESET };
    static const uint8_t calls[] = {
        ANALYSE, COLLECT, CONFIGURE, ANALYSE, COLLECT, ANALYSE, COLLECT, RESET,
    };
    Input in = { data, size };
    State s = { 0 };
    const CcaCpuOptions one = { .threads = 1, .level = (CcaCpuLevel) take_below(&in, 4) };
    const CcaCpuOptions three = { .threads = 3, .level = CCA_CPU_LEVEL_BEST };

    REQUIRE(cca_ref_open(&s.engines[0]) == CCA_OK, "the reference");
    const bool has_level = one.level <= cca_cpu_level() || one.level == CCA_CPU_LEVEL_BEST;
    REQUIRE((cca_cpu_open(&s.engines[1], &one) == CCA_OK) == has_level, "level %d", one.level);
    if (!has_level)
        REQUIRE(cca_cpu_open(&s.engines[1], NULL) == CCA_OK, "the CPU engine");
    REQUIRE(cca_cpu_open(&s.engines[2], &three) == CCA_OK, "the CPU engine");

    configure(&s, &in);
    for (int i = 0; i < MAX_CALLS && in.left > 0; i++) {
        switch (calls[take_below(&in, sizeof(calls))]) {
        case CONFIGURE: configure(&s, &in); break;
        case ANALYSE: analyse(&s, &in); break;
        case COLLECT: collect(&s, &in); break;
        case RESET:
            for (int j = 0; j < N_ENGINES; j++)
                cca_engine_reset_background(s.engines[j]);
            break;
        }
    }

    for (int i = 0; i < N_ENGINES; i++) {
        cca_engine_free(&s.engines[i]);
        REQUIRE(s.engines[i] == NULL, "engine %d was freed", i);
    }
    drop_frames(&s);
    for (uint32_t i = 0; i < s.n_masks; i++)
        cca_mask_free(s.masks[i]);
    return 0;
}
