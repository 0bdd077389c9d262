/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_INTOPS_H
#define CCA_INTOPS_H

/* Minimum, maximum and clipping of integers, in C and CUDA C. */

#include <stdint.h>

/* For functions that the CPU and GPU code share. */
#ifdef __CUDACC__
#define CCA_INLINE static __host__ __device__ __forceinline__
#else
#define CCA_INLINE static inline
#endif

CCA_INLINE int32_t imin(const int32_t a, const int32_t b)
{
    return a < b ? a : b;
}
CCA_INLINE int32_t imax(const int32_t a, const int32_t b)
{
    return a > b ? a : b;
}
#ifndef __CUDACC__ /* which has these two itself */
CCA_INLINE uint32_t umin(const uint32_t a, const uint32_t b)
{
    return a < b ? a : b;
}
CCA_INLINE uint32_t umax(const uint32_t a, const uint32_t b)
{
    return a > b ? a : b;
}
#endif
CCA_INLINE uint64_t umin64(const uint64_t a, const uint64_t b)
{
    return a < b ? a : b;
}
CCA_INLINE uint64_t umax64(const uint64_t a, const uint64_t b)
{
    return a > b ? a : b;
}

CCA_INLINE int32_t iclip(const int32_t v, const int32_t min, const int32_t max)
{
    return imin(imax(v, min), max);
}

CCA_INLINE int64_t iclip64(const int64_t v, const int64_t min, const int64_t max)
{
    return v < min ? min : v > max ? max : v;
}

CCA_INLINE uint32_t uclip(const uint32_t v, const uint32_t min, const uint32_t max)
{
    return umin(umax(v, min), max);
}

#endif /* CCA_INTOPS_H */
