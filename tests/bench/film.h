/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_BENCH_FILM_H__
#define __CCA_BENCH_FILM_H__

#include <gst/gst.h>

/* Some seconds of H.264 in memory, which can be repeated. */
typedef struct {
    GstCaps *caps;
    GPtrArray *units; /* a buffer for each frame */
} Film;

/* A ball that moves; NULL if there is nothing to encode it with. */
Film *film_new(guint width, guint height);
void film_free(Film *film);

#endif /* __CCA_BENCH_FILM_H__ */
