/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* All kernels, as one module. */

#include "emit/labels.cu"
#include "emit/rank.cu"
#include "emit/select.cu"
#include "foreground/mask.cu"
#include "foreground/morphology.cu"
#include "foreground/otsu.cu"
#include "flsl/segments.cu"
#include "flsl/unions.cu"
#include "flsl/votes.cu"
#include "flsl/roots.cu"
#include "flsl/labels.cu"
#include "small/small.cu"
#include "tiled/tile.cu"
#include "tiled/merge.cu"
#include "tiled/reduce.cu"
#include "tiled/roots.cu"
#include "tiled/labels.cu"
#include "dense/tile.cu"
#include "dense/emit.cu"
