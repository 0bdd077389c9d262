/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <vector>

#include <opencv2/core.hpp>
#include <opencv2/core/utility.hpp>
#include <opencv2/imgproc.hpp>

#include "opencv-peer.h"

struct OpencvPeer {
    cv::Mat binary, labels, stats, centroids;
    std::vector<OpencvRecord> records;
};

const char *opencv_version(void)
{
    return CV_VERSION;
}

OpencvPeer *opencv_open(void)
{
    cv::setNumThreads(1);
    return new (std::nothrow) OpencvPeer;
}

void opencv_close(OpencvPeer *const peer)
{
    delete peer;
}

static int64_t count(OpencvPeer *const peer, const CcaFrame *const frame,
                     const CcaParams *const params, const int algorithm)
try {
    const size_t step = frame->height == 1 ? frame->width : frame->stride;
    const cv::Mat image((int) frame->height, (int) frame->width, CV_8UC1,
                        const_cast<void *>(frame->data), step);
    cv::threshold(image, peer->binary, params->threshold, 255,
                  params->invert ? cv::THRESH_BINARY_INV : cv::THRESH_BINARY);
    return cv::connectedComponentsWithStats(peer->binary, peer->labels, peer->stats,
                                            peer->centroids, (int) params->connectivity, CV_32S,
                                            algorithm) - 1;
} catch (const std::exception &) {
    return -1;
}

int64_t opencv_count(OpencvPeer *const peer, const CcaFrame *const frame,
                     const CcaParams *const params)
{
    return count(peer, frame, params, cv::CCL_DEFAULT);
}

int64_t opencv_analyse(OpencvPeer *const peer, const CcaFrame *const frame,
                       const CcaParams *const params, const OpencvRecord **const records)
try {
    const int64_t n = count(peer, frame, params, cv::CCL_WU);
    peer->records.clear();
    for (int i = 1; i <= n; i++) { /* 0 is the background */
        const int *const s = peer->stats.ptr<int>(i);
        const double *const c = peer->centroids.ptr<double>(i);
        peer->records.push_back({
            (uint32_t) s[cv::CC_STAT_LEFT], (uint32_t) s[cv::CC_STAT_TOP],
            (uint32_t) s[cv::CC_STAT_WIDTH], (uint32_t) s[cv::CC_STAT_HEIGHT],
            (uint64_t) s[cv::CC_STAT_AREA], c[0], c[1],
        });
    }
    *records = peer->records.data();
    return n;
} catch (const std::exception &) {
    return -1;
}
