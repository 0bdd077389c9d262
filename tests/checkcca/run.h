/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CHECKCCA_RUN_H
#define CHECKCCA_RUN_H

#include "check.h"

typedef struct GroupFigures {
    const char *name;
    uint64_t n_cases, n_differences;
    double seconds;
} GroupFigures;

/* Names the case at hand if the process is about to die. */
void run_catch_signals(const Check *check);

/* Runs the groups that the options select; figures has room for all groups.
 * Returns how many were run. */
uint32_t run_groups(Check *check, GroupFigures *figures);

/* Seconds, monotonic. */
double run_clock(void);

#endif /* CHECKCCA_RUN_H */
