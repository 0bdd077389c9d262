/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_JSON_LINE_H__
#define __GST_CCA_JSON_LINE_H__

#include <gst/ccameta/gstccameta.h>

G_BEGIN_DECLS

/* No line with so many records is longer, in bytes. */
gsize gst_cca_json_bound (guint n_components);

/* Writes a meta as one object in one line, which ends with a newline and not
 * with a 0, and returns its length. At most so many components are listed. */
gsize gst_cca_json_write (gchar * text, const GstCcaMeta * meta,
    GstClockTime pts, guint max_components);

G_END_DECLS

#endif /* __GST_CCA_JSON_LINE_H__ */
