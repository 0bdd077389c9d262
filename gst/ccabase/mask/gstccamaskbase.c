/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Renders label images and backgrounds as video. The pixels of the input are not read, so it
 * may have any format and memory. A frame is rendered in the requested mode if
 * that has the format of the caps, which follow while the property is being
 * changed. */

#include "gstccamaskbase.h"
#include "gst/ccabase/gstccametafilter.h"
#include "gst/ccabase/gstccatypename.h"
#include "gst/ccabase/gstccavideoshape.h"
#include "gst/ccabase/gstccawarning.h"

GST_DEBUG_CATEGORY_STATIC (gst_cca_mask_debug);
#define GST_CAT_DEFAULT gst_cca_mask_debug

#define DEFAULT_MODE GST_CCA_MASK_MODE_MASK

enum
{
  PROP_0,
  PROP_MODE,
};

GST_CCA_DEFINE_ABSTRACT_TYPE (GstCcaMaskBase, gst_cca_mask_base, "MaskBase",
    GST_TYPE_BASE_TRANSFORM);
#define parent_class gst_cca_mask_base_parent_class

/* *INDENT-OFF* */
GST_CCA_DEFINE_ENUM_TYPE (gst_cca_mask_mode, "MaskMode",
    {GST_CCA_MASK_MODE_MASK,
      "GRAY8: white on the pixels of components, black elsewhere", "mask"},
    {GST_CCA_MASK_MODE_LABELS,
      "GRAY16_LE: the id of the component of each pixel", "labels"},
    {GST_CCA_MASK_MODE_COLORS,
      "RGBA: a colour for each track, or for each component without a "
      "track; transparent elsewhere",
      "colors"},
    {GST_CCA_MASK_MODE_BACKGROUND,
      "GRAY8: the background that the next frame is compared with",
      "background"})
/* *INDENT-ON* */

void
gst_cca_mask_base_post_error (GstCcaMaskBase *self, const gchar *sentence)
{
  GST_ELEMENT_ERROR (self, STREAM, FAILED,
      ("The mask cannot be rendered: %s.", sentence), (NULL));
}

GstBuffer *
gst_cca_mask_base_get_picture (GstCcaMaskBase *self, GstBuffer *buffer)
{
  const GstCcaBackgroundMeta *background =
      gst_buffer_get_cca_background_meta (buffer);
  const GstCcaLabelsMeta *labels = gst_buffer_get_cca_labels_meta (buffer);

  if (self->mode == CCA_PAINT_BACKGROUND)
    return background ? gst_cca_background_meta_get_picture (background) : NULL;
  return labels ? gst_cca_labels_meta_get_picture (labels) : NULL;
}

/* --- properties ----------------------------------------------------------- */

static void
gst_cca_mask_base_set_property (GObject *object, guint prop_id,
    const GValue *value, GParamSpec *pspec)
{
  GstCcaMaskBase *self = GST_CCA_MASK_BASE (object);

  if (prop_id != PROP_MODE) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    return;
  }
  GST_OBJECT_LOCK (self);
  self->requested_mode = g_value_get_enum (value);
  GST_OBJECT_UNLOCK (self);
  gst_base_transform_reconfigure_src (GST_BASE_TRANSFORM (self));
}

static void
gst_cca_mask_base_get_property (GObject *object, guint prop_id, GValue *value,
    GParamSpec *pspec)
{
  GstCcaMaskBase *self = GST_CCA_MASK_BASE (object);

  if (prop_id != PROP_MODE) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    return;
  }
  GST_OBJECT_LOCK (self);
  g_value_set_enum (value, self->requested_mode);
  GST_OBJECT_UNLOCK (self);
}

/* --- caps ----------------------------------------------------------------- */

static const gchar *
requested_format (GstCcaMaskBase *self)
{
  static const gchar *const formats[] = {"GRAY8", "GRAY16_LE", "RGBA", "GRAY8"};
  GstCcaMaskMode mode;

  GST_OBJECT_LOCK (self);
  mode = self->requested_mode;
  GST_OBJECT_UNLOCK (self);
  return formats[mode];
}

/* Returns the caps with another format, NULL for any, and other features,
 * which it takes. */
static GstCaps *
change_caps (GstCaps *caps, const gchar *format, GstCapsFeatures *features)
{
  static const gchar *const kept[] = {"width", "height", "framerate",
    "max-framerate", "pixel-aspect-ratio"};
  GstCaps *out = gst_caps_new_empty ();
  guint i, j;

  for (i = 0; i < gst_caps_get_size (caps); i++) {
    const GstStructure *from = gst_caps_get_structure (caps, i);
    GstStructure *to = gst_structure_new_empty ("video/x-raw");

    if (format != NULL)
      gst_structure_set (to, "format", G_TYPE_STRING, format, NULL);
    for (j = 0; j < G_N_ELEMENTS (kept); j++) {
      const GValue *value = gst_structure_get_value (from, kept[j]);

      if (value != NULL)
        gst_structure_set_value (to, kept[j], value);
    }
    out = gst_caps_merge_structure_full (out, to,
        gst_caps_features_copy (features));
  }
  gst_caps_features_free (features);
  return out;
}

static GstCaps *
gst_cca_mask_base_transform_caps (GstBaseTransform *trans,
    GstPadDirection direction, GstCaps *caps, GstCaps *filter)
{
  GstCcaMaskBase *self = GST_CCA_MASK_BASE (trans);
  const gchar *memory = GST_CCA_MASK_BASE_GET_CLASS (self)->memory;
  const gchar *format = requested_format (self);
  GstCaps *all, *out;

  if (direction == GST_PAD_SINK) {
    all = change_caps (caps, format,
        gst_caps_features_new_static_str (memory, NULL));
  } else {
    GstCaps *made = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING,
        format, NULL);
    GstCaps *possible;

    gst_caps_set_features_simple (made,
        gst_caps_features_new_static_str (memory, NULL));
    possible = gst_caps_intersect_full (caps, made, GST_CAPS_INTERSECT_FIRST);
    all = change_caps (possible, NULL, gst_caps_features_new_any ());
    gst_caps_unref (possible);
    gst_caps_unref (made);
  }
  if (filter == NULL)
    return all;
  out = gst_caps_intersect_full (filter, all, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref (all);
  return out;
}

static gboolean
gst_cca_mask_base_set_caps (GstBaseTransform *trans, GstCaps *incaps,
    GstCaps *outcaps)
{
  GstCcaMaskBase *self = GST_CCA_MASK_BASE (trans);

  if (!gst_video_info_from_caps (&self->info, outcaps)) {
    GST_ELEMENT_ERROR (self, STREAM, FORMAT,
        ("GStreamer has no layout for frames of that size."),
        ("%" GST_PTR_FORMAT, outcaps));
    return FALSE;
  }
  switch (GST_VIDEO_INFO_FORMAT (&self->info)) {
    case GST_VIDEO_FORMAT_GRAY8:
      self->mode = CCA_PAINT_MASK;
      break;
    case GST_VIDEO_FORMAT_GRAY16_LE:
      self->mode = CCA_PAINT_LABELS;
      break;
    default:
      self->mode = CCA_PAINT_COLORS;
      break;
  }
  self->warned = 0;
  return TRUE;
}

/* The size of the output does not depend on that of the input, which is unknown
 * for special memory. */
static gboolean
gst_cca_mask_base_transform_size (GstBaseTransform *trans,
    GstPadDirection direction, GstCaps *caps, gsize size, GstCaps *othercaps,
    gsize *othersize)
{
  *othersize = GST_VIDEO_INFO_SIZE (&GST_CCA_MASK_BASE (trans)->info);
  return TRUE;
}

static gboolean
gst_cca_mask_base_sink_event (GstBaseTransform *trans, GstEvent *event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT)
    GST_CCA_MASK_BASE (trans)->warned = 0;
  return GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
}

/* Rows may be padded, as the element does not read pixels. */
static gboolean
gst_cca_mask_base_propose_allocation (GstBaseTransform *trans,
    GstQuery *decide_query, GstQuery *query)
{
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return TRUE;
}

static gboolean
gst_cca_mask_base_transform_meta (GstBaseTransform *trans, GstBuffer *outbuf,
    GstMeta *meta, GstBuffer *inbuf)
{
  return gst_cca_meta_stays (meta);
}

/* --- frames --------------------------------------------------------------- */

/* The mode is that of the whole frame: it selects also the memory of the
 * output. */
static void
gst_cca_mask_base_before_transform (GstBaseTransform *trans, GstBuffer *buffer)
{
  GstCcaMaskBase *self = GST_CCA_MASK_BASE (trans);

  if (GST_VIDEO_INFO_FORMAT (&self->info) != GST_VIDEO_FORMAT_GRAY8)
    return;
  GST_OBJECT_LOCK (self);
  self->mode = self->requested_mode == GST_CCA_MASK_MODE_BACKGROUND
      ? CCA_PAINT_BACKGROUND
      : CCA_PAINT_MASK;
  GST_OBJECT_UNLOCK (self);
}

/* Returns whether the coordinates of the analysis still hold for the frame. */
static gboolean
fits (GstCcaMaskBase *self, GstBuffer *buffer, const GstCcaMeta *cca,
    const gchar *consequence)
{
  const GstCcaVideoShape shape = {
    GST_VIDEO_INFO_WIDTH (&self->info),
    GST_VIDEO_INFO_HEIGHT (&self->info),
    GST_VIDEO_INFO_PAR_N (&self->info),
    GST_VIDEO_INFO_PAR_D (&self->info),
  };

  return cca == NULL
      || gst_cca_video_shape_fits (&shape, buffer, cca, GST_ELEMENT (self),
          &self->warned, consequence);
}

/* Returns the label image if its coordinates still hold for the frame, and sets
 * *cca to its meta if there is one. */
static const GstCcaLabelsMeta *
find_labels (GstCcaMaskBase *self, GstBuffer *buffer, const GstCcaMeta **cca)
{
  const GstCcaLabelsMeta *labels = gst_buffer_get_cca_labels_meta (buffer);

  if (labels == NULL) {
    /* Gaps are not analysed, so they have no label image. */
    if (!GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP))
      gst_cca_warn_no_labels (GST_ELEMENT (self), &self->warned, "a mask");
    return NULL;
  }
  *cca = gst_cca_labels_meta_get_cca_meta (labels, buffer);
  return fits (self, buffer, *cca,
             "its components would be misplaced and are not shown")
      ? labels
      : NULL;
}

static const GstCcaBackgroundMeta *
find_background (GstCcaMaskBase *self, GstBuffer *buffer)
{
  const GstCcaBackgroundMeta *background =
      gst_buffer_get_cca_background_meta (buffer);

  if (background == NULL) {
    if (!GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP)
        && gst_cca_warn_once (&self->warned, GST_CCA_WARNING_NO_BACKGROUND))
      GST_ELEMENT_WARNING (self, STREAM, FORMAT,
          ("There is no background to show: set meta-types=cca+background and "
           "foreground=sigma-delta or difference on the element that analyses "
           "the video."),
          (NULL));
    return NULL;
  }
  return fits (self, buffer, gst_buffer_get_cca_meta (buffer),
             "its background would be misplaced and is not shown")
      ? background
      : NULL;
}

/* Sets the colour keys: the track of each component, or its label if it has no
 * track. Returns the number of keys, 0 if there are no tracks: a label without
 * a key is its own key. */
static guint
find_keys (GstCcaMaskBase *self, const GstCcaLabelsMeta *labels,
    const GstCcaMeta *cca)
{
  const guint n = gst_cca_labels_meta_get_n_labels (labels) + 1;
  const GstCcaComponent *components;
  guint n_components, n_keys = 0, i;

  components = gst_cca_meta_get_components (cca, &n_components);
  if (self->max_keys < n) {
    g_free (self->keys);
    self->keys = g_new (guint32, n);
    self->max_keys = n;
  }
  for (i = 0; i < n; i++)
    self->keys[i] = i;
  for (i = 0; i < n_components; i++) {
    if (components[i].track_id < 0 || components[i].id >= n)
      continue;
    self->keys[components[i].id] = components[i].track_id;
    n_keys = n;
  }
  return n_keys;
}

static gboolean
describe_labels (GstCcaMaskBase *self, GstBuffer *buffer,
    CcaPaintLabels *described)
{
  const GstCcaMeta *cca = NULL;
  const GstCcaLabelsMeta *labels = find_labels (self, buffer, &cca);
  guint n_keys = 0;

  if (labels == NULL)
    return FALSE;
  if (cca != NULL && self->mode == CCA_PAINT_COLORS)
    n_keys = find_keys (self, labels, cca);
  *described = (CcaPaintLabels) {
    .width = gst_cca_labels_meta_get_width (labels),
    .height = gst_cca_labels_meta_get_height (labels),
    .size = gst_cca_labels_meta_get_depth (labels) / 8,
    .n_keys = n_keys,
    .keys = self->keys,
  };
  return TRUE;
}

static gboolean
describe_background (GstCcaMaskBase *self, GstBuffer *buffer,
    CcaPaintLabels *described)
{
  const GstCcaBackgroundMeta *background = find_background (self, buffer);
  guint depth;

  if (background == NULL)
    return FALSE;
  depth = gst_cca_background_meta_get_depth (background);
  *described = (CcaPaintLabels) {
    .width = gst_cca_background_meta_get_width (background),
    .height = gst_cca_background_meta_get_height (background),
    .size = depth > 8 ? 2 : 1,
    .drop = depth - 8,
  };
  return TRUE;
}

static GstFlowReturn
gst_cca_mask_base_transform (GstBaseTransform *trans, GstBuffer *inbuf,
    GstBuffer *outbuf)
{
  GstCcaMaskBase *self = GST_CCA_MASK_BASE (trans);
  const gboolean is_background = self->mode == CCA_PAINT_BACKGROUND;
  CcaPaintLabels labels;
  GstBuffer *picture = NULL;

  if (is_background ? describe_background (self, inbuf, &labels)
                    : describe_labels (self, inbuf, &labels))
    picture = gst_cca_mask_base_get_picture (self, inbuf);
  return GST_CCA_MASK_BASE_GET_CLASS (self)->paint (self, outbuf, picture,
             &labels)
      ? GST_FLOW_OK
      : GST_FLOW_ERROR;
}

static void
gst_cca_mask_base_finalize (GObject *object)
{
  g_free (GST_CCA_MASK_BASE (object)->keys);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_cca_mask_base_class_init (GstCcaMaskBaseClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (gst_cca_mask_debug, "ccamask", 0,
      "video from label images");

  object_class->set_property = gst_cca_mask_base_set_property;
  object_class->get_property = gst_cca_mask_base_get_property;
  object_class->finalize = gst_cca_mask_base_finalize;

  /**
   * GstCcaMaskBase:mode:
   *
   * Content of the output and its form. The mode determines the output format.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_MODE,
      g_param_spec_enum ("mode", "Mode",
          "Content of the output: the label image or the background. The mode "
          "determines the output format",
          GST_TYPE_CCA_MASK_MODE, DEFAULT_MODE, GST_CCA_PARAM_PLAYING));

  trans_class->transform_caps =
      GST_DEBUG_FUNCPTR (gst_cca_mask_base_transform_caps);
  trans_class->set_caps = GST_DEBUG_FUNCPTR (gst_cca_mask_base_set_caps);
  trans_class->transform_size =
      GST_DEBUG_FUNCPTR (gst_cca_mask_base_transform_size);
  trans_class->sink_event = GST_DEBUG_FUNCPTR (gst_cca_mask_base_sink_event);
  trans_class->propose_allocation =
      GST_DEBUG_FUNCPTR (gst_cca_mask_base_propose_allocation);
  trans_class->transform_meta =
      GST_DEBUG_FUNCPTR (gst_cca_mask_base_transform_meta);
  trans_class->before_transform =
      GST_DEBUG_FUNCPTR (gst_cca_mask_base_before_transform);
  trans_class->transform = GST_DEBUG_FUNCPTR (gst_cca_mask_base_transform);

  gst_type_mark_as_plugin_api (GST_TYPE_CCA_MASK_BASE, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_CCA_MASK_MODE, 0);
}

static void
gst_cca_mask_base_init (GstCcaMaskBase *self)
{
  self->requested_mode = DEFAULT_MODE;
  /* Keep the base class from clearing the gap flag. */
  gst_base_transform_set_gap_aware (GST_BASE_TRANSFORM (self), TRUE);
}
