/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_ENGINE_H
#define CCA_ENGINE_H

#include <string.h>

#include "cca.h"
#include "filter.h"
#include "intops.h"
#include "light.h"
#include "votes.h"

/* Update of the background by a frame, in values of `depth` bits. */
typedef struct CcaUpdate {
    bool first;        /* there is no background yet: this frame starts it */
    bool due;          /* sigma-delta: this frame updates the background */
    uint32_t contrast; /* c for sigma-delta */
    uint32_t step, noise_factor, max_variation;
    bool votes;          /* pixels vote in this frame, which is not the first */
    bool tick;           /* the background gains or loses votes */
    bool hold;           /* a candidate that was the background before may be replaced */
    bool settled;        /* the warm-up is over */
    bool light;          /* a change of light is to be compensated */
    bool count;          /* foreground pixels are to be counted */
    const int8_t *curve; /* CPU: the tone curve if light has changed, else NULL */
    uint32_t reference;  /* difference: index in the ring of the frame to compare
                          * with */
    uint32_t stored;     /* difference: index at which this frame is stored */
    uint32_t next;       /* index of the plane that is the background of the next frame */
    bool warming_up;
    uint64_t number; /* of the frame; the first is 0 */
} CcaUpdate;

/* The part of a frame to analyse, after all checks: the region of interest is
 * clipped, also to the working set, and the thresholds are turned into one unsigned comparison of
 * samples shifted left by `lift`. The shift moves a value to the top of its sample and drops the
 * bits above it. The bits below the value have no effect, because `low` and `range` + 1 are
 * multiples of the value's lowest bit. */
typedef struct CcaJob {
    const uint8_t *data; /* first pixel of the region */
    size_t stride;
    uint32_t x, y;          /* of the region in the frame: added to all coordinates */
    uint32_t width, height; /* of the region; both 0 if it is empty */
    const CcaMask *mask;    /* NULL if it has all pixels of the region */
    CcaRect masked;         /* the part of the region of which the mask lacks pixels */
    uint32_t n_pixels;      /* of the working set */
    uint32_t lift;          /* 0 for samples of 1 byte */
    uint32_t low, range;    /* foreground: !constant && (uint32_t) (lifted - low) <= range */
    bool constant;          /* no value is between the thresholds */
    bool invert;
    uint32_t peak_low, peak_range; /* peaks: !peakless && (uint32_t) (lifted - low) <= range */
    bool peakless;                 /* no value reaches CcaLimits.min_peak */
    uint32_t max_components;       /* within what was configured */
    CcaParams params;
    CcaFilter filter;
    void *stream;
    CcaFrame frame;   /* the whole frame, for the background and the labels */
    CcaUpdate update; /* for modes with a background */
} CcaJob;

/* Whether the foreground needs only a comparison of each pixel of the region. */
static inline bool cca_job_is_plain(const CcaJob *const job)
{
    return job->params.foreground == CCA_FOREGROUND_THRESHOLD && job->params.open_radius == 0 &&
           job->params.close_radius == 0 && job->mask == NULL;
}

static inline bool cca_has_background(const CcaForeground foreground)
{
    return foreground >= CCA_FOREGROUND_DIFFERENCE;
}

/* Whether the background has candidates and votes. */
static inline bool cca_has_votes(const CcaConfig *const c)
{
    return c->foreground == CCA_FOREGROUND_SIGMA_DELTA && c->votes;
}

/* Bytes of background per pixel. */
static inline uint32_t cca_background_size(const CcaConfig *const c)
{
    return c->foreground == CCA_FOREGROUND_DIFFERENCE  ? c->frame_distance * c->sample_size :
           cca_has_votes(c)                            ? 3 * c->sample_size + 1 :
           c->foreground == CCA_FOREGROUND_SIGMA_DELTA ? 2 * c->sample_size :
                                                         0;
}

/* Planes of values in the state of a background. */
static inline uint32_t cca_background_planes(const CcaBackground *const b)
{
    return b->foreground == CCA_FOREGROUND_DIFFERENCE ? b->frame_distance : b->votes ? 3 : 2;
}

/* Bytes of such a plane. */
static inline uint64_t cca_background_plane(const CcaBackground *const b)
{
    return (uint64_t) b->width * b->height * b->sample_size;
}

/* Sets the comparison of `job`. */
void cca_job_set_thresholds(CcaJob *job, const CcaConfig *config, uint32_t threshold,
                            uint32_t threshold_high);

/* The 64 pixels of the mask from (x, y) of the region. Pixels right of the region are undefined. */
static inline uint64_t cca_job_working_word(const CcaJob *const job, const uint32_t x,
                                            const uint32_t y)
{
    const CcaMask *const m = job->mask;
    const size_t at = (size_t) job->x + x;
    const uint64_t *const w = m->words + (size_t) (job->y + y) * m->row_words + at / 64;
    /* the word after the last one of the mask exists */
    return at % 64 == 0 ? w[0] : w[0] >> at % 64 | w[1] << (64 - at % 64);
}

static inline bool cca_same_rect(const CcaRect *const a, const CcaRect *const b)
{
    return a->x == b->x && a->y == b->y && a->width == b->width && a->height == b->height;
}

/* The columns of the region outside of which the mask has no pixels in row y. If there are none,
 * `first` is their number and `end` 0. */
static inline CcaColumns cca_job_working_columns(const CcaJob *const job, const uint32_t y)
{
    const CcaColumns c = job->mask->columns[job->y + y];
    const uint32_t first = umax(c.first, job->x), end = umin(c.end, job->x + job->width);
    return first < end ? (CcaColumns) { first - job->x, end - job->x } :
                         (CcaColumns) { job->width, 0 };
}

/* Copies a plane of the background, without padding, to where the frame has it written. */
static inline void cca_job_write_background(const CcaJob *const job, const uint8_t *const plane,
                                            const uint32_t sample_size)
{
    const size_t row = (size_t) job->frame.width * sample_size;
    for (uint32_t y = 0; y < job->frame.height; y++)
        memcpy((uint8_t *) job->frame.background + (y ? y * job->frame.background_stride : 0),
               plane + y * row, row);
}

/* Operations of an engine. cca.c checks the arguments. */
typedef struct CcaEngineOps {
    const char *name;
    CcaStatus (*measure)(const CcaEngine *engine, const CcaConfig *config, CcaFootprint *footprint);
    CcaStatus (*configure)(CcaEngine *engine, const CcaConfig *config);
    CcaStatus (*analyse)(CcaEngine *engine, uint32_t slot, const CcaJob *job);
    /* sets components, n_components and n_found, and the threshold if it computed one */
    CcaStatus (*collect)(CcaEngine *engine, uint32_t slot, CcaResult *result);
    /* copy the state of a background of this form, which fits the configuration */
    CcaStatus (*export_background)(CcaEngine *engine, const CcaBackground *form, uint8_t *state);
    CcaStatus (*import_background)(CcaEngine *engine, const CcaBackground *form,
                                   const uint8_t *state);
    void (*unconfigure)(CcaEngine *engine); /* waits for work in flight and frees its memory */
    void (*close)(CcaEngine *engine);       /* frees the engine itself */
} CcaEngineOps;

/* The pixels that a mask leaves of a rectangle. */
typedef struct CcaWorking {
    uint64_t serial; /* of the mask; 0: not known */
    CcaRect of;      /* the rectangle */
    CcaRect region;  /* to analyse: has all of these pixels */
    uint32_t n_pixels;
    CcaRect masked; /* as of CcaJob */
} CcaWorking;

/* First member of each engine. All 0 except `ops` when opened. */
struct CcaEngine {
    const CcaEngineOps *ops;
    CcaConfig config;
    bool configured;
    uint64_t busy;                   /* bit per slot that holds a frame */
    CcaResult begun[CCA_MAX_SLOTS];  /* the part of the result that is known in advance */
    CcaLabels labels[CCA_MAX_SLOTS]; /* requested labels */
    /* The background: number of frames that updated it, and their size. */
    uint64_t n_background;
    uint32_t background_width, background_height;
    CcaWorking working;    /* of the last frame with a mask */
    bool background_begun; /* set by an analyse that fails: the background may have changed */
    char error[256];
};

/* Records the sentence that cca_engine_error() gives, and returns `status`. */
#ifdef __GNUC__
__attribute__((format(printf, 3, 4)))
#endif
CcaStatus
cca_engine_fail(CcaEngine *engine, CcaStatus status, const char *format, ...);

/* The maximum number of components, and of provisional labels, in a frame: the first
 * pixels of their first runs are no edge neighbours of each other. */
static inline uint64_t cca_max_labels(const uint32_t width, const uint32_t height)
{
    return ((uint64_t) width * height + 1) / 2;
}

/* Whether a component of `area` pixels passes the limits of area. */
static inline bool cca_area_passes(const CcaParams *const params, const uint64_t area)
{
    return (area >= params->min_area) & (area <= params->max_area);
}

static inline bool cca_wants_labels(const CcaJob *const job)
{
    return job->frame.labels.data != NULL;
}

/* `labels` with the bits and stride that ids up to `n_found` are written with; 0 bits if no
 * label image is written. */
static inline CcaLabels cca_labels_form(CcaLabels labels, const uint32_t n_found)
{
    if (labels.data == NULL || (labels.bits == 16 && n_found > UINT16_MAX)) {
        labels.bits = 0;
    } else if (labels.narrow_stride > 0 && n_found <= UINT8_MAX) {
        labels.bits = 8;
        labels.stride = labels.narrow_stride;
    }
    return labels;
}

/* Lays out tables in one allocation, or with `base` 0 only sums up its size.
 * No product overflows 64 bits: a frame has less than 2^31 pixels. */
typedef struct CcaArena {
    uint64_t base, used;
} CcaArena;

/* Room for `n` elements of `size` bytes, aligned so that tables share neither
 * cache lines nor memory transactions. */
static inline void *cca_arena_place(CcaArena *const arena, const uint64_t n, const uint64_t size)
{
    const uint64_t at = arena->used;
    arena->used += (n * size + 255) & ~UINT64_C(255);
    return arena->base ? (void *) (uintptr_t) (arena->base + at) : NULL;
}

/* Ends tables that share the memory of the last ones: what follows begins behind both. */
static inline void cca_arena_join(CcaArena *const arena, const CcaArena *const same)
{
    if (same->used > arena->used)
        arena->used = same->used;
}

/* Sorts records by decreasing area, then by id, in place, and with them their features, unless
 * these are NULL. */
void cca_sort_by_area(CcaComponent *components, CcaFeatures *features, uint32_t n);

#endif /* CCA_ENGINE_H */
