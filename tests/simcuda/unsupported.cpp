/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Entry points that GStreamer's CUDA library and its nvcodec plugin ask for and
 * that we do not simulate. Their arguments are not looked at. */

#define NOT_SUPPORTED 801

#define UNSUPPORTED(name)                                                                     \
    extern "C" __attribute__((visibility("default"))) int name();                             \
    int name() { return NOT_SUPPORTED; }

UNSUPPORTED(cuCtxEnablePeerAccess)
UNSUPPORTED(cuCtxDisablePeerAccess)
UNSUPPORTED(cuCtxGetLimit)
UNSUPPORTED(cuCtxSetLimit)
UNSUPPORTED(cuDestroyExternalMemory)
UNSUPPORTED(cuDestroyExternalSemaphore)
UNSUPPORTED(cuExternalMemoryGetMappedBuffer)
UNSUPPORTED(cuExternalMemoryGetMappedMipmappedArray)
UNSUPPORTED(cuGLGetDevices_v2)
UNSUPPORTED(cuGraphicsGLRegisterBuffer)
UNSUPPORTED(cuGraphicsGLRegisterImage)
UNSUPPORTED(cuGraphicsMapResources)
UNSUPPORTED(cuGraphicsResourceGetMappedPointer_v2)
UNSUPPORTED(cuGraphicsResourceSetMapFlags_v2)
UNSUPPORTED(cuGraphicsSubResourceGetMappedArray)
UNSUPPORTED(cuGraphicsUnmapResources)
UNSUPPORTED(cuGraphicsUnregisterResource)
UNSUPPORTED(cuImportExternalMemory)
UNSUPPORTED(cuImportExternalSemaphore)
UNSUPPORTED(cuIpcCloseMemHandle)
UNSUPPORTED(cuIpcGetEventHandle)
UNSUPPORTED(cuIpcGetMemHandle)
UNSUPPORTED(cuIpcOpenEventHandle)
UNSUPPORTED(cuIpcOpenMemHandle)
UNSUPPORTED(cuIpcOpenMemHandle_v2)
UNSUPPORTED(cuMemAddressFree)
UNSUPPORTED(cuMemAddressReserve)
UNSUPPORTED(cuMemAllocAsync)
UNSUPPORTED(cuMemAllocFromPoolAsync)
UNSUPPORTED(cuMemCreate)
UNSUPPORTED(cuMemExportToShareableHandle)
UNSUPPORTED(cuMemFreeAsync)
UNSUPPORTED(cuMemGetAccess)
UNSUPPORTED(cuMemGetAllocationGranularity)
UNSUPPORTED(cuMemGetAllocationPropertiesFromHandle)
UNSUPPORTED(cuMemImportFromShareableHandle)
UNSUPPORTED(cuMemMap)
UNSUPPORTED(cuMemPoolCreate)
UNSUPPORTED(cuMemPoolDestroy)
UNSUPPORTED(cuMemPoolGetAttribute)
UNSUPPORTED(cuMemPoolSetAttribute)
UNSUPPORTED(cuMemRelease)
UNSUPPORTED(cuMemRetainAllocationHandle)
UNSUPPORTED(cuMemSetAccess)
UNSUPPORTED(cuMemUnmap)
UNSUPPORTED(cuSignalExternalSemaphoresAsync)
UNSUPPORTED(cuTexObjectCreate)
UNSUPPORTED(cuTexObjectDestroy)
UNSUPPORTED(cuWaitExternalSemaphoresAsync)
