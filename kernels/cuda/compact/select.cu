/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "select.cuh"

/* The selection with the areas in a table. */
extern "C" __global__ void __launch_bounds__(CCA_SELECT_THREADS)
    cca_select_count(const CudaCompact compact, const uint32_t pass)
{
    begin_dependent();
    SelectPass s;
    if (!begin_select(compact, pass, s))
        return;
    const uint32_t n = compact.header->n_found;
    for (uint32_t rank = blockIdx.x * CCA_SELECT_THREADS + threadIdx.x; rank < n;
         rank += gridDim.x * CCA_SELECT_THREADS)
        count_key(s, compact.areas[rank], rank);
    end_select(compact, pass, s);
}
