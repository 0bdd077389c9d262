/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef STUDY_TRANSFER_H
#define STUDY_TRANSFER_H

/* TMK's way from the GPU to the host, Algorithms 16(2), 80, 2023, end of section 3.2.4: how
 * many objects there are is known on the GPU alone. Copied are as many as the last image had
 * and a safety margin, and what is missing then by a second copy. */

#include "gpu.h"
#include "kernels/study.h"

typedef struct Transfer {
    StudyNode *nodes;  /* on the host, page-locked; the first says how many there are */
    uint32_t room;     /* of nodes */
    uint32_t n_copied; /* by the first copy */
    bool second;       /* whether a second one was made */
} Transfer;

CUresult transfer_open(Transfer *transfer, const Gpu *gpu, uint32_t room);
void transfer_close(Transfer *transfer, const Gpu *gpu);

/* The first copy, behind what is under way in the stream, of nodes where `expected` objects
 * are. */
CUresult transfer_begin(Transfer *transfer, const Gpu *gpu, const StudyNode *balanced,
                        uint32_t expected, CUstream stream);

/* Once that copy is done: makes a second one if it must, waits for it, and tells how many
 * objects there are. */
CUresult transfer_end(Transfer *transfer, const Gpu *gpu, const StudyNode *balanced,
                      CUstream stream, uint32_t *n);

#endif /* STUDY_TRANSFER_H */
