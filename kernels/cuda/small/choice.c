/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Which frames one kernel gets of those that are small enough. It takes the whole GPU, so
 * none while another engine of the context has frames in flight; and frames resemble the
 * ones before: none for a while after one that was not worth it. */

#include "../engine.h"

/* Frames that pass by before another attempt. It then costs at most half of a per cent. */
#define PAUSE 255
/* What is worth it, in the unit of an open component, without and with corners. Searched
 * at 1920x1080: noise of blocks of 1 to 16 pixels, densities in steps of 10 %. */
#define MOST_WORK_4 3300
#define MOST_WORK_8 9000
/* Components that are as much work as one that is open. */
#define COMPONENTS 32

/* The tiled algorithm writes its records to the CPU in larger pieces: 8535 of them, through
 * the element, took 82 us a frame there and 145 here. */
#define MOST_RECORDS 1500

bool cca_small_is_chosen(const CudaEngine *const e)
{
    if (!cca_cuda_has_small(e))
        return false;
    return e->options.algorithm == CCA_CUDA_SMALL ||
           (e->choice.pause == 0 && cca_small_others_in_flight(e) == 0);
}

static bool is_worth(const CudaDelivery *const d, const bool corner)
{
    const uint32_t n_found = (uint32_t) d->done, work = d->n_open + n_found / COMPONENTS;
    return n_found <= MOST_RECORDS && work <= (corner ? MOST_WORK_8 : MOST_WORK_4);
}

void cca_small_learn(CudaEngine *const e, const CudaSlot *const slot)
{
    const CudaDelivery *const d = slot->delivery;
    const bool worth = is_worth(d, slot->image.corner);
    CudaChoice *const c = &e->choice;
    if (slot->is_small)
        *c = (CudaChoice) {
            .pause = d->overflows || !worth ? PAUSE : 0,
            .to_the_end = d->overflows,
        };
    else if (c->pause > 0) /* more components cross the tiles of the tiled algorithm */
        c->pause = worth && !c->to_the_end ? 0 : c->pause - 1;
}
