/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The regions of cudacca: the suite of cca. */

#include "cudautil.h"
#include "../elements/place.h"

static guint
n_frames (void)
{
  return 1;
}

const Place place = {
  "cudacca",
  shared_harness_new,
  shared_frame_new,
  cuda_caps,
  n_frames,
};

CUDA_SUITE ("cuda-regions");
