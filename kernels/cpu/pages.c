/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pages.h"

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

/* Tables have the size for the worst frame, which real frames do not reach. Pages that are never
 * written cost nothing, and do not count against the machine's memory. */
void *cca_reserve(const size_t size)
{
    void *const p = mmap(NULL, size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void cca_give_back(void *const from, void *const to)
{
#ifdef __linux__ /* elsewhere the pages stay resident */
    const uintptr_t page = (uintptr_t) sysconf(_SC_PAGESIZE);
    const uintptr_t first = ((uintptr_t) from + page - 1) & ~(page - 1);
    const uintptr_t end = (uintptr_t) to & ~(page - 1);
    if (first < end)
        madvise((void *) first, end - first, MADV_DONTNEED);
#else
    (void) from;
    (void) to;
#endif
}

void cca_release(void *const memory, const size_t size)
{
    if (memory != NULL)
        munmap(memory, size);
}
