/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#define _GNU_SOURCE /* program_invocation_short_name */

#include "timing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool timing_check(Timing *const t, const CUresult result, const char *const what)
{
    if (result == CUDA_SUCCESS)
        return true;
    fprintf(stderr, "%s: %s: CUDA error %d\n", program_invocation_short_name, what, (int) result);
    t->failed = true;
    return false;
}

bool timing_check_engine(Timing *const t, const CcaStatus status)
{
    if (status == CCA_OK)
        return true;
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, cca_engine_error(t->engine));
    t->failed = true;
    return false;
}

/* --- frames ---------------------------------------------------------------- */

/* A call that waits for the GPU must not hang. */
#define HELD_AT_MOST_NS 20000000

static void CUDA_CB be_held(void *const held)
{
    const uint64_t until = cca_cuda_now() + HELD_AT_MOST_NS;
    while (atomic_load((atomic_bool *) held) && cca_cuda_now() < until)
        ;
}

bool timing_hold(Timing *const t)
{
    atomic_store(&t->held, true);
    return timing_check(t, t->gpu->launch_host_func(t->stream, be_held, &t->held), "holding");
}

void timing_let_go(Timing *const t)
{
    atomic_store(&t->held, false);
}

bool timing_analyse(Timing *const t, const uint32_t copy, const CcaParams *const params,
                    CcaResult *const result)
{
    const CcaFrame frame = timing_frame(t, copy);
    return timing_check_engine(t, cca_engine_analyse(t->engine, 0, &frame, params)) &&
           timing_check_engine(t, cca_engine_collect(t->engine, 0, result));
}

/* The engine spins for the result in host memory up to its limit, and then blocks as for a
 * slow frame. */
bool timing_analyse_to_host(Timing *const t, const uint32_t copy, const CcaParams *const params,
                            double *const us)
{
    const CcaCudaDriver *const cu = t->gpu->cu;
    const CcaFrame frame = timing_frame(t, copy);
    CudaEngine *const e = (CudaEngine *) t->engine;
    float milliseconds = 0;
    CcaResult result;
    e->wait.blocks = false;
    const bool asked = timing_hold(t) &&
                       timing_check(t, cu->event_record(t->from, t->stream), "event") &&
                       timing_check_engine(t, cca_engine_analyse(t->engine, 0, &frame, params)) &&
                       timing_check(t, cu->event_record(t->to, t->stream), "event");
    timing_let_go(t);
    const bool begun = asked && timing_check(t, cu->event_synchronize(t->to), "analysis");
    e->wait.spin_limit = 0;
    const bool done = begun && timing_check_engine(t, cca_engine_collect(t->engine, 0, &result)) &&
                      timing_check(t, t->gpu->event_elapsed(&milliseconds, t->from, t->to),
                                   "event");
    *us = milliseconds * 1e3;
    return done;
}

bool timing_analyse_on_device(Timing *const t, const uint32_t copy, const CcaParams *const params,
                              double *const us)
{
    CudaSlot *const slot = &((CudaEngine *) t->engine)->slots[0];
    CudaMailbox *const mailbox = slot->compact.mailbox;
    CcaFeatures *const features = slot->measure.records;
    slot->compact.mailbox = (CudaMailbox *) (uintptr_t) t->records;
    slot->measure.records = (CcaFeatures *) (uintptr_t) t->features;
    const bool done = timing_analyse_to_host(t, copy, params, us);
    slot->compact.mailbox = mailbox;
    slot->measure.records = features;
    return done;
}

/* --- images --------------------------------------------------------------- */

CcaFrame timing_frame(const Timing *const t, const uint32_t copy)
{
    return (CcaFrame) {
        .data = (const void *) (uintptr_t) t->copies[copy % TIMING_COPIES],
        .width = t->config.width,
        .height = t->config.height,
        .stride = (size_t) t->config.width * t->config.sample_size,
        .stream = t->stream,
    };
}

static void free_copies(Timing *const t)
{
    for (int i = 0; i < TIMING_COPIES; i++) {
        if (t->copies[i] != 0)
            t->gpu->cu->mem_free(t->copies[i]);
        t->copies[i] = 0;
    }
}

static bool make_copies(Timing *const t, const size_t size)
{
    if (t->copies_size == size)
        return true;
    free_copies(t);
    t->copies_size = 0;
    for (int i = 0; i < TIMING_COPIES; i++)
        if (!timing_check(t, t->gpu->cu->mem_alloc(&t->copies[i], size), "memory for images"))
            return false;
    t->copies_size = size;
    return true;
}

/* The values of 8 bits in 16. */
static bool upload_deep(Timing *const t, const size_t n)
{
    uint16_t *const values = malloc(2 * n);
    if (values == NULL)
        return timing_check(t, CUDA_ERROR_OUT_OF_MEMORY, "image");
    for (size_t i = 0; i < n; i++)
        values[i] = (uint16_t) (t->images.pixels[i] * 257);
    const bool done =
        timing_check(t, t->gpu->copy_to_device_async(t->copies[0], values, 2 * n, t->stream),
                     "copy") &&
        timing_check(t, t->gpu->stream_synchronize(t->stream), "copy");
    free(values);
    return done;
}

bool timing_draw(Timing *const t, const Content *const content, const uint32_t i)
{
    const size_t n = (size_t) t->config.width * t->config.height;
    const size_t size = n * t->config.sample_size;
    if (!images_draw(&t->images, content, t->config.width, t->config.height, i))
        return timing_check(t, CUDA_ERROR_OUT_OF_MEMORY, "image");
    if (!make_copies(t, size))
        return false;
    if (t->config.sample_size == 2 && !upload_deep(t, n))
        return false;
    if (t->config.sample_size == 1 &&
        !timing_check(t,
                      t->gpu->copy_to_device_async(t->copies[0], t->images.pixels, size, t->stream),
                      "copy"))
        return false;
    for (int c = 1; c < TIMING_COPIES; c++)
        if (!timing_check(t,
                          t->gpu->copy_on_device_async(t->copies[c], t->copies[0], size, t->stream),
                          "copy"))
            return false;
    return timing_check(t, t->gpu->stream_synchronize(t->stream), "copy");
}

/* --- life ----------------------------------------------------------------- */

/* Bytes that a copy on the GPU reads and writes in a microsecond. */
static bool measure_bandwidth(Timing *const t)
{
    const size_t size = (size_t) 1 << (t->simulated ? 16 : 29);
    CUdeviceptr memory;
    double best = 1e30;
    if (!timing_check(t, t->gpu->cu->mem_alloc(&memory, 2 * size), "memory"))
        return false;
    for (int r = 0; r < 5; r++) {
        float milliseconds = 0;
        if (!timing_check(t, t->gpu->cu->event_record(t->from, t->stream), "event") ||
            !timing_check(t, t->gpu->copy_on_device_async(memory, memory + size, size, t->stream),
                          "copy") ||
            !timing_check(t, t->gpu->cu->event_record(t->to, t->stream), "event") ||
            !timing_check(t, t->gpu->cu->event_synchronize(t->to), "copy") ||
            !timing_check(t, t->gpu->event_elapsed(&milliseconds, t->from, t->to), "event"))
            break;
        best = milliseconds < best ? milliseconds : best;
    }
    t->gpu->cu->mem_free(memory);
    t->bytes_us = 2.0 * (double) size / (best * 1e3);
    return !t->failed;
}

bool timing_open(Timing *const t, const char **const why)
{
    *t = (Timing) { .gpu = gpu_open(why) };
    if (t->gpu == NULL)
        return false;
    t->simulated = strcmp(t->gpu->name, "simulated GPU") == 0;
    if (!gpu_enter(t->gpu)) {
        *why = "the GPU context cannot be entered";
        return false;
    }
    *why = "the GPU cannot be timed";
    return timing_check(t, t->gpu->stream_create(&t->stream, CU_STREAM_NON_BLOCKING), "stream") &&
           timing_check(t, t->gpu->cu->event_create(&t->from, 0), "event") &&
           timing_check(t, t->gpu->cu->event_create(&t->to, 0), "event") && measure_bandwidth(t);
}

static void free_records(Timing *const t)
{
    if (t->records != 0)
        t->gpu->cu->mem_free(t->records);
    if (t->features != 0)
        t->gpu->cu->mem_free(t->features);
    t->records = t->features = 0;
}

static bool make_records(Timing *const t)
{
    free_records(t);
    const size_t n = t->engine->config.max_components;
    return timing_check(t,
                        t->gpu->cu->mem_alloc(&t->records,
                                              sizeof(CudaMailbox) + n * sizeof(CcaComponent)),
                        "memory for records") &&
           (t->config.features == CCA_FEATURES_NONE ||
            timing_check(t, t->gpu->cu->mem_alloc(&t->features, n * sizeof(CcaFeatures)),
                         "memory for features"));
}

bool timing_configure(Timing *const t, const CcaCudaAlgorithm algorithm,
                      const CcaConfig *const config)
{
    if (t->engine != NULL && t->algorithm != algorithm)
        cca_engine_free(&t->engine);
    if (t->engine == NULL) {
        const CcaCudaOptions options = { .context = t->gpu->context, .algorithm = algorithm };
        const char *why;
        if (cca_cuda_open(&t->engine, &options, &why) != CCA_OK) {
            fprintf(stderr, "%s: %s\n", program_invocation_short_name, why);
            t->failed = true;
            return false;
        }
        t->algorithm = algorithm;
        t->config.width = 0;
    }
    if (memcmp(&t->config, config, sizeof(*config)) == 0)
        return true;
    t->config = *config;
    return timing_check_engine(t, cca_engine_configure(t->engine, config)) && make_records(t);
}

void timing_close(Timing *const t)
{
    cca_engine_free(&t->engine);
    if (t->gpu == NULL)
        return;
    free_records(t);
    free_copies(t);
    images_free(&t->images);
    t->gpu->cu->event_destroy(t->from);
    t->gpu->cu->event_destroy(t->to);
    t->gpu->stream_destroy(t->stream);
    gpu_leave(t->gpu);
}
