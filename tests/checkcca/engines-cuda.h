/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CHECKCCA_ENGINES_CUDA_H
#define CHECKCCA_ENGINES_CUDA_H

#include "engines.h"

/* How the CUDA engine gets its frames. */
typedef enum CudaFrames {
    CUDA_FRAMES_HOST,   /* the engine uploads them */
    CUDA_FRAMES_DEVICE, /* they lie in device memory, with the case's stride and alignment */
} CudaFrames;

/* Whether there is a GPU that the CUDA engine runs on; if not, why. */
bool cuda_available(const char **why);

/* self->variant: CcaCudaAlgorithm * 2 + CudaFrames. */
CcaStatus cuda_open(CcaEngine **engine, const Engine *self);

#endif /* CHECKCCA_ENGINES_CUDA_H */
