/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The list of contexts. A context has an entry while it has engines. */

#include <pthread.h>
#include <stdlib.h>

#include "cuda-context.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects the list and n_engines */
static CudaContext *contexts;

bool cca_cuda_context_join(CudaMember *const member, CUcontext context)
{
    pthread_mutex_lock(&lock);
    CudaContext *c = contexts;
    while (c != NULL && c->handle != context)
        c = c->next;
    if (c == NULL && (c = calloc(1, sizeof(*c))) != NULL) {
        c->handle = context;
        c->next = contexts;
        contexts = c;
    }
    if (c != NULL)
        c->n_engines++;
    pthread_mutex_unlock(&lock);
    member->context = c;
    return c != NULL;
}

void cca_cuda_context_leave(CudaMember *const member)
{
    CudaContext *const c = member->context;
    pthread_mutex_lock(&lock);
    if (--c->n_engines == 0) {
        CudaContext **link = &contexts;
        while (*link != c)
            link = &(*link)->next;
        *link = c->next;
        free(c);
    }
    pthread_mutex_unlock(&lock);
}
