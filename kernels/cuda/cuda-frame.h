/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_FRAME_H
#define CCA_CUDA_FRAME_H

#include "state.h"

/* Implement CcaEngineOps. */
CcaStatus cca_cuda_analyse(CcaEngine *engine, uint32_t slot_index, const CcaJob *job);
CcaStatus cca_cuda_collect(CcaEngine *engine, uint32_t slot_index, CcaResult *result);

/* Makes work on `stream` wait for the frames in flight that use the background, which must be
 * used in the order of the frames. Collected frames need no wait. */
CUresult cca_cuda_wait_for_background(CudaEngine *e, CUstream stream);

/* Marks the slot's frame as not in flight any more. */
void cca_cuda_end_frame(CudaEngine *e, CudaSlot *slot);

#endif /* CCA_CUDA_FRAME_H */
