/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Devices, contexts, modules, launches. */

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>

#include "driver.h"
#include "kernels.h"
#include "run.h"

/* --- the current context -------------------------------------------------- */

typedef std::vector<Context *> Stack;
static std::set<Context *> &contexts = *new std::set<Context *>;
static Stack &ended_contexts = *new Stack;
static Context *primary;
static uint32_t n_primary; /* times retained */

/* Destroyed contexts are not counted: nvcodec (GStreamer 1.26) leaves some. */
static void check_stack(void *const p)
{
    Stack *const stack = (Stack *) p;
    size_t n = 0;
    for (const Context *const context : *stack)
        n += !context->ended;
    if (n > 0)
        sim_fail("a thread ended with %zu contexts that it had pushed and not popped", n);
    delete stack;
}

static pthread_key_t stack_key()
{
    static const pthread_key_t key = [] {
        pthread_key_t k;
        pthread_key_create(&k, check_stack);
        return k;
    }();
    return key;
}

static Stack &my_stack()
{
    Stack *stack = (Stack *) pthread_getspecific(stack_key());
    if (stack == nullptr)
        pthread_setspecific(stack_key(), stack = new Stack());
    return *stack;
}

Context *current_context()
{
    const Stack *const stack = (const Stack *) pthread_getspecific(stack_key());
    return stack && !stack->empty() ? stack->back() : nullptr;
}

Context *need_context(const char *const call)
{
    Context *const context = current_context();
    if (context == nullptr || context->ended) {
        sim_fail("%s: no context is current", call);
        return nullptr;
    }
    return context;
}

bool in_context(const char *const call, const Context *const owner)
{
    const Context *const context = need_context(call);
    if (context == owner)
        return true;
    if (context != nullptr)
        sim_fail("%s: what it is given belongs to another context", call);
    return false;
}

static Context *new_context()
{
    Context *const context = new Context();
    context->null_stream = new_stream(context, true);
    contexts.insert(context);
    return context;
}

static CUresult end_context(Guard &guard, Context *const context)
{
    if (contexts.count(context) == 0) {
        sim_fail("a context is destroyed that there is not");
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    wait_for_context(guard, context);
    for (const auto &s : context->streams)
        end_stream(guard, s);
    end_stream(guard, context->null_stream);
    contexts.erase(context);
    context->ended = true;
    ended_contexts.push_back(context);
    return CUDA_SUCCESS;
}

void check_contexts()
{
    if (void *const stack = pthread_getspecific(stack_key())) {
        check_stack(stack);
        pthread_setspecific(stack_key(), nullptr);
    }
    for (const Context *const context : contexts) {
        if (context->sticky == CUDA_SUCCESS && context != primary)
            sim_fail("a context was not destroyed");
        if (context->sticky == CUDA_SUCCESS)
            for (size_t i = 0; i < context->streams.size(); i++)
                sim_fail("a stream was not destroyed");
    }
}

API cuCtxCreate_v2(CUcontext *const handle, unsigned int, const CUdevice device)
{
    ENTRY_ALWAYS
    if (device < 0 || device >= N_DEVICES)
        return CUDA_ERROR_INVALID_DEVICE;
    Guard guard(driver_lock);
    Context *const context = new_context();
    context->device = device;
    my_stack().push_back(context);
    *handle = (CUcontext) context;
    return CUDA_SUCCESS;
}

API cuCtxDestroy_v2(CUcontext const handle)
{
    ENTRY_RELEASE
    Guard guard(driver_lock);
    Context *const context = (Context *) handle;
    if (context == primary && context != nullptr)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (current_context() == context && context != nullptr)
        my_stack().pop_back();
    const CUresult result = end_context(guard, context);
    return failed ? failed : result;
}

API cuCtxPushCurrent_v2(CUcontext const handle)
{
    static Entry entry(__func__);
    const CUresult failed = entry.called(true, __builtin_return_address(0));
    Guard guard(driver_lock);
    Context *const context = (Context *) handle;
    if (contexts.count(context) == 0) {
        sim_fail("%s: there is no such context", __func__);
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    if (failed) { /* one that cannot be entered is lost, with what it has */
        if (context->sticky == CUDA_SUCCESS)
            context->sticky = failed;
        return failed;
    }
    my_stack().push_back(context);
    return CUDA_SUCCESS;
}

API cuCtxPopCurrent_v2(CUcontext *const handle)
{
    ENTRY_RELEASE
    Guard guard(driver_lock);
    Stack &stack = my_stack();
    if (stack.empty()) {
        sim_fail("%s: nothing was pushed", __func__);
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    if (handle != nullptr)
        *handle = (CUcontext) stack.back();
    stack.pop_back();
    return is_sticky(failed) ? CUDA_SUCCESS : failed;
}

API cuCtxGetCurrent(CUcontext *const handle)
{
    ENTRY_ALWAYS
    *handle = (CUcontext) current_context();
    return CUDA_SUCCESS;
}

API cuCtxSetCurrent(CUcontext const handle)
{
    ENTRY_ALWAYS
    Guard guard(driver_lock);
    Stack &stack = my_stack();
    if (handle != nullptr && contexts.count((Context *) handle) == 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!stack.empty())
        stack.pop_back();
    if (handle != nullptr)
        stack.push_back((Context *) handle);
    return CUDA_SUCCESS;
}

API cuCtxGetDevice(CUdevice *const device)
{
    ENTRY
    const Context *const context = need_context(__func__);
    if (context == nullptr)
        return CUDA_ERROR_INVALID_CONTEXT;
    *device = context->device;
    return CUDA_SUCCESS;
}

API cuCtxSynchronize()
{
    ENTRY
    Guard guard(driver_lock);
    Context *const context = need_context(__func__);
    return context ? wait_for_context(guard, context) : CUDA_ERROR_INVALID_CONTEXT;
}

/* --- the devices ---------------------------------------------------------- */

static int setting(const char *const name, const int otherwise)
{
    const char *const text = getenv(name);
    return text ? atoi(text) : otherwise;
}

API cuDriverGetVersion(int *const version)
{
    ENTRY_ALWAYS
    *version = setting("SIMCUDA_VERSION", DRIVER_VERSION);
    return CUDA_SUCCESS;
}

API cuDeviceGetCount(int *const count)
{
    ENTRY_ALWAYS
    *count = setting("SIMCUDA_DEVICES", N_DEVICES);
    return CUDA_SUCCESS;
}

API cuDeviceGet(CUdevice *const device, const int ordinal)
{
    ENTRY_ALWAYS
    *device = ordinal;
    return ordinal >= 0 && ordinal < N_DEVICES ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

API cuDeviceGetName(char *const name, const int size, CUdevice)
{
    ENTRY_ALWAYS
    snprintf(name, (size_t) size, "simulated GPU");
    return CUDA_SUCCESS;
}

API cuDeviceGetAttribute(int *const value, const CUdevice_attribute attribute, CUdevice)
{
    ENTRY_ALWAYS
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = 2; break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = 9; break;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = 1024; break;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE: *value = 32; break;
    case CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT: *value = 512; break;
    case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING: *value = 1; break;
    default: *value = 0; break;
    }
    return CUDA_SUCCESS;
}

#undef cuDeviceGetUuid
API cuDeviceGetUuid_v2(CUuuid *const uuid, const CUdevice device)
{
    ENTRY_ALWAYS
    memset(uuid, 1 + device, sizeof(*uuid));
    return CUDA_SUCCESS;
}

API cuDeviceGetUuid(CUuuid *const uuid, const CUdevice device)
{
    return cuDeviceGetUuid_v2(uuid, device);
}

API cuDeviceTotalMem_v2(size_t *const size, CUdevice)
{
    ENTRY_ALWAYS
    *size = DEVICE_MEMORY;
    return CUDA_SUCCESS;
}

API cuDeviceCanAccessPeer(int *const can, CUdevice, CUdevice)
{
    ENTRY_ALWAYS
    *can = 0;
    return CUDA_SUCCESS;
}

API cuDevicePrimaryCtxRetain(CUcontext *const handle, const CUdevice device)
{
    ENTRY_ALWAYS
    if (device != 0) /* one of the two has a primary context */
        return CUDA_ERROR_INVALID_DEVICE;
    Guard guard(driver_lock);
    if (n_primary++ == 0)
        primary = new_context();
    *handle = (CUcontext) primary;
    return CUDA_SUCCESS;
}

API cuDevicePrimaryCtxRelease_v2(CUdevice)
{
    ENTRY_RELEASE
    Guard guard(driver_lock);
    if (n_primary == 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (--n_primary == 0) {
        end_context(guard, primary);
        primary = nullptr;
    }
    return failed;
}

/* --- modules -------------------------------------------------------------- */

struct Module {
    Context *context;
};
static std::set<Module *> &modules = *new std::set<Module *>;

struct Function {
    Module *module;
    const SimKernel *kernel;
};
static std::map<std::pair<Module *, std::string>, Function> &functions =
    *new std::map<std::pair<Module *, std::string>, Function>;

/* Whatever the image: our kernels. */
API cuModuleLoadData(CUmodule *const handle, const void *const image)
{
    ENTRY
    Guard guard(driver_lock);
    Context *const context = need_context(__func__);
    if (context == nullptr)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (image == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    *handle = (CUmodule) *modules.insert(new Module { context }).first;
    return CUDA_SUCCESS;
}

static Module *find_module(const char *const call, CUmodule const handle)
{
    if (modules.count((Module *) handle) == 0) {
        sim_fail("%s: there is no such module", call);
        return nullptr;
    }
    return in_context(call, ((Module *) handle)->context) ? (Module *) handle : nullptr;
}

API cuModuleUnload(CUmodule const handle)
{
    ENTRY_RELEASE
    Guard guard(driver_lock);
    Module *const module = find_module(__func__, handle);
    if (module == nullptr)
        return CUDA_ERROR_INVALID_HANDLE;
    modules.erase(module);
    for (auto i = functions.begin(); i != functions.end();)
        i = i->first.first == module ? functions.erase(i) : std::next(i);
    delete module;
    return failed;
}

API cuModuleGetFunction(CUfunction *const handle, CUmodule const module_handle,
                        const char *const name)
{
    ENTRY
    Guard guard(driver_lock);
    Module *const module = find_module(__func__, module_handle);
    if (module == nullptr)
        return CUDA_ERROR_INVALID_HANDLE;
    const SimKernel *const kernel = sim_find_kernel(name);
    if (kernel == nullptr)
        return CUDA_ERROR_NOT_FOUND;
    Function &f = functions[{ module, name }];
    f = { module, kernel };
    *handle = (CUfunction) &f;
    return CUDA_SUCCESS;
}

API cuFuncSetAttribute(CUfunction, CUfunction_attribute, int)
{
    ENTRY
    return CUDA_SUCCESS;
}

/* --- launches ------------------------------------------------------------- */

/* Arguments by value, as they are now. Words of them that point into an
 * allocation are taken for uses of it. */
struct Arguments {
    std::vector<std::vector<uint64_t>> values;
    std::vector<void *> params;
};

static bool take_arguments(const SimKernel &kernel, void *const *const params, Arguments &args,
                           std::vector<Allocation *> &uses)
{
    std::set<Allocation *> found;
    for (uint32_t i = 0; i < kernel.n_params; i++) {
        args.values.emplace_back((kernel.param_sizes[i] + 7) / 8 + 2);
        /* structures with 16-byte members are aligned so */
        uint64_t *const to = (uint64_t *) (((uintptr_t) args.values.back().data() + 15) & ~15ull);
        memcpy(to, params[i], kernel.param_sizes[i]);
        args.params.push_back(to);
        for (size_t w = 0; w < kernel.param_sizes[i] / 8; w++)
            if (Allocation *const a = find_allocation((const void *) to[w])) {
                if (a->freed) {
                    sim_fail("%s: argument %u points to memory that was freed (allocation %llu)",
                             kernel.name, i, (unsigned long long) a->number);
                    return false;
                }
                found.insert(a);
            }
    }
    uses.assign(found.begin(), found.end());
    return true;
}

API cuLaunchKernelEx(const CUlaunchConfig *const config, CUfunction const handle,
                     void **const params, void **const extra)
{
    ENTRY
    static uint64_t n_launches;
    Guard guard(driver_lock);
    const auto stream = find_stream(__func__, config->hStream);
    const Function *function = nullptr;
    for (const auto &f : functions)
        if ((CUfunction) &f.second == handle)
            function = &f.second;
    if (stream == nullptr || function == nullptr) {
        if (function == nullptr)
            sim_fail("%s: there is no such function", __func__);
        return CUDA_ERROR_INVALID_HANDLE;
    }
    if (!in_context(__func__, function->module->context))
        return CUDA_ERROR_INVALID_CONTEXT;
    const SimKernel &kernel = *function->kernel;
    const SimDim grid = { config->gridDimX, config->gridDimY, config->gridDimZ };
    const SimDim block = { config->blockDimX, config->blockDimY, config->blockDimZ };
    const uint64_t n_threads = (uint64_t) block.x * block.y * block.z;
    if ((uint64_t) grid.x * grid.y * grid.z == 0 || grid.x > INT32_MAX || grid.y > 65535 ||
        grid.z > 65535 || n_threads == 0 || n_threads > 1024 || extra != nullptr) {
        sim_fail("%s: %s: a grid of %u x %u x %u blocks of %u x %u x %u threads", __func__,
                 kernel.name, grid.x, grid.y, grid.z, block.x, block.y, block.z);
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (unsigned int i = 0; i < config->numAttrs; i++)
        if (config->attrs[i].id != CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
            return CUDA_ERROR_NOT_SUPPORTED;

    const auto args = std::make_shared<Arguments>();
    Operation op;
    if (!take_arguments(kernel, params, *args, op.uses))
        return CUDA_ERROR_INVALID_VALUE;
    const uint64_t seed = sim_seed() * 0x100000001b3u + n_launches++;
    op.run = [=, &kernel] {
        const SimLaunch launch = { kernel.name, kernel.call, args->params.data(), grid, block,
                                   seed };
        return simcuda_run(launch) ? CUDA_SUCCESS : CUDA_ERROR_LAUNCH_TIMEOUT;
    };
    submit(stream, std::move(op));
    return CUDA_SUCCESS;
}

API cuLaunchKernel(CUfunction const f, const unsigned int gx, const unsigned int gy,
                   const unsigned int gz, const unsigned int bx, const unsigned int by,
                   const unsigned int bz, const unsigned int shared, CUstream const stream,
                   void **const params, void **const extra)
{
    ENTRY
    CUlaunchConfig config = {};
    config.gridDimX = gx, config.gridDimY = gy, config.gridDimZ = gz;
    config.blockDimX = bx, config.blockDimY = by, config.blockDimZ = bz;
    config.sharedMemBytes = shared;
    config.hStream = stream;
    return cuLaunchKernelEx(&config, f, params, extra);
}
