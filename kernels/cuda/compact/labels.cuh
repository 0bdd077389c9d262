/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Writing of the label image, see CcaLabels. It follows the rank scan, which determines the ids
 * and their number. */

#ifndef CCA_CUDA_COMPACT_LABELS_CUH
#define CCA_CUDA_COMPACT_LABELS_CUH

#include "records.cuh"

/* Chooses the label size for the number of ids, by the same rule as cca_labels_form(). */
DEVICE CudaLabels labels_form(CudaLabels labels, const uint32_t n_found)
{
    if (labels.narrow_stride > 0 && n_found <= UINT8_MAX) {
        labels.bits = 8;
        labels.stride = labels.narrow_stride;
    } else if (labels.bits == 16 && n_found > UINT16_MAX) {
        labels.bits = 0;
    }
    return labels;
}

/* The same after the rank scan. */
DEVICE CudaLabels labels_form(const CudaCompact &compact, const CudaLabels &labels)
{
    return labels_form(labels, labels.empty ? 0 : compact.header->n_found);
}

/* (x, y) are coordinates in the frame. */
DEVICE void write_label(const CudaLabels &labels, const uint32_t x, const uint32_t y,
                        const uint32_t id)
{
    uint8_t *const row = labels.data + y * labels.stride;
    if (labels.bits == 8)
        row[x] = (uint8_t) id;
    else if (labels.bits == 16)
        ((uint16_t *) row)[x] = (uint16_t) id;
    else
        ((uint32_t *) row)[x] = id;
}

DEVICE void clear_labels(const CudaLabels &labels, const uint32_t y, const uint32_t x0,
                         const uint32_t x1)
{
    for (uint32_t x = x0 + threadIdx.x % WARP; x < x1; x += WARP)
        write_label(labels, x, y, 0);
}

/* Clears the labels of a row of the frame outside the region. Called by a whole warp. */
DEVICE void clear_outside(const CudaLabels &labels, const CudaImage &image, const uint32_t y)
{
    const bool inside = y >= image.y && y - image.y < image.height;
    clear_labels(labels, y, 0, inside ? image.x : labels.width);
    if (inside)
        clear_labels(labels, y, image.x + image.width, labels.width);
}

/* Id of the component whose first pixel is (x, y) in the region; 0 if it was not marked because
 * it does not pass the filters. */
DEVICE uint32_t id_of(const CudaCompact &compact, const uint32_t x, const uint32_t y)
{
    const uint32_t word = *first_word(compact, x, y);
    return word >> x % 32 & 1 ? rank_of(compact, x, y) + 1 : 0;
}

#endif /* CCA_CUDA_COMPACT_LABELS_CUH */
