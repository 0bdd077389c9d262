/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Opening and closing of the rows of a band, on bits. Compiled once for each
 * instruction set.
 *
 * A copy of the band's rows, and of as many around it as the squares reach, is
 * taken as one long string of words in which a pixel's neighbour is 1 bit away, and
 * the one below it `pitch` words. A square is a row of 2 r + 1 pixels of columns of
 * 2 r + 1; each is combined by doubling and kept at its first pixel, so that the
 * picture moves by r bits to the left and r rows up: it begins as far to the right
 * and below as it will move. What the moves draw in at the ends of rows is never
 * reached by a pixel that counts. */

#include <string.h>

#include "level.h"

typedef struct Picture {
    uint64_t *words;
    size_t pitch;
    uint32_t n_rows;     /* of the copy ... */
    int64_t top;         /* ... and which row of the region the first one is */
    uint32_t left;       /* bit of the region's first column */
    uint32_t width, height; /* of the region */
} Picture;

COPIED uint64_t combine(const bool dilate, const uint64_t a, const uint64_t b)
{
    return dilate ? a | b : a & b;
}

COPIED void combine_words(const bool dilate, uint64_t *const restrict words,
                          const uint64_t *const restrict others, const size_t n)
{
    for (size_t i = 0; i < n; i++)
        words[i] = combine(dilate, words[i], others[i]);
}

/* Each bit with the one `shift`, 1 to 63, further on; there is a word after the last. */
COPIED void combine_bits(const bool dilate, uint64_t *const words, const size_t n,
                         const uint32_t shift)
{
    for (size_t i = 0; i < n; i++)
        words[i] = combine(dilate, words[i],
                           words[i] >> shift | words[i + 1] << (64 - shift));
}

/* Pixels outside the region are those that decide nothing. */
COPIED void clear_outside(const bool dilate, const Picture *const p)
{
    const uint64_t neutral = dilate ? 0 : UINT64_MAX;
    const uint32_t right = p->left + p->width; /* the row goes on beyond it */
    const uint64_t before = (UINT64_C(1) << p->left) - 1;
    const uint64_t after = UINT64_MAX << right % 64;
    for (uint32_t r = 0; r < p->n_rows; r++) {
        uint64_t *const row = p->words + r * p->pitch;
        const bool inside = p->top + r >= 0 && p->top + r < p->height;
        if (inside) {
            row[0] = (row[0] & ~before) | (neutral & before);
            row[right / 64] = (row[right / 64] & ~after) | (neutral & after);
        }
        for (size_t k = inside ? right / 64 + 1 : 0; k < p->pitch; k++)
            row[k] = neutral;
    }
}

COPIED void slide(const bool dilate, Picture *const p, const uint32_t radius)
{
    if (radius == 0)
        return;
    clear_outside(dilate, p);
    const uint32_t length = 2 * radius + 1;
    for (uint32_t done = 1; done < length;) {
        const uint32_t step = umin(done, length - done);
        combine_bits(dilate, p->words, p->n_rows * p->pitch, step);
        done += step;
    }
    for (uint32_t done = 1; done < length;) {
        const uint32_t step = umin(done, length - done);
        p->n_rows -= step;
        for (uint32_t r = 0; r < p->n_rows; r++)
            combine_words(dilate, p->words + r * p->pitch, p->words + (r + step) * p->pitch,
                          p->pitch);
        done += step;
    }
    p->left -= radius;
    p->top += radius;
}

/* Row y of the mask, `reach` bits to the right. */
static void copy_row(const Picture *const p, const uint32_t r, const uint64_t *const row,
                     const uint32_t reach)
{
    uint64_t *const to = p->words + r * p->pitch;
    const size_t n = cca_cpu_words(p->width);
    to[0] = row[0] << reach;
    for (size_t k = 1; k < n; k++)
        to[k] = row[k] << reach | row[k - 1] >> (64 - reach);
    if (n < p->pitch)
        to[n] = row[n - 1] >> (64 - reach);
}

void LEVEL(cca_cpu_open_and_close_)(const CpuForeground *const f, const CcaJob *const job,
                                    CpuBand *const band, uint64_t *const scratch)
{
    const uint32_t open = job->params.open_radius, close = job->params.close_radius;
    const uint32_t reach = cca_cpu_reach(job);
    Picture p = {
        .words = scratch,
        .pitch = cca_cpu_words(job->width + 2 * reach),
        .n_rows = band->n_rows + 2 * reach,
        .top = (int64_t) band->first_row - reach,
        .left = reach,
        .width = job->width,
        .height = job->height,
    };
    const size_t mask_pitch = cca_cpu_words(job->width);
    for (uint32_t r = 0; r < p.n_rows; r++)
        if (p.top + r >= 0 && p.top + r < p.height)
            copy_row(&p, r, f->mask + (size_t) (p.top + r) * mask_pitch, reach);

    /* to dilate twice within a rectangle is to dilate once by the sum */
    slide(false, &p, open);
    slide(true, &p, open + close);
    slide(false, &p, close);
    clear_outside(true, &p);
    band->bits = (CpuBits) { p.words, p.pitch };
}
