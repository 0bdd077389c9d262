/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Linux ends a sleep late, so that several can end at once: by 50 microseconds, unless the
 * thread says that it wants less. It is the caller's thread, so this is taken back. */

#include <sys/prctl.h>
#include <time.h>

#include "engine.h"

#define SLACK 1 /* nanoseconds; 0 would mean the 50 microseconds */

void cca_cuda_nap(const uint64_t nanoseconds)
{
    const struct timespec time = { .tv_nsec = (long) nanoseconds };
    const int slack = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
    prctl(PR_SET_TIMERSLACK, SLACK, 0, 0, 0);
    nanosleep(&time, NULL);
    prctl(PR_SET_TIMERSLACK, (unsigned long) slack, 0, 0, 0);
}
