/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* CUDA graphs: of kernels, each after one other at the most. */

#include "driver.h"

struct Node {
    CUfunction function;
    CUDA_KERNEL_NODE_PARAMS params; /* but for the arguments, which the launch has */
    Launch launch;
    bool follows = false, overlaps = false; /* another one, and may begin before it is done */
};

struct Graph {
    static constexpr const char *noun = "a graph";
    Context *context;
    std::vector<std::shared_ptr<Node>> nodes = {};
};

/* Has nodes of its own, that go by the handles of the graph's. */
struct Exec {
    static constexpr const char *noun = "an executable graph";
    Context *context;
    std::vector<const Node *> handles = {};
    std::vector<Node> nodes = {};
};

static Node make_node(const Call &call, const CUDA_KERNEL_NODE_PARAMS &p, const bool is_cooperative)
{
    CUlaunchAttribute cooperative = {};
    cooperative.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    cooperative.value.cooperative = 1;
    CUlaunchConfig config = {};
    config.attrs = &cooperative;
    config.numAttrs = is_cooperative;
    config.sharedMemBytes = p.sharedMemBytes;
    config.gridDimX = p.gridDimX;
    config.gridDimY = p.gridDimY;
    config.gridDimZ = p.gridDimZ;
    config.blockDimX = p.blockDimX;
    config.blockDimY = p.blockDimY;
    config.blockDimZ = p.blockDimZ;
    return { p.func, p, make_launch(call, p.func, config, p.kernelParams) };
}

API cuGraphCreate(CUgraph *const handle, unsigned int)
{
    return simulate(HERE, [=](Call &call) {
        *handle = (CUgraph) keep(std::make_shared<Graph>(Graph{ call.context() }));
    });
}

API cuGraphDestroy(CUgraph const handle)
{
    return simulate(HERE, FAILED, [=](Call &call) {
        call.find<Graph>(handle);
        live<Graph>.erase(handle);
    });
}

API cuGraphAddKernelNode_v2(CUgraphNode *const node, CUgraph const handle, const CUgraphNode *,
                            const size_t n_after, const CUDA_KERNEL_NODE_PARAMS *const params)
{
    return simulate(HERE, [=](Call &call) {
        const auto graph = call.find<Graph>(handle);
        if (n_after > 0)
            throw CUDA_ERROR_NOT_SUPPORTED;
        graph->nodes.push_back(std::make_shared<Node>(make_node(call, *params, false)));
        *node = (CUgraphNode) graph->nodes.back().get();
    });
}

/* That it is cooperative. */
API cuGraphKernelNodeSetAttribute(CUgraphNode const handle, const CUlaunchAttributeID id,
                                  const CUlaunchAttributeValue *const value)
{
    return simulate(HERE, [=](Call &call) {
        if (id != CU_LAUNCH_ATTRIBUTE_COOPERATIVE || !value->cooperative)
            throw CUDA_ERROR_NOT_SUPPORTED;
        for (const auto &g : live<Graph>)
            for (const auto &node : g.second->nodes)
                if (node.get() == (const Node *) handle) {
                    CUDA_KERNEL_NODE_PARAMS params = node->params;
                    params.kernelParams = node->launch.args->params.data();
                    node->launch = make_node(call, params, true).launch;
                    return;
                }
        call.refuse(CUDA_ERROR_INVALID_VALUE, "%p is no node of a graph", (void *) handle);
    });
}

/* Only from a node to the one that was added after it. */
API cuGraphAddDependencies_v2(CUgraph const handle, const CUgraphNode *const from,
                              const CUgraphNode *const to, const CUgraphEdgeData *const edges,
                              const size_t n)
{
    return simulate(HERE, [=](Call &call) {
        const auto graph = call.find<Graph>(handle);
        for (size_t i = 0; i < n; i++) {
            size_t at = 1;
            while (at < graph->nodes.size() && graph->nodes[at].get() != (void *) to[i])
                at++;
            if (at >= graph->nodes.size() || graph->nodes[at - 1].get() != (void *) from[i])
                throw CUDA_ERROR_NOT_SUPPORTED;
            const bool early = edges[i].type == CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
            if (early != (edges[i].from_port == CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC))
                call.refuse(CUDA_ERROR_INVALID_VALUE, "an edge whose port is not of its type");
            graph->nodes[at]->follows = true;
            graph->nodes[at]->overlaps = early;
        }
    });
}

API cuGraphInstantiateWithFlags(CUgraphExec *const handle, CUgraph const graph_handle,
                                unsigned long long)
{
    return simulate(HERE, [=](Call &call) {
        const auto graph = call.find<Graph>(graph_handle);
        const auto exec = std::make_shared<Exec>(Exec{ graph->context });
        for (size_t i = 0; i < graph->nodes.size(); i++) {
            if (i > 0 && !graph->nodes[i]->follows) /* nodes beside each other */
                throw CUDA_ERROR_NOT_SUPPORTED;
            exec->handles.push_back(graph->nodes[i].get());
            exec->nodes.push_back(*graph->nodes[i]);
        }
        *handle = (CUgraphExec) keep(exec);
    });
}

API cuGraphExecDestroy(CUgraphExec const handle)
{
    return simulate(HERE, FAILED, [=](Call &call) {
        call.find<Exec>(handle);
        live<Exec>.erase(handle);
    });
}

API cuGraphExecKernelNodeSetParams_v2(CUgraphExec const handle, CUgraphNode const node,
                                      const CUDA_KERNEL_NODE_PARAMS *const params)
{
    return simulate(HERE, [=](Call &call) {
        const auto exec = call.find<Exec>(handle);
        for (size_t i = 0; i < exec->nodes.size(); i++) {
            Node &n = exec->nodes[i];
            if (exec->handles[i] != (const Node *) node)
                continue;
            if (n.function != params->func)
                throw CUDA_ERROR_NOT_SUPPORTED;
            n.launch = make_node(call, *params, n.launch.is_cooperative).launch;
            return;
        }
        call.refuse(CUDA_ERROR_INVALID_VALUE, "%p is no node of this graph", (void *) node);
    });
}

/* The last kernel does not wait for kernels that may overlap it. */
API cuGraphLaunch(CUgraphExec const handle, CUstream const stream_handle)
{
    return simulate(HERE, [=](Call &call) {
        const auto exec = call.find<Exec>(handle);
        const auto stream = call.stream(stream_handle);
        for (const Node &n : exec->nodes) {
            Operation op = make_operation(call, n.launch, n.overlaps);
            if (&n == &exec->nodes.back())
                op.kind = Kind::OTHER;
            submit(stream, std::move(op));
        }
    });
}

API cuStreamIsCapturing(CUstream const stream, CUstreamCaptureStatus *const status)
{
    return simulate(HERE, [=](Call &call) {
        call.stream(stream);
        *status = CU_STREAM_CAPTURE_STATUS_NONE;
    });
}

void check_graphs()
{
    check_left<Graph>();
    check_left<Exec>();
}
