/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_UNITE_H__
#define __GST_CCA_TRACK_UNITE_H__

#include "gstccajoin.h"

G_BEGIN_DECLS

/* Unites components whose boxes overlap, or that the analyser has grouped, to
 * groups. */
typedef struct {
  const GstCcaComponent *groups;        /* in the order of their first ones */
  guint n_groups;
  guint *group_of;              /* of each component */

  /*< private >*/
  const GstCcaComponent *components;
  guint percent;
  GstCcaComponent *united;
  struct _GstCcaUniteSum *sums; /* of each group */
  guint *parents;               /* of each component: one before it, or itself */
  GstCcaKey *keys;              /* the group in the meta of each component */
  gsize group_of_capacity, united_capacity, sums_capacity;
  gsize parents_capacity, keys_capacity;
  GstCcaJoin join;
} GstCcaUnite;

/* Frees all memory. */
void gst_cca_unite_clear (GstCcaUnite * self);

/* Unites two components if their boxes have that part of the smaller one in
 * common (0: no part), or with by_group if they are in the same group of the
 * meta, and all that are connected by such pairs. The box of a
 * group is the smallest one around its boxes, less than 2^32 wide and high, and
 * its centroid is the mean weighted by area. The groups are valid as long as the
 * components. Returns FALSE if memory runs out. */
gboolean gst_cca_unite_run (GstCcaUnite * self,
    const GstCcaComponent * components, guint n, guint percent,
    gboolean by_group);

G_END_DECLS

#endif /* __GST_CCA_TRACK_UNITE_H__ */
