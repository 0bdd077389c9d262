/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_MASK_BASE_H__
#define __GST_CCA_MASK_BASE_H__

#include <gst/base/gstbasetransform.h>
#include <gst/ccameta/gstccalabelsmeta.h>
#include <gst/video/video.h>

#include "paint/paint.h"
#include "gst/ccabase/gstccaproperty.h"

G_BEGIN_DECLS

/* What ccamask and cudaccamask share: everything but the memory that they paint
 * in. */

/**
 * GstCcaMaskMode:
 * @GST_CCA_MASK_MODE_MASK: GRAY8, 255 where there is a component and else 0
 * @GST_CCA_MASK_MODE_LABELS: GRAY16_LE, the ids of the components
 * @GST_CCA_MASK_MODE_COLORS: RGBA, a colour for each component, and what
 *   belongs to none is transparent
 *
 * What is made of a label image.
 *
 * Since: 0.1
 */
typedef enum {
  GST_CCA_MASK_MODE_MASK = CCA_PAINT_MASK,
  GST_CCA_MASK_MODE_LABELS = CCA_PAINT_LABELS,
  GST_CCA_MASK_MODE_COLORS = CCA_PAINT_COLORS,
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

  GstVideoInfo info;            /* of what is made */
  CcaPaintMode mode;            /* which follows from its format */

  /*< private >*/
  GstCcaMaskMode wanted;        /* under the object lock */
  guint32 *keys;                /* of the present frame, and room for so many */
  guint max_keys;
  guint warned;                 /* GstCcaWarning, that were given */
};

struct _GstCcaMaskBaseClass {
  GstBaseTransformClass parent_class;

  const gchar *memory;          /* caps feature of what is made */

  /* Paints the label image, of whose colours the first n_keys have other keys
   * than their number; or, if it is NULL, nothing at all. FALSE: the error has
   * been posted. */
  gboolean (*paint) (GstCcaMaskBase * self, GstBuffer * buffer,
      const GstCcaLabelsMeta * labels, const guint32 * keys, guint n_keys);
};

GType gst_cca_mask_base_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaMaskBase, gst_object_unref)

/* Posts the error that a label image cannot be used: a sentence without a final
 * period. */
void gst_cca_mask_base_post_error (GstCcaMaskBase * self,
    const gchar * sentence);

/* The mode's description of mapped label images and pictures. */
CcaPaintLabels gst_cca_mask_base_labels (const GstCcaLabelsMeta * labels,
    gconstpointer data, gint stride, const guint32 * keys, guint n_keys);

G_END_DECLS

#endif /* __GST_CCA_MASK_BASE_H__ */
