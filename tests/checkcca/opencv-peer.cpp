/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <vector>

#include <opencv2/core.hpp>
#include <opencv2/core/utility.hpp>
#include <opencv2/imgproc.hpp>
#ifdef WITH_OPENCV_MODELS
#include <opencv2/video/background_segm.hpp>
#endif

#include "opencv-peer.h"

struct OpencvPeer {
    cv::Mat values, binary, labels, stats, centroids;
    std::vector<OpencvRecord> records;
#ifdef WITH_OPENCV_MODELS
    cv::Ptr<cv::BackgroundSubtractor> model;
#endif
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

void opencv_use_threads(const uint32_t n)
{
    cv::setNumThreads((int) n);
}

void opencv_close(OpencvPeer *const peer)
{
    delete peer;
}

/* All of the frame if there is no region. */
static cv::Rect region(const CcaRect *const roi, const CcaFrame *const frame)
{
    const cv::Rect all(0, 0, (int) frame->width, (int) frame->height);
    const int x = (int) std::min(roi->x, frame->width), y = (int) std::min(roi->y, frame->height);
    const int width = roi->width ? (int) std::min<uint32_t>(roi->width, INT32_MAX / 2) : all.width;
    const int height = roi->height ? (int) std::min<uint32_t>(roi->height, INT32_MAX / 2) :
                                     all.height;
    return cv::Rect(x, y, width, height) & all;
}

static void morphology(cv::Mat *const binary, const int operation, const uint32_t radius)
{
    const int side = 2 * (int) radius + 1;
    if (radius > 0)
        cv::morphologyEx(*binary, *binary, operation, cv::Mat::ones(side, side, CV_8U));
}

static cv::Mat image_of(const CcaFrame *const frame)
{
    const size_t step = frame->height == 1 ? frame->width : frame->stride;
    return cv::Mat((int) frame->height, (int) frame->width, CV_8UC1,
                   const_cast<void *>(frame->data), step);
}

static int64_t count_binary(OpencvPeer *const peer, const CcaParams *const params,
                            const int algorithm)
{
    morphology(&peer->binary, cv::MORPH_OPEN, params->open_radius);
    morphology(&peer->binary, cv::MORPH_CLOSE, params->close_radius);
    return cv::connectedComponentsWithStats(peer->binary, peer->labels, peer->stats,
                                            peer->centroids, (int) params->connectivity, CV_32S,
                                            algorithm) -
           1;
}

static int64_t count(OpencvPeer *const peer, const CcaFrame *const frame,
                     const CcaParams *const params, const int algorithm)
try {
    const cv::Mat image = image_of(frame);
    const cv::Rect roi = region(&params->roi, frame);
    if (roi.empty())
        return 0;
    /* a copy, since OpenCV would read pixels around the region */
    const cv::Mat part = roi == cv::Rect(0, 0, image.cols, image.rows) ? image : image(roi).clone();
    const int otsu = params->foreground == CCA_FOREGROUND_OTSU ? cv::THRESH_OTSU : 0;
    cv::threshold(part, peer->binary, params->threshold, 255,
                  (params->invert ? cv::THRESH_BINARY_INV : cv::THRESH_BINARY) | otsu);
    return count_binary(peer, params, algorithm);
} catch (const std::exception &) {
    return -1;
}

int64_t opencv_count(OpencvPeer *const peer, const CcaFrame *const frame,
                     const CcaParams *const params)
{
    return count(peer, frame, params, cv::CCL_DEFAULT);
}

/* The records of n components that were counted. */
static void list(OpencvPeer *const peer, const int64_t n, const OpencvRecord **const records)
{
    peer->records.clear();
    for (int i = 1; i <= n; i++) { /* 0 is the background */
        const int *const s = peer->stats.ptr<int>(i);
        const double *const c = peer->centroids.ptr<double>(i);
        peer->records.push_back({
            (uint32_t) s[cv::CC_STAT_LEFT],
            (uint32_t) s[cv::CC_STAT_TOP],
            (uint32_t) s[cv::CC_STAT_WIDTH],
            (uint32_t) s[cv::CC_STAT_HEIGHT],
            (uint64_t) s[cv::CC_STAT_AREA],
            c[0],
            c[1],
        });
    }
    *records = peer->records.data();
}

int64_t opencv_analyse(OpencvPeer *const peer, const CcaFrame *const frame,
                       const CcaParams *const params, const OpencvRecord **const records)
try {
    const int64_t n = count(peer, frame, params, cv::CCL_WU);
    list(peer, n, records);
    return n;
} catch (const std::exception &) {
    return -1;
}

int64_t opencv_otsu(OpencvPeer *const peer, const uint16_t *const values, const uint32_t width,
                    const uint32_t height, const bool deep)
try {
    const cv::Mat image((int) height, (int) width, CV_16UC1, const_cast<uint16_t *>(values));
    if (deep)
        peer->values = image;
    else
        image.convertTo(peer->values, CV_8U);
    const double threshold = cv::threshold(peer->values, peer->binary, 0, 255, cv::THRESH_OTSU);
    peer->values.release();
    return (int64_t) threshold;
} catch (const std::exception &) {
    return -1;
}

#ifdef WITH_OPENCV_MODELS
bool opencv_has_models(void)
{
    return true;
}

void opencv_forget(OpencvPeer *const peer)
{
    peer->model.release();
}

int64_t opencv_count_moving(OpencvPeer *const peer, const CcaFrame *const frame,
                            const CcaParams *const params, const OpencvModel model)
try {
    if (!peer->model && model == OPENCV_MOG2)
        peer->model = cv::createBackgroundSubtractorMOG2(500, 16, false);
    else if (!peer->model)
        peer->model = cv::createBackgroundSubtractorKNN(500, 400, false);
    peer->model->apply(image_of(frame), peer->binary);
    return count_binary(peer, params, cv::CCL_DEFAULT);
} catch (const std::exception &) {
    return -1;
}
#else
bool opencv_has_models(void)
{
    return false;
}

void opencv_forget(OpencvPeer *)
{
}

int64_t opencv_count_moving(OpencvPeer *, const CcaFrame *, const CcaParams *, OpencvModel)
{
    return -1;
}
#endif

int64_t opencv_analyse_moving(OpencvPeer *const peer, const CcaFrame *const frame,
                              const CcaParams *const params, const OpencvModel model,
                              const OpencvRecord **const records)
try {
    const int64_t n = opencv_count_moving(peer, frame, params, model);
    list(peer, n, records);
    return n;
} catch (const std::exception &) {
    return -1;
}
