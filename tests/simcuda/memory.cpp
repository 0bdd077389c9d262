/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Memory: allocations with red zones, copies, memsets. */

#include <cstdlib>
#include <cstring>

#include "driver.h"

#if defined(__SANITIZE_ADDRESS__)
#define ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASAN 1
#endif
#endif
#ifdef ASAN
#include <sanitizer/asan_interface.h>
#define DENY(p, n) __asan_poison_memory_region(p, n)
#define ALLOW(p, n) __asan_unpoison_memory_region(p, n)
#else
#define DENY(p, n) ((void) 0)
#define ALLOW(p, n) ((void) 0)
#endif

/* Before and after each allocation; also its alignment, which is the driver's. */
#define RED_ZONE 512
#define RED_BYTE 0xfd
/* Freed memory is kept until there is so much of it. */
#define MOST_FREED ((size_t) 64 << 20)

static std::map<uintptr_t, Allocation *> &allocations = *new std::map<uintptr_t, Allocation *>;
static std::deque<Allocation *> &freed_ones = *new std::deque<Allocation *>;
static size_t freed_size, used[2]; /* device, host */
static uint64_t n_allocations;

static size_t whole_size(const size_t size)
{
    return (size + 2 * RED_ZONE + RED_ZONE - 1) / RED_ZONE * RED_ZONE;
}

Allocation *find_allocation(const void *const p)
{
    auto i = allocations.upper_bound((uintptr_t) p);
    if (i == allocations.begin())
        return nullptr;
    Allocation *const a = (--i)->second;
    return (uintptr_t) p < i->first + whole_size(a->size) ? a : nullptr;
}

static Allocation *allocate(const char *const call, const size_t size, const bool host)
{
    Context *const context = need_context(call);
    if (context == nullptr || size > (host ? HOST_MEMORY : DEVICE_MEMORY) - used[host])
        return nullptr;
    uint8_t *const whole = (uint8_t *) aligned_alloc(RED_ZONE, whole_size(size));
    if (whole == nullptr)
        return nullptr;
    used[host] += size;
    Allocation *const a =
        new Allocation { whole + RED_ZONE, size, context, host, false, 0, n_allocations++ };
    memset(whole, RED_BYTE, whole_size(size));
    memset(a->data, SIM_POISON, size);
    DENY(whole, RED_ZONE);
    DENY(a->data + size, whole_size(size) - RED_ZONE - size);
    allocations[(uintptr_t) whole] = a;
    return a;
}

static void check_red_zones(const Allocation &a)
{
    const uint8_t *const whole = a.data - RED_ZONE;
    ALLOW(whole, whole_size(a.size));
    for (size_t i = 0; i < whole_size(a.size); i++)
        if (whole[i] != RED_BYTE && (i < RED_ZONE || i >= RED_ZONE + a.size)) {
            sim_fail("allocation %llu of %zu bytes was written to at byte %lld",
                     (unsigned long long) a.number, a.size, (long long) i - RED_ZONE);
            return;
        }
}

static CUresult release(const char *const call, const void *const p, const bool host)
{
    Allocation *const a = find_allocation(p);
    if (a == nullptr || a->data != p || a->host != host || a->freed) {
        sim_fail("%s: %p is %s", call, p, a && a->freed && a->data == p ? "freed already" :
                                                                        "no allocation");
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (!in_context(call, a->context))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (a->in_flight > 0)
        sim_fail("%s: allocation %llu is freed with %u operations on it in flight", call,
                 (unsigned long long) a->number, a->in_flight);
    check_red_zones(*a);
    if (a->in_flight == 0) { /* else they would write to it */
        memset(a->data, SIM_POISON, a->size);
        DENY(a->data - RED_ZONE, whole_size(a->size));
    }
    a->freed = true;
    used[host] -= a->size;
    freed_size += a->size;
    freed_ones.push_back(a);
    while (freed_size > MOST_FREED && freed_ones.front()->in_flight == 0) {
        Allocation *const old = freed_ones.front();
        freed_ones.pop_front();
        freed_size -= old->size;
        allocations.erase((uintptr_t) old->data - RED_ZONE);
        ALLOW(old->data - RED_ZONE, whole_size(old->size));
        free(old->data - RED_ZONE);
        delete old;
    }
    return CUDA_SUCCESS;
}

void check_memory()
{
    for (const auto &i : allocations) {
        const Allocation &a = *i.second;
        if (a.freed || a.context->sticky != CUDA_SUCCESS)
            continue;
        sim_fail("allocation %llu of %zu bytes of %s memory was not freed",
                 (unsigned long long) a.number, a.size, a.host ? "page-locked" : "device");
        check_red_zones(a);
    }
}

Allocation *check_range(const char *const call, const void *const p, const size_t n,
                        const bool host)
{
    Allocation *const a = find_allocation(p);
    if (a == nullptr) {
        if (!host)
            sim_fail("%s: %p is not in device memory", call, p);
        return nullptr;
    }
    const long long offset = (const uint8_t *) p - a->data;
    if (a->freed)
        sim_fail("%s: allocation %llu is used after it was freed", call,
                 (unsigned long long) a->number);
    else if (offset < 0 || (size_t) offset + n > a->size)
        sim_fail("%s: bytes %lld to %lld of allocation %llu, which has %zu", call, offset,
                 offset + (long long) n - 1, (unsigned long long) a->number, a->size);
    else if (in_context(call, a->context))
        return a;
    return nullptr;
}

/* --- allocation ----------------------------------------------------------- */

static CUresult allocate_device(const char *const call, CUdeviceptr *const p, const size_t size)
{
    if (size == 0)
        return CUDA_ERROR_INVALID_VALUE;
    Guard guard(driver_lock);
    const Allocation *const a = allocate(call, size, false);
    if (a == nullptr)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *p = (CUdeviceptr) a->data;
    return CUDA_SUCCESS;
}

API cuMemAlloc_v2(CUdeviceptr *const p, const size_t size)
{
    ENTRY
    return allocate_device(__func__, p, size);
}

API cuMemAllocPitch_v2(CUdeviceptr *const p, size_t *const pitch, const size_t width,
                       const size_t height, unsigned int)
{
    ENTRY
    *pitch = (width + RED_ZONE - 1) / RED_ZONE * RED_ZONE;
    return allocate_device(__func__, p, *pitch * height);
}

API cuMemFree_v2(const CUdeviceptr p)
{
    ENTRY_RELEASE
    if (p == 0)
        return failed;
    Guard guard(driver_lock);
    const CUresult result = release(__func__, (const void *) p, false);
    return failed ? failed : result;
}

static CUresult allocate_host(const char *const call, void **const p, const size_t size)
{
    if (size == 0)
        return CUDA_ERROR_INVALID_VALUE;
    Guard guard(driver_lock);
    const Allocation *const a = allocate(call, size, true);
    if (a == nullptr)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *p = a->data;
    return CUDA_SUCCESS;
}

API cuMemHostAlloc(void **const p, const size_t size, unsigned int)
{
    ENTRY
    return allocate_host(__func__, p, size);
}

API cuMemAllocHost_v2(void **const p, const size_t size)
{
    ENTRY
    return allocate_host(__func__, p, size);
}

API cuMemFreeHost(void *const p)
{
    ENTRY_RELEASE
    Guard guard(driver_lock);
    const CUresult result = release(__func__, p, true);
    return failed ? failed : result;
}

API cuMemGetInfo_v2(size_t *const available, size_t *const total)
{
    ENTRY
    Guard guard(driver_lock);
    *total = DEVICE_MEMORY;
    *available = DEVICE_MEMORY - used[0];
    return CUDA_SUCCESS;
}

/* --- copies --------------------------------------------------------------- */

/* One side of a copy: rows of a width that both sides share. */
struct Side {
    uint8_t *p;
    size_t pitch;
    bool host;
};

static void copy_rows(const Side &to, const Side &from, const size_t width, const size_t height)
{
    for (size_t y = 0; y < height; y++)
        memcpy(to.p + y * to.pitch, from.p + y * from.pitch, width);
}

/* Enqueues a copy. Host memory that is not page-locked is read before, or
 * written before, the call returns: no more may be relied on with a GPU either. */
static CUresult copy(const char *const call, const Side &to, Side from, const size_t width,
                     const size_t height, CUstream const stream_handle, bool wait)
{
    if (width == 0 || height == 0)
        return CUDA_SUCCESS;
    Guard guard(driver_lock);
    const auto stream = find_stream(call, stream_handle);
    if (stream == nullptr)
        return CUDA_ERROR_INVALID_HANDLE;
    Operation op;
    for (const Side *const side : { &to, (const Side *) &from }) {
        Allocation *const a =
            check_range(call, side->p, (height - 1) * side->pitch + width, side->host);
        if (a == nullptr && (!side->host || find_allocation(side->p)))
            return CUDA_ERROR_INVALID_VALUE;
        if (a != nullptr)
            op.uses.push_back(a);
        else if (side == &to)
            wait = true;
    }
    std::shared_ptr<std::vector<uint8_t>> staged;
    if (from.host && !find_allocation(from.p)) {
        staged = std::make_shared<std::vector<uint8_t>>(width * height);
        const Side copy_of = { staged->data(), width, true };
        copy_rows(copy_of, from, width, height);
        from = copy_of;
    }
    op.run = [=] {
        (void) staged; /* lives until then */
        copy_rows(to, from, width, height);
        return CUDA_SUCCESS;
    };
    const Place place = submit(stream, std::move(op));
    return wait ? wait_for(guard, place) : CUDA_SUCCESS;
}

static Side device(const CUdeviceptr p) { return { (uint8_t *) p, 0, false }; }
static Side host(const void *const p) { return { (uint8_t *) p, 0, true }; }

#define COPY(name, To, From, to, from)                                                       \
    API cuMemcpy##name##Async_v2(To p, From q, const size_t n, CUstream const stream)        \
    {                                                                                        \
        ENTRY                                                                                \
        return copy(__func__, to(p), from(q), n, 1, stream, false);                          \
    }                                                                                        \
    API cuMemcpy##name##_v2(To p, From q, const size_t n)                                    \
    {                                                                                        \
        ENTRY                                                                                \
        return copy(__func__, to(p), from(q), n, 1, nullptr, true);                          \
    }

COPY(DtoH, void *, CUdeviceptr, host, device)
COPY(HtoD, CUdeviceptr, const void *, device, host)
COPY(DtoD, CUdeviceptr, CUdeviceptr, device, device)

static bool make_side(const CUmemorytype type, const void *const host_p, const CUdeviceptr p,
                      const size_t pitch, const size_t x, const size_t y, Side &side)
{
    side = type == CU_MEMORYTYPE_HOST ? host(host_p) : device(p);
    side.p += y * pitch + x;
    side.pitch = pitch;
    return type == CU_MEMORYTYPE_HOST || type == CU_MEMORYTYPE_DEVICE;
}

static CUresult copy_2d(const char *const call, const CUDA_MEMCPY2D &c, CUstream const stream,
                        const bool wait)
{
    Side to, from;
    if (!make_side(c.dstMemoryType, c.dstHost, c.dstDevice, c.dstPitch, c.dstXInBytes, c.dstY,
                   to) ||
        !make_side(c.srcMemoryType, c.srcHost, c.srcDevice, c.srcPitch, c.srcXInBytes, c.srcY,
                   from))
        return CUDA_ERROR_NOT_SUPPORTED;
    if (c.Height > 1 && (c.WidthInBytes > c.dstPitch || c.WidthInBytes > c.srcPitch))
        return CUDA_ERROR_INVALID_VALUE;
    return copy(call, to, from, c.WidthInBytes, c.Height, stream, wait);
}

API cuMemcpy2D_v2(const CUDA_MEMCPY2D *const c)
{
    ENTRY
    return copy_2d(__func__, *c, nullptr, true);
}

API cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *const c, CUstream const stream)
{
    ENTRY
    return copy_2d(__func__, *c, stream, false);
}

/* --- memsets -------------------------------------------------------------- */

/* Rows of `width` values of `size` bytes. */
static CUresult fill(const char *const call, const CUdeviceptr p, const size_t pitch,
                     const uint32_t value, const size_t size, const size_t width,
                     const size_t height, CUstream const stream_handle, const bool wait)
{
    if (width == 0 || height == 0)
        return CUDA_SUCCESS;
    Guard guard(driver_lock);
    const auto stream = find_stream(call, stream_handle);
    if (stream == nullptr)
        return CUDA_ERROR_INVALID_HANDLE;
    uint8_t *const to = (uint8_t *) p;
    Allocation *const a = check_range(call, to, (height - 1) * pitch + width * size, false);
    if (a == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    const Place place = submit(stream, { [=] {
        for (size_t y = 0; y < height; y++)
            for (size_t x = 0; x < width; x++)
                memcpy(to + y * pitch + x * size, &value, size);
        return CUDA_SUCCESS;
    }, {}, { a } });
    return wait ? wait_for(guard, place) : CUDA_SUCCESS;
}

#define FILL(bits, Value)                                                                    \
    API cuMemsetD##bits##Async(const CUdeviceptr p, const Value v, const size_t n,           \
                               CUstream const stream)                                        \
    {                                                                                        \
        ENTRY                                                                                \
        return fill(__func__, p, 0, v, sizeof(v), n, 1, stream, false);                      \
    }                                                                                        \
    API cuMemsetD2D##bits##Async(const CUdeviceptr p, const size_t pitch, const Value v,     \
                                 const size_t width, const size_t height,                    \
                                 CUstream const stream)                                      \
    {                                                                                        \
        ENTRY                                                                                \
        return fill(__func__, p, pitch, v, sizeof(v), width, height, stream, false);         \
    }                                                                                        \
    API cuMemsetD2D##bits##_v2(const CUdeviceptr p, const size_t pitch, const Value v,       \
                               const size_t width, const size_t height)                      \
    {                                                                                        \
        ENTRY                                                                                \
        return fill(__func__, p, pitch, v, sizeof(v), width, height, nullptr, true);         \
    }

FILL(8, unsigned char)
FILL(16, unsigned short)
FILL(32, unsigned int)
