/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* libnppif.so.13 for tests on the simulated GPU, whose memory is the host's: regions of
 * equal pixels, labelled as NPP does, or with the mistake that CCA_NPP_MISTAKE names. */

#include <stdlib.h>
#include <string.h>

#include "npp-library.h"

#define API __attribute__((visibility("default")))

API int nppiLabelMarkersUFGetBufferSize_32u_C1R(NppSize size, int *bytes);
API int nppiLabelMarkersUF_8u32u_C1R_Ctx(const uint8_t *from, int from_stride, uint32_t *labels,
                                         int labels_stride, NppSize size, int way,
                                         uint32_t *scratch, NppContext context);
API int nppiCompressMarkerLabelsGetBufferSize_32u_C1R(int n_pixels, int *bytes);
API int nppiCompressMarkerLabelsUF_32u_C1IR_Ctx(uint32_t *labels, int stride, NppSize size,
                                                int n_pixels, int *most_label, uint32_t *scratch,
                                                NppContext context);
API const NppVersion *nppGetLibVersion(void);

static bool is_mistake(const char *const name)
{
    const char *const mistake = getenv("CCA_NPP_MISTAKE");
    return mistake != NULL && strcmp(mistake, name) == 0;
}

int nppiLabelMarkersUFGetBufferSize_32u_C1R(const NppSize size, int *const bytes)
{
    *bytes = size.width * size.height * (int) sizeof(uint32_t);
    return is_mistake("status") ? -1 : 0;
}

/* All that is equal to the first pixel, and connected with it, gets its index. */
static void fill(const uint8_t *const from, uint32_t *const labels, const NppSize size,
                 const int way, int *const stack, const int first)
{
    int n = 0;
    stack[n++] = first;
    labels[first] = (uint32_t) first;
    while (n > 0) {
        const int p = stack[--n], x = p % size.width, y = p / size.width;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                const int next = p + dy * size.width + dx;
                if (x + dx < 0 || y + dy < 0 || x + dx >= size.width || y + dy >= size.height ||
                    (dx != 0 && dy != 0 && way == NPP_4_WAY) || from[next] != from[p] ||
                    labels[next] != UINT32_MAX)
                    continue;
                labels[next] = (uint32_t) first;
                stack[n++] = next;
            }
    }
}

int nppiLabelMarkersUF_8u32u_C1R_Ctx(const uint8_t *const from, const int from_stride,
                                     uint32_t *const labels, const int labels_stride,
                                     const NppSize size, const int way, uint32_t *const scratch,
                                     const NppContext context)
{
    const int n = size.width * size.height;
    if (from_stride != size.width || labels_stride != 4 * size.width ||
        context.multiprocessors == 0 || context.stream == NULL)
        return -2;
    memset(labels, 0xff, (size_t) n * sizeof(uint32_t));
    for (int p = 0; p < n; p++)
        if (labels[p] == UINT32_MAX)
            fill(from, labels, size, way, (int *) scratch, p);
    return 0;
}

int nppiCompressMarkerLabelsGetBufferSize_32u_C1R(const int n_pixels, int *const bytes)
{
    *bytes = n_pixels * (int) sizeof(uint32_t);
    return 0;
}

/* Numbers from 1 on, in the order of the first pixels. */
int nppiCompressMarkerLabelsUF_32u_C1IR_Ctx(uint32_t *const labels, const int stride,
                                            const NppSize size, const int n_pixels,
                                            int *const most_label, uint32_t *const scratch,
                                            const NppContext context)
{
    uint32_t n = 0;
    if (stride != 4 * size.width || n_pixels != size.width * size.height || context.stream == NULL)
        return -2;
    for (uint32_t p = 0; p < (uint32_t) n_pixels; p++) {
        if (labels[p] == p)
            scratch[p] = ++n;
        labels[p] = scratch[labels[p]];
    }
    if (is_mistake("split"))
        labels[n_pixels - 1] = 0;
    if (is_mistake("join"))
        for (int p = 0; p < n_pixels; p++)
            labels[p] = 1;
    if (is_mistake("range"))
        labels[0] = UINT32_MAX;
    *most_label = (int) n;
    return 0;
}

const NppVersion *nppGetLibVersion(void)
{
    static const NppVersion version = { 13, 0, 1 };
    return &version;
}
