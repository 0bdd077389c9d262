/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_BENCH_NPP_LIBRARY_H
#define CCA_BENCH_NPP_LIBRARY_H

/* The labelling functions of NVIDIA's NPP, without its headers. */

#include "gpu.h"

typedef struct NppSize {
    int width, height;
} NppSize;

/* The struct of nppdefs.h, which the caller fills in. */
typedef struct NppContext {
    CUstream stream;
    int device, multiprocessors, threads_of_multiprocessor, threads_of_block;
    size_t shared_of_block;
    int capability_major, capability_minor;
    unsigned int stream_flags;
    int reserved;
} NppContext;

typedef struct NppVersion {
    int major, minor, build;
} NppVersion;

#define NPP_4_WAY 1 /* nppiNormL1 */
#define NPP_8_WAY 0 /* nppiNormInf */

/* They return 0, a warning above it, or an error below it. */
#define NPP_CALLS(X)                                                                           \
    X(label_bytes, "nppiLabelMarkersUFGetBufferSize_32u_C1R", int, (NppSize size, int *bytes)) \
    X(label, "nppiLabelMarkersUF_8u32u_C1R_Ctx", int,                                          \
      (CUdeviceptr from, int from_stride, CUdeviceptr labels, int labels_stride, NppSize size, \
       int way, CUdeviceptr scratch, NppContext context))                                      \
    X(compress_bytes, "nppiCompressMarkerLabelsGetBufferSize_32u_C1R", int,                    \
      (int n_pixels, int *bytes))                                                              \
    X(compress, "nppiCompressMarkerLabelsUF_32u_C1IR_Ctx", int,                                \
      (CUdeviceptr labels, int stride, NppSize size, int n_pixels, int *most_label,            \
       CUdeviceptr scratch, NppContext context))                                               \
    X(version, "nppGetLibVersion", const NppVersion *, (void) )

typedef struct Npp {
#define NPP_FIELD(field, symbol, result, type) result(*field) type;
    NPP_CALLS(NPP_FIELD)
#undef NPP_FIELD
    NppContext context;
} Npp;

/* For work on that stream of the GPU. False, and a sentence in *why, if it is not installed. */
bool npp_open(Npp *npp, const Gpu *gpu, CUstream stream, const char **why);

#endif /* CCA_BENCH_NPP_LIBRARY_H */
