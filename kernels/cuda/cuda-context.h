/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_CONTEXT_H
#define CCA_CUDA_CONTEXT_H

#include <cuda.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* State shared by the engines of one CUDA context. Other contexts of the GPU do not use it. */
typedef struct CudaContext {
    CUcontext handle;
    uint32_t n_engines;
    atomic_uint n_in_flight; /* frames of all engines */

    /* Launch throttle, see wait.c: number of threads that launch a frame, in the groups of even
     * and of odd number; number of the last group; time when it began. */
    atomic_uint n_launching[2];
    atomic_uint group;
    _Atomic uint64_t group_begun;

    struct CudaContext *next;
} CudaContext;

/* An engine's membership in its context. */
typedef struct CudaMember {
    CudaContext *context;
    uint32_t n_in_flight; /* frames of this engine */
} CudaMember;

/* False if memory runs out. */
bool cca_cuda_context_join(CudaMember *member, CUcontext context);
void cca_cuda_context_leave(CudaMember *member);

static inline void cca_cuda_frame_begins(CudaMember *const member)
{
    member->n_in_flight++;
    atomic_fetch_add(&member->context->n_in_flight, 1);
}

static inline void cca_cuda_frame_ends(CudaMember *const member)
{
    member->n_in_flight--;
    atomic_fetch_sub(&member->context->n_in_flight, 1);
}

/* Number of frames in flight of the other engines of the context. */
static inline uint32_t cca_cuda_others_in_flight(const CudaMember *const member)
{
    return atomic_load(&member->context->n_in_flight) - member->n_in_flight;
}

#endif /* CCA_CUDA_CONTEXT_H */
