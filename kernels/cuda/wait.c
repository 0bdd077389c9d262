/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Waiting for a frame: first by spinning on the word that the GPU writes when it is done,
 * since a wake-up takes as long as many frames do; then by blocking on an event. The event
 * is recorded only when a wait blocks or probably will: behind each frame it would cost all
 * threads of the process the driver's lock. */

#include <sched.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "wait.h"

/* All times are in nanoseconds. */

/* The spin limit of frames that begin no longer than CLOSE after each other, and of others. */
#define CLOSE 1000000
#define LONG_SPIN 250000
#define SHORT_SPIN 40000
/* Additional latency of a blocked thread over a spinning one, in nanoseconds. */
#define WAKE_UP 30000
/* Reads of the word between two reads of the clock. */
#define LOOKS 32
/* After spinning for this long a thread yields its core at intervals. */
#define YIELD_AFTER 20000

/* Frames of other engines in flight from which on a back-off sleep replaces part of the spin.
 * It is no shorter than MIN_SLEEP, and is meant to end SPIN_REST before the frame is done: after a
 * longer spin it grows by 1 / SLEEP_GROWTH of the rest, and after a frame that was done by then it
 * shrinks by 1 / SLEEP_DECAY. A thread that sleeps slightly too long is cheap, because others hold
 * the driver's lock meanwhile. */
#define SEVERAL 3
#define MIN_SLEEP 1000
#define SPIN_REST 2000
#define SLEEP_GROWTH 8
#define SLEEP_DECAY 32

/* The launch throttle lets a thread pass while the last group is younger than GROUP_TIME.
 * Afterwards the thread pauses for the group before, at most MAX_PAUSES times: the driver may
 * be slow for another reason than its lock. */
#define GROUP_TIME 2000000
#define PAUSE 50000
#define MAX_PAUSES 10

uint64_t cca_cuda_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
}

void cca_cuda_wait_open(CudaWait *const wait, const CudaMember *const member)
{
    wait->member = member;
    wait->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
}

void cca_cuda_wait_close(CudaWait *const wait)
{
    if (wait->timer >= 0)
        close(wait->timer);
}

/* Not nanosleep(): Linux ends that up to 50 microseconds late unless the thread, which is the
 * caller's, gives up its timer slack. The time is more than 0, which would stop the timer. */
static void sleep_for(const CudaWait *const wait, const uint64_t nanoseconds)
{
    const struct itimerspec time = { .it_value.tv_nsec = (long) nanoseconds };
    uint64_t n_expired;
    timerfd_settime(wait->timer, 0, &time, NULL);
    /* it may end too early, after a signal or without a timer: the caller looks again anyway */
    const ssize_t ignored = read(wait->timer, &n_expired, sizeof(n_expired));
    (void) ignored;
}

/* --- launch throttle ------------------------------------------------------ */

/* The driver's lock is unfair: a thread that must be woken for it can starve for seconds while
 * others take it again and again. So the threads that are in the driver to begin a frame are
 * counted in two groups. When the group before has left, the present one becomes the group
 * before. If it is still there after GROUP_TIME, one of its threads starves, and each thread
 * that arrives pauses first. */

/* Whether a thread of the group before is still in the driver. */
static bool starves(const CudaContext *const c, const uint32_t group,
                    const atomic_uint *const before)
{
    return atomic_load(&c->group) == group && atomic_load(before) > 0;
}

uint32_t cca_cuda_throttle_begin(CudaWait *const wait, const uint64_t now)
{
    CudaContext *const c = wait->member->context;
    uint32_t group = atomic_load(&c->group);
    /* The difference is signed, because another thread may have read the clock later. */
    if ((int64_t) (now - atomic_load(&c->group_begun)) > GROUP_TIME) {
        const atomic_uint *const before = &c->n_launching[(group + 1) % 2];
        for (int i = 0; i < MAX_PAUSES && starves(c, group, before); i++)
            sleep_for(wait, PAUSE);
        if (atomic_load(before) == 0) {
            atomic_store(&c->group_begun, now);
            atomic_compare_exchange_strong(&c->group, &group, group + 1);
        }
    }
    group = atomic_load(&c->group) % 2;
    atomic_fetch_add(&c->n_launching[group], 1);
    return group;
}

void cca_cuda_throttle_end(CudaWait *const wait, const uint32_t group)
{
    atomic_fetch_sub(&wait->member->context->n_launching[group], 1);
}

/* --- spin and back-off sleep ---------------------------------------------- */

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static bool is_done(const CudaFence *const fence)
{
    return fence->word != NULL &&
           __atomic_load_n(fence->word, __ATOMIC_ACQUIRE) >> 48 == fence->number;
}

/* Whether the frame is done before the limit of the wait. The spin begins now, at `begun`. */
static bool spin(const CudaWait *const wait, const CudaFence *const fence, const uint64_t begun)
{
    for (uint64_t t = begun; t - wait->since < wait->spin_limit; t = cca_cuda_now()) {
        for (int i = 0; i < LOOKS; i++) {
            if (is_done(fence))
                return true;
            relax();
        }
        if (t - begun > YIELD_AFTER)
            sched_yield();
    }
    return false;
}

/* Where several engines have frames in flight, most of a wait is for the frames of others:
 * that part is slept through. Its length adapts: the spin that was left after a sleep makes
 * the next one longer, a frame that was done by then makes it shorter. */
static bool sleep_and_spin(CudaWait *const wait, const CudaFence *const fence)
{
    if (wait->sleep >= MIN_SLEEP) {
        sleep_for(wait, wait->sleep);
        if (is_done(fence)) {
            wait->sleep -= wait->sleep / SLEEP_DECAY;
            return true;
        }
    }
    const uint64_t woken = cca_cuda_now();
    const bool done = spin(wait, fence, woken);
    const uint64_t rest = cca_cuda_now() - woken;
    if (rest > SPIN_REST)
        wait->sleep += (rest - SPIN_REST) / SLEEP_GROWTH;
    return done;
}

bool cca_cuda_spin(CudaWait *const wait, const CudaFence *const fence)
{
    bool done = is_done(fence);
    if (!done) {
        wait->since = cca_cuda_now();
        if (!wait->blocks && fence->word != NULL)
            done = wait->timer >= 0 && cca_cuda_others_in_flight(wait->member) >= SEVERAL ?
                       sleep_and_spin(wait, fence) :
                       spin(wait, fence, wait->since);
    }
    if (done)
        wait->blocks = false;
    return done;
}

/* --- event ---------------------------------------------------------------- */

CUresult cca_cuda_record(const CcaCudaDriver *const cu, CudaFence *const fence)
{
    if (fence->recorded)
        return CUDA_SUCCESS;
    const CUresult result = cu->event_record(fence->event, fence->stream);
    fence->recorded = result == CUDA_SUCCESS;
    return result;
}

CUresult cca_cuda_begin_wait(CudaWait *const wait, const CcaCudaDriver *const cu,
                             CudaFence *const fence)
{
    const uint64_t time = cca_cuda_now();
    wait->spin_limit = time - wait->last_begun < CLOSE ? LONG_SPIN : SHORT_SPIN;
    wait->last_begun = time;
    return wait->blocks || fence->word == NULL ? cca_cuda_record(cu, fence) : CUDA_SUCCESS;
}

CUresult cca_cuda_block(CudaWait *const wait, const CcaCudaDriver *const cu, CudaFence *const fence)
{
    CUresult result = cca_cuda_record(cu, fence);
    if (result == CUDA_SUCCESS)
        result = cu->event_synchronize(fence->event);
    const uint64_t limit = wait->spin_limit + (wait->blocks ? WAKE_UP : 0);
    wait->blocks = cca_cuda_now() - wait->since > limit;
    return result;
}
