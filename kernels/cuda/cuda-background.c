/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Exports and imports the background. */

#include "cuda-background.h"

#include "cuda-frame.h"
#include "foreground/foreground-cuda.h"

/* The copy has a stream of its own, because the one of the last frame may no longer exist if the
 * frame was collected. Streams of other frames do not wait for it. */
static CUresult copy_on_own_stream(CudaEngine *const e, const CcaBackground *const form,
                                   uint8_t *const state, const bool import)
{
    const CcaCudaDriver *const cu = e->gpu.module.cu;
    CUstream stream;
    CUresult result = cu->stream_create(&stream, CU_STREAM_NON_BLOCKING);
    if (result != CUDA_SUCCESS)
        return result;
    result = cca_cuda_wait_for_background(e, stream);
    if (result == CUDA_SUCCESS)
        result = cca_foreground_copy_background(cu, e->background, &e->base.config, form, state,
                                                import, stream);
    /* also after an error, so that no copy uses `state` later */
    const CUresult end = cu->stream_synchronize(stream);
    cu->stream_destroy(stream);
    return result == CUDA_SUCCESS ? end : result;
}

static CcaStatus copy_background(CcaEngine *const engine, const CcaBackground *const form,
                                 uint8_t *const state, const bool import)
{
    CudaEngine *const e = (CudaEngine *) engine;
    CcaStatus status = CCA_OK;
    if (!cca_cuda_enter_engine(e, &status))
        return status;
    const CUresult result = copy_on_own_stream(e, form, state, import);
    if (result != CUDA_SUCCESS)
        status = cca_cuda_fail(e, result, "the background cannot be copied");
    cca_cuda_leave_engine(e);
    return status;
}

CcaStatus cca_cuda_export_background(CcaEngine *const engine, const CcaBackground *const form,
                                     uint8_t *const state)
{
    return copy_background(engine, form, state, false);
}

CcaStatus cca_cuda_import_background(CcaEngine *const engine, const CcaBackground *const form,
                                     const uint8_t *const state)
{
    return copy_background(engine, form, (uint8_t *) state, true);
}
