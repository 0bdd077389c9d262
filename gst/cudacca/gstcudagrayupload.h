/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CUDA_GRAY_UPLOAD_H__
#define __GST_CUDA_GRAY_UPLOAD_H__

#include "gstcudagray.h"

G_BEGIN_DECLS

#define GST_TYPE_CUDA_GRAY_UPLOAD (gst_cuda_gray_upload_get_type ())
G_DECLARE_FINAL_TYPE (GstCudaGrayUpload, gst_cuda_gray_upload, GST,
    CUDA_GRAY_UPLOAD, GstCudaGray)

GST_ELEMENT_REGISTER_DECLARE (cudagrayupload);

G_END_DECLS

#endif /* __GST_CUDA_GRAY_UPLOAD_H__ */
