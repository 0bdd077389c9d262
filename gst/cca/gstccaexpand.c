/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/**
 * SECTION:element-ccaexpand
 * @title: ccaexpand
 * @short_description: turns GstCcaMeta into stock metas
 *
 * Reads the #GstCcaMeta of a buffer and attaches the same components as
 * #GstAnalyticsRelationMeta and as #GstVideoRegionOfInterestMeta, scaled to
 * the size of the video as it is here. For use after an element that kept the
 * #GstCcaMeta and dropped the others, as converters and scalers in GPU memory
 * do.
 *
 * A kind of meta that the buffer already has with this `object-type` is not
 * attached again. Buffers without a #GstCcaMeta pass unchanged.
 *
 * ## Example pipelines
 *
 * |[
 * gst-launch-1.0 videotestsrc pattern=ball num-buffers=30 ! video/x-raw,width=320,height=240 ! cca meta-types=cca ! videoscale ! video/x-raw,width=640,height=480 ! ccaexpand meta-types=analytics ! videoconvert ! objectdetectionoverlay ! fakesink
 * ]| Analyses small frames and draws the boxes into large ones.
 *
 * Since: 0.1
 */

#include "gstccaexpand.h"

#include <gst/analytics/analytics.h>
#include <gst/ccameta/gstccameta.h>
#include <gst/video/video.h>

#include "gst/ccabase/objects.h"

GST_DEBUG_CATEGORY_STATIC (gst_cca_expand_debug);
#define GST_CAT_DEFAULT gst_cca_expand_debug

#define DEFAULT_META_TYPES (GST_CCA_META_TYPE_ROI | GST_CCA_META_TYPE_ANALYTICS)

enum
{
  PROP_0,
  PROP_META_TYPES,
  PROP_MAX_OBJECTS,
  PROP_OBJECT_TYPE,
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("video/x-raw(ANY)"));

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("video/x-raw(ANY)"));

typedef struct
{
  guint meta_types;
  guint max_objects;
} Settings;

struct _GstCcaExpand
{
  GstBaseTransform parent;

  guint width, height;          /* of the video */
  guint par_n, par_d;           /* 0: not known */
  GQuark type;                  /* object_type when the element started */
  gboolean left_out_told, misfit_told;

  /* under the object lock */
  gboolean started;
  gchar *object_type;
  Settings settings;
};

G_DEFINE_FINAL_TYPE (GstCcaExpand, gst_cca_expand, GST_TYPE_BASE_TRANSFORM);
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE (ccaexpand, "ccaexpand", GST_RANK_NONE,
    GST_TYPE_CCA_EXPAND, GST_DEBUG_CATEGORY_INIT (gst_cca_expand_debug,
        "ccaexpand", 0, "connected-component meta expansion"));

static void
gst_cca_expand_set_property (GObject * object, guint prop_id,
    const GValue * value, GParamSpec * pspec)
{
  GstCcaExpand *self = GST_CCA_EXPAND (object);

  if (!gst_cca_lock_to_set (GST_ELEMENT (self), &self->started, pspec))
    return;
  switch (prop_id) {
    case PROP_META_TYPES:
      self->settings.meta_types = g_value_get_flags (value);
      break;
    case PROP_MAX_OBJECTS:
      self->settings.max_objects = g_value_get_uint (value);
      break;
    case PROP_OBJECT_TYPE:
      g_free (self->object_type);
      self->object_type = gst_cca_object_type (g_value_get_string (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_cca_expand_get_property (GObject * object, guint prop_id, GValue * value,
    GParamSpec * pspec)
{
  GstCcaExpand *self = GST_CCA_EXPAND (object);

  GST_OBJECT_LOCK (self);
  switch (prop_id) {
    case PROP_META_TYPES:
      g_value_set_flags (value, self->settings.meta_types);
      break;
    case PROP_MAX_OBJECTS:
      g_value_set_uint (value, self->settings.max_objects);
      break;
    case PROP_OBJECT_TYPE:
      g_value_set_string (value, self->object_type);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static gboolean
gst_cca_expand_start (GstBaseTransform * trans)
{
  GstCcaExpand *self = GST_CCA_EXPAND (trans);

  gst_cca_set_started (GST_ELEMENT (self), &self->started, TRUE);
  self->type = g_quark_from_string (self->object_type);
  return TRUE;
}

static gboolean
gst_cca_expand_stop (GstBaseTransform * trans)
{
  GstCcaExpand *self = GST_CCA_EXPAND (trans);

  gst_cca_set_started (GST_ELEMENT (self), &self->started, FALSE);
  return TRUE;
}

static void
gst_cca_expand_finalize (GObject * object)
{
  g_free (GST_CCA_EXPAND (object)->object_type);
  G_OBJECT_CLASS (gst_cca_expand_parent_class)->finalize (object);
}

static gboolean
gst_cca_expand_set_caps (GstBaseTransform * trans, GstCaps * incaps,
    GstCaps * outcaps)
{
  GstCcaExpand *self = GST_CCA_EXPAND (trans);
  const GstStructure *s = gst_caps_get_structure (incaps, 0);
  gint width, height, par_n = 1, par_d = 1;

  /* the size is all that matters, and all that any memory has */
  if (!gst_structure_get (s, "width", G_TYPE_INT, &width, "height",
          G_TYPE_INT, &height, NULL) || width < 1 || height < 1) {
    GST_ELEMENT_ERROR (self, STREAM, FORMAT,
        ("The video has no size to scale the components to."),
        ("%" GST_PTR_FORMAT, incaps));
    return FALSE;
  }
  gst_structure_get_fraction (s, "pixel-aspect-ratio", &par_n, &par_d);
  self->width = width;
  self->height = height;
  self->par_n = MAX (par_n, 0);
  self->par_d = MAX (par_d, 0);
  self->left_out_told = self->misfit_told = FALSE;
  return TRUE;
}

static gboolean
gst_cca_expand_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstCcaExpand *self = GST_CCA_EXPAND (trans);

  if (GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT)
    self->left_out_told = self->misfit_told = FALSE;
  return GST_BASE_TRANSFORM_CLASS (gst_cca_expand_parent_class)
      ->sink_event (trans, event);
}

/* Without a GstCcaMeta the buffer itself goes on, shared or not. */
static GstFlowReturn
gst_cca_expand_prepare_output_buffer (GstBaseTransform * trans,
    GstBuffer * input, GstBuffer ** output)
{
  if (gst_buffer_get_cca_meta (input) == NULL) {
    *output = input;
    return GST_FLOW_OK;
  }
  return GST_BASE_TRANSFORM_CLASS (gst_cca_expand_parent_class)
      ->prepare_output_buffer (trans, input, output);
}

static gboolean
has_regions (GstBuffer * buffer, GQuark type)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL)
    if (((GstVideoRegionOfInterestMeta *) meta)->roi_type == type)
      return TRUE;
  return FALSE;
}

static gboolean
has_objects (GstBuffer * buffer, GQuark type)
{
  GstAnalyticsRelationMeta *relations =
      gst_buffer_get_analytics_relation_meta (buffer);
  gpointer state = NULL;
  GstAnalyticsODMtd object;

  if (relations == NULL)
    return FALSE;
  while (gst_analytics_relation_meta_iterate (relations, &state,
          gst_analytics_od_mtd_get_mtd_type (), &object))
    if (gst_analytics_od_mtd_get_obj_type (&object) == type)
      return TRUE;
  return FALSE;
}

/* Once in a while: between caps or segments, not for each frame. */
static void
tell_left_out (GstCcaExpand * self, guint64 n)
{
  if (n == 0 || self->left_out_told)
    return;
  self->left_out_told = TRUE;
  GST_WARNING_OBJECT (self, "%" G_GUINT64_FORMAT " components are not attached "
      "as objects: max-objects is too small", n);
}

/* The next meta whose components are where it says. */
static const GstCcaMeta *
next_meta (GstCcaExpand * self, GstBuffer * buffer, gpointer * state)
{
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, state,
              GST_CCA_META_API_TYPE)) != NULL) {
    const GstCcaMeta *cca = (const GstCcaMeta *) meta;
    const GstCcaAnalysis *analysis = gst_cca_meta_get_analysis (cca);

    if (gst_cca_meta_get_n_components (cca) == 0
        || gst_cca_meta_fits_frame (cca, buffer, self->width, self->height,
            self->par_n, self->par_d))
      return cca;
    if (!self->misfit_told)
      GST_ELEMENT_WARNING (self, STREAM, FORMAT,
          ("The video was cropped, framed, rotated or stretched after it was "
              "analysed: its components are elsewhere and not attached."),
          ("%ux%u were analysed, the video is %ux%u", analysis->width,
              analysis->height, self->width, self->height));
    self->misfit_told = TRUE;
  }
  return NULL;
}

static GstFlowReturn
gst_cca_expand_transform_ip (GstBaseTransform * trans, GstBuffer * buffer)
{
  GstCcaExpand *self = GST_CCA_EXPAND (trans);
  GstCcaObjects objects = {
    .buffer = buffer,
    .width = self->width,
    .height = self->height,
  };
  gpointer state = NULL;
  const GstCcaMeta *meta;
  guint64 n = 0;
  Settings s;

  if (gst_buffer_get_cca_meta (buffer) == NULL)
    return GST_FLOW_OK;

  GST_OBJECT_LOCK (self);
  s = self->settings;
  GST_OBJECT_UNLOCK (self);

  if (has_regions (buffer, self->type))
    s.meta_types &= ~GST_CCA_META_TYPE_ROI;
  if (has_objects (buffer, self->type))
    s.meta_types &= ~GST_CCA_META_TYPE_ANALYTICS;
  if (!(s.meta_types & DEFAULT_META_TYPES))
    return GST_FLOW_OK;

  /* Several, if several elements analysed the frame. Metas are appended, and
   * do not disturb the iteration. */
  while ((meta = next_meta (self, buffer, &state)) != NULL)
    n += gst_cca_meta_get_n_components (meta);
  objects.types = s.meta_types;
  objects.object_type = g_quark_to_string (self->type);
  gst_cca_objects_begin (&objects, s.max_objects, n);
  for (state = NULL; (meta = next_meta (self, buffer, &state)) != NULL;) {
    if (!gst_cca_objects_add (&objects, meta)) {
      GST_ELEMENT_ERROR (self, STREAM, FAILED,
          ("The buffer does not take the components as objects."), (NULL));
      return GST_FLOW_ERROR;
    }
  }
  tell_left_out (self, objects.left_out);
  return GST_FLOW_OK;
}

static void
gst_cca_expand_class_init (GstCcaExpandClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  object_class->set_property = gst_cca_expand_set_property;
  object_class->get_property = gst_cca_expand_get_property;
  object_class->finalize = gst_cca_expand_finalize;

  /**
   * GstCcaExpand:meta-types:
   *
   * What is attached: roi, analytics or both. cca is there already.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_META_TYPES,
      gst_cca_param_spec_meta_types (DEFAULT_META_TYPES));

  /**
   * GstCcaExpand:max-objects:
   *
   * The most objects of each kind that the buffer has afterwards.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_MAX_OBJECTS,
      gst_cca_param_spec_max_objects ());

  /**
   * GstCcaExpand:object-type:
   *
   * Type of the objects. Can be set only in NULL and READY.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_OBJECT_TYPE,
      gst_cca_param_spec_object_type ());

  gst_element_class_set_static_metadata (element_class,
      "Connected-component meta expander", "Filter/Analyzer/Video",
      "Turns the components that cca attached into regions of interest and "
      "analytics objects of the current video size",
      "the gst-cudacca authors");
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);

  trans_class->start = GST_DEBUG_FUNCPTR (gst_cca_expand_start);
  trans_class->stop = GST_DEBUG_FUNCPTR (gst_cca_expand_stop);
  trans_class->set_caps = GST_DEBUG_FUNCPTR (gst_cca_expand_set_caps);
  trans_class->sink_event = GST_DEBUG_FUNCPTR (gst_cca_expand_sink_event);
  trans_class->prepare_output_buffer =
      GST_DEBUG_FUNCPTR (gst_cca_expand_prepare_output_buffer);
  trans_class->transform_ip = GST_DEBUG_FUNCPTR (gst_cca_expand_transform_ip);
  trans_class->transform_ip_on_passthrough = FALSE;

  gst_type_mark_as_plugin_api (GST_TYPE_CCA_META_TYPES, 0);
}

static void
gst_cca_expand_init (GstCcaExpand * self)
{
  self->settings.meta_types = DEFAULT_META_TYPES;
  self->settings.max_objects = GST_CCA_DEFAULT_MAX_OBJECTS;
  self->object_type = gst_cca_object_type (NULL);
}
