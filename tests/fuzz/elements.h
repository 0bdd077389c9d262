/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_FUZZ_ELEMENTS_H__
#define __CCA_FUZZ_ELEMENTS_H__

#include "cca.h"
#include "plugin.h"

/* The largest buffer, and the largest picture that is analysed. */
#define MAX_BUFFER 16384
#define MAX_PICTURE 8192

/* The caps that the elements agreed to. Width 0: none. */
typedef struct
{
  GstVideoFormat format;
  guint width, height;
} Video;

/* A frame to be pushed, and its layout. */
typedef struct
{
  GstBuffer *buffer;
  guint8 *bytes;                /* of the buffer, all in one */
  gsize size;
  gsize offset;                 /* of the luma plane, as described */
  gint stride;
  GstVideoFormat format;
  guint width, height;          /* as described */
  guint n_planes;
  gboolean crop;
  CcaRect rect;                 /* of the crop */
} Frame;

#define META_CCA 1
#define META_ROI 2
#define META_ANALYTICS 4

typedef struct
{
  GstHarness *h;
  GstBus *bus;
  GstElement *cca, *expand;
  Video video;
  CcaParams params;             /* as the properties are, in their units */
  guint threshold_depth;
  guint frame_distance;
  guint features;
  guint meta_types, expand_types, max_objects;
  gboolean post_messages;
  guint n_frames;

  /* the reference engine with the background, NULL before its first frame; and
   * the parameters of the last analysed frame */
  CcaEngine *background;
  CcaForeground foreground;
  gboolean votes;
  CcaRect rect;
} State;

/* elements-frame.c */
Frame frame_take (Input * in, const Video * video);
void frame_clear (Frame * frame);

/* elements-expect.c: analyses a frame with the reference. Returns FALSE if the
 * frame is to be refused. The result belongs to the engine, which the caller
 * frees; it is NULL if the picture is empty, or if the result belongs to the
 * state, whose background the frame updates. */
gboolean expect (State * s, const Frame * frame, guint * width,
    guint * height, CcaEngine ** engine, CcaResult * result);

/* elements-check.c. Reads all messages of the bus: returns the number of
 * errors, each of them one sentence, and stores n-found of the last cca
 * message. */
guint take_messages (State * s, guint * n_messages, guint * n_found);

/* Of a frame that came through. */
void check_output (State * s, const Frame * frame, GstBuffer * out);

/* A frame that has all its pixels in the usual places must not be refused. */
void check_refused (State * s, const Frame * frame, GstFlowReturn ret);

#endif /* __CCA_FUZZ_ELEMENTS_H__ */
