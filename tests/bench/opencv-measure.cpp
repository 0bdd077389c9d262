/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <cmath>

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "opencv-measure.h"

static uint64_t exact(const double sum)
{
    return (uint64_t) std::llround(sum);
}

/* Moments count from the corner of the box. */
static void add_moments(CcaFeatures *const f, const cv::Mat &mask, const uint64_t x,
                        const uint64_t y)
{
    const cv::Moments m = cv::moments(mask, true);
    const uint64_t n = exact(m.m00), sum_x = exact(m.m10), sum_y = exact(m.m01);
    f->xx = exact(m.m20) + 2 * x * sum_x + n * x * x;
    f->xy = exact(m.m11) + x * sum_y + y * sum_x + n * x * y;
    f->yy = exact(m.m02) + 2 * y * sum_y + n * y * y;
}

static void add_intensity(CcaFeatures *const f, const cv::Mat &values, const cv::Mat &mask,
                          const uint64_t x, const uint64_t y)
{
    double min, max;
    cv::Point at;
    cv::Mat masked;
    cv::Scalar mean, deviation;
    cv::minMaxLoc(values, &min, &max, nullptr, &at, mask);
    cv::meanStdDev(values, mean, deviation, mask);
    values.copyTo(masked, mask);
    const cv::Moments m = cv::moments(masked);
    const double n = cv::countNonZero(mask);
    f->v = exact(m.m00);
    f->vv = exact(n * (deviation[0] * deviation[0] + mean[0] * mean[0]));
    f->vx = exact(m.m10) + x * f->v;
    f->vy = exact(m.m01) + y * f->v;
    f->v_min = (uint32_t) min;
    f->v_max = (uint32_t) max;
    f->v_max_x = (uint32_t) (x + (uint64_t) at.x);
    f->v_max_y = (uint32_t) (y + (uint64_t) at.y);
}

int64_t opencv_measure(const CcaFrame *const frame, const uint32_t threshold,
                       const uint32_t connectivity, CcaFeatures *const features,
                       const uint32_t room)
try {
    const cv::Mat image((int) frame->height, (int) frame->width, CV_8UC1,
                        const_cast<void *>(frame->data), frame->stride);
    cv::Mat binary, labels, stats, centroids;
    cv::threshold(image, binary, threshold, 255, cv::THRESH_BINARY);
    const int n = cv::connectedComponentsWithStats(binary, labels, stats, centroids,
                                                   (int) connectivity, CV_32S, cv::CCL_WU);
    for (int i = 1; i < n && (uint32_t) i <= room; i++) { /* 0 is the background */
        const int *const s = stats.ptr<int>(i);
        const cv::Rect box(s[cv::CC_STAT_LEFT], s[cv::CC_STAT_TOP], s[cv::CC_STAT_WIDTH],
                           s[cv::CC_STAT_HEIGHT]);
        const cv::Mat mask = labels(box) == i;
        CcaFeatures *const f = &features[i - 1];
        *f = {};
        add_moments(f, mask, (uint64_t) box.x, (uint64_t) box.y);
        add_intensity(f, image(box), mask, (uint64_t) box.x, (uint64_t) box.y);
    }
    return n - 1;
} catch (const std::exception &) {
    return -1;
}
