/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CPU_WORKERS_H
#define CCA_CPU_WORKERS_H

/* A pool of worker threads, and the division of frames into tasks. */

#include "../intops.h"

typedef struct CpuWorkers CpuWorkers;

/* Starts `n_threads` - 1 threads; the caller of cca_workers_run() is the last one. Returns NULL
 * if memory ran out; has fewer threads than requested if the system refuses more. */
CpuWorkers *cca_workers_new(uint32_t n_threads);
void cca_workers_free(CpuWorkers *workers);

/* Calls task(data, i) once for each i < n, spread over the threads, and returns
 * when all calls are done. */
void cca_workers_run(CpuWorkers *workers, uint32_t n, void (*task)(void *data, uint32_t i),
                     void *data);

/* Begin and end of a frame. Threads without work spin for a while before they sleep within a
 * frame, and also after it if the next frame is likely to follow at once. */
void cca_workers_begin(CpuWorkers *workers);
void cca_workers_end(CpuWorkers *workers);

/* Content is uneven, so each thread gets several bands of rows; more bands mean more seams.
 * The fastest value of 1 to 8. */
#define BANDS_PER_THREAD 4
/* Minimum pixels of a band: labelling fewer takes less time than waking a thread. The fastest
 * value of 16 Ki to 256 Ki. */
#ifndef MIN_BAND_PIXELS
#define MIN_BAND_PIXELS (64 * 1024)
#endif

/* Rows of a band in a frame of this size: even, so that each band but the last has at most half
 * as many labels as pixels. */
static inline uint32_t cca_cpu_band_rows(const uint32_t threads, const uint32_t width,
                                         const uint32_t height)
{
    if (threads == 1)
        return height;
    const uint32_t balanced = (height - 1) / (threads * BANDS_PER_THREAD) + 1;
    const uint32_t rows = umax(balanced, MIN_BAND_PIXELS / width + 1);
    return rows + (rows & 1);
}

static inline uint32_t cca_cpu_max_bands(const uint32_t threads, const uint32_t height)
{
    return threads == 1 ? 1 : umin(height, threads * BANDS_PER_THREAD);
}

#endif /* CCA_CPU_WORKERS_H */
