/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* From the papers' sparse tables to a list of components, for whoever looks at them. */

#include "flsl.cuh"
#include "kernel.cuh"
#include "lines.cuh"

DEVICE void gather(const StudyTables &t, const uint32_t l)
{
    const uint32_t i = atomicAdd(t.n_components, 1);
    t.components[i] = {
        l, t.S[l], t.min_x[l], t.min_y[l], t.max_x[l], t.max_y[l], t.Sx[l], t.Sy[l]
    };
}

/* Labels are pixel addresses; only those of starts are sure to be set.
 * Grid: STUDY_LINES_32. */
DEVICE void gather_pixels(const CudaImage &image, const StudyTables &t)
{
    const uint32_t x = blockIdx.y * WARP + threadIdx.x;
    const uint32_t y = blockIdx.x * STUDY_STRIP + threadIdx.y;
    const bool starts = is_foreground(image, x, y) && (x == 0 || !is_foreground(image, x - 1, y));
    const uint32_t l = address(image, x, y);
    if (starts && t.L[l] == l)
        gather(t, l);
}

/* Labels are runs. Grid: STUDY_ROWS. */
DEVICE void gather_runs(const CudaImage &image, const StudyTables &t)
{
    const RowPart part = row_part();
    const uint32_t y = part.row;
    if (y >= image.height)
        return;
    const uint32_t n_runs = t.flsl.n_edges[y] / 2;
    for (uint32_t s = part.begin + threadIdx.x; s < n_runs; s += RowPart::step) {
        const uint32_t l = y * t.flsl.run_stride + s;
        if (t.L[l] == l)
            gather(t, l);
    }
}

STUDY_KERNEL(study_gather_pixels, gather_pixels)
STUDY_KERNEL(study_gather_runs, gather_runs)
