/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_JSON_LINE_H__
#define __GST_CCA_JSON_LINE_H__

#include "gstccajsonzones.h"

G_BEGIN_DECLS

/* A line in addition to its meta. */
typedef struct {
  guint64 frame;
  GstClockTime pts, running_time, utc;
  guint max_components;
  const GString *source, *events;       /* as JSON */
  const GstCcaJsonZones *zones;
} GstCcaJsonLine;

/* Returns the maximum length of a line, in bytes. */
gsize gst_cca_json_bound (const GstCcaMeta * meta,
    const GstCcaJsonLine * line);

/* Writes a meta as one JSON object in one line and returns its length in bytes.
 * text has room for gst_cca_json_bound() bytes. The line ends with a newline and
 * is not nul-terminated. */
gsize gst_cca_json_write (gchar * text, const GstCcaMeta * meta,
    const GstCcaJsonLine * line);

G_END_DECLS

#endif /* __GST_CCA_JSON_LINE_H__ */
