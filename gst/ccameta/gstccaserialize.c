/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Serialisation of the meta, for other processes. All fields are little-endian
 * and unpadded; docs/meta.md has the table. Unknown values of the foreground,
 * the flags and the reserved fields are passed on unchanged, so that values of
 * a later version are not lost. */

#include <string.h>

#include "gstccametaprivate.h"

#define GST_CAT_DEFAULT gst_cca_meta_debug

#define FORMAT_VERSION 1
#define HEADER_SIZE 60
#define RECORD_SIZE 56

/* The serialisation of GStreamer, which contains this one, has a 32-bit size
 * and needs some bytes itself. */
#define MAX_RECORDS ((G_MAXUINT32 - 1024 - HEADER_SIZE) / RECORD_SIZE)

#define HEADER_INVERT (1u << 0)

/* The bytes may be unaligned, so they are accessed with memcpy(). */
static guint8 *
put_u32 (guint8 *p, guint32 v)
{
  v = GUINT32_TO_LE (v);
  memcpy (p, &v, sizeof (v));

  return p + sizeof (v);
}

static guint8 *
put_u64 (guint8 *p, guint64 v)
{
  v = GUINT64_TO_LE (v);
  memcpy (p, &v, sizeof (v));

  return p + sizeof (v);
}

static guint8 *
put_f64 (guint8 *p, gdouble v)
{
  guint64 bits;

  memcpy (&bits, &v, sizeof (bits));

  return put_u64 (p, bits);
}

static guint32
get_u32 (const guint8 **p)
{
  guint32 v;

  memcpy (&v, *p, sizeof (v));
  *p += sizeof (v);

  return GUINT32_FROM_LE (v);
}

static guint64
get_u64 (const guint8 **p)
{
  guint64 v;

  memcpy (&v, *p, sizeof (v));
  *p += sizeof (v);

  return GUINT64_FROM_LE (v);
}

static gdouble
get_f64 (const guint8 **p)
{
  const guint64 bits = get_u64 (p);
  gdouble v;

  memcpy (&v, &bits, sizeof (v));

  return v;
}

static guint8 *
write_header (guint8 *p, const GstCcaMeta *self, guint n_components)
{
  const GstCcaAnalysis *a = &self->analysis;
  guint i;

  p = put_u32 (p, a->width);
  p = put_u32 (p, a->height);
  p = put_u32 (p, a->threshold);
  p = put_u32 (p, a->threshold_high);
  p = put_u32 (p, a->invert ? HEADER_INVERT : 0);
  p = put_u32 (p, a->connectivity);
  p = put_u32 (p, a->n_found);
  p = put_u32 (p, n_components);
  p = put_u32 (p, a->depth);
  p = put_u32 (p, a->foreground);
  p = put_u32 (p, a->flags);
  for (i = 0; i < G_N_ELEMENTS (a->_gst_reserved); i++)
    p = put_u32 (p, a->_gst_reserved[i]);
  p = put_u32 (p, self->par_n);

  return put_u32 (p, self->par_d);
}

static guint8 *
write_record (guint8 *p, const GstCcaComponent *c)
{
  p = put_u32 (p, c->id);
  p = put_u32 (p, c->x);
  p = put_u32 (p, c->y);
  p = put_u32 (p, c->width);
  p = put_u32 (p, c->height);
  p = put_u32 (p, c->flags);
  p = put_u64 (p, c->area);
  p = put_f64 (p, c->centroid_x);
  p = put_f64 (p, c->centroid_y);

  return put_u64 (p, (guint64) c->track_id);
}

static void
read_record (const guint8 **p, GstCcaComponent *c)
{
  const GstCcaComponent none = {
    0,
  };

  *c = none;
  c->id = get_u32 (p);
  c->x = get_u32 (p);
  c->y = get_u32 (p);
  c->width = get_u32 (p);
  c->height = get_u32 (p);
  c->flags = get_u32 (p);
  c->area = get_u64 (p);
  c->centroid_x = get_f64 (p);
  c->centroid_y = get_f64 (p);
  c->track_id = (gint64) get_u64 (p);
}

/* Fails for records that gst_cca_meta_deserialize() would reject. */
gboolean
gst_cca_meta_serialize (const GstMeta *meta, GstByteArrayInterface *data,
    guint8 *version)
{
  const GstCcaMeta *self = (const GstCcaMeta *) meta;
  const GstCcaComponent *components;
  guint8 *p;
  guint i, n;

  components = gst_cca_meta_get_components (self, &n);
  if (n > MAX_RECORDS || !gst_cca_analysis_is_valid (&self->analysis, n))
    return FALSE;
  for (i = 0; i < n; i++) {
    if (!gst_cca_component_is_valid (&components[i], &self->analysis)) {
      GST_WARNING ("cannot serialise: component %u is invalid in a frame of "
                   "%ux%u pixels",
          i, self->analysis.width, self->analysis.height);
      return FALSE;
    }
  }

  p = gst_byte_array_interface_append (data,
      HEADER_SIZE + (gsize) n * RECORD_SIZE);
  if (p == NULL)
    return FALSE;

  p = write_header (p, self, n);
  for (i = 0; i < n; i++)
    p = write_record (p, &components[i]);

  *version = FORMAT_VERSION;

  return TRUE;
}

/* The number of records must match the size, so that malformed data cannot make
 * the reader allocate more memory than was sent. */
static gboolean
read_header (const guint8 *p, gsize size, GstCcaAnalysis *a, guint *n,
    guint *par_n, guint *par_d)
{
  const GstCcaAnalysis none = {
    0,
  };
  guint32 flags;
  guint i;

  if (size < HEADER_SIZE || (size - HEADER_SIZE) % RECORD_SIZE != 0)
    return FALSE;

  *a = none;
  a->width = get_u32 (&p);
  a->height = get_u32 (&p);
  a->threshold = get_u32 (&p);
  a->threshold_high = get_u32 (&p);
  flags = get_u32 (&p);
  a->invert = (flags & HEADER_INVERT) != 0;
  a->connectivity = get_u32 (&p);
  a->n_found = get_u32 (&p);
  *n = get_u32 (&p);
  a->depth = get_u32 (&p);
  a->foreground = get_u32 (&p);
  a->flags = get_u32 (&p);
  for (i = 0; i < G_N_ELEMENTS (a->_gst_reserved); i++)
    a->_gst_reserved[i] = get_u32 (&p);
  *par_n = get_u32 (&p);
  *par_d = get_u32 (&p);

  if (flags & ~HEADER_INVERT || *n != (size - HEADER_SIZE) / RECORD_SIZE)
    return FALSE;

  return gst_cca_analysis_is_valid (a, *n);
}

static GBytes *
read_records (const guint8 *p, const GstCcaAnalysis *analysis, guint n)
{
  GstCcaComponent *components;
  guint i;

  components = g_try_new (GstCcaComponent, n);
  if (components == NULL)
    return NULL;

  for (i = 0; i < n; i++) {
    read_record (&p, &components[i]);
    if (!gst_cca_component_is_valid (&components[i], analysis)) {
      g_free (components);
      return NULL;
    }
  }

  return g_bytes_new_take (components, (gsize) n * sizeof (GstCcaComponent));
}

GstMeta *
gst_cca_meta_deserialize (const GstMetaInfo *info, GstBuffer *buffer,
    const guint8 *data, gsize size, guint8 version)
{
  GstCcaAnalysis analysis;
  GBytes *components = NULL;
  GstCcaMeta *meta;
  guint n, par_n, par_d;

  if (version != FORMAT_VERSION) {
    GST_WARNING ("cannot read a serialised GstCcaMeta of version %u, only of "
                 "version %u",
        version, FORMAT_VERSION);
    return NULL;
  }
  if (!read_header (data, size, &analysis, &n, &par_n, &par_d)) {
    GST_WARNING ("invalid header in a serialised GstCcaMeta of %" G_GSIZE_FORMAT
                 " bytes",
        size);
    return NULL;
  }
  if (n > 0) {
    components = read_records (data + HEADER_SIZE, &analysis, n);
    if (components == NULL) {
      GST_WARNING ("invalid component in a serialised GstCcaMeta of %u "
                   "components",
          n);
      return NULL;
    }
  }

  meta = gst_cca_meta_attach_full (buffer, &analysis, components, par_n, par_d);
  g_clear_pointer (&components, g_bytes_unref);

  return (GstMeta *) meta;
}
