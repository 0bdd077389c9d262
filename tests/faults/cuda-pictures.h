/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Pictures defined by formulas, and the found and expected components in
 * them. */

#ifndef CUDA_PICTURES_H
#define CUDA_PICTURES_H

#include <glib.h>

#include "cca-cuda.h"

#define PICTURE_SLOTS 2

/* The value of a pixel, 0 or 255. */
typedef guint8 (*Pattern) (guint x, guint y);

guint8 pattern_blots (guint x, guint y);
guint8 pattern_checker (guint x, guint y);

typedef struct
{
  guint width, height;
  CcaParams params;
  guint8 *pixels;
  const guint8 *copy;           /* on the GPU */
  CcaFeatureFlags features;     /* to compute */
} Picture;

Picture picture_draw (Pattern pattern, guint width, guint height,
    guint connectivity);
void picture_clear (Picture * p);

/* An engine for it and its mode. */
void picture_configure (CcaEngine * engine, const Picture * p);
CcaEngine *picture_open (CcaCudaAlgorithm algorithm, const Picture * p);

void picture_enqueue (CcaEngine * engine, guint slot, const Picture * p,
    const guint8 * pixels);
/* The frame in that slot is as the reference engine has it. */
void picture_collect (CcaEngine * engine, guint slot, const Picture * p);

#endif /* CUDA_PICTURES_H */
