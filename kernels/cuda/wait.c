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
/* if it is that much, but for the last part of it, in nanoseconds; */
#define LEAST_NAP 1000
#define NAP_REST 2000
/* which becomes so large a part longer or shorter from frame to frame. */
#define NAP_STEP 8
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

/* Where several engines have frames in flight, most of a wait is for the frames of others:
 * that part is slept through. How long it is, is found out by and by: what was waited for
 * after a nap makes the next one longer, a frame that was done by then makes it shorter. */
static bool nap_and_look(const CudaSlot *const slot, CudaPatience *const p)
{
    if (p->nap >= LEAST_NAP) {
        cca_cuda_nap(p->nap);
        if (is_done(slot)) {
            p->nap -= p->nap / NAP_STEP;
            return true;
        }
    }
    const uint64_t woken = cca_cuda_now();
    const bool done = look_until(slot, p);
    const uint64_t rest = cca_cuda_now() - woken;
    if (rest > NAP_REST)
        p->nap += (rest - NAP_REST) / NAP_STEP;
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
    const uint64_t time = cca_cuda_now();
    p->limit = time - p->last < CLOSE ? LONG_PATIENCE : SHORT_PATIENCE;
    p->last = time;
    return p->sleeps || !slot->reports ? cca_cuda_record(e, slot) : CUDA_SUCCESS;
}

bool cca_cuda_wait_awake(CudaEngine *const e, const CudaSlot *const slot)
{
    CudaPatience *const p = &e->patience;
    bool done = is_done(slot);
    if (!done) {
        p->since = cca_cuda_now();
        if (!p->sleeps && slot->reports)
            done = cca_small_others_in_flight(e) >= SEVERAL ? nap_and_look(slot, p) :
                                                              look_until(slot, p);
    }
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
