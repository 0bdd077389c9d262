/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CPU_PAGES_H
#define CCA_CPU_PAGES_H

#include <stddef.h>

/* Reserves zeroed memory that becomes resident only where it is written. Returns NULL if the
 * address space is exhausted. */
void *cca_reserve(size_t size);
/* Returns the whole pages between two addresses to the system; their content is lost. */
void cca_give_back(void *from, void *to);
void cca_release(void *memory, size_t size);

#endif /* CCA_CPU_PAGES_H */
