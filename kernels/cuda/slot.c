/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* What a slot holds: device tables, page-locked memory, an event. */

#include <string.h>

#include "engine.h"

uint64_t cca_cuda_records_size(const uint32_t n)
{
    return (uint64_t) n * sizeof(CcaComponent);
}

/* Lays out the device tables of a slot; returns their size in bytes. */
static uint64_t lay_out(const CudaEngine *const e, CudaSlot *const slot,
                        const CcaConfig *const config, const uint64_t base)
{
    CcaArena arena = { .base = base };
    const uint64_t patches_x = ((uint64_t) config->width + CCA_PATCH_WIDTH - 1) / CCA_PATCH_WIDTH;
    const uint64_t patches_y =
        ((uint64_t) config->height + CCA_PATCH_HEIGHT - 1) / CCA_PATCH_HEIGHT;
    const uint64_t places = patches_x * patches_y * CCA_PATCH_HEIGHT;
    CudaEmit *const emit = &slot->emit;

    /* what must be 0 before the first frame */
    slot->cleared = base + arena.used;
    emit->header = cca_arena_place(&arena, 1, sizeof(*emit->header));
    emit->n_done = cca_arena_place(&arena, 1, sizeof(*emit->n_done));
    emit->turn = cca_arena_place(&arena, 1, sizeof(*emit->turn));
    emit->strips = cca_arena_place(&arena, patches_y, sizeof(*emit->strips));
    emit->bins = cca_arena_place(&arena, CCA_SELECT_DIGITS * CCA_SELECT_BINS,
                                 sizeof(*emit->bins));
    slot->tiled.counts = cca_arena_place(&arena, 1, sizeof(*slot->tiled.counts));
    cca_foreground_clear(&slot->foreground, &arena, config);
    if (cca_cuda_has_small(e))
        cca_small_clear(&slot->small, &arena, config);
    slot->cleared_size = base + arena.used - slot->cleared;
    emit->delivery = slot->delivery;
    emit->first = cca_arena_place(&arena, places, CCA_PATCH_WORDS * sizeof(*emit->first));
    emit->counts = cca_arena_place(&arena, places, sizeof(*emit->counts));
    emit->prefix = cca_arena_place(&arena, places, sizeof(*emit->prefix));
    emit->states = cca_arena_place(&arena, CCA_SELECT_DIGITS + 1, sizeof(*emit->states));
    slot->foreground.threshold = emit->header ? &emit->header->threshold : NULL;
    cca_foreground_lay_out(&slot->foreground, &arena, config);
    if (cca_cuda_is_flsl(e))
        cca_flsl_lay_out(&slot->flsl, emit, &arena, config);
    else
        cca_tiled_lay_out(&slot->tiled, &slot->dense, &arena, config);
    if (cca_cuda_has_small(e))
        cca_small_lay_out(&slot->small, &arena);
    return arena.used;
}

static uint64_t delivery_size(const CcaConfig *const config)
{
    return sizeof(CudaDelivery) + cca_cuda_records_size(config->max_components);
}

void cca_cuda_measure_slot(const CudaEngine *const e, const CcaConfig *const config,
                           uint64_t *const device, uint64_t *const pinned)
{
    CudaSlot scratch = { 0 };
    *device = lay_out(e, &scratch, config, 0);
    *pinned = delivery_size(config);
}

void cca_cuda_free_slot(CudaEngine *const e, CudaSlot *const slot)
{
    for (int i = 0; i < N_CUDA_PATHS; i++)
        cca_cuda_free_graph(e, &slot->graphs[i]);
    if (slot->done != NULL)
        e->cu->event_destroy(slot->done);
    if (slot->memory != 0)
        e->cu->mem_free(slot->memory);
    if (slot->delivery != NULL)
        e->cu->host_free(slot->delivery);
    memset(slot, 0, sizeof(*slot));
}

CUresult cca_cuda_allocate_slot(CudaEngine *const e, CudaSlot *const slot,
                                const CcaConfig *const config)
{
    const CcaCudaDriver *const cu = e->cu;
    CUresult result;
    if ((result = cu->mem_alloc(&slot->memory, lay_out(e, slot, config, 0))) != CUDA_SUCCESS ||
        (result = cu->host_alloc((void **) &slot->delivery, delivery_size(config),
                                 CU_MEMHOSTALLOC_DEVICEMAP)) != CUDA_SUCCESS ||
        (result = cu->event_create(&slot->done, CU_EVENT_BLOCKING_SYNC |
                                                    CU_EVENT_DISABLE_TIMING)) != CUDA_SUCCESS)
        return result;
    lay_out(e, slot, config, slot->memory);
    return CUDA_SUCCESS;
}
