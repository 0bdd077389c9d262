/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_FOREGROUND_H
#define CCA_CUDA_FOREGROUND_H

/* From samples to the mask of the foreground. */

#include "../../engine.h"
#include "../image.h"
#include "../launch.h"
#include "tables.h"

/* Bytes of the background. */
uint64_t cca_foreground_background_size(const CcaConfig *config);

/* The tables for frames up to `config`: those that are to be 0 before the first frame, and
 * the others. */
void cca_foreground_clear(CudaForeground *f, CcaArena *arena, const CcaConfig *config);
void cca_foreground_lay_out(CudaForeground *f, CcaArena *arena, const CcaConfig *config);

/* Lets `image` be compared with Otsu's threshold, and finds that. */
void cca_foreground_set_otsu(const CudaForeground *f, CudaImage *image, const CcaJob *job,
                             const CcaConfig *config);
void cca_foreground_otsu(CudaLaunches *launches, CudaForeground *f, const CudaImage *image,
                         const CcaConfig *config);

/* From the pixels of `image` to the mask, which replaces them in it and is still to be opened
 * and closed; and the background with them. */
void cca_foreground_mask(CudaLaunches *launches, CudaForeground *f, CudaImage *image,
                         const CcaJob *job, const CcaConfig *config, CUdeviceptr background);

/* Opens and closes the mask of `image`, for a labelling that does not. */
void cca_foreground_open(CudaLaunches *launches, CudaForeground *f, CudaImage *image);

#endif /* CCA_CUDA_FOREGROUND_H */
