/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "opencv-peer.h"
#include "run.h"

static int list(const Options *const o)
{
    printf("groups (cases in set %s):\n", set_name(o->set));
    for (uint32_t i = 0; i < n_groups; i++)
        printf("  %-18s %8" PRIu64 "  %s\n", groups[i]->name, groups[i]->count(o->set),
               groups[i]->about);
    puts("engines:");
    engines_list();
    return 0;
}

static void write_json(FILE *const f, const Check *const k, const GroupFigures *const figures,
                       const uint32_t n)
{
    fprintf(f,
            "{\n  \"set\": \"%s\", \"seed\": %" PRIu64 ", \"cases\": %" PRIu64
            ", \"comparisons\": %" PRIu64 ",\n  \"differences\": %" PRIu64 ", \"skipped\": %" PRIu64
            ", \"seconds\": %.3f,\n  \"engines\": [",
            set_name(k->options->set), k->options->seed, k->n_cases, k->n_comparisons,
            k->n_differences, k->n_skipped, k->seconds);
    for (uint32_t i = 0; i < k->engines.n; i++)
        fprintf(f, "%s\"%s\"", i ? ", " : "", k->engines.list[i].name);
    fputs("],\n  \"groups\": [\n", f);
    for (uint32_t i = 0; i < n; i++)
        fprintf(f,
                "    {\"name\": \"%s\", \"cases\": %" PRIu64 ", \"differences\": %" PRIu64
                ", \"seconds\": %.3f}%s\n",
                figures[i].name, figures[i].n_cases, figures[i].n_differences, figures[i].seconds,
                i + 1 < n ? "," : "");
    fputs("  ]\n}\n", f);
}

static int check(const Options *const o)
{
    Check k = { .options = o };
    if (!engines_init(&k.engines, o)) {
        fprintf(stderr, "checkcca: there is no engine '%s'; see --list\n",
                o->engine ? o->engine : "");
        engines_free(&k.engines);
        return 2;
    }
    run_catch_signals(&k);
    GroupFigures *const figures = calloc(n_groups, sizeof(*figures));
    const uint32_t n = figures ? run_groups(&k, figures) : 0;
    if (n == 0)
        fprintf(stderr, "checkcca: no group of that name; see --list\n");

    FILE *const json = o->json_file ? fopen(o->json_file, "w") : stdout;
    const bool written = json != NULL;
    if (!written)
        perror(o->json_file);
    if (o->json && written)
        write_json(json, &k, figures, n);
    if (written && json != stdout)
        fclose(json);
    fprintf(stderr,
            "checkcca: set %s, seed %" PRIu64 ", %u engines, %" PRIu64 " comparisons, %" PRIu64
            " skipped, %.1f s\n",
            set_name(o->set), o->seed, k.engines.n, k.n_comparisons, k.n_skipped, k.seconds);
    printf("checkcca: %" PRIu64 " cases, %" PRIu64 " differences\n", k.n_cases, k.n_differences);

    free(figures);
    engines_free(&k.engines);
    oracle_free(&k.oracle);
    opencv_close(k.opencv);
    picture_free(&k.picture);
    labels_free(&k.labels);
    free(k.mask.pixels);
    if (n == 0 || k.n_cases == 0 || !written)
        return 2;
    return k.n_differences != 0;
}

/* Asking for too much memory is one of the cases, not a report. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

int main(const int argc, char **const argv)
{
    Options options;
    const int status = options_parse(&options, argc, argv);
    if (status >= 0)
        return status;
    if (options.list)
        return list(&options);
    return options.bench ? bench(&options) : check(&options);
}
