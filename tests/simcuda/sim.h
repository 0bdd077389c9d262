/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Declarations that the parts of the simulated driver share; see check.cpp and kernels.cpp. */

#ifndef SIMCUDA_SIM_H
#define SIMCUDA_SIM_H

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

/* Value of memory that has not been written. */
#define SIM_POISON 0xa5

/* A rule was broken: prints a line; the process will exit with status 99. With
 * SIMCUDA_ABORT set it aborts here. */
void sim_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* N of SIMCUDA_BREAK=WHAT:N if that is `what`, else 0. It breaks the simulation,
 * so that tests can be seen to fail:
 *   skip-syncthreads  each thread runs past its N-th __syncthreads
 *   no-wait           each N-th cuEventSynchronize returns at once */
uint32_t sim_breaks(const char *what);

struct SimParam {
    size_t size;                  /* bytes */
    std::vector<size_t> pointers; /* words of 8 bytes that may be some */
};

/* A kernel, called as one CUDA thread. */
struct SimKernel {
    const char *name;
    void (*call)(void *const *params);
    std::vector<SimParam> params;
};

/* Adds kernels to those that modules have: an object of static storage duration in each
 * translation unit that defines some. */
struct SimKernels {
    SimKernels(std::initializer_list<SimKernel> kernels);
};

/* nullptr if there is none of that name. */
const SimKernel *sim_find_kernel(const char *name);

/* Maximum number of threads of a block of the kernel. */
uint32_t sim_max_threads(const SimKernel &kernel);

#endif /* SIMCUDA_SIM_H */
