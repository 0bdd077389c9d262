/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* All kernels of the study, as one module. */

#include "dlp.cu"
#include "flsl-cd.cu"
#include "flsl-otf.cu"
#include "flsl.cu"
#include "gather.cu"
#include "ha-cd.cu"
#include "ha-otf.cu"
#include "ha4.cu"
#include "inherit.cu"
#include "komura.cu"
#include "measure.cu"
#include "naive.cu"
#include "playne.cu"
#include "tmk.cu"
