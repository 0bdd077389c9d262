/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The label images of cca. */

#include "place.h"

const Place place = {"cca", harness_new, frame_new, frame_caps, NULL};

SUITE ("labels", .timeout = -1);
