/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* All kernels, as one module. */

#include "compact/labels.cu"
#include "compact/rank.cu"
#include "compact/select.cu"
#include "foreground/mask.cu"
#include "foreground/morphology.cu"
#include "foreground/otsu.cu"
#include "flsl/segments.cu"
#include "flsl/unions.cu"
#include "flsl/votes.cu"
#include "flsl/peaks.cu"
#include "flsl/roots.cu"
#include "flsl/labels.cu"
#include "single/single.cu"
#include "super/stages.cu"
#include "super/super.cu"
#include "tiled/tile.cu"
#include "tiled/merge.cu"
#include "tiled/reduce.cu"
#include "tiled/peaks.cu"
#include "tiled/roots.cu"
#include "tiled/labels.cu"
#include "tiled/fine/tile.cu"
#include "tiled/fine/emit.cu"
