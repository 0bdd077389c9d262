/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CUDA_GRAY_DOWNLOAD_H__
#define __GST_CUDA_GRAY_DOWNLOAD_H__

#include "gstcudagray.h"

G_BEGIN_DECLS

#define GST_TYPE_CUDA_GRAY_DOWNLOAD (gst_cuda_gray_download_get_type ())
G_DECLARE_FINAL_TYPE (GstCudaGrayDownload, gst_cuda_gray_download, GST,
    CUDA_GRAY_DOWNLOAD, GstCudaGray)

GST_ELEMENT_REGISTER_DECLARE (cudagraydownload);

G_END_DECLS

#endif /* __GST_CUDA_GRAY_DOWNLOAD_H__ */
