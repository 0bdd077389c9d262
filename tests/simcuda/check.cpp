/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Rules: failures, the settings in the environment, calls made to fail. */

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

#include "driver.h"

std::mutex &driver_lock = *new std::mutex;
std::condition_variable &driver_changed = *new std::condition_variable;

static std::atomic<uint32_t> n_failures;
static std::vector<Entry *> &entries = *new std::vector<Entry *>;
static std::mutex &entries_lock = *new std::mutex;

void sim_fail(const char *const format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (n_failures++ < 100)
        fprintf(stderr, "simcuda: FAIL: %s\n", text);
    if (getenv("SIMCUDA_ABORT"))
        abort();
}

uint64_t sim_seed()
{
    static const char *const text = getenv("SIMCUDA_SEED");
    static const uint64_t seed = text ? strtoull(text, nullptr, 0) : 1;
    return seed;
}

uint32_t sim_breaks(const char *const what)
{
    static const char *const text = getenv("SIMCUDA_BREAK");
    const size_t n = strlen(what);
    return text && strncmp(text, what, n) == 0 && text[n] == ':' ?
               (uint32_t) atoi(text + n + 1) : 0;
}

/* --- error codes ---------------------------------------------------------- */

#define ERRORS(X)                                                                            \
    X(SUCCESS) X(INVALID_VALUE) X(OUT_OF_MEMORY) X(NOT_INITIALIZED) X(DEINITIALIZED)         \
    X(DEVICE_UNAVAILABLE) X(NO_DEVICE) X(INVALID_DEVICE) X(INVALID_IMAGE) X(INVALID_CONTEXT) \
    X(NO_BINARY_FOR_GPU) X(ECC_UNCORRECTABLE) X(INVALID_PTX) X(UNSUPPORTED_PTX_VERSION)      \
    X(INVALID_HANDLE) X(NOT_FOUND) X(NOT_READY) X(ILLEGAL_ADDRESS)                           \
    X(LAUNCH_OUT_OF_RESOURCES) X(LAUNCH_TIMEOUT) X(CONTEXT_IS_DESTROYED) X(ASSERT)           \
    X(HARDWARE_STACK_ERROR) X(ILLEGAL_INSTRUCTION) X(MISALIGNED_ADDRESS)                     \
    X(INVALID_ADDRESS_SPACE) X(INVALID_PC) X(LAUNCH_FAILED) X(NOT_PERMITTED)                 \
    X(NOT_SUPPORTED) X(SYSTEM_NOT_READY) X(SYSTEM_DRIVER_MISMATCH) X(UNKNOWN)

#define CUDA_ERROR_SUCCESS CUDA_SUCCESS
static const struct {
    CUresult error;
    const char *name;
} errors[] = {
#define ERROR(name) { CUDA_ERROR_##name, "CUDA_ERROR_" #name },
    ERRORS(ERROR)
#undef ERROR
};

API cuGetErrorName(const CUresult error, const char **const name)
{
    ENTRY_ALWAYS
    for (const auto &e : errors)
        if (e.error == error) {
            *name = error == CUDA_SUCCESS ? "CUDA_SUCCESS" : e.name;
            return CUDA_SUCCESS;
        }
    *name = nullptr;
    return CUDA_ERROR_INVALID_VALUE;
}

API cuGetErrorString(const CUresult error, const char **const text)
{
    ENTRY_ALWAYS
    return cuGetErrorName(error, text);
}

bool is_sticky(const CUresult error)
{
    switch (error) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
        return true;
    default:
        return false;
    }
}

/* --- SIMCUDA_FAIL=CALL:N:ERROR[,CALL:N:ERROR...] --------------------------- */

struct Injection {
    std::string call;
    uint64_t n;
    CUresult error;
};

static CUresult parse_error(const char *const text)
{
    const char *const name = strncmp(text, "CUDA_ERROR_", 11) == 0 ? text + 11 : text;
    for (const auto &e : errors)
        if (strcmp(e.name + 11, name) == 0)
            return e.error;
    return (CUresult) atoi(text);
}

static std::vector<Injection> parse_injections()
{
    std::vector<Injection> list;
    const char *const text = getenv("SIMCUDA_FAIL");
    for (const char *p = text; p != nullptr && *p != '\0';) {
        char call[64], error[64];
        unsigned long long n = 0;
        int length = 0;
        const bool parsed = sscanf(p, "%63[^:]:%llu:%63[^,]%n", call, &n, error, &length) == 3;
        const CUresult code = parsed ? parse_error(error) : CUDA_SUCCESS;
        if (code == CUDA_SUCCESS || n == 0) {
            fprintf(stderr, "simcuda: SIMCUDA_FAIL is CALL:N:ERROR, not '%s'\n", p);
            _exit(2);
        }
        list.push_back({ call, n, code });
        p += length;
        p += *p == ',';
    }
    return list;
}

/* "cuMemAlloc" is also said of cuMemAlloc_v2. */
static bool is_called(const char *const name, const std::string &call)
{
    const size_t n = call.size();
    return strncmp(name, call.c_str(), n) == 0 &&
           (name[n] == '\0' || strcmp(name + n, "_v2") == 0);
}

Entry::Entry(const char *const entry_name) : name(entry_name)
{
    std::lock_guard<std::mutex> guard(entries_lock);
    entries.push_back(this);
}

/* After a sticky error nothing runs any more in the context. */
static CUresult lose(Guard &guard, Context *const context, const CUresult error)
{
    if (context->sticky == CUDA_SUCCESS)
        context->sticky = error;
    return wait_for_context(guard, context);
}

static std::atomic<const char *> failed_in;
static std::atomic<int> n_made_to_fail;

/* For tests: how many calls have been made to fail, and the file name of the
 * program or library that made the last of them, if any. */
extern "C" __attribute__((visibility("default"))) int simcuda_failed(const char **const in)
{
    *in = failed_in;
    return n_made_to_fail;
}

static void tell_failure(const Injection &injection, const char *const name,
                         const void *const caller)
{
    Dl_info info;
    const char *const file = dladdr(caller, &info) ? info.dli_fname : "?";
    const char *const slash = strrchr(file, '/');
    failed_in = slash ? slash + 1 : file;
    n_made_to_fail++;
    fprintf(stderr, "simcuda: call %llu of %s, from %s, is made to fail\n",
            (unsigned long long) injection.n, name, failed_in.load());
}

CUresult Entry::called(const bool always, const void *const caller)
{
    static const auto &injections = *new std::vector<Injection>(parse_injections());
    CUresult fails = CUDA_SUCCESS;
    {
        std::lock_guard<std::mutex> guard(entries_lock);
        count++;
        for (const Injection &i : injections)
            if (count == i.n && is_called(name, i.call)) {
                fails = i.error;
                tell_failure(i, name, caller);
            }
    }
    Guard guard(driver_lock);
    Context *const context = current_context();
    if (fails && context && !context->ended && is_sticky(fails))
        return lose(guard, context, fails);
    if (fails)
        return fails;
    if (always || context == nullptr || context->ended || context->sticky == CUDA_SUCCESS)
        return CUDA_SUCCESS;
    return lose(guard, context, context->sticky);
}

/* --- the end of the process ----------------------------------------------- */

void print_counts()
{
    std::lock_guard<std::mutex> guard(entries_lock);
    for (const Entry *const e : entries)
        fprintf(stderr, "simcuda: %8llu %s\n", (unsigned long long) e->count, e->name);
}

static void at_exit()
{
    {
        Guard guard(driver_lock);
        check_streams(guard);
        check_contexts();
        check_memory();
    }
    if (getenv("SIMCUDA_COUNT"))
        print_counts();
    if (n_failures > 0) {
        fprintf(stderr, "simcuda: %u failures\n", n_failures.load());
        fflush(nullptr);
        _exit(99);
    }
}

API cuInit(const unsigned int flags)
{
    ENTRY_ALWAYS
    static const int once = atexit(at_exit);
    return once == 0 && flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
