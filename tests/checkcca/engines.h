/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CHECKCCA_ENGINES_H
#define CHECKCCA_ENGINES_H

#include "cca.h"
#include "options.h"

/* An engine and the function that opens it. As in production it is kept from case to case, so that
 * state left by one frame affects the next. */
typedef struct Engine {
    char name[32];
    CcaStatus (*open)(CcaEngine **engine, const struct Engine *self);
    CcaCpuLevel level;
    uint32_t threads; /* 0: has none of its own */
    uint32_t variant; /* for deliberately wrong engines */
    CcaEngine *engine;
    CcaConfig config; /* as configured; all 0 before */
} Engine;

typedef struct Engines {
    Engine *list;
    uint32_t n;
} Engines;

/* The engines of this machine that `options` selects. Returns false if there
 * are none, or memory ran out. */
bool engines_init(Engines *engines, const Options *options);
void engines_list(void);

/* Adds the CPU engine at the best level. Returns false if memory ran out. */
bool engines_add_cpu(Engines *engines, uint32_t threads);

bool engine_is_on_gpu(const Engine *engine);

/* Whether the engine has what the configuration asks for. */
bool engine_takes(const Engine *engine, const CcaConfig *config);

/* Opens the engine unless it is open, and configures it unless it is so. */
CcaStatus engine_prepare(Engine *engine, const CcaConfig *config);
const char *engine_message(const Engine *engine, CcaStatus status);
void engine_close(Engine *engine);
void engines_close(Engines *engines);
void engines_free(Engines *engines);

/* Deliberately wrong engines, to prove that this tool can fail. */
#define N_BROKEN 18
extern const char *const broken_names[N_BROKEN];
CcaStatus broken_open(CcaEngine **engine, const Engine *self);

#endif /* CHECKCCA_ENGINES_H */
