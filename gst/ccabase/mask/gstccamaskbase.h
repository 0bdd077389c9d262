/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_MASK_BASE_H__
#define __GST_CCA_MASK_BASE_H__

#include <gst/base/gstbasetransform.h>
#include <gst/ccameta/gstccabackgroundmeta.h>
#include <gst/ccameta/gstccalabelsmeta.h>
#include <gst/video/video.h>

#include "paint/paint.h"
#include "gst/ccabase/gstccaproperty.h"

G_BEGIN_DECLS

/* The base class of ccamask and cudaccamask. A subclass maps and paints the
 * memory. */

/**
 * GstCcaMaskMode:
 * @GST_CCA_MASK_MODE_MASK: GRAY8, 255 on the pixels of components and 0
 *   elsewhere
 * @GST_CCA_MASK_MODE_LABELS: GRAY16_LE, the id of the component of each pixel,
 *   0 for the background
 * @GST_CCA_MASK_MODE_COLORS: RGBA, a colour for each track, or for each
 *   component without a track. The background is transparent.
 * @GST_CCA_MASK_MODE_BACKGROUND: GRAY8, the background: the highest 8 bits of
 *   its values
 *
 * Content of the output and its form.
 *
 * Since: 0.1
 */
typedef enum {
  GST_CCA_MASK_MODE_MASK = CCA_PAINT_MASK,
  GST_CCA_MASK_MODE_LABELS = CCA_PAINT_LABELS,
  GST_CCA_MASK_MODE_COLORS = CCA_PAINT_COLORS,
  GST_CCA_MASK_MODE_BACKGROUND = CCA_PAINT_BACKGROUND,
} GstCcaMaskMode;

#define GST_TYPE_CCA_MASK_MODE (gst_cca_mask_mode_get_type ())
GType gst_cca_mask_mode_get_type (void);

#define GST_CCA_MASK_FORMATS "{ GRAY8, GRAY16_LE, RGBA }"

#define GST_TYPE_CCA_MASK_BASE (gst_cca_mask_base_get_type ())
#define GST_CCA_MASK_BASE(obj) \
    (G_TYPE_CHECK_INSTANCE_CAST ((obj), GST_TYPE_CCA_MASK_BASE, \
        GstCcaMaskBase))
#define GST_CCA_MASK_BASE_CLASS(klass) \
    (G_TYPE_CHECK_CLASS_CAST ((klass), GST_TYPE_CCA_MASK_BASE, \
        GstCcaMaskBaseClass))
#define GST_CCA_MASK_BASE_GET_CLASS(obj) \
    (G_TYPE_INSTANCE_GET_CLASS ((obj), GST_TYPE_CCA_MASK_BASE, \
        GstCcaMaskBaseClass))

typedef struct _GstCcaMaskBase GstCcaMaskBase;
typedef struct _GstCcaMaskBaseClass GstCcaMaskBaseClass;

struct _GstCcaMaskBase {
  GstBaseTransform parent;

  GstVideoInfo info;            /* of the output */
  CcaPaintMode mode;            /* of the frame; fits the output format */

  /*< private >*/
  GstCcaMaskMode requested_mode;        /* under the object lock */
  guint32 *keys;                /* colour keys of the current frame */
  guint max_keys;               /* allocated keys */
  guint warned;                 /* mask of the GstCcaWarning already issued */
};

struct _GstCcaMaskBaseClass {
  GstBaseTransformClass parent_class;

  const gchar *memory;          /* caps feature of the output */

  /* Paints the picture, a label image or a background, into the buffer, or
   * clears the buffer if the picture is NULL. *labels describes it but for its
   * data and stride, which the subclass sets. Returns FALSE after posting an
   * error. */
  gboolean (*paint) (GstCcaMaskBase * self, GstBuffer * buffer,
      GstBuffer * picture, CcaPaintLabels * labels);
};

GType gst_cca_mask_base_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaMaskBase, gst_object_unref)

/* Posts the error that the output cannot be rendered. The reason is a sentence
 * without a final period. */
void gst_cca_mask_base_post_error (GstCcaMaskBase * self,
    const gchar * sentence);

/* Returns the picture of the buffer that the mode of the frame renders, or
 * NULL. */
GstBuffer *gst_cca_mask_base_get_picture (GstCcaMaskBase * self,
    GstBuffer * buffer);

G_END_DECLS

#endif /* __GST_CCA_MASK_BASE_H__ */
