/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "images.h"

#include <stdlib.h>
#include <string.h>

#include "patterns.h"

/* --- adversaries ---------------------------------------------------------- */

typedef struct Adversary {
    Pattern pattern;
    uint32_t a, b;
} Adversary;

/* Seams of the weaves are edges of tiles, and bands of rows. */
static const Adversary adversaries[] = {
    { PATTERN_CHECKER, 0, 0 },
    { PATTERN_GRID, 1, 1 },
    { PATTERN_THIRDS, 0, 0 },
    { PATTERN_COLUMNS, 1, 0 },
    { PATTERN_ROWS, 1, 0 },
    { PATTERN_RINGS, 0, 0 },
    { PATTERN_SPIRAL, 0, 0 },
    { PATTERN_DOUBLE_SPIRAL, 0, 0 },
    { PATTERN_SNAKE_ROWS, 0, 0 },
    { PATTERN_SNAKE_COLUMNS, 0, 0 },
    { PATTERN_COMB, 0, 0 },
    { PATTERN_COMB, 2, 0 },
    { PATTERN_HILBERT, 0, 0 },
    { PATTERN_WEAVE_ROWS, 4096, 3 },
    { PATTERN_WEAVE_COLUMNS, 4096, 3 },
    { PATTERN_DIAGONALS, 1, 0 },
    { PATTERN_DIAGONALS, 2, 0 },
};
#define N_PATTERNS_USED (sizeof(adversaries) / sizeof(*adversaries))
#define STAIRCASES "staircases"

/* The pattern's name, and its first parameter if it is not the only one. */
const char *const *content_adversaries(void)
{
    static char texts[N_PATTERNS_USED][32];
    static const char *names[N_PATTERNS_USED + 2];
    for (size_t i = 0; i < N_PATTERNS_USED && names[i] == NULL; i++) {
        const Adversary *const a = &adversaries[i];
        if (a->pattern == PATTERN_COMB || a->pattern == PATTERN_DIAGONALS)
            snprintf(texts[i], sizeof(texts[i]), "%s%u", pattern_name(a->pattern), a->a);
        else
            snprintf(texts[i], sizeof(texts[i]), "%s", pattern_name(a->pattern));
        names[i] = texts[i];
    }
    names[N_PATTERNS_USED] = STAIRCASES;
    return names;
}

/* Steps one pixel wide and high, two pixels thick: each run touches one above by a
 * single pixel. */
static void draw_staircases(Images *const m)
{
    for (uint32_t y = 0; y < m->height; y++) {
        uint8_t *const row = m->pixels + (size_t) y * m->width;
        for (uint32_t x = 0; x < m->width; x++)
            row[x] = (x + y) % 4 < 2 ? 255 : 0;
    }
}

static bool draw_adversary(Images *const m, const char *const name)
{
    if (strcmp(name, STAIRCASES) == 0) {
        draw_staircases(m);
        return true;
    }
    const char *const *const names = content_adversaries();
    size_t i = 0;
    while (strcmp(names[i], name) != 0)
        i++;
    const size_t size = (size_t) m->width * m->height;
    const Adversary *const a = &adversaries[i];
    Mask mask = { .pixels = m->pixels, .room = size };
    if (!pattern_draw(&mask, a->pattern, m->width, m->height, a->a, a->b, 1))
        return false;
    for (size_t p = 0; p < size; p++)
        m->pixels[p] = m->pixels[p] ? 255 : 0;
    return true;
}

/* --- blocks --------------------------------------------------------------- */

static bool make_noise(Images *const m, const uint32_t g)
{
    const uint32_t across = (m->width - 1) / g + 1, down = (m->height - 1) / g + 1;
    const size_t n = (size_t) across * down;
    if (m->g == g)
        return true;
    free(m->noise);
    m->g = 0;
    if ((m->noise = malloc(n)) == NULL)
        return false;
    Rng rng = rng_for(42, "bench", g);
    for (size_t i = 0; i < n; i++)
        m->noise[i] = (uint8_t) rng_below(&rng, 100);
    m->g = g;
    return true;
}

static void draw_blocks(Images *const m, const uint8_t density)
{
    const uint32_t g = m->g, across = (m->width - 1) / g + 1;
    for (uint32_t y = 0; y < m->height; y++) {
        uint8_t *const row = m->pixels + (size_t) y * m->width;
        const uint8_t *const noise = m->noise + (size_t) (y / g) * across;
        if (y % g != 0) {
            memcpy(row, row - m->width, m->width);
            continue;
        }
        if (g == 1)
            for (uint32_t x = 0; x < m->width; x++)
                row[x] = noise[x] < density ? 255 : 0;
        for (uint32_t x = 0; g > 1 && x < m->width; x += g) {
            const uint32_t n = g < m->width - x ? g : m->width - x;
            memset(row + x, noise[x / g] < density ? 255 : 0, n);
        }
    }
}

/* --- contents ------------------------------------------------------------- */

bool content_parse(Content *const c, const Point *const p, const uint32_t i)
{
    if (i >= p->n_words)
        return false;
    const char *const word = p->words[i];
    const bool last = i + 1 == p->n_words;
    *c = (Content) { .g = 16, .step = 5 };
    if (last && strcmp(word, "empty") == 0)
        return true;
    c->last = 100;
    if (point_number(word, "g", "", &c->g) && c->g > 0) {
        if (last)
            return true;
        c->last = 0;
        const bool known = point_number(p->words[i + 1], "", "", &c->first);
        c->last = c->first;
        return known && c->first <= 100 && i + 2 == p->n_words;
    }
    c->first = 100;
    if (last && strcmp(word, "full") == 0)
        return true;
    for (const char *const *name = content_adversaries(); last && *name != NULL; name++)
        if (strcmp(*name, word) == 0) {
            c->name = *name;
            return true;
        }
    return false;
}

uint32_t content_images(const Content *const c)
{
    return (c->last - c->first) / c->step + 1;
}

bool images_draw(Images *const m, const Content *const c, const uint32_t width,
                 const uint32_t height, const uint32_t i)
{
    if (width != m->width || height != m->height) {
        images_free(m);
        if ((m->pixels = malloc((size_t) width * height)) == NULL)
            return false;
        m->width = width;
        m->height = height;
    }
    if (c->name != NULL)
        return draw_adversary(m, c->name);
    if (!make_noise(m, c->g))
        return false;
    draw_blocks(m, (uint8_t) (c->first + i * c->step));
    return true;
}

void images_free(Images *const m)
{
    free(m->noise);
    free(m->pixels);
    *m = (Images) { 0 };
}
