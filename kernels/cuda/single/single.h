/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_SINGLE_H
#define CCA_CUDA_SINGLE_H

#include "../state.h"

extern const CudaAlgorithm cca_cuda_single;

#endif /* CCA_CUDA_SINGLE_H */
