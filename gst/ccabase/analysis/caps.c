/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Raw video that an element does not take, in its memory or its format, comes
 * unasked where upstream does not negotiate. If the sink pad did not accept it,
 * the application would only hear that the source has stopped: it is accepted,
 * and refused in a sentence when it comes. */

#include "base.h"

/* The templates without a format, in any memory. */
static GstStaticCaps video = GST_STATIC_CAPS ("video/x-raw(ANY), width="
    GST_VIDEO_SIZE_RANGE ", height=" GST_VIDEO_SIZE_RANGE ", framerate="
    GST_VIDEO_FPS_RANGE);

static gboolean
intersects (const GstCaps * caps, GstStaticCaps * others)
{
  GstCaps *other = gst_static_caps_get (others);
  gboolean ok = gst_caps_can_intersect (caps, other);

  gst_caps_unref (other);
  return ok;
}

gboolean
gst_cca_caps_are_video (const GstCaps * caps)
{
  return intersects (caps, &video);
}

/* What is wrong with caps that are not the wanted ones, and what to do. */
static gchar *
explain (const GstCaps * caps, const GstCaps * wanted, GstCcaRemedy * remedy)
{
  const gchar *format = gst_structure_get_string (gst_caps_get_structure
      (caps, 0), "format");
  GstCapsFeatures *features = gst_caps_get_features (caps, 0);
  gchar *memory = gst_caps_features_to_string (features), *sentence;

  if (format == NULL)
    format = "video";
  while (!intersects (caps, &remedy->caps))
    remedy++;
  if (gst_caps_features_is_equal (features, gst_caps_get_features (wanted, 0)))
    sentence = g_strdup_printf ("the format %s is not supported, put %s before "
        "this element", format, remedy->elements);
  else
    sentence = g_strdup_printf ("%s with %s is not supported, put %s before "
        "this element", format, memory, remedy->elements);
  g_free (memory);
  return sentence;
}

gboolean
gst_cca_base_check_caps (GstCcaBase * self, GstCaps * caps)
{
  GstPad *pad = GST_BASE_TRANSFORM_SINK_PAD (self);
  GstCaps *wanted;
  gboolean ok;

  /* Caps that were refused come again with the next buffer. One error is
   * enough, and nothing would be tried again after it. */
  if (self->refused != NULL && gst_caps_is_equal (caps, self->refused))
    return FALSE;

  wanted = gst_pad_get_pad_template_caps (pad);
  ok = gst_caps_can_intersect (caps, wanted);
  if (!ok) {
    gchar *sentence = explain (caps, wanted,
        GST_CCA_BASE_GET_CLASS (self)->remedies);

    gst_cca_base_post_error (self, CCA_ERROR_INVALID, sentence);
    g_free (sentence);
  }
  gst_caps_unref (wanted);
  gst_caps_replace (&self->refused, ok ? NULL : caps);
  return ok;
}
