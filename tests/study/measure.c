/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* study-measure [OPTION VALUE]...: the papers' algorithms on random images of MT19937, a
 * word for each block of G x G pixels, which is foreground below the density.
 *
 *   --size N         pixels square (256)
 *   --blocks G       (1)
 *   --density D      percent (50); with --step S, from 0 to 100 by S
 *   --seed N         of MT19937 (42)
 *   --transfer 1     times with features on the host, too: TMK's by a predicted copy, the
 *                    others' by one of each whole table
 *   --repeats N      of which the shortest and the median are told (20)
 *   --algorithm NAME only this one
 *
 * Prints CSV: feature updates and conflicts as ICASSP 2021, section 4.1, has them (of CCA),
 * counted in a run of its own; milliseconds between two events around the launches. They
 * are left out on a simulated GPU. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"
#include "mersenne.h"
#include "transfer.h"

#define MAX_REPEATS 1000

typedef struct Measure {
    uint32_t size, blocks, density, step, seed, transfers, repeats;
    const StudyAlgorithm *only;

    const Gpu *gpu;
    bool simulated;
    CUstream stream;
    CUevent from, to;
    CUdeviceptr pixels;
    Study study;
    uint8_t *image;
    uint32_t *field, *updates;
    Transfer transfer; /* if any */
    uint32_t n_objects; /* of the last run */
    void *tables;      /* on the host, page-locked: one after the other */
} Measure;

static void must(const CUresult result, const char *const what)
{
    if (result == CUDA_SUCCESS)
        return;
    fprintf(stderr, "study-measure: %s: CUDA error %d\n", what, (int) result);
    exit(1);
}

static void *must_alloc(const size_t n, const size_t size)
{
    void *const p = malloc(n * size);
    if (p == NULL)
        must(CUDA_ERROR_OUT_OF_MEMORY, "host");
    return p;
}

/* --- images ------------------------------------------------------------------------------ */

static void make_field(Measure *const m)
{
    const size_t across = (m->size - 1) / m->blocks + 1;
    Mersenne mersenne;
    m->field = must_alloc(across * across, sizeof(*m->field));
    mersenne_seed(&mersenne, m->seed);
    for (size_t i = 0; i < across * across; i++)
        m->field[i] = mersenne_next(&mersenne);
}

static void draw(Measure *const m, const uint32_t density)
{
    const size_t n = m->size, across = (n - 1) / m->blocks + 1;
    const uint64_t below = ((UINT64_C(1) << 32) * density + 99) / 100;
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < n; x++)
            m->image[y * n + x] = m->field[y / m->blocks * across + x / m->blocks] < below;
    must(m->gpu->copy_to_device_async(m->pixels, m->image, n * n, m->stream), "image");
}

/* --- one algorithm ----------------------------------------------------------------------- */

static void count(Measure *const m, const StudyAlgorithm *const a,
                  const StudyImage *const image)
{
    const size_t n = (size_t) m->size * m->size;
    CUdeviceptr p;
    uint64_t sum = 0;
    double squares = 0;
    memcpy(&p, &m->study.tables.U, sizeof(p));
    m->study.counts = true;
    must(study_run(&m->study, a, image, m->stream), a->name);
    m->study.counts = false;
    must(m->gpu->copy_to_host_async(m->updates, p, n * sizeof(*m->updates), m->stream),
         "copy");
    must(m->gpu->stream_synchronize(m->stream), a->name);
    for (size_t l = 0; l < n; l++) {
        sum += m->updates[l];
        squares += (double) m->updates[l] * m->updates[l];
    }
    printf("%" PRIu64 ",%.1f", sum, sum ? squares / (double) sum : 0);
}

static int by_value(const void *const a, const void *const b)
{
    const float x = *(const float *) a, y = *(const float *) b;
    return (x > y) - (x < y);
}

/* The tables of features from one end to the other, as the size of an image has them. */
static void copy_tables(const Measure *const m, const StudyAlgorithm *const a)
{
    const StudyTables *const t = &m->study.tables;
    const void *const tables[] = { t->S, t->min_x, t->min_y, t->max_x, t->max_y, t->Sx, t->Sy };
    const size_t entries[] = { 4, 4, 4, 4, 4, 8, 8 };
    const size_t columns = a->gather.grid == STUDY_ROWS ? t->flsl.run_stride : m->size;
    uint8_t *to = m->tables;
    for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
        const size_t size = columns * m->size * entries[i];
        CUdeviceptr p;
        memcpy(&p, &tables[i], sizeof(p));
        must(m->gpu->copy_to_host_async(to, p, size, m->stream), "copy");
        to += size;
    }
}

static void run(Measure *const m, const StudyAlgorithm *const a, const StudyImage *const image,
                const bool transfers)
{
    must(study_run(&m->study, a, image, m->stream), a->name);
    if (transfers && a->nodes)
        must(transfer_begin(&m->transfer, m->gpu, m->study.tables.balanced, m->n_objects,
                            m->stream), "copy");
    else if (transfers)
        copy_tables(m, a);
}

static void take_time(Measure *const m, const StudyAlgorithm *const a,
                      const StudyImage *const image, const bool transfers)
{
    static float ms[MAX_REPEATS];
    const CcaCudaDriver *const cu = m->gpu->cu;
    for (uint32_t i = 0; i < m->repeats + 2; i++) { /* two of them to warm up */
        float *const t = &ms[i < 2 ? 0 : i - 2];
        must(cu->event_record(m->from, m->stream), "event");
        run(m, a, image, transfers);
        must(cu->event_record(m->to, m->stream), "event");
        must(cu->event_synchronize(m->to), a->name);
        must(m->gpu->event_elapsed(t, m->from, m->to), "event");
        if (transfers && a->nodes) /* of the same image all are expected, but for the first */
            must(transfer_end(&m->transfer, m->gpu, m->study.tables.balanced, m->stream,
                              &m->n_objects), "copy");
    }
    qsort(ms, m->repeats, sizeof(*ms), by_value);
    printf("%.4f,%.4f", ms[0], ms[m->repeats / 2]);
}

static void measure(Measure *const m, const uint32_t density)
{
    const StudyImage image = { m->pixels, m->size, m->size, 4 };
    draw(m, density);
    for (uint32_t i = 0; i < n_study_algorithms; i++) {
        const StudyAlgorithm *const a = &study_algorithms[i];
        if (m->only && m->only != a)
            continue;
        printf("%s,%u,%u,%u,%u,", a->name, m->size, m->blocks, density, m->seed);
        if (a->kind == STUDY_CCA && !a->nodes)
            count(m, a, &image);
        else
            putchar(',');
        putchar(',');
        if (m->simulated)
            putchar(',');
        else
            take_time(m, a, &image, false);
        putchar(',');
        if (m->simulated || !m->transfers || a->kind != STUDY_CCA)
            putchar(',');
        else
            take_time(m, a, &image, true);
        putchar('\n');
        fflush(stdout);
    }
}

/* --- all of it --------------------------------------------------------------------------- */

static bool parse(Measure *const m, const char *const option, const char *const value)
{
    const struct Number {
        const char *option;
        uint32_t *number, least, most;
    } numbers[] = {
        { "--size", &m->size, 1, 46340 }, { "--blocks", &m->blocks, 1, 46340 },
        { "--density", &m->density, 0, 100 }, { "--step", &m->step, 1, 100 },
        { "--seed", &m->seed, 0, UINT32_MAX }, { "--repeats", &m->repeats, 1, MAX_REPEATS },
        { "--transfer", &m->transfers, 0, 1 },
    };
    if (strcmp(option, "--algorithm") == 0)
        return (m->only = study_find(value)) != NULL;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
        char *end;
        const unsigned long long v = strtoull(value, &end, 10);
        if (strcmp(option, numbers[i].option) != 0)
            continue;
        *numbers[i].number = (uint32_t) v;
        return *value != '\0' && *end == '\0' && v >= numbers[i].least && v <= numbers[i].most;
    }
    return false;
}

static void open_all(Measure *const m)
{
    const size_t n = (size_t) m->size * m->size;
    const CcaCudaDriver *const cu = m->gpu->cu;
    m->simulated = strstr(m->gpu->name, "simulated") != NULL;
    must(gpu_enter(m->gpu) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT, "context");
    must(m->gpu->stream_create(&m->stream, 0), "stream");
    must(cu->event_create(&m->from, 0), "event");
    must(cu->event_create(&m->to, 0), "event");
    must(cu->mem_alloc(&m->pixels, n), "image");
    must(study_open(&m->study, cu), "module");
    must(study_configure(&m->study, m->size, m->size), "tables");
    if (m->transfers) {
        const uint32_t room = (m->size / 2 + m->size % 2) * m->size;
        must(transfer_open(&m->transfer, m->gpu, room), "host");
        must(cu->host_alloc(&m->tables, n * (5 * sizeof(uint32_t) + 2 * sizeof(uint64_t)), 0),
             "host");
    }
    m->image = must_alloc(n, 1);
    m->updates = must_alloc(n, sizeof(*m->updates));
    make_field(m);
}

static void close_all(Measure *const m)
{
    const CcaCudaDriver *const cu = m->gpu->cu;
    study_close(&m->study);
    transfer_close(&m->transfer, m->gpu);
    if (m->tables != NULL)
        cu->host_free(m->tables);
    cu->mem_free(m->pixels);
    cu->event_destroy(m->from);
    cu->event_destroy(m->to);
    m->gpu->stream_destroy(m->stream);
    gpu_leave(m->gpu);
    free(m->image);
    free(m->field);
    free(m->updates);
}

int main(const int argc, char **const argv)
{
    const char *why;
    Measure m = { .size = 256, .blocks = 1, .density = 50, .seed = 42, .repeats = 20 };
    for (int i = 1; i < argc; i += 2)
        if (i + 1 == argc || !parse(&m, argv[i], argv[i + 1])) {
            fprintf(stderr, "study-measure: '%s' is not understood\n", argv[i]);
            return 2;
        }
    if ((m.gpu = gpu_open(&why)) == NULL) {
        fprintf(stderr, "study-measure: skipped: %s\n", why);
        return 77;
    }
    open_all(&m);
    printf("algorithm,size,blocks,density,seed,updates,conflicts,shortest_ms,median_ms,"
           "host_shortest_ms,host_median_ms\n");
    for (uint32_t d = m.step ? 0 : m.density; d <= (m.step ? 100 : m.density);
         d += m.step ? m.step : 1)
        measure(&m, d);
    close_all(&m);
    return 0;
}
