/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_PROPERTY_H__
#define __GST_CCA_PROPERTY_H__

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_CCA_PARAM_READY (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS \
    | GST_PARAM_MUTABLE_READY)
#define GST_CCA_PARAM_PLAYING (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS \
    | GST_PARAM_MUTABLE_PLAYING)
#define GST_CCA_PARAM_CONTROLLED \
    (GST_CCA_PARAM_PLAYING | GST_PARAM_CONTROLLABLE)

/* Cases of a switch over properties that are fields of *settings. */
#define GST_CCA_SET_CASE(id, type, field) \
    case id: settings->field = g_value_get_##type (value); return TRUE;
#define GST_CCA_GET_CASE(id, type, field) \
    case id: g_value_set_##type (value, settings->field); return TRUE;

/* Takes the object lock to set a property. Returns FALSE, with a warning and
 * without the lock, if the property is read when the element starts and the
 * element has started. The object lock also protects *started. */
gboolean gst_cca_lock_to_set (GstElement * element, const gboolean * started,
    GParamSpec * pspec);
void gst_cca_set_started (GstElement * element, gboolean * started,
    gboolean value);

/* --- arrays of structures, such as lines and regions ----------------------- */

/* Returns NULL, or the reason why the field is invalid: the end of a sentence
 * about the structure. */
typedef const gchar *(*GstCcaReadField) (gpointer self, const gchar * name,
    const GValue * value);

/* Calls read() for each field, until it returns a reason, which is returned. */
const gchar *gst_cca_read_fields (gpointer self, const GstStructure * s,
    GstCcaReadField read);

/* Returns the structure in the notation of the property, followed by the
 * reason. To be freed. */
gchar *gst_cca_refuse_structure (const GstStructure * s, const gchar * reason,
    const gchar * noun);

/* Appends a structure, and takes it. */
void gst_cca_append_structure (GValue * array, GstStructure * s);

G_END_DECLS

#endif /* __GST_CCA_PROPERTY_H__ */
