/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/**
 * SECTION:element-ccaexpand
 * @title: ccaexpand
 * @short_description: converts GstCcaMeta to stock metas
 *
 * Reads the #GstCcaMeta of a buffer and attaches the same components as
 * #GstAnalyticsRelationMeta and as #GstVideoRegionOfInterestMeta, scaled to
 * the current size of the video. Use it after an element that keeps the
 * #GstCcaMeta but drops the others, such as converters and scalers in GPU
 * memory.
 *
 * A kind of meta that the buffer already has with this `object-type` is not
 * attached again. Buffers without a #GstCcaMeta pass unchanged. The element
 * posts a warning if none of the first 30 buffers of a stream, or of all
 * buffers of a shorter stream, has one. Gaps and empty buffers do not count.
 *
 * With `meta-types=segmentation` the #GstCcaLabelsMeta of a buffer is attached
 * as a segmentation in its #GstAnalyticsRelationMeta. This needs GStreamer
 * 1.26.
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
#include <gst/ccameta/gstccalabelsmeta.h>
#include <gst/video/video.h>

#include "gst/ccabase/gstccavideoshape.h"
#include "gst/ccabase/gstccawarning.h"
#include "gst/ccabase/gstccaobjects.h"

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

  GstCcaVideoShape shape;
  GQuark type;  /* object_type when the element started */
  guint warned; /* mask of the GstCcaWarning already issued */
  GstCcaMetaWatch watch;

  /* under the object lock */
  gboolean started;
  gchar *object_type;
  Settings settings;
};

G_DEFINE_FINAL_TYPE (GstCcaExpand, gst_cca_expand, GST_TYPE_BASE_TRANSFORM);
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE (ccaexpand, "ccaexpand", GST_RANK_NONE,
    GST_TYPE_CCA_EXPAND,
    GST_DEBUG_CATEGORY_INIT (gst_cca_expand_debug, "ccaexpand", 0,
        "connected-component meta expansion"));

static void
gst_cca_expand_set_property (GObject *object, guint prop_id,
    const GValue *value, GParamSpec *pspec)
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
gst_cca_expand_get_property (GObject *object, guint prop_id, GValue *value,
    GParamSpec *pspec)
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
gst_cca_expand_start (GstBaseTransform *trans)
{
  GstCcaExpand *self = GST_CCA_EXPAND (trans);

  gst_cca_set_started (GST_ELEMENT (self), &self->started, TRUE);
  self->type = g_quark_from_string (self->object_type);
  return TRUE;
}

static gboolean
gst_cca_expand_stop (GstBaseTransform *trans)
{
  GstCcaExpand *self = GST_CCA_EXPAND (trans);

  gst_cca_set_started (GST_ELEMENT (self), &self->started, FALSE);
  return TRUE;
}

static void
gst_cca_expand_finalize (GObject *object)
{
  g_free (GST_CCA_EXPAND (object)->object_type);
  G_OBJECT_CLASS (gst_cca_expand_parent_class)->finalize (object);
}

static gboolean
gst_cca_expand_set_caps (GstBaseTransform *trans, GstCaps *incaps,
    GstCaps *outcaps)
{
  GstCcaExpand *self = GST_CCA_EXPAND (trans);

  self->warned = 0;
  return gst_cca_video_shape_from_caps (&self->shape, incaps,
      GST_ELEMENT (self));
}

static gboolean
gst_cca_expand_sink_event (GstBaseTransform *trans, GstEvent *event)
{
  GstCcaExpand *self = GST_CCA_EXPAND (trans);

  gst_cca_meta_watch_event (&self->watch, GST_ELEMENT (self), event);
  if (GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT)
    self->warned = 0;
  return GST_BASE_TRANSFORM_CLASS (gst_cca_expand_parent_class)
      ->sink_event (trans, event);
}

static gboolean
is_analysed (GstBuffer *buffer)
{
  return gst_buffer_get_cca_meta (buffer) != NULL
      || gst_buffer_get_cca_labels_meta (buffer) != NULL;
}

/* A buffer with nothing to expand is passed on itself: making it writable would
 * copy it if it is shared. */
static GstFlowReturn
gst_cca_expand_prepare_output_buffer (GstBaseTransform *trans, GstBuffer *input,
    GstBuffer **output)
{
  if (!is_analysed (input)) {
    *output = input;
    return GST_FLOW_OK;
  }
  return GST_BASE_TRANSFORM_CLASS (gst_cca_expand_parent_class)
      ->prepare_output_buffer (trans, input, output);
}

static gboolean
has_objects (GstBuffer *buffer, GQuark type)
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

#if GST_CHECK_VERSION(1, 26, 0)

static gboolean
has_segmentation (GstBuffer *buffer)
{
  GstAnalyticsRelationMeta *relations =
      gst_buffer_get_analytics_relation_meta (buffer);
  gpointer state = NULL;
  GstAnalyticsSegmentationMtd segmentation;

  return relations != NULL
      && gst_analytics_relation_meta_iterate (relations, &state,
          gst_analytics_segmentation_mtd_get_mtd_type (), &segmentation);
}

#else

static gboolean
has_segmentation (GstBuffer *buffer)
{
  return FALSE;
}

#endif

/* Returns whether the coordinates of a meta still hold for the video. */
static gboolean
fits (GstCcaExpand *self, GstBuffer *buffer, const GstCcaMeta *meta)
{
  return gst_cca_meta_get_n_components (meta) == 0
      || gst_cca_video_shape_fits (&self->shape, buffer, meta,
          GST_ELEMENT (self), &self->warned,
          "its components would be misplaced "
          "and are not attached");
}

/* Returns the next meta that fits, or NULL. */
static const GstCcaMeta *
next_meta (GstCcaExpand *self, GstBuffer *buffer, gpointer *state)
{
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, state,
              GST_CCA_META_API_TYPE))
      != NULL)
    if (fits (self, buffer, (const GstCcaMeta *) meta))
      return (const GstCcaMeta *) meta;
  return NULL;
}

/* Several elements may have attached a label image each. */
static gboolean
add_segmentations (GstCcaExpand *self, GstBuffer *buffer)
{
  gpointer state = NULL;
  GstMeta *meta;

  if (gst_buffer_get_cca_labels_meta (buffer) == NULL)
    gst_cca_warn_no_labels (GST_ELEMENT (self), &self->warned,
        "a segmentation");
  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_CCA_LABELS_META_API_TYPE))
      != NULL) {
    const GstCcaLabelsMeta *labels = (const GstCcaLabelsMeta *) meta;
    const GstCcaMeta *cca = gst_cca_labels_meta_get_cca_meta (labels, buffer);

    if (cca != NULL && !fits (self, buffer, cca))
      continue;
    if (!gst_cca_labels_meta_emit_segmentation (labels, buffer,
            self->shape.width, self->shape.height)) {
#if GST_CHECK_VERSION(1, 26, 0)
      GST_ELEMENT_ERROR (self, STREAM, FAILED,
          ("The label image of a buffer cannot be read."), (NULL));
#else
      GST_ELEMENT_ERROR (self, STREAM, FAILED,
          ("A segmentation needs GStreamer 1.26, and this element was built "
           "with an older version."),
          (NULL));
#endif
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
add_objects (GstCcaExpand *self, GstBuffer *buffer, guint types,
    guint max_objects)
{
  GstCcaObjects objects = {
    .buffer = buffer,
    .types = types,
    .object_type = g_quark_to_string (self->type),
    .width = self->shape.width,
    .height = self->shape.height,
    .others = types & GST_CCA_META_TYPE_SEGMENTATION ? 1 : 0,
  };
  gpointer state = NULL;
  const GstCcaMeta *meta;
  guint64 n = 0;

  /* There is one meta for each element that analysed the frame. Attached metas
   * are appended to the buffer's list, so they do not disturb the iteration. */
  while ((meta = next_meta (self, buffer, &state)) != NULL)
    n += gst_cca_meta_get_n_components (meta);
  gst_cca_objects_begin (&objects, max_objects, n);
  for (state = NULL; (meta = next_meta (self, buffer, &state)) != NULL;) {
    if (!gst_cca_objects_add (&objects, meta)) {
      GST_ELEMENT_ERROR (self, STREAM, FAILED,
          ("The components cannot be attached to the buffer as objects."),
          (NULL));
      return FALSE;
    }
  }
  if (objects.left_out > 0
      && gst_cca_warn_once (&self->warned, GST_CCA_WARNING_LEFT_OUT))
    GST_WARNING_OBJECT (self,
        "%" G_GUINT64_FORMAT " components are not "
        "attached as objects: max-objects is too small",
        objects.left_out);
  return TRUE;
}

static GstFlowReturn
gst_cca_expand_transform_ip (GstBaseTransform *trans, GstBuffer *buffer)
{
  GstCcaExpand *self = GST_CCA_EXPAND (trans);
  const gboolean has_meta = is_analysed (buffer);
  Settings s;

  gst_cca_meta_watch_buffer (&self->watch, GST_ELEMENT (self), buffer,
      has_meta);
  if (!has_meta)
    return GST_FLOW_OK;

  GST_OBJECT_LOCK (self);
  s = self->settings;
  GST_OBJECT_UNLOCK (self);

  if (gst_cca_has_regions (buffer, self->type))
    s.meta_types &= ~GST_CCA_META_TYPE_ROI;
  if (has_objects (buffer, self->type))
    s.meta_types &= ~GST_CCA_META_TYPE_ANALYTICS;
  if (has_segmentation (buffer))
    s.meta_types &= ~GST_CCA_META_TYPE_SEGMENTATION;

  if (s.meta_types & DEFAULT_META_TYPES
      && !add_objects (self, buffer, s.meta_types, s.max_objects))
    return GST_FLOW_ERROR;
  if (s.meta_types & GST_CCA_META_TYPE_SEGMENTATION
      && !add_segmentations (self, buffer))
    return GST_FLOW_ERROR;
  return GST_FLOW_OK;
}

static void
gst_cca_expand_class_init (GstCcaExpandClass *klass)
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
   * The kinds of meta to attach: any of roi, analytics and segmentation. The
   * flags cca and labels have no effect: those metas come from the analysing
   * element. A segmentation needs its label image.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_META_TYPES,
      gst_cca_param_spec_meta_types (DEFAULT_META_TYPES));

  /**
   * GstCcaExpand:max-objects:
   *
   * Maximum number of objects of each kind on a buffer, including those that it
   * already has.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_MAX_OBJECTS,
      gst_cca_param_spec_max_objects ());

  /**
   * GstCcaExpand:object-type:
   *
   * Type of the objects, which overlays print as their label. Can be set only
   * in NULL and READY.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_OBJECT_TYPE,
      gst_cca_param_spec_object_type ());

  gst_element_class_set_static_metadata (element_class,
      "Connected-component meta expander", "Filter/Analyzer/Video",
      "Converts the components attached by cca or cudacca to regions of "
      "interest and analytics objects, scaled to the current video size",
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
gst_cca_expand_init (GstCcaExpand *self)
{
  self->settings.meta_types = DEFAULT_META_TYPES;
  self->settings.max_objects = GST_CCA_DEFAULT_MAX_OBJECTS;
  self->object_type = gst_cca_object_type (NULL);
}
