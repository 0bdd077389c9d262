/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_TEST_OVERLAY_SUITE_H__
#define __CCA_TEST_OVERLAY_SUITE_H__

#include "overlay-paint.h"
#include "util.h"

/* A drawing element, and where its frames are. */
typedef struct
{
  const gchar *element;
  const gchar *features;        /* of its caps */
  guint n_rounds;               /* of random frames, for each format */

  /* Moves a frame, which it takes, to the element's memory. */
  GstBuffer *(*put) (GstBuffer * system, const GstVideoInfo * info);
  /* All bytes of the frame's memory, to be freed. */
  guint8 *(*get) (GstBuffer * buffer, gsize size);
} OverlayPlace;

/* The program of the suite defines it. */
extern const OverlayPlace overlay_place;

/* Every format that the elements take. */
extern const GstVideoFormat overlay_formats[];
extern const guint n_overlay_formats;

/* Video info of the format, size and colorimetry. */
GstVideoInfo overlay_info (GstVideoFormat format, guint width, guint height,
    const gchar * colorimetry);

/* An element, and frames of one layout that it draws on. */
typedef struct
{
  GstHarness *h;
  GstBus *bus;
  GRand *rand;
  GstVideoInfo info;
  GstVideoRectangle picture;    /* the part of the frames that is drawn on */
  Style style;
  History history;
} OverlayRig;

OverlayRig overlay_rig_new (const OverlayPlace * place,
    const gchar * description, const GstVideoInfo * info, guint seed);

/* Requires that the bus has no unread errors or warnings. */
void overlay_rig_clear (OverlayRig * rig);

/* Random bytes in system memory, in rows of that info; a video meta says so. */
GstBuffer *overlay_frame (const GstVideoInfo * info, GRand * rand);

/* A component, its centroid in the middle. */
GstCcaComponent component_at (guint x, guint y, guint width, guint height,
    gint64 track_id);

/* Attaches components to a frame of that size, also impossible ones. */
void add_components (GstBuffer * buffer, guint width, guint height,
    const GstCcaComponent * components, guint n);

#endif /* __CCA_TEST_OVERLAY_SUITE_H__ */
