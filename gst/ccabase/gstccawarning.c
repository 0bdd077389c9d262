/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccawarning.h"

void
gst_cca_warn_no_labels (GstElement * element, guint * given,
    const gchar * product)
{
  if (gst_cca_warn_once (given, GST_CCA_WARNING_NO_LABELS))
    GST_ELEMENT_WARNING (element, STREAM, FORMAT,
        ("There is no label image to make %s of: set meta-types=cca+labels on "
            "the element that analyses the video.", product),
        ("or the frame has more components than a label image can tell apart"));
}
