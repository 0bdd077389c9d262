/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_OVERLAY_BASE_H__
#define __GST_CCA_OVERLAY_BASE_H__

#include <gst/base/gstbasetransform.h>

#include "gstccadrawing.h"
#include "gst/ccabase/gstccaplane.h"
#include "gst/ccabase/gstccawarning.h"

G_BEGIN_DECLS

/* What ccaoverlay and cudaccaoverlay share: everything but how they get at the
 * pixels, and who draws. */

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
  guint digits_made;            /* counts how often they were replaced */

  /*< private >*/
  guint font_size;              /* of the digits; 0: not made */
  GstCcaDrawing drawing;
  GstCcaTrails trails;
  guint warned;                 /* GstCcaWarning, that were given */
  GstCcaMetaWatch watch;

  GstCcaDrawingStyle style;     /* under the object lock */
};

struct _GstCcaOverlayBaseClass {
  GstBaseTransformClass parent_class;

  /* Draws into a buffer with writable metadata. If the frame cannot be drawn on
   * *why becomes a sentence without a final period, to be freed: the buffer
   * then goes on as it is. Any other failure has been posted. */
  GstFlowReturn (*draw) (GstCcaOverlayBase * self, GstBuffer * buffer,
      const GstCcaPicture * picture, const CcaOverlayList * list, gchar ** why);
};

GType gst_cca_overlay_base_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaOverlayBase, gst_object_unref)

/* For a prepare_output_buffer function: FALSE if the buffer goes on as it is. */
gboolean gst_cca_overlay_base_will_draw (GstBuffer * buffer);

/* For the end of the elements' description. */
#ifdef HAVE_PANGO
#define GST_CCA_OVERLAY_LIMITS ""
#else
#define GST_CCA_OVERLAY_LIMITS " (no labels: it was built without Pango)"
#endif

/* One plane of a mapped buffer: its first byte, the bytes from there to the end
 * of the memory, and from row to row. */
typedef struct {
  guint8 *data;
  gsize size;
  gssize stride;
} GstCcaOverlayPlane;

/* Describes that rectangle of the planes. FALSE, with a sentence in *why, if it
 * does not lie in them. */
gboolean gst_cca_overlay_describe (CcaOverlayPicture * out,
    const GstVideoInfo * info, const GstCcaPicture * picture,
    const GstCcaOverlayPlane * planes, gchar ** why);

G_END_DECLS

#endif /* __GST_CCA_OVERLAY_BASE_H__ */
