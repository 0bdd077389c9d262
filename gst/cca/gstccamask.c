/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/**
 * SECTION:element-ccamask
 * @title: ccamask
 * @short_description: renders the label image of connected components as video
 * @see_also: cca, cudaccamask
 *
 * Renders the #GstCcaLabelsMeta of its buffers as video in system memory: as a
 * mask, as the ids of the components, or with a colour for each component. Or it
 * shows the #GstCcaBackgroundMeta, the background of the video. The pixels of the buffers are not read. The output keeps the size, framerate and
 * timestamps, and the metas that describe the contents of the picture.
 *
 * ## Example pipelines
 *
 * |[
 * gst-launch-1.0 videotestsrc pattern=ball num-buffers=60 ! cca foreground=sigma-delta meta-types=cca+labels ! ccamask ! videoconvert ! fakesink
 * ]| Renders the pixels detected as moving. Use autovideosink to watch them.
 *
 * Since: 0.1
 */

#include "gstccamask.h"

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("video/x-raw(ANY)"));

static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS,
        GST_STATIC_CAPS (GST_VIDEO_CAPS_MAKE (GST_CCA_MASK_FORMATS)));

struct _GstCcaMask
{
  GstCcaMaskBase parent;

  CcaPaintPalette *palette; /* NULL before the first frame in colours */
};

G_DEFINE_FINAL_TYPE (GstCcaMask, gst_cca_mask, GST_TYPE_CCA_MASK_BASE);
GST_ELEMENT_REGISTER_DEFINE (ccamask, "ccamask", GST_RANK_NONE,
    GST_TYPE_CCA_MASK);

static void
clear (const CcaPaintPicture *picture, guint row)
{
  guint y;

  for (y = 0; y < picture->height; y++)
    memset (picture->data + picture->stride * y, 0, row);
}

static gboolean
paint_picture (GstCcaMaskBase *self, const CcaPaintPicture *picture,
    GstBuffer *from, CcaPaintLabels *labels)
{
  GstVideoMeta *video = gst_buffer_get_video_meta (from);
  GstCcaMask *mask = GST_CCA_MASK (self);
  GstMapInfo map;
  gpointer data;
  gint stride;

  if (!gst_video_meta_map (video, 0, &map, &data, &stride, GST_MAP_READ)) {
    gst_cca_mask_base_post_error (self,
        self->mode == CCA_PAINT_BACKGROUND ? "the background cannot be read"
                                           : "the label image cannot be read");
    return FALSE;
  }
  labels->data = data;
  labels->stride = stride;
  if (self->mode == CCA_PAINT_COLORS && mask->palette == NULL)
    mask->palette = g_new0 (CcaPaintPalette, 1);
  cca_paint_code (
      cca_cpu_level ()) (picture, self->mode, labels, mask->palette);
  gst_video_meta_unmap (video, 0, &map);
  return TRUE;
}

static gboolean
gst_cca_mask_paint (GstCcaMaskBase *self, GstBuffer *buffer, GstBuffer *from,
    CcaPaintLabels *labels)
{
  CcaPaintPicture picture;
  GstVideoFrame frame;
  gboolean ok = TRUE;

  if (!gst_video_frame_map (&frame, &self->info, buffer, GST_MAP_WRITE)) {
    gst_cca_mask_base_post_error (self, "a buffer cannot be written");
    return FALSE;
  }
  picture = (CcaPaintPicture) {
    .data = GST_VIDEO_FRAME_PLANE_DATA (&frame, 0),
    .stride = GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0),
    .width = GST_VIDEO_INFO_WIDTH (&self->info),
    .height = GST_VIDEO_INFO_HEIGHT (&self->info),
  };
  if (from != NULL)
    ok = paint_picture (self, &picture, from, labels);
  else
    clear (&picture,
        picture.width * GST_VIDEO_INFO_COMP_PSTRIDE (&self->info, 0));
  gst_video_frame_unmap (&frame);
  return ok;
}

static void
gst_cca_mask_finalize (GObject *object)
{
  g_free (GST_CCA_MASK (object)->palette);
  G_OBJECT_CLASS (gst_cca_mask_parent_class)->finalize (object);
}

static void
gst_cca_mask_class_init (GstCcaMaskClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstCcaMaskBaseClass *base_class = GST_CCA_MASK_BASE_CLASS (klass);

  gst_element_class_set_static_metadata (element_class,
      "Connected-component mask", "Filter/Video",
      "Renders the label images attached by cca as video: as a mask, as "
      "component ids, or with a colour for each component; or the background",
      "the gst-cudacca authors");
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);

  G_OBJECT_CLASS (klass)->finalize = gst_cca_mask_finalize;
  base_class->memory = GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY;
  base_class->paint = GST_DEBUG_FUNCPTR (gst_cca_mask_paint);
}

static void
gst_cca_mask_init (GstCcaMask *self)
{
}
