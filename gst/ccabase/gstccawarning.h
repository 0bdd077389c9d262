/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_WARNING_H__
#define __GST_CCA_WARNING_H__

#include <gst/gst.h>

G_BEGIN_DECLS

/* Warnings that an element gives once until its caps or its segment change, not
 * for each frame. The element keeps a mask of those that it has given, which
 * belongs to the streaming thread, and sets it to 0 at these events. */
typedef enum {
  GST_CCA_WARNING_MISFIT = 1 << 0,      /* a picture that was not analysed */
  GST_CCA_WARNING_LEFT_OUT = 1 << 1,    /* components beyond max-objects */
  GST_CCA_WARNING_NO_LABELS = 1 << 2,   /* no GstCcaLabelsMeta */
  GST_CCA_WARNING_TOO_MANY = 1 << 3,    /* more components than labels */
  GST_CCA_WARNING_TRUNCATED = 1 << 4,   /* components beyond max-components */
  GST_CCA_WARNING_UNTRACKED = 1 << 5,   /* components beyond max-tracks */
  GST_CCA_WARNING_UNDRAWN = 1 << 6,     /* the buffer contradicts its caps */
} GstCcaWarning;

/* Whether a warning has to be given, which is then noted. */
static inline gboolean
gst_cca_warn_once (guint * given, GstCcaWarning warning)
{
  const gboolean is_first = (*given & warning) == 0;

  *given |= warning;
  return is_first;
}

/* Posts a warning, once, that a buffer has no label image to make something of,
 * such as "a mask". */
void gst_cca_warn_no_labels (GstElement * element, guint * given,
    const gchar * product);

/* What is known of a stream's buffers, as an element that reads GstCcaMeta has
 * nothing to do without them. Belongs to the streaming thread. */
typedef struct {
  guint n_without;              /* buffers so far, none of which has a meta */
  gboolean is_settled;          /* one had a meta, or the warning was posted */
} GstCcaMetaWatch;

/* For each buffer. Posts a warning at the 30th one of a stream if none has had
 * a meta until then. Gaps and buffers without memory do not count, as analysing
 * elements pass them on unanalysed. */
void gst_cca_meta_watch_buffer (GstCcaMetaWatch * self, GstElement * element,
    GstBuffer * buffer, gboolean has_meta);

/* For each event on the sink pad. Begins anew with each stream, and posts the
 * warning at the end of a shorter one. */
void gst_cca_meta_watch_event (GstCcaMetaWatch * self, GstElement * element,
    GstEvent * event);

G_END_DECLS

#endif /* __GST_CCA_WARNING_H__ */
