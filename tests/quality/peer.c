/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Analyses raw GRAY8 frames on standard input with OpenCV's models of a background:
 *
 *   quality-peer WIDTH HEIGHT mog2|knn OPEN CLOSE MIN-AREA CONNECTIVITY
 *
 * A line for each frame: x, y, width, height, area and centroid of each component;
 * centroids are such that pixel 0 is 0 to 1. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../checkcca/opencv-peer.h"

static uint32_t number(const char *const text)
{
    return (uint32_t) strtoul(text, NULL, 10);
}

static void print(const OpencvRecord *const records, const int64_t n, const uint64_t min_area)
{
    for (int64_t i = 0; i < n; i++) {
        const OpencvRecord *const r = &records[i];
        if (r->area >= min_area)
            printf("%" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu64 " %.3f %.3f ", r->x,
                   r->y, r->width, r->height, r->area, r->centroid_x + 0.5, r->centroid_y + 0.5);
    }
    putchar('\n');
}

int main(const int argc, char **const argv)
{
    if (argc != 8 || (strcmp(argv[3], "mog2") != 0 && strcmp(argv[3], "knn") != 0))
        return 2;
    const OpencvModel model = strcmp(argv[3], "knn") == 0 ? OPENCV_KNN : OPENCV_MOG2;
    const uint32_t width = number(argv[1]), height = number(argv[2]);
    CcaParams params = CCA_DEFAULT_PARAMS;
    params.open_radius = number(argv[4]);
    params.close_radius = number(argv[5]);
    params.connectivity = number(argv[7]);

    const size_t size = (size_t) width * height;
    uint8_t *const pixels = malloc(size);
    OpencvPeer *const peer = opencv_open();
    int status = pixels == NULL || peer == NULL;
    const CcaFrame frame = { .data = pixels, .width = width, .height = height, .stride = width };
    while (status == 0 && fread(pixels, 1, size, stdin) == size) {
        const OpencvRecord *records;
        const int64_t n = opencv_analyse_moving(peer, &frame, &params, model, &records);
        if (n >= 0)
            print(records, n, number(argv[6]));
        else
            status = 1;
    }
    if (peer != NULL)
        opencv_close(peer);
    free(pixels);
    return status;
}
