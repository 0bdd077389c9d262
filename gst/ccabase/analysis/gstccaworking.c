/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The properties of the working set: regions, mask-location and mask. */

#include "gstccaworking.h"

#include "gst/ccabase/gstccaproperty.h"

#define GST_CAT_DEFAULT gst_cca_base_debug

static GstCcaRegions *
no_regions (void)
{
  GValue array = G_VALUE_INIT;
  GstCcaRegions *regions;
  gchar *why;

  gst_value_array_init (&array, 0);
  regions = gst_cca_regions_new (&array, &why);
  g_value_unset (&array);
  return regions;
}

/* Invalid regions are reported with a warning while the element runs, otherwise
 * with an error when it starts. */
static void
set_regions (GstCcaBase *self, const GValue *value)
{
  gchar *why;
  GstCcaRegions *regions = gst_cca_regions_new (value, &why);
  gboolean started;

  GST_OBJECT_LOCK (self);
  started = self->started;
  if (regions != NULL) {
    gst_cca_regions_unref (self->working.regions);
    self->working.regions = regions;
  }
  if (regions != NULL || !started) {
    g_free (self->regions_error);
    self->regions_error = g_strdup (why);
  }
  GST_OBJECT_UNLOCK (self);

  if (regions == NULL && started)
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS,
        ("The property regions keeps its value: %s.", why), (NULL));
  g_free (why);
}

/* Posts an error and returns FALSE if the regions set last are invalid. */
static gboolean
check_regions (GstCcaBase *self)
{
  gchar *error;

  GST_OBJECT_LOCK (self);
  error = g_strdup (self->regions_error);
  GST_OBJECT_UNLOCK (self);
  if (error == NULL)
    return TRUE;
  GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS,
      ("The property regions is invalid: %s.", error), (NULL));
  g_free (error);
  return FALSE;
}

static void
set_file (GstCcaBase *self, GstCcaMaskPicture *file)
{
  g_clear_pointer (&self->working.file, gst_cca_mask_picture_unref);
  self->working.file = file;
}

/* The file is read at once while the element runs, and otherwise when it
 * starts. */
static void
set_mask_location (GstCcaBase *self, const gchar *path)
{
  GstCcaMaskPicture *file = NULL;
  gboolean started, ok;
  gchar *why = NULL;

  GST_OBJECT_LOCK (self);
  started = self->started;
  GST_OBJECT_UNLOCK (self);
  if (started && path != NULL)
    file = gst_cca_mask_picture_read (path, &why);
  ok = why == NULL;

  GST_OBJECT_LOCK (self);
  if (ok) {
    set_file (self, file);
    g_free (self->mask_location);
    self->mask_location = g_strdup (path);
  }
  GST_OBJECT_UNLOCK (self);

  if (!ok)
    GST_ELEMENT_WARNING (self, RESOURCE, READ,
        ("The mask in '%s' cannot be used: %s. The mask before it stays.", path,
            why),
        (NULL));
  g_free (why);
}

/* Posts an error and returns FALSE if the file of the mask cannot be used. */
static gboolean
read_mask (GstCcaBase *self)
{
  GstCcaMaskPicture *file = NULL;
  gchar *path, *why = NULL;

  GST_OBJECT_LOCK (self);
  path = g_strdup (self->mask_location);
  GST_OBJECT_UNLOCK (self);
  if (path == NULL)
    return TRUE;
  file = gst_cca_mask_picture_read (path, &why);
  if (file == NULL)
    GST_ELEMENT_ERROR (self, RESOURCE, READ,
        ("The mask in '%s' cannot be used: %s.", path, why), (NULL));
  GST_OBJECT_LOCK (self);
  set_file (self, file);
  GST_OBJECT_UNLOCK (self);
  g_free (path);
  g_free (why);
  return file != NULL;
}

static void
set_mask (GstCcaBase *self, GstSample *sample)
{
  GstCcaMaskPicture *picture = NULL;
  gchar *why = NULL;

  if (sample != NULL)
    picture = gst_cca_mask_picture_from_sample (sample, &why);
  if (why == NULL) {
    GST_OBJECT_LOCK (self);
    g_clear_pointer (&self->working.picture, gst_cca_mask_picture_unref);
    self->working.picture = picture;
    g_clear_pointer (&self->mask_sample, gst_sample_unref);
    self->mask_sample = sample != NULL ? gst_sample_ref (sample) : NULL;
    GST_OBJECT_UNLOCK (self);
    return;
  }
  GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS,
      ("The property mask keeps its value: %s.", why), (NULL));
  g_free (why);
}

gboolean
gst_cca_working_set_property (GstCcaBase *self, guint prop_id,
    const GValue *value)
{
  switch (prop_id) {
    case GST_CCA_PROP_REGIONS:
      set_regions (self, value);
      return TRUE;
    case GST_CCA_PROP_MASK_LOCATION:
      set_mask_location (self, g_value_get_string (value));
      return TRUE;
    case GST_CCA_PROP_MASK:
      set_mask (self, g_value_get_boxed (value));
      return TRUE;
    default:
      return FALSE;
  }
}

gboolean
gst_cca_working_get_property (GstCcaBase *self, guint prop_id, GValue *value)
{
  switch (prop_id) {
    case GST_CCA_PROP_REGIONS:
      gst_cca_regions_get (self->working.regions, value);
      return TRUE;
    case GST_CCA_PROP_MASK_LOCATION:
      g_value_set_string (value, self->mask_location);
      return TRUE;
    case GST_CCA_PROP_MASK:
      g_value_set_boxed (value, self->mask_sample);
      return TRUE;
    default:
      return FALSE;
  }
}

gboolean
gst_cca_working_start (GstCcaBase *self)
{
  return check_regions (self) && read_mask (self);
}

void
gst_cca_working_init (GstCcaBase *self)
{
  self->working.regions = no_regions ();
}

void
gst_cca_working_finalize (GstCcaBase *self)
{
  gst_cca_working_set_clear (&self->drawn);
  gst_cca_working_set_clear (&self->working);
  g_free (self->mask_location);
  g_clear_pointer (&self->mask_sample, gst_sample_unref);
  g_free (self->regions_error);
}

void
gst_cca_working_install (GObjectClass *object_class)
{
  /**
   * GstCcaBase:regions:
   *
   * Polygons that are analysed, or not, as an array with a structure for each,
   * such as
   * `regions="<[road,points=<0,200,640,200,640,360,0,360>],
   * [tree,type=exclude,points=<500,200,560,200,560,300>]>"`:
   *
   * * `points`: x1, y1, x2, y2 and so on: 3 to 256 points, closed by the first.
   *   Coordinates are in pixels from the left and top edge of the analysed
   *   picture, from -1048576 to 1048576
   * * `type`: `include` (default) or `exclude`
   * * `reference-width`, `reference-height`: the points are in pixels of a
   *   picture of this size, which is scaled to the analysed picture (0, the
   *   default: the analysed picture)
   * * `min-area`, `max-area`: limits of area for the components in an `include`
   *   region, in pixels of the analysed picture (0, the default: those of
   *   #GstCcaBase:min-area and #GstCcaBase:max-area)
   *
   * A component is in the first `include` region that contains the pixel
   * nearest to its centroid. For components in none the limits of the element
   * hold. Far objects can so have another `min-area` than near ones.
   *
   * A pixel is in a polygon if its centre is, by the even-odd rule; polygons
   * that share an edge part the pixels between them. Those pixels are analysed
   * that are in an `include`, or all if there is none, in no `exclude`, and in
   * the region of interest (#GstCcaBase:roi-x). Pixels outside are as those
   * outside the region of interest. Backgrounds are learnt everywhere, so a
   * change restarts nothing. It applies from the next frame.
   *
   * Invalid regions are refused as a whole: before the start with an error,
   * later with a warning.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, GST_CCA_PROP_REGIONS,
      gst_param_spec_array ("regions", "Regions",
          "Polygons to analyse, or not to, such as "
          "<[road,points=<0,200,640,200,640,360>],"
          "[tree,type=exclude,points=<500,200,560,200,560,300>]>",
          g_param_spec_boxed ("region", "Region", "A polygon",
              GST_TYPE_STRUCTURE, GST_CCA_PARAM_PLAYING),
          GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaBase:mask-location:
   *
   * PGM file (`P5` or `P2`, values of up to 8 bits) that is white where the
   * picture is analysed: a pixel is analysed if its value is more than half of
   * the largest one of the file. The file is scaled to the picture: the pixel of
   * the file that contains the centre of a pixel decides. It is read when the
   * property is set while the element runs, and when the element starts.
   * #GstCcaBase:regions, #GstCcaBase:mask and the region of interest restrict
   * the analysis further. A file that cannot be used stops the start with an
   * error. Later, a warning is posted and the mask before it stays.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, GST_CCA_PROP_MASK_LOCATION,
      g_param_spec_string ("mask-location", "Mask Location",
          "PGM file that is white where the picture is analysed. It is scaled to "
          "the picture",
          NULL, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaBase:mask:
   *
   * The same as #GstCcaBase:mask-location, for applications: a #GstSample with
   * a picture in the format GRAY8. Pixels of 128 and more are analysed. The
   * picture is copied.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, GST_CCA_PROP_MASK,
      g_param_spec_boxed ("mask", "Mask",
          "Picture in GRAY8 with 128 or more where the video is analysed. It is "
          "scaled to the picture",
          GST_TYPE_SAMPLE, GST_CCA_PARAM_PLAYING));
}
