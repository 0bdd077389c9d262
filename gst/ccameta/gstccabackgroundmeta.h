/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_BACKGROUND_META_H__
#define __GST_CCA_BACKGROUND_META_H__

#include <gst/gst.h>
#include <gst/ccameta/cca-meta-prelude.h>

G_BEGIN_DECLS

/**
 * GstCcaBackgroundMeta:
 *
 * An opaque #GstMeta: a picture of the background with which the next video
 * frame is compared. Use the functions to read it.
 */
typedef struct _GstCcaBackgroundMeta GstCcaBackgroundMeta;

#define GST_CCA_BACKGROUND_META_API_TYPE \
    (gst_cca_background_meta_api_get_type ())
#define GST_CCA_BACKGROUND_META_INFO (gst_cca_background_meta_get_info ())

GST_CCA_META_API
GType gst_cca_background_meta_api_get_type (void);

GST_CCA_META_API
const GstMetaInfo *gst_cca_background_meta_get_info (void);

GST_CCA_META_API
GstCcaBackgroundMeta *gst_buffer_add_cca_background_meta (GstBuffer * buffer,
    GstBuffer * picture, guint depth);

GST_CCA_META_API
GstCcaBackgroundMeta *gst_buffer_get_cca_background_meta (GstBuffer * buffer);

GST_CCA_META_API
GstBuffer *gst_cca_background_meta_get_picture (const GstCcaBackgroundMeta *
    meta);

GST_CCA_META_API
guint gst_cca_background_meta_get_width (const GstCcaBackgroundMeta * meta);

GST_CCA_META_API
guint gst_cca_background_meta_get_height (const GstCcaBackgroundMeta * meta);

GST_CCA_META_API
guint gst_cca_background_meta_get_depth (const GstCcaBackgroundMeta * meta);

G_END_DECLS

#endif /* __GST_CCA_BACKGROUND_META_H__ */
