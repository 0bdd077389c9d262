/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CHECKCCA_OPENCV_PEER_H
#define CHECKCCA_OPENCV_PEER_H

#include "cca.h"

#ifdef __cplusplus
extern "C" {
#endif

/* OpenCV's threshold and connectedComponentsWithStats, in one thread, for
 * 8-bit frames. Their matrices are kept from call to call. */
typedef struct OpencvPeer OpencvPeer;

typedef struct OpencvRecord {
    uint32_t x, y, width, height;
    uint64_t area;
    double centroid_x, centroid_y;
} OpencvRecord;

/* NULL if checkcca was built without OpenCV. */
const char *opencv_version(void);

/* NULL if OpenCV is not there or memory ran out. */
OpencvPeer *opencv_open(void);

/* From now on, for the whole process. */
void opencv_use_threads(uint32_t n);
void opencv_close(OpencvPeer *peer);

/* OpenCV's own choice of algorithm, its fastest. Of the parameters only `foreground`
 * (thresholds and Otsu's), `threshold`, `invert`, `roi`, the radii and `connectivity`
 * count. Returns the number of components, or -1. */
int64_t opencv_count(OpencvPeer *peer, const CcaFrame *frame, const CcaParams *params);

/* The algorithm that numbers in raster order (CCL_WU), and its records, which
 * are valid until the next call. They count from the region of interest. */
int64_t opencv_analyse(OpencvPeer *peer, const CcaFrame *frame, const CcaParams *params,
                       const OpencvRecord **records);

/* Otsu's threshold for values of 16 bits, or of 8; -1 if there is none. */
int64_t opencv_otsu(OpencvPeer *peer, const uint16_t *values, uint32_t width, uint32_t height,
                    bool deep);

/* Its models of a background, without shadows; of the parameters only the radii and
 * `connectivity` count. -1 if the module is not built in. */
typedef enum OpencvModel {
    OPENCV_NO_MODEL,
    OPENCV_MOG2,
    OPENCV_KNN,
} OpencvModel;

bool opencv_has_models(void);
void opencv_forget(OpencvPeer *peer);
int64_t opencv_count_moving(OpencvPeer *peer, const CcaFrame *frame, const CcaParams *params,
                            OpencvModel model);

/* The same with records, as of opencv_analyse. */
int64_t opencv_analyse_moving(OpencvPeer *peer, const CcaFrame *frame, const CcaParams *params,
                              OpencvModel model, const OpencvRecord **records);

#ifdef __cplusplus
}
#endif

#endif /* CHECKCCA_OPENCV_PEER_H */
