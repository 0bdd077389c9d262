/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_METAS_H__
#define __GST_CCA_METAS_H__

#include <gst/gst.h>

G_BEGIN_DECLS

/* Whether a meta stays with a picture that goes on in another memory, format or
 * form, at the same size: what is said about its contents does. What is said
 * about its colours, or about the memory, does not. */
gboolean gst_cca_meta_stays (const GstMeta * meta);

G_END_DECLS

#endif /* __GST_CCA_METAS_H__ */
