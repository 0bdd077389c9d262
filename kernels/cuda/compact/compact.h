/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_COMPACT_H
#define CCA_CUDA_COMPACT_H

/* The last steps of all algorithms with several kernels. */

#include "../../engine.h"
#include "../image.h"
#include "../launch.h"
#include "../tables/compact.h"
#include "../tables/measure.h"

/* The peaks of a frame with min_peak. */
CudaPeaks cca_compact_peaks(const CcaJob *job, const CcaConfig *config);

/* Sets what to measure of a frame, and where its pixels are. */
void cca_compact_measure(CudaMeasure *m, const CcaJob *job, const CcaConfig *config);

/* Ranks the components whose first pixels are marked. */
void cca_compact_rank(CudaLaunches *launches, CudaCompact *compact);

/* After the ranks: writes label 0 outside the region, if labels are requested. */
void cca_compact_clear_labels(CudaLaunches *launches, const CudaImage *image,
                              const CudaCompact *compact, const CudaLabels *labels);

/* Selects the largest of the ranked components. `kernel` gets `args`, followed by the number of
 * the pass. */
void cca_compact_select(CudaLaunches *launches, CudaKernel kernel, uint32_t blocks, uint32_t n_args,
                        const CudaArg *args);

#endif /* CCA_CUDA_COMPACT_H */
