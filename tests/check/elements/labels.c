/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The label images of cca. */

#include "labels-suite.h"

static const Place place = {"cca", harness_new, frame_new, frame_caps, NULL};

static Suite *
cca_labels_suite (void)
{
  return labels_suite (&place);
}

GST_CHECK_MAIN (cca_labels);
