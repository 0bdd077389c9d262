/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "check.h"

#define MOST_REPORTS 5 /* for each group, unless --verbose */
#define MOST_ASCII 80  /* columns and rows of a mask that is shown */

void check_replay_line(const Check *const k, const uint64_t first, char *const text,
                       const size_t size)
{
    const Options *const o = k->options;
    char range[64] = "", part[64] = "";
    if (first != k->index)
        snprintf(range, sizeof(range), "%" PRIu64 "-", first);
    if (first != k->index && o->n_parts > 1)
        snprintf(part, sizeof(part), " --part %" PRIu32 "/%" PRIu32, o->part, o->n_parts);
    snprintf(text, size, "checkcca --set %s --seed %" PRIu64 "%s%s%s --case %s/%s%" PRIu64,
             set_name(o->set), o->seed, k->engine ? " --engine " : "",
             k->engine ? k->engine->name : "", part, k->group->name, range, k->index);
}

static void print_mask(const Mask *const m)
{
    if (m->width > MOST_ASCII || m->height > MOST_ASCII)
        return;
    for (uint32_t y = 0; y < m->height; y++) {
        printf("  ");
        for (uint32_t x = 0; x < m->width; x++)
            putchar(m->pixels[(size_t) y * m->width + x] ? '#' : '.');
        putchar('\n');
    }
}

void check_fail(Check *const k, const Case *const c, const char *const format, ...)
{
    k->n_differences++;
    if (k->n_reported >= MOST_REPORTS && !k->options->verbose)
        return;
    k->n_reported++;
    va_list args;
    char text[1024], line[256];
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    printf("FAIL %s/%" PRIu64 ", engine %s: %s\n", k->group->name, k->index,
           k->engine ? k->engine->name : "-", text);
    if (c != NULL) {
        char about[1024];
        case_describe(c, about, sizeof(about));
        fputs(about, stdout);
        print_mask(&k->mask);
    }
    if (k->needs_earlier)
        puts("  right in a fresh engine: it depends on the cases before it");
    check_replay_line(k, k->needs_earlier ? 0 : k->index, line, sizeof(line));
    printf("  replay: %s\n", line);
    if (k->n_reported == MOST_REPORTS && !k->options->verbose)
        printf("  further failures of %s are counted, not shown\n", k->group->name);
    fflush(stdout);
}

void check_skip(Check *const k, const char *const format, ...)
{
    va_list args;
    k->n_skipped++;
    printf("SKIP %s/%" PRIu64 ": ", k->group->name, k->index);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
}
