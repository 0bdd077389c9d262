/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "opencv-measure.h"

int64_t opencv_measure(const CcaFrame *const frame, const uint32_t threshold,
                       const uint32_t connectivity, CcaFeatures *const features,
                       const uint32_t room)
{
    (void) frame;
    (void) threshold;
    (void) connectivity;
    (void) features;
    (void) room;
    return -1;
}
