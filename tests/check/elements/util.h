/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_TEST_UTIL_H__
#define __CCA_TEST_UTIL_H__

#include <gst/base/gstbasetransform.h>
#include <gst/ccameta/gstccameta.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "../suite.h"

/* All formats of cca. */
extern const GstVideoFormat formats[];
extern const guint n_formats;

/* The code value of a luma pixel. */
typedef guint (*Pixel) (guint x, guint y, guint seed);

/* Blobs of about the size of the seed's last digit, 0 to 191, a third above 128. */
guint noise (guint x, guint y, guint seed);
guint nothing (guint x, guint y, guint seed);
guint full (guint x, guint y, guint seed);
guint checkerboard (guint x, guint y, guint seed);

/* A picture in code values. */
typedef struct
{
  guint width, height;
  guint16 *pixels;
} Picture;

Picture picture_new (guint width, guint height, Pixel pixel, guint seed);
void picture_clear (Picture * picture);

/* Bits of a luma code value. */
guint format_depth (GstVideoFormat format);

/* Converts 8-bit code values to the depth of the format. The added low bits are
 * arbitrary. */
void picture_deepen (Picture * picture, GstVideoFormat format);

/* An 8-bit threshold in code values of the format, no more than the largest. */
guint format_threshold (GstVideoFormat format, guint threshold);

/* Properties that the expectation depends on. */
typedef struct
{
  guint threshold, threshold_high;
  gboolean invert;
  guint connectivity;
  guint64 min_area, max_area;
  guint roi_x, roi_y, roi_width, roi_height;
  gboolean (*keeps) (const GstCcaComponent * c);        /* or NULL */
} Look;

extern const Look default_look;

/* The components of a flood fill: GstCcaComponents in raster order. */
GArray *expect (const Picture * picture, const Look * look);

/* Where a frame keeps its luma plane. */
typedef struct
{
  gboolean video_meta;          /* attach one, with all of the below */
  gsize offset;                 /* of the luma plane: bytes before it */
  gsize padding;                /* bytes after each row of each plane */
} Layout;

/* The frame's luma plane shows the picture. All other bytes are of all bits
 * set, which is foreground: to read one of them gives a different result. */
GstBuffer *frame_new (GstVideoFormat format, const Picture * picture,
    const Layout * layout);

GstCaps *frame_caps (GstVideoFormat format, guint width, guint height);

/* A harness that has caps, and a bus in *bus if that is not NULL. */
GstHarness *harness_new (const gchar * description, GstVideoFormat format,
    guint width, guint height, GstBus ** bus);

/* Also frees the bus, whose messages refer to the elements. */
void harness_free (GstHarness * h, GstBus * bus);

/* The nth GstCcaMeta of a buffer, or NULL. */
GstCcaMeta *nth_meta (GstBuffer * buffer, guint n);

void assert_components (GstCcaMeta * meta, const GArray * expected);

/* Pushes a frame of the picture and compares the components. */
void assert_analysis (GstHarness * h, GstVideoFormat format,
    const Picture * picture, const Look * look);

/* Exactly one error is on the bus, in one sentence that has these words. */
void assert_error (GstBus * bus, const gchar * words);

/* The same, and the error has this domain and code. */
void assert_error_of (GstBus * bus, GQuark domain, gint code,
    const gchar * words);
void assert_no_error (GstBus * bus);

/* Exactly that error about the format is on the bus, from that element. */
void assert_refusal (GstBus * bus, const gchar * element,
    const gchar * sentence);

/* The function does not return while the stream lock of the sink pad is held. */
void assert_waits_for_stream (GstBaseTransform * trans,
    gboolean (*function) (GstBaseTransform * trans));

/* Counts warnings in the log, in categories whose names begin so. */
void warnings_begin (const gchar * category);
gint warnings_seen (void);
void warnings_end (void);

/* For a weak reference to an object: increments a guint. */
void count_freed (gpointer n_freed, GstMiniObject * object);

/* Removes all warnings from the bus and counts them. Each has these words and ends
 * in a period. */
guint count_warning_messages (GstBus * bus, const gchar * words);

/* Exactly one warning is on the bus, with these words, and no error. */
void assert_warning (GstBus * bus, const gchar * words);

/* Caps without a size are one error of the element. */
void assert_no_size (const gchar * element);

/* Sends a segment in time, from 0. */
void push_segment (GstHarness * h);

/* Sends caps, and no segment as gst_harness_set_src_caps() does. Takes the caps. */
void push_caps (GstHarness * h, GstCaps * caps);

/* Sends a flush, and then a segment. */
void push_flush (GstHarness * h);

/* The structure of the next element message, or NULL. */
GstStructure *pop_message (GstBus * bus);

/* Each class of the element that has the property logs a warning for a property
 * that it installs without a case in its switch. */
void assert_unknown_property (const gchar * name, const gchar * property);

#endif /* __CCA_TEST_UTIL_H__ */
