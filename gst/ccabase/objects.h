/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_OBJECTS_H__
#define __GST_CCA_OBJECTS_H__

#include <gst/analytics/analytics.h>
#include <gst/ccameta/gstccameta.h>

#include "settings.h"

G_BEGIN_DECLS

/* The stock metas that an element attaches to one buffer. */
typedef struct {
  GstBuffer *buffer;            /* with writable metadata */
  GstCcaMetaTypes types;        /* roi, analytics or both */
  const gchar *object_type;
  guint width, height;          /* of the video */
  guint others;                 /* entries that the relation meta gets besides */

  /* set by the functions below */
  guint regions, objects;       /* room for so many more */
  guint64 left_out;             /* components that were not attached */
} GstCcaObjects;

/* Makes room for n components. Afterwards the buffer has at most max_objects
 * regions, and at most as many entries in its relation meta, those of other
 * elements counted: it takes the square of that in bytes. */
void gst_cca_objects_begin (GstCcaObjects * self, guint max_objects,
    guint64 n);

/* Attaches the first components of a meta, as many as there is room for. FALSE
 * if the buffer does not take them. */
gboolean gst_cca_objects_add (GstCcaObjects * self, const GstCcaMeta * meta);

/* Whether there is a region of that type. */
gboolean gst_cca_has_regions (GstBuffer * buffer, GQuark type);

/* Makes room for that many entries more, at least 1. The buffer's relation meta,
 * perhaps a new one; NULL if the buffer does not take one. */
GstAnalyticsRelationMeta *gst_cca_relations_reserve (GstBuffer * buffer,
    guint more);

G_END_DECLS

#endif /* __GST_CCA_OBJECTS_H__ */
