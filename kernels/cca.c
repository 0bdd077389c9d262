/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine.h"

const char *cca_status_string(const CcaStatus status)
{
    switch (status) {
    case CCA_OK: return "no error";
    case CCA_ERROR_INVALID: return "a parameter is not valid";
    case CCA_ERROR_TOO_LARGE: return "the frame is too large";
    case CCA_ERROR_NO_MEMORY: return "memory ran out";
    case CCA_ERROR_NOT_CONFIGURED: return "the engine is not configured";
    case CCA_ERROR_BUSY: return "the slot holds a frame that was not collected";
    case CCA_ERROR_EMPTY: return "the slot holds no frame";
    case CCA_ERROR_NO_DRIVER: return "there is no CUDA driver, or it is too old";
    case CCA_ERROR_NO_DEVICE: return "there is no such GPU, or it is not supported";
    case CCA_ERROR_DEVICE: return "a call of the CUDA driver failed";
    case CCA_ERROR_DEVICE_LOST: return "the GPU context is unusable after an earlier error";
    }
    return "unknown error";
}

CcaStatus cca_engine_fail(CcaEngine *const engine, const CcaStatus status, const char *const format,
                          ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(engine->error, sizeof(engine->error), format, args);
    va_end(args);
    return status;
}

static CcaStatus fail_plain(CcaEngine *const engine, const CcaStatus status)
{
    return cca_engine_fail(engine, status, "%s", cca_status_string(status));
}

const char *cca_engine_name(const CcaEngine *const engine)
{
    return engine->ops->name;
}

const char *cca_engine_error(const CcaEngine *const engine)
{
    return engine->error[0] ? engine->error : cca_status_string(CCA_OK);
}

static CcaStatus check_config(CcaEngine *const engine, const CcaConfig *const c)
{
    if (c->width == 0 || c->height == 0)
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "a frame of %" PRIu32 "x%" PRIu32 " pixels has none", c->width,
                               c->height);
    if ((uint64_t) c->width * c->height > CCA_MAX_PIXELS)
        return cca_engine_fail(engine, CCA_ERROR_TOO_LARGE,
                               "a frame of %" PRIu32 "x%" PRIu32
                               " pixels is larger than the %d pixels that are supported",
                               c->width, c->height, CCA_MAX_PIXELS);
    if (c->sample_size != 1 && c->sample_size != 2)
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "samples of %" PRIu32 " bytes are not 1 or 2 bytes", c->sample_size);
    if (c->sample_size == 1 && (c->depth != 8 || c->shift != 0))
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "values of %" PRIu32 " bits above %" PRIu32
                               " others are not all of a sample of 1 byte",
                               c->depth, c->shift);
    if (c->depth == 0 || c->depth > 16 || c->shift > 16 - c->depth)
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "values of %" PRIu32 " bits above %" PRIu32
                               " others are not in samples of 2 bytes",
                               c->depth, c->shift);
    if (c->max_components == 0)
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "room for 0 components was asked for; at least 1 is needed");
    if (c->slots == 0 || c->slots > CCA_MAX_SLOTS)
        return cca_engine_fail(engine, CCA_ERROR_INVALID, "%" PRIu32 " slots are not 1 to %d",
                               c->slots, CCA_MAX_SLOTS);
    if (c->foreground < CCA_FOREGROUND_THRESHOLD || c->foreground > CCA_FOREGROUND_SIGMA_DELTA)
        return cca_engine_fail(engine, CCA_ERROR_INVALID, "a foreground mode of %d is not known",
                               (int) c->foreground);
    if (c->foreground == CCA_FOREGROUND_DIFFERENCE &&
        (c->frame_distance == 0 || c->frame_distance > CCA_MAX_FRAME_DISTANCE))
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "a frame distance of %" PRIu32 " is not 1 to %d", c->frame_distance,
                               CCA_MAX_FRAME_DISTANCE);
    if ((uint32_t) c->features > CCA_FEATURES_ALL)
        return cca_engine_fail(engine, CCA_ERROR_INVALID, "features of 0x%x are not known",
                               (unsigned) c->features);
    if (c->features != CCA_FEATURES_NONE &&
        (c->width > CCA_MAX_FEATURES_SIDE || c->height > CCA_MAX_FEATURES_SIDE))
        return cca_engine_fail(engine, CCA_ERROR_TOO_LARGE,
                               "a frame of %" PRIu32 "x%" PRIu32
                               " pixels is larger than the %d pixels a side of which features are "
                               "computed",
                               c->width, c->height, CCA_MAX_FEATURES_SIDE);
    return CCA_OK;
}

/* No frame has more components than labels, so max_components is limited to that number. */
static CcaConfig bounded(const CcaConfig *const config)
{
    CcaConfig c = *config;
    const uint64_t labels = cca_max_labels(c.width, c.height);
    if (c.max_components > labels)
        c.max_components = (uint32_t) labels;
    return c;
}

CcaStatus cca_engine_measure(const CcaEngine *const engine, const CcaConfig *const config,
                             CcaFootprint *const footprint)
{
    CcaEngine scratch = { .ops = engine->ops };
    *footprint = (CcaFootprint) { 0 };
    const CcaStatus status = check_config(&scratch, config);
    if (status != CCA_OK)
        return status;
    const CcaConfig c = bounded(config);
    return engine->ops->measure(engine, &c, footprint);
}

CcaStatus cca_engine_configure(CcaEngine *const engine, const CcaConfig *const config)
{
    CcaStatus status = check_config(engine, config);
    if (status == CCA_OK) {
        const CcaConfig c = bounded(config);
        status = engine->ops->configure(engine, &c);
        if (status == CCA_OK)
            engine->config = c;
    }
    if (status != CCA_OK)
        engine->ops->unconfigure(engine);
    engine->busy = 0;
    engine->n_background = 0;
    engine->configured = status == CCA_OK;
    return status;
}

static CcaStatus check_slot(CcaEngine *const engine, const uint32_t slot)
{
    if (!engine->configured)
        return fail_plain(engine, CCA_ERROR_NOT_CONFIGURED);
    if (slot >= engine->config.slots)
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "slot %" PRIu32 " is not one of the %" PRIu32 " configured", slot,
                               engine->config.slots);
    return CCA_OK;
}

static CcaStatus check_frame(CcaEngine *const engine, const CcaFrame *const f)
{
    const CcaConfig *const c = &engine->config;
    if (f->width == 0 || f->height == 0)
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "a frame of %" PRIu32 "x%" PRIu32 " pixels has none", f->width,
                               f->height);
    if (f->width > c->width || f->height > c->height)
        return cca_engine_fail(engine, CCA_ERROR_TOO_LARGE,
                               "a frame of %" PRIu32 "x%" PRIu32
                               " pixels is larger than the %" PRIu32 "x%" PRIu32 " configured",
                               f->width, f->height, c->width, c->height);
    if (f->data == NULL)
        return cca_engine_fail(engine, CCA_ERROR_INVALID, "the frame has no pixels");
    if (f->height == 1)
        return (uintptr_t) f->data % c->sample_size == 0 ?
                   CCA_OK :
                   cca_engine_fail(engine, CCA_ERROR_INVALID, "16-bit samples at an odd address");
    if (f->stride < (uint64_t) f->width * c->sample_size)
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "a stride of %zu bytes is too short for %" PRIu32
                               " pixels of %" PRIu32 " bytes",
                               f->stride, f->width, c->sample_size);
    if (f->stride > SIZE_MAX / f->height)
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "%" PRIu32 " rows of %zu bytes do not fit in memory", f->height,
                               f->stride);
    if (((uintptr_t) f->data | f->stride) % c->sample_size != 0)
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "16-bit samples at an odd address or stride");
    return CCA_OK;
}

static CcaStatus check_labels(CcaEngine *const engine, const CcaFrame *const f)
{
    const CcaLabels *const l = &f->labels;
    if (l->data == NULL)
        return CCA_OK;
    if (!engine->config.labels)
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "the engine is not configured for labels");
    if ((l->bits != 16 && l->bits != 32) || (l->bits == 32 && l->narrow_stride > 0))
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "labels of %" PRIu32 " bits are not of 16 or 32, or narrow ones "
                               "of 16",
                               l->bits);
    const uint32_t size = l->bits / 8;
    const size_t longest = (size_t) umax64(l->stride, l->narrow_stride);
    if (f->height > 1 && (l->stride < (uint64_t) f->width * size ||
                          (l->narrow_stride > 0 && l->narrow_stride < f->width)))
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "strides of %zu and %zu bytes are too short for %" PRIu32 " labels",
                               l->stride, l->narrow_stride, f->width);
    if (f->height > 1 && longest > SIZE_MAX / f->height)
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "%" PRIu32 " rows of labels of %zu bytes do not fit in memory",
                               f->height, longest);
    if (((uintptr_t) l->data | (f->height > 1 ? l->stride : 0)) % size != 0)
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "labels of %" PRIu32 " bits at an odd address or stride", l->bits);
    return CCA_OK;
}

static CcaStatus check_background(CcaEngine *const engine, const CcaFrame *const f,
                                  const CcaParams *const p)
{
    const uint32_t size = engine->config.sample_size;
    const size_t stride = f->height > 1 ? f->background_stride : (size_t) f->width * size;
    if (f->background == NULL)
        return CCA_OK;
    if (!cca_has_background(p->foreground))
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "the foreground mode has no background to write");
    if (stride < (uint64_t) f->width * size || stride > SIZE_MAX / f->height)
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "a stride of %zu bytes does not fit a background of %" PRIu32
                               "x%" PRIu32 " pixels",
                               stride, f->width, f->height);
    if (((uintptr_t) f->background | stride) % size != 0)
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "a background of 16-bit samples at an odd address or stride");
    return CCA_OK;
}

static CcaStatus check_foreground(CcaEngine *const engine, const CcaParams *const p)
{
    if (p->foreground != CCA_FOREGROUND_THRESHOLD && p->foreground != engine->config.foreground)
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "the engine is not configured for a foreground mode of %d",
                               (int) p->foreground);
    if (cca_has_background(p->foreground) &&
        (p->min_contrast == 0 || p->min_contrast > UINT16_MAX + 1))
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "a contrast of %" PRIu32 " is not 1 to 65536", p->min_contrast);
    if (p->foreground != CCA_FOREGROUND_SIGMA_DELTA)
        return CCA_OK;
    if (p->step == 0 || p->step >= 1u << engine->config.depth)
        return cca_engine_fail(engine, CCA_ERROR_INVALID, "a step of %" PRIu32 " is not 1 to %u",
                               p->step, (1u << engine->config.depth) - 1);
    if (p->noise_factor == 0 || p->noise_factor > CCA_MAX_NOISE_FACTOR)
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "a noise factor of %" PRIu32 " is not 1 to %d", p->noise_factor,
                               CCA_MAX_NOISE_FACTOR);
    if (p->background_period == 0 || p->background_period > UINT16_MAX || p->warm_up > UINT16_MAX)
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "a background period of %" PRIu32 " and a warm-up of %" PRIu32
                               " are not 1 to 65535 and 0 to 65535 frames",
                               p->background_period, p->warm_up);
    if (p->absorb_after > CCA_MAX_ABSORB_AFTER)
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "absorption after %" PRIu32 " frames is not after 0 to %d",
                               p->absorb_after, CCA_MAX_ABSORB_AFTER);
    if (p->absorb_after > 0 && !engine->config.votes)
        return cca_engine_fail(engine, CCA_ERROR_INVALID, "the engine is not configured for votes");
    return CCA_OK;
}

static CcaStatus check_mask(CcaEngine *const engine, const CcaFrame *const f,
                            const CcaMask *const m)
{
    if (m == NULL || (m->width == f->width && m->height == f->height))
        return CCA_OK;
    return cca_engine_fail(engine, CCA_ERROR_INVALID,
                           "a mask of %" PRIu32 "x%" PRIu32 " pixels is not of the frame's %" PRIu32
                           "x%" PRIu32,
                           m->width, m->height, f->width, f->height);
}

static CcaStatus check_params(CcaEngine *const engine, const CcaParams *const p)
{
    if (p->threshold > UINT16_MAX || p->threshold_high > UINT16_MAX)
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "thresholds %" PRIu32 " and %" PRIu32 " are not 0 to 65535",
                               p->threshold, p->threshold_high);
    if (p->connectivity != 4 && p->connectivity != 8)
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "a connectivity of %" PRIu32 " is not 4 or 8", p->connectivity);
    if (p->order != CCA_ORDER_RASTER && p->order != CCA_ORDER_AREA)
        return cca_engine_fail(engine, CCA_ERROR_INVALID, "an order of %d is not known",
                               (int) p->order);
    if (p->open_radius > CCA_MAX_OPEN_RADIUS || p->close_radius > CCA_MAX_CLOSE_RADIUS)
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "radii of %" PRIu32 " and %" PRIu32 " are not up to %d and %d",
                               p->open_radius, p->close_radius, CCA_MAX_OPEN_RADIUS,
                               CCA_MAX_CLOSE_RADIUS);
    return check_foreground(engine, p);
}

/* The part of [0, size) that starts at `start`: `length` long, or up to the
 * end if that is 0. */
static uint32_t clip(const uint32_t start, const uint32_t length, const uint32_t size)
{
    if (start >= size)
        return 0;
    const uint32_t rest = size - start;
    return length == 0 || length > rest ? rest : length;
}

void cca_job_set_thresholds(CcaJob *const job, const CcaConfig *const c, const uint32_t threshold,
                            const uint32_t threshold_high)
{
    const uint32_t top = (1u << c->depth) - 1, unused = 8 * c->sample_size - c->depth;
    const uint32_t high = umin(threshold_high, top);
    job->constant = threshold >= high;
    job->low = job->range = 0;
    if (!job->constant) {
        job->low = (threshold + 1) << unused;
        job->range = ((high + 1) << unused) - 1 - job->low;
    }
}

static void set_peaks(CcaJob *const job, const CcaConfig *const c)
{
    const uint32_t top = (1u << c->depth) - 1, unused = 8 * c->sample_size - c->depth;
    const uint32_t peak = job->params.limits.min_peak;
    job->peakless = peak > top;
    if (job->peakless)
        return;
    job->peak_low = job->invert ? 0 : peak << unused;
    job->peak_range = ((top - peak + 1) << unused) - 1;
}

/* The contrast as used, which cannot exceed sigma-delta's largest variation. */
static uint32_t used_contrast(const CcaParams *const p, const uint32_t depth)
{
    return p->foreground == CCA_FOREGROUND_SIGMA_DELTA ? umin(p->min_contrast, (1u << depth) - 1) :
                                                         p->min_contrast;
}

CcaResult cca_empty_result(const CcaParams *const params, const uint32_t depth)
{
    const bool has_background = cca_has_background(params->foreground);
    CcaResult result = {
        .threshold = has_background ? used_contrast(params, depth) : params->threshold,
        .threshold_high = has_background ? UINT16_MAX : params->threshold_high,
    };
    if (params->foreground == CCA_FOREGROUND_OTSU)
        result.threshold = 0;
    return result;
}

static CcaUpdate make_update(const CcaEngine *const engine, const CcaFrame *const f,
                             const CcaParams *const p)
{
    const CcaConfig *const c = &engine->config;
    const uint32_t n_values = 1u << c->depth, distance = c->frame_distance;
    const bool same_size = f->width == engine->background_width &&
                           f->height == engine->background_height;
    const uint64_t t = same_size ? engine->n_background : 0;
    CcaUpdate u = { .first = t == 0, .contrast = used_contrast(p, c->depth), .number = t };
    if (p->foreground == CCA_FOREGROUND_DIFFERENCE) {
        u.reference = t < distance ? 0 : (uint32_t) (t % distance);
        u.stored = (uint32_t) (t % distance);
        u.next = t + 1 < distance ? 0 : (uint32_t) ((t + 1) % distance);
        u.warming_up = t < distance;
    } else {
        u.step = p->step;
        u.noise_factor = p->noise_factor;
        u.max_variation = umax(n_values - p->step, u.contrast);
        u.settled = t > p->warm_up;
        u.due = u.first || (p->learning && (!u.settled || t % p->background_period == 0));
        u.warming_up = u.first || !u.settled;
        if (p->absorb_after > 0 && p->learning && !u.first) {
            const uint32_t tick_period = (p->absorb_after - 1) / CCA_MAX_VOTES + 1;
            u.votes = true;
            u.tick = !u.settled || t % tick_period == 0;
            u.hold = t % CCA_HOLD_FRAMES == 0;
        }
    }
    return u;
}

/* --- working set ---------------------------------------------------------- */

/* Bits of word k of a row that are in columns from `first` to before `end`. */
static uint64_t columns(const size_t k, const uint32_t first, const uint32_t end)
{
    const uint32_t x = 64 * (uint32_t) k;
    const uint64_t from = x < first ? UINT64_MAX << (first - x) : UINT64_MAX;
    return end - x < 64 ? from & ((UINT64_C(1) << (end - x)) - 1) : from;
}

/* Returns the smallest rectangle with the pixels in `of`, which is not empty, that the mask has, or
 * that it lacks; of size 0 if there are none. */
static CcaRect find_box(const CcaMask *const m, const CcaRect of, const bool has,
                        uint32_t *const n_pixels)
{
    const uint32_t end = of.x + of.width, bottom = of.y + of.height;
    const uint64_t inverted = has ? 0 : UINT64_MAX;
    uint32_t x0 = end, x1 = of.x, y0 = bottom, y1 = of.y;
    *n_pixels = 0;
    for (uint32_t y = of.y; y < bottom; y++) {
        for (size_t k = of.x / 64; 64 * k < end; k++) {
            const uint64_t word = (m->words[y * m->row_words + k] ^ inverted) &
                                  columns(k, of.x, end);
            if (word == 0)
                continue;
            *n_pixels += (uint32_t) __builtin_popcountll(word);
            x0 = umin(x0, 64 * (uint32_t) k + (uint32_t) __builtin_ctzll(word));
            x1 = umax(x1, 64 * (uint32_t) k + 64 - (uint32_t) __builtin_clzll(word));
            y0 = umin(y0, y);
            y1 = y + 1;
        }
    }
    return *n_pixels > 0 ? (CcaRect) { x0, y0, x1 - x0, y1 - y0 } : (CcaRect) { 0 };
}

/* Finds the pixels of the mask in `of`, which is not empty. If they are no rectangle, the region
 * begins and ends with words of the mask, so that loads of pixels stay aligned and whole. */
static CcaWorking find_working(const CcaMask *const m, const CcaRect of)
{
    CcaWorking w = { .serial = m->serial, .of = of };
    uint32_t n_masked;
    w.region = find_box(m, of, true, &w.n_pixels);
    if (w.n_pixels == (uint64_t) w.region.width * w.region.height)
        return w;
    const uint32_t x = umax(of.x, w.region.x & ~UINT32_C(63));
    const uint32_t end = (w.region.x + w.region.width + 63) & ~UINT32_C(63);
    w.region.width = umin(end, of.x + of.width) - x;
    w.region.x = x;
    w.masked = find_box(m, w.region, false, &n_masked);
    w.masked.x -= w.region.x;
    w.masked.y -= w.region.y;
    return w;
}

/* Reduces the region to where the mask has pixels. The mask is not used if it has all of them. */
static void apply_mask(CcaEngine *const engine, CcaJob *const job, CcaRect *const region)
{
    CcaWorking *const w = &engine->working;
    const CcaMask *const mask = job->params.mask;
    if (mask == NULL || region->width == 0 || region->height == 0)
        return;
    if (w->serial != mask->serial || !cca_same_rect(&w->of, region))
        *w = find_working(mask, *region);
    *region = w->region;
    job->n_pixels = w->n_pixels;
    job->mask = w->masked.height > 0 ? mask : NULL;
    job->masked = w->masked;
}

/* The limits of the parameters become the widest of all. The area decides alone if all are equal.
 */
static void add_areas(CcaFilter *const f, CcaParams *const p)
{
    f->areas = p->mask->areas;
    f->min_area = f->safe_min = (uint32_t) umin64(p->min_area, UINT32_MAX);
    f->max_area = f->safe_max = (uint32_t) umin64(p->max_area, UINT32_MAX);
    for (uint32_t i = 0; i < f->areas->n; i++) {
        const CcaArea *const a = &f->areas->areas[i];
        f->safe_min = umax(f->safe_min, cca_area_min(f, a));
        f->safe_max = umin(f->safe_max, cca_area_max(f, a));
        p->min_area = umin64(p->min_area, cca_area_min(f, a));
        p->max_area = umax64(p->max_area, cca_area_max(f, a));
    }
    f->on |= f->safe_min > p->min_area || f->safe_max < umin64(p->max_area, UINT32_MAX);
}

/* With the filter on, a component without pixels does not pass the limits of area. */
static CcaFilter make_filter(CcaParams *const p, const CcaRect *const region)
{
    CcaFilter f = {
        .limits = p->limits,
        .border = *region,
        .on = cca_limits_are_on(&p->limits),
    };
    if (p->mask != NULL && p->mask->areas != NULL)
        add_areas(&f, p);
    if (f.on)
        p->min_area = umax64(p->min_area, 1);
    return f;
}

static CcaJob make_job(CcaEngine *const engine, const CcaFrame *const f, const CcaParams *const p)
{
    const CcaConfig *const c = &engine->config;
    CcaJob job = {
        .stride = f->stride,
        .lift = 8 * c->sample_size - c->depth - c->shift,
        .invert = p->invert,
        .max_components = p->max_components < c->max_components ? p->max_components :
                                                                  c->max_components,
        .params = *p,
        .stream = f->stream,
        .frame = *f,
    };
    cca_job_set_thresholds(&job, c, p->threshold, p->threshold_high);
    set_peaks(&job, c);
    if (cca_has_background(p->foreground))
        job.update = make_update(engine, f, p);
    CcaRect region = {
        .x = p->roi.x,
        .y = p->roi.y,
        .width = clip(p->roi.x, p->roi.width, f->width),
        .height = clip(p->roi.y, p->roi.height, f->height),
    };
    job.n_pixels = region.width * region.height;
    job.filter = make_filter(&job.params, &region);
    apply_mask(engine, &job, &region);
    if (region.width == 0 || region.height == 0) {
        job.data = f->data;
    } else {
        job.x = region.x;
        job.y = region.y;
        job.width = region.width;
        job.height = region.height;
        job.data = (const uint8_t *) f->data + (job.y ? job.y * f->stride : 0) +
                   (size_t) job.x * c->sample_size;
        job.update.light = p->foreground == CCA_FOREGROUND_SIGMA_DELTA && p->compensate_light &&
                           !job.update.first;
        job.update.count = cca_has_background(p->foreground) && p->count_foreground;
    }
    return job;
}

CcaStatus cca_engine_analyse(CcaEngine *const engine, const uint32_t slot,
                             const CcaFrame *const frame, const CcaParams *const params)
{
    CcaStatus status;
    if ((status = check_slot(engine, slot)) != CCA_OK)
        return status;
    if (engine->busy >> slot & 1)
        return fail_plain(engine, CCA_ERROR_BUSY);
    if ((status = check_frame(engine, frame)) != CCA_OK ||
        (status = check_labels(engine, frame)) != CCA_OK ||
        (status = check_params(engine, params)) != CCA_OK ||
        (status = check_background(engine, frame, params)) != CCA_OK ||
        (status = check_mask(engine, frame, params->mask)) != CCA_OK)
        return status;

    const CcaJob job = make_job(engine, frame, params);
    engine->background_begun = false;
    if ((status = engine->ops->analyse(engine, slot, &job)) != CCA_OK) {
        if (engine->background_begun)
            cca_engine_reset_background(engine);
        return status;
    }
    const bool has_background = cca_has_background(params->foreground);
    if (has_background) {
        engine->n_background = job.update.number + 1;
        engine->background_width = frame->width;
        engine->background_height = frame->height;
    }
    engine->begun[slot] = cca_empty_result(params, engine->config.depth);
    engine->begun[slot].warming_up = job.update.warming_up;
    engine->begun[slot].background_frames = job.update.number;
    engine->begun[slot].n_pixels = job.n_pixels;
    engine->labels[slot] = frame->labels;
    engine->busy |= UINT64_C(1) << slot;
    return CCA_OK;
}

void cca_engine_reset_background(CcaEngine *const engine)
{
    engine->n_background = 0;
}

uint64_t cca_background_state_size(const CcaBackground *const b)
{
    const uint64_t n_pixels = (uint64_t) b->width * b->height;
    return cca_background_planes(b) * cca_background_plane(b) + (b->votes ? n_pixels : 0);
}

static CcaBackground background_of(const CcaConfig *const c)
{
    return (CcaBackground) {
        .foreground = c->foreground,
        .sample_size = c->sample_size,
        .depth = c->depth,
        .frame_distance = c->foreground == CCA_FOREGROUND_DIFFERENCE ? c->frame_distance : 0,
        .votes = cca_has_votes(c),
    };
}

CcaBackground cca_engine_get_background(const CcaEngine *const engine)
{
    if (engine->n_background == 0)
        return (CcaBackground) { 0 };
    CcaBackground b = background_of(&engine->config);
    b.width = engine->background_width;
    b.height = engine->background_height;
    b.n_frames = engine->n_background;
    return b;
}

CcaStatus cca_engine_export_background(CcaEngine *const engine, void *const state)
{
    const CcaBackground b = cca_engine_get_background(engine);
    if (b.n_frames == 0)
        return cca_engine_fail(engine, CCA_ERROR_EMPTY, "there is no background to export");
    const CcaStatus status = engine->ops->export_background(engine, &b, state);
    if (status == CCA_OK && b.foreground == CCA_FOREGROUND_DIFFERENCE) {
        const uint64_t plane = cca_background_plane(&b);
        for (uint64_t i = b.n_frames; i < b.frame_distance; i++)
            memset((uint8_t *) state + i * plane, 0, plane);
    }
    return status;
}

static bool fits_configuration(const CcaBackground *const b, const CcaConfig *const c)
{
    const CcaBackground own = background_of(c);
    return cca_has_background(c->foreground) && b->foreground == own.foreground &&
           b->sample_size == own.sample_size && b->depth == own.depth &&
           b->frame_distance == own.frame_distance && b->votes == own.votes && b->width > 0 &&
           b->height > 0 && b->width <= c->width && b->height <= c->height;
}

/* The largest value in samples of 2 bytes. Those of 1 byte may have any value. */
static uint32_t largest_value(const CcaBackground *const b, const uint8_t *const state)
{
    const uint64_t n = cca_background_planes(b) * cca_background_plane(b) / b->sample_size;
    uint32_t largest = 0;
    for (uint64_t i = 0; b->sample_size == 2 && i < n; i++) {
        uint16_t value;
        memcpy(&value, state + 2 * i, sizeof(value));
        largest = umax(largest, value);
    }
    return largest;
}

CcaStatus cca_engine_import_background(CcaEngine *const engine, const CcaBackground *const b,
                                       const void *const state)
{
    if (!engine->configured)
        return fail_plain(engine, CCA_ERROR_NOT_CONFIGURED);
    if (b->n_frames == 0 || !fits_configuration(b, &engine->config))
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "a background of another form than those of the configuration");
    const uint32_t largest = largest_value(b, state);
    if (largest >> b->depth != 0)
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "a value of %" PRIu32 " in a background of %" PRIu32 " bits",
                               largest, b->depth);
    const CcaStatus status = engine->ops->import_background(engine, b, state);
    engine->n_background = status == CCA_OK ? b->n_frames : 0;
    engine->background_width = b->width;
    engine->background_height = b->height;
    return status;
}

CcaStatus cca_engine_collect(CcaEngine *const engine, const uint32_t slot, CcaResult *const result)
{
    *result = (CcaResult) { 0 };
    CcaStatus status = check_slot(engine, slot);
    if (status != CCA_OK)
        return status;
    if (!(engine->busy >> slot & 1))
        return fail_plain(engine, CCA_ERROR_EMPTY);

    engine->busy &= ~(UINT64_C(1) << slot);
    *result = engine->begun[slot];
    if ((status = engine->ops->collect(engine, slot, result)) != CCA_OK) {
        *result = (CcaResult) { 0 };
        cca_engine_reset_background(engine);
        return status;
    }
    if (result->n_components == 0)
        result->components = NULL;
    if (result->n_components == 0 || engine->config.features == CCA_FEATURES_NONE)
        result->features = NULL;
    result->truncated = result->n_components < result->n_found;
    result->label_bits = cca_labels_form(engine->labels[slot], result->n_found).bits;
    return CCA_OK;
}

static inline bool comes_before(const CcaComponent *const a, const CcaComponent *const b)
{
    return a->area != b->area ? a->area > b->area : a->id < b->id;
}

static inline void copy_record(CcaComponent *const components, CcaFeatures *const features,
                               const uint32_t to, const uint32_t from)
{
    components[to] = components[from];
    if (features != NULL)
        features[to] = features[from];
}

/* Heap sort works in place, and has no slow worst case. */
void cca_sort_by_area(CcaComponent *const components, CcaFeatures *const features, uint32_t n)
{
    for (uint32_t top = n / 2; n > 1;) {
        const uint32_t from = top > 0 ? --top : --n;
        const CcaComponent moved = components[from];
        CcaFeatures moved_features = { 0 };
        if (features != NULL)
            moved_features = features[from];
        if (from == n)
            copy_record(components, features, n, 0);
        uint32_t hole = top;
        for (uint32_t child; (child = 2 * hole + 1) < n; hole = child) {
            if (child + 1 < n && comes_before(&components[child], &components[child + 1]))
                child++;
            if (!comes_before(&moved, &components[child]))
                break;
            copy_record(components, features, hole, child);
        }
        components[hole] = moved;
        if (features != NULL)
            features[hole] = moved_features;
    }
}

void cca_engine_free(CcaEngine **const engine)
{
    if (*engine == NULL)
        return;
    const CcaEngineOps *const ops = (*engine)->ops;
    ops->unconfigure(*engine);
    ops->close(*engine);
    *engine = NULL;
}
