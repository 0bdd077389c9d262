/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "foreground-cuda.h"

#define OTSU_MAX_BLOCKS (65536 / CCA_OTSU_THREADS)

static uint32_t row_words(const uint32_t width)
{
    return (width - 1) / 32 + 1;
}

static uint32_t blocks_of(const uint64_t n, const uint32_t threads)
{
    return (uint32_t) ((n - 1) / threads + 1);
}

uint64_t cca_foreground_mask_words(const uint32_t width, const uint32_t height)
{
    return ((uint64_t) width + 63) / 64 * height + 1;
}

static uint64_t background_pitch(const uint32_t width, const uint32_t sample_size)
{
    const uint64_t a = CCA_BACKGROUND_ALIGNMENT;
    return ((uint64_t) width * sample_size + a - 1) / a * a;
}

/* Bytes of one table of the background: M, V, or a frame. */
static uint64_t table_size(const CcaConfig *const c)
{
    return background_pitch(c->width, c->sample_size) * c->height;
}

uint64_t cca_foreground_background_size(const CcaConfig *const c)
{
    switch (c->foreground) {
    case CCA_FOREGROUND_DIFFERENCE: return c->frame_distance * table_size(c);
    case CCA_FOREGROUND_SIGMA_DELTA:
        return c->votes ? 3 * table_size(c) + table_size(c) / c->sample_size : 2 * table_size(c);
    default: return 0;
    }
}

/* Copies rows of `width` bytes. Those of the state are not padded. */
static CUresult copy_plane(const CcaCudaDriver *const cu, const CUdeviceptr plane,
                           const uint64_t pitch, uint8_t *const state, const uint64_t width,
                           const uint32_t height, const bool import, CUstream stream)
{
    CUDA_MEMCPY2D copy = { .WidthInBytes = (size_t) width, .Height = height };
    if (import) {
        copy.srcMemoryType = CU_MEMORYTYPE_HOST;
        copy.srcHost = state;
        copy.srcPitch = (size_t) width;
        copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.dstDevice = plane;
        copy.dstPitch = (size_t) pitch;
    } else {
        copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.srcDevice = plane;
        copy.srcPitch = (size_t) pitch;
        copy.dstMemoryType = CU_MEMORYTYPE_HOST;
        copy.dstHost = state;
        copy.dstPitch = (size_t) width;
    }
    return cu->memcpy_2d_async(&copy, stream);
}

CUresult cca_foreground_copy_background(const CcaCudaDriver *const cu, const CUdeviceptr background,
                                        const CcaConfig *const c, const CcaBackground *const b,
                                        uint8_t *const state, const bool import, CUstream stream)
{
    const uint64_t table = table_size(c), pitch = background_pitch(b->width, b->sample_size);
    const uint64_t plane = cca_background_plane(b);
    const uint32_t n = cca_background_planes(b);
    CUresult result = CUDA_SUCCESS;
    for (uint32_t i = 0; i < n && result == CUDA_SUCCESS; i++)
        result = copy_plane(cu, background + i * table, pitch, state + i * plane,
                            (uint64_t) b->width * b->sample_size, b->height, import, stream);
    if (b->votes && result == CUDA_SUCCESS)
        result = copy_plane(cu, background + n * table, pitch / b->sample_size, state + n * plane,
                            b->width, b->height, import, stream);
    return result;
}

CUresult cca_foreground_write_background(const CcaCudaDriver *const cu,
                                         const CUdeviceptr background, const CcaConfig *const c,
                                         const CcaJob *const job, CUstream stream)
{
    const CcaFrame *const f = &job->frame;
    const size_t row = (size_t) f->width * c->sample_size;
    const CUDA_MEMCPY2D copy = {
        .srcMemoryType = CU_MEMORYTYPE_DEVICE,
        .srcDevice = background + job->update.next * table_size(c),
        .srcPitch = (size_t) background_pitch(f->width, c->sample_size),
        .dstMemoryType = CU_MEMORYTYPE_DEVICE,
        .dstDevice = (CUdeviceptr) (uintptr_t) f->background,
        .dstPitch = f->height > 1 ? f->background_stride : row,
        .WidthInBytes = row,
        .Height = f->height,
    };
    return cu->memcpy_2d_async(&copy, stream);
}

void cca_foreground_clear(CudaForeground *const f, CcaArena *const arena,
                          const CcaConfig *const config)
{
    const bool otsu = config->foreground == CCA_FOREGROUND_OTSU;
    f->histogram = cca_arena_place(arena, otsu ? UINT64_C(1) << config->depth : 0,
                                   sizeof(*f->histogram));
    uint64_t *const counters = cca_arena_place(arena, 2, sizeof(*counters));
    f->ticket = (uint32_t *) counters;
    f->count = counters != NULL ? counters + 1 : NULL;
    const bool light = config->foreground == CCA_FOREGROUND_SIGMA_DELTA;
    f->lights = cca_arena_place(arena, light ? 2 : 0, sizeof(*f->lights));
}

void cca_foreground_lay_out(CudaForeground *const f, CcaArena *const arena,
                            const CcaConfig *const config)
{
    const uint64_t n_words = (uint64_t) row_words(config->width) * config->height;
    f->mask = cca_arena_place(arena, n_words, sizeof(*f->mask));
    f->opened = cca_arena_place(arena, n_words, sizeof(*f->opened));
    f->working = cca_arena_place(arena, cca_foreground_mask_words(config->width, config->height),
                                 sizeof(uint64_t));
    f->best = cca_arena_place(arena, OTSU_MAX_BLOCKS, sizeof(*f->best));
}

/* The kernel of the mode for 1-byte samples. The one for 2-byte samples follows it. */
static CudaKernel mask_kernel(const CcaJob *const job, const CcaConfig *const c)
{
    const bool is_unit = c->sample_size == 1 && job->update.step == 1;
    switch (job->params.foreground) {
    case CCA_FOREGROUND_OTSU: return CUDA_MASK_OTSU_8;
    case CCA_FOREGROUND_DIFFERENCE: return CUDA_MASK_DIFFERENCE_8;
    case CCA_FOREGROUND_SIGMA_DELTA:
        if (job->update.votes || (job->update.first && c->votes))
            return is_unit ? CUDA_MASK_VOTES_8_UNIT : CUDA_MASK_VOTES_8;
        return is_unit ? CUDA_MASK_SIGMA_DELTA_8_UNIT : CUDA_MASK_SIGMA_DELTA_8;
    default: return CUDA_MASK_THRESHOLD_8;
    }
}

static void set_background(CudaForeground *const f, const CcaJob *const job,
                           const CcaConfig *const c, const CUdeviceptr background)
{
    const uint64_t size = table_size(c);
    uint8_t *const tables = (uint8_t *) (uintptr_t) background;
    const bool is_ring = job->params.foreground == CCA_FOREGROUND_DIFFERENCE;
    f->pitch = background_pitch(job->frame.width, c->sample_size) / c->sample_size;
    f->reference = tables + (is_ring ? job->update.reference * size : 0);
    f->stored = tables + (is_ring ? job->update.stored : 1) * size;
    f->first = job->update.first;
    f->due = job->update.due;
    f->contrast = job->update.contrast;
    f->step = job->update.step;
    f->noise_factor = job->update.noise_factor;
    f->max_variation = job->update.max_variation;
    if (!cca_has_votes(c))
        return;
    f->candidate = tables + 2 * size;
    f->votes = tables + 3 * size;
    f->tick = job->update.tick;
    f->hold = job->update.hold;
    f->settled = job->update.settled;
}

void cca_foreground_set_otsu(const CudaForeground *const f, CudaImage *const image,
                             const CcaJob *const job, const CcaConfig *const config)
{
    const uint32_t high = job->params.threshold_high, n_values = 1u << config->depth;
    image->threshold = f->threshold;
    image->drop = 8 * config->sample_size - config->depth;
    image->end = ((high < n_values ? high + 1 : n_values) << image->drop) - 1;
}

void cca_foreground_otsu(CudaLaunches *const launches, CudaForeground *const f,
                         const CudaImage *const image, const CcaJob *const job,
                         const CcaConfig *const c)
{
    const CudaArg args[] = { CUDA_ARG(image), CUDA_ARG(f) };
    const uint64_t n_units = (uint64_t) blocks_of(image->width, CCA_PASS_PIXELS) * image->height;
    const uint32_t blocks = blocks_of(n_units, CCA_HISTOGRAM_THREADS);
    const uint32_t most = launches->gpu->n_multiprocessors * CCA_HISTOGRAM_BLOCKS;
    f->n_values = 1u << c->depth;
    f->drop = image->drop;
    cca_cuda_launch(launches, c->sample_size == 1 ? CUDA_OTSU_8 : CUDA_OTSU_16_COUNT,
                    umin(blocks, most), CCA_HISTOGRAM_THREADS, 1, 2, args);
    if (c->sample_size == 2) {
        const uint32_t threads = uclip(f->n_values, 32, CCA_OTSU_THREADS);
        cca_cuda_launch(launches, CUDA_OTSU_16_CHOOSE, blocks_of(f->n_values, threads), threads, 1,
                        2, args);
    }
}

/* Prepares the count of the samples of light by the first blocks of the pass. */
static void prepare_light(const CudaLaunches *const launches, CudaForeground *const f,
                          const uint32_t height)
{
    const uint64_t n_units = 2 * (uint64_t) f->row_words * blocks_of(height, CCA_LIGHT_GRID);
    f->light = f->lights + f->light_turn;
    f->next_light = f->lights + (f->light_turn ^ 1);
    f->light_blocks = umin(umin(blocks_of(n_units, CCA_PASS_THREADS), CCA_LIGHT_MAX_BLOCKS),
                           launches->gpu->n_multiprocessors * CCA_LIGHT_BLOCKS);
}

/* Whether to look which pixels are analysed before any are read. It costs more than it saves if
 * most are. */
static bool skips(const CcaJob *const job, const CcaConfig *const c)
{
    return job->params.foreground == CCA_FOREGROUND_SIGMA_DELTA && !cca_has_votes(c) &&
           !job->update.due &&
           job->n_pixels < (uint64_t) job->frame.width * job->frame.height * 3 / 4;
}

void cca_foreground_mask(CudaLaunches *const launches, CudaForeground *const f,
                         CudaImage *const image, const CcaJob *const job, const CcaConfig *const c,
                         const CUdeviceptr background)
{
    const bool whole = cca_has_background(job->params.foreground);
    CudaImage seen = *image;
    if (whole) {
        seen.data = job->frame.data;
        seen.width = job->frame.width;
        seen.height = job->frame.height;
        seen.x = seen.y = 0;
        set_background(f, job, c, background);
    }
    f->drop = 8 * c->sample_size - c->depth;
    f->row_words = row_words(seen.width);
    f->roi_x = job->x;
    f->roi_y = job->y;
    f->roi_width = job->width;
    f->roi_height = job->height;
    f->counts = job->update.count;
    f->skips = skips(job, c);

    CudaKernel kernel = mask_kernel(job, c) + (c->sample_size - 1);
    if (job->update.light) {
        prepare_light(launches, f, seen.height);
        kernel += CUDA_LIT_SIGMA_DELTA_8 - CUDA_MASK_SIGMA_DELTA_8;
    }
    const CudaArg args[] = { CUDA_ARG(&seen), CUDA_ARG(f) };
    const uint64_t words = (uint64_t) f->row_words * seen.height;
    cca_cuda_launch(launches, kernel, blocks_of(whole ? 2 * words : words, CCA_PASS_THREADS),
                    CCA_PASS_THREADS, 1, 2, args);

    const uint32_t x = whole ? job->x : 0, y = whole ? job->y : 0;
    image->data = (const uint8_t *) (f->mask + (size_t) y * f->row_words + x / 32);
    image->stride = 4 * (uint64_t) f->row_words;
    image->first_bit = x % 32;
}

void cca_foreground_open(CudaLaunches *const launches, CudaForeground *const f,
                         CudaImage *const image, const CcaJob *const job)
{
    if (image->open_radius == 0 && image->close_radius == 0)
        return;
    const uint32_t halo_words = blocks_of(2 * (image->open_radius + image->close_radius), 32);
    f->opened_row_words = row_words(image->width);
    const uint32_t parts_x = blocks_of(f->opened_row_words, CCA_MORPH_WORDS - 2 * halo_words);
    const CudaArg args[] = { CUDA_ARG(image), CUDA_ARG(f) };
    if (image->open_radius <= 1 && image->close_radius <= 1) {
        const uint64_t parts = (uint64_t) parts_x * blocks_of(image->height, CCA_MORPH_1_ROWS);
        cca_cuda_launch(launches, CUDA_OPEN_CLOSE_1 + (job->mask != NULL),
                        blocks_of(32 * parts, CCA_MORPH_1_THREADS), CCA_MORPH_1_THREADS, 1, 2,
                        args);
    } else {
        cca_cuda_launch(launches, CUDA_OPEN_CLOSE + (job->mask != NULL),
                        parts_x * blocks_of(image->height, CCA_MORPH_ROWS), CCA_MORPH_THREADS, 1, 2,
                        args);
    }
    image->data = (const uint8_t *) f->opened;
    image->stride = 4 * (uint64_t) f->opened_row_words;
    image->first_bit = 0;
    image->open_radius = image->close_radius = 0;
}
