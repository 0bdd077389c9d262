/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_STUDY_KERNEL_CUH
#define CCA_STUDY_KERNEL_CUH

/* A kernel of the study: all have the same arguments. */
#define STUDY_KERNEL(name, ...) STUDY_KERNEL_BOUND(, name, __VA_ARGS__)
#define STUDY_KERNEL_BOUND(bounds, name, ...)                                              \
    extern "C" __global__ void bounds name(const CudaImage image, const StudyTables tables) \
    {                                                                                      \
        __VA_ARGS__(image, tables);                                                        \
    }

/* One that goes along the rows: so few registers that a multiprocessor has as many rows at
 * once as it can. 8192 rows are then under way together on 132 of them. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define STUDY_MOST_STRIPS __launch_bounds__(32 * STUDY_STRIP, 2048 / (32 * STUDY_STRIP))
#else
#define STUDY_MOST_STRIPS
#endif
#define STUDY_STRIP_KERNEL(name, ...) STUDY_KERNEL_BOUND(STUDY_MOST_STRIPS, name, __VA_ARGS__)

#endif /* CCA_STUDY_KERNEL_CUH */
