/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The regions of cca. */

#include "place.h"

static guint
n_frames (void)
{
  return 1;
}

const Place place = {"cca", harness_new, frame_new, frame_caps, n_frames};

SUITE ("regions");
