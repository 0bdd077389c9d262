/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_CUDA_RIG_H__
#define __CCA_CUDA_RIG_H__

#include <glib.h>

#include "../checkcca/gpu.h"
#include "cca-cuda.h"

G_BEGIN_DECLS

/* Functions shared by the tests of the CUDA engine on the simulated driver. */

extern const Gpu *rig_gpu;

void rig_setup (void);

/* Releases the context, where the driver looks for leaks. */
void rig_teardown (void);

/* Another GPU, and its end. */
Gpu rig_open_other (void);
void rig_close_other (const Gpu * other);

CcaEngine *rig_open (CcaCudaAlgorithm algorithm);

/* A copy of the pixels on the GPU, and its end. */
const guint8 *rig_upload (const guint8 * pixels, gsize size);
void rig_release (const guint8 * copy);

void rig_assert_same (const CcaResult * result, const CcaResult * expected);

G_END_DECLS

#endif /* __CCA_CUDA_RIG_H__ */
