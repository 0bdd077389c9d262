/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines.h"
#ifdef HAVE_CUDA
#include "cca-cuda.h"
#include "engines-cuda.h"
#endif

static CcaStatus ref_open(CcaEngine **const engine, const Engine *const self)
{
    return cca_ref_open(engine);
}

static CcaStatus cpu_open(CcaEngine **const engine, const Engine *const self)
{
    const CcaCpuOptions options = { .threads = self->threads, .level = self->level };
    return cca_cpu_open(engine, &options);
}

static const char *const level_names[] = { "baseline", "v3", "v4" };
static const uint32_t thread_counts[] = { 1, 2, 3, 5, 8, 16, 64 };
static const uint32_t few_thread_counts[] = { 1, 3, 8 }; /* valgrind runs one at a time */

static Engine *add(Engines *const e, CcaStatus (*const open)(CcaEngine **, const Engine *))
{
    Engine *const grown = realloc(e->list, (e->n + 1) * sizeof(*e->list));
    if (grown == NULL)
        return NULL;
    e->list = grown;
    Engine *const added = &e->list[e->n++];
    *added = (Engine) { .open = open };
    return added;
}

static bool add_cpu(Engines *const e, const CcaCpuLevel level, const uint32_t threads)
{
    Engine *const added = add(e, cpu_open);
    if (added == NULL)
        return false;
    added->level = level;
    added->threads = threads;
    snprintf(added->name, sizeof(added->name), "cpu-%s-t%u", level_names[level], threads);
    return true;
}

bool engines_add_cpu(Engines *const e, const uint32_t threads)
{
    return add_cpu(e, cca_cpu_level(), threads);
}

#ifdef HAVE_CUDA
static bool add_cuda(Engines *const e)
{
    static const struct {
        const char *name;
        CcaCudaAlgorithm algorithm;
    } engines[] = {
        { "cuda-flsl-cd", CCA_CUDA_FLSL_CD }, { "cuda-tiled", CCA_CUDA_TILED },
        { "cuda-single", CCA_CUDA_SINGLE },   { "cuda-wide", CCA_CUDA_WIDE },
        { "cuda-super", CCA_CUDA_SUPER },     { "cuda-staged", CCA_CUDA_STAGED },
        { "cuda-fine", CCA_CUDA_FINE },       { "cuda-auto", CCA_CUDA_AUTO },
    };
    const char *why;
    if (!cuda_available(&why))
        return true;
    for (size_t i = 0; i < sizeof(engines) / sizeof(*engines); i++) {
        Engine *const added = add(e, cuda_open);
        if (added == NULL)
            return false;
        added->variant = engines[i].algorithm;
        snprintf(added->name, sizeof(added->name), "%s", engines[i].name);
    }
    return true;
}
#endif

static bool add_all(Engines *const e, const bool few)
{
    Engine *const ref = add(e, ref_open);
    if (ref == NULL)
        return false;
    snprintf(ref->name, sizeof(ref->name), "ref");
    const uint32_t *const counts = few ? few_thread_counts : thread_counts;
    const size_t n = few ? sizeof(few_thread_counts) : sizeof(thread_counts);
    const int best = cca_cpu_level();
    for (int level = CCA_CPU_LEVEL_BASELINE; level <= best; level++)
        for (size_t i = 0; i < n / sizeof(*counts); i++)
            if (!add_cpu(e, (CcaCpuLevel) level, counts[i]))
                return false;
#ifdef HAVE_CUDA
    return add_cuda(e);
#else
    return true;
#endif
}

static bool add_broken(Engines *const e)
{
    for (uint32_t i = 0; i < N_BROKEN; i++) {
        Engine *const added = add(e, broken_open);
        if (added == NULL)
            return false;
        added->variant = i;
        snprintf(added->name, sizeof(added->name), "broken-%s", broken_names[i]);
    }
    return true;
}

/* Keeps the engine of that name, or else those whose name starts so. */
static void keep(Engines *const e, const char *const name)
{
    bool exact = false;
    for (uint32_t i = 0; i < e->n; i++)
        exact |= strcmp(e->list[i].name, name) == 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->n; i++)
        if (exact ? strcmp(e->list[i].name, name) == 0 :
                    strncmp(e->list[i].name, name, strlen(name)) == 0)
            e->list[n++] = e->list[i];
    e->n = n;
}

bool engines_init(Engines *const e, const Options *const options)
{
    *e = (Engines) { 0 };
    if (!add_all(e, options->set == SET_TINY))
        return false;
    if (options->engine == NULL)
        return true;
    if (strncmp(options->engine, "broken", 6) == 0 && !add_broken(e))
        return false;
    keep(e, options->engine);
    return e->n > 0;
}

void engines_list(void)
{
    Engines e = { 0 };
    if (add_all(&e, false) && add_broken(&e))
        for (uint32_t i = 0; i < e.n; i++)
            printf("  %s\n", e.list[i].name);
    engines_free(&e);
}

bool engine_is_on_gpu(const Engine *const e)
{
    return strncmp(e->name, "cuda", 4) == 0;
}

bool engine_takes(const Engine *const e, const CcaConfig *const config)
{
    return config->features == CCA_FEATURES_NONE || strcmp(e->name, "cuda-flsl-cd") != 0;
}

CcaStatus engine_prepare(Engine *const e, const CcaConfig *const config)
{
    if (e->engine == NULL) {
        const CcaStatus status = e->open(&e->engine, e);
        if (status != CCA_OK)
            return status;
        e->config = (CcaConfig) { 0 };
    }
    if (memcmp(&e->config, config, sizeof(*config)) == 0)
        return CCA_OK;
    e->config = (CcaConfig) { 0 };
    const CcaStatus status = cca_engine_configure(e->engine, config);
    if (status == CCA_OK)
        e->config = *config;
    return status;
}

const char *engine_message(const Engine *const e, const CcaStatus status)
{
    return e->engine ? cca_engine_error(e->engine) : cca_status_string(status);
}

void engine_close(Engine *const e)
{
    cca_engine_free(&e->engine);
    e->config = (CcaConfig) { 0 };
}

void engines_close(Engines *const e)
{
    for (uint32_t i = 0; i < e->n; i++)
        engine_close(&e->list[i]);
}

void engines_free(Engines *const e)
{
    engines_close(e);
    free(e->list);
    *e = (Engines) { 0 };
}
