/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Opens, configures and closes an engine. Each engine has a module, and each slot its tables. */

#include <stdlib.h>
#include <string.h>

#include "cca-cuda-fatbin.h"
#include "cuda-background.h"
#include "cuda-frame.h"
#include "foreground/foreground-cuda.h"

/* --- slots ---------------------------------------------------------------- */

/* Lays out the device tables of a slot; returns their size in bytes. */
static uint64_t lay_out(const CudaEngine *const e, CudaSlot *const slot,
                        const CcaConfig *const config, const uint64_t base)
{
    CcaArena arena = { .base = base };
    const uint64_t patches_x = ((uint64_t) config->width + CCA_PATCH_WIDTH - 1) / CCA_PATCH_WIDTH;
    const uint64_t patches_y = ((uint64_t) config->height + CCA_PATCH_HEIGHT - 1) /
                               CCA_PATCH_HEIGHT;
    const uint64_t places = patches_x * patches_y * CCA_PATCH_HEIGHT;
    CudaCompact *const compact = &slot->compact;

    /* These tables must be 0 before the first frame. */
    slot->cleared = base + arena.used;
    compact->header = cca_arena_place(&arena, 1, sizeof(*compact->header));
    compact->n_done = cca_arena_place(&arena, 1, sizeof(*compact->n_done));
    compact->ticket = cca_arena_place(&arena, 1, sizeof(*compact->ticket));
    compact->strips = cca_arena_place(&arena, patches_y, sizeof(*compact->strips));
    compact->bins = cca_arena_place(&arena, CCA_SELECT_DIGITS * CCA_SELECT_BINS,
                                    sizeof(*compact->bins));
    cca_foreground_clear(&slot->foreground, &arena, config);
    for (const CudaAlgorithm *const *a = cca_cuda_algorithms; *a != NULL; a++)
        if ((*a)->serves(e) && (*a)->clear != NULL)
            (*a)->clear(e, slot, &arena, config);
    slot->cleared_size = base + arena.used - slot->cleared;

    compact->mailbox = slot->mailbox;
    compact->first = cca_arena_place(&arena, places, CCA_PATCH_WORDS * sizeof(*compact->first));
    compact->peaks = cca_arena_place(&arena, places, CCA_PATCH_WORDS * sizeof(*compact->peaks));
    compact->counts = cca_arena_place(&arena, places, sizeof(*compact->counts));
    compact->prefix = cca_arena_place(&arena, places, sizeof(*compact->prefix));
    compact->states = cca_arena_place(&arena, CCA_SELECT_DIGITS + 1, sizeof(*compact->states));
    slot->areas = cca_arena_place(&arena, 1, sizeof(*slot->areas));
    slot->foreground.light_report = slot->mailbox ? &slot->mailbox->light : NULL;
    slot->foreground.n_foreground = slot->mailbox ? &slot->mailbox->n_foreground : NULL;
    slot->foreground.threshold = compact->header ? &compact->header->threshold : NULL;
    cca_foreground_lay_out(&slot->foreground, &arena, config);
    /* Only one algorithm at a time analyses a frame, so these tables share memory. */
    const CcaArena before = arena;
    for (const CudaAlgorithm *const *a = cca_cuda_algorithms; *a != NULL; a++) {
        CcaArena same = before;
        if ((*a)->serves(e))
            (*a)->lay_out(e, slot, &same, config);
        cca_arena_join(&arena, &same);
    }
    return arena.used;
}

/* Bytes of the mailbox with its records, so that features after it are aligned. */
static uint64_t records_size(const CcaConfig *const config)
{
    return (sizeof(CudaMailbox) + (uint64_t) config->max_components * sizeof(CcaComponent) + 31) &
           ~UINT64_C(31);
}

static uint64_t mailbox_size(const CcaConfig *const config)
{
    const uint64_t n = config->features != CCA_FEATURES_NONE ? config->max_components : 0;
    return records_size(config) + n * sizeof(CcaFeatures);
}

/* Bytes of page-locked memory of a slot. */
static uint64_t pinned_size(const CcaConfig *const config)
{
    return mailbox_size(config) +
           cca_foreground_mask_words(config->width, config->height) * sizeof(uint64_t) +
           sizeof(CcaAreas);
}

/* Bytes of device memory and of page-locked memory of a slot. */
static void measure_slot(const CudaEngine *const e, const CcaConfig *const config,
                         uint64_t *const device, uint64_t *const pinned)
{
    CudaSlot scratch = { 0 };
    *device = lay_out(e, &scratch, config, 0);
    *pinned = pinned_size(config);
}

static void free_slot(CudaEngine *const e, CudaSlot *const slot)
{
    const CcaCudaDriver *const cu = e->gpu.module.cu;
    for (int i = 0; i < N_CUDA_PATHS; i++)
        cca_cuda_free_graph(&e->gpu, &slot->graphs[i]);
    if (slot->fence.event != NULL)
        cu->event_destroy(slot->fence.event);
    if (slot->memory != 0)
        cu->mem_free(slot->memory);
    if (slot->mailbox != NULL)
        cu->host_free(slot->mailbox);
    memset(slot, 0, sizeof(*slot));
}

static CUresult allocate_slot(CudaEngine *const e, CudaSlot *const slot,
                              const CcaConfig *const config)
{
    const CcaCudaDriver *const cu = e->gpu.module.cu;
    CUresult result = cu->mem_alloc(&slot->memory, lay_out(e, slot, config, 0));
    if (result == CUDA_SUCCESS)
        result = cu->host_alloc((void **) &slot->mailbox, pinned_size(config),
                                CU_MEMHOSTALLOC_DEVICEMAP);
    if (result == CUDA_SUCCESS)
        result = cu->event_create(&slot->fence.event,
                                  CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING);
    if (result == CUDA_SUCCESS)
        lay_out(e, slot, config, slot->memory);
    if (result == CUDA_SUCCESS && config->features != CCA_FEATURES_NONE)
        slot->measure.records = (CcaFeatures *) ((uint8_t *) slot->mailbox + records_size(config));
    if (result == CUDA_SUCCESS)
        slot->staging = (uint64_t *) ((uint8_t *) slot->mailbox + mailbox_size(config));
    if (result == CUDA_SUCCESS)
        slot->areas_staging =
            (CcaAreas *) (slot->staging + cca_foreground_mask_words(config->width, config->height));
    return result;
}

/* --- configuration -------------------------------------------------------- */

static CcaStatus cuda_measure(const CcaEngine *const engine, const CcaConfig *const config,
                              CcaFootprint *const footprint)
{
    const CudaEngine *const e = (const CudaEngine *) engine;
    uint64_t device, pinned;
    measure_slot(e, config, &device, &pinned);
    footprint->device = config->slots * device + cca_foreground_background_size(config);
    footprint->pinned = config->slots * pinned;
    return CCA_OK;
}

static void cuda_unconfigure(CcaEngine *const engine)
{
    CudaEngine *const e = (CudaEngine *) engine;
    const CcaCudaDriver *const cu = e->gpu.module.cu;
    CcaStatus status;
    for (uint32_t i = 0; i < e->n_slots; i++)
        cca_cuda_end_frame(e, &e->slots[i]);
    if (e->n_slots == 0 || !cca_cuda_enter_engine(e, &status))
        return;
    for (uint32_t i = 0; i < e->n_slots; i++) {
        if (e->base.busy >> i & 1)
            cca_cuda_block(&e->wait, cu, &e->slots[i].fence);
        free_slot(e, &e->slots[i]);
    }
    e->n_slots = 0;
    if (e->background != 0)
        cu->mem_free(e->background);
    e->background = 0;
    cca_cuda_leave_engine(e);
}

static bool suffices(const CcaConfig *const have, const CcaConfig *const want)
{
    /* The layout depends on the mode, and the background is allocated for one configuration. */
    if (want->foreground != CCA_FOREGROUND_THRESHOLD &&
        (want->foreground != have->foreground || want->depth > have->depth ||
         cca_foreground_background_size(want) > cca_foreground_background_size(have)))
        return false;
    /* The words of a component depend on its features. */
    if (want->features != CCA_FEATURES_NONE && want->features != have->features)
        return false;
    return have->width >= want->width && have->height >= want->height &&
           have->sample_size >= want->sample_size && have->max_components >= want->max_components &&
           have->slots >= want->slots && have->labels >= want->labels;
}

static CcaStatus cuda_configure(CcaEngine *const engine, const CcaConfig *const config)
{
    CudaEngine *const e = (CudaEngine *) engine;
    const CcaCudaDriver *const cu = e->gpu.module.cu;
    CcaStatus status = CCA_OK;
    CUresult result = CUDA_SUCCESS;

    if (config->features != CCA_FEATURES_NONE && e->options.algorithm == CCA_CUDA_FLSL_CD)
        return cca_engine_fail(engine, CCA_ERROR_INVALID,
                               "the algorithm FLSL+CD does not compute features, use another one");
    if (e->n_slots > 0 && suffices(&e->allocated, config)) {
        if (!cca_cuda_enter_engine(e, &status))
            return status;
        for (uint32_t i = 0; i < e->n_slots && result == CUDA_SUCCESS; i++) {
            if (e->base.busy >> i & 1)
                result = cca_cuda_block(&e->wait, cu, &e->slots[i].fence);
            cca_cuda_end_frame(e, &e->slots[i]);
        }
        cca_cuda_leave_engine(e);
        return result == CUDA_SUCCESS ? CCA_OK : cca_cuda_fail(e, result, "work in flight");
    }

    cuda_unconfigure(engine);
    if (!cca_cuda_enter_engine(e, &status))
        return status;
    for (uint32_t i = 0; i < config->slots && result == CUDA_SUCCESS; i++) {
        e->n_slots++;
        result = allocate_slot(e, &e->slots[i], config);
    }
    const uint64_t background = cca_foreground_background_size(config);
    if (result == CUDA_SUCCESS && background > 0)
        result = cu->mem_alloc(&e->background, (size_t) background);
    cca_cuda_leave_engine(e);
    e->allocated = *config;
    return result == CUDA_SUCCESS ? CCA_OK :
                                    cca_cuda_fail(e, result, "GPU memory for the analysis");
}

/* --- open and close ------------------------------------------------------- */

static void cuda_close(CcaEngine *const engine)
{
    CudaEngine *const e = (CudaEngine *) engine;
    cca_cuda_module_close(&e->gpu.module);
    cca_cuda_wait_close(&e->wait);
    cca_cuda_context_leave(&e->member);
    free(e);
}

/* Queries the GPU's abilities, and prepares the kernels of all algorithms. */
static CUresult prepare(CudaEngine *const e)
{
    const CcaCudaDriver *const cu = e->gpu.module.cu;
    CUdevice device;
    int n = 0, major = 0, cooperates = 0;
    CUresult result = cu->ctx_device(&device);
    if (result == CUDA_SUCCESS)
        result = cu->device_attribute(&n, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
    if (result == CUDA_SUCCESS)
        result = cu->device_attribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    if (result == CUDA_SUCCESS)
        result = cu->device_attribute(&cooperates, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, device);
    e->gpu.overlaps = major >= 9;
    e->gpu.graphs = cu->has_graphs;
    e->gpu.n_multiprocessors = (uint32_t) n;
    e->gpu.n_cooperating = cooperates ? e->gpu.n_multiprocessors : 0;
    for (const CudaAlgorithm *const *a = cca_cuda_algorithms; *a != NULL; a++)
        if (result == CUDA_SUCCESS && (*a)->prepare != NULL)
            result = (*a)->prepare(e, device);
    return result;
}

static CcaStatus load(CudaEngine *const e, const char **const why)
{
    static const char *const names[] = {
#define CCA_CUDA_KERNEL_NAME(id, name) name,
        CCA_CUDA_KERNELS(CCA_CUDA_KERNEL_NAME)
#undef CCA_CUDA_KERNEL_NAME
    };
    CcaStatus status = cca_cuda_module_open(&e->gpu.module, e->options.context, cca_cuda_fatbin,
                                            names, e->gpu.kernels, N_CUDA_KERNELS, why);
    if (status != CCA_OK)
        return status;
    CUresult result = cca_cuda_enter(&e->gpu.module);
    if (result == CUDA_SUCCESS) {
        result = prepare(e);
        cca_cuda_leave_engine(e);
    }
    return result == CUDA_SUCCESS ? CCA_OK :
                                    cca_cuda_explain_loading(e->gpu.module.cu, result, why);
}

CcaStatus cca_cuda_open(CcaEngine **const engine, const CcaCudaOptions *const options,
                        const char **const why)
{
    static const CcaEngineOps ops = {
        .name = "cuda",
        .measure = cuda_measure,
        .configure = cuda_configure,
        .analyse = cca_cuda_analyse,
        .collect = cca_cuda_collect,
        .export_background = cca_cuda_export_background,
        .import_background = cca_cuda_import_background,
        .unconfigure = cuda_unconfigure,
        .close = cuda_close,
    };
    const char *ignored;
    const char **const reason = why ? why : &ignored;
    *engine = NULL;
    *reason = "";
    CudaEngine *const e = calloc(1, sizeof(*e));
    if (e == NULL || !cca_cuda_context_join(&e->member, options->context)) {
        free(e);
        *reason = cca_status_string(CCA_ERROR_NO_MEMORY);
        return CCA_ERROR_NO_MEMORY;
    }
    e->base.ops = &ops;
    e->options = *options;
    cca_cuda_wait_open(&e->wait, &e->member);
    const CcaStatus status = load(e, reason);
    if (status == CCA_OK)
        *engine = &e->base;
    else
        cuda_close(&e->base);
    return status;
}

CcaCudaKernels *cca_cuda_keep_kernels(const CcaEngine *const engine)
{
    return cca_cuda_loaded_ref(((const CudaEngine *) engine)->gpu.module.loaded);
}

void cca_cuda_release_kernels(CcaCudaKernels *const kernels)
{
    cca_cuda_loaded_unref(kernels);
}
