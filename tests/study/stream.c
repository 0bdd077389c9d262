/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* study-stream [OPTION VALUE]...: TMK's use case on the first GPU. Square frames come from
 * the host, one after the other; their objects, with ids that they keep from frame to frame,
 * go back to it.
 *
 *   --frames N       (1000)
 *   --size N         (256)
 *   --scene NAME     bubbles or noise (bubbles)
 *   --bubbles N      at most 256, some of which are not to be seen (32)
 *   --seed N         of the frames (1)
 *   --flight N       frames under way at a time (4)
 *   --rate N         frames a second that arrive (0: each as soon as there is room)
 *   --batch N        frames that are made before they are timed (1000)
 *   --check N        of so many batches one is compared with the reference (1; 0: none)
 *
 * Prints frames a second and latency, from when a frame arrives in page-locked memory until
 * its objects are on the host. Time in which frames are made or compared does not count. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bubbles.h"
#include "objects.h"
#include "transfer.h"

#define MAX_FLIGHT 64

/* A frame that is under way. */
typedef struct Slot {
    uint32_t frame; /* of the batch */
    double arrival;
    CUdeviceptr pixels;
    StudyNode *balanced; /* on the GPU */
    Transfer transfer;
    CUevent done;
} Slot;

typedef struct Stream {
    uint32_t frames, size, n_bubbles, seed, flight, rate, batch, check;
    Scene scene;

    const Gpu *gpu;
    CUstream stream, copies;
    Study study;
    Slot slots[MAX_FLIGHT];
    uint32_t n_begun, n_ended; /* of the batch */
    uint32_t expected;         /* objects */
    Bubbles bubbles;
    uint8_t *pixels; /* of the batch, page-locked */

    float *latencies; /* of all frames, in milliseconds */
    uint64_t n_done, n_objects, n_second_copies;
    double seconds;

    Objects objects; /* of a batch that is compared, and what is right */
} Stream;

static void must(const CUresult result, const char *const what)
{
    if (result == CUDA_SUCCESS)
        return;
    fprintf(stderr, "study-stream: %s: CUDA error %d\n", what, (int) result);
    exit(1);
}

static void *must_alloc(const size_t n, const size_t size)
{
    void *const p = calloc(n, size);
    if (p == NULL)
        must(CUDA_ERROR_OUT_OF_MEMORY, "host");
    return p;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}

/* --- what is timed ----------------------------------------------------------------------- */

static void begin_frame(Stream *const s, const double arrival)
{
    Slot *const slot = &s->slots[s->n_begun % s->flight];
    const size_t n = (size_t) s->size * s->size;
    const StudyImage image = { slot->pixels, s->size, s->size, 4 };
    slot->frame = s->n_begun++;
    slot->arrival = arrival;
    s->study.tables.balanced = slot->balanced;
    must(s->gpu->copy_to_device_async(slot->pixels, s->pixels + slot->frame * n, n, s->stream),
         "frame");
    must(study_run(&s->study, &study_stream, &image, s->stream), "kernels");
    must(transfer_begin(&slot->transfer, s->gpu, slot->balanced, s->expected, s->stream), "copy");
    must(s->gpu->cu->event_record(slot->done, s->stream), "event");
}

static void end_frame(Stream *const s, const bool keeps)
{
    Slot *const slot = &s->slots[s->n_ended++ % s->flight];
    uint32_t n;
    must(s->gpu->cu->event_synchronize(slot->done), "event");
    must(transfer_end(&slot->transfer, s->gpu, slot->balanced, s->copies, &n), "second copy");
    s->latencies[s->n_done++] = (float) ((now() - slot->arrival) * 1e3);
    s->expected = n;
    s->n_objects += n;
    s->n_second_copies += slot->transfer.second;
    if (keeps && !objects_keep(&s->objects, slot->frame, slot->transfer.nodes, n))
        must(CUDA_ERROR_OUT_OF_MEMORY, "host");
}

static void run_batch(Stream *const s, const uint32_t n, const bool keeps)
{
    const double begin = now();
    s->n_begun = s->n_ended = 0;
    while (s->n_ended < n) {
        const double due = s->rate ? begin + s->n_begun / (double) s->rate : now();
        const bool room = s->n_begun < n && s->n_begun - s->n_ended < s->flight;
        if (room && now() >= due)
            begin_frame(s, due);
        else if (s->n_ended < s->n_begun)
            end_frame(s, keeps);
    }
    s->seconds += now() - begin;
}

/* A batch may follow some that were not compared: from the GPU comes how they ended. */
static void catch_up(Stream *const s)
{
    Inheritance *const right = &s->objects.right;
    const StudyTables *const t = &s->study.tables;
    const size_t n = right->n_pixels;
    CUdeviceptr ids, next;
    memcpy(&ids, &t->labels, sizeof(ids));
    memcpy(&next, &t->inheritance.next_id, sizeof(next));
    must(s->gpu->copy_to_host_async(right->last, ids, n * sizeof(*t->labels), s->stream), "ids");
    must(s->gpu->copy_to_host_async(&right->next_id, next, sizeof(right->next_id), s->stream),
         "ids");
    must(s->gpu->stream_synchronize(s->stream), "ids");
}

/* --- all of it --------------------------------------------------------------------------- */

static void run(Stream *const s)
{
    const size_t n_pixels = (size_t) s->size * s->size;
    for (uint32_t b = 0; s->n_done < s->frames; b++) {
        const uint32_t left = s->frames - (uint32_t) s->n_done;
        const uint32_t n = left < s->batch ? left : s->batch;
        const bool compares = s->check > 0 && b % s->check == 0;
        for (uint32_t i = 0; i < n; i++)
            bubbles_draw(&s->bubbles, s->pixels + i * n_pixels);
        if (compares)
            catch_up(s);
        run_batch(s, n, compares);
        if (compares && !objects_compare(&s->objects, s->pixels, n))
            must(CUDA_ERROR_OUT_OF_MEMORY, "host");
    }
}

static int by_value(const void *const a, const void *const b)
{
    const float x = *(const float *) a, y = *(const float *) b;
    return (x > y) - (x < y);
}

static void report(const Stream *const s)
{
    const uint64_t n = s->n_done;
    printf("%" PRIu64 " frames of %ux%u, %.1f objects each, %" PRIu64 " second copies\n", n,
           s->size, s->size, (double) s->n_objects / (double) n, s->n_second_copies);
    if (strstr(s->gpu->name, "simulated") == NULL) {
        qsort(s->latencies, n, sizeof(*s->latencies), by_value);
        printf("%s: %.0f frames/s; latency %.3f ms in the middle, %.3f at 99 %%, %.3f at "
               "most\n",
               s->gpu->name, (double) n / s->seconds, s->latencies[n / 2],
               s->latencies[n * 99 / 100], s->latencies[n - 1]);
    }
    printf("study-stream: %" PRIu64 " frames compared, %" PRIu64 " differences\n",
           s->objects.n_compared, s->objects.n_differences);
}

static void open_all(Stream *const s)
{
    const size_t n = (size_t) s->size * s->size;
    const uint32_t room = (s->size / 2 + s->size % 2) * s->size;
    const CcaCudaDriver *const cu = s->gpu->cu;
    must(gpu_enter(s->gpu) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT, "context");
    must(s->gpu->stream_create(&s->stream, 0), "stream");
    must(s->gpu->stream_create(&s->copies, 0), "stream");
    must(study_open(&s->study, cu), "module");
    must(study_configure_stream(&s->study, s->size, s->size, s->stream), "tables");
    for (uint32_t i = 0; i < s->flight; i++) {
        Slot *const slot = &s->slots[i];
        CUdeviceptr balanced;
        must(cu->mem_alloc(&slot->pixels, n), "frame");
        must(cu->mem_alloc(&balanced, room * sizeof(*slot->balanced)), "nodes");
        memcpy(&slot->balanced, &balanced, sizeof(balanced));
        must(transfer_open(&slot->transfer, s->gpu, room), "host");
        must(cu->event_create(&slot->done, CU_EVENT_DISABLE_TIMING), "event");
    }
    must(cu->host_alloc((void **) &s->pixels, s->batch * n, 0), "frames");
    s->latencies = must_alloc(s->frames, sizeof(*s->latencies));
    if (!objects_open(&s->objects, s->size, s->batch) ||
        !bubbles_open(&s->bubbles, s->scene, s->size, s->n_bubbles, s->seed))
        must(CUDA_ERROR_OUT_OF_MEMORY, "host");
}

static void close_all(Stream *const s)
{
    const CcaCudaDriver *const cu = s->gpu->cu;
    study_close(&s->study);
    for (uint32_t i = 0; i < s->flight; i++) {
        Slot *const slot = &s->slots[i];
        CUdeviceptr balanced;
        memcpy(&balanced, &slot->balanced, sizeof(balanced));
        cu->mem_free(slot->pixels);
        cu->mem_free(balanced);
        transfer_close(&slot->transfer, s->gpu);
        cu->event_destroy(slot->done);
    }
    cu->host_free(s->pixels);
    s->gpu->stream_destroy(s->stream);
    s->gpu->stream_destroy(s->copies);
    gpu_leave(s->gpu);
    objects_close(&s->objects);
    bubbles_close(&s->bubbles);
    free(s->latencies);
}

static bool parse(Stream *const s, const char *const option, const char *const value)
{
    const struct Number {
        const char *option;
        uint32_t *number, least, most;
    } numbers[] = {
        { "--frames", &s->frames, 1, 100000000 },       { "--size", &s->size, 1, 16384 },
        { "--bubbles", &s->n_bubbles, 0, MAX_BUBBLES }, { "--seed", &s->seed, 0, UINT32_MAX },
        { "--flight", &s->flight, 1, MAX_FLIGHT },      { "--rate", &s->rate, 0, 10000000 },
        { "--batch", &s->batch, 1, 1000000 },           { "--check", &s->check, 0, UINT32_MAX },
    };
    if (strcmp(option, "--scene") == 0) {
        s->scene = strcmp(value, "noise") == 0 ? SCENE_NOISE : SCENE_BUBBLES;
        return s->scene == SCENE_NOISE || strcmp(value, "bubbles") == 0;
    }
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

int main(const int argc, char **const argv)
{
    const char *why;
    static Stream s = {
        .frames = 1000,
        .size = 256,
        .n_bubbles = 32,
        .seed = 1,
        .flight = 4,
        .batch = 1000,
        .check = 1,
    };
    for (int i = 1; i < argc; i += 2)
        if (i + 1 == argc || !parse(&s, argv[i], argv[i + 1])) {
            fprintf(stderr, "study-stream: '%s' is not understood\n", argv[i]);
            return 2;
        }
    if ((s.gpu = gpu_open(&why)) == NULL) {
        printf("study-stream: skipped: %s\n", why);
        return 77;
    }
    open_all(&s);
    run(&s);
    report(&s);
    close_all(&s);
    return s.objects.n_differences > 0 || (s.check > 0 && s.objects.n_compared == 0);
}
