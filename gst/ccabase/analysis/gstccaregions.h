/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_REGIONS_H__
#define __GST_CCA_REGIONS_H__

#include <gst/ccameta/gstccashapes.h>
#include <gst/gst.h>

#include "cca-mask.h"
#include "gstccamaskpicture.h"

G_BEGIN_DECLS

#define GST_CCA_MAX_REGIONS 64
#define GST_CCA_REGION_MAX_POINTS 256
#define GST_CCA_REGION_MAX_COORDINATE (1 << 20)

/* A polygon. Its points are in pixels of a picture of the reference size, from
 * the left and top edge; a size of 0 is that of the analysed picture. */
typedef struct {
  GstStructure *description;    /* as in the property */
  gboolean is_exclude;
  gint32 *points;               /* x0, y0, x1, y1 and so on */
  guint n_points;
  guint reference_width, reference_height;
  guint min_area, max_area;     /* in pixels of the picture; 0: the element's */
} GstCcaRegion;

/* The value of the property regions: immutable, with a reference count. */
typedef struct {
  gint ref_count;
  guint n;
  GstCcaRegion region[];
} GstCcaRegions;

/* The sources of the working set, which are the pixels to analyse. Equal pointers
 * mean equal sets. */
typedef struct {
  GstCcaRegions *regions;
  GstCcaMaskPicture *file, *picture;    /* of mask-location and mask, or NULL */
} GstCcaWorkingSet;

/* The working set in a picture, with a reference count. */
typedef struct {
  CcaMask *mask;                /* for the engine */
  GstCcaShapes *shapes;         /* for the metas */
} GstCcaRegionMask;

/* Returns NULL if the array is not valid; then *why is the reason, to be freed,
 * without a final period. Otherwise *why is NULL. */
GstCcaRegions *gst_cca_regions_new (const GValue * array, gchar ** why);
GstCcaRegions *gst_cca_regions_ref (GstCcaRegions * self);
void gst_cca_regions_unref (GstCcaRegions * self);

/* Appends the structures to an array, as the property has them. */
void gst_cca_regions_get (const GstCcaRegions * self, GValue * array);

const gchar *gst_cca_region_get_name (const GstCcaRegion * self);

/* Takes references for a copy, after which *to has none on the old content. */
void gst_cca_working_set_copy (GstCcaWorkingSet * to,
    const GstCcaWorkingSet * from);
void gst_cca_working_set_clear (GstCcaWorkingSet * self);
gboolean gst_cca_working_set_is_all (const GstCcaWorkingSet * self);

/* Returns the pixels of a picture that are in a region to include, or all if
 * there is none, in no region to exclude, and in both masks, which are scaled to
 * the picture; NULL if memory ran out. */
GstCcaRegionMask *gst_cca_working_set_draw (const GstCcaWorkingSet * self,
    guint width, guint height);
GstCcaRegionMask *gst_cca_region_mask_ref (GstCcaRegionMask * self);
void gst_cca_region_mask_unref (GstCcaRegionMask * self);

G_END_DECLS

#endif /* __GST_CCA_REGIONS_H__ */
