/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Which frames one kernel gets of those that are small enough. It takes the whole GPU, so
 * none while another engine of the context has frames in flight; and frames resemble the
 * ones before: none for a while after one that was not worth it. */

#include "../engine.h"

/* Frames that pass by before another attempt. It then costs at most half of a per cent. */
#define PAUSE 255
/* What is worth it, without and with corners: so many open components, among which each 96
 * components count as one; but fewer if they belong to a few components, as those of mazes do,
 * which take more rounds to join. */
#define COMPONENTS 96
#define FEW 16
typedef struct Most {
    uint32_t work[2], of_few[2];
} Most;

/* In narrow tiles. Searched at 1920x1080: noise of blocks of 1 to 16 pixels, densities in
 * steps of 10 %, and pictures that are hard for a union-find. */
static const Most narrow = { { 5500, 9000 }, { 3300, 9000 } };
/* In wide ones: one for so many pixels. Searched at 2560x1440 and 3840x2160, with blocks of 1
 * to 4 pixels. */
static const Most wide = { { 1500, 1300 }, { 2500, 1300 } };
/* Their tiles take as long as the runs that they have. */
#define MOST_RUNS 300000

bool cca_small_is_chosen(const CudaEngine *const e)
{
    if (!cca_cuda_has_small(e))
        return false;
    return e->options.algorithm == CCA_CUDA_SMALL || e->options.algorithm == CCA_CUDA_WIDE ||
           (e->choice.pause == 0 && cca_small_others_in_flight(e) == 0);
}

static bool is_worth(const CudaSlot *const slot)
{
    const CudaImage *const image = &slot->image;
    const uint32_t n_open = slot->delivery->n_open, n_found = (uint32_t) slot->delivery->done;
    const Most *const most = slot->small.is_wide ? &wide : &narrow;
    uint32_t work = most->work[image->corner], of_few = most->of_few[image->corner];
    if (slot->small.is_wide) {
        work = image->width * image->height / work;
        of_few = image->width * image->height / of_few;
    }
    return n_open + n_found / COMPONENTS <= work && n_open <= of_few + n_found / FEW;
}

void cca_small_learn(CudaEngine *const e, const CudaSlot *const slot)
{
    const CudaDelivery *const d = slot->delivery;
    const bool worth = is_worth(slot);
    CudaChoice *const c = &e->choice;
    if (slot->is_small) {
        const bool too_much = d->overflows || d->n_runs > MOST_RUNS;
        *c = (CudaChoice) { .pause = too_much || !worth ? PAUSE : 0, .to_the_end = too_much };
    } else if (c->pause > 0) { /* more components cross the tiles of the tiled algorithm */
        c->pause = worth && !c->to_the_end ? 0 : c->pause - 1;
    }
}
