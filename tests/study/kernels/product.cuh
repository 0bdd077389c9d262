/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_STUDY_PRODUCT_CUH
#define CCA_STUDY_PRODUCT_CUH

/* The product's device code that kernels of the study use. */

#include "cuda/common.cuh"
#include "cuda/flsl/conflicts.cuh"
#include "cuda/flsl/unite.cuh"
#include "cuda/single/barrier.cuh"

#endif /* CCA_STUDY_PRODUCT_CUH */
