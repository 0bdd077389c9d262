/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Two threads open a drawing on the GPU at the same time, and both fail. Neither
 * writes to the memory of the other's sentence. */

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "checkcca/gpu.h"
#include "overlay/overlay-cuda.h"

#define N_THREADS 2
#define ROUNDS 100

static pthread_barrier_t barrier;
static const Gpu *gpu;

/* Reads each character itself, because the sanitizer ignores reads of strcmp(). */
static bool ends_with(const char *const sentence, const char *const end)
{
    const char *s = sentence, *e = end;
    while (*s != '\0')
        s++;
    while (*e != '\0')
        e++;
    while (e > end && s > sentence)
        if (*--e != *--s)
            return false;
    return e == end;
}

static void *fail_to_open(void *const failed)
{
    for (int i = 0; i < ROUNDS; i++) {
        CcaOverlayGpu *overlay;
        const char *why = NULL;
        pthread_barrier_wait(&barrier);
        if (cca_overlay_gpu_open(&overlay, gpu->context, &why) != CCA_ERROR_NO_MEMORY ||
            why == NULL || !ends_with(why, "ran out"))
            *(bool *) failed = true;
    }
    return NULL;
}

int main(void)
{
    char failures[N_THREADS * ROUNDS * 48] = "";
    bool failed[N_THREADS] = { false };
    pthread_t threads[N_THREADS];
    const char *why = "";

    for (int i = 1, n = 0; i <= N_THREADS * ROUNDS; i++)
        n += sprintf(failures + n, "%scuModuleLoadData:%d:OUT_OF_MEMORY", i > 1 ? "," : "", i);
    setenv("SIMCUDA_FAIL", failures, 1);
    gpu = gpu_open(&why);
    if (gpu == NULL) {
        fprintf(stderr, "%s\n", why);
        return 1;
    }
    pthread_barrier_init(&barrier, NULL, N_THREADS);
    for (int i = 0; i < N_THREADS; i++)
        if (pthread_create(&threads[i], NULL, fail_to_open, &failed[i]) != 0)
            return 1;
    for (int i = 0; i < N_THREADS; i++) {
        pthread_join(threads[i], NULL);
        if (failed[i]) {
            fprintf(stderr, "thread %d: the status or the sentence is wrong\n", i);
            return 1;
        }
    }
    return 0;
}
