/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccawarning.h"

/* About a second of video: short enough to be seen by a user who tries a
 * pipeline, long enough not to warn about an analyser of every nth frame. */
#define MAX_WITHOUT_META 30

void
gst_cca_warn_no_labels (GstElement *element, guint *given, const gchar *product)
{
  if (gst_cca_warn_once (given, GST_CCA_WARNING_NO_LABELS))
    GST_ELEMENT_WARNING (element, STREAM, FORMAT,
        ("There is no label image to make %s from: set meta-types=cca+labels "
         "on the element that analyses the video.",
            product),
        ("Frames with more than 65535 components have no label image."));
}

static void
warn_no_meta (GstCcaMetaWatch *self, GstElement *element)
{
  self->is_settled = TRUE;
  GST_ELEMENT_WARNING (element, STREAM, FORMAT,
      ("There is no GstCcaMeta on the buffers: put cca or cudacca before this "
       "element, with no element in between that drops metas."),
      ("The first %u buffers of the stream have none. The property meta-types "
       "of the element that analyses the video must contain cca.",
          self->n_without));
}

void
gst_cca_meta_watch_buffer (GstCcaMetaWatch *self, GstElement *element,
    GstBuffer *buffer, gboolean has_meta)
{
  if (self->is_settled)
    return;
  if (has_meta)
    self->is_settled = TRUE;
  else if (!GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP)
      && gst_buffer_get_size (buffer) > 0
      && ++self->n_without == MAX_WITHOUT_META)
    warn_no_meta (self, element);
}

void
gst_cca_meta_watch_event (GstCcaMetaWatch *self, GstElement *element,
    GstEvent *event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START)
    *self = (GstCcaMetaWatch) {
      0,
    };
  else if (GST_EVENT_TYPE (event) == GST_EVENT_EOS && !self->is_settled
      && self->n_without > 0)
    warn_no_meta (self, element);
}
