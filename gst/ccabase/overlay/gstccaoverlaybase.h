/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_OVERLAY_BASE_H__
#define __GST_CCA_OVERLAY_BASE_H__

#include <gst/base/gstbasetransform.h>

#include "gstccadrawing.h"
#include "gst/ccabase/gstccaplane.h"
#include "gst/ccabase/gstccawarning.h"

G_BEGIN_DECLS

/* The base class of ccaoverlay and cudaccaoverlay. A subclass maps the pixels
 * and draws the commands. */

#define GST_TYPE_CCA_OVERLAY_BASE (gst_cca_overlay_base_get_type ())
#define GST_CCA_OVERLAY_BASE(obj) (G_TYPE_CHECK_INSTANCE_CAST ((obj), \
    GST_TYPE_CCA_OVERLAY_BASE, GstCcaOverlayBase))
#define GST_CCA_OVERLAY_BASE_CLASS(klass) (G_TYPE_CHECK_CLASS_CAST ((klass), \
    GST_TYPE_CCA_OVERLAY_BASE, GstCcaOverlayBaseClass))
#define GST_CCA_OVERLAY_BASE_GET_CLASS(obj) (G_TYPE_INSTANCE_GET_CLASS ((obj), \
    GST_TYPE_CCA_OVERLAY_BASE, GstCcaOverlayBaseClass))

typedef struct _GstCcaOverlayBase GstCcaOverlayBase;
typedef struct _GstCcaOverlayBaseClass GstCcaOverlayBaseClass;

struct _GstCcaOverlayBase {
  GstBaseTransform parent;

  /*< protected >*/
  GstVideoInfo info;
  CcaOverlayGlyphs digits;
  guint digits_made;            /* incremented whenever digits change */

  /*< private >*/
  guint font_size;              /* of the digits; 0: not made */
  GstCcaDrawing drawing;
  GstCcaTrails trails;
  guint warned;                 /* mask of the GstCcaWarning already issued */
  GstCcaMetaWatch watch;

  GstCcaDrawingStyle style;     /* under the object lock */
};

struct _GstCcaOverlayBaseClass {
  GstBaseTransformClass parent_class;

  /* Draws into a buffer with writable metadata. If the frame cannot be drawn
   * on, sets *why to a sentence without a final period, to be freed with
   * g_free(): the buffer passes undrawn, with a warning. For any other failure
   * the subclass posts the error itself. Returns the transform's result. */
  GstFlowReturn (*draw) (GstCcaOverlayBase * self, GstBuffer * buffer,
      const GstCcaPicture * picture, const CcaOverlayList * list, gchar ** why);
};

GType gst_cca_overlay_base_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaOverlayBase, gst_object_unref)

/* For prepare_output_buffer functions, which must call it for each buffer: takes
 * the style of the frame, and returns FALSE if there is nothing to draw and the
 * buffer can pass itself, even if it is shared. */
gboolean gst_cca_overlay_base_will_draw (GstCcaOverlayBase * self,
    GstBuffer * buffer);

/* Suffix of the elements' description. */
#ifdef HAVE_PANGO
#define GST_CCA_OVERLAY_LIMITS ""
#else
#define GST_CCA_OVERLAY_LIMITS " (no labels: it was built without Pango)"
#endif

/* A plane of a mapped buffer. */
typedef struct {
  guint8 *data;                 /* first byte of the plane */
  gsize size;                   /* bytes from there to the end of the memory */
  gssize stride;                /* bytes from row to row */
} GstCcaOverlayPlane;

/* Describes a rectangle of the planes to the drawing. If it is not inside the
 * planes, returns FALSE and sets *why to a sentence without a final period, to
 * be freed with g_free(). */
gboolean gst_cca_overlay_describe (CcaOverlayPicture * out,
    const GstVideoInfo * info, const GstCcaPicture * picture,
    const GstCcaOverlayPlane * planes, gchar ** why);

G_END_DECLS

#endif /* __GST_CCA_OVERLAY_BASE_H__ */
