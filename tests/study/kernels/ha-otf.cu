/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* HA+OTF, ICASSP 2021: the labelling of HA, and Algorithm 2 in place of its merge; there is
 * no feature kernel. */

#include "ha4.cuh"
#include "kernel.cuh"
#include "on-the-fly.cuh"

STUDY_KERNEL(study_ha_otf_strips, label_strips<uint64_t, OnTheFly>)
STUDY_KERNEL(study_ha_otf_borders, merge_borders<uint64_t, OnTheFly>)
