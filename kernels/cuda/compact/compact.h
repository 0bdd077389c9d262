/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_COMPACT_H
#define CCA_CUDA_COMPACT_H

/* The last steps, which the algorithms of several kernels share. */

#include "../image.h"
#include "../launch.h"
#include "tables.h"

/* Ranks the components whose first pixels are marked. */
void cca_compact_rank(CudaLaunches *launches, CudaCompact *compact);

/* After that: clears the labels outside the region, if there are any. */
void cca_compact_clear_labels(CudaLaunches *launches, const CudaImage *image,
                              const CudaCompact *compact, const CudaLabels *labels);

/* Finds which of the ranked components are the largest, with a kernel that has these
 * arguments and the pass. */
void cca_compact_select(CudaLaunches *launches, CudaKernel kernel, uint32_t blocks,
                        uint32_t n_args, const CudaArg *args);

#endif /* CCA_CUDA_COMPACT_H */
