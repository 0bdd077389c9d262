/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The product's kernels by name. */

#ifndef SIMCUDA_KERNELS_H
#define SIMCUDA_KERNELS_H

#include <cstddef>
#include <cstdint>

struct SimKernel {
    const char *name;
    void (*call)(void *const *params); /* as one CUDA thread */
    const size_t *param_sizes;
    uint32_t n_params;
};

/* nullptr if there is none of that name. */
const SimKernel *sim_find_kernel(const char *name);

#endif /* SIMCUDA_KERNELS_H */
