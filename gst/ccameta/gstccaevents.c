/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The events of a meta. Frames with events are rare, so each meta has copies of
 * its own. */

#include "gstccametaprivate.h"

static gboolean
is_simple (const GValue *value)
{
  switch (G_VALUE_TYPE (value)) {
    case G_TYPE_STRING:
      return g_value_get_string (value) != NULL;
    case G_TYPE_BOOLEAN:
    case G_TYPE_INT:
    case G_TYPE_UINT:
    case G_TYPE_INT64:
    case G_TYPE_UINT64:
    case G_TYPE_DOUBLE:
      return TRUE;
    default:
      return FALSE;
  }
}

static gboolean
add_simple (GQuark field, const GValue *value, gpointer user_data)
{
  if (is_simple (value))
    gst_structure_id_set_value (user_data, field, value);

  return TRUE;
}

static gboolean
add_field (GQuark field, const GValue *value, gpointer user_data)
{
  GValue copy = G_VALUE_INIT;
  const GstStructure *from;
  GstStructure *to;

  if (!GST_VALUE_HOLDS_STRUCTURE (value))
    return add_simple (field, value, user_data);
  from = gst_value_get_structure (value);
  if (from == NULL)
    return TRUE;
  to = gst_structure_new_empty (gst_structure_get_name (from));
  gst_structure_foreach (from, add_simple, to);
  g_value_init (&copy, GST_TYPE_STRUCTURE);
  g_value_take_boxed (&copy, to);
  gst_structure_id_take_value (user_data, field, &copy);

  return TRUE;
}

/**
 * gst_cca_meta_add_event:
 * @meta: a #GstCcaMeta of a writable buffer
 * @event: (transfer none): what happened in the frame, such as the structure of
 *   a message
 *
 * Adds a copy of an event to the meta. It has the fields whose type is string,
 * boolean, int, uint, int64, uint64 or double, and structures of such fields.
 * Fields of other types, such as the path in messages, are left out.
 *
 * Returns: %FALSE if the meta has %GST_CCA_META_MAX_EVENTS events
 */
gboolean
gst_cca_meta_add_event (GstCcaMeta *meta, const GstStructure *event)
{
  GstStructure *copy;

  g_return_val_if_fail (meta != NULL, FALSE);
  g_return_val_if_fail (event != NULL, FALSE);

  if (gst_cca_meta_get_n_events (meta) == GST_CCA_META_MAX_EVENTS)
    return FALSE;
  if (meta->events == NULL)
    meta->events =
        g_ptr_array_new_with_free_func ((GDestroyNotify) gst_structure_free);
  copy = gst_structure_new_empty (gst_structure_get_name (event));
  gst_structure_foreach (event, add_field, copy);
  g_ptr_array_add (meta->events, copy);

  return TRUE;
}

/**
 * gst_cca_meta_get_n_events:
 * @meta: a #GstCcaMeta
 *
 * Gets the number of events of the frame.
 *
 * Returns: the number of events
 */
guint
gst_cca_meta_get_n_events (const GstCcaMeta *meta)
{
  g_return_val_if_fail (meta != NULL, 0);

  return meta->events != NULL ? meta->events->len : 0;
}

/**
 * gst_cca_meta_get_event:
 * @meta: a #GstCcaMeta
 * @index: index of the event, from 0 to the number of events, exclusive
 *
 * Gets an event of the frame. Coordinates in it are in pixels of the picture
 * in which the event was found, also after a crop.
 *
 * Returns: (transfer none) (nullable): the event, owned by @meta, or %NULL if
 *   @index is out of range
 */
const GstStructure *
gst_cca_meta_get_event (const GstCcaMeta *meta, guint index)
{
  g_return_val_if_fail (meta != NULL, NULL);

  if (index >= gst_cca_meta_get_n_events (meta))
    return NULL;

  return g_ptr_array_index (meta->events, index);
}

void
gst_cca_meta_copy_events (GstCcaMeta *to, const GstCcaMeta *from)
{
  guint i;

  for (i = 0; i < gst_cca_meta_get_n_events (from); i++)
    gst_cca_meta_add_event (to, gst_cca_meta_get_event (from, i));
}
