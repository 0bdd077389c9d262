/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CHECKCCA_CLIP_H
#define CHECKCCA_CLIP_H

/* Consecutive frames, the events between them, and the expected result of each frame, computed
 * once and compared with the results of all engines. */

#include "check.h"

/* Before a frame. */
typedef enum ClipEvent {
    CLIP_RESET = 1,     /* the background is forgotten */
    CLIP_CONFIGURE = 2, /* so it is, and frames in flight are dropped */
    CLIP_REFUSE = 4,    /* another frame is refused */
    CLIP_CARRY = 8,     /* the background is exported, replaced by others, and imported */
} ClipEvent;

typedef struct ClipFrame {
    Picture picture;
    CcaParams params;
    CcaConfig config; /* that of the frame before, unless there is CLIP_CONFIGURE */
    uint32_t events;
    uint32_t slot;
    CcaResult expected;
    LabelPlane labels;  /* if the picture asks for them */
    CcaBackground form; /* with CLIP_CARRY, those of the frames before: no frames or ... */
    uint8_t *state;     /* ... the state to be exported */
    uint8_t *window, *expected_window; /* around the background's picture, if it is asked for */
    size_t window_size;
} ClipFrame;

#define MOST_CLIP_FRAMES 160

#define MOST_CLIP_MASKS 8

typedef struct Clip {
    ClipFrame frames[MOST_CLIP_FRAMES];
    uint32_t n_frames;
    CcaMask *masks[MOST_CLIP_MASKS]; /* that frames may use; freed with the clip */
} Clip;

Clip *clip_new(void);
void clip_free(Clip *clip);

/* Adds a frame of those values, laid out at random; the first one is after a
 * reset. Returns NULL if memory ran out. */
ClipFrame *clip_add(Clip *clip, const CcaConfig *config, const CcaParams *params,
                    const uint16_t *values, uint32_t width, uint32_t height, Rng *rng);

/* Has a frame, configured for them, ask for labels. Returns false if memory ran out. */
bool clip_ask_labels(ClipFrame *frame, Rng *rng);

/* The same for the picture of the background. */
bool clip_ask_background(ClipFrame *frame, Rng *rng);

/* Asks the oracle. Returns false if memory ran out. */
bool clip_expect(Clip *clip);

/* Whether an engine gives the expected result for each frame; if not, reports the difference. */
bool clip_plays(const Clip *clip, Engine *engine, char *text, size_t size);

/* Runs the clip on each engine that takes part. */
void clip_check(Check *check, const Clip *clip);

/* Both, after a skip if memory ran out. */
void clip_run(Check *check, Clip *clip, bool made);

#endif /* CHECKCCA_CLIP_H */
