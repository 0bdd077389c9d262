/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* FLSL+OTF, ICASSP 2021: Algorithm 2 in place of FLSL's merge; there is no feature kernel. */

#include "flsl.cuh"
#include "kernel.cuh"
#include "on-the-fly.cuh"

STUDY_KERNEL(study_flsl_otf_strips, label_run_strips<OnTheFly>)
STUDY_KERNEL(study_flsl_otf_borders, merge_run_borders<OnTheFly>)
