/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_BENCH_OPENCV_MEASURE_H
#define CCA_BENCH_OPENCV_MEASURE_H

#include "cca.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The moments and the intensity of the components of an 8-bit frame above a threshold, as one gets
 * them of OpenCV: a mask of each box of connectedComponentsWithStats for moments, minMaxLoc and
 * meanStdDev. Fills up to `room` entries, in raster order, and returns the number of components;
 * -1 on errors and without OpenCV. */
int64_t opencv_measure(const CcaFrame *frame, uint32_t threshold, uint32_t connectivity,
                       CcaFeatures *features, uint32_t room);

#ifdef __cplusplus
}
#endif

#endif /* CCA_BENCH_OPENCV_MEASURE_H */
