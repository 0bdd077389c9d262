/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Label images, and pictures of the background, are buffers of a pool with room
 * for 16 bits per pixel. The engine chooses 8 or 16 bits for labels when it has
 * counted the components. */

#include "gstccalabels.h"

#include <gst/ccameta/gstccabackgroundmeta.h>
#include <gst/ccameta/gstccalabelsmeta.h>

#include "gst/ccabase/gstccawarning.h"

#define GST_CAT_DEFAULT gst_cca_base_debug

void
gst_cca_labels_drop_pool (GstCcaBase *self)
{
  if (self->label_pool != NULL)
    gst_buffer_pool_set_active (self->label_pool, FALSE);
  gst_clear_object (&self->label_pool);
}

/* Returns a pool for the size and the key of the job, or NULL. The element
 * keeps the reference. */
static GstBufferPool *
ensure_pool (GstCcaBase *self, const GstCcaJob *job)
{
  const GstCcaPicture *p = &job->picture;

  if (self->label_pool != NULL && self->label_width == p->width
      && self->label_height == p->height
      && self->label_pool_key == job->label_pool_key)
    return self->label_pool;
  gst_cca_labels_drop_pool (self);
  self->label_pool = GST_CCA_BASE_GET_CLASS (self)->new_label_pool (self, job);
  self->label_width = p->width;
  self->label_height = p->height;
  self->label_pool_key = job->label_pool_key;
  return self->label_pool;
}

static gsize
stride_of (GstCcaBase *self, const GstCcaJob *job, GstBuffer *picture,
    guint bits)
{
  const GstVideoMeta *video = gst_buffer_get_video_meta (picture);

  if (GST_CCA_BASE_GET_CLASS (self)->labels_are_padded)
    return video->stride[0];
  return (gsize) job->picture.width * bits / 8;
}

static gboolean
map_picture (GstCcaBase *self, GstCcaJob *job, GstBuffer **picture,
    GstMapInfo *map, const gchar *name, gchar **why)
{
  const GstMapFlags flags = GST_CCA_BASE_GET_CLASS (self)->label_map_flags;
  GstBufferPool *pool = ensure_pool (self, job);

  if (pool == NULL
      || gst_buffer_pool_acquire_buffer (pool, picture, NULL) != GST_FLOW_OK) {
    *why = g_strdup_printf ("memory for the %s ran out", name);
    return FALSE;
  }
  if (!gst_buffer_map_range (*picture, 0, -1, map, GST_MAP_WRITE | flags)) {
    gst_clear_buffer (picture);
    *why = g_strdup_printf ("the %s cannot be mapped for writing", name);
    return FALSE;
  }
  return TRUE;
}

static gboolean
map_labels (GstCcaBase *self, GstCcaJob *job, gchar **why)
{
  if (!map_picture (self, job, &job->labels, &job->labels_map, "label image",
          why))
    return FALSE;
  job->frame.labels = (CcaLabels) {
    .data = job->labels_map.data,
    .bits = 16,
    .stride = stride_of (self, job, job->labels, 16),
    .narrow_stride = stride_of (self, job, job->labels, 8),
  };
  return TRUE;
}

static guint
background_bits (GstCcaBase *self)
{
  return 8 * GST_CCA_SAMPLE_SIZE (&self->info);
}

static gboolean
map_background (GstCcaBase *self, GstCcaJob *job, gchar **why)
{
  if (job->params.foreground < CCA_FOREGROUND_DIFFERENCE) {
    if (gst_cca_warn_once (&self->warned, GST_CCA_WARNING_NO_BACKGROUND))
      GST_ELEMENT_WARNING (self, STREAM, FORMAT,
          ("There is no background to attach: set foreground=sigma-delta or "
           "foreground=difference, or remove background from meta-types."),
          (NULL));
    return TRUE;
  }
  if (!map_picture (self, job, &job->background, &job->background_map,
          "picture of the background", why))
    return FALSE;
  job->frame.background = job->background_map.data;
  job->frame.background_stride =
      stride_of (self, job, job->background, background_bits (self));
  return TRUE;
}

gboolean
gst_cca_labels_map (GstCcaBase *self, GstCcaJob *job, gchar **why)
{
  if (gst_cca_settings_want_labels (&job->settings)
      && !map_labels (self, job, why))
    return FALSE;
  return !gst_cca_settings_want_background (&job->settings)
      || map_background (self, job, why);
}

void
gst_cca_labels_unmap (GstCcaJob *job)
{
  if (job->frame.labels.data != NULL)
    gst_buffer_unmap (job->labels, &job->labels_map);
  job->frame.labels.data = NULL;
  if (job->frame.background != NULL)
    gst_buffer_unmap (job->background, &job->background_map);
  job->frame.background = NULL;
}

void
gst_cca_labels_forget (GstCcaJob *job)
{
  gst_clear_buffer (&job->labels);
  gst_clear_buffer (&job->background);
}

/* Sets format, size and stride in the video meta of the picture. Buffers of a
 * CUDA pool have the meta already. */
static void
describe (GstCcaBase *self, const GstCcaJob *job, GstBuffer *picture,
    guint bits)
{
  GstVideoMeta *video = gst_buffer_get_video_meta (picture);

  if (video == NULL)
    video = gst_buffer_add_video_meta (picture, GST_VIDEO_FRAME_FLAG_NONE,
        GST_VIDEO_FORMAT_GRAY8, job->picture.width, job->picture.height);
  video->format =
      bits == 8 ? GST_VIDEO_FORMAT_GRAY8 : GST_VIDEO_FORMAT_GRAY16_LE;
  video->width = job->picture.width;
  video->height = job->picture.height;
  video->stride[0] = stride_of (self, job, picture, bits);
}

/* Posts one warning per stream. */
static void
warn_too_many (GstCcaBase *self, guint n_found)
{
  if (gst_cca_warn_once (&self->warned, GST_CCA_WARNING_TOO_MANY))
    GST_ELEMENT_WARNING (self, STREAM, FAILED,
        ("A frame with %u components gets no label image, which can have at "
         "most 65535: raise min-area.",
            n_found),
        (NULL));
}

/* Why gst_cca_labels_meta_emit_segmentation() fails. */
#if GST_CHECK_VERSION(1, 26, 0)
#define NO_SEGMENTATION "the label image cannot be read"
#else
#define NO_SEGMENTATION \
  "a segmentation needs GStreamer 1.26, and this " \
  "element was built with an older one"
#endif

/* The engine writes 16-bit pixels in the byte order of the machine, but those
 * of the metas must be little-endian. */
static gboolean
has_image (guint bits)
{
  return bits == 8 || (G_BYTE_ORDER == G_LITTLE_ENDIAN && bits == 16);
}

static gboolean
attach_background (GstCcaBase *self, GstCcaJob *job)
{
  const guint bits = background_bits (self);

  if (job->background == NULL || !has_image (bits))
    return TRUE;
  describe (self, job, job->background, bits);
  return gst_buffer_add_cca_background_meta (job->buffer, job->background,
             GST_CCA_DEPTH (&self->info))
      != NULL;
}

static gboolean
attach_labels (GstCcaBase *self, GstCcaJob *job, const CcaResult *result,
    const gchar **why)
{
  const GstCcaMetaTypes types = job->settings.meta_types;
  GstCcaLabelsMeta *meta;

  if (job->labels == NULL)
    return TRUE;
  if (!has_image (result->label_bits)) {
    warn_too_many (self, result->n_found);
    return TRUE;
  }
  describe (self, job, job->labels, result->label_bits);
  meta = gst_buffer_add_cca_labels_meta (job->buffer, job->labels,
      result->n_found);
  if (meta == NULL)
    return FALSE;
  if ((types & GST_CCA_META_TYPE_SEGMENTATION)
      && !gst_cca_labels_meta_emit_segmentation (meta, job->buffer, 0, 0)) {
    *why = NO_SEGMENTATION;
    return FALSE;
  }
  if (!(types & GST_CCA_META_TYPE_LABELS))
    gst_buffer_remove_meta (job->buffer, GST_META_CAST (meta));
  return TRUE;
}

gboolean
gst_cca_labels_attach (GstCcaBase *self, GstCcaJob *job,
    const CcaResult *result, const gchar **why)
{
  return attach_background (self, job)
      && attach_labels (self, job, result, why);
}
