/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_FINE_H
#define CCA_CUDA_FINE_H

/* A mode of the tiled algorithm: frames of fine grain have a first and a last kernel of
 * their own. */

#include "../../state.h"

void cca_fine_prepare(CudaEngine *e);
void cca_fine_lay_out(CudaFine *tables, CcaArena *arena, const CcaConfig *config);

/* Whether the frame in `slot` goes by them, and what to learn from a frame that is done. */
bool cca_fine_choose(CudaEngine *e, const CudaSlot *slot);
void cca_fine_learn(CudaEngine *e, const CudaSlot *slot);

/* The first kernel, and the last, with an image without data. */
void cca_fine_launch_first(CudaLaunches *launches, const CudaSlot *slot);
void cca_fine_launch_last(CudaLaunches *launches, const CudaSlot *slot, const CudaImage *region,
                   uint32_t blocks);

#endif /* CCA_CUDA_FINE_H */
