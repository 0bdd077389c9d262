/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* What the parts of the simulated driver share. */

#ifndef SIMCUDA_SIM_H
#define SIMCUDA_SIM_H

#include <cstdint>

/* Fills memory that nobody has written yet. */
#define SIM_POISON 0xa5

/* --- check.cpp ------------------------------------------------------------ */

/* A rule was broken: prints a line; the process will exit with status 99. With
 * SIMCUDA_ABORT set it aborts here. */
void sim_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* SIMCUDA_SEED, 1 if unset. */
uint64_t sim_seed();

/* N of SIMCUDA_BREAK=WHAT:N if that is `what`, else 0. It breaks the simulation,
 * so that tests can be seen to fail:
 *   skip-syncthreads  each thread runs past its N-th __syncthreads
 *   no-wait           each N-th cuEventSynchronize returns at once */
uint32_t sim_breaks(const char *what);

#endif /* SIMCUDA_SIM_H */
