/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/**
 * SECTION:element-ccaoverlay
 * @title: ccaoverlay
 * @short_description: draws connected components into video
 * @see_also: cudaccaoverlay, cca
 *
 * Draws the components of a buffer's #GstCcaMeta into the picture: their boxes,
 * their ids or areas, and the trails of tracked ones. The video is in system
 * memory. `cudaccaoverlay` draws the same pixels in CUDA memory.
 *
 * Buffers without components pass unchanged. A shared buffer is copied before
 * the element draws into it.
 *
 * The element posts a warning if none of the first 30 buffers of a stream, or
 * of all buffers of a shorter stream, has a #GstCcaMeta. Gaps and empty
 * buffers do not count.
 *
 * ## Example pipeline
 *
 * |[
 * gst-launch-1.0 videotestsrc pattern=ball num-buffers=100 ! cca threshold=100 min-area=20 ! ccaoverlay ! videoconvert ! autovideosink
 * ]| Draws a box around the ball.
 *
 * Since: 0.1
 */

#include "gstccaoverlay.h"

GST_DEBUG_CATEGORY_STATIC (gst_cca_overlay_debug);
#define GST_CAT_DEFAULT gst_cca_overlay_debug

/* The structures are separate for the reason given in gstcca.c. */
#define CAPS_8 \
  GST_VIDEO_CAPS_MAKE ("{ NV12, NV21, I420, YV12, Y42B, Y444, " \
                       "GRAY8, BGRA, RGBA, BGRx, RGBx }")
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define CAPS \
  CAPS_8 "; " GST_VIDEO_CAPS_MAKE ("{ P010_10LE, P012_LE, P016_LE, I420_10LE }")
#else
#define CAPS CAPS_8
#endif

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS (CAPS));

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (CAPS));

struct _GstCcaOverlay
{
  GstCcaOverlayBase parent;
};

G_DEFINE_FINAL_TYPE (GstCcaOverlay, gst_cca_overlay, GST_TYPE_CCA_OVERLAY_BASE);
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE (ccaoverlay, "ccaoverlay", GST_RANK_NONE,
    GST_TYPE_CCA_OVERLAY,
    GST_DEBUG_CATEGORY_INIT (gst_cca_overlay_debug, "ccaoverlay", 0,
        "connected components drawn into video"));

/* A frame with a GstVideoMeta has a map for each plane, any other frame has one
 * map for all of them. */
static void
find_planes (const GstVideoFrame *frame, GstCcaOverlayPlane *planes)
{
  guint i;

  for (i = 0; i < GST_VIDEO_FRAME_N_PLANES (frame); i++) {
    const GstMapInfo *map = &frame->map[frame->meta != NULL ? i : 0];
    guint8 *data = GST_VIDEO_FRAME_PLANE_DATA (frame, i);

    planes[i] = (GstCcaOverlayPlane) {
      .data = data,
      .size = map->data + map->size - data,
      .stride = GST_VIDEO_FRAME_PLANE_STRIDE (frame, i),
    };
  }
}

static GstFlowReturn
gst_cca_overlay_draw (GstCcaOverlayBase *base, GstBuffer *buffer,
    const GstCcaPicture *picture, const CcaOverlayList *list, gchar **why)
{
  GstCcaOverlayPlane planes[GST_VIDEO_MAX_PLANES];
  CcaOverlayPicture out;
  GstVideoFrame frame;

  /* Mapping for writing copies shared memory. */
  if (!gst_video_frame_map (&frame, &base->info, buffer, GST_MAP_READWRITE)) {
    *why = g_strdup ("the buffer cannot be mapped for drawing");
    return GST_FLOW_OK;
  }
  find_planes (&frame, planes);
  if (gst_cca_overlay_describe (&out, &base->info, picture, planes, why))
    cca_overlay_code (cca_cpu_level ()) (&out, &base->digits, list);
  gst_video_frame_unmap (&frame);
  return GST_FLOW_OK;
}

static void
gst_cca_overlay_class_init (GstCcaOverlayClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  gst_element_class_set_static_metadata (element_class,
      "Connected-component overlay", "Filter/Effect/Video",
      "Draws the boxes, ids or areas, and trails of the components attached by "
      "cca into the video" GST_CCA_OVERLAY_LIMITS,
      "the gst-cudacca authors");
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);

  GST_CCA_OVERLAY_BASE_CLASS (klass)->draw =
      GST_DEBUG_FUNCPTR (gst_cca_overlay_draw);
}

static void
gst_cca_overlay_init (GstCcaOverlay *self)
{
}
