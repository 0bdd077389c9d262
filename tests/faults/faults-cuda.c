/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "wrap.h"

#include <gst/cuda/gstcuda.h>

/* *INDENT-OFF* */
WRAP (gboolean, gst_cuda_load_library, (void), (), FALSE)
WRAP (gboolean, gst_cuda_ensure_element_context,
    (GstElement * element, gint device_id, GstCudaContext **context),
    (element, device_id, context), FALSE)
WRAP (GstCudaStream *, gst_cuda_stream_new, (GstCudaContext * context),
    (context), NULL)
WRAP (GstBufferPool *, gst_cuda_buffer_pool_new, (GstCudaContext * context),
    (context), NULL)
WRAP (CUresult, CuEventRecord, (CUevent event, CUstream stream),
    (event, stream), CUDA_ERROR_NOT_PERMITTED)
WRAP (CUresult, CuEventSynchronize, (CUevent event), (event),
    CUDA_ERROR_NOT_PERMITTED)
/* *INDENT-ON* */
