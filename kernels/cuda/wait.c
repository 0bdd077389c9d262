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
/* Looks between two at the clock, */
#define LOOKS 32
/* and waiting awake for longer than that lets others have the core now and then. */
#define SELFISH 20000

static uint64_t now(void)
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
    for (uint64_t waited = 0; waited < p->limit; waited = now() - p->since) {
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
    const uint64_t time = now();
    p->limit = time - p->last < CLOSE ? LONG_PATIENCE : SHORT_PATIENCE;
    p->last = time;
    return p->sleeps || !slot->reports ? cca_cuda_record(e, slot) : CUDA_SUCCESS;
}

bool cca_cuda_wait_awake(CudaEngine *const e, const CudaSlot *const slot)
{
    CudaPatience *const p = &e->patience;
    bool done = is_done(slot);
    if (!done) {
        p->since = now();
        done = !p->sleeps && slot->reports && look_until(slot, p);
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
    p->sleeps = now() - p->since > p->limit + (p->sleeps ? WAKE_UP : 0);
    return result;
}
