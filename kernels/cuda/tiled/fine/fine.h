/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_FINE_H
#define CCA_CUDA_FINE_H

/* The fine mode of the tiled algorithm: other first and last kernels for frames of fine grain. */

#include "../../state.h"

void cca_fine_prepare(CudaEngine *e);
void cca_fine_lay_out(CudaFine *tables, CcaArena *arena, const CcaConfig *config);

/* The first returns whether the frame in `slot` uses the fine mode. The second adapts this choice
 * after a frame. */
bool cca_fine_choose(CudaEngine *e, const CudaSlot *slot);
void cca_fine_learn(CudaEngine *e, const CudaSlot *slot);

/* Launch the first kernel, and the last, which gets an image without pixel pointer. */
void cca_fine_launch_first(CudaLaunches *launches, const CudaSlot *slot);
void cca_fine_launch_last(CudaLaunches *launches, const CudaSlot *slot, const CudaImage *region,
                          uint32_t blocks);

#endif /* CCA_CUDA_FINE_H */
