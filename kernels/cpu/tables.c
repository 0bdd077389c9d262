/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Where the tables of the CPU engine lie, and into how many bands a frame is cut. */

#include <unistd.h>

#include "tables.h"

/* Bands are for balance: content is uneven, so each thread gets several; more
 * bands mean more seams. Searched: 1 to 8. */
#define BANDS_PER_THREAD 4
/* Fewer pixels are not worth waking a thread. Searched: 16 Ki to 256 Ki. */
#ifndef MIN_BAND_PIXELS
#define MIN_BAND_PIXELS (64 * 1024)
#endif

/* Stores that begin in one page and end in the next are slow; the least that pages have. */
#define PAGE 4096

uint32_t cca_cpu_band_rows(const uint32_t threads, const uint32_t width, const uint32_t height)
{
    if (threads == 1)
        return height;
    const uint32_t n = threads * BANDS_PER_THREAD;
    const uint32_t balanced = (height - 1) / n + 1;
    const uint32_t smallest = MIN_BAND_PIXELS / width + 1;
    const uint32_t rows = umax(balanced, smallest);
    return rows + (rows & 1);
}

static uint32_t max_bands(const uint32_t threads, const uint32_t height)
{
    const uint32_t n = threads == 1 ? 1 : threads * BANDS_PER_THREAD;
    return umin(height, n);
}

/* Edges are written 64 bytes at a time, four times a word, however few there are: where there
 * are few all these stores are near the first, which is far from a page's end. */
static void place_runs(CpuRuns *const runs, CcaArena *const arena, const uint64_t width)
{
    arena->used = (arena->used + PAGE - 1) / PAGE * PAGE;
    /* edges: two a run, one at the row's end, and junk for up to 16 more */
    runs->edges = cca_arena_place(arena, width + 17, sizeof(*runs->edges));
    runs->labels = cca_arena_place(arena, width / 2 + 2, sizeof(*runs->labels));
}

static CpuBand place_band(CcaArena *const arena, const uint32_t width)
{
    CpuBand band = { 0 };
    place_runs(&band.top, arena, width);
    for (int i = 0; i < 2; i++) {
        place_runs(&band.rows[i], arena, width);
        band.ranks[i] = cca_arena_place(arena, width / 64 + 2, sizeof(CpuRank));
        band.words[i] = cca_arena_place(arena, cca_cpu_words(width), sizeof(*band.words[i]));
    }
    return band;
}

uint64_t cca_cpu_lay_out(CpuTables *const t, const CcaConfig *const config,
                         const uint32_t threads, uint8_t *const base)
{
    *t = (CpuTables) { 0 };
    CcaArena arena = { .base = (uintptr_t) base };
    const uint64_t n_labels = cca_max_labels(config->width, config->height);
    const uint32_t n_bands = max_bands(threads, config->height);
    t->bands = cca_arena_place(&arena, n_bands, sizeof(*t->bands));
    t->results = cca_arena_place(&arena, (uint64_t) config->slots * config->max_components,
                                 sizeof(*t->results));
    cca_cpu_place_background(&t->foreground, &arena, config);
    t->labels.nodes = cca_arena_place(&arena, n_labels + n_bands + 1, sizeof(*t->labels.nodes));
    t->labels.features =
        cca_arena_place(&arena, n_labels + n_bands + 1, sizeof(*t->labels.features));
    t->scratch = (uint8_t *) t->labels.nodes;
    for (int i = 0; i < 2; i++)
        t->select.keys[i] =
            cca_arena_place(&arena, config->max_components, sizeof(*t->select.keys[i]));
    for (uint32_t b = 0; b < n_bands; b++) {
        const CpuBand band = place_band(&arena, config->width);
        if (base)
            t->bands[b] = band;
    }
    cca_cpu_place_masks(&t->foreground, &arena, config, n_bands, threads);
    t->run_labels = cca_arena_place(
        &arena, config->labels ? cca_cpu_max_runs(config->width) * config->height : 0,
        sizeof(*t->run_labels));
    const uint64_t page = (uint64_t) sysconf(_SC_PAGESIZE);
    return (arena.used + page - 1) / page * page;
}
