/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_SUPER_H
#define CCA_CUDA_SUPER_H

#include "../state.h"

extern const CudaAlgorithm cca_cuda_super;

#endif /* CCA_CUDA_SUPER_H */
