/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccautc.h"

/* From 1900, where NTP begins, to 1970. */
#define NTP_TO_UNIX (G_GUINT64_CONSTANT (2208988800) * GST_SECOND)

static GstClockTime
get_reference_utc (GstBuffer *buffer)
{
  GstMeta *meta;
  gpointer state = NULL;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_REFERENCE_TIMESTAMP_META_API_TYPE))
      != NULL) {
    const GstReferenceTimestampMeta *reference =
        (const GstReferenceTimestampMeta *) meta;
    const GstStructure *s = gst_caps_get_structure (reference->reference, 0);

    if (gst_structure_has_name (s, "timestamp/x-unix"))
      return reference->timestamp;
    if (gst_structure_has_name (s, "timestamp/x-ntp")
        && reference->timestamp >= NTP_TO_UNIX)
      return reference->timestamp - NTP_TO_UNIX;
  }
  return GST_CLOCK_TIME_NONE;
}

static gboolean
is_utc (GstClock *clock)
{
  GstClockType type;

  /* Clocks of a network are subclasses, whose time has another origin. */
  if (clock == NULL || G_OBJECT_TYPE (clock) != GST_TYPE_SYSTEM_CLOCK)
    return FALSE;
  g_object_get (clock, "clock-type", &type, NULL);
  return type == GST_CLOCK_TYPE_REALTIME;
}

void
gst_cca_utc_set_clock (GstCcaUtc *self, GstElement *element, GstClock *clock)
{
  const gboolean clock_is_utc = is_utc (clock);

  GST_OBJECT_LOCK (element);
  self->clock_is_utc = clock_is_utc;
  GST_OBJECT_UNLOCK (element);
}

void
gst_cca_utc_change_state (GstCcaUtc *self, GstElement *element,
    GstStateChange transition)
{
  if (transition != GST_STATE_CHANGE_PAUSED_TO_PLAYING
      && transition != GST_STATE_CHANGE_PLAYING_TO_PAUSED)
    return;
  GST_OBJECT_LOCK (element);
  self->is_playing = transition == GST_STATE_CHANGE_PAUSED_TO_PLAYING;
  GST_OBJECT_UNLOCK (element);
}

GstClockTime
gst_cca_utc_of_buffer (GstCcaUtc *self, GstElement *element, GstBuffer *buffer,
    GstClockTime running_time)
{
  GstClockTime utc = get_reference_utc (buffer);

  if (GST_CLOCK_TIME_IS_VALID (utc) || !GST_CLOCK_TIME_IS_VALID (running_time))
    return utc;
  GST_OBJECT_LOCK (element);
  if (self->is_playing && self->clock_is_utc)
    utc = element->base_time + running_time;
  GST_OBJECT_UNLOCK (element);
  return utc;
}
