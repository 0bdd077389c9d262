/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "cuda-pictures.h"

#include <gst/check/gstcheck.h>

#include "cuda-rig.h"
#include "frames.h"

guint8
pattern_blots (guint x, guint y)
{
  return (x / 9 * 7 + y / 11 * 5) % 3 == 0 ? 255 : 0;
}

guint8
pattern_checker (guint x, guint y)
{
  return (x + y) % 2 ? 255 : 0;
}

Picture
picture_draw (Pattern pattern, guint width, guint height, guint connectivity)
{
  Picture p = {width, height, CCA_DEFAULT_PARAMS, NULL, NULL};
  guint x, y;

  p.params.connectivity = connectivity;
  p.pixels = g_malloc ((gsize) width * height);
  for (y = 0; y < height; y++)
    for (x = 0; x < width; x++)
      p.pixels[(gsize) y * width + x] = pattern (x, y);
  p.copy = rig_upload (p.pixels, (gsize) width * height);
  return p;
}

void
picture_clear (Picture *p)
{
  rig_release (p->copy);
  g_free (p->pixels);
}

void
picture_configure (CcaEngine *engine, const Picture *p)
{
  const CcaConfig config = {.width = p->width,
    .height = p->height,
    .sample_size = 1,
    .depth = 8,
    .max_components = 200000,
    .slots = PICTURE_SLOTS,
    .foreground = p->params.foreground,
    .frame_distance = p->params.foreground == CCA_FOREGROUND_DIFFERENCE,
    .features = p->features};

  assert_equals_int (cca_engine_configure (engine, &config), CCA_OK);
}

CcaEngine *
picture_open (CcaCudaAlgorithm algorithm, const Picture *p)
{
  CcaEngine *engine = rig_open (algorithm);

  picture_configure (engine, p);
  return engine;
}

void
picture_enqueue (CcaEngine *engine, guint slot, const Picture *p,
    const guint8 *pixels)
{
  const CcaFrame frame = plain_frame (pixels, p->width, p->height);

  assert_equals_int (cca_engine_analyse (engine, slot, &frame, &p->params),
      CCA_OK);
}

/* The frame in that slot is as the reference engine has it. */
void
picture_collect (CcaEngine *engine, guint slot, const Picture *p)
{
  CcaResult result, expected;
  CcaEngine *ref;

  assert_equals_int (cca_engine_collect (engine, slot, &result), CCA_OK);
  fail_unless (cca_ref_open (&ref) == CCA_OK);
  picture_configure (ref, p);
  picture_enqueue (ref, 0, p, p->pixels);
  assert_equals_int (cca_engine_collect (ref, 0, &expected), CCA_OK);
  rig_assert_same (&result, &expected);
  cca_engine_free (&ref);
}
