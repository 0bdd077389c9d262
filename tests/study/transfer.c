/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <string.h>

#include "transfer.h"

/* How large the margin is, the paper does not say. */
static uint32_t with_margin(const uint32_t expected)
{
    return expected + expected / 8 + 8;
}

CUresult transfer_open(Transfer *const t, const Gpu *const gpu, const uint32_t room)
{
    *t = (Transfer) { .room = room };
    return gpu->cu->host_alloc((void **) &t->nodes, (size_t) room * sizeof(*t->nodes), 0);
}

void transfer_close(Transfer *const t, const Gpu *const gpu)
{
    if (t->nodes != NULL)
        gpu->cu->host_free(t->nodes);
    *t = (Transfer) { 0 };
}

static CUresult copy(const Transfer *const t, const Gpu *const gpu, const StudyNode *const balanced,
                     const uint32_t from, const uint32_t to, const CUstream stream)
{
    const StudyNode *const first = balanced + from;
    CUdeviceptr p;
    memcpy(&p, &first, sizeof(p));
    return gpu->copy_to_host_async(t->nodes + from, p, (to - from) * sizeof(*first), stream);
}

CUresult transfer_begin(Transfer *const t, const Gpu *const gpu, const StudyNode *const balanced,
                        const uint32_t expected, const CUstream stream)
{
    const uint32_t n = with_margin(expected);
    t->n_copied = n < t->room ? n : t->room;
    t->second = false;
    return copy(t, gpu, balanced, 0, t->n_copied, stream);
}

CUresult transfer_end(Transfer *const t, const Gpu *const gpu, const StudyNode *const balanced,
                      const CUstream stream, uint32_t *const n)
{
    *n = t->nodes->label == STUDY_INVALID_LABEL ? 0 : t->nodes->size;
    if (*n > t->room)
        return CUDA_ERROR_INVALID_VALUE;
    if (*n <= t->n_copied)
        return CUDA_SUCCESS;
    t->second = true;
    const CUresult result = copy(t, gpu, balanced, t->n_copied, *n, stream);
    return result == CUDA_SUCCESS ? gpu->stream_synchronize(stream) : result;
}
