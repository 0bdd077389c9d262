/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_REF_FOREGROUND_H
#define CCA_REF_FOREGROUND_H

#include "../engine.h"

/* Which pixels are foreground, and what is remembered to tell. */
typedef struct RefForeground {
    uint8_t *mask;       /* 0 or 1 for each pixel of the region of interest */
    uint8_t *scratch;    /* as large */
    uint32_t *histogram; /* of all 65536 values */
    uint16_t *frames;    /* difference: the last frames, as a ring */
    uint16_t *mean, *variation; /* sigma-delta: M and V */
} RefForeground;

uint64_t cca_ref_foreground_size(const CcaConfig *config);
/* False if memory ran out: what there is then is to be freed, too. */
bool cca_ref_foreground_allocate(RefForeground *f, const CcaConfig *config);
void cca_ref_foreground_free(RefForeground *f);

/* Fills f->mask and brings the background forward. Returns the threshold used, or
 * the contrast. */
uint32_t cca_ref_find_foreground(RefForeground *f, const CcaJob *job, const CcaConfig *config);

/* The value of pixel (x, y) of the frame. */
int64_t cca_ref_value(const CcaJob *job, const CcaConfig *config, uint32_t x, uint32_t y);

/* otsu.c: the threshold for the pixels in the region of interest. */
uint32_t cca_ref_otsu(uint32_t *histogram, const CcaJob *job, const CcaConfig *config);

/* morphology.c: opens and closes f->mask. */
void cca_ref_open_and_close(RefForeground *f, const CcaJob *job);

#endif /* CCA_REF_FOREGROUND_H */
