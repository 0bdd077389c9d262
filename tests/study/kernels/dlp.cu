/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* DLP-GPU, distanceless label propagation: Cabaret, Lacassagne and Etiemble, IPTA 2017, by
 * its poster. COMPAS 2019 calls it Cabaret. Labels are addresses + 1, background is 0; E
 * is the label image and the table of equivalences at once. */

#include "kernel.cuh"
#include "lines.cuh"

/* Labels of the 2x2 pixels of the propagation mask, and their minimum. */
struct Mask2x2 {
    uint32_t e[4], epsilon;
};

/* Whether 2x2 labels are of one component by themselves. 4-connected, all are but for two at
 * a diagonal; the poster does not say what it does about those. */
DEVICE bool is_joined(const CudaImage &image, const uint32_t (&e)[4])
{
    const uint32_t set = (e[0] > 0) | (e[1] > 0) << 1 | (e[2] > 0) << 2 | (e[3] > 0) << 3;
    return image.corner || (set != 9 && set != 6);
}

/* load(dx, dy) gives a label, or 0. The minimum is UINT32_MAX if there is nothing to do. */
template <typename Load> DEVICE Mask2x2 look(const CudaImage &image, const Load load)
{
    Mask2x2 m = { { load(0, 0), load(1, 0), load(0, 1), load(1, 1) }, UINT32_MAX };
    if (is_joined(image, m.e))
        for (uint32_t k = 0; k < 4; k++)
            m.epsilon = min(m.epsilon, m.e[k] - 1);
    m.epsilon += m.epsilon < UINT32_MAX;
    return m;
}

/* Algorithm 1, whose recursion is at the end. */
DEVICE void atomic_ruf(uint32_t *const E, uint32_t e_k, uint32_t epsilon)
{
    while (e_k > epsilon) {                                          /* line 1 */
        const uint32_t min_result = atomicMin(E + e_k - 1, epsilon); /* line 2 */
        if (epsilon > min_result) {                                  /* line 3 */
            e_k = epsilon;                                           /* line 5 */
            epsilon = min_result;
        } else if (e_k > min_result) { /* line 7 */
            e_k = min_result;          /* line 9 */
        } else {
            return;
        }
    }
}

DEVICE void ruf(uint32_t *const E, const Mask2x2 &m)
{
    for (uint32_t k = 0; k < 4; k++)
        if (m.e[k] > 0)
            atomic_ruf(E, m.e[k], m.epsilon);
}

/* DLP-SetRoot: of several threads that set the same root one wins; DLP-RUF makes good what
 * is lost by that. That is no data race: it is an exchange, whose result nobody needs. */
DEVICE void set_root(uint32_t *const E, const Mask2x2 &m)
{
    for (uint32_t k = 0; k < 4; k++)
        if (m.e[k] > m.epsilon)
            atomicExch(E + m.e[k] - 1, m.epsilon);
}

/* The root of a label, 0 of background; load(E + i) reads E. */
template <typename Load>
DEVICE uint32_t root_of(const uint32_t *const E, const uint32_t i, const Load load)
{
    uint32_t e = load(E + i);
    if (e > 0)
        for (uint32_t parent; (parent = load(E + e - 1)) != e;)
            e = parent;
    return e;
}

/* Step 1, in shared memory, where a barrier parts those that read labels from those that
 * change them. Grid: STUDY_TILES. */
template <bool with_set_root>
DEVICE void label_tile(const CudaImage &image, const StudyTables &t)
{
    __shared__ uint32_t E[STUDY_TILE_H * STUDY_TILE_W];
    const uint32_t tx = threadIdx.x, ty = threadIdx.y, i = ty * STUDY_TILE_W + tx;
    const uint32_t x0 = blockIdx.y * STUDY_TILE_W, y0 = blockIdx.x * STUDY_TILE_H;
    const auto in_tile = [&](const uint32_t dx, const uint32_t dy) {
        const bool inside = tx + dx < STUDY_TILE_W && ty + dy < STUDY_TILE_H;
        return inside ? E[i + dy * STUDY_TILE_W + dx] : 0;
    };
    const auto load = [](const uint32_t *const p) { return *p; };
    E[i] = is_foreground(image, x0 + tx, y0 + ty) ? i + 1 : 0; /* DLP-I */
    __syncthreads();
    Mask2x2 m = look(image, in_tile);
    __syncthreads();
    if (with_set_root) {
        set_root(E, m);
        __syncthreads();
        const uint32_t root = root_of(E, i, load); /* DLP-R */
        __syncthreads();
        E[i] = root;
        __syncthreads();
        m = look(image, in_tile);
        __syncthreads();
    }
    ruf(E, m); /* DLP-RUF */
    __syncthreads();
    if (x0 + tx < image.width && y0 + ty < image.height) {
        const uint32_t root = root_of(E, i, load), e = root - 1; /* DLP-R */
        const uint32_t x = x0 + e % STUDY_TILE_W, y = y0 + e / STUDY_TILE_W;
        t.L[address(image, x0 + tx, y0 + ty)] = root ? address(image, x, y) + 1 : 0;
    }
}

/* Step 2: masks that reach over the east or the south border of a tile. Labels that others
 * change meanwhile were, or are, of the same component. */
DEVICE void merge_tiles(const CudaImage &image, const StudyTables &t)
{
    const uint32_t x = blockIdx.y * STUDY_TILE_W + threadIdx.x;
    const uint32_t y = blockIdx.x * STUDY_TILE_H + threadIdx.y;
    if (threadIdx.x != STUDY_TILE_W - 1 && threadIdx.y != STUDY_TILE_H - 1)
        return;
    ruf(t.L, look(image, [&](const uint32_t dx, const uint32_t dy) {
            const bool inside = x + dx < image.width && y + dy < image.height;
            return inside ? load_relaxed(t.L + address(image, x + dx, y + dy)) : 0;
        }));
}

/* Step 3, in place: a label that has become its root already is as good as before. */
DEVICE void relabel_image(const CudaImage &image, const StudyTables &t)
{
    const uint32_t x = blockIdx.y * STUDY_TILE_W + threadIdx.x;
    const uint32_t y = blockIdx.x * STUDY_TILE_H + threadIdx.y;
    if (x >= image.width || y >= image.height)
        return;
    const uint32_t i = address(image, x, y);
    const uint32_t root = root_of(t.L, i, [](const uint32_t *const p) { return load_relaxed(p); });
    if (root > 0)
        *(volatile uint32_t *) (t.L + i) = root;
}

STUDY_KERNEL(study_dlp_tiles, label_tile<false>)
STUDY_KERNEL(study_dlp_set_root_tiles, label_tile<true>)
STUDY_KERNEL(study_dlp_merge, merge_tiles)
STUDY_KERNEL(study_dlp_relabel, relabel_image)
