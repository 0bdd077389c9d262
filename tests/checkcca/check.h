/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CHECKCCA_CHECK_H
#define CHECKCCA_CHECK_H

#include "engines.h"
#include "labels.h"
#include "oracle.h"
#include "picture.h"

typedef struct Check Check;

/* One frame and the parameters of its analysis: the complete input of an engine. */
typedef struct Case {
    Pattern pattern;
    uint32_t a, b; /* of the pattern */
    uint64_t seed;
    uint32_t width, height;
    Layout layout;
    CcaParams params;
    CcaConfig config;
    LabelForm labels; /* by chance: for some frames, in any form */
} Case;

typedef enum EngineUse {
    USE_ALL,
    USE_SINGLE, /* those of one thread: the case is too small to share */
    USE_GPU,    /* the same; without a GPU only in the full set, or if it is named */
} EngineUse;

/* A family of cases, numbered from 0. */
typedef struct Group {
    const char *name, *about;
    EngineUse use;
    uint64_t (*count)(Set set);
    void (*run)(Check *check, uint64_t index);
} Group;

extern const Group *const groups[];
extern const uint32_t n_groups;

struct Check {
    const Options *options;
    Engines engines;
    Oracle oracle;
    Mask mask;
    Picture picture;
    LabelPlane labels;
    struct OpencvPeer *opencv; /* once it was needed */
    const Group *group;
    uint64_t index;
    const Engine *engine; /* at work, for failures */
    bool any_use;         /* engines take part in all groups */
    bool needs_earlier;   /* the failure depends on the cases before */
    uint64_t n_cases, n_comparisons, n_differences, n_skipped;
    uint64_t n_reported; /* differences printed for this group */
    double seconds;
};

/* Samples of 1 byte, or of 2 with a value of any depth anywhere in them. */
void case_samples(Rng *rng, uint32_t sample_size, CcaConfig *config);

/* Some features. */
void case_features(Rng *rng, CcaConfig *config);

Layout case_layout(Rng *rng, uint32_t sample_size);

/* A plain case: random samples, thresholds and layout, everything delivered. */
Case case_plain(Rng *rng, Pattern pattern, uint32_t width, uint32_t height, uint32_t a, uint32_t b);
void case_describe(const Case *c, char *text, size_t size);

/* The random choices of the case at hand. */
Rng check_rng(const Check *check);
bool check_uses(const Check *check, const Engine *engine);

/* Draws the mask and the frame of `c`. */
bool check_draw(Check *check, const Case *c);

/* Runs `c` on each engine and compares with the oracle. Returns whether all
 * were right. */
bool check_case(Check *check, const Case *c);

/* Configures for `c` if need be, analyses `frame` in slot 0 and collects. On
 * failure, reports it and returns false. */
bool check_analyse(Check *check, Engine *engine, const Case *c, const CcaFrame *frame,
                   CcaResult *result);

/* Reports that a case failed: one line with the difference, and the command to repeat it. */
void check_fail(Check *check, const Case *c, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void check_skip(Check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));
void check_replay_line(const Check *check, uint64_t first, char *text, size_t size);

/* Whether two results are the same bytes; if not, says where they differ. */
bool results_equal(const CcaResult *expected, const CcaResult *got, char *text, size_t size);

#endif /* CHECKCCA_CHECK_H */
