/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Host side of the study: tables, and launches as the list of algorithms has them. */

#include <string.h>

#include "cca-study-fatbin.h"
#include "study.h"

CUresult study_open(Study *const s, const CcaCudaDriver *const cu)
{
    CUdevice device;
    int n = 0;
    *s = (Study) { .cu = cu };
    CUresult result = cu->ctx_device(&device);
    if (result == CUDA_SUCCESS)
        result = cu->device_attribute(&n, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
    s->n_multiprocessors = (uint32_t) n;
    return result == CUDA_SUCCESS ? cu->module_load(&s->module, cca_study_fatbin) : result;
}

static void free_tables(Study *const s)
{
    for (uint32_t i = 0; i < s->n_tables; i++)
        s->cu->mem_free(s->memory[i]);
    s->n_tables = 0;
}

void study_close(Study *const s)
{
    free_tables(s);
    s->cu->module_unload(s->module);
}

/* Each table is an allocation, so that tools which look after those see the ends of it. */
static CUresult allocate(Study *const s, void *const table, const uint64_t n, const size_t entry)
{
    CUdeviceptr p;
    const CUresult result = s->cu->mem_alloc(&p, (size_t) n * entry);
    if (result != CUDA_SUCCESS)
        return result;
    s->sizes[s->n_tables] = (size_t) n * entry;
    s->memory[s->n_tables++] = p;
    memcpy(table, &p, sizeof(p));
    return CUDA_SUCCESS;
}

/* A table of words, with a byte. */
static CUresult fill(const Study *const s, const void *const table, const uint64_t n,
                     const uint8_t value, const CUstream stream)
{
    CUdeviceptr p;
    memcpy(&p, &table, sizeof(p));
    return s->cu->memset_d8_async(p, value, (size_t) n * sizeof(uint32_t), stream);
}

typedef struct Table {
    void *where;
    uint64_t n;
    size_t entry;
} Table;

static CUresult allocate_all(Study *const s, const Table *const tables, const size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const CUresult result = allocate(s, tables[i].where, tables[i].n, tables[i].entry);
        if (result != CUDA_SUCCESS) {
            free_tables(s);
            return result;
        }
    }
    return CUDA_SUCCESS;
}

CUresult study_configure(Study *const s, const uint32_t width, const uint32_t height)
{
    const uint64_t n = (uint64_t) width * height;
    StudyTables *const t = &s->tables;
    free_tables(s);
    if (n > STUDY_MAX_PIXELS || width > STUDY_MAX_WIDTH)
        return CUDA_ERROR_INVALID_VALUE;
    t->flsl.run_stride = width / 2 + width % 2;
    const uint64_t n_labels = (uint64_t) t->flsl.run_stride * height;
    const Table tables[] = {
        { &t->L, n, sizeof(*t->L) },
        { &t->S, n, sizeof(*t->S) },
        { &t->min_x, n, sizeof(*t->min_x) },
        { &t->min_y, n, sizeof(*t->min_y) },
        { &t->max_x, n, sizeof(*t->max_x) },
        { &t->max_y, n, sizeof(*t->max_y) },
        { &t->Sx, n, sizeof(*t->Sx) },
        { &t->Sy, n, sizeof(*t->Sy) },
        { &t->U, n, sizeof(*t->U) },
        { &t->flsl.er, n, sizeof(uint16_t) },
        { &t->flsl.rlc, 2 * n_labels, sizeof(uint16_t) },
        { &t->flsl.n_edges, height, sizeof(*t->flsl.n_edges) },
        { &t->F, n_labels, sizeof(*t->F) },
        { &t->balanced, n_labels, sizeof(*t->balanced) },
        { &t->arrivals, 1, sizeof(*t->arrivals) },
        { &t->components, n_labels, sizeof(*t->components) },
        { &t->n_components, 1, sizeof(*t->n_components) },
    };
    const CUresult result = allocate_all(s, tables, sizeof(tables) / sizeof(*tables));
    t->flsl.parent = t->labels = t->L;
    return result;
}

CUresult study_configure_stream(Study *const s, const uint32_t width, const uint32_t height,
                                const CUstream stream)
{
    const uint64_t n = (uint64_t) width * height;
    StudyTables *const t = &s->tables;
    StudyInheritance *const h = &t->inheritance;
    CUresult result = study_configure(s, width, height);
    if (result != CUDA_SUCCESS)
        return result;
    for (h->n_pairs = 1; h->n_pairs < n;)
        h->n_pairs *= 2;
    const Table tables[] = {
        { &t->labels, n, sizeof(*t->labels) },
        { &h->last, n, sizeof(*h->last) },
        { &h->last_id, n, sizeof(*h->last_id) },
        { &h->id, n, sizeof(*h->id) },
        { &h->best_old, n, sizeof(*h->best_old) },
        { &h->best_new, n, sizeof(*h->best_new) },
        { &h->pairs, h->n_pairs, sizeof(*h->pairs) },
        { &h->overlaps, h->n_pairs, sizeof(*h->overlaps) },
        { &h->n_new, (n - 1) / STUDY_BLOCK_NODES + 1, sizeof(*h->n_new) },
        { &h->next_id, 1, sizeof(*h->next_id) },
        { &h->next_after, 1, sizeof(*h->next_after) },
    };
    result = allocate_all(s, tables, sizeof(tables) / sizeof(*tables));
    if (result == CUDA_SUCCESS)
        result = fill(s, h->last, n, UINT8_MAX, stream);
    if (result == CUDA_SUCCESS)
        result = fill(s, t->labels, n, UINT8_MAX, stream);
    if (result == CUDA_SUCCESS)
        result = fill(s, h->next_id, 1, 0, stream);
    if (result != CUDA_SUCCESS)
        free_tables(s);
    return result;
}

static const struct Cover {
    uint32_t columns; /* of a block; 0: all */
    uint32_t rows;
    bool borders;   /* of the rows only the first of each strip but the first */
    uint32_t warps; /* of a block */
} covers[] = {
    [STUDY_STRIPS] = { 0, STUDY_STRIP, false, STUDY_STRIP },
    [STUDY_LINES_32] = { 32, STUDY_STRIP, false, STUDY_STRIP },
    [STUDY_LINES_64] = { 64, STUDY_STRIP, false, STUDY_STRIP },
    [STUDY_BORDERS_32] = { 32, STUDY_STRIP, true, STUDY_STRIP },
    [STUDY_BORDERS_64] = { 64, STUDY_STRIP, true, STUDY_STRIP },
    [STUDY_ROWS] = { 0, CCA_FLSL_STRIP / CCA_FLSL_ROW_WARPS, false, CCA_FLSL_STRIP },
    [STUDY_ROW_BORDERS] = { 0, CCA_FLSL_STRIP / CCA_FLSL_ROW_WARPS, true, CCA_FLSL_STRIP },
    [STUDY_TILES] = { STUDY_TILE_W, STUDY_TILE_H, false, STUDY_TILE_H },
};

static uint32_t parts(const uint32_t n, const uint32_t size)
{
    return n / size + (n % size > 0);
}

/* Blocks of kernels that go along a list. */
static CUlaunchConfig along_list(const Study *const s, const StudyGrid grid,
                                 const StudyImage *const image)
{
    const bool together = grid == STUDY_TOGETHER;
    const uint32_t warps = together ? STUDY_TOGETHER_WARPS : STUDY_BLOCK_NODES / 32;
    const uint32_t nodes = parts(image->width, 2) * image->height;
    const uint32_t n = grid == STUDY_PIXELS ? image->width * image->height :
                       grid == STUDY_PAIRS  ? s->tables.inheritance.n_pairs :
                       together             ? parts(nodes, 2) :
                                              nodes;
    const uint32_t blocks = parts(n, 32 * warps);
    const uint32_t most = together ? s->n_multiprocessors : UINT32_MAX;
    return (CUlaunchConfig) {
        .gridDimX = blocks < most ? blocks : most,
        .gridDimY = 1,
        .gridDimZ = 1,
        .blockDimX = 32,
        .blockDimY = warps,
        .blockDimZ = 1,
        .numAttrs = together,
    };
}

static CUlaunchConfig along_pixels(const struct Cover *const cover, const StudyImage *const image)
{
    const uint32_t borders = parts(image->height, STUDY_STRIP) - 1;
    return (CUlaunchConfig) {
        .gridDimX = parts(cover->borders ? borders : image->height, cover->rows),
        .gridDimY = cover->columns ? parts(image->width, cover->columns) : 1,
        .gridDimZ = 1,
        .blockDimX = 32,
        .blockDimY = cover->warps,
        .blockDimZ = 1,
    };
}

/* Looked up by its name once: that would be part of each time that is measured. */
static CUresult find_kernel(Study *const s, const char *const name, CUfunction *const function)
{
    for (uint32_t i = 0; i < STUDY_MAX_KERNELS; i++)
        if (s->kernels[i].name == name) {
            *function = s->kernels[i].function;
            return CUDA_SUCCESS;
        }
    const CUresult result = s->cu->module_function(function, s->module, name);
    if (result == CUDA_SUCCESS)
        s->kernels[s->n_kernels++ % STUDY_MAX_KERNELS] = (struct StudyKernel) { name, *function };
    return result;
}

CUresult study_step(Study *const s, const StudyStep *const step, const StudyImage *const image,
                    const CUstream stream)
{
    CudaImage region = {
        .stride = image->width,
        .width = image->width,
        .height = image->height,
        .low = 1,
        .range = UINT8_MAX - 1,
        .corner = image->connectivity == 8,
    };
    StudyTables tables = s->tables;
    tables.U = s->counts ? tables.U : NULL;
    void *params[] = { &region, &tables };
    CUlaunchAttribute together = {
        .id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
        .value.cooperative = 1,
    };
    CUlaunchConfig config = step->grid >= STUDY_NODES ? along_list(s, step->grid, image) :
                                                        along_pixels(&covers[step->grid], image);
    config.hStream = stream;
    config.attrs = &together;
    CUfunction function;
    memcpy(&region.data, &image->pixels, sizeof(image->pixels));
    if (config.gridDimX == 0)
        return CUDA_SUCCESS;
    const CUresult result = find_kernel(s, step->kernel, &function);
    return result == CUDA_SUCCESS ? s->cu->launch(&config, function, params, NULL) : result;
}

CUresult study_run(Study *const s, const StudyAlgorithm *const a, const StudyImage *const image,
                   const CUstream stream)
{
    const uint64_t n = (uint64_t) image->width * image->height;
    CUresult result = s->counts ? fill(s, s->tables.U, n, 0, stream) : CUDA_SUCCESS;
    const StudyStep *step = a->steps;
    for (; result == CUDA_SUCCESS && step->kernel != NULL; step++)
        result = study_step(s, step, image, stream);
    return result;
}

CUresult study_gather(Study *const s, const StudyAlgorithm *const a, const StudyImage *const image,
                      const CUstream stream)
{
    const CUresult result = fill(s, s->tables.n_components, 1, 0, stream);
    return result == CUDA_SUCCESS ? study_step(s, &a->gather, image, stream) : result;
}

CUresult study_spoil(Study *const s, const uint8_t value, const CUstream stream)
{
    CUresult result = CUDA_SUCCESS;
    for (uint32_t i = 0; i < s->n_tables && result == CUDA_SUCCESS; i++)
        result = s->cu->memset_d8_async(s->memory[i], value, s->sizes[i], stream);
    return result;
}
