/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_WAIT_H
#define CCA_CUDA_WAIT_H

#include "cuda-context.h"
#include "driver.h"

/* Signals by which the CPU detects the end of a frame. */
typedef struct CudaFence {
    const uint64_t *word; /* the GPU writes `number` to its upper 16 bits; NULL: no such word */
    uint32_t number;
    CUstream stream;
    CUevent event;
    bool recorded; /* the event is recorded after the frame */
} CudaFence;

/* State of an engine's waits. It spins up to a limit, and then blocks on the event. Times are in
 * nanoseconds. */
typedef struct CudaWait {
    const CudaMember *member;
    int timer;           /* file descriptor; negative: back-off sleeps are off */
    uint64_t last_begun; /* when the last frame was begun */
    uint64_t spin_limit; /* for this frame */
    uint64_t since;      /* when the wait began */
    bool blocks;         /* the last frame took longer than the limit: no spinning */
    uint64_t sleep;      /* length of the back-off sleep */
} CudaWait;

void cca_cuda_wait_open(CudaWait *wait, const CudaMember *member);
void cca_cuda_wait_close(CudaWait *wait);

/* The time of a monotonic clock. */
uint64_t cca_cuda_now(void);

/* Launch throttle: brackets the calls of the driver that begin a frame. Begin may sleep
 * briefly, and returns the group to pass to end. */
uint32_t cca_cuda_throttle_begin(CudaWait *wait, uint64_t now);
void cca_cuda_throttle_end(CudaWait *wait, uint32_t group);

/* Records the fence's event, unless that has been done for the frame. */
CUresult cca_cuda_record(const CcaCudaDriver *cu, CudaFence *fence);

/* After the launches of a frame: sets the spin limit, and records the event if the wait will
 * probably block on it. */
CUresult cca_cuda_begin_wait(CudaWait *wait, const CcaCudaDriver *cu, CudaFence *fence);

/* Spins, and sleeps where other engines are busy, up to the limit; true if the frame is done.
 * Makes no call of the driver. */
bool cca_cuda_spin(CudaWait *wait, const CudaFence *fence);

/* Blocks until the event. */
CUresult cca_cuda_block(CudaWait *wait, const CcaCudaDriver *cu, CudaFence *fence);

#endif /* CCA_CUDA_WAIT_H */
