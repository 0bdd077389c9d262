/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_STUDY_KERNEL_CUH
#define CCA_STUDY_KERNEL_CUH

/* A kernel of the study: all have the same arguments. */
#define STUDY_KERNEL(name, ...)                                                      \
    extern "C" __global__ void name(const CudaImage image, const StudyTables tables) \
    {                                                                                \
        __VA_ARGS__(image, tables);                                                  \
    }

#endif /* CCA_STUDY_KERNEL_CUH */
