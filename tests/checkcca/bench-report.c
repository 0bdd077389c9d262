/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

static void machine(char *const text, const size_t size)
{
    char line[256];
    snprintf(text, size, "unknown processor");
    FILE *const f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof(line), f)) {
        const char *const colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || colon == NULL)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(text, size, "%.*s", (int) size - 1, colon + 2);
        break;
    }
    if (f)
        fclose(f);
}

static double gigapixels(const BenchRow *const row, const uint32_t i)
{
    return (double) row->series.width * row->series.height / bench_seconds(row, i) * 1e-9;
}

void bench_print_head(const BenchTable *const t, FILE *const to)
{
    char cpu[128];
    machine(cpu, sizeof(cpu));
    fprintf(to,
            "%s, %ld cores; OpenCV %s in one thread; least of %" PRIu32
            " repeats, mean over pictures\n\n| size | picture | connectivity |",
            cpu, sysconf(_SC_NPROCESSORS_ONLN), t->opencv ? opencv_version() : "not built in",
            t->n_repeats);
    for (uint32_t i = 0; i < t->n_contestants; i++) {
        fprintf(to, " %s ms | Gpix/s |", t->contestants[i].name);
        if (t->opencv && i > 0)
            fprintf(to, " x %s |", t->contestants[0].name);
    }
    fputs("\n|---|---|---|", to);
    for (uint32_t i = 0; i < t->n_contestants; i++)
        fprintf(to, "---|---|%s", t->opencv && i > 0 ? "---|" : "");
    fputc('\n', to);
    fflush(to);
}

void bench_print_row(const BenchTable *const t, const BenchRow *const row, FILE *const to)
{
    fprintf(to, "| %" PRIu32 "x%" PRIu32 " | %s | %" PRIu32 " |", row->series.width,
            row->series.height, row->series.name, row->connectivity);
    for (uint32_t i = 0; i < t->n_contestants; i++) {
        fprintf(to, " %.3f | %.2f |", bench_seconds(row, i) * 1e3, gigapixels(row, i));
        if (t->opencv && i > 0)
            fprintf(to, " %.2f |", bench_seconds(row, 0) / bench_seconds(row, i));
    }
    fputc('\n', to);
    fflush(to);
}

void bench_write_json(const BenchTable *const t, FILE *const to)
{
    char cpu[128];
    machine(cpu, sizeof(cpu));
    fprintf(to, "{\n  \"cpu\": \"%s\", \"cores\": %ld, \"opencv\": ", cpu,
            sysconf(_SC_NPROCESSORS_ONLN));
    fprintf(to, t->opencv ? "\"%s\"" : "null", opencv_version());
    fprintf(to, ", \"repeats\": %" PRIu32 ",\n  \"rows\": [\n", t->n_repeats);
    for (uint32_t r = 0; r < t->n_rows; r++) {
        const BenchRow *const row = &t->rows[r];
        fprintf(to,
                "    {\"width\": %" PRIu32 ", \"height\": %" PRIu32
                ", \"picture\": \"%s\", \"pictures\": %" PRIu32 ", \"connectivity\": %" PRIu32
                ", \"times\": [",
                row->series.width, row->series.height, row->series.name, row->series.n_pictures,
                row->connectivity);
        for (uint32_t i = 0; i < t->n_contestants; i++) {
            fprintf(to, "%s\n      {\"engine\": \"%s\", \"ms\": %.6f, \"gpix_s\": %.6f",
                    i ? "," : "", t->contestants[i].name, bench_seconds(row, i) * 1e3,
                    gigapixels(row, i));
            if (t->opencv)
                fprintf(to, ", \"times_opencv\": %.4f",
                        bench_seconds(row, 0) / bench_seconds(row, i));
            fputc('}', to);
        }
        fprintf(to, "]}%s\n", r + 1 < t->n_rows ? "," : "");
    }
    fputs("  ]\n}\n", to);
}
