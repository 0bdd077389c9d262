/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "partition.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

bool partition_make_room(Partition *const p, const size_t n_pixels)
{
    if (p->n_pixels == n_pixels)
        return true;
    partition_free(p);
    p->ids = malloc(n_pixels * sizeof(uint32_t));
    p->labels = malloc(n_pixels * sizeof(uint32_t));
    p->id_of = malloc((n_pixels + 1) * sizeof(uint32_t));
    p->label_of = malloc((n_pixels + 1) * sizeof(uint32_t));
    if (!p->ids || !p->labels || !p->id_of || !p->label_of) {
        partition_free(p);
        return false;
    }
    p->n_pixels = n_pixels;
    return true;
}

bool partition_compare(Partition *const p, PartitionFlaws *const flaws)
{
    *flaws = (PartitionFlaws) { 0 };
    memset(p->id_of, 0xff, (p->n_pixels + 1) * sizeof(uint32_t));
    memset(p->label_of, 0xff, (p->n_pixels + 1) * sizeof(uint32_t));
    for (size_t i = 0; i < p->n_pixels; i++) {
        const uint32_t id = p->ids[i], label = p->labels[i];
        if (label > p->n_pixels)
            return false;
        if (p->id_of[label] == NONE)
            p->id_of[label] = id;
        if (p->label_of[id] == NONE)
            p->label_of[id] = label;
        flaws->joins |= p->id_of[label] != id;
        flaws->splits |= id != 0 && p->label_of[id] != label;
    }
    return true;
}

void partition_free(Partition *const p)
{
    free(p->ids);
    free(p->labels);
    free(p->id_of);
    free(p->label_of);
    *p = (Partition) { 0 };
}
