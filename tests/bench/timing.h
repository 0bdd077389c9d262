/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_BENCH_TIMING_H
#define CCA_BENCH_TIMING_H

/* Common code of the points of bench-engine. */

#include <stdatomic.h>

#include "cuda/state.h"
#include "gpu.h"
#include "images.h"

/* Copies of the image are used in turn, so that a large one is not in the cache. */
#define TIMING_COPIES 4

typedef struct Timing {
    const Gpu *gpu;
    CUstream stream;
    CUevent from, to;
    atomic_bool held; /* the stream, until the CPU has asked for all */
    double bytes_us;  /* the GPU's memory moves in a microsecond; 0: not known */
    Images images;
    CcaEngine *engine;
    CcaCudaAlgorithm algorithm;
    CcaConfig config; /* of the engine; width 0: none yet */
    CUdeviceptr copies[TIMING_COPIES];
    size_t copies_size;            /* of each */
    CUdeviceptr records, features; /* in device memory, as many as the engine has room for */
    bool simulated;                /* the GPU: times mean nothing, and take long */
    bool failed;                   /* a message was printed */
} Timing;

/* Reports `what` unless `result` is a success. Returns whether it is. */
bool timing_check(Timing *t, CUresult result, const char *what);
bool timing_check_engine(Timing *t, CcaStatus status);

bool timing_open(Timing *t, const char **why);
void timing_close(Timing *t);

/* An engine for frames like that. */
bool timing_configure(Timing *t, CcaCudaAlgorithm algorithm, const CcaConfig *config);

/* Image `i` of a content, on the GPU; of samples of 2 bytes if the engine is for them. */
bool timing_draw(Timing *t, const Content *content, uint32_t i);

/* That copy of it, to be analysed on our stream. */
CcaFrame timing_frame(const Timing *t, uint32_t copy);

/* Holds back work on the stream until timing_let_go() or for 20 ms, so that the GPU does not
 * wait for the CPU in between. */
bool timing_hold(Timing *t);
void timing_let_go(Timing *t);

/* Analyses it, waits and collects. */
bool timing_analyse(Timing *t, uint32_t copy, const CcaParams *params, CcaResult *result);

/* The same with microseconds by GPU events, from the first launch of the frame until its
 * records are in order in device memory. The engine has analysed such frames before. The
 * stream is held until the CPU has enqueued all launches. */
bool timing_analyse_on_device(Timing *t, uint32_t copy, const CcaParams *params, double *us);

/* The same, until they are in host memory. */
bool timing_analyse_to_host(Timing *t, uint32_t copy, const CcaParams *params, double *us);

/* engine-device.c, engine-foreground.c, engine-host.c, engine-overlay.c: measure a point and
 * print it; false if it is none of theirs, or (failed is set then) if something went wrong. */
bool measure_device(Timing *t, const Point *point);
bool measure_foreground(Timing *t, const Point *point);
bool measure_host(Timing *t, const Point *point);
bool measure_overlay(Timing *t, const Point *point);

#endif /* CCA_BENCH_TIMING_H */
