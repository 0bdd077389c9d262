/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "foreground.h"

/* One value where all pixels of the square of 2 radius + 1 pixels around each,
 * as far as it lies in the region, have it, and else the other. */
static void erode_value(RefForeground *const f, const CcaJob *const job, const uint32_t radius,
                        const uint8_t value)
{
    const int64_t w = job->width, h = job->height, r = radius;
    for (int64_t y = 0; y < h; y++) {
        for (int64_t x = 0; x < w; x++) {
            bool all = true;
            for (int64_t v = y - r < 0 ? 0 : y - r; all && v <= y + r && v < h; v++)
                for (int64_t u = x - r < 0 ? 0 : x - r; all && u <= x + r && u < w; u++)
                    all = f->mask[v * w + u] == value;
            f->scratch[y * w + x] = all ? value : !value;
        }
    }
    uint8_t *const eroded = f->scratch;
    f->scratch = f->mask;
    f->mask = eroded;
}

static void erode(RefForeground *const f, const CcaJob *const job, const uint32_t radius)
{
    erode_value(f, job, radius, 1);
}

/* What erodes the background dilates the foreground. */
static void dilate(RefForeground *const f, const CcaJob *const job, const uint32_t radius)
{
    erode_value(f, job, radius, 0);
}

void cca_ref_open_and_close(RefForeground *const f, const CcaJob *const job)
{
    if (job->params.open_radius > 0) {
        erode(f, job, job->params.open_radius);
        dilate(f, job, job->params.open_radius);
    }
    if (job->params.close_radius > 0) {
        dilate(f, job, job->params.close_radius);
        erode(f, job, job->params.close_radius);
    }
}
