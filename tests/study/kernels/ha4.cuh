/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_STUDY_HA4_CUH
#define CCA_STUDY_HA4_CUH

/* HA4, strip by strip: Hennequin, Lacassagne and Masliah, COMPAS 2019, Algorithms 3, 4
 * and 6 (lines are those). merge, its Algorithm 2, is merge_labels; How is what becomes of
 * features meanwhile. */

#include "features.cuh"
#include "lines.cuh"

/* For labels alone. */
struct LabelsAlone {
    DEVICE void open(const StudyTables &, uint32_t, const Record &)
    {
    }
    DEVICE void add_run(const StudyTables &, uint32_t, const Record &)
    {
    }
    DEVICE void merge(const StudyTables &t, const uint32_t l1, const uint32_t l2)
    {
        merge_labels(t.L, l1, l2);
    }
};

/* From the start of a segment that goes on after these pixels to their end. */
template <typename Word> DEVICE void carry(uint32_t &distance, const Word pixels)
{
    const uint32_t d = start_distance(pixels, bits_of<Word>);
    distance = d + (d == bits_of<Word> ? distance : 0);
}

/* Algorithm 3. Grid: STUDY_STRIPS. */
template <typename Word, typename How>
DEVICE void label_strips(const CudaImage &image, const StudyTables &t)
{
    /* line 1 has one for all turns: a warp could then write its next mask before the warp
     * below has read this one */
    __shared__ Word shared_pixels[2][STUDY_STRIP];
    const uint32_t ty = threadIdx.y, y = blockIdx.x * STUDY_STRIP + ty;
    uint32_t distance_y = 0, distance_above = 0;        /* line 3 */
    OwnPixels<Word> next = load_own<Word>(image, 0, y); /* a turn ahead of line 7 */
    for (uint32_t i = 0, turn = 0; i < image.width; i += bits_of<Word>, turn ^= 1) {
        const Word pixels_y = line_of(next); /* line 7 */
        next = load_own<Word>(image, i + bits_of<Word>, y);
        uint32_t tx;
        if (own_start(pixels_y, tx)) { /* line 9 */
            const uint32_t x = i + tx, k = address(image, x, y);
            const uint32_t l = k - (tx == 0 ? distance_y : 0);
            const Record r = record_of(x, x + end_distance(pixels_y, tx), y);
            t.L[k] = l; /* line 10 */
            if (l == k)
                How::open(t, l, r);
            else
                How::add_run(t, l, r);
        }
        if (threadIdx.x == 0)
            shared_pixels[turn][ty] = pixels_y;                             /* line 11 */
        __syncthreads();                                                    /* line 12 */
        const Word pixels_above = ty > 0 ? shared_pixels[turn][ty - 1] : 0; /* line 13 */
        const Word both = pixels_y & pixels_above;
        tx = own_pixel(both);
        const uint32_t s_dist_y = tx == 0 ? distance_y : start_distance(pixels_y, tx);
        const uint32_t s_dist_above = /* line 15 */
            tx == 0 ? distance_above : start_distance(pixels_above, tx);
        if (has(both, tx) && (s_dist_y == 0 || s_dist_above == 0)) { /* line 19 */
            const uint32_t k = address(image, i + tx, y);
            How::merge(t, k - s_dist_y, k - image.width - s_dist_above); /* line 22 */
        }
        carry(distance_above, pixels_above); /* line 23 */
        carry(distance_y, pixels_y);         /* line 25 */
    }
}

/* Algorithm 4. Grid: STUDY_BORDERS_32 or _64. */
template <typename Word, typename How>
DEVICE void merge_borders(const CudaImage &image, const StudyTables &t)
{
    const uint32_t border = blockIdx.x * STUDY_STRIP + threadIdx.y;
    const uint32_t i = blockIdx.y * bits_of<Word>, y = (border + 1) * STUDY_STRIP;
    if (y >= image.height)
        return;
    const Word pixels_y = load_line<Word>(image, i, y);
    const Word pixels_above = load_line<Word>(image, i, y - 1);
    const uint32_t tx = own_pixel<Word>(pixels_y & pixels_above);
    if (!has<Word>(pixels_y & pixels_above, tx)) /* line 8 */
        return;
    const uint32_t s_dist_y = start_distance(pixels_y, tx);
    const uint32_t s_dist_above = start_distance(pixels_above, tx);
    if (s_dist_y == 0 || s_dist_above == 0) { /* line 11 */
        const uint32_t k = address(image, i + tx, y);
        How::merge(t, k - s_dist_y, k - image.width - s_dist_above);
    }
}

/* Algorithm 6, by one thread for each segment of these pixels. Grid: STUDY_LINES_32 or
 * _64. vote(lanes that have a segment, root, x0, x1, y) is called by those lanes. */
template <typename Word, typename Vote>
DEVICE void compute_features(const CudaImage &image, const StudyTables &t, const Vote vote)
{
    const uint32_t i = blockIdx.y * bits_of<Word>, y = blockIdx.x * STUDY_STRIP + threadIdx.y;
    if (y >= image.height)
        return;
    const Word pixels = load_line<Word>(image, i, y);
    uint32_t tx;
    const bool starts = own_start(pixels, tx);
    const uint32_t mask = __ballot_sync(ALL_LANES, starts);
    if (starts) {                                                            /* line 9 */
        const uint32_t x = i + tx, l = find_root(t.L, address(image, x, y)); /* line 10 */
        vote(mask, l, x, x + end_distance(pixels, tx), y);
    }
}

/* Algorithm 5: the root of each segment goes to all its pixels. Grid: as above. */
template <typename Word>
DEVICE void relabel(const CudaImage &image, const StudyTables &t)
{
    const uint32_t i = blockIdx.y * bits_of<Word>, y = blockIdx.x * STUDY_STRIP + threadIdx.y;
    if (y >= image.height)
        return;
    const Word pixels = load_line<Word>(image, i, y); /* line 3 */
    uint32_t tx, label = 0;                           /* line 5 */
    if (own_start(pixels, tx))
        label = find_root(t.L, address(image, i + tx, y)); /* line 7 */
#pragma unroll
    for (uint32_t x = threadIdx.x; x < bits_of<Word>; x += WARP) {
        const uint32_t start = x - start_distance(pixels, x);
        const uint32_t from = sizeof(Word) == 4 ? start : start / 2;
        const uint32_t of_segment = __shfl_sync(ALL_LANES, label, from); /* line 9 */
        if (has(pixels, x))
            t.L[address(image, i + x, y)] = of_segment; /* line 10 */
    }
}

#endif /* CCA_STUDY_HA4_CUH */
