/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CHECKCCA_ORACLE_H
#define CHECKCCA_ORACLE_H

/* Expected results by flood fill, with the foreground exactly as cca.h defines it. Shares no code
 * with the engines, only the types of cca.h. */

#include "cca.h"

/* State of the earlier frames. */
typedef struct OracleMemory {
    uint64_t n_frames; /* since the first one */
    uint32_t width, height;
    int64_t *planes[CCA_MAX_FRAME_DISTANCE + 1];
    size_t n_planes, n_pixels; /* that there is room for */
} OracleMemory;

typedef struct Oracle {
    uint8_t *todo;   /* per pixel: foreground, and not yet part of a component */
    uint32_t *stack; /* pixels of a component, those whose neighbours were looked at first */
    size_t n_pixels; /* that there is room for */
    uint32_t *ids;   /* per pixel: the expected labels, if the frame requests them */
    size_t n_ids;
    uint8_t *areas; /* per pixel: number of the first area that has it, or 0; NULL: no areas */
    CcaComponent *components;
    size_t room;
    uint32_t *owners; /* per pixel: the id of its component, if features are configured */
    size_t n_owners;
    CcaFeatures *measured, *features; /* by id, and in the order of the records */
    size_t n_measured, n_features;
    OracleMemory memory;
} Oracle;

/* The expected result of an engine with this configuration for `frame`, after the oracle's earlier
 * frames. Valid until the next call. Returns false if memory ran out. */
bool oracle_analyse(Oracle *oracle, const CcaFrame *frame, const CcaConfig *config,
                    const CcaParams *params, CcaResult *result);

/* As if there had been no frames before: after a reset, and after configure. */
void oracle_forget(Oracle *oracle);
void oracle_free(Oracle *oracle);

uint32_t oracle_value(const CcaFrame *frame, const CcaConfig *config, uint32_t x, uint32_t y);

/* Whether a column or row is in the region of interest. */
bool oracle_within(uint32_t position, uint32_t start, uint32_t length);

/* Whether a pixel is in the region of interest and in the mask. */
bool oracle_works(const CcaParams *params, uint32_t x, uint32_t y);

/* oracle-background.c: the foreground of difference and sigma-delta, one byte a
 * pixel, and the fields of the result about the background. */
bool oracle_background(OracleMemory *memory, const CcaFrame *frame, const CcaConfig *config,
                       const CcaParams *params, uint8_t *mask, CcaResult *result);
void oracle_background_free(OracleMemory *memory);

/* The form of the background that an engine has by now, and its state as in cca.h, or NULL if
 * memory ran out. The caller frees the state. */
uint8_t *oracle_background_state(const OracleMemory *memory, const CcaConfig *config,
                                 CcaBackground *form);

/* Writes the background of the next frame as engines do, to rows `stride` bytes apart. */
void oracle_background_picture(const OracleMemory *memory, uint32_t sample_size, uint8_t *to,
                               size_t stride);

/* oracle-features.c: those of a component whose pixels are in the stack, after all others that the
 * frame has before it, and the table of them for the result. Each returns false if memory ran
 * out. */
bool oracle_begin_features(Oracle *oracle, size_t n_pixels);
bool oracle_measure_features(Oracle *oracle, const CcaFrame *frame, const CcaConfig *config,
                             const CcaComponent *component);
bool oracle_sort_features(Oracle *oracle, CcaResult *result);
void oracle_features_free(Oracle *oracle);

/* oracle-otsu.c */
typedef struct OracleHistogram {
    uint32_t n_values;
    uint64_t counts[UINT16_MAX + 1];
} OracleHistogram;

void oracle_histogram(const CcaFrame *frame, const CcaConfig *config, const CcaParams *params,
                      OracleHistogram *histogram);
uint32_t oracle_otsu(const OracleHistogram *histogram);

/* Whether thresholds a and b divide the histogram equally well. */
bool oracle_otsu_ties(const OracleHistogram *histogram, uint32_t a, uint32_t b);

/* oracle-limits.c: draws `areas`; returns false if memory ran out. Then, whether the limits keep a
 * component whose pixels are in the stack. */
bool oracle_draw_areas(Oracle *oracle, const CcaFrame *frame, const CcaParams *params);
bool oracle_is_within_limits(const Oracle *oracle, const CcaFrame *frame, const CcaConfig *config,
                             const CcaParams *params, const CcaComponent *component);

/* oracle-morphology.c: opens, then closes what is in the working set. */
bool oracle_morphology(uint8_t *mask, uint32_t width, uint32_t height, const CcaParams *params);

#endif /* CHECKCCA_ORACLE_H */
