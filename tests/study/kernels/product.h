/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_STUDY_PRODUCT_H
#define CCA_STUDY_PRODUCT_H

/* The product's tables that host and kernels of the study share. */

#include "cuda/tables/flsl.h"
#include "cuda/image.h"

#endif /* CCA_STUDY_PRODUCT_H */
