/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The elements of cudacca are registered only if there is a driver. The pages read their properties
 * with the simulated one, which needs no kernels for that. */

#include "run.h"
#include "sim.h"

/* The section of shared variables, which kernels would make */
__attribute__((section(SIMCUDA_SHARED), used)) static char nothing_shared[16];

const SimKernel *sim_find_kernel(const char *)
{
    return nullptr;
}
