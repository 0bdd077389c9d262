/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "flsl/flsl.h"
#include "single/single.h"
#include "super/super.h"
#include "tiled/tiled.h"

const CudaAlgorithm *const cca_cuda_algorithms[] = {
    &cca_cuda_single, &cca_cuda_super, &cca_cuda_flsl, &cca_cuda_tiled, NULL,
};
