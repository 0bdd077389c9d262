/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_META_FILTER_H__
#define __GST_CCA_META_FILTER_H__

#include <gst/gst.h>

G_BEGIN_DECLS

/* Returns whether a meta stays valid for a picture of the same size in another
 * memory or format. Metas that describe the contents of the picture do. Metas
 * that describe its colours or its memory do not. */
gboolean gst_cca_meta_stays (const GstMeta * meta);

G_END_DECLS

#endif /* __GST_CCA_META_FILTER_H__ */
