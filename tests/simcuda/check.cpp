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
static std::atomic<uint32_t> n_failures;

int setting(const char *const name, const int otherwise)
{
    const char *const text = getenv(name);
    return text ? atoi(text) : otherwise;
}

uint32_t sim_breaks(const char *const what)
{
    static const char *const text = getenv("SIMCUDA_BREAK");
    const size_t n = strlen(what);
    const bool is_it = text && strncmp(text, what, n) == 0 && text[n] == ':';
    return is_it ? (uint32_t) atoi(text + n + 1) : 0;
}

void sim_fail(const char *const format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (n_failures++ < 100)
        fprintf(stderr, "simcuda: FAIL: %s\n", text);
    if (setting("SIMCUDA_ABORT", 0))
        abort();
}

void Call::refuse(const CUresult error, const char *const format, ...) const
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    sim_fail("%s: %s", name, text);
    throw error;
}

/* --- error codes ---------------------------------------------------------- */

/* Those that tests name or that we return. */
static const struct Error {
    const char *name;
    CUresult error;
    bool sticky; /* the context is lost: all calls fail from then on */
} errors[] = {
#define ERROR(name) { #name, name, false }
#define STICKY(name) { #name, name, true }
    ERROR(CUDA_SUCCESS),
    ERROR(CUDA_ERROR_INVALID_VALUE),
    ERROR(CUDA_ERROR_OUT_OF_MEMORY),
    ERROR(CUDA_ERROR_DEVICE_UNAVAILABLE),
    ERROR(CUDA_ERROR_NO_DEVICE),
    ERROR(CUDA_ERROR_INVALID_DEVICE),
    ERROR(CUDA_ERROR_INVALID_CONTEXT),
    ERROR(CUDA_ERROR_NO_BINARY_FOR_GPU),
    ERROR(CUDA_ERROR_INVALID_PTX),
    ERROR(CUDA_ERROR_UNSUPPORTED_PTX_VERSION),
    ERROR(CUDA_ERROR_INVALID_HANDLE),
    ERROR(CUDA_ERROR_NOT_FOUND),
    ERROR(CUDA_ERROR_NOT_READY),
    ERROR(CUDA_ERROR_NOT_PERMITTED),
    ERROR(CUDA_ERROR_NOT_SUPPORTED),
    ERROR(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE),
    STICKY(CUDA_ERROR_ILLEGAL_ADDRESS),
    STICKY(CUDA_ERROR_LAUNCH_TIMEOUT),
    STICKY(CUDA_ERROR_LAUNCH_FAILED),
#undef ERROR
#undef STICKY
};

static const Error *find_error(const CUresult error)
{
    for (const Error &e : errors)
        if (e.error == error)
            return &e;
    return nullptr;
}

static bool is_sticky(const CUresult error)
{
    const Error *const e = find_error(error);
    return e != nullptr && e->sticky;
}

static CUresult name_error(const Caller &caller, const CUresult error, const char **const name)
{
    return simulate(caller, LOST, [=](Call &) {
        const Error *const e = find_error(error);
        *name = e ? e->name : nullptr;
        if (e == nullptr)
            throw CUDA_ERROR_INVALID_VALUE;
    });
}

API cuGetErrorName(const CUresult error, const char **const name)
{
    return name_error(HERE, error, name);
}

API cuGetErrorString(const CUresult error, const char **const text)
{
    return name_error(HERE, error, text);
}

/* --- SIMCUDA_FAIL=CALL:N:ERROR[,CALL:N:ERROR...] --------------------------- */

struct Injection {
    std::string call;
    uint64_t n;
    CUresult error;
};

static CUresult parse_error(const std::string &text)
{
    for (const Error &e : errors)
        if (text == e.name || "CUDA_ERROR_" + text == e.name)
            return e.error;
    return (CUresult) atoi(text.c_str());
}

static std::vector<Injection> parse_injections()
{
    std::vector<Injection> list;
    const char *const text = getenv("SIMCUDA_FAIL");
    for (const char *p = text ? text : ""; *p != '\0'; p += *p == ',') {
        char call[64], error[64];
        unsigned long long n;
        int length;
        if (sscanf(p, "%63[^:]:%llu:%63[^,]%n", call, &n, error, &length) != 3 || n == 0 ||
            parse_error(error) == CUDA_SUCCESS) {
            fprintf(stderr, "simcuda: SIMCUDA_FAIL is CALL:N:ERROR, not '%s'\n", p);
            _exit(99);
        }
        list.push_back({ call, n, parse_error(error) });
        p += length;
    }
    return list;
}

/* How often each entry point was called; a name is that of one place. */
static auto &n_calls = *new std::map<const char *, uint64_t>;
static const char *failed_in;
static int n_made_to_fail;

/* For tests: how many calls have been made to fail, and the file name of the
 * program or library that made the last of them, if any. */
extern "C" __attribute__((visibility("default"))) int simcuda_failed(const char **const in)
{
    const Guard guard(driver_lock);
    *in = failed_in;
    return n_made_to_fail;
}

/* "cuMemAlloc" is also said of cuMemAlloc_v2. */
static bool is_called(const std::string &name, const std::string &call)
{
    return name == call || name == call + "_v2";
}

/* The error that SIMCUDA_FAIL injects into this call, or CUDA_SUCCESS. */
static CUresult injected(const Caller &caller)
{
    static const auto &injections = *new std::vector<Injection>(parse_injections());
    CUresult error = CUDA_SUCCESS;
    const uint64_t n = ++n_calls[caller.call];
    for (const Injection &i : injections) {
        if (n != i.n || !is_called(caller.call, i.call))
            continue;
        Dl_info info;
        const char *const file = dladdr(caller.address, &info) ? info.dli_fname : "?";
        const char *const slash = strrchr(file, '/');
        failed_in = slash ? slash + 1 : file;
        n_made_to_fail++;
        error = i.error;
        fprintf(stderr, "simcuda: call %llu of %s, from %s, is made to fail\n",
                (unsigned long long) n, caller.call, failed_in);
    }
    return error;
}

/* --- calls ---------------------------------------------------------------- */

CUresult simulate(const Caller &caller, const int in_spite_of, const Work &work)
{
    Call call = { caller.call, Guard(driver_lock), CUDA_SUCCESS };
    call.failed = injected(caller);
    Context *const context = current_context();
    if (context != nullptr && !context->ended) {
        if (is_sticky(call.failed) && !context->lost)
            context->lost = call.failed;
        if (is_sticky(call.failed) || (!call.failed && !(in_spite_of & LOST)))
            call.failed = context->lost;
        if (call.failed && context->lost) /* nothing runs there any more */
            wait_for_context(call.guard, context);
    }
    if (call.failed && !(in_spite_of & FAILED))
        return call.failed;
    try {
        work(call);
    } catch (const CUresult error) {
        return call.failed ? call.failed : error;
    }
    return call.failed;
}

/* --- the end of the process ----------------------------------------------- */

static void at_exit()
{
    Guard guard(driver_lock);
    check_streams(guard);
    check_graphs();
    check_contexts();
    check_memory();
    if (setting("SIMCUDA_COUNT", 0))
        for (const auto &i : n_calls)
            fprintf(stderr, "simcuda: %8llu %s\n", (unsigned long long) i.second, i.first);
    if (n_failures > 0) {
        fprintf(stderr, "simcuda: %u failures\n", n_failures.load());
        fflush(nullptr);
        _exit(99);
    }
}

API cuInit(const unsigned int flags)
{
    return simulate(HERE, LOST, [=](Call &) {
        static const int once = atexit(at_exit);
        if (once != 0 || flags != 0)
            throw CUDA_ERROR_INVALID_VALUE;
    });
}
