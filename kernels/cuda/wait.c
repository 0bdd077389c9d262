/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Waiting for a frame: first awake, looking at what the GPU writes when it is done,
 * since to be woken takes as long as many frames do; then asleep, for an event. The
 * event is recorded only when somebody is about to sleep, or probably will: behind
 * each frame it would cost all threads of the process the driver's lock. */

#include <sched.h>
#include <time.h>

#include "engine.h"

/* Frames that follow each other as closely as that, in nanoseconds ... */
#define CLOSE 1000000
/* ... are waited for awake for so long, and others for so long. */
#define LONG_PATIENCE 250000
#define SHORT_PATIENCE 40000
/* What a sleeper takes longer to notice. */
#define WAKE_UP 30000
/* With so many frames of other engines in flight part of the wait is slept through, */
#define SEVERAL 3
/* if it is that much, in nanoseconds, */
#define LEAST_NAP 1000
/* but for the last of it, and for what the driver takes with some threads in it. */
#define SHORT_REST 4000
#define LONG_QUEUE 10000
/* From frame to frame that becomes longer or shorter by so large a part; the latter is an
 * average over so many frames, whatever one of them took longer than that. */
#define NAP_STEP 8
#define QUEUE_STEP 8
#define MOST_QUEUE 40000
/* Looks between two at the clock, */
#define LOOKS 32
/* and waiting awake for longer than that lets others have the core now and then. */
#define SELFISH 20000

uint64_t cca_cuda_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
}

static void pause_a_little(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static bool is_done(const CudaSlot *const slot)
{
    const uint64_t done = __atomic_load_n(&slot->delivery->done, __ATOMIC_ACQUIRE);
    return slot->reports && done >> 48 == (slot->n_begun & UINT16_MAX);
}

/* Whether it is done before the time is up. */
static bool look_until(const CudaSlot *const slot, const CudaPatience *const p)
{
    for (uint64_t waited = 0; waited < p->limit; waited = cca_cuda_now() - p->since) {
        for (int i = 0; i < LOOKS; i++) {
            if (is_done(slot))
                return true;
            pause_a_little();
        }
        if (waited > SELFISH)
            sched_yield();
    }
    return false;
}

static uint64_t more_than(const uint64_t time, const uint64_t enough)
{
    return time > enough ? time - enough : 0;
}

/* Where several engines have frames in flight, most of the time goes by while the GPU has
 * frames of others, or the driver has other threads: that part is slept through. How long it
 * is, is found out by and by: what is waited for awake, after a nap and when the next frame
 * is begun, makes the next nap longer; a frame that was done by then makes it shorter. */
static bool nap_and_look(const CudaSlot *const slot, CudaPatience *const p)
{
    uint64_t more = more_than(p->queue, LONG_QUEUE);
    if (p->nap >= LEAST_NAP)
        cca_cuda_nap(p->nap);
    bool done = is_done(slot);
    if (!done) {
        const uint64_t woken = cca_cuda_now();
        done = look_until(slot, p);
        more += more_than(cca_cuda_now() - woken, SHORT_REST);
    } else if (more == 0) {
        p->nap -= p->nap / NAP_STEP;
    }
    p->nap += more / NAP_STEP;
    return done;
}

CUresult cca_cuda_record(const CudaEngine *const e, CudaSlot *const slot)
{
    if (slot->recorded)
        return CUDA_SUCCESS;
    const CUresult result = e->cu->event_record(slot->done, slot->stream);
    slot->recorded = result == CUDA_SUCCESS;
    return result;
}

CUresult cca_cuda_begin_wait(CudaEngine *const e, CudaSlot *const slot)
{
    CudaPatience *const p = &e->patience;
    const uint64_t time = cca_cuda_now(), took = time - p->begun;
    p->limit = time - p->last < CLOSE ? LONG_PATIENCE : SHORT_PATIENCE;
    p->last = time;
    p->queue += (took < MOST_QUEUE ? took : MOST_QUEUE) / QUEUE_STEP;
    p->queue -= p->queue / QUEUE_STEP;
    return p->sleeps || !slot->reports ? cca_cuda_record(e, slot) : CUDA_SUCCESS;
}

bool cca_cuda_wait_awake(CudaEngine *const e, const CudaSlot *const slot)
{
    CudaPatience *const p = &e->patience;
    const bool looks = !p->sleeps && slot->reports;
    const bool naps = looks && cca_small_others_in_flight(e) >= SEVERAL;
    bool done = is_done(slot);
    if (!done || naps)
        p->since = cca_cuda_now();
    if (naps)
        done = nap_and_look(slot, p);
    else if (!done && looks)
        done = look_until(slot, p);
    if (done)
        p->sleeps = false;
    return done;
}

CUresult cca_cuda_sleep(CudaEngine *const e, CudaSlot *const slot)
{
    CudaPatience *const p = &e->patience;
    CUresult result = cca_cuda_record(e, slot);
    if (result == CUDA_SUCCESS)
        result = e->cu->event_synchronize(slot->done);
    p->sleeps = cca_cuda_now() - p->since > p->limit + (p->sleeps ? WAKE_UP : 0);
    return result;
}
