/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* study-check [OPTION]...: runs the papers' algorithms on the first GPU and compares
 * them with cca-ref: features bit for bit, labels as partitions.
 *
 *   --set tiny|quick|full  how many images (tiny)
 *   --seed N               other random ones (1)
 *   --algorithm NAME       only this one
 *   --filter TEXT          only groups of images whose names contain TEXT
 *   --list                 the algorithms and the groups
 *
 * Prints each image that one gets wrong, as far as it is small, up to three of each. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"
#include "images.h"
#include "reference.h"
#include "transfer.h"

#define MAX_PRINTED 3

typedef struct Check {
    Set set;
    uint64_t seed;
    const StudyAlgorithm *only;
    const char *filter;

    const Gpu *gpu;
    CUstream stream;
    Study study;
    CUdeviceptr pixels;
    uint32_t width, height; /* that there is room for, here and there */
    Mask mask;
    Reference reference;
    uint32_t *labels, *numbers, *of;
    StudyComponent *components;
    Transfer transfer;
    uint32_t n_objects; /* of the last image */

    uint64_t n_images, n_comparisons, n_differences;
    uint32_t n_printed[64]; /* of each algorithm */
} Check;

static void fatal(const char *const what)
{
    fprintf(stderr, "study-check: %s\n", what);
    exit(1);
}

static void must(const Check *const k, const CUresult result, const char *const what)
{
    if (result == CUDA_SUCCESS)
        return;
    const char *name = NULL;
    k->gpu->cu->error_name(result, &name);
    fprintf(stderr, "study-check: %s: %s\n", what, name ? name : "unknown error");
    exit(1);
}

static void *must_alloc(void *const old, const size_t n, const size_t size)
{
    free(old);
    void *const p = malloc(n * size);
    if (p == NULL)
        fatal("memory ran out");
    return p;
}

/* --- one algorithm on one image -------------------------------------------------------- */

static void copy(const Check *const k, void *const to, const void *const from, const size_t size)
{
    CUdeviceptr p;
    memcpy(&p, &from, sizeof(p));
    must(k, k->gpu->copy_to_host_async(to, p, size, k->stream), "copy");
    must(k, k->gpu->stream_synchronize(k->stream), "kernels");
}

static int by_label(const void *const a, const void *const b)
{
    const uint32_t l = ((const StudyComponent *) a)->label;
    const uint32_t m = ((const StudyComponent *) b)->label;
    return (l > m) - (l < m);
}

static bool same_component(const StudyComponent *const s, const CcaComponent *const c)
{
    return s->area == c->area && s->min_x == c->x && s->min_y == c->y &&
           s->max_x == c->x + c->width - 1 && s->max_y == c->y + c->height - 1 &&
           s->sum_x == c->sum_x && s->sum_y == c->sum_y;
}

static StudyComponent component_of(const StudyNode *const f)
{
    return (
        StudyComponent) { f->label, f->S, f->min_x, f->min_y, f->max_x, f->max_y, f->Sx, f->Sy };
}

/* In any order. */
static uint32_t fetch_nodes(Check *const k)
{
    const StudyNode *const balanced = k->study.tables.balanced;
    must(k, transfer_begin(&k->transfer, k->gpu, balanced, k->n_objects, k->stream), "copy");
    must(k, k->gpu->stream_synchronize(k->stream), "kernels");
    must(k, transfer_end(&k->transfer, k->gpu, balanced, k->stream, &k->n_objects), "copy");
    for (uint32_t i = 0; i < k->n_objects; i++)
        k->components[i] = component_of(&k->transfer.nodes[i]);
    return k->n_objects;
}

static uint32_t fetch_components(Check *const k, const StudyAlgorithm *const a,
                                 const StudyImage *const image)
{
    const StudyTables *const t = &k->study.tables;
    uint32_t n;
    must(k, study_gather(&k->study, a, image, k->stream), "gather");
    copy(k, &n, t->n_components, sizeof(n));
    if (n > 0 && n <= k->reference.found.n_found)
        copy(k, k->components, t->components, n * sizeof(*k->components));
    return n;
}

/* The smallest label is that of the first pixel: their order is cca-ref's. */
static bool same_features(Check *const k, const StudyAlgorithm *const a,
                          const StudyImage *const image)
{
    const CcaResult *const expected = &k->reference.found;
    const uint32_t n = a->nodes ? fetch_nodes(k) : fetch_components(k, a, image);
    if (n != expected->n_found)
        return false;
    qsort(k->components, n, sizeof(*k->components), by_label);
    for (uint32_t i = 0; i < n; i++)
        if (!same_component(&k->components[i], &expected->components[i]))
            return false;
    return true;
}

/* Of those whose number does not depend on who comes first. */
static const struct Votes {
    const char *algorithm;
    Voters voters;
} votes[] = {
    { "naive", { 1, false } }, { "ha-32", { 32, false } }, { "ha", { 64, false } },
    { "ha-cd", { 64, true } }, { "flsl", { 0, false } },   { "flsl-cd", { 0, true } },
};

static bool same_votes(Check *const k, const StudyAlgorithm *const a)
{
    const size_t n = (size_t) k->width * k->height;
    for (size_t i = 0; i < sizeof(votes) / sizeof(*votes); i++) {
        uint64_t sum = 0;
        if (strcmp(votes[i].algorithm, a->name) != 0)
            continue;
        copy(k, k->numbers, k->study.tables.U, n * sizeof(*k->numbers));
        for (size_t l = 0; l < n; l++)
            sum += k->numbers[l];
        return sum == count_votes(&k->reference, &k->mask, &votes[i].voters);
    }
    return true;
}

static bool same_labels(Check *const k, const StudyAlgorithm *const a)
{
    const size_t n = (size_t) k->width * k->height;
    copy(k, k->labels, k->study.tables.L, n * sizeof(*k->labels));
    for (size_t i = 0; i < n && a->first_label > 0; i++)
        if (!k->mask.pixels[i] && k->labels[i] != 0)
            return false;
    return number_labels(&k->mask, k->labels, a->first_label, k->of, k->numbers) &&
           memcmp(k->numbers, k->reference.labels, n * sizeof(*k->numbers)) == 0;
}

static void print_mask(const Mask *const m)
{
    if (m->width > 90 || m->height > 40)
        return;
    for (uint32_t y = 0; y < m->height; y++) {
        printf("    ");
        for (uint32_t x = 0; x < m->width; x++)
            putchar(m->pixels[(size_t) y * m->width + x] ? '#' : '.');
        putchar('\n');
    }
}

static void compare(Check *const k, const StudyAlgorithm *const a, const StudyImage *const image,
                    const Group *const group, const uint64_t index)
{
    static const uint8_t spoils[] = { 0xa5, 0, 0xff, 1 };
    /* for each algorithm another one from image to image, however many algorithms there are */
    const uint64_t turn = k->n_images + (uint64_t) (a - study_algorithms);
    k->study.counts = turn / 4 % 2;
    must(k, study_spoil(&k->study, spoils[turn % 4], k->stream), "memset");
    must(k, study_run(&k->study, a, image, k->stream), a->name);
    const bool same = (a->kind == STUDY_CCA ? same_features(k, a, image) : same_labels(k, a)) &&
                      (!k->study.counts || same_votes(k, a));
    k->n_comparisons++;
    if (same)
        return;
    k->n_differences++;
    if (k->n_printed[a - study_algorithms]++ >= MAX_PRINTED)
        return;
    printf("%s, %u-connected: DIFFERENT for %s/%" PRIu64 ", %ux%u\n", a->name, image->connectivity,
           group->name, index, image->width, image->height);
    print_mask(&k->mask);
}

/* --- all images ------------------------------------------------------------------------ */

/* Tables as large as the image, and no larger. */
static void resize(Check *const k)
{
    const size_t n = (size_t) k->mask.width * k->mask.height;
    if (k->width == k->mask.width && k->height == k->mask.height)
        return;
    k->width = k->mask.width;
    k->height = k->mask.height;
    if (k->pixels != 0)
        k->gpu->cu->mem_free(k->pixels);
    must(k, k->gpu->cu->mem_alloc(&k->pixels, n), "image");
    must(k, study_configure(&k->study, k->width, k->height), "tables");
    transfer_close(&k->transfer, k->gpu);
    must(k, transfer_open(&k->transfer, k->gpu, (k->width / 2 + k->width % 2) * k->height), "host");
    k->labels = must_alloc(k->labels, n, sizeof(*k->labels));
    k->numbers = must_alloc(k->numbers, n, sizeof(*k->numbers));
    k->of = must_alloc(k->of, n, sizeof(*k->of));
    k->components = must_alloc(k->components, n, sizeof(*k->components));
}

static void check_image(Check *const k, const Group *const group, const uint64_t index)
{
    Rng r = rng_for(k->seed, group->name, index);
    if (!group->draw(&k->mask, k->set, index, &r))
        fatal("memory ran out");
    resize(k);
    k->n_images++;
    must(k,
         k->gpu->copy_to_device_async(k->pixels, k->mask.pixels, (size_t) k->width * k->height,
                                      k->stream),
         "image");
    for (uint32_t connectivity = 4; connectivity <= 8; connectivity += 4) {
        const StudyImage image = { k->pixels, k->width, k->height, connectivity };
        if (connectivity == 8 && k->only && !k->only->corners)
            continue;
        if (!reference_find(&k->reference, &k->mask, connectivity))
            fatal("there is no reference");
        for (uint32_t i = 0; i < n_study_algorithms; i++) {
            const StudyAlgorithm *const a = &study_algorithms[i];
            if ((!k->only || k->only == a) && (connectivity == 4 || a->corners))
                compare(k, a, &image, group, index);
        }
    }
}

static int list(void)
{
    printf("algorithms:\n");
    for (uint32_t i = 0; i < n_study_algorithms; i++) {
        const StudyAlgorithm *const a = &study_algorithms[i];
        printf("  %-12s %s, %s: %s\n", a->name, a->kind == STUDY_CCA ? "CCA" : "CCL",
               a->corners ? "4 and 8" : "4", a->paper);
    }
    printf("groups:\n");
    for (uint32_t i = 0; i < n_image_groups; i++)
        printf("  %-12s %s\n", image_groups[i].name, image_groups[i].about);
    return 0;
}

static bool parse(Check *const k, const char *const option, const char *const value)
{
    static const char *const sets[] = { "tiny", "quick", "full" };
    if (strcmp(option, "--seed") == 0)
        k->seed = strtoull(value, NULL, 10);
    else if (strcmp(option, "--filter") == 0)
        k->filter = value;
    else if (strcmp(option, "--algorithm") == 0)
        return (k->only = study_find(value)) != NULL;
    else if (strcmp(option, "--set") == 0) {
        for (uint32_t i = 0; i < 3; i++)
            if (strcmp(value, sets[i]) == 0) {
                k->set = (Set) i;
                return true;
            }
        return false;
    } else
        return false;
    return true;
}

static void open_all(Check *const k)
{
    if (!gpu_enter(k->gpu))
        fatal("the GPU context cannot be entered");
    must(k, k->gpu->stream_create(&k->stream, 0), "stream");
    must(k, study_open(&k->study, k->gpu->cu), "module");
}

static void close_all(Check *const k)
{
    study_close(&k->study);
    transfer_close(&k->transfer, k->gpu);
    if (k->pixels != 0)
        k->gpu->cu->mem_free(k->pixels);
    k->gpu->stream_destroy(k->stream);
    gpu_leave(k->gpu);
    reference_free(&k->reference);
    free(k->mask.pixels);
    free(k->labels);
    free(k->numbers);
    free(k->of);
    free(k->components);
}

int main(const int argc, char **const argv)
{
    const char *why;
    Check k = { .seed = 1, .filter = "" };
    if (argc == 2 && strcmp(argv[1], "--list") == 0)
        return list();
    for (int i = 1; i < argc; i += 2)
        if (i + 1 == argc || !parse(&k, argv[i], argv[i + 1])) {
            fprintf(stderr, "study-check: '%s' is not understood\n", argv[i]);
            return 2;
        }
    if ((k.gpu = gpu_open(&why)) == NULL) {
        printf("study-check: skipped: %s\n", why);
        return 77;
    }
    open_all(&k);
    for (uint32_t g = 0; g < n_image_groups; g++) {
        const Group *const group = &image_groups[g];
        const uint64_t before = k.n_images, n = group->count(k.set);
        if (strstr(group->name, k.filter) == NULL)
            continue;
        for (uint64_t i = 0; i < n; i++)
            check_image(&k, group, i);
        printf("%s: %" PRIu64 " images\n", group->name, k.n_images - before);
        fflush(stdout);
    }
    close_all(&k);
    printf("study-check: %" PRIu64 " images, %" PRIu64 " comparisons, %" PRIu64 " differences\n",
           k.n_images, k.n_comparisons, k.n_differences);
    return k.n_images == 0 || k.n_differences > 0;
}
