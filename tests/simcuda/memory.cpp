/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Memory: allocations with red zones, copies, memsets. */

#include <cstdlib>
#include <cstring>
#include <sanitizer/asan_interface.h>

#include "driver.h"

/* Of the device, and of page-locked memory. */
#define MEMORY_SIZE ((size_t) 2 << 30)
/* Before and after each allocation; also its alignment, which is the driver's. */
#define RED_ZONE 512
#define RED_BYTE 0xfd
/* Freed memory is kept until there is so much of it. */
#define MOST_FREED ((size_t) 64 << 20)

static auto &allocations = *new std::map<uintptr_t, Allocation *>;
static auto &freed_ones = *new std::deque<Allocation *>;
static size_t freed_size, used[2]; /* device, host */
size_t lost_memory;
static uint64_t n_allocations;

static size_t round_up(const size_t size)
{
    return (size + RED_ZONE - 1) / RED_ZONE * RED_ZONE;
}

static size_t whole_size(const size_t size)
{
    return round_up(size + 2 * RED_ZONE);
}

Allocation *find_allocation(const void *const p)
{
    auto i = allocations.upper_bound((uintptr_t) p);
    if (i == allocations.begin())
        return nullptr;
    Allocation *const a = (--i)->second;
    return (uintptr_t) p < i->first + whole_size(a->size) ? a : nullptr;
}

static uint8_t *allocate(const Call &call, const size_t size, const bool host)
{
    Context *const context = call.context();
    if (size == 0)
        throw CUDA_ERROR_INVALID_VALUE;
    uint8_t *const whole = size > MEMORY_SIZE - used[host] ?
                               nullptr :
                               (uint8_t *) aligned_alloc(RED_ZONE, whole_size(size));
    if (whole == nullptr)
        throw CUDA_ERROR_OUT_OF_MEMORY;
    used[host] += size;
    Allocation *const a = new Allocation{ whole + RED_ZONE, size, context, host, n_allocations++ };
    allocations[(uintptr_t) whole] = a;
    memset(whole, RED_BYTE, RED_ZONE);
    memset(a->data, SIM_POISON, size);
    memset(a->data + size, RED_BYTE, whole_size(size) - RED_ZONE - size);
    ASAN_POISON_MEMORY_REGION(whole, RED_ZONE);
    ASAN_POISON_MEMORY_REGION(a->data + size, whole_size(size) - RED_ZONE - size);
    return a->data;
}

static void check_red_zones(const Allocation &a)
{
    const uint8_t *const whole = a.data - RED_ZONE;
    ASAN_UNPOISON_MEMORY_REGION(whole, whole_size(a.size));
    for (size_t i = 0; i < whole_size(a.size); i++) {
        if (i == RED_ZONE)
            i += a.size;
        if (whole[i] != RED_BYTE) {
            sim_fail("allocation %llu of %zu bytes was written to at byte %lld",
                     (unsigned long long) a.number, a.size, (long long) i - RED_ZONE);
            return;
        }
    }
}

/* Those that were freed first are given up, while there is too much of them. */
static void trim_freed()
{
    while (freed_size > MOST_FREED && freed_ones.front()->in_flight == 0) {
        Allocation *const a = freed_ones.front();
        uint8_t *const whole = a->data - RED_ZONE;
        freed_ones.pop_front();
        freed_size -= a->size;
        allocations.erase((uintptr_t) whole);
        ASAN_UNPOISON_MEMORY_REGION(whole, whole_size(a->size));
        free(whole);
        delete a;
    }
}

static void release(Call &call, const void *const p, const bool host)
{
    Allocation *const a = find_allocation(p);
    if (a == nullptr || a->data != p || a->host != host)
        call.refuse(CUDA_ERROR_INVALID_VALUE, "%p is no allocation", p);
    if (a->freed)
        call.refuse(CUDA_ERROR_INVALID_VALUE, "%p is freed already", p);
    call.in_context(a->context);
    /* The last kernel of a frame reports its end before it ends. Like the driver, wait for
     * kernels that have begun. */
    wait_for_users(call.guard, a);
    check_red_zones(*a);
    if (a->in_flight > 0) {
        sim_fail("%s: allocation %llu is freed with %u operations on it in flight", call.name,
                 (unsigned long long) a->number, a->in_flight);
    } else { /* else they would write to it */
        memset(a->data, SIM_POISON, a->size);
        ASAN_POISON_MEMORY_REGION(a->data - RED_ZONE, whole_size(a->size));
    }
    a->freed = true;
    used[host] -= a->size;
    freed_size += a->size;
    freed_ones.push_back(a);
    trim_freed();
}

void check_memory()
{
    for (const auto &i : allocations) {
        const Allocation &a = *i.second;
        if (a.freed || a.context->lost)
            continue;
        sim_fail("allocation %llu of %zu bytes of %s memory was not freed",
                 (unsigned long long) a.number, a.size, a.host ? "page-locked" : "device");
        check_red_zones(a);
    }
}

Allocation *Call::range(const void *const p, const size_t n) const
{
    Allocation *const a = find_allocation(p);
    if (a == nullptr)
        refuse(CUDA_ERROR_INVALID_VALUE, "%p is not in device memory", p);
    const unsigned long long number = a->number;
    const long long offset = (const uint8_t *) p - a->data;
    if (a->freed)
        refuse(CUDA_ERROR_INVALID_VALUE, "allocation %llu is used after it was freed", number);
    if (offset < 0 || (size_t) offset + n > a->size)
        refuse(CUDA_ERROR_INVALID_VALUE, "bytes %lld to %lld of allocation %llu, which has %zu",
               offset, offset + (long long) n - 1, number, a->size);
    in_context(a->context);
    return a;
}

/* --- allocation ----------------------------------------------------------- */

API cuMemAlloc_v2(CUdeviceptr *const p, const size_t size)
{
    return simulate(HERE, [=](Call &call) { *p = (CUdeviceptr) allocate(call, size, false); });
}

API cuMemAllocPitch_v2(CUdeviceptr *const p, size_t *const pitch, const size_t width,
                       const size_t height, unsigned int)
{
    return simulate(HERE, [=](Call &call) {
        *pitch = round_up(width);
        *p = (CUdeviceptr) allocate(call, *pitch * height, false);
    });
}

API cuMemFree_v2(const CUdeviceptr p)
{
    return simulate(HERE, FAILED, [=](Call &call) {
        if (p != 0)
            release(call, (const void *) p, false);
    });
}

API cuMemHostAlloc(void **const p, const size_t size, unsigned int)
{
    return simulate(HERE, [=](Call &call) { *p = allocate(call, size, true); });
}

API cuMemAllocHost_v2(void **const p, const size_t size)
{
    return simulate(HERE, [=](Call &call) { *p = allocate(call, size, true); });
}

API cuMemFreeHost(void *const p)
{
    return simulate(HERE, FAILED, [=](Call &call) { release(call, p, true); });
}

API cuMemGetInfo_v2(size_t *const available, size_t *const total)
{
    return simulate(HERE, [=](Call &) {
        *total = MEMORY_SIZE;
        *available = MEMORY_SIZE - used[false] - lost_memory;
    });
}

/* --- copies and memsets --------------------------------------------------- */

/* One side of a copy: rows of a width that both sides share. */
struct Side {
    uint8_t *p;
    size_t pitch;
    bool host;

    /* host memory that is not page-locked */
    bool is_pageable() const
    {
        return host && find_allocation(p) == nullptr;
    }
};

static Side device(const CUdeviceptr p)
{
    return { (uint8_t *) p, 0, false };
}
static Side host(const void *const p)
{
    return { (uint8_t *) p, 0, true };
}

static void copy_rows(const Side &to, const Side &from, const size_t width, const size_t height)
{
    for (size_t y = 0; y < height; y++)
        memcpy(to.p + y * to.pitch, from.p + y * from.pitch, width);
}

/* Enqueues a copy. Pageable memory is read before the call returns; the driver may
 * also have written to it by then, or not. */
static void copy(Call &call, CUstream const stream, const Side &to, Side from, const size_t width,
                 const size_t height, bool wait)
{
    if (width == 0 || height == 0)
        return;
    Operation op;
    for (const Side &side : { to, from })
        if (!side.is_pageable())
            op.uses.push_back(call.range(side.p, (height - 1) * side.pitch + width));
    const auto staged = std::make_shared<std::vector<uint8_t>>();
    if (from.is_pageable()) {
        staged->resize(width * height);
        const Side copy_of = { staged->data(), width, true };
        copy_rows(copy_of, from, width, height);
        from = copy_of;
    }
    op.run = [=] {
        (void) staged; /* lives until then */
        copy_rows(to, from, width, height);
    };
    if (to.host)
        op.kind = Kind::COPY_TO_HOST;
    const Place place = submit(call.stream(stream), std::move(op));
    if (wait)
        call.wait_for(place);
}

API cuMemcpyDtoHAsync_v2(void *const to, const CUdeviceptr from, const size_t n,
                         CUstream const stream)
{
    return simulate(HERE,
                    [=](Call &call) { copy(call, stream, host(to), device(from), n, 1, false); });
}

API cuMemcpyHtoDAsync_v2(const CUdeviceptr to, const void *const from, const size_t n,
                         CUstream const stream)
{
    return simulate(HERE,
                    [=](Call &call) { copy(call, stream, device(to), host(from), n, 1, false); });
}

API cuMemcpyDtoDAsync_v2(const CUdeviceptr to, const CUdeviceptr from, const size_t n,
                         CUstream const stream)
{
    return simulate(HERE,
                    [=](Call &call) { copy(call, stream, device(to), device(from), n, 1, false); });
}

static Side make_side(const CUmemorytype type, const void *const host_p, const CUdeviceptr p,
                      const size_t pitch, const size_t x, const size_t y)
{
    if (type != CU_MEMORYTYPE_HOST && type != CU_MEMORYTYPE_DEVICE)
        throw CUDA_ERROR_NOT_SUPPORTED;
    Side side = type == CU_MEMORYTYPE_HOST ? host(host_p) : device(p);
    side.p += y * pitch + x;
    side.pitch = pitch;
    return side;
}

static void copy_2d(Call &call, const CUDA_MEMCPY2D &c, CUstream const stream, const bool wait)
{
    /* The documentation makes no exception for a single row. */
    if (c.WidthInBytes > c.dstPitch || c.WidthInBytes > c.srcPitch)
        throw CUDA_ERROR_INVALID_VALUE;
    copy(call, stream,
         make_side(c.dstMemoryType, c.dstHost, c.dstDevice, c.dstPitch, c.dstXInBytes, c.dstY),
         make_side(c.srcMemoryType, c.srcHost, c.srcDevice, c.srcPitch, c.srcXInBytes, c.srcY),
         c.WidthInBytes, c.Height, wait);
}

API cuMemcpy2D_v2(const CUDA_MEMCPY2D *const c)
{
    return simulate(HERE, [=](Call &call) { copy_2d(call, *c, nullptr, true); });
}

API cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *const c, CUstream const stream)
{
    return simulate(HERE, [=](Call &call) { copy_2d(call, *c, stream, false); });
}

API cuMemsetD8Async(const CUdeviceptr p, const unsigned char value, const size_t n,
                    CUstream const stream)
{
    return simulate(HERE, [=](Call &call) {
        Allocation *const a = call.range((const void *) p, n);
        submit(call.stream(stream), { [=] { memset((void *) p, value, n); }, { a } });
    });
}
