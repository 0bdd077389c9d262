/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CHECKCCA_OPTIONS_H
#define CHECKCCA_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum Set {
    SET_TINY,  /* seconds under valgrind */
    SET_QUICK, /* seconds */
    SET_FULL,  /* an hour, gigabytes */
} Set;

typedef struct Options {
    Set set;
    uint64_t seed;
    const char *filter;     /* part of a group's name, or NULL */
    const char *engine;     /* name or beginning of one, or NULL */
    const char *group;      /* the one group to replay, or NULL */
    uint64_t first, last;   /* its cases to replay */
    uint32_t part, n_parts; /* 1 to n_parts */
    bool stop;              /* after a case with a difference */
    bool list, bench, verbose, quick, json;
    const char *json_file; /* NULL: standard output */
    const char *frames;    /* raw GRAY8 frames to time, or NULL */
    uint32_t frame_width, frame_height;
    uint32_t threshold;  /* for those frames */
    uint32_t foreground; /* CcaForeground, for those frames, and the radii */
    uint32_t open_radius, close_radius;
    uint32_t absorb_after;
    bool light;
} Options;

const char *set_name(Set set);

/* Returns an exit status, or -1 to continue. */
int options_parse(Options *options, int argc, char **argv);

#endif /* CHECKCCA_OPTIONS_H */
