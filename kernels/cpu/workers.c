/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "workers.h"

struct CpuWorkers {
    pthread_mutex_t lock;
    pthread_cond_t start, done;
    bool quit;
    uint32_t n_asleep;

    /* A round of work: set under the lock, before `next` opens it. */
    _Atomic uint32_t round;
    uint32_t n_tasks;
    void (*task)(void *data, uint32_t i);
    void *data;
    /* round << 32 | next task. A thread that wakes up late finds another round or no task left, so
     * no other thread waits for it. */
    _Atomic uint64_t next;
    _Atomic uint32_t n_done;

    /* Whether a thread without work should spin instead of sleeping. */
    _Atomic bool in_frame, frames_follow;
    uint64_t ended; /* time of the last frame's end, in nanoseconds */

    uint32_t n_threads; /* started */
    pthread_t threads[];
};

/* Spins of the caller at the end of a round before it sleeps, some microseconds. */
#define SPINS 2000

/* Nanoseconds that a thread spins for the next round: within a frame, and after it if
 * the previous frame had ended less than this time before it began. */
#define SPIN_LIMIT 50000

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Runs tasks of a round until all are taken. */
static void take_tasks(CpuWorkers *const w, const uint32_t round, const uint32_t n_tasks,
                       void (*const task)(void *data, uint32_t i), void *const data)
{
    uint64_t next = atomic_load_explicit(&w->next, memory_order_acquire);
    while (next >> 32 == round && (uint32_t) next < n_tasks) {
        if (!atomic_compare_exchange_weak_explicit(&w->next, &next, next + 1, memory_order_acquire,
                                                   memory_order_acquire))
            continue;
        task(data, (uint32_t) next);
        if (atomic_fetch_add_explicit(&w->n_done, 1, memory_order_acq_rel) + 1 == n_tasks) {
            pthread_mutex_lock(&w->lock);
            pthread_cond_signal(&w->done);
            pthread_mutex_unlock(&w->lock);
        }
        next = atomic_load_explicit(&w->next, memory_order_acquire);
    }
}

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
}

/* Spins for the next round if it is likely to follow soon. */
static void spin(CpuWorkers *const w, const uint32_t round)
{
    const uint64_t start = now();
    while (atomic_load_explicit(&w->round, memory_order_acquire) == round &&
           (atomic_load_explicit(&w->in_frame, memory_order_relaxed) ||
            atomic_load_explicit(&w->frames_follow, memory_order_relaxed)) &&
           now() - start < SPIN_LIMIT)
        for (int i = 0; i < 16; i++)
            relax();
}

static void *worker(void *const arg)
{
    CpuWorkers *const w = arg;
    uint32_t round = 0;

    pthread_mutex_lock(&w->lock);
    for (;;) {
        while (w->round == round && !w->quit) {
            w->n_asleep++;
            pthread_cond_wait(&w->start, &w->lock);
            w->n_asleep--;
        }
        if (w->quit)
            break;
        round = w->round;
        const uint32_t n_tasks = w->n_tasks;
        void (*const task)(void *data, uint32_t i) = w->task;
        void *const data = w->data;
        /* Waking a thread takes longer than some tasks, so each thread that wakes up wakes
         * one more. */
        const bool wakes = w->n_asleep > 0 && (uint32_t) w->next < n_tasks;
        pthread_mutex_unlock(&w->lock);
        if (wakes)
            pthread_cond_signal(&w->start);
        take_tasks(w, round, n_tasks, task, data);
        spin(w, round);
        pthread_mutex_lock(&w->lock);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

CpuWorkers *cca_workers_new(const uint32_t n_threads)
{
    CpuWorkers *const w = calloc(1, sizeof(*w) + (n_threads - 1) * sizeof(*w->threads));
    if (w == NULL)
        return NULL;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->start, NULL);
    pthread_cond_init(&w->done, NULL);
    while (w->n_threads < n_threads - 1 &&
           pthread_create(&w->threads[w->n_threads], NULL, worker, w) == 0)
        w->n_threads++;
    return w;
}

void cca_workers_run(CpuWorkers *const w, const uint32_t n,
                     void (*const task)(void *data, uint32_t i), void *const data)
{
    if (n == 1 || w->n_threads == 0) {
        for (uint32_t i = 0; i < n; i++)
            task(data, i);
        return;
    }

    pthread_mutex_lock(&w->lock);
    const uint32_t round = ++w->round;
    w->task = task;
    w->data = data;
    w->n_tasks = n;
    atomic_store_explicit(&w->n_done, 0, memory_order_relaxed);
    atomic_store_explicit(&w->next, (uint64_t) round << 32, memory_order_release);
    const bool wakes = w->n_asleep > 0;
    pthread_mutex_unlock(&w->lock);
    if (wakes)
        pthread_cond_signal(&w->start);

    take_tasks(w, round, n, task, data);

    for (int i = 0; i < SPINS; i++) {
        if (atomic_load_explicit(&w->n_done, memory_order_acquire) == n)
            return;
        relax();
    }
    pthread_mutex_lock(&w->lock);
    while (atomic_load_explicit(&w->n_done, memory_order_acquire) < n)
        pthread_cond_wait(&w->done, &w->lock);
    pthread_mutex_unlock(&w->lock);
}

void cca_workers_begin(CpuWorkers *const w)
{
    if (w->n_threads == 0)
        return;
    w->in_frame = true;
    w->frames_follow = now() - w->ended < SPIN_LIMIT;
}

void cca_workers_end(CpuWorkers *const w)
{
    if (w->n_threads == 0)
        return;
    w->ended = now();
    w->in_frame = false;
}

void cca_workers_free(CpuWorkers *const w)
{
    if (w == NULL)
        return;
    pthread_mutex_lock(&w->lock);
    w->quit = true;
    pthread_cond_broadcast(&w->start);
    pthread_mutex_unlock(&w->lock);
    for (uint32_t i = 0; i < w->n_threads; i++)
        pthread_join(w->threads[i], NULL);
    pthread_cond_destroy(&w->done);
    pthread_cond_destroy(&w->start);
    pthread_mutex_destroy(&w->lock);
    free(w);
}
