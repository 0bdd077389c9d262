/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The frames in flight of cca. */

#include "flight-suite.h"

static guint
n_frames (void)
{
  return 40;
}

static const Place place = {
  "cca", harness_new, frame_new, frame_caps, n_frames,
};

static Suite *
cca_flight_suite (void)
{
  return flight_suite (&place);
}

GST_CHECK_MAIN (cca_flight);
