/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The foreground of a frame, as CcaForeground has it. */

#include <stdlib.h>
#include <string.h>

#include "foreground.h"

static uint64_t n_pixels(const CcaConfig *const c)
{
    return (uint64_t) c->width * c->height;
}

static uint64_t n_frames(const CcaConfig *const c)
{
    return c->foreground == CCA_FOREGROUND_DIFFERENCE ? c->frame_distance : 0;
}

uint64_t cca_ref_foreground_size(const CcaConfig *const c)
{
    const uint64_t models = c->foreground == CCA_FOREGROUND_SIGMA_DELTA ? 2 : n_frames(c);
    return n_pixels(c) * (2 + models * sizeof(uint16_t)) + 65536 * sizeof(uint32_t);
}

bool cca_ref_foreground_allocate(RefForeground *const f, const CcaConfig *const c)
{
    const size_t n = n_pixels(c);
    f->mask = calloc(n, sizeof(*f->mask));
    f->scratch = calloc(n, sizeof(*f->scratch));
    f->histogram = calloc(65536, sizeof(*f->histogram));
    bool complete = f->mask && f->scratch && f->histogram;
    if (c->foreground == CCA_FOREGROUND_DIFFERENCE) {
        f->frames = calloc(n * n_frames(c), sizeof(*f->frames));
        complete = complete && f->frames;
    }
    if (c->foreground == CCA_FOREGROUND_SIGMA_DELTA) {
        f->mean = calloc(n, sizeof(*f->mean));
        f->variation = calloc(n, sizeof(*f->variation));
        complete = complete && f->mean && f->variation;
    }
    return complete;
}

void cca_ref_foreground_free(RefForeground *const f)
{
    free(f->mask);
    free(f->scratch);
    free(f->histogram);
    free(f->frames);
    free(f->mean);
    free(f->variation);
    *f = (RefForeground) { 0 };
}

int64_t cca_ref_value(const CcaJob *const job, const CcaConfig *const c, const uint32_t x,
                      const uint32_t y)
{
    const uint8_t *const row = (const uint8_t *) job->frame.data + y * job->frame.stride;
    const uint32_t sample = c->sample_size == 1 ? row[x] : ((const uint16_t *) row)[x];
    return sample >> c->shift & ((1u << c->depth) - 1);
}

static bool differs(RefForeground *const f, const CcaUpdate *const u, const int64_t value,
                    const size_t i, const size_t frame_size)
{
    const int64_t old = u->first ? value : f->frames[u->reference * frame_size + i];
    f->frames[u->stored * frame_size + i] = (uint16_t) value;
    return !u->first && llabs(value - old) >= (int64_t) u->contrast;
}

static bool moves(RefForeground *const f, const CcaUpdate *const u, const int64_t value,
                  const size_t i)
{
    const int64_t c = u->contrast, s = u->step, n = u->noise_factor;
    if (u->first) {
        f->mean[i] = (uint16_t) value;
        f->variation[i] = (uint16_t) c;
        return false;
    }
    int64_t m = f->mean[i], v = f->variation[i];
    if (u->due)
        m += iclip64(value - m, -s, s);
    const int64_t o = llabs(value - m);
    if (u->due)
        v = iclip64(v + iclip64(n * o - v, -s, s), c, u->max_variation);
    f->mean[i] = (uint16_t) m;
    f->variation[i] = (uint16_t) v;
    return o >= v && o >= c;
}

static bool is_foreground(RefForeground *const f, const CcaJob *const job,
                          const int64_t threshold, const int64_t value, const size_t i)
{
    switch (job->params.foreground) {
    case CCA_FOREGROUND_DIFFERENCE:
        return differs(f, &job->update, value, i,
                       (size_t) job->frame.width * job->frame.height);
    case CCA_FOREGROUND_SIGMA_DELTA: return moves(f, &job->update, value, i);
    default: return value > threshold && value <= (int64_t) job->params.threshold_high;
    }
}

uint32_t cca_ref_find_foreground(RefForeground *const f, const CcaJob *const job,
                                 const CcaConfig *const config)
{
    const CcaForeground mode = job->params.foreground;
    uint32_t threshold = job->params.threshold;
    if (mode == CCA_FOREGROUND_OTSU)
        threshold = cca_ref_otsu(f->histogram, job, config);

    for (uint32_t y = 0; y < job->frame.height; y++) {
        for (uint32_t x = 0; x < job->frame.width; x++) {
            const int64_t value = cca_ref_value(job, config, x, y);
            const bool e = is_foreground(f, job, threshold, value,
                                         (size_t) y * job->frame.width + x);
            /* columns and rows of the region; huge ones where it starts later */
            const uint32_t rx = x - job->x, ry = y - job->y;
            if (rx < job->width && ry < job->height)
                f->mask[(size_t) ry * job->width + rx] = e != job->invert;
        }
    }
    cca_ref_open_and_close(f, job);
    return cca_has_background(mode) ? job->update.contrast : threshold;
}
