/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The host side of the study with a driver of which each call fails in turn: it says so,
 * and keeps nothing. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/study.h"

static uint32_t n_calls, fails_at; /* from 1 */
static int n_held;                 /* allocations and modules */
static size_t n_bytes;             /* that were asked for at once */

static CUresult called(const int holds)
{
    if (++n_calls == fails_at)
        return CUDA_ERROR_UNKNOWN;
    n_held += holds;
    return CUDA_SUCCESS;
}

static CUresult CUDAAPI find_device(CUdevice *device)
{
    *device = 0;
    return called(0);
}

static CUresult CUDAAPI find_attribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    *value = 1;
    return called(0);
}

static CUresult CUDAAPI load(CUmodule *module, const void *image)
{
    return called(1);
}

static CUresult CUDAAPI unload(CUmodule module)
{
    n_held--;
    return CUDA_SUCCESS;
}

static CUresult CUDAAPI find_function(CUfunction *function, CUmodule module, const char *name)
{
    return called(0);
}

static CUresult CUDAAPI allocate(CUdeviceptr *p, size_t size)
{
    *p = 4096;
    n_bytes += size;
    return called(1);
}

static CUresult CUDAAPI release(CUdeviceptr p)
{
    n_held--;
    return CUDA_SUCCESS;
}

static CUresult CUDAAPI fill(CUdeviceptr p, unsigned char value, size_t n, CUstream stream)
{
    return called(0);
}

static CUresult CUDAAPI launch(const CUlaunchConfig *config, CUfunction function, void **params,
                               void **extra)
{
    return called(0);
}

static const CcaCudaDriver driver = {
    .ctx_device = find_device,
    .device_attribute = find_attribute,
    .module_load = load,
    .module_unload = unload,
    .module_function = find_function,
    .mem_alloc = allocate,
    .mem_free = release,
    .memset_d8_async = fill,
    .launch = launch,
};

static void check(const bool ok, const char *const what)
{
    if (ok)
        return;
    fprintf(stderr, "study-errors: call %u: %s\n", fails_at, what);
    exit(1);
}

/* All that there is, up to the first failure; whether there was none. */
static bool use(const StudyAlgorithm *const a)
{
    const StudyImage image = { 4096, 40, 30, 4 };
    Study s;
    if (study_open(&s, &driver) != CUDA_SUCCESS) {
        check(n_held == 0, "a module was kept");
        return false;
    }
    const bool configured = (a == &study_stream ?
                                 study_configure_stream(&s, image.width, image.height, NULL) :
                                 study_configure(&s, image.width, image.height)) == CUDA_SUCCESS;
    check(configured || s.n_tables == 0, "tables were kept");
    s.counts = true;
    const bool ok = configured && study_spoil(&s, 0, NULL) == CUDA_SUCCESS &&
                    study_run(&s, a, &image, NULL) == CUDA_SUCCESS &&
                    (a->nodes || study_gather(&s, a, &image, NULL) == CUDA_SUCCESS);
    study_close(&s);
    check(n_held == 0, "something was kept");
    return ok;
}

static uint32_t fail_in_turn(const StudyAlgorithm *const a)
{
    n_calls = fails_at = 0;
    check(use(a), "it fails by itself");
    const uint32_t n = n_calls;
    for (fails_at = 1; fails_at <= n; fails_at++) {
        n_calls = 0;
        check(!use(a), "its failure is not told");
        check(n_calls == fails_at, "there are calls after it");
    }
    return n;
}

int main(void)
{
    const StudyAlgorithm *const a = study_find("flsl-cd");
    check(a != NULL && strcmp(a->name, "flsl-cd") == 0, "there is no flsl-cd");
    check(study_find("flsl-c") == NULL, "there is a flsl-c");
    const uint32_t n = fail_in_turn(a) + fail_in_turn(&study_stream);

    Study s;
    fails_at = 0;
    check(study_open(&s, &driver) == CUDA_SUCCESS, "it does not open");
    n_bytes = 0;
    check(study_configure(&s, STUDY_MAX_WIDTH + 1, 1) != CUDA_SUCCESS, "a row is too long");
    check(study_configure(&s, STUDY_MAX_WIDTH, 40000) != CUDA_SUCCESS, "it is too large");
    check(n_bytes == 0, "it allocates for what it refuses");
    study_close(&s);
    printf("study-errors: each of %u calls\n", n);
    return 0;
}
