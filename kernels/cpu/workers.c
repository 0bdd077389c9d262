/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "cpu.h"

struct CpuWorkers {
    pthread_mutex_t lock;
    pthread_cond_t start, done;
    uint64_t round;     /* of work: a thread that knows an older one has work to do */
    uint32_t n_working; /* threads that have not yet finished this round */
    bool quit;

    void (*task)(void *data, uint32_t i);
    void *data;
    uint32_t n_tasks;
    atomic_uint next;

    uint32_t n_threads; /* started */
    pthread_t threads[];
};

static void take_tasks(CpuWorkers *const w)
{
    uint32_t i;
    while ((i = atomic_fetch_add_explicit(&w->next, 1, memory_order_relaxed)) < w->n_tasks)
        w->task(w->data, i);
}

static void *worker(void *const arg)
{
    CpuWorkers *const w = arg;
    uint64_t round = 0;

    pthread_mutex_lock(&w->lock);
    for (;;) {
        while (w->round == round && !w->quit)
            pthread_cond_wait(&w->start, &w->lock);
        if (w->quit)
            break;
        round = w->round;
        pthread_mutex_unlock(&w->lock);
        take_tasks(w);
        pthread_mutex_lock(&w->lock);
        if (--w->n_working == 0)
            pthread_cond_signal(&w->done);
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
    w->task = task;
    w->data = data;
    w->n_tasks = n;
    atomic_store_explicit(&w->next, 0, memory_order_relaxed);
    w->n_working = w->n_threads;
    w->round++;
    pthread_cond_broadcast(&w->start);
    pthread_mutex_unlock(&w->lock);

    take_tasks(w);

    pthread_mutex_lock(&w->lock);
    while (w->n_working > 0)
        pthread_cond_wait(&w->done, &w->lock);
    pthread_mutex_unlock(&w->lock);
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
