/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Serialisation of the meta, for other processes. All fields are little-endian
 * and unpadded; docs/meta.md has the table. Unknown values of the foreground,
 * the flags and the reserved fields are passed on unchanged, so that values of
 * a later version are not lost. */

#include <string.h>

#include "gstccametaprivate.h"

#define GST_CAT_DEFAULT gst_cca_meta_debug

/* Version 2 adds groups and features, and is written only for metas that have
 * any of them: older readers know version 1 only. */
#define FORMAT_VERSION 1
#define FORMAT_VERSION_WITH_FEATURES 2
#define HEADER_SIZE 60
#define RECORD_SIZE 64
#define GROUP_SIZE 4
#define FEATURES_SIZE 96

/* The serialisation of GStreamer, which contains this one, has a 32-bit size
 * and needs some bytes itself. */
#define MAX_SIZE (G_MAXUINT32 - 1024)

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
  p = put_u32 (p, a->region_area);
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
  p = put_u64 (p, (guint64) c->track_id);

  return put_u64 (p, c->zones);
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
  c->zones = get_u64 (p);
}

static guint8 *
write_features (guint8 *p, const GstCcaFeatures *f)
{
  p = put_u64 (p, f->xx);
  p = put_u64 (p, f->xy);
  p = put_u64 (p, f->yy);
  p = put_u64 (p, f->v);
  p = put_u64 (p, f->vv);
  p = put_u64 (p, f->vx);
  p = put_u64 (p, f->vy);
  p = put_u32 (p, f->v_min);
  p = put_u32 (p, f->v_max);
  p = put_u32 (p, f->v_max_x);
  p = put_u32 (p, f->v_max_y);
  p = put_u64 (p, f->e4);
  p = put_u64 (p, f->q4);

  return put_u64 (p, f->w1);
}

static void
read_features (const guint8 **p, GstCcaFeatures *f)
{
  const GstCcaFeatures none = {
    0,
  };

  *f = none;
  f->xx = get_u64 (p);
  f->xy = get_u64 (p);
  f->yy = get_u64 (p);
  f->v = get_u64 (p);
  f->vv = get_u64 (p);
  f->vx = get_u64 (p);
  f->vy = get_u64 (p);
  f->v_min = get_u32 (p);
  f->v_max = get_u32 (p);
  f->v_max_x = get_u32 (p);
  f->v_max_y = get_u32 (p);
  f->e4 = get_u64 (p);
  f->q4 = get_u64 (p);
  f->w1 = get_u64 (p);
}

/* What follows the records in version 2: the groups, the flags of the features,
 * and the features if there are any. */
static gsize
more_size (guint n_components, GstCcaFeatureFlags flags)
{
  const gsize features = flags != GST_CCA_FEATURE_FLAG_NONE ? FEATURES_SIZE : 0;

  return sizeof (guint32) + (gsize) n_components * (GROUP_SIZE + features);
}

static gboolean
has_groups (const GstCcaComponent *components, guint n)
{
  guint i;

  for (i = 0; i < n; i++)
    if (components[i].group != 0)
      return TRUE;

  return FALSE;
}

static guint8 *
write_more (guint8 *p, const GstCcaMeta *self,
    const GstCcaComponent *components, guint n)
{
  const GstCcaFeatures *features;
  guint i, n_features;

  features = gst_cca_meta_get_features (self, &n_features);
  for (i = 0; i < n; i++)
    p = put_u32 (p, components[i].group);
  p = put_u32 (p, self->feature_flags);
  for (i = 0; i < n_features; i++)
    p = write_features (p, &features[i]);

  return p;
}

/* --- shapes and events ---------------------------------------------------- */

/* Shapes and events follow the records. If there are none, nothing follows. */

#define NESTED_EVENTS 1

/* Each value of an event has the index of its type. */
static GType
value_type (guint i)
{
  const GType types[] = {G_TYPE_STRING, G_TYPE_BOOLEAN, G_TYPE_INT, G_TYPE_UINT,
    G_TYPE_INT64, G_TYPE_UINT64, G_TYPE_DOUBLE, GST_TYPE_STRUCTURE};

  return i < G_N_ELEMENTS (types) ? types[i] : G_TYPE_INVALID;
}

static void
append_u32 (GByteArray *to, guint32 v)
{
  guint8 bytes[sizeof (v)];

  put_u32 (bytes, v);
  g_byte_array_append (to, bytes, sizeof (bytes));
}

static void
append_u64 (GByteArray *to, guint64 v)
{
  guint8 bytes[sizeof (v)];

  put_u64 (bytes, v);
  g_byte_array_append (to, bytes, sizeof (bytes));
}

static void
append_f64 (GByteArray *to, gdouble v)
{
  guint8 bytes[sizeof (v)];

  put_f64 (bytes, v);
  g_byte_array_append (to, bytes, sizeof (bytes));
}

static void
append_text (GByteArray *to, const gchar *text)
{
  append_u32 (to, strlen (text));
  g_byte_array_append (to, (const guint8 *) text, strlen (text));
}

static void append_event (GByteArray *to, const GstStructure *event);

static void
append_value (GByteArray *to, const GValue *value)
{
  guint type = 0;

  while (value_type (type) != G_VALUE_TYPE (value))
    type++;
  append_u32 (to, type);
  switch (type) {
    case 0:
      append_text (to, g_value_get_string (value));
      break;
    case 1:
      append_u32 (to, g_value_get_boolean (value) ? 1 : 0);
      break;
    case 2:
      append_u32 (to, g_value_get_int (value));
      break;
    case 3:
      append_u32 (to, g_value_get_uint (value));
      break;
    case 4:
      append_u64 (to, g_value_get_int64 (value));
      break;
    case 5:
      append_u64 (to, g_value_get_uint64 (value));
      break;
    case 6:
      append_f64 (to, g_value_get_double (value));
      break;
    default:
      append_event (to, gst_value_get_structure (value));
      break;
  }
}

static void
append_event (GByteArray *to, const GstStructure *event)
{
  const gint n = gst_structure_n_fields (event);
  gint i;

  append_text (to, gst_structure_get_name (event));
  append_u32 (to, n);
  for (i = 0; i < n; i++) {
    const gchar *name = gst_structure_nth_field_name (event, i);

    append_text (to, name);
    append_value (to, gst_structure_get_value (event, name));
  }
}

static void
append_shape (GByteArray *to, const GstCcaShapes *shapes, guint index)
{
  const gdouble *coordinates;
  guint i, n;

  coordinates = gst_cca_shapes_get_coordinates (shapes, index, &n);
  append_u32 (to, gst_cca_shapes_get_kind (shapes, index));
  append_text (to, gst_cca_shapes_get_name (shapes, index));
  append_u32 (to, n);
  for (i = 0; i < n; i++)
    append_f64 (to, coordinates[i]);
}

/* Returns the shapes and events as bytes. */
static GByteArray *
write_notes (const GstCcaMeta *self)
{
  const guint n_shapes =
      self->shapes != NULL ? gst_cca_shapes_get_n_shapes (self->shapes) : 0;
  const guint n_events = gst_cca_meta_get_n_events (self);
  GByteArray *to = g_byte_array_new ();
  const guint64 *counts = NULL;
  gsize i, size = 0;

  if (n_shapes == 0 && n_events == 0)
    return to;
  if (self->counts != NULL)
    counts = g_bytes_get_data (self->counts, &size);
  append_u32 (to, n_shapes);
  append_u32 (to, size / sizeof (*counts));
  append_u32 (to, n_events);
  for (i = 0; i < n_shapes; i++)
    append_shape (to, self->shapes, i);
  for (i = 0; i < size / sizeof (*counts); i++)
    append_u64 (to, counts[i]);
  for (i = 0; i < n_events; i++)
    append_event (to, gst_cca_meta_get_event (self, i));

  return to;
}

/* The bytes that are not read yet. After a failure there are none, and all
 * values are 0. */
typedef struct
{
  const guint8 *p;
  gsize left;
  gboolean failed;
} Reader;

static void
fail (Reader *r)
{
  r->left = 0;
  r->failed = TRUE;
}

static const guint8 *
take (Reader *r, gsize size)
{
  const guint8 *p = r->p;

  if (size > r->left) {
    fail (r);
    return NULL;
  }
  r->p += size;
  r->left -= size;

  return p;
}

static guint32
take_u32 (Reader *r)
{
  const guint8 *p = take (r, sizeof (guint32));

  return p != NULL ? get_u32 (&p) : 0;
}

static guint64
take_u64 (Reader *r)
{
  const guint8 *p = take (r, sizeof (guint64));

  return p != NULL ? get_u64 (&p) : 0;
}

static gdouble
take_f64 (Reader *r)
{
  const guint8 *p = take (r, sizeof (gdouble));

  return p != NULL ? get_f64 (&p) : 0;
}

/* Returns a copy of a text in UTF-8, or NULL. */
static gchar *
take_text (Reader *r)
{
  const guint32 length = take_u32 (r);
  const gchar *text = (const gchar *) take (r, length);

  if (text == NULL || r->failed || !g_utf8_validate_len (text, length, NULL)) {
    fail (r);
    return NULL;
  }

  return g_strndup (text, length);
}

/* Returns a name that GStreamer accepts for structures and fields, or NULL. */
static gchar *
take_name (Reader *r)
{
  gchar *name = take_text (r), *c = name;

  if (name == NULL)
    return NULL;
  while (g_ascii_isalnum (*c) || (*c != '\0' && strchr ("/-_.:+", *c) != NULL))
    c++;
  if (!g_ascii_isalpha (*name) || *c != '\0') {
    fail (r);
    g_clear_pointer (&name, g_free);
  }

  return name;
}

static GstStructure *take_event (Reader *r, guint nested);

static void
take_value (Reader *r, GValue *value, guint nested)
{
  const guint type = take_u32 (r);
  guint32 number;

  if (r->failed || value_type (type) == G_TYPE_INVALID) {
    fail (r);
    return;
  }
  g_value_init (value, value_type (type));
  switch (type) {
    case 0:
      g_value_take_string (value, take_text (r));
      break;
    case 1:
      number = take_u32 (r);
      if (number > 1)
        fail (r);
      g_value_set_boolean (value, number);
      break;
    case 2:
      g_value_set_int (value, (gint32) take_u32 (r));
      break;
    case 3:
      g_value_set_uint (value, take_u32 (r));
      break;
    case 4:
      g_value_set_int64 (value, (gint64) take_u64 (r));
      break;
    case 5:
      g_value_set_uint64 (value, take_u64 (r));
      break;
    case 6:
      g_value_set_double (value, take_f64 (r));
      break;
    default:
      g_value_take_boxed (value,
          nested < NESTED_EVENTS ? take_event (r, nested + 1) : NULL);
      if (gst_value_get_structure (value) == NULL)
        fail (r);
      break;
  }
}

static GstStructure *
take_event (Reader *r, guint nested)
{
  gchar *name = take_name (r);
  guint32 i, n = take_u32 (r);
  GstStructure *event;

  if (r->failed) {
    g_free (name);
    return NULL;
  }
  event = gst_structure_new_empty (name);
  g_free (name);
  for (i = 0; i < n && !r->failed; i++) {
    GValue value = G_VALUE_INIT;

    name = take_name (r);
    if (name != NULL && gst_structure_has_field (event, name))
      fail (r);
    take_value (r, &value, nested);
    if (!r->failed)
      gst_structure_take_value (event, name, &value);
    else if (G_IS_VALUE (&value))
      g_value_unset (&value);
    g_free (name);
  }
  if (r->failed)
    g_clear_pointer (&event, gst_structure_free);

  return event;
}

static void
take_shape (Reader *r, GstCcaShapes *shapes)
{
  gdouble coordinates[2 * GST_CCA_SHAPES_MAX_POINTS];
  const guint32 kind = take_u32 (r);
  gchar *name = take_text (r);
  guint32 i, n = take_u32 (r);

  if (n > G_N_ELEMENTS (coordinates))
    fail (r);
  for (i = 0; i < n && !r->failed; i++)
    coordinates[i] = take_f64 (r);
  if (!r->failed && !gst_cca_shapes_append (shapes, kind, name, coordinates, n))
    fail (r);
  g_free (name);
}

static void
take_shapes (Reader *r, GstCcaMeta *meta, guint n, guint n_counts)
{
  GstCcaShapes *shapes = gst_cca_shapes_new ();
  guint64 counts[2 * GST_CCA_SHAPES_MAX];
  GBytes *bytes = NULL;
  guint i;

  for (i = 0; i < n && !r->failed; i++)
    take_shape (r, shapes);
  if (n_counts != 0 && n_counts != 2 * n)
    fail (r);
  for (i = 0; i < n_counts && !r->failed; i++)
    counts[i] = take_u64 (r);
  if (!r->failed) {
    if (n_counts > 0)
      bytes = g_bytes_new (counts, n_counts * sizeof (*counts));
    gst_cca_meta_set_shapes (meta, shapes, bytes);
    g_clear_pointer (&bytes, g_bytes_unref);
  }
  gst_cca_shapes_unref (shapes);
}

/* Returns FALSE if a part of the shapes and events is invalid. */
static gboolean
read_notes (const guint8 *p, gsize size, GstCcaMeta *meta)
{
  Reader r = {p, size};
  guint32 n_shapes, n_counts, n_events, i;

  if (size == 0)
    return TRUE;
  n_shapes = take_u32 (&r);
  n_counts = take_u32 (&r);
  n_events = take_u32 (&r);
  if (n_shapes > 0)
    take_shapes (&r, meta, n_shapes, n_counts);
  else if (n_counts > 0 || n_events == 0)
    fail (&r);
  for (i = 0; i < n_events && !r.failed; i++) {
    GstStructure *event = take_event (&r, 0);

    if (event != NULL && !gst_cca_meta_add_event (meta, event))
      fail (&r);
    g_clear_pointer (&event, gst_structure_free);
  }

  return !r.failed && r.left == 0;
}

/* --- the meta ------------------------------------------------------------- */

/* Fails for records that gst_cca_meta_deserialize() would reject. */
gboolean
gst_cca_meta_serialize (const GstMeta *meta, GstByteArrayInterface *data,
    guint8 *version)
{
  const GstCcaMeta *self = (const GstCcaMeta *) meta;
  const GstCcaComponent *components;
  GByteArray *notes;
  gboolean more;
  gsize size;
  guint8 *p;
  guint i, n;

  components = gst_cca_meta_get_components (self, &n);
  size = HEADER_SIZE + (gsize) n * RECORD_SIZE;
  if (size > MAX_SIZE || !gst_cca_analysis_is_valid (&self->analysis, n))
    return FALSE;
  for (i = 0; i < n; i++) {
    if (!gst_cca_component_is_valid (&components[i], &self->analysis)) {
      GST_WARNING ("cannot serialise: component %u is invalid in a frame of "
                   "%ux%u pixels",
          i, self->analysis.width, self->analysis.height);
      return FALSE;
    }
  }

  more = self->feature_flags != GST_CCA_FEATURE_FLAG_NONE
      || has_groups (components, n);
  notes = write_notes (self);
  size += notes->len + (more ? more_size (n, self->feature_flags) : 0);
  p = size <= MAX_SIZE ? gst_byte_array_interface_append (data, size) : NULL;
  if (p != NULL) {
    p = write_header (p, self, n);
    for (i = 0; i < n; i++)
      p = write_record (p, &components[i]);
    if (more)
      p = write_more (p, self, components, n);
    if (notes->len > 0)
      memcpy (p, notes->data, notes->len);
    *version = more ? FORMAT_VERSION_WITH_FEATURES : FORMAT_VERSION;
  }
  g_byte_array_unref (notes);

  return p != NULL;
}

/* All records must have been sent, so that malformed data cannot make the
 * reader allocate more memory than was sent. */
static gboolean
read_header (const guint8 *p, gsize size, GstCcaAnalysis *a, guint *n,
    guint *par_n, guint *par_d)
{
  const GstCcaAnalysis none = {
    0,
  };
  guint32 flags;
  guint i;

  if (size < HEADER_SIZE)
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
  a->region_area = get_u32 (&p);
  for (i = 0; i < G_N_ELEMENTS (a->_gst_reserved); i++)
    a->_gst_reserved[i] = get_u32 (&p);
  *par_n = get_u32 (&p);
  *par_d = get_u32 (&p);

  if (flags & ~HEADER_INVERT || *n > (size - HEADER_SIZE) / RECORD_SIZE)
    return FALSE;

  return gst_cca_analysis_is_valid (a, *n);
}

/* The groups are at their own place, or NULL. */
static GBytes *
read_records (const guint8 *p, const guint8 *groups,
    const GstCcaAnalysis *analysis, guint n)
{
  GstCcaComponent *components;
  guint i;

  components = g_try_new (GstCcaComponent, n);
  if (components == NULL)
    return NULL;

  for (i = 0; i < n; i++) {
    read_record (&p, &components[i]);
    if (groups != NULL)
      components[i].group = get_u32 (&groups);
    if (!gst_cca_component_is_valid (&components[i], analysis)) {
      g_free (components);
      return NULL;
    }
  }

  return g_bytes_new_take (components, (gsize) n * sizeof (GstCcaComponent));
}

/* Reads the flags of the features. Returns FALSE if not all bytes were sent, or
 * if version 1 would do. */
static gboolean
read_more (const guint8 *p, gsize size, guint n, GstCcaFeatureFlags *flags)
{
  const gsize groups = (gsize) n * GROUP_SIZE;
  const guint8 *at = p + groups;
  guint i;

  if (size < groups + sizeof (guint32))
    return FALSE;
  *flags = get_u32 (&at);
  if (size < more_size (n, *flags))
    return FALSE;
  for (i = 0; i < n && *flags == GST_CCA_FEATURE_FLAG_NONE; i++)
    if (get_u32 (&p) != 0)
      return TRUE;

  return *flags != GST_CCA_FEATURE_FLAG_NONE;
}

static gboolean
read_all_features (const guint8 *p, GstCcaFeatureFlags flags, guint n,
    GstCcaMeta *meta)
{
  GstCcaFeatures *features = g_try_new (GstCcaFeatures, n);
  GBytes *bytes;
  guint i;

  if (features == NULL && n > 0)
    return FALSE;
  for (i = 0; i < n; i++)
    read_features (&p, &features[i]);
  bytes = g_bytes_new_take (features, (gsize) n * sizeof (*features));
  gst_cca_meta_set_features (meta, flags, bytes);
  g_bytes_unref (bytes);

  return TRUE;
}

GstMeta *
gst_cca_meta_deserialize (const GstMetaInfo *info, GstBuffer *buffer,
    const guint8 *data, gsize size, guint8 version)
{
  GstCcaFeatureFlags flags = GST_CCA_FEATURE_FLAG_NONE;
  const guint8 *groups = NULL;
  GstCcaAnalysis analysis;
  GBytes *components = NULL;
  GstCcaMeta *meta;
  guint n, par_n, par_d;
  gsize end;

  if (version != FORMAT_VERSION && version != FORMAT_VERSION_WITH_FEATURES) {
    GST_WARNING ("cannot read a serialised GstCcaMeta of version %u, only of "
                 "versions %u and %u",
        version, FORMAT_VERSION, FORMAT_VERSION_WITH_FEATURES);
    return NULL;
  }
  if (!read_header (data, size, &analysis, &n, &par_n, &par_d)) {
    GST_WARNING ("invalid header in a serialised GstCcaMeta of %" G_GSIZE_FORMAT
                 " bytes",
        size);
    return NULL;
  }
  end = HEADER_SIZE + (gsize) n * RECORD_SIZE;
  if (version == FORMAT_VERSION_WITH_FEATURES) {
    groups = data + end;
    if (!read_more (groups, size - end, n, &flags)) {
      GST_WARNING ("invalid groups or features in a serialised GstCcaMeta of "
                   "%" G_GSIZE_FORMAT " bytes",
          size);
      return NULL;
    }
    end += more_size (n, flags);
  }
  if (n > 0) {
    components = read_records (data + HEADER_SIZE, groups, &analysis, n);
    if (components == NULL) {
      GST_WARNING ("invalid component in a serialised GstCcaMeta of %u "
                   "components",
          n);
      return NULL;
    }
  }

  meta = gst_cca_meta_attach_full (buffer, &analysis, components, par_n, par_d);
  g_clear_pointer (&components, g_bytes_unref);
  if (meta != NULL && flags != GST_CCA_FEATURE_FLAG_NONE
      && !read_all_features (data + end - (gsize) n * FEATURES_SIZE, flags, n,
          meta)) {
    GST_WARNING ("no memory for the features of %u components", n);
    gst_buffer_remove_meta (buffer, (GstMeta *) meta);
    meta = NULL;
  }
  if (meta != NULL && !read_notes (data + end, size - end, meta)) {
    GST_WARNING ("invalid shape or event in a serialised GstCcaMeta of "
                 "%" G_GSIZE_FORMAT " bytes",
        size);
    gst_buffer_remove_meta (buffer, (GstMeta *) meta);
    meta = NULL;
  }

  return (GstMeta *) meta;
}
