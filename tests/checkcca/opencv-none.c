/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* In place of opencv-peer.cpp where OpenCV is not installed. */

#include "opencv-peer.h"

const char *opencv_version(void)
{
    return NULL;
}

OpencvPeer *opencv_open(void)
{
    return NULL;
}

void opencv_use_threads(const uint32_t n)
{
}

void opencv_close(OpencvPeer *const peer)
{
}

int64_t opencv_count(OpencvPeer *const peer, const CcaFrame *const frame,
                     const CcaParams *const params)
{
    return -1;
}

int64_t opencv_analyse(OpencvPeer *const peer, const CcaFrame *const frame,
                       const CcaParams *const params, const OpencvRecord **const records)
{
    return -1;
}

int64_t opencv_otsu(OpencvPeer *const peer, const uint16_t *const values, const uint32_t width,
                    const uint32_t height, const bool deep)
{
    return -1;
}

bool opencv_has_models(void)
{
    return false;
}

void opencv_forget(OpencvPeer *const peer)
{
}

int64_t opencv_count_moving(OpencvPeer *const peer, const CcaFrame *const frame,
                            const CcaParams *const params, const OpencvModel model)
{
    return -1;
}
