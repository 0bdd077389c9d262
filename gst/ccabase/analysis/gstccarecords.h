/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_RECORDS_H__
#define __GST_CCA_RECORDS_H__

#include <gst/ccameta/gstccafeatures.h>

#include "cca.h"

G_BEGIN_DECLS

/* Converts n records. The arrays must not overlap. Tracks are set to -1. */
void gst_cca_records_convert (GstCcaComponent * to, const CcaComponent * from,
    guint n);

/* Converts the features of n records. The arrays must not overlap. */
void gst_cca_records_convert_features (GstCcaFeatures * to,
    const CcaFeatures * from, guint n);

G_END_DECLS

#endif /* __GST_CCA_RECORDS_H__ */
