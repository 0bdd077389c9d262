/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_OVERLAY_TABLES_H
#define CCA_CUDA_OVERLAY_TABLES_H

/* What host and kernel share: the pixels of a block, whole cells, and its threads. */
#define CCA_OVERLAY_TILE_WIDTH 64
#define CCA_OVERLAY_TILE_HEIGHT 32
#define CCA_OVERLAY_THREADS 256

#endif /* CCA_CUDA_OVERLAY_TABLES_H */
