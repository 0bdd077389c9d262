/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Entry points that GStreamer's CUDA library and its nvcodec plugin ask
 * for, and that we do not simulate. Their arguments are not looked at. */

/* clang-format off */
#define ENTRY_POINTS(X)                                                                       \
    /* devices and contexts */                                                                \
    X(cuDeviceGetUuid) X(cuCtxGetLimit) X(cuCtxSetLimit)                                      \
    X(cuDeviceCanAccessPeer) X(cuCtxEnablePeerAccess) X(cuCtxDisablePeerAccess)               \
    /* memory */                                                                              \
    X(cuMemcpyDtoD_v2) X(cuMemcpyDtoH_v2) X(cuMemcpyHtoD_v2)          \
    X(cuMemsetD2D8_v2) X(cuMemsetD2D16_v2) X(cuMemsetD2D32_v2)                                \
    X(cuMemsetD2D8Async) X(cuMemsetD2D16Async) X(cuMemsetD2D32Async)                          \
    /* addresses apart from memory */                                                         \
    X(cuMemAddressFree) X(cuMemAddressReserve) X(cuMemCreate) X(cuMemRelease)                 \
    X(cuMemExportToShareableHandle) X(cuMemImportFromShareableHandle)                         \
    X(cuMemGetAccess) X(cuMemSetAccess) X(cuMemMap) X(cuMemUnmap)                             \
    X(cuMemGetAllocationGranularity) X(cuMemGetAllocationPropertiesFromHandle)                \
    X(cuMemRetainAllocationHandle)                                                            \
    /* pools */                                                                               \
    X(cuMemAllocAsync) X(cuMemAllocFromPoolAsync) X(cuMemFreeAsync) X(cuMemPoolCreate)        \
    X(cuMemPoolDestroy) X(cuMemPoolGetAttribute) X(cuMemPoolSetAttribute)                     \
    /* launches, graphs, times, textures */                                                   \
    X(cuLaunchKernel) X(cuStreamBeginCapture_v2) X(cuStreamEndCapture)                        \
    X(cuTexObjectCreate) X(cuTexObjectDestroy)                                                \
    /* other processes and other interfaces */                                                \
    X(cuIpcGetEventHandle) X(cuIpcOpenEventHandle) X(cuIpcGetMemHandle)                       \
    X(cuIpcOpenMemHandle) X(cuIpcCloseMemHandle)                                              \
    X(cuImportExternalMemory) X(cuImportExternalSemaphore)                                    \
    X(cuExternalMemoryGetMappedBuffer) X(cuExternalMemoryGetMappedMipmappedArray)             \
    X(cuSignalExternalSemaphoresAsync) X(cuWaitExternalSemaphoresAsync)                       \
    X(cuDestroyExternalMemory) X(cuDestroyExternalSemaphore)                                  \
    X(cuGLGetDevices_v2) X(cuGraphicsGLRegisterBuffer) X(cuGraphicsGLRegisterImage)           \
    X(cuGraphicsMapResources) X(cuGraphicsUnmapResources)                                     \
    X(cuGraphicsResourceGetMappedPointer_v2) X(cuGraphicsResourceSetMapFlags_v2)              \
    X(cuGraphicsSubResourceGetMappedArray) X(cuGraphicsUnregisterResource)
/* clang-format on */

#define UNSUPPORTED(name)                                        \
    extern "C" __attribute__((visibility("default"))) int name() \
    {                                                            \
        return 801; /* CUDA_ERROR_NOT_SUPPORTED */               \
    }
ENTRY_POINTS(UNSUPPORTED)
