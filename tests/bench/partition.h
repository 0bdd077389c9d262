/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_BENCH_PARTITION_H
#define CCA_BENCH_PARTITION_H

/* Compares a label image, with arbitrary numbers as labels, with the true one. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Partition {
    size_t n_pixels;
    uint32_t *ids;      /* per pixel, the truth: 1, 2 and so on, 0 for the background */
    uint32_t *labels;   /* per pixel, what is compared with it, 0 to n_pixels */
    uint32_t *id_of;    /* by label: the one it was seen on */
    uint32_t *label_of; /* by id: likewise */
} Partition;

typedef struct PartitionFlaws {
    bool splits; /* a component has more than one label */
    bool joins;  /* a label is on more than one component, or on the background, too */
} PartitionFlaws;

/* False if memory ran out. */
bool partition_make_room(Partition *partition, size_t n_pixels);

/* False if a label is out of range. The labels of the background do not matter. */
bool partition_compare(Partition *partition, PartitionFlaws *flaws);
void partition_free(Partition *partition);

#endif /* CCA_BENCH_PARTITION_H */
