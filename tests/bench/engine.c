/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* bench-engine POINT...: time of the CUDA engine.
 *
 *     SIZE/CONNECTIVITY/CONTENT          on the GPU, by its events: from the first launch
 *                                        until all records are in order in device memory
 *     flsl-cd/SIZE/CONNECTIVITY/CONTENT  the same by FLSL+CD
 *     tiled/SIZE/CONNECTIVITY/CONTENT    the same by the tiled algorithm
 *     super/SIZE/CONNECTIVITY/CONTENT    the same by super tiles
 *     staged/SIZE/CONNECTIVITY/CONTENT   the same with a kernel for each stage
 *     auto-FEATURES/SIZE/CONNECTIVITY/CONTENT
 *                                        the same with moments, intensity, shape or features (all)
 *     worst/CONNECTIVITY[/SIZE]          the worst adversary of all
 *     foreground/SIZE/BITS/MODE          the foreground modes
 *     host/SIZE/CONTENT                  until the CPU can read the records
 *     overlay/SIZE/OBJECTS[/trails]      drawing of cudaccaoverlay: boxes and ids, and trails
 *
 * CONTENT is g1, g4, g16 (mean over densities from 0 to 100 % in steps of 5), g1/40 (one
 * density), full, empty or an adversary such as spiral. --about prints the GPU's name. */

#include <string.h>

#include "timing.h"

static bool measure(Timing *const t, const Point *const point)
{
    t->failed = false;
    if (measure_device(t, point) || (!t->failed && measure_foreground(t, point)) ||
        (!t->failed && measure_host(t, point)) || (!t->failed && measure_overlay(t, point)))
        return true;
    point_no_figures(point, true, t->failed ? "the engine failed" : "there is no such point");
    return false;
}

int main(int argc, char **argv)
{
    Timing t;
    const char *why;
    bool ok = true;
    if (argc < 2 || (argv[1][0] == '-' && strcmp(argv[1], "--about") != 0)) {
        fprintf(stderr, "usage: bench-engine --about | POINT...\n");
        return 2;
    }
    const bool usable = timing_open(&t, &why);
    for (int i = 1; i < argc; i++) {
        Point point;
        if (!point_parse(&point, argv[i]))
            point_no_figures(&point, true, "there is no such point");
        else if (!usable)
            point_no_figures(&point, false, why);
        else if (strcmp(argv[i], "--about") == 0)
            printf("{\"gpu\": \"%s\", \"gb_s\": %.0f}\n", t.gpu->name, t.bytes_us / 1e3);
        else
            ok &= measure(&t, &point);
    }
    timing_close(&t);
    return !ok;
}
