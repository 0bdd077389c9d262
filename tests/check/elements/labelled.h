/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_TEST_LABELLED_H__
#define __CCA_TEST_LABELLED_H__

#include <gst/ccameta/gstccabackgroundmeta.h>
#include <gst/ccameta/gstccalabelsmeta.h>

#include "util.h"

/* A buffer with a label image, made by hand. */
typedef struct
{
  guint width, height;          /* of the label image */
  guint depth;                  /* 8 or 16 */
  guint padding;                /* bytes after each row of it */
  guint n_labels;
  guint seed;
  guint n_tracked;              /* two components of three up to here have a
                                 * track */
} Labelled;

/* The label at a pixel of the image; 0 for about one in three. */
guint labelled_label (const Labelled * labelled, guint x, guint y);

/* The track of a label, -1 if it has none. */
gint64 labelled_track (const Labelled * labelled, guint label);

/* The label image alone. */
GstBuffer *labelled_picture (const Labelled * labelled);

/* A small buffer with its GstCcaMeta and the label image, whose reference it
 * takes, unless that is NULL. */
GstBuffer *labelled_buffer (const Labelled * labelled, GstBuffer * picture);

/* A small buffer with its GstCcaMeta and the picture as its background, whose
 * reference it takes. The labels are the values. */
GstBuffer *background_buffer (const Labelled * labelled, GstBuffer * picture,
    guint depth);

#endif /* __CCA_TEST_LABELLED_H__ */
