/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_BACKGROUND_H
#define CCA_CUDA_BACKGROUND_H

#include "../engine.h"

/* Implement CcaEngineOps. */
CcaStatus cca_cuda_export_background(CcaEngine *engine, const CcaBackground *form, uint8_t *state);
CcaStatus cca_cuda_import_background(CcaEngine *engine, const CcaBackground *form,
                                     const uint8_t *state);

#endif /* CCA_CUDA_BACKGROUND_H */
