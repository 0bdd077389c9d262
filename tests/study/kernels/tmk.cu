/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* TMK, the tree merge kernel: Algorithms 2023, 16(2), 80, section 3.2. From a label image to
 * the features of each object, side by side at the beginning of an array. Objects are nodes
 * of binary trees, one tree for ever more of the image: bit d of a label decides to which
 * side it goes below a node of depth d (Algorithm 3, line 7), so that its place is found
 * without looking at other labels. */

#include "kernel.cuh"
#include "lines.cuh"
#include "together.cuh"

DEVICE bool is_valid(const StudyNode &node)
{
    return node.label != STUDY_INVALID_LABEL;
}

/* A node is two neighbours of a row. As printed it is pixels 2 tig and 2 tig + 1 of the
 * image, which in odd widths are of two rows, and the last may be left out. */
DEVICE uint32_t pairs_of_row(const CudaImage &image)
{
    return image.width / 2 + image.width % 2;
}

DEVICE uint32_t max_num_objects(const CudaImage &image)
{
    return pairs_of_row(image) * image.height;
}

/* --- 3.2.1: initialisation, Algorithm 1. Grid: STUDY_NODES ------------------------------- */

DEVICE void initialise_nodes(const CudaImage &image, const StudyTables &t)
{
    const uint32_t tig = thread_in_grid(), pairs = pairs_of_row(image);
    if (tig == 0)
        *t.arrivals = 0;
    if (tig >= max_num_objects(image))
        return;
    const uint32_t x0 = tig % pairs * 2, x1 = x0 + 1, y = tig / pairs;
    const uint32_t i0 = address(image, x0, y);
    const uint32_t label0 = t.labels[i0];
    const uint32_t label1 = x1 < image.width ? t.labels[i0 + 1] : STUDY_INVALID_LABEL;
    const bool is_valid0 = label0 != STUDY_INVALID_LABEL;
    const bool is_valid1 = label1 != STUDY_INVALID_LABEL;
    t.F[tig] = {
        is_valid0 ? label0 : label1,
        (uint32_t) is_valid0 + is_valid1,
        is_valid0 ? x0 : x1,
        y,
        is_valid1 ? x1 : x0,
        y,
        (uint64_t) (is_valid0 ? x0 : 0) + (is_valid1 ? x1 : 0),
        (uint64_t) y * ((uint32_t) is_valid0 + is_valid1),
        STUDY_NO_NODE,
        { STUDY_NO_NODE, STUDY_NO_NODE },
        0,
    };
}

/* --- 3.2.2: merging --------------------------------------------------------------------- */

typedef uint32_t Load(const uint32_t *);

/* (d): nobody else has this label in either tree. */
DEVICE void merge_features(StudyNode &target, const StudyNode &source)
{
    target.S += source.S;
    target.min_x = min(target.min_x, source.min_x);
    target.min_y = min(target.min_y, source.min_y);
    target.max_x = max(target.max_x, source.max_x);
    target.max_y = max(target.max_y, source.max_y);
    target.Sx += source.Sx;
    target.Sy += source.Sy;
}

/* (b) and (d): down the target tree, to the same label or to an empty place. */
template <Load load>
DEVICE void insert(StudyNode *const F, const uint32_t root, const uint32_t source)
{
    const uint32_t label = F[source].label;
    uint32_t target = root;
    for (uint32_t depth = 0; F[target].label != label; depth++) {
        uint32_t *const place = &F[target].child[label >> depth & 1 ? 0 : 1];
        uint32_t child = load(place);
        if (child == STUDY_NO_NODE)
            child = atomicCAS(place, STUDY_NO_NODE, source);
        if (child == STUDY_NO_NODE) {
            F[source].parent = target;
            return;
        }
        target = child;
    }
    merge_features(F[target], F[source]);
    F[source].label = STUDY_INVALID_LABEL;
}

/* Nodes of the second half of 2 * granularity are sources, a thread each; the root of the
 * target tree is the first of all, that of the source tree the first of the sources. */
struct Pair {
    uint32_t root, source;
};

DEVICE Pair pair_of(const uint32_t thread, const uint32_t granularity)
{
    const uint32_t root = thread / granularity * granularity * 2;
    return { root, root + granularity + thread % granularity };
}

/* Below another root each node gets another depth: all are cut off, and inserted one by one.
 * The paper says so of (d), but it holds for (b), too. A tree that is to take the place of
 * an empty one stays whole; its nodes are marked in `size`, which is not used yet. */
DEVICE void cut_off(StudyNode *const F, const Pair p)
{
    StudyNode &source = F[p.source];
    if (!is_valid(source))
        return;
    source.size = !is_valid(F[p.root]);
    if (source.size == 0)
        source.parent = source.child[0] = source.child[1] = STUDY_NO_NODE;
}

template <Load load>
DEVICE void merge_node(StudyNode *const F, const Pair p, const uint32_t granularity)
{
    StudyNode &source = F[p.source];
    if (!is_valid(source)) /* (a) */
        return;
    if (source.size == 0) {
        insert<load>(F, p.root, p.source);
        return;
    }
    source.size = 0;
    if (p.source != p.root + granularity)
        return;
    F[p.root] = source; /* (c) */
    for (uint32_t i = 0; i < 2; i++)
        if (source.child[i] != STUDY_NO_NODE)
            F[source.child[i]].parent = p.root;
    source.label = STUDY_INVALID_LABEL;
}

/* A node's places are those of the block until it is stored. */
DEVICE uint32_t moved(const uint32_t node, const uint32_t by)
{
    return node == STUDY_NO_NODE ? node : node + by;
}

/* Grid: STUDY_NODES. */
DEVICE void merge_shared(const CudaImage &image, const StudyTables &t)
{
    __shared__ StudyNode F[STUDY_BLOCK_NODES];
    const uint32_t tig = thread_in_grid(), first = blockIdx.x * STUDY_BLOCK_NODES;
    const uint32_t thread = tig - first, n = max_num_objects(image);
    const bool merges = thread < STUDY_BLOCK_NODES / 2;
    if (tig < n)
        F[thread] = t.F[tig];
    else
        F[thread].label = STUDY_INVALID_LABEL;
    for (uint32_t granularity = 1; granularity < STUDY_BLOCK_NODES; granularity *= 2) {
        const Pair p = pair_of(thread, granularity);
        __syncthreads();
        if (merges)
            cut_off(F, p);
        __syncthreads();
        if (merges)
            merge_node<load_shared>(F, p, granularity);
    }
    __syncthreads();
    if (tig >= n)
        return;
    StudyNode node = F[thread];
    node.parent = moved(node.parent, first);
    node.child[0] = moved(node.child[0], first);
    node.child[1] = moved(node.child[1], first);
    t.F[tig] = node;
}

/* The GPU cannot have a thread for each node at once, as it must to synchronise them: a
 * thread has several. Grid: STUDY_TOGETHER. */
extern "C" __global__ void __launch_bounds__(STUDY_TOGETHER_WARPS *WARP)
    study_tmk_merge_global(const CudaImage image, const StudyTables t)
{
    const uint32_t n = max_num_objects(image), n_threads = gridDim.x * blockDim.y * WARP;
    uint32_t round = 0;
    for (uint32_t granularity = STUDY_BLOCK_NODES; granularity < n; granularity *= 2) {
        const auto for_own = [&](const auto step) {
            Pair p;
            for (uint32_t i = thread_in_grid(); i < n && (p = pair_of(i, granularity)).source < n;
                 i += n_threads)
                step(p);
            sync_grid(t.arrivals, ++round);
        };
        for_own([&](const Pair &p) { cut_off(t.F, p); });
        for_own([&](const Pair &p) { merge_node<load_relaxed>(t.F, p, granularity); });
    }
}

/* --- 3.2.3: sizes of trees, Algorithm 2. Grid: STUDY_NODES ------------------------------ */

DEVICE void update_tree_size(const CudaImage &image, const StudyTables &t)
{
    StudyNode *const F = t.F;
    uint32_t curr = thread_in_grid();
    if (curr >= max_num_objects(image)) /* as printed: > */
        return;
    if (!is_valid(F[curr]) || F[curr].child[0] != STUDY_NO_NODE ||
        F[curr].child[1] != STUDY_NO_NODE)
        return;
    F[curr].size = 1;
    while (F[curr].parent != STUDY_NO_NODE) {
        const uint32_t size = F[curr].size;
        curr = F[curr].parent;
        const bool has_both_children = F[curr].child[0] != STUDY_NO_NODE &&
                                       F[curr].child[1] != STUDY_NO_NODE;
        if (has_both_children) {
            const uint32_t result = atomicCAS(&F[curr].size, 0, size + 1);
            if (result == 0) /* as printed it goes on, though the other child is missing */
                return;
            F[curr].size = result + size;
        } else {
            F[curr].size = size + 1;
        }
    }
}

/* --- 3.2.4: balancing, Algorithm 3. Grid: STUDY_NODES ----------------------------------- */

/* As printed nodes are moved within F, once all have been read: by as many threads at once
 * as there are nodes, which no GPU has for large images. Here it is another array. */
DEVICE void balance(const CudaImage &image, const StudyTables &t)
{
    const uint32_t tig = thread_in_grid();
    const StudyNode *const F = t.F;
    if (tig >= max_num_objects(image))
        return;
    const StudyNode f = F[tig]; /* line 1 */
    uint32_t final = 0;
    if (is_valid(f)) { /* line 2 */
        uint32_t curr = 0;
        for (uint32_t level = 0; F[curr].label != f.label; level++) { /* lines 3, 4 */
            const bool go_left = f.label >> level & 1;                /* line 7 */
            const uint32_t left = F[curr].child[0];
            const uint32_t num_left = left == STUDY_NO_NODE ? 0 : F[left].size;
            final += 1 + !go_left * num_left;      /* lines 8, 9 */
            curr = F[curr].child[go_left ? 0 : 1]; /* line 10 */
        }
    }
    if (is_valid(f) || tig == 0) /* without an object, the root says so */
        t.balanced[final] = f;   /* line 12 */
}

STUDY_KERNEL(study_tmk_initialise, initialise_nodes)
STUDY_KERNEL(study_tmk_merge_shared, merge_shared)
STUDY_KERNEL(study_tmk_update_size, update_tree_size)
STUDY_KERNEL(study_tmk_balance, balance)
