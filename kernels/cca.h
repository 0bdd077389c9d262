/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_H
#define CCA_H

/* Connected-component analysis of one plane of pixels.
 *
 * An engine decides which pixels of a frame are foreground, finds the maximal
 * connected sets of them and gives the bounding box, area and coordinate sums of
 * each. All engines (reference, CPU, CUDA) give the same bytes for the same input.
 *
 *   value        the `depth` bits of a pixel's sample above its lowest `shift` bits;
 *                the other bits are ignored
 *   foreground   the pixels that CcaForeground selects, or all others if `invert` is
 *                set, within the working set; then opened and closed
 *                (CcaParams.open_radius)
 *   working set  the pixels of the region of interest that CcaParams.mask has, or all
 *                of them without a mask
 *   background   a model of the earlier frames, for the modes that compare with it.
 *                An engine has one, for the whole frame. Each frame updates it, in
 *                the order of the calls of cca_engine_analyse(), whatever the slots
 *                and streams
 *   component    a maximal 4- or 8-connected set of foreground pixels
 *   order        components are numbered 1..n_found in raster order of their
 *                first pixel: by row, then by column
 *
 * Life of an engine: open, configure, then analyse and collect once a frame,
 * then free. All memory is allocated in configure. Work on several frames may
 * be in flight, one in each slot:
 *
 *   cca_cpu_open(&engine, NULL);
 *   cca_engine_configure(engine, &config);
 *   cca_engine_analyse(engine, slot, &frame, &params);   // enqueues
 *   cca_engine_collect(engine, slot, &result);           // waits
 *   cca_engine_free(&engine);
 *
 * An engine may be used by one thread at a time; different engines are
 * independent of each other. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cca-mask.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The most pixels a frame may have. Coordinates, areas and component counts
 * therefore fit in 31 bits; coordinate sums need 64. */
#define CCA_MAX_PIXELS INT32_MAX

/* The most frames an engine can have in flight. */
#define CCA_MAX_SLOTS 64

typedef enum CcaStatus {
    CCA_OK = 0,
    CCA_ERROR_INVALID = -1,        /* a parameter contradicts its description */
    CCA_ERROR_TOO_LARGE = -2,      /* more pixels than CCA_MAX_PIXELS, or than configured */
    CCA_ERROR_NO_MEMORY = -3,      /* host or device memory ran out */
    CCA_ERROR_NOT_CONFIGURED = -4, /* analyse or collect before configure */
    CCA_ERROR_BUSY = -5,           /* the slot holds a frame not yet collected */
    CCA_ERROR_EMPTY = -6,          /* the slot holds no frame to collect */
    CCA_ERROR_NO_DRIVER = -7,      /* no CUDA driver, or one too old */
    CCA_ERROR_NO_DEVICE = -8,      /* no such GPU, or no kernels for its architecture */
    CCA_ERROR_DEVICE = -9,         /* a driver call failed; the context is usable */
    CCA_ERROR_DEVICE_LOST = -10,   /* a sticky error: the context is unusable */
} CcaStatus;

/* One sentence on a status, without a final period. Never NULL; static. */
const char *cca_status_string(CcaStatus status);

/* A rectangle in pixels, as in GStreamer: x + width is exclusive. */
typedef struct CcaRect {
    uint32_t x, y, width, height;
} CcaRect;

/* One connected component. 40 bytes, without padding, so that tables of them
 * can be compared with memcmp. Coordinates count from the frame's top left
 * pixel (also with a region of interest). */
typedef struct CcaComponent {
    uint32_t id;            /* rank in raster order, from 1, among those that pass the filters */
    uint32_t x, y;          /* left column and top row of the bounding box */
    uint32_t width, height; /* of the bounding box, all its pixels included; at least 1 */
    uint32_t area;          /* number of pixels, at least 1 */
    uint64_t sum_x, sum_y;  /* of the pixels' column and row indices */
} CcaComponent;

/* Centroid: the mean of the pixels' indices, in [x, x + width - 1]. */
static inline double cca_centroid_x(const CcaComponent *const c)
{
    return (double) c->sum_x / (double) c->area;
}

static inline double cca_centroid_y(const CcaComponent *const c)
{
    return (double) c->sum_y / (double) c->area;
}

/* What CcaFeatures has, as flags. */
typedef enum CcaFeatureFlags {
    CCA_FEATURES_NONE = 0,
    CCA_FEATURES_MOMENTS = 1,
    CCA_FEATURES_INTENSITY = 2,
    CCA_FEATURES_SHAPE = 4,
    CCA_FEATURES_ALL = 7,
} CcaFeatureFlags;

/* Further numbers of a component. 96 bytes, without padding. Coordinates are those of
 * CcaComponent, and v is the value of a pixel in its `depth` bits. Fields of flags that
 * are off are 0. */
typedef struct CcaFeatures {
    /* CCA_FEATURES_MOMENTS: sums of x x, x y and y y */
    uint64_t xx, xy, yy;
    /* CCA_FEATURES_INTENSITY: sums of v, v v, v x and v y; the smallest and the largest v, and
     * the first pixel in raster order that has the largest one */
    uint64_t v, vv, vx, vy;
    uint32_t v_min, v_max, v_max_x, v_max_y;
    /* CCA_FEATURES_SHAPE, whatever the connectivity: pairs of edge neighbours, squares of 2x2
     * pixels that belong to the component, and squares of which at least one pixel does. The
     * latter may extend beyond the frame. Corner neighbours of one component that only touch
     * there share a square, also with 4-connectivity. */
    uint64_t e4, q4, w1;
} CcaFeatures;

/* The greatest width and height of frames with CcaConfig.features: all sums then fit in 64
 * bits. */
#define CCA_MAX_FEATURES_SIDE 65535

/* Definition of the foreground, in integers, so that all engines agree. I is a
 * pixel's value, and 2^d the number of values that `depth` = d bits have. */
typedef enum CcaForeground {
    /* threshold < I <= threshold_high */
    CCA_FOREGROUND_THRESHOLD,
    /* The same with the threshold that Otsu's method (1979) finds in the histogram h
     * of the working set. Let w(t) and q(t) be the sums of h[v] and v h[v] up
     * to t, N and S those of all v, A = N q - w S and B = w (N - w). The threshold is
     * the smallest t with the greatest A A / B among those with h[t] > 0, 0 < w < N
     * and min(w, N - w) 2^23 >= N; 0 if there is none. */
    CCA_FOREGROUND_OTSU,
    /* |I - R| >= min_contrast. R is the pixel's value `frame_distance` frames earlier,
     * or in the first frame while there are fewer. In the first frame nothing is
     * foreground. */
    CCA_FOREGROUND_DIFFERENCE,
    /* A background M and its variation V for each pixel (Manzanera and Richefeu,
     * 2007, in the form of Lacassagne and Manzanera, 2009, with a lower limit of V and
     * a warm-up added). In frame 0 M = I, V = c and nothing is foreground. Each later
     * frame computes, in this order,
     *   if due:  M += clamp (I - M, -step, step)
     *   O = |I - M|
     *   if due:  V = clamp (V + clamp (noise_factor O - V, -step, step), c, Vmax)
     *   foreground: O >= max (V, c)
     * with c = min (min_contrast, 2^d - 1) and Vmax = max (2^d - step, c). A frame is
     * due if `learning` is set and its number is at most `warm_up` or a multiple of
     * `background_period`.
     *
     * If `absorb_after` is not 0, each pixel also has a candidate K for its background,
     * votes q for its background, 0 to 127, and a flag e, which is set if K was the
     * background before. In frame 0, K = I, q = 0 and e = 0. Frame t is a tick if it is
     * at most number `warm_up` or a multiple of P = ceil (absorb_after / 127). In frame
     * t >= 1, with M and V of the frame before,
     *   F = |I - M| >= max (V, c)
     *   not F:               if tick:  q = min (q + 2, 127)
     *   F and |I - K| < c:   K += clamp (I - K, -step, step)
     *                        q -= 32 if e, else 1 if tick
     *                        if (e or tick) and q <= 0:
     *                          swap M and K;  V = c;  F = 0
     *                          if e:  q = 127, e = 0;  else:  q = 0, e = (t > warm_up)
     *                        q = max (q, 0)
     *   F and |I - K| >= c:  if not e or t is a multiple of 64:  K = I, e = 0
     *   if due, except in the second case:  M and V change as above
     *   foreground: F
     * Without `learning` only F is computed. A frame whose `absorb_after` is 0 does not
     * change K, q and e.
     *
     * If `compensate_light` is set, frame t >= 1 first compensates a change of light. Its
     * samples are the pixels of the working set whose x and y in the frame are
     * multiples of 4. Each has
     *   D = clamp ((I - M) / step, -128, 127), the quotient rounded towards 0
     * and is in one of 8 bands, floor (8 M / 2^d). Each band with at least 64 samples has a
     * level, the smallest D that at least half of its samples do not exceed. Light has
     * changed if at least 3/4 of the samples have D >= 2, or at least 3/4 have D <= -2, and a
     * band has a level, and
     *   3 step (L - l) 256 / 2^d >= -2 (32 n)
     * for the levels l and L of the first and the last band that have one, which are n bands
     * apart. The curve C(k), 0 <= k < 256, is the level of band b at k = 32 b + 16, linear
     * between neighbours that have one, rounded to the nearest integer, halves up, and
     * constant before the first and after the last. Then for all pixels of the frame
     *   M = clamp (M + step C(floor (256 M / 2^d)), 0, 2^d - 1)
     * and if the frame has votes, that is with `learning` and an `absorb_after` that is not 0,
     * K likewise. */
    CCA_FOREGROUND_SIGMA_DELTA,
} CcaForeground;

#define CCA_MAX_FRAME_DISTANCE 16
#define CCA_MAX_NOISE_FACTOR 16
/* P is then at most 65535, as the other periods in frames are. Larger ones would be exact
 * too, since frames are numbered with 64 bits. */
#define CCA_MAX_ABSORB_AFTER (127 * 65535)
#define CCA_MAX_OPEN_RADIUS 7
#define CCA_MAX_CLOSE_RADIUS 15

/* Configuration: upper bounds for all frames that follow, for which configure allocates. */
typedef struct CcaConfig {
    uint32_t width, height;   /* largest frame, in pixels; 1x1 to CCA_MAX_PIXELS in all */
    uint32_t sample_size;     /* bytes per pixel: 1, or 2 in native byte order */
    uint32_t depth;           /* bits of a pixel's value: 8 for samples of 1 byte, else 1 to 16 */
    uint32_t shift;           /* bits below the value; depth + shift <= 8 * sample_size */
    uint32_t max_components;  /* maximum number of records of a frame; at least 1 */
    uint32_t slots;           /* frames in flight: 1 to CCA_MAX_SLOTS */
    CcaForeground foreground; /* mode of the frames that follow, each of which may use
                               * CCA_FOREGROUND_THRESHOLD instead */
    uint32_t frame_distance;  /* of CCA_FOREGROUND_DIFFERENCE: 1 to CCA_MAX_FRAME_DISTANCE */
    bool labels;              /* frames may request CcaLabels */
    bool votes;               /* frames of CCA_FOREGROUND_SIGMA_DELTA may have an
                               * `absorb_after` that is not 0 */
    CcaFeatureFlags features; /* of each component; if any, width and height are at most
                               * CCA_MAX_FEATURES_SIDE */
} CcaConfig;

/* Memory that a configured engine holds, in bytes. The upper bounds are, with
 * C = min(max_components, width * height / 2, rounded up), B = 1 band for one thread
 * and 4 * threads for more, and F = 2 frames for sigma-delta, 3 with votes, and
 * `frame_distance` for difference:
 *
 *   CPU, host
 *     always       20 width * height + (40 slots + 24) C + B (19 width + 4096) + 64 KiB
 *     masks        8 (width / 64 + 3) (2 height + 88 B)
 *     background   F sample_size width * height, and width * height with votes
 *     Otsu         16 2^depth for each thread
 *     labels       4 (width / 2 + 1) height
 *     features     48 width * height + 96 (slots C + B + 1), and for the shape
 *                  8 width * height
 *   CUDA, device, for each slot
 *     tiled        5.5 bytes a pixel of the frame rounded up to whole tiles of 128x64
 *     FLSL         25 bytes a pixel of such a frame, 29 if the width is above 65535
 *     masks        3/8 byte a pixel, with rows rounded up to 64 pixels
 *     peaks        1/8 byte a pixel, with rows rounded up to 128 pixels
 *     always       264 KiB, and 1 MiB more where one kernel can analyse small frames
 *     Otsu         4 2^depth
 *     features     16 bytes a pixel of such a frame, 20 for samples of 2 bytes
 *   CUDA, device, once
 *     background   as above, with rows rounded up to 128 bytes
 *   CUDA, pinned, for each slot
 *     always       40 C + 131 KiB
 *     features     96 C
 *     masks        1/8 byte a pixel, with rows rounded up to 64 pixels
 *
 * The CPU engine reserves address space only. Pages become resident when a frame
 * writes to them: 20 bytes a pixel for a checkerboard, and almost nothing for a few
 * components. They are returned to the system after 64 consecutive frames that used
 * less than a quarter of them. */
typedef struct CcaFootprint {
    uint64_t host;   /* pageable */
    uint64_t pinned; /* page-locked */
    uint64_t device; /* on the GPU */
} CcaFootprint;

/* Destination of the label image. Each of its pixels is the id of the component at
 * that pixel of the frame. It is 0 in the background, outside the working set
 * and in components that do not pass the filters. All components that pass have ids,
 * including those beyond max_components, and CcaParams.order does not change them.
 * Padding between rows is not written. If an id does not fit in `bits`, there is no
 * label image, and the content of the memory is undefined. */
typedef struct CcaLabels {
    void *data;           /* first pixel, in host or device memory as the frame's, which it must
                           * not overlap; NULL: no label image */
    uint32_t bits;        /* per pixel: 16 or 32, in native byte order */
    size_t stride;        /* bytes from row to row, at least width * bits / 8. It and the
                           * address are multiples of a pixel; any value if height is 1 */
    size_t narrow_stride; /* 0, or for 16 bits: if no id is above 255, pixels have 8 bits and
                           * rows have this stride, at least width */
} CcaLabels;

/* A plane of pixels, which engines only read. Its memory and those of the labels and the
 * background must stay valid until collect has returned for its slot. Until then the
 * pixels must not change, and the labels and the background must not be read. */
typedef struct CcaFrame {
    const void *data;       /* first pixel, in device memory for CUDA engines, in host memory
                             * for others; 16-bit samples at an even address */
    uint32_t width, height; /* pixels; within what was configured in each dimension */
    size_t stride;          /* bytes from row to row, at least width * sample_size, and even
                             * for 16-bit samples; any value if height is 1 */
    void *stream;           /* CUstream that wrote the pixels, on which the analysis runs;
                             * NULL on the CPU */
    CcaLabels labels;       /* all 0: none */

    /* Where to write the background as it is after the frame, in memory as that of the labels;
     * NULL: nowhere. Pixels are samples of native byte order: M of CCA_FOREGROUND_SIGMA_DELTA, or
     * the frame with which CCA_FOREGROUND_DIFFERENCE compares the next one. Requires one of these
     * modes. */
    void *background;         /* 16-bit samples at an even address */
    size_t background_stride; /* bytes from row to row, at least width * sample_size, and even
                               * for 16-bit samples; any value if height is 1 */
} CcaFrame;

typedef enum CcaOrder {
    CCA_ORDER_RASTER, /* by id */
    CCA_ORDER_AREA,   /* largest first, equal areas by id; ids stay raster ranks */
} CcaOrder;

/* Limits of components besides those of their area, all of them inclusive. */
typedef struct CcaLimits {
    uint32_t min_width, max_width; /* of the bounding box, in pixels */
    uint32_t min_height, max_height;
    /* In hundredths of the height: min_aspect * height <= 100 * width <= max_aspect * height.
     * A max_aspect of UINT32_MAX is no limit. */
    uint32_t min_aspect, max_aspect;
    uint32_t min_extent; /* percentage of the box: 100 * area >= min_extent * width * height */
    uint32_t min_peak;   /* at least one pixel has a value that is not below it, or with `invert`
                          * one whose distance from the greatest value, 2^d - 1, is not;
                          * whatever the mode, and after opening and closing. 0: all */
    uint32_t exclude_border; /* 1: components at an edge of the region of interest, clipped to the
                              * frame, are not found, whatever the mask; else 0 */
} CcaLimits;

#define CCA_NO_LIMITS \
    { .max_width = UINT32_MAX, .max_height = UINT32_MAX, .max_aspect = UINT32_MAX }

/* Parameters of the analysis of a frame. They may change with every frame. */
typedef struct CcaParams {
    CcaForeground foreground; /* as configured, or CCA_FOREGROUND_THRESHOLD, which does not
                               * update the background */
    uint32_t threshold;       /* foreground is strictly above it; 0 to 65535, where from
                               * 2^d - 1 on no pixel is foreground */
    uint32_t threshold_high;  /* foreground is not above it; 0 to 65535, which is no limit.
                               * If it is not above `threshold`, no pixel is foreground */
    bool invert;              /* swap foreground and background */
    uint32_t connectivity;    /* 4: edge neighbours; 8: also corner neighbours */
    uint64_t min_area;        /* in pixels; smaller components are not found; 0 and 1: all */
    uint64_t max_area;        /* in pixels; larger components are not found */
    CcaLimits limits;         /* components beyond them are not found */
    CcaRect roi;              /* region of interest: pixels outside it are never foreground.
                               * Clipped to the frame; width or height 0: to the frame's edge */
    const CcaMask *mask;      /* of the frame's size: pixels that it does not have are never
                               * foreground. It must not change, and stays valid until collect
                               * has returned. NULL: all pixels of the frame */
    uint32_t max_components;  /* maximum number of records, the first in `order`; limited by
                               * the configuration */
    CcaOrder order;

    /* For the modes with a background; the others ignore these. */
    uint32_t min_contrast;      /* 1 to 65536; from 2^d on CCA_FOREGROUND_DIFFERENCE finds
                                 * nothing */
    uint32_t step;              /* maximum change of M and V per update: 1 to 2^d - 1 */
    uint32_t noise_factor;      /* 1 to CCA_MAX_NOISE_FACTOR */
    uint32_t background_period; /* frames, 1 to 65535 */
    uint32_t warm_up;           /* frames, 0 to 65535 */
    uint32_t absorb_after;      /* frames, 0 to CCA_MAX_ABSORB_AFTER; not 0 requires
                                 * CcaConfig.votes */
    bool learning;
    bool compensate_light; /* for CCA_FOREGROUND_SIGMA_DELTA only */
    bool count_foreground; /* sets CcaResult.n_foreground */

    /* Radii r of the opening and of the closing after it; 0 for none. The structuring
     * element is the square of 2 r + 1 pixels around a pixel, less those outside the
     * working set. An erosion keeps pixels whose square is all foreground; a dilation adds
     * pixels of the working set whose square has any. Opening is an erosion, then a dilation: it
     * removes parts narrower than the square. Closing is a dilation, then an erosion: it fills gaps
     * narrower than the square. */
    uint32_t open_radius;  /* 0 to CCA_MAX_OPEN_RADIUS */
    uint32_t close_radius; /* 0 to CCA_MAX_CLOSE_RADIUS */
} CcaParams;

/* All pixels above 128, 8-connected, unfiltered, in raster order. The values for modes
 * with a background suit moving objects in 8-bit video. */
#define CCA_DEFAULT_PARAMS          \
    { .threshold = 128,             \
      .threshold_high = 65535,      \
      .connectivity = 8,            \
      .min_area = 1,                \
      .max_area = UINT64_MAX,       \
      .limits = CCA_NO_LIMITS,      \
      .max_components = UINT32_MAX, \
      .order = CCA_ORDER_RASTER,    \
      .min_contrast = 15,           \
      .step = 1,                    \
      .noise_factor = 2,            \
      .background_period = 4,       \
      .warm_up = 255,               \
      .learning = true }

/* Result of a frame. Valid until the slot is used again, or the engine is
 * configured or freed. */
typedef struct CcaResult {
    const CcaComponent *components; /* n_components records in `order`; NULL if there are none */
    const CcaFeatures *features;    /* of each of these records; NULL if there are none, or no
                                     * features are configured */
    uint32_t n_components;          /* records delivered */
    uint32_t n_found;               /* components that pass the filters, delivered or not */
    bool truncated;                 /* n_components < n_found */
    uint32_t threshold;             /* as used: given, or found by Otsu; with a background the
                                     * contrast (c in CCA_FOREGROUND_SIGMA_DELTA) */
    uint32_t threshold_high;        /* as given; with a background 65535 */
    bool warming_up;                /* the number of the frame is not above `warm_up`, or is
                                     * below `frame_distance` */
    uint64_t background_frames;     /* number of this frame, counted from the first one of the
                                     * background, which is 0; 0 without a background */
    bool light_changed;             /* `compensate_light` changed the background */
    int32_t light_shift;            /* if so: step times the mean of the levels, weighted by the
                                     * samples of their bands, rounded towards 0 */
    uint32_t n_pixels;              /* of the working set */
    uint32_t n_foreground;          /* with `count_foreground` and a background: pixels of the
                                     * working set that CcaForeground selects, before `invert`,
                                     * opening and closing; else 0 */
    uint32_t label_bits;            /* per pixel of the label image: 8, 16 or 32; 0 if it was not
                                     * requested or n_found does not fit */
} CcaResult;

/* The result of a frame of `depth` bits without a pixel in the working set: the thresholds
 * as used, and nothing found. */
CcaResult cca_empty_result(const CcaParams *params, uint32_t depth);

typedef struct CcaEngine CcaEngine;

/* Opens the reference engine, for tests: two passes over the pixels with a union-find,
 * which define the results of all engines. */
CcaStatus cca_ref_open(CcaEngine **engine);

/* Instruction sets that the CPU engine has code for. All levels give the same
 * bytes; tests select one to verify that. */
typedef enum CcaCpuLevel {
    CCA_CPU_LEVEL_BASELINE, /* the instructions of the compiler's target */
    CCA_CPU_LEVEL_V3,       /* x86-64-v3: AVX2, BMI2, POPCNT */
    CCA_CPU_LEVEL_V4,       /* x86-64-v4: AVX-512 BW */
    CCA_CPU_LEVEL_BEST,     /* the best that this machine has */
} CcaCpuLevel;

typedef struct CcaCpuOptions {
    uint32_t threads;  /* 1 to 256; 0: one for each core that this process may use */
    CcaCpuLevel level; /* not above cca_cpu_level(), or CCA_CPU_LEVEL_BEST */
} CcaCpuOptions;

/* The best level that this machine supports. */
CcaCpuLevel cca_cpu_level(void);

/* Opens the CPU engine, for frames in system memory. `options` may be NULL: all cores
 * and the best level. The work is done inside analyse. The number of threads does not
 * change the result. */
CcaStatus cca_cpu_open(CcaEngine **engine, const CcaCpuOptions *options);

/* A short name for messages and tables, such as "cpu". Static. */
const char *cca_engine_name(const CcaEngine *engine);

/* The memory that configure would make the engine hold. Allocates nothing. */
CcaStatus cca_engine_measure(const CcaEngine *engine, const CcaConfig *config,
                             CcaFootprint *footprint);

/* Allocates for `config`. May be called again at any time: it waits for work in
 * flight and drops its results. Memory that is large enough is reused. After
 * a failure the engine holds nothing and is not configured. */
CcaStatus cca_engine_configure(CcaEngine *engine, const CcaConfig *config);

/* Starts the analysis of `frame` in `slot` (0 to slots - 1). `params` and
 * `frame` themselves are copied. Nothing is allocated. After a failure the slot is
 * empty, except after CCA_ERROR_BUSY, when it still holds its frame. */
CcaStatus cca_engine_analyse(CcaEngine *engine, uint32_t slot, const CcaFrame *frame,
                             const CcaParams *params);

/* Discards the background: the next frame that uses it is a first frame. So is a
 * frame after configure, one of another size than the background's, and one after a
 * frame whose work had started and failed. A frame that is refused for its
 * parameters, or whose work could not start, does not change the background. */
void cca_engine_reset_background(CcaEngine *engine);

/* Form and age of a background. Its state is a block of planes without padding, each of
 * width * height values in samples of `sample_size` bytes and native byte order: M and V
 * of CCA_FOREGROUND_SIGMA_DELTA, with votes then K and a plane of bytes with q in the low
 * 7 bits and e in the top one; or the last frames of CCA_FOREGROUND_DIFFERENCE, frame t in
 * plane t % frame_distance, and 0 in planes without a frame. */
typedef struct CcaBackground {
    CcaForeground foreground;
    uint32_t width, height; /* pixels */
    uint32_t sample_size, depth;
    uint32_t frame_distance; /* 0 in CCA_FOREGROUND_SIGMA_DELTA */
    bool votes;
    uint64_t n_frames; /* that it was learnt from: the number of the next frame */
} CcaBackground;

/* Bytes of the state of a background. */
uint64_t cca_background_state_size(const CcaBackground *background);

/* The background after all frames that were passed to analyse, collected or not. All is 0
 * if there is none. */
CcaBackground cca_engine_get_background(const CcaEngine *engine);

/* Copies the state of that background to `state`, in host memory. Waits for the frames in
 * flight that use the background, and for the copy. Fails with CCA_ERROR_EMPTY if there is
 * no background. A failure does not change the background. */
CcaStatus cca_engine_export_background(CcaEngine *engine, void *state);

/* Replaces the background: the next frame, if it has the same size, is analysed as by the
 * engine from which `state` was exported. Waits for frames in flight that use the
 * background. Fails with CCA_ERROR_INVALID, and changes nothing, if `background` does not
 * fit the configuration, or a value has more than `depth` bits. After other failures there
 * is no background. */
CcaStatus cca_engine_import_background(CcaEngine *engine, const CcaBackground *background,
                                       const void *state);

/* Waits for the frame in `slot` and returns its result. The slot is then free
 * for the next frame. */
CcaStatus cca_engine_collect(CcaEngine *engine, uint32_t slot, CcaResult *result);

/* One sentence, without a final period, on the last failed call on this engine, with
 * the values that caused the failure. Never NULL; valid until the next call. */
const char *cca_engine_error(const CcaEngine *engine);

/* Waits for work in flight, frees everything and sets *engine to NULL, which
 * may be NULL already. */
void cca_engine_free(CcaEngine **engine);

#ifdef __cplusplus
}
#endif

#endif /* CCA_H */
