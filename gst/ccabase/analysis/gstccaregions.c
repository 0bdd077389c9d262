/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The regions to analyse: reads them from structures, and draws them as a mask
 * for the engine. */

#include "gstccaregions.h"

#include "gst/ccabase/gstccaproperty.h"

static void
clear_region (GstCcaRegion *self)
{
  g_clear_pointer (&self->description, gst_structure_free);
  g_clear_pointer (&self->points, g_free);
}

GstCcaRegions *
gst_cca_regions_ref (GstCcaRegions *self)
{
  g_atomic_int_inc (&self->ref_count);
  return self;
}

void
gst_cca_regions_unref (GstCcaRegions *self)
{
  guint i;

  if (!g_atomic_int_dec_and_test (&self->ref_count))
    return;
  for (i = 0; i < self->n; i++)
    clear_region (&self->region[i]);
  g_free (self);
}

const gchar *
gst_cca_region_get_name (const GstCcaRegion *self)
{
  return gst_structure_get_name (self->description);
}

/* --- fields --------------------------------------------------------------- */

/* Each of the following functions returns NULL, or the reason why the region is
 * invalid. */

static const gchar *
read_points (GstCcaRegion *self, const GValue *value)
{
  const guint n =
      GST_VALUE_HOLDS_ARRAY (value) ? gst_value_array_get_size (value) : 0;
  guint i;

  if (n % 2 != 0 || n < 6 || n > 2 * GST_CCA_REGION_MAX_POINTS)
    return "needs 3 to 256 points: x1, y1, x2, y2 and so on";
  self->n_points = n / 2;
  self->points = g_new (gint32, n);
  for (i = 0; i < n; i++) {
    const GValue *v = gst_value_array_get_value (value, i);
    const gint limit = GST_CCA_REGION_MAX_COORDINATE;

    if (!G_VALUE_HOLDS_INT (v) || g_value_get_int (v) < -limit
        || g_value_get_int (v) > limit)
      return "has a coordinate that is not an integer from -1048576 to 1048576";
    self->points[i] = g_value_get_int (v);
  }
  return NULL;
}

static const gchar *
read_type (GstCcaRegion *self, const GValue *value)
{
  const gchar *type =
      G_VALUE_HOLDS_STRING (value) ? g_value_get_string (value) : "";

  self->is_exclude = g_str_equal (type, "exclude");
  return self->is_exclude || g_str_equal (type, "include")
      ? NULL
      : "needs a type of include or exclude";
}

static const gchar *
read_reference (guint *size, const GValue *value)
{
  const gint n = G_VALUE_HOLDS_INT (value) ? g_value_get_int (value) : -1;

  *size = MAX (n, 0);
  return n >= 0 ? NULL
                : "needs integers reference-width and reference-height "
                  "that are not negative";
}

static const gchar *
read_area (guint *area, const GValue *value)
{
  const gint n = G_VALUE_HOLDS_INT (value) ? g_value_get_int (value) : -1;

  *area = MAX (n, 0);
  return n >= 0 ? NULL
                : "needs integers min-area and max-area that are not negative";
}

static const gchar *
read_field (gpointer region, const gchar *name, const GValue *value)
{
  GstCcaRegion *self = region;

  if (g_str_equal (name, "points"))
    return read_points (self, value);
  if (g_str_equal (name, "type"))
    return read_type (self, value);
  if (g_str_equal (name, "reference-width"))
    return read_reference (&self->reference_width, value);
  if (g_str_equal (name, "reference-height"))
    return read_reference (&self->reference_height, value);
  if (g_str_equal (name, "min-area"))
    return read_area (&self->min_area, value);
  if (g_str_equal (name, "max-area"))
    return read_area (&self->max_area, value);
  return "has an unknown field";
}

/* --- a set ---------------------------------------------------------------- */

static gboolean
has_name (const GstCcaRegions *self, const gchar *name)
{
  guint i;

  for (i = 0; i < self->n; i++)
    if (g_str_equal (gst_cca_region_get_name (&self->region[i]), name))
      return TRUE;
  return FALSE;
}

/* Appends a region. Returns NULL, or the reason why it is invalid, which begins
 * with the structure in the notation of the property. */
static gchar *
add_region (GstCcaRegions *self, const GValue *value)
{
  GstCcaRegion *region = &self->region[self->n];
  const GstStructure *s = gst_value_get_structure (value);
  const gchar *reason;

  if (s == NULL)
    return g_strdup_printf ("region %u is not a structure", self->n + 1);
  reason = gst_structure_has_field (s, "points")
      ? gst_cca_read_fields (region, s, read_field)
      : "needs points";
  if (reason == NULL && region->is_exclude
      && (region->min_area > 0 || region->max_area > 0))
    reason = "is of type exclude, so it cannot have min-area or max-area";
  if (reason == NULL && has_name (self, gst_structure_get_name (s)))
    reason = "has the name of another region";
  if (reason == NULL) {
    region->description = gst_structure_copy (s);
    self->n++;
    return NULL;
  }
  clear_region (region);
  return gst_cca_refuse_structure (s, reason, "");
}

GstCcaRegions *
gst_cca_regions_new (const GValue *array, gchar **why)
{
  const guint n = gst_value_array_get_size (array);
  GstCcaRegions *self;

  if (n > GST_CCA_MAX_REGIONS) {
    *why = g_strdup_printf ("there are %u regions, but at most %u are possible",
        n, GST_CCA_MAX_REGIONS);
    return NULL;
  }
  self = g_malloc0 (sizeof (*self) + n * sizeof (*self->region));
  *why = NULL;
  self->ref_count = 1;
  while (self->n < n && *why == NULL)
    *why = add_region (self, gst_value_array_get_value (array, self->n));
  if (*why != NULL)
    g_clear_pointer (&self, gst_cca_regions_unref);
  return self;
}

void
gst_cca_regions_get (const GstCcaRegions *self, GValue *array)
{
  guint i;

  for (i = 0; i < self->n; i++)
    gst_cca_append_structure (array,
        gst_structure_copy (self->region[i].description));
}

/* --- mask ----------------------------------------------------------------- */

static gboolean
has_include (const GstCcaRegions *self)
{
  guint i;

  for (i = 0; i < self->n; i++)
    if (!self->region[i].is_exclude)
      return TRUE;
  return FALSE;
}

static gboolean
has_areas (const GstCcaRegions *self)
{
  guint i;

  for (i = 0; i < self->n; i++)
    if (self->region[i].min_area > 0 || self->region[i].max_area > 0)
      return TRUE;
  return FALSE;
}

/* Draws the regions of one type. Returns FALSE if memory ran out. */
static gboolean
draw_type (const GstCcaRegions *self, CcaMask *mask, gboolean is_exclude)
{
  const gboolean adds_areas = !is_exclude && has_areas (self);
  gboolean ok = TRUE;
  guint i;

  for (i = 0; i < self->n && ok; i++) {
    const GstCcaRegion *r = &self->region[i];
    const CcaPolygon polygon = {
      .points = r->points,
      .n_points = r->n_points,
      .width = r->reference_width > 0 ? r->reference_width : mask->width,
      .height = r->reference_height > 0 ? r->reference_height : mask->height,
    };

    if (r->is_exclude == is_exclude)
      ok = cca_mask_polygon (mask, &polygon, !is_exclude)
          && (!adds_areas
              || cca_mask_add_area (mask, &polygon, r->min_area, r->max_area));
  }
  return ok;
}

/* Returns the regions for the metas, in pixels of the picture. */
static GstCcaShapes *
make_shapes (const GstCcaRegions *self, guint width, guint height)
{
  GstCcaShapes *shapes = gst_cca_shapes_new ();
  gdouble coordinates[2 * GST_CCA_REGION_MAX_POINTS];
  guint i, k;

  for (i = 0; i < self->n; i++) {
    const GstCcaRegion *r = &self->region[i];
    const gdouble scale[2] = {
      r->reference_width > 0 ? (gdouble) width / r->reference_width : 1,
      r->reference_height > 0 ? (gdouble) height / r->reference_height : 1,
    };

    for (k = 0; k < 2 * r->n_points; k++)
      coordinates[k] = CLAMP (r->points[k] * scale[k % 2], -G_MAXINT, G_MAXINT);
    gst_cca_shapes_append (shapes,
        r->is_exclude ? GST_CCA_SHAPE_KIND_EXCLUDE : GST_CCA_SHAPE_KIND_INCLUDE,
        gst_cca_region_get_name (r), coordinates, 2 * r->n_points);
  }
  return shapes;
}

void
gst_cca_working_set_copy (GstCcaWorkingSet *to, const GstCcaWorkingSet *from)
{
  gst_cca_working_set_clear (to);
  to->regions = gst_cca_regions_ref (from->regions);
  if (from->file != NULL)
    to->file = gst_cca_mask_picture_ref (from->file);
  if (from->picture != NULL)
    to->picture = gst_cca_mask_picture_ref (from->picture);
}

void
gst_cca_working_set_clear (GstCcaWorkingSet *self)
{
  g_clear_pointer (&self->regions, gst_cca_regions_unref);
  g_clear_pointer (&self->file, gst_cca_mask_picture_unref);
  g_clear_pointer (&self->picture, gst_cca_mask_picture_unref);
}

gboolean
gst_cca_working_set_is_all (const GstCcaWorkingSet *self)
{
  return self->regions->n == 0 && self->file == NULL && self->picture == NULL;
}

static void
apply_picture (CcaMask *mask, const GstCcaMaskPicture *picture)
{
  if (picture != NULL)
    cca_mask_and_picture (mask, picture->pixels, picture->width,
        picture->height, picture->width);
}

GstCcaRegionMask *
gst_cca_working_set_draw (const GstCcaWorkingSet *self, guint width,
    guint height)
{
  const GstCcaRegions *regions = self->regions;
  CcaMask *mask = cca_mask_new (width, height, !has_include (regions));
  GstCcaRegionMask *shared;

  if (mask == NULL || !draw_type (regions, mask, FALSE)
      || !draw_type (regions, mask, TRUE)) {
    cca_mask_free (mask);
    return NULL;
  }
  apply_picture (mask, self->file);
  apply_picture (mask, self->picture);
  shared = g_atomic_rc_box_new (GstCcaRegionMask);
  shared->mask = mask;
  shared->shapes = make_shapes (regions, width, height);
  return shared;
}

GstCcaRegionMask *
gst_cca_region_mask_ref (GstCcaRegionMask *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear_mask (gpointer data)
{
  GstCcaRegionMask *self = data;

  cca_mask_free (self->mask);
  gst_cca_shapes_unref (self->shapes);
}

void
gst_cca_region_mask_unref (GstCcaRegionMask *self)
{
  g_atomic_rc_box_release_full (self, clear_mask);
}
