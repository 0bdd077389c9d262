/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_WARNING_H__
#define __GST_CCA_WARNING_H__

#include <gst/gst.h>

G_BEGIN_DECLS

/* Warnings that an element issues once until its caps or its segment change,
 * not for each frame. The element keeps a mask of the warnings already issued,
 * which only the streaming thread uses, and sets it to 0 at these events. */
typedef enum {
  GST_CCA_WARNING_MISFIT = 1 << 0,      /* cropped after the analysis */
  GST_CCA_WARNING_LEFT_OUT = 1 << 1,    /* components beyond max-objects */
  GST_CCA_WARNING_NO_LABELS = 1 << 2,   /* no GstCcaLabelsMeta */
  GST_CCA_WARNING_TOO_MANY = 1 << 3,    /* more components than labels */
  GST_CCA_WARNING_TRUNCATED = 1 << 4,   /* components beyond max-components */
  GST_CCA_WARNING_UNTRACKED = 1 << 5,   /* components beyond max-tracks */
  GST_CCA_WARNING_UNDRAWN = 1 << 6,     /* the buffer contradicts its caps */
  GST_CCA_WARNING_EVENTS = 1 << 7,      /* events beyond those of a meta */
  GST_CCA_WARNING_NO_RATE = 1 << 8,     /* a time, but no frame rate */
  GST_CCA_WARNING_NO_PIXELS = 1 << 9,   /* regions without a pixel */
  GST_CCA_WARNING_NO_BACKGROUND = 1 << 10,      /* the mode has none */
} GstCcaWarning;

/* Returns whether a warning has not been issued yet, and marks it as issued. */
static inline gboolean
gst_cca_warn_once (guint * given, GstCcaWarning warning)
{
  const gboolean is_first = (*given & warning) == 0;

  *given |= warning;
  return is_first;
}

/* Posts a warning, once, that a buffer has no label image to make the product,
 * such as "a mask". */
void gst_cca_warn_no_labels (GstElement * element, guint * given,
    const gchar * product);

/* Detects streams without GstCcaMeta, which an element that reads it cannot
 * process. Only the streaming thread uses it. */
typedef struct {
  guint n_without;              /* buffers so far, none of which has a meta */
  gboolean is_settled;          /* one had a meta, or the warning was posted */
} GstCcaMetaWatch;

/* Call it for each buffer. Posts a warning at the 30th buffer of a stream if
 * none had a meta until then. Gaps and buffers without memory do not count, as
 * analysing elements pass them on unanalysed. */
void gst_cca_meta_watch_buffer (GstCcaMetaWatch * self, GstElement * element,
    GstBuffer * buffer, gboolean has_meta);

/* Call it for each event on the sink pad. A new stream restarts the count. At
 * the end of a stream of fewer than 30 buffers the warning is posted. */
void gst_cca_meta_watch_event (GstCcaMetaWatch * self, GstElement * element,
    GstEvent * event);

G_END_DECLS

#endif /* __GST_CCA_WARNING_H__ */
