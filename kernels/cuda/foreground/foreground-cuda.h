/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_FOREGROUND_H
#define CCA_CUDA_FOREGROUND_H

/* Computes the foreground mask from the samples. */

#include "../../engine.h"
#include "../image.h"
#include "../launch.h"
#include "../tables/foreground.h"

/* Words of 64 pixels of a mask of this size, and one more. */
uint64_t cca_foreground_mask_words(uint32_t width, uint32_t height);

/* Bytes of the background. */
uint64_t cca_foreground_background_size(const CcaConfig *config);

/* Copies a background of this form to or from `state`, which is in the layout of CcaBackground. */
CUresult cca_foreground_copy_background(const CcaCudaDriver *cu, CUdeviceptr background,
                                        const CcaConfig *config, const CcaBackground *form,
                                        uint8_t *state, bool import, CUstream stream);

/* Enqueues the copy of the background to where the job's frame has it written. */
CUresult cca_foreground_write_background(const CcaCudaDriver *cu, CUdeviceptr background,
                                         const CcaConfig *config, const CcaJob *job,
                                         CUstream stream);

/* Lays out the tables for frames up to `config`: first those that must be 0 before the first
 * frame, then the others. */
void cca_foreground_clear(CudaForeground *f, CcaArena *arena, const CcaConfig *config);
void cca_foreground_lay_out(CudaForeground *f, CcaArena *arena, const CcaConfig *config);

/* The first makes kernels compare `image` with Otsu's threshold; the second launches the
 * kernels that find the threshold. */
void cca_foreground_set_otsu(const CudaForeground *f, CudaImage *image, const CcaJob *job,
                             const CcaConfig *config);
void cca_foreground_otsu(CudaLaunches *launches, CudaForeground *f, const CudaImage *image,
                         const CcaJob *job, const CcaConfig *config);

/* Computes the mask from the pixels of `image`, updates the background, and makes `image` refer
 * to the mask. Opening and closing remain to be done. */
void cca_foreground_mask(CudaLaunches *launches, CudaForeground *f, CudaImage *image,
                         const CcaJob *job, const CcaConfig *config, CUdeviceptr background);

/* Opens and closes the mask of `image`, for algorithms that do not do so themselves. */
void cca_foreground_open(CudaLaunches *launches, CudaForeground *f, CudaImage *image,
                         const CcaJob *job);

#endif /* CCA_CUDA_FOREGROUND_H */
