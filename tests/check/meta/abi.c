/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Applications allocate these structs and index arrays of them, so neither
 * sizes nor offsets may change. A new field replaces reserved ones. */

#include <gst/ccameta/ccameta.h>

#include "../suite.h"

static GstCheckABIStruct structs[] = {{"GstCcaAnalysis",
                                        sizeof (GstCcaAnalysis), 48},
  {"GstCcaComponent", sizeof (GstCcaComponent), 72},
  {"GstCcaFeatures", sizeof (GstCcaFeatures), 128}, {NULL, 0, 0}};

#define FIELD(type, field, offset) \
  {#type "." #field, G_STRUCT_OFFSET (type, field), offset}

static GstCheckABIStruct fields[] = {FIELD (GstCcaAnalysis, width, 0),
  FIELD (GstCcaAnalysis, height, 4), FIELD (GstCcaAnalysis, threshold, 8),
  FIELD (GstCcaAnalysis, threshold_high, 12),
  FIELD (GstCcaAnalysis, invert, 16), FIELD (GstCcaAnalysis, connectivity, 20),
  FIELD (GstCcaAnalysis, n_found, 24), FIELD (GstCcaAnalysis, depth, 28),
  FIELD (GstCcaAnalysis, foreground, 32), FIELD (GstCcaAnalysis, flags, 36),
  FIELD (GstCcaAnalysis, region_area, 40), FIELD (GstCcaComponent, id, 0),
  FIELD (GstCcaComponent, x, 4), FIELD (GstCcaComponent, y, 8),
  FIELD (GstCcaComponent, width, 12), FIELD (GstCcaComponent, height, 16),
  FIELD (GstCcaComponent, flags, 20), FIELD (GstCcaComponent, area, 24),
  FIELD (GstCcaComponent, centroid_x, 32),
  FIELD (GstCcaComponent, centroid_y, 40),
  FIELD (GstCcaComponent, track_id, 48), FIELD (GstCcaComponent, zones, 56),
  FIELD (GstCcaComponent, group, 64), FIELD (GstCcaFeatures, xx, 0),
  FIELD (GstCcaFeatures, xy, 8), FIELD (GstCcaFeatures, yy, 16),
  FIELD (GstCcaFeatures, v, 24), FIELD (GstCcaFeatures, vv, 32),
  FIELD (GstCcaFeatures, vx, 40), FIELD (GstCcaFeatures, vy, 48),
  FIELD (GstCcaFeatures, v_min, 56), FIELD (GstCcaFeatures, v_max, 60),
  FIELD (GstCcaFeatures, v_max_x, 64), FIELD (GstCcaFeatures, v_max_y, 68),
  FIELD (GstCcaFeatures, e4, 72), FIELD (GstCcaFeatures, q4, 80),
  FIELD (GstCcaFeatures, w1, 88), {NULL, 0, 0}};

TEST (test_structs)
{
  gst_check_abi_list (structs, TRUE);
}

TEST (test_fields)
{
  gst_check_abi_list (fields, TRUE);
}

TEST (test_enums)
{
  assert_equals_int (GST_CCA_FOREGROUND_THRESHOLD, 0);
  assert_equals_int (GST_CCA_FOREGROUND_OTSU, 1);
  assert_equals_int (GST_CCA_FOREGROUND_DIFFERENCE, 2);
  assert_equals_int (GST_CCA_FOREGROUND_SIGMA_DELTA, 3);
  assert_equals_int (GST_CCA_ANALYSIS_FLAG_WARMING_UP, 1);
  assert_equals_int (GST_CCA_ANALYSIS_FLAG_LIGHT_CHANGED, 2);
  assert_equals_int (GST_CCA_ANALYSIS_FLAG_OVERLOAD, 4);
  assert_equals_int (GST_CCA_FEATURE_FLAG_MOMENTS, 1);
  assert_equals_int (GST_CCA_FEATURE_FLAG_INTENSITY, 2);
  assert_equals_int (GST_CCA_FEATURE_FLAG_SHAPE, 4);
}

SUITE ("abi");
