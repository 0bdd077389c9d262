/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_GROUPS_H__
#define __GST_CCA_GROUPS_H__

#include <gst/ccameta/gstccameta.h>

G_BEGIN_DECLS

#define GST_CCA_MAX_GROUP_DISTANCE 1000

/* Memory that is reused from frame to frame. */
typedef struct {
  guint *memory;
  gsize capacity;
} GstCcaGroups;

void gst_cca_groups_clear (GstCcaGroups * self);

/* Sets the groups of n components of a picture: those whose boxes have less than
 * distance pixels between them in both directions are in one group, and all that
 * are connected by such pairs. The group is the smallest id of its components.
 * Ids are in raster order of the components. Returns FALSE if memory runs
 * out. */
gboolean gst_cca_groups_form (GstCcaGroups * self,
    GstCcaComponent * components, guint n, guint width, guint height,
    guint distance);

G_END_DECLS

#endif /* __GST_CCA_GROUPS_H__ */
