/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* libnvcuvid.so.1 without a decoder: GStreamer's nvcodec plugin registers
 * cudaupload and cudadownload only if there is one. */

#define ENTRY_POINT(name, result)                          \
    __attribute__((visibility("default"))) int name(void); \
    int name(void)                                         \
    {                                                      \
        return result;                                     \
    }

/* The caller has cleared the result, which means that no codec is supported. */
ENTRY_POINT(cuvidGetDecoderCaps, 0)

#define UNSUPPORTED(name) ENTRY_POINT(name, 801 /* CUDA_ERROR_NOT_SUPPORTED */)
UNSUPPORTED(cuvidCreateDecoder)
UNSUPPORTED(cuvidCreateVideoParser)
UNSUPPORTED(cuvidCtxLock)
UNSUPPORTED(cuvidCtxLockCreate)
UNSUPPORTED(cuvidCtxLockDestroy)
UNSUPPORTED(cuvidCtxUnlock)
UNSUPPORTED(cuvidDecodePicture)
UNSUPPORTED(cuvidDestroyDecoder)
UNSUPPORTED(cuvidDestroyVideoParser)
UNSUPPORTED(cuvidMapVideoFrame)
UNSUPPORTED(cuvidMapVideoFrame64)
UNSUPPORTED(cuvidParseVideoData)
UNSUPPORTED(cuvidReconfigureDecoder)
UNSUPPORTED(cuvidUnmapVideoFrame)
UNSUPPORTED(cuvidUnmapVideoFrame64)
