/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* How many frames the engines of a CUDA context have in flight: those on another GPU take
 * nothing from its own. A context has an entry as long as it has engines. */

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "../engine.h"

struct CudaFlight {
    CUcontext context;
    uint32_t n_engines;
    atomic_uint n_in_flight;
    CudaFlight *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the list, not of the counts */
static CudaFlight *flights;

bool cca_small_join(CudaEngine *const e, CUcontext context)
{
    pthread_mutex_lock(&lock);
    CudaFlight *f = flights;
    while (f != NULL && f->context != context)
        f = f->next;
    if (f == NULL && (f = calloc(1, sizeof(*f))) != NULL) {
        f->context = context;
        f->next = flights;
        flights = f;
    }
    if (f != NULL)
        f->n_engines++;
    pthread_mutex_unlock(&lock);
    e->flight = f;
    return f != NULL;
}

void cca_small_leave(CudaEngine *const e)
{
    pthread_mutex_lock(&lock);
    if (--e->flight->n_engines == 0) {
        CudaFlight **link = &flights;
        while (*link != e->flight)
            link = &(*link)->next;
        *link = e->flight->next;
        free(e->flight);
    }
    pthread_mutex_unlock(&lock);
}

void cca_small_frame_begins(CudaEngine *const e, CudaSlot *const slot)
{
    slot->in_flight = true;
    e->n_in_flight++;
    atomic_fetch_add(&e->flight->n_in_flight, 1);
}

void cca_small_frame_ends(CudaEngine *const e, CudaSlot *const slot)
{
    if (!slot->in_flight)
        return;
    slot->in_flight = false;
    e->n_in_flight--;
    atomic_fetch_sub(&e->flight->n_in_flight, 1);
}

uint32_t cca_small_others_in_flight(const CudaEngine *const e)
{
    return atomic_load(&e->flight->n_in_flight) - e->n_in_flight;
}
