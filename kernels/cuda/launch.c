/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Submits a frame's launches. A graph needs one driver call for all of them, and so holds the
 * driver's lock, which all threads of a process share, no longer than one launch. */

#include <string.h>

#include "launch.h"

/* Frames with the same kernels before a graph is made. Making one costs as much as some frames. */
#define FRAMES_BEFORE_GRAPH 4

CUresult cca_cuda_allow_shared(const CudaGpu *const gpu, const CudaKernel first,
                               const CudaKernel last, const int bytes)
{
    CUresult result = CUDA_SUCCESS;
    const CUfunction_attribute limit = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    for (int i = first; i <= (int) last && result == CUDA_SUCCESS; i++)
        result = gpu->module.cu->func_set_attribute(gpu->kernels[i], limit, bytes);
    return result;
}

/* --- the list --------------------------------------------------------------- */

void cca_cuda_launch(CudaLaunches *const launches, const CudaKernel kernel, const uint32_t blocks,
                     const uint32_t threads_x, const uint32_t threads_y, const uint32_t n_args,
                     const CudaArg *const args)
{
    CudaLaunch *const l = &launches->list[launches->n++];
    *l = (CudaLaunch) {
        .kernel = kernel,
        .blocks = blocks,
        .threads_x = threads_x,
        .threads_y = threads_y,
        .n_args = n_args,
    };
    for (uint32_t i = 0; i < n_args; i++) {
        l->args[i] = launches->n_bytes;
        l->arg_sizes[i] = (uint32_t) args[i].size;
        memcpy((uint8_t *) launches->bytes + launches->n_bytes, args[i].p, args[i].size);
        launches->n_bytes += ((uint32_t) args[i].size + 7) & ~7u;
    }
}

void cca_cuda_launch_shared(CudaLaunches *const launches, const CudaKernel kernel,
                            const uint32_t blocks, const uint32_t threads, const uint32_t shared,
                            const uint32_t n_args, const CudaArg *const args)
{
    cca_cuda_launch(launches, kernel, blocks, threads, 1, n_args, args);
    launches->list[launches->n - 1].shared = shared;
}

void cca_cuda_launch_together(CudaLaunches *const launches, const CudaKernel kernel,
                              const uint32_t blocks, const uint32_t threads, const uint32_t shared,
                              const uint32_t n_args, const CudaArg *const args)
{
    cca_cuda_launch_shared(launches, kernel, blocks, threads, shared, n_args, args);
    launches->list[launches->n - 1].together = 1;
}

/* --- one by one ----------------------------------------------------------- */

static void point_to_args(CudaLaunches *const launches, const CudaLaunch *const l,
                          void **const args)
{
    for (uint32_t i = 0; i < l->n_args; i++)
        args[i] = (uint8_t *) launches->bytes + l->args[i];
}

/* Whether the launch may start before the previous one has ended. */
static bool begins_early(const CudaGpu *const gpu, const uint32_t i)
{
    return i > 0 && gpu->overlaps;
}

static CUresult launch_each(const CudaGpu *const gpu, CudaLaunches *const launches, CUstream stream)
{
    CUlaunchAttribute attributes[] = {
        { .id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1 },
        { .id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
          .value.programmaticStreamSerializationAllowed = 1 },
    };
    CUresult result = CUDA_SUCCESS;
    for (uint32_t i = 0; i < launches->n && result == CUDA_SUCCESS; i++) {
        const CudaLaunch *const l = &launches->list[i];
        const CUlaunchConfig config = {
            .gridDimX = l->blocks,
            .gridDimY = 1,
            .gridDimZ = 1,
            .blockDimX = l->threads_x,
            .blockDimY = l->threads_y,
            .blockDimZ = 1,
            .sharedMemBytes = l->shared,
            .hStream = stream,
            .attrs = attributes + (l->together ? 0 : 1),
            .numAttrs = l->together + begins_early(gpu, i),
        };
        void *args[CCA_MAX_ARGS];
        point_to_args(launches, l, args);
        result = gpu->module.cu->launch(&config, gpu->kernels[l->kernel], args, NULL);
        launches->begun |= result == CUDA_SUCCESS;
    }
    return result;
}

/* --- comparison with earlier frames --------------------------------------- */

static void copy_launches(CudaLaunches *const to, const CudaLaunches *const from)
{
    to->n = from->n;
    to->n_bytes = from->n_bytes;
    memcpy(to->list, from->list, from->n * sizeof(*from->list));
    memcpy(to->bytes, from->bytes, from->n_bytes);
}

/* Copies a launch whose arguments have the same offsets in both lists. */
static void copy_launch(CudaLaunches *const to, const CudaLaunches *const from, const uint32_t i)
{
    const CudaLaunch *const l = &from->list[i];
    const uint32_t begin = l->args[0];
    const uint32_t end = l->args[l->n_args - 1] + l->arg_sizes[l->n_args - 1];
    to->list[i] = *l;
    memcpy((uint8_t *) to->bytes + begin, (const uint8_t *) from->bytes + begin, end - begin);
}

static bool same_kernels(const CudaLaunches *const a, const CudaLaunches *const b)
{
    bool same = a->n == b->n;
    for (uint32_t i = 0; i < a->n && same; i++)
        same = a->list[i].kernel == b->list[i].kernel;
    return same;
}

static bool same_launch(const CudaLaunches *const a, const CudaLaunches *const b, const uint32_t i)
{
    const CudaLaunch *const l = &a->list[i], *const m = &b->list[i];
    const uint32_t from = l->args[0];
    const uint32_t to = l->args[l->n_args - 1] + l->arg_sizes[l->n_args - 1];
    return memcmp(l, m, sizeof(*l)) == 0 &&
           memcmp((const uint8_t *) a->bytes + from, (const uint8_t *) b->bytes + from,
                  to - from) == 0;
}

/* --- graphs --------------------------------------------------------------- */

static CUDA_KERNEL_NODE_PARAMS node_params(const CudaGpu *const gpu, CudaLaunches *const launches,
                                           const uint32_t i, void **const args)
{
    const CudaLaunch *const l = &launches->list[i];
    point_to_args(launches, l, args);
    return (CUDA_KERNEL_NODE_PARAMS) {
        .func = gpu->kernels[l->kernel],
        .gridDimX = l->blocks,
        .gridDimY = 1,
        .gridDimZ = 1,
        .blockDimX = l->threads_x,
        .blockDimY = l->threads_y,
        .blockDimZ = 1,
        .sharedMemBytes = l->shared,
        .kernelParams = args,
    };
}

static CUresult add_node(const CudaGpu *const gpu, CudaGraph *const g, const uint32_t i)
{
    static const CUlaunchAttributeValue cooperative = { .cooperative = 1 };
    void *args[CCA_MAX_ARGS];
    const CUDA_KERNEL_NODE_PARAMS params = node_params(gpu, &g->launches, i, args);
    const CcaCudaDriver *const cu = gpu->module.cu;
    const CUresult result = cu->graph_add_kernel(&g->nodes[i], g->graph, NULL, 0, &params);
    if (result != CUDA_SUCCESS || !g->launches.list[i].together)
        return result;
    return cu->graph_set_attribute(g->nodes[i], CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &cooperative);
}

/* Each kernel depends on the one before it, as in a stream. */
static CUresult add_nodes(const CudaGpu *const gpu, CudaGraph *const g)
{
    CUresult result = CUDA_SUCCESS;
    for (uint32_t i = 0; i < g->launches.n && result == CUDA_SUCCESS; i++) {
        const bool early = begins_early(gpu, i);
        const CUgraphEdgeData edge = {
            .from_port = early ? CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC :
                                 CU_GRAPH_KERNEL_NODE_PORT_DEFAULT,
            .type = early ? CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC :
                            CU_GRAPH_DEPENDENCY_TYPE_DEFAULT,
        };
        result = add_node(gpu, g, i);
        if (result == CUDA_SUCCESS && i > 0)
            result = gpu->module.cu->graph_add_dependencies(g->graph, &g->nodes[i - 1],
                                                            &g->nodes[i], &edge, 1);
    }
    return result;
}

static CUresult make_graph(const CudaGpu *const gpu, CudaGraph *const g)
{
    CUresult result = gpu->module.cu->graph_create(&g->graph, 0);
    if (result == CUDA_SUCCESS)
        result = add_nodes(gpu, g);
    if (result == CUDA_SUCCESS)
        result = gpu->module.cu->graph_instantiate(&g->exec, g->graph, 0);
    if (result != CUDA_SUCCESS)
        cca_cuda_free_graph(gpu, g);
    return result;
}

void cca_cuda_free_graph(const CudaGpu *const gpu, CudaGraph *const g)
{
    if (g->exec != NULL)
        gpu->module.cu->graph_exec_destroy(g->exec);
    if (g->graph != NULL)
        gpu->module.cu->graph_destroy(g->graph);
    g->exec = NULL;
    g->graph = NULL;
    g->n_same = 0;
}

/* Updates the launches of the graph whose arguments have changed. */
static CUresult update(const CudaGpu *const gpu, CudaGraph *const g, CudaLaunches *const launches)
{
    CUresult result = CUDA_SUCCESS;
    for (uint32_t i = 0; i < launches->n && result == CUDA_SUCCESS; i++) {
        if (same_launch(&g->launches, launches, i))
            continue;
        void *args[CCA_MAX_ARGS];
        const CUDA_KERNEL_NODE_PARAMS params = node_params(gpu, launches, i, args);
        result = gpu->module.cu->graph_exec_set_kernel(g->exec, g->nodes[i], &params);
        copy_launch(&g->launches, launches, i);
    }
    return result;
}

/* Whether there is a graph of these launches; makes one when it is time. */
static bool has_graph(CudaGpu *const gpu, CudaGraph *const g, const CudaLaunches *const launches)
{
    if (!same_kernels(&g->launches, launches)) {
        cca_cuda_free_graph(gpu, g);
        copy_launches(&g->launches, launches);
    }
    if (g->exec != NULL || ++g->n_same <= FRAMES_BEFORE_GRAPH)
        return g->exec != NULL;
    copy_launches(&g->launches, launches);
    /* A failure is not retried: each attempt would cost as much as some frames. */
    gpu->graphs = make_graph(gpu, g) == CUDA_SUCCESS;
    return gpu->graphs;
}

static bool is_capturing(const CudaGpu *const gpu, CUstream stream)
{
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    return gpu->module.cu->stream_is_capturing(stream, &status) != CUDA_SUCCESS ||
           status != CU_STREAM_CAPTURE_STATUS_NONE;
}

CUresult cca_cuda_submit(CudaGpu *const gpu, CudaGraph *const g, CudaLaunches *const launches,
                         CUstream stream)
{
    if (g == NULL || !gpu->graphs || is_capturing(gpu, stream) || !has_graph(gpu, g, launches))
        return launch_each(gpu, launches, stream);
    CUresult result = update(gpu, g, launches);
    if (result == CUDA_SUCCESS)
        result = gpu->module.cu->graph_launch(g->exec, stream);
    launches->begun = result == CUDA_SUCCESS;
    if (result != CUDA_SUCCESS)
        cca_cuda_free_graph(gpu, g);
    return result;
}
