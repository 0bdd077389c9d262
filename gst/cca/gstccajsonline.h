/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_JSON_LINE_H__
#define __GST_CCA_JSON_LINE_H__

#include "gstccajsonzones.h"

G_BEGIN_DECLS

/* Returns the maximum length of a line with at most max_components components,
 * a text of events and the names of the zones, in bytes. */
gsize gst_cca_json_bound (const GstCcaMeta * meta, guint max_components,
    const GString * events, const GstCcaJsonZones * zones);

/* Writes a meta as one JSON object in one line, with at most max_components
 * components and the text of its events, and returns its length in bytes. text
 * has room for gst_cca_json_bound() bytes. The line ends with a newline and is not
 * nul-terminated. */
gsize gst_cca_json_write (gchar * text, const GstCcaMeta * meta,
    GstClockTime pts, guint max_components, const GString * events,
    const GstCcaJsonZones * zones);

G_END_DECLS

#endif /* __GST_CCA_JSON_LINE_H__ */
