/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_JSON_ZONES_H__
#define __GST_CCA_JSON_ZONES_H__

#include <gst/ccameta/gstccameta.h>

G_BEGIN_DECLS

#define GST_CCA_JSON_MAX_ZONES 64

/* The names of the zones of a meta, as JSON. */
typedef struct {
  GString *text;                /* of all names, one behind the other */
  gsize begin[GST_CCA_JSON_MAX_ZONES + 1];
  guint n;
} GstCcaJsonZones;

void gst_cca_json_zones_init (GstCcaJsonZones * self);
void gst_cca_json_zones_clear (GstCcaJsonZones * self);

/* Reads the zones of a meta. */
void gst_cca_json_zones_read (GstCcaJsonZones * self, const GstCcaMeta * meta);

/* Returns the length of the names of the zones of a component with commas in
 * between, in bytes. */
gsize gst_cca_json_zones_length (const GstCcaJsonZones * self, guint64 zones);

/* Writes these names, and returns their end. */
gchar *gst_cca_json_zones_put (const GstCcaJsonZones * self, gchar * to,
    guint64 zones);

G_END_DECLS

#endif /* __GST_CCA_JSON_ZONES_H__ */
