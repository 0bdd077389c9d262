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
 *   value        of a pixel: the `depth` bits of its sample above the lowest
 *                `shift`; what its other bits hold does not matter
 *   foreground   what CcaForeground says of each pixel; the opposite if `invert`
 *                is set; without what lies outside the region of interest; then
 *                opened and closed (CcaParams.open_radius)
 *   background   what an engine remembers of the frames before, for the modes that
 *                compare with them; one for each engine, of the whole frame, and
 *                brought forward by each frame in the order of their analyse,
 *                whatever their slots or streams
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

/* A rectangle in pixels, as GStreamer has them: x + width is exclusive. */
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

/* What is foreground. Integers throughout, so that it is the same everywhere; I
 * is a pixel's value, and 2^d the number of values that `depth` = d bits have. */
typedef enum CcaForeground {
    /* threshold < I <= threshold_high */
    CCA_FOREGROUND_THRESHOLD,
    /* The same with the threshold that divides the histogram h of the region of
     * interest best (Otsu, 1979). With w(t) and q(t) the sums of h[v] and v h[v] up
     * to t, N and S those of all, A = N q - w S and B = w (N - w): the smallest t
     * with the greatest A A / B among those with h[t] > 0, 0 < w < N and
     * min(w, N - w) 2^23 >= N; 0 if there is none. */
    CCA_FOREGROUND_OTSU,
    /* |I - R| >= min_contrast, R being the frame `frame_distance` before, or the
     * oldest since the first one; in the first frame nothing is foreground. */
    CCA_FOREGROUND_DIFFERENCE,
    /* A background M and its variation V for each pixel (Manzanera and Richefeu,
     * 2007, in the form of Lacassagne and Manzanera, 2009, with a floor and a
     * warm-up of our own). In the first frame, number 0, M = I, V = c and nothing is
     * foreground. In frame t, with O and V as they then are,
     *   if due:  M += clamp (I - M, -step, step)
     *   O = |I - M|
     *   if due:  V = clamp (V + clamp (noise_factor O - V, -step, step), c, Vmax)
     *   foreground: O >= max (V, c)
     * c = min (min_contrast, 2^d - 1); Vmax = max (2^d - step, c); due are frames
     * up to number `warm_up` and those whose number `background_period` divides,
     * if `learning`. */
    CCA_FOREGROUND_SIGMA_DELTA,
} CcaForeground;

#define CCA_MAX_FRAME_DISTANCE 16
#define CCA_MAX_NOISE_FACTOR 16
#define CCA_MAX_OPEN_RADIUS 7
#define CCA_MAX_CLOSE_RADIUS 15

/* Configuration: upper bounds for all frames that follow, for which configure allocates. */
typedef struct CcaConfig {
    uint32_t width, height;   /* largest frame, in pixels; 1x1 to CCA_MAX_PIXELS in all */
    uint32_t sample_size;     /* bytes per pixel: 1, or 2 in native byte order */
    uint32_t depth;           /* bits of a pixel's value: 8 for samples of 1 byte, else 1 to 16 */
    uint32_t shift;           /* bits below them in the sample; depth + shift: at most all */
    uint32_t max_components;  /* most records a frame can deliver; at least 1 */
    uint32_t slots;           /* frames in flight: 1 to CCA_MAX_SLOTS */
    CcaForeground foreground; /* of the frames that follow; CCA_FOREGROUND_THRESHOLD may always
                               * come between */
    uint32_t frame_distance;  /* of CCA_FOREGROUND_DIFFERENCE: 1 to CCA_MAX_FRAME_DISTANCE */
    bool labels;              /* frames may request CcaLabels */
} CcaConfig;

/* Memory that an engine holds once configured, in bytes, at the most. With
 * C = min(max_components, width * height / 2, rounded up):
 *
 *   CPU    host: 20 width * height + (40 slots + 24) C + B (19 width + 4096)
 *          + 64 KiB, with B = 1 band for one thread and 4 * threads for more;
 *          foreground as bits, twice: 8 (width / 64 + 3) (2 height + 88 B); the
 *          background: sample_size width * height, twice for sigma-delta and
 *          frame_distance times for difference; histograms of Otsu: 16 2^depth,
 *          for each thread at the most; with labels 4 (width / 2 + 1) height
 *   CUDA   device, a slot: 6 bytes a pixel for the tiled algorithm; 25 for FLSL,
 *          29 if the width is over 65535; of frames rounded up to whole tiles of
 *          128x64; 1/4 byte of rows rounded up to 32 pixels; and 128 KiB, where one
 *          kernel can analyse small frames 1 MiB more, and with Otsu 4 bytes for each
 *          value. Pinned, a slot: 40 C + 64
 *   both   the background: a sample for each pixel of each of the `frame_distance`
 *          frames, or two for sigma-delta, in rows rounded up to 128 bytes
 *
 * The CPU engine only reserves it: pages become resident where a frame needs
 * them, 20 bytes a pixel for a checkerboard and next to nothing for a few
 * components. When 64 frames in a row have needed less than a quarter of what
 * is resident, it is given back. */
typedef struct CcaFootprint {
    uint64_t host;   /* pageable */
    uint64_t pinned; /* page-locked */
    uint64_t device; /* on the GPU */
} CcaFootprint;

/* Where to write a picture of the components: each pixel of the frame becomes the
 * id of the component that it is part of, or 0 if there is none, as in the
 * background, outside the region of interest and in components that do not pass the
 * filters. Ids are those of all components that pass, delivered or not, whatever the
 * order. What lies between the rows is left alone. Ids that do not fit are never
 * written: then there is no picture, and what the memory holds means nothing. */
typedef struct CcaLabels {
    void *data;           /* first pixel, at a host or a device address as that of the frame,
                           * which it must not overlap; NULL: no picture is asked for */
    uint32_t bits;        /* of a pixel, in native byte order: 16 or 32 */
    size_t stride;        /* bytes from row to row, at least width * bits / 8, and a multiple
                           * of a pixel, as is the address; any value if height is 1 */
    size_t narrow_stride; /* if not 0, of 16 bits: pixels have 8 bits where no id is above
                           * 255, and their rows this stride, at least width */
} CcaLabels;

/* A plane of pixels. Never written to. It must stay valid, and its pixels
 * unchanged, until collect has returned for its slot; so must the memory of the
 * labels, which must not be read until then. */
typedef struct CcaFrame {
    const void *data;       /* first pixel: a host or a device address, as the engine has it;
                             * 16-bit samples at an even address */
    uint32_t width, height; /* pixels; within what was configured in each dimension */
    size_t stride;          /* bytes from row to row, at least width * sample_size, and even
                             * for 16-bit samples; any value if height is 1 */
    void *stream;           /* CUstream that wrote the pixels and that the work is to run on;
                             * NULL on the CPU */
    CcaLabels labels;       /* all 0: none */
} CcaFrame;

typedef enum CcaOrder {
    CCA_ORDER_RASTER, /* by id */
    CCA_ORDER_AREA,   /* largest first, equal areas by id; ids stay raster ranks */
} CcaOrder;

/* Parameters of the analysis of a frame. They may change with every frame. */
typedef struct CcaParams {
    CcaForeground foreground; /* as configured, or CCA_FOREGROUND_THRESHOLD, which leaves the
                               * background alone */
    uint32_t threshold;       /* foreground is strictly above it; 0 to 65535, of which all
                               * that no value of `depth` bits exceeds are the same */
    uint32_t threshold_high;  /* foreground is not above it; 0 to 65535, which is no bound.
                               * If it is not above `threshold`, nothing is foreground */
    bool invert;              /* swap foreground and background */
    uint32_t connectivity;    /* 4: edge neighbours; 8: also corner neighbours */
    uint64_t min_area;        /* in pixels; smaller components are not found; 0 and 1: all */
    uint64_t max_area;        /* in pixels; larger components are not found */
    CcaRect roi;              /* region of interest: pixels outside it do not exist. Clipped to
                               * the frame; width or height 0: up to the frame's edge */
    uint32_t max_components;  /* maximum number of records, the first in `order`; limited by
                               * the configuration */
    CcaOrder order;

    /* Of the modes with a background; the others ignore these. */
    uint32_t min_contrast;      /* 1 to 65536; above the largest difference of two values of
                                 * `depth` bits CCA_FOREGROUND_DIFFERENCE finds nothing */
    uint32_t step;              /* maximum change of M and V per update: 1 to 2^d - 1 */
    uint32_t noise_factor;      /* 1 to CCA_MAX_NOISE_FACTOR */
    uint32_t background_period; /* frames, 1 to 65535 */
    uint32_t warm_up;           /* frames, 0 to 65535 */
    bool learning;

    /* Opening, then closing, with squares of 2 r + 1 pixels around each one, in the
     * region of interest as if there were nothing else: 0 for none. An erosion
     * keeps pixels all of whose square is foreground, as far as it is there; a
     * dilation adds pixels any of whose square is. Opening is erosion, then
     * dilation: it takes away what is narrower. Closing is dilation, then erosion:
     * it joins what is nearer. */
    uint32_t open_radius;  /* 0 to CCA_MAX_OPEN_RADIUS */
    uint32_t close_radius; /* 0 to CCA_MAX_CLOSE_RADIUS */
} CcaParams;

/* Everything above 128, 8-connected, unfiltered, in raster order; and what suits
 * 8-bit video of things that move, for modes with a background. */
#define CCA_DEFAULT_PARAMS          \
    { .threshold = 128,             \
      .threshold_high = 65535,      \
      .connectivity = 8,            \
      .min_area = 1,                \
      .max_area = UINT64_MAX,       \
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
    uint32_t n_components;          /* records delivered */
    uint32_t n_found;               /* components that pass the filters, delivered or not */
    bool truncated;                 /* n_components < n_found */
    uint32_t threshold;             /* as used: given, found by Otsu, or the contrast (of
                                     * CCA_FOREGROUND_SIGMA_DELTA: c) ... */
    uint32_t threshold_high;        /* ... and then 65535 */
    bool warming_up;                /* the background is younger than `warm_up` frames, or than
                                     * `frame_distance` */
    uint64_t background_frames;     /* number of this frame since the background's first, which
                                     * is 0; 0 without one */
    uint32_t label_bits;            /* of a pixel of CcaLabels: 8, 16 or 32; 0 if there are none,
                                     * since they were not asked for or n_found does not fit */
} CcaResult;

typedef struct CcaEngine CcaEngine;

/* The definition: two passes over the pixels with a union-find, for tests. */
CcaStatus cca_ref_open(CcaEngine **engine);

/* Instruction sets that the CPU engine has code for. Every engine gives the
 * same bytes; tests ask for a level to prove it. */
typedef enum CcaCpuLevel {
    CCA_CPU_LEVEL_BASELINE, /* what the compiler may use everywhere */
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

/* The fast engine for system memory. `options` may be NULL: all cores, best
 * level. The work is done inside analyse. The same bytes for any number of
 * threads. */
CcaStatus cca_cpu_open(CcaEngine **engine, const CcaCpuOptions *options);

/* A short name for messages and tables, such as "cpu". Static. */
const char *cca_engine_name(const CcaEngine *engine);

/* The memory that configure would make the engine hold. Allocates nothing. */
CcaStatus cca_engine_measure(const CcaEngine *engine, const CcaConfig *config,
                             CcaFootprint *footprint);

/* Allocates for `config`. May be called again at any time: work in flight is
 * waited for and its results are dropped. Memory that suffices is kept. After
 * a failure the engine holds nothing and is not configured. */
CcaStatus cca_engine_configure(CcaEngine *engine, const CcaConfig *config);

/* Starts the analysis of `frame` in `slot` (0 to slots - 1). `params` and
 * `frame` themselves are copied. Nothing is allocated. After a failure the
 * slot is empty, but for CCA_ERROR_BUSY: it then still holds its frame. */
CcaStatus cca_engine_analyse(CcaEngine *engine, uint32_t slot, const CcaFrame *frame,
                             const CcaParams *params);

/* Forgets the background: the next frame that uses it is a first frame. So is one
 * that is not as large as the one before, one after configure, and one after a
 * frame whose work failed when it had begun. A frame refused for its parameters,
 * or whose work could not begin, leaves the background as it was. */
void cca_engine_reset_background(CcaEngine *engine);

/* Waits for the frame in `slot` and returns its result. The slot is then free
 * for the next frame. */
CcaStatus cca_engine_collect(CcaEngine *engine, uint32_t slot, CcaResult *result);

/* One sentence, without a final period, on the last call on this engine that
 * failed, with the values that made it fail. Never NULL; valid until the next
 * call. */
const char *cca_engine_error(const CcaEngine *engine);

/* Waits for work in flight, frees everything and sets *engine to NULL, which
 * may be NULL already. */
void cca_engine_free(CcaEngine **engine);

#ifdef __cplusplus
}
#endif

#endif /* CCA_H */
