/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_LABELS_META_H__
#define __GST_CCA_LABELS_META_H__

#include <gst/gst.h>
#include <gst/ccameta/gstccameta.h>

G_BEGIN_DECLS

/**
 * GstCcaLabelsMeta:
 *
 * An opaque #GstMeta: an image with the id of the component of each pixel of a
 * video frame. Use the functions to read it.
 */
typedef struct _GstCcaLabelsMeta GstCcaLabelsMeta;

#define GST_CCA_LABELS_META_API_TYPE (gst_cca_labels_meta_api_get_type ())
#define GST_CCA_LABELS_META_INFO (gst_cca_labels_meta_get_info ())

GST_CCA_META_API
GType gst_cca_labels_meta_api_get_type (void);

GST_CCA_META_API
const GstMetaInfo *gst_cca_labels_meta_get_info (void);

GST_CCA_META_API
GstCcaLabelsMeta *gst_buffer_add_cca_labels_meta (GstBuffer * buffer,
    GstBuffer * picture, guint n_labels);

GST_CCA_META_API
GstCcaLabelsMeta *gst_buffer_get_cca_labels_meta (GstBuffer * buffer);

GST_CCA_META_API
GstBuffer *gst_cca_labels_meta_get_picture (const GstCcaLabelsMeta * meta);

GST_CCA_META_API
guint gst_cca_labels_meta_get_width (const GstCcaLabelsMeta * meta);

GST_CCA_META_API
guint gst_cca_labels_meta_get_height (const GstCcaLabelsMeta * meta);

GST_CCA_META_API
guint gst_cca_labels_meta_get_depth (const GstCcaLabelsMeta * meta);

GST_CCA_META_API
guint gst_cca_labels_meta_get_n_labels (const GstCcaLabelsMeta * meta);

GST_CCA_META_API
GstCcaMeta *gst_cca_labels_meta_get_cca_meta (const GstCcaLabelsMeta * meta,
    GstBuffer * buffer);

GST_CCA_META_API
gboolean gst_cca_labels_meta_get_label (const GstCcaLabelsMeta * meta,
    guint x, guint y, guint * label);

GST_CCA_META_API
GBytes *gst_cca_labels_meta_get_rows (const GstCcaLabelsMeta * meta, guint y,
    guint n_rows);

GST_CCA_META_API
gboolean gst_cca_labels_meta_emit_segmentation (const GstCcaLabelsMeta * meta,
    GstBuffer * buffer, guint frame_width, guint frame_height);

G_END_DECLS

#endif /* __GST_CCA_LABELS_META_H__ */
