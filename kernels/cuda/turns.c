/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The driver's lock is whose thread takes it first: one that has to be woken for it may
 * come too late for seconds, while others take it again and again. So those who are in the
 * driver to begin a frame are counted, in two groups: when the group before has gone, the
 * one now becomes the group before. If it is still there after a while, somebody waits in
 * vain, and whoever comes stays away for a moment. */

#include <stdatomic.h>

#include "engine.h"

/* Nanoseconds that nobody is in the driver for of itself. */
#define A_WHILE 2000000
/* Others come again after so many, and in the end whatever happens: it may be something
 * else than the lock. */
#define A_MOMENT 50000
#define MOST_MOMENTS 10

static atomic_uint n_there[2]; /* in the group of even and of odd number */
static atomic_uint group;
static _Atomic uint64_t since; /* when that began */

/* Whether the group before is still there. */
static bool is_in_vain(const uint32_t number, const atomic_uint *const before)
{
    return atomic_load(&group) == number && atomic_load(before) > 0;
}

uint32_t cca_cuda_take_turn(const uint64_t now)
{
    uint32_t number = atomic_load(&group);
    /* others may be a little later */
    if ((int64_t) (now - atomic_load(&since)) > A_WHILE) {
        atomic_uint *const before = &n_there[(number + 1) % 2];
        for (int i = 0; i < MOST_MOMENTS && is_in_vain(number, before); i++)
            cca_cuda_nap(A_MOMENT);
        if (atomic_load(before) == 0) {
            atomic_store(&since, now);
            atomic_compare_exchange_strong(&group, &number, number + 1);
        }
    }
    number = atomic_load(&group) % 2;
    atomic_fetch_add(&n_there[number], 1);
    return number;
}

void cca_cuda_end_turn(const uint32_t turn)
{
    atomic_fetch_sub(&n_there[turn], 1);
}
