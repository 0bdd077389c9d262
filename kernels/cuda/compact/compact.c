/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <string.h>

#include "compact.h"

CudaPeaks cca_compact_peaks(const CcaJob *const job, const CcaConfig *const config)
{
    return (CudaPeaks) {
        .data = job->data,
        .stride = job->stride,
        .sample_size = config->sample_size,
        .lift = job->lift,
        /* no sample is larger than UINT16_MAX, so none is a peak */
        .low = job->peakless ? UINT16_MAX + 1 : job->peak_low,
        .range = job->peakless ? 0 : job->peak_range,
    };
}

void cca_compact_measure(CudaMeasure *const m, const CcaJob *const job,
                         const CcaConfig *const config)
{
    m->pixels = job->data;
    m->stride = job->stride;
    m->flags = config->features;
    m->wide = config->sample_size == 2;
    m->shift = config->shift;
    m->mask = (1u << config->depth) - 1;
}

void cca_compact_rank(CudaLaunches *const launches, CudaCompact *const compact)
{
    const CudaArg args[] = { CUDA_ARG(compact) };
    cca_cuda_launch(launches, CUDA_RANK_SCAN, compact->patches_y, CCA_RANK_THREADS, 1, 1, args);
}

void cca_compact_clear_labels(CudaLaunches *const launches, const CudaImage *const image,
                              const CudaCompact *const compact, const CudaLabels *const labels)
{
    if (labels->data == NULL || (image->width == labels->width && image->height == labels->height))
        return;
    /* Without the pixel pointer the arguments do not change from frame to frame, so a graph needs
     * no update. */
    CudaImage region = *image;
    region.data = NULL;
    const CudaArg args[] = { CUDA_ARG(&region), CUDA_ARG(compact), CUDA_ARG(labels) };
    const uint32_t rows = CCA_LABEL_THREADS / 32;
    cca_cuda_launch(launches, CUDA_LABELS_OUTSIDE, (labels->height - 1) / rows + 1,
                    CCA_LABEL_THREADS, 1, 3, args);
}

void cca_compact_select(CudaLaunches *const launches, const CudaKernel kernel,
                        const uint32_t blocks, const uint32_t n_args, const CudaArg *const args)
{
    CudaArg with_pass[CCA_MAX_ARGS];
    memcpy(with_pass, args, n_args * sizeof(*args));
    for (uint32_t pass = 0; pass <= CCA_SELECT_DIGITS; pass++) {
        with_pass[n_args] = (CudaArg) CUDA_ARG(&pass);
        cca_cuda_launch(launches, kernel, pass < CCA_SELECT_DIGITS ? blocks : 1, CCA_SELECT_THREADS,
                        1, n_args + 1, with_pass);
    }
}
