/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CHECKCCA_ENGINES_CUDA_H
#define CHECKCCA_ENGINES_CUDA_H

#include "engines.h"

/* Whether there is a GPU that the CUDA engine runs on; if not, why. */
bool cuda_available(const char **why);

/* self->variant: CcaCudaAlgorithm. */
CcaStatus cuda_open(CcaEngine **engine, const Engine *self);

#endif /* CHECKCCA_ENGINES_CUDA_H */
