/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_JSON_EVENT_H__
#define __GST_CCA_JSON_EVENT_H__

#include <gst/ccameta/gstccameta.h>

G_BEGIN_DECLS

/* Appends a text with quotation marks. */
void gst_cca_json_append_text (GString * to, const gchar * text);

/* Appends the events of a meta: objects of JSON with commas in between. */
void gst_cca_json_append_events (GString * to, const GstCcaMeta * meta);

G_END_DECLS

#endif /* __GST_CCA_JSON_EVENT_H__ */
