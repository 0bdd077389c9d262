/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_WORKING_H__
#define __GST_CCA_WORKING_H__

#include "gstccabase.h"

G_BEGIN_DECLS

void gst_cca_working_install (GObjectClass * object_class);
void gst_cca_working_init (GstCcaBase * self);
void gst_cca_working_finalize (GstCcaBase * self);

/* Sets a property of the working set. Returns FALSE if it is another one. */
gboolean gst_cca_working_set_property (GstCcaBase * self, guint prop_id,
    const GValue * value);

/* The same for reading. Requires the object lock. */
gboolean gst_cca_working_get_property (GstCcaBase * self, guint prop_id,
    GValue * value);

/* Reads the mask when the element starts. Posts an error and returns FALSE if
 * the regions or the mask are invalid. */
gboolean gst_cca_working_start (GstCcaBase * self);

G_END_DECLS

#endif /* __GST_CCA_WORKING_H__ */
