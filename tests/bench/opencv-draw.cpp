/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "opencv-draw.h"

#include <string>
#include <vector>

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

struct OpencvCanvas {
    cv::Mat pixels;
};

OpencvCanvas *opencv_canvas_new(const uint32_t width, const uint32_t height)
{
    cv::setNumThreads(1);
    return new OpencvCanvas{ cv::Mat((int) height, (int) width, CV_8UC3, cv::Scalar()) };
}

void opencv_canvas_free(OpencvCanvas *const canvas)
{
    delete canvas;
}

static void draw_label(cv::Mat &pixels, const OpencvBox &box, const cv::Scalar &color)
{
    const std::string text = std::to_string(box.id);
    const double scale = 0.8;
    int below = 0;
    const cv::Size size = cv::getTextSize(text, cv::FONT_HERSHEY_SIMPLEX, scale, 2, &below);
    const cv::Point at(box.x, std::max(box.y, size.height + below));
    cv::rectangle(pixels, cv::Rect(at.x, at.y - size.height, size.width, size.height + below),
                  color, cv::FILLED);
    cv::putText(pixels, text, at, cv::FONT_HERSHEY_SIMPLEX, scale, cv::Scalar(), 2);
}

void opencv_draw(OpencvCanvas *const canvas, const uint32_t drawing, const OpencvBox *const boxes,
                 const uint32_t n)
{
    const int line = std::max(2, canvas->pixels.rows / 360);
    std::vector<cv::Point> points(OPENCV_TRAIL);
    for (uint32_t i = 0; i < n; i++) {
        const OpencvBox *const trail = boxes + (size_t) i * OPENCV_TRAIL;
        const cv::Scalar color(i * 37 % 256, i * 91 % 256, 255);
        if (drawing == OPENCV_TRAILS) {
            for (int k = 0; k < OPENCV_TRAIL; k++)
                points[(size_t) k] = cv::Point(trail[k].x, trail[k].y) +
                                     cv::Point(trail[k].size, trail[k].size) / 2;
            cv::polylines(canvas->pixels, points, false, color, line);
        }
        cv::rectangle(canvas->pixels, cv::Rect(trail->x, trail->y, trail->size, trail->size), color,
                      line);
        if (drawing != OPENCV_BOXES)
            draw_label(canvas->pixels, *trail, color);
    }
}
