/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CPU_PAGES_H
#define CCA_CPU_PAGES_H

#include <stddef.h>

/* Zeroed memory that becomes resident only where it is written to. NULL if
 * the address space has no room. */
void *cca_reserve(size_t size);
/* Makes whole pages between two addresses of it what they were at first. */
void cca_give_back(void *from, void *to);
void cca_release(void *memory, size_t size);

#endif /* CCA_CPU_PAGES_H */
