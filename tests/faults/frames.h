/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_FAULTS_FRAMES_H__
#define __CCA_FAULTS_FRAMES_H__

#include <glib.h>

#include "cca.h"

G_BEGIN_DECLS

/* For frames of 8 bits without a background. */
static inline CcaConfig
plain_config (guint width, guint height, guint max_components, guint slots)
{
  return (CcaConfig) {
    .width = width,
    .height = height,
    .sample_size = 1,
    .depth = 8,
    .max_components = max_components,
    .slots = slots,
  };
}

/* Rows without padding. */
static inline CcaFrame
plain_frame (const void *data, guint width, guint height)
{
  return (CcaFrame) {
    .data = data,
    .width = width,
    .height = height,
    .stride = width,
  };
}

G_END_DECLS

#endif /* __CCA_FAULTS_FRAMES_H__ */
