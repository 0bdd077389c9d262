/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccajsonzones.h"

#include <string.h>

#include "gstccajsonevent.h"

void
gst_cca_json_zones_init (GstCcaJsonZones *self)
{
  self->text = g_string_new (NULL);
  self->n = 0;
}

void
gst_cca_json_zones_clear (GstCcaJsonZones *self)
{
  g_string_free (self->text, TRUE);
}

void
gst_cca_json_zones_read (GstCcaJsonZones *self, const GstCcaMeta *meta)
{
  const GstCcaShapes *shapes = gst_cca_meta_get_shapes (meta);
  const guint n_shapes =
      shapes != NULL ? gst_cca_shapes_get_n_shapes (shapes) : 0;
  guint i;

  g_string_truncate (self->text, 0);
  self->n = 0;
  for (i = 0; i < n_shapes && self->n < GST_CCA_JSON_MAX_ZONES; i++) {
    if (gst_cca_shapes_get_kind (shapes, i) != GST_CCA_SHAPE_KIND_ZONE)
      continue;
    self->begin[self->n++] = self->text->len;
    gst_cca_json_append_text (self->text, gst_cca_shapes_get_name (shapes, i));
  }
  self->begin[self->n] = self->text->len;
}

gsize
gst_cca_json_zones_length (const GstCcaJsonZones *self, guint64 zones)
{
  gsize length = 0;
  guint i;

  for (i = 0; i < self->n && zones != 0; i++, zones >>= 1)
    if (zones & 1)
      length += self->begin[i + 1] - self->begin[i] + 1;
  return length;
}

gchar *
gst_cca_json_zones_put (const GstCcaJsonZones *self, gchar *to, guint64 zones)
{
  gchar *const begin = to;
  guint i;

  for (i = 0; i < self->n && zones != 0; i++, zones >>= 1) {
    const gsize length = self->begin[i + 1] - self->begin[i];

    if (!(zones & 1))
      continue;
    if (to != begin)
      *to++ = ',';
    memcpy (to, self->text->str + self->begin[i], length);
    to += length;
  }
  return to;
}
