/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_TEST_PLACE_H__
#define __CCA_TEST_PLACE_H__

#include "util.h"

/* An analysing element, and where its frames are. */
typedef struct
{
  const gchar *element;
  GstHarness *(*harness) (const gchar * description, GstVideoFormat format,
      guint width, guint height, GstBus ** bus);
  GstBuffer *(*frame) (GstVideoFormat format, const Picture * picture,
      const Layout * layout);
  GstCaps *(*caps) (GstVideoFormat format, guint width, guint height);
  guint (*n_frames) (void);     /* that a clip has */
} Place;

/* The program of the suite defines it. */
extern const Place place;

#endif /* __CCA_TEST_PLACE_H__ */
