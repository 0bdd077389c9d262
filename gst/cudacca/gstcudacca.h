/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CUDA_CCA_H__
#define __GST_CUDA_CCA_H__

#include "cca-cuda.h"
#include "gst/ccabase/analysis/gstccabase.h"

G_BEGIN_DECLS

/**
 * GstCudaCcaAlgorithm:
 * @GST_CUDA_CCA_ALGORITHM_AUTO: the fastest algorithm for the frame
 * @GST_CUDA_CCA_ALGORITHM_FLSL_CD: FLSL+CD as published: full runs and conflict
 *   detection in global memory
 * @GST_CUDA_CCA_ALGORITHM_TILED: FLSL+CD in tiles in shared memory, then a
 *   merge of the tiles
 *
 * The algorithms that find the components. All give the same result.
 *
 * Since: 0.1
 */
typedef enum {
  GST_CUDA_CCA_ALGORITHM_AUTO = CCA_CUDA_AUTO,
  GST_CUDA_CCA_ALGORITHM_FLSL_CD = CCA_CUDA_FLSL_CD,
  GST_CUDA_CCA_ALGORITHM_TILED = CCA_CUDA_TILED,
} GstCudaCcaAlgorithm;

#define GST_TYPE_CUDA_CCA_ALGORITHM (gst_cuda_cca_algorithm_get_type ())
GType gst_cuda_cca_algorithm_get_type (void);

#define GST_TYPE_CUDA_CCA (gst_cuda_cca_get_type ())
G_DECLARE_FINAL_TYPE (GstCudaCca, gst_cuda_cca, GST, CUDA_CCA, GstCcaBase)

GST_ELEMENT_REGISTER_DECLARE (cudacca);

G_END_DECLS

#endif /* __GST_CUDA_CCA_H__ */
