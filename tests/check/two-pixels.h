/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_TEST_TWO_PIXELS_H__
#define __CCA_TEST_TWO_PIXELS_H__

#include <gst/ccameta/gstccafeatures.h>

/* A component of the pixels 3,5 and 4,5 with the values 10 and 30. */
static const GstCcaComponent two_pixels = {.id = 1,
  .x = 3,
  .y = 5,
  .width = 2,
  .height = 1,
  .area = 2,
  .centroid_x = 3.5,
  .centroid_y = 5,
  .track_id = -1};

static const GstCcaFeatures two_pixels_features = {.xx = 25,
  .xy = 35,
  .yy = 50,
  .v = 40,
  .vv = 1000,
  .vx = 150,
  .vy = 200,
  .v_min = 10,
  .v_max = 30,
  .v_max_x = 4,
  .v_max_y = 5,
  .e4 = 1,
  .w1 = 6};

#endif /* __CCA_TEST_TWO_PIXELS_H__ */
