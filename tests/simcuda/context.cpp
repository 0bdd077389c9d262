/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Devices, contexts, modules, launches. */

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "driver.h"
#include "run.h"

/* --- the current context -------------------------------------------------- */

/* All that there ever were. */
static auto &contexts = *new std::vector<Context *>;
static Context *primary; /* of device 0 */
static uint32_t n_retained;

/* The contexts that this thread has pushed. Destroyed ones may be left when it
 * ends: nvcodec (GStreamer 1.26) leaves some. */
static thread_local struct Stack : std::vector<Context *> {
    ~Stack()
    {
        const Guard guard(driver_lock);
        for (const Context *const context : *this)
            if (!context->ended)
                sim_fail("a thread ended with a context that it had pushed and not popped");
    }
} stack;

Context *current_context()
{
    return stack.empty() ? nullptr : stack.back();
}

Context *Call::context() const
{
    Context *const context = current_context();
    if (context == nullptr || context->ended)
        refuse(CUDA_ERROR_INVALID_CONTEXT, "no context is current");
    return context;
}

void Call::in_context(const Context *const owner) const
{
    if (context() != owner)
        refuse(CUDA_ERROR_INVALID_CONTEXT, "what it is given belongs to another context");
}

static int n_devices()
{
    return setting("SIMCUDA_DEVICES", 2);
}

static Context *new_context(const CUdevice device)
{
    if (device < 0 || device >= n_devices())
        throw CUDA_ERROR_INVALID_DEVICE;
    Context *const context = new Context{ device };
    context->null_stream = new_stream(context, true);
    contexts.push_back(context);
    return context;
}

static Context *find_context(const Call &call, const CUcontext handle)
{
    for (Context *const context : contexts)
        if ((CUcontext) context == handle && !context->ended)
            return context;
    call.refuse(CUDA_ERROR_INVALID_CONTEXT, "%p is not a context", (void *) handle);
}

static void end_context(Guard &guard, Context *const context)
{
    wait_for_context(guard, context);
    end_stream(context->null_stream);
    context->ended = true;
}

void check_contexts()
{
    for (const Context *const context : contexts)
        if (!context->ended && !context->lost && context != primary)
            sim_fail("a context was not destroyed");
}

API cuCtxCreate_v2(CUcontext *const handle, unsigned int, const CUdevice device)
{
    return simulate(HERE, LOST, [=](Call &) {
        stack.push_back(new_context(device));
        *handle = (CUcontext) current_context();
    });
}

API cuCtxDestroy_v2(CUcontext const handle)
{
    return simulate(HERE, FAILED, [=](Call &call) {
        Context *const context = find_context(call, handle);
        if (context == primary)
            throw CUDA_ERROR_INVALID_CONTEXT;
        if (current_context() == context)
            stack.pop_back();
        end_context(call.guard, context);
    });
}

API cuCtxPushCurrent_v2(CUcontext const handle)
{
    return simulate(HERE, LOST | FAILED, [=](Call &call) {
        Context *const context = find_context(call, handle);
        if (!call.failed)
            stack.push_back(context);
        else if (!context->lost) /* it cannot be entered, and its resources are lost */
            context->lost = call.failed;
    });
}

API cuCtxPopCurrent_v2(CUcontext *const handle)
{
    return simulate(HERE, LOST | FAILED, [=](Call &call) {
        if (current_context() == nullptr)
            call.refuse(CUDA_ERROR_INVALID_CONTEXT, "nothing was pushed");
        if (handle != nullptr)
            *handle = (CUcontext) current_context();
        stack.pop_back();
    });
}

API cuCtxGetDevice(CUdevice *const device)
{
    return simulate(HERE, [=](Call &call) { *device = call.context()->device; });
}

API cuCtxSynchronize()
{
    return simulate(HERE, [](Call &call) {
        const Context *const context = call.context();
        wait_for_context(call.guard, context);
        if (context->lost)
            throw context->lost;
    });
}

/* --- the devices ---------------------------------------------------------- */

/* As compute capability 9.0 has it, in bytes and threads. */
#define MOST_SHARED (48 * 1024)
#define MOST_SHARED_OPTIN (227 * 1024)
#define SHARED_OF_MULTIPROCESSOR (228 * 1024)
#define SHARED_RESERVED 1024 /* for each block */
#define THREADS_OF_MULTIPROCESSOR 2048

static int n_multiprocessors()
{
    return setting("SIMCUDA_MULTIPROCESSORS", 2);
}

API cuDriverGetVersion(int *const version)
{
    return simulate(HERE, LOST, [=](Call &) { *version = setting("SIMCUDA_VERSION", 12080); });
}

API cuDeviceGetCount(int *const count)
{
    return simulate(HERE, LOST, [=](Call &) { *count = n_devices(); });
}

API cuDeviceGet(CUdevice *const device, const int ordinal)
{
    return simulate(HERE, LOST, [=](Call &) {
        if (ordinal < 0 || ordinal >= n_devices())
            throw CUDA_ERROR_INVALID_DEVICE;
        *device = ordinal;
    });
}

API cuDeviceGetName(char *const name, const int size, CUdevice)
{
    return simulate(HERE, LOST, [=](Call &) { snprintf(name, (size_t) size, "simulated GPU"); });
}

API cuDeviceGetAttribute(int *const value, const CUdevice_attribute attribute, CUdevice)
{
    return simulate(HERE, LOST, [=](Call &) {
        switch (attribute) {
        case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = n_multiprocessors(); break;
        case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
            *value = MOST_SHARED_OPTIN;
            break;
        case CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH: *value = 1; break;
        case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = 9; break;
        case CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT: *value = 512; break;
        default: *value = 0; break;
        }
    });
}

API cuDevicePrimaryCtxRetain(CUcontext *const handle, const CUdevice device)
{
    return simulate(HERE, LOST, [=](Call &) {
        if (device != 0) /* only that one has a primary context */
            throw CUDA_ERROR_INVALID_DEVICE;
        if (n_retained == 0)
            primary = new_context(device);
        n_retained++;
        *handle = (CUcontext) primary;
    });
}

API cuDevicePrimaryCtxRelease_v2(CUdevice)
{
    return simulate(HERE, FAILED, [=](Call &call) {
        if (n_retained == 0)
            throw CUDA_ERROR_INVALID_CONTEXT;
        if (--n_retained == 0)
            end_context(call.guard, primary);
    });
}

/* --- modules -------------------------------------------------------------- */

struct Module {
    static constexpr const char *noun = "a module";
    Context *context;
};

struct Function {
    static constexpr const char *noun = "a function";
    Context *context;
    const Module *module;
    const SimKernel &kernel;
    int most_shared = MOST_SHARED; /* dynamic, in bytes */
};

/* Any image loads the product's kernels. */
API cuModuleLoadData(CUmodule *const handle, const void *)
{
    return simulate(HERE, [=](Call &call) {
        *handle = (CUmodule) keep(std::make_shared<Module>(Module{ call.context() }));
    });
}

/* The driver of an H100 does not get back all memory. */
API cuModuleUnload(CUmodule const handle)
{
    return simulate(HERE, FAILED, [=](Call &call) {
        const auto module = call.find<Module>(handle);
        lost_memory += 1 << 20;
        for (auto i = live<Function>.begin(); i != live<Function>.end();)
            i = i->second->module == module.get() ? live<Function>.erase(i) : std::next(i);
        live<Module>.erase(handle);
    });
}

API cuModuleGetFunction(CUfunction *const handle, CUmodule const module_handle,
                        const char *const name)
{
    return simulate(HERE, [=](Call &call) {
        const auto module = call.find<Module>(module_handle);
        const SimKernel *const kernel = sim_find_kernel(name);
        if (kernel == nullptr)
            throw CUDA_ERROR_NOT_FOUND;
        for (const auto &i : live<Function>)
            if (i.second->module == module.get() && &i.second->kernel == kernel) {
                *handle = (CUfunction) i.second.get();
                return;
            }
        const Function function = { module->context, module.get(), *kernel };
        *handle = (CUfunction) keep(std::make_shared<Function>(function));
    });
}

API cuFuncGetAttribute(int *const value, const CUfunction_attribute attribute,
                       CUfunction const handle)
{
    return simulate(HERE, [=](Call &call) {
        const auto function = call.find<Function>(handle);
        call.in_context(function->context);
        if (attribute != CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
            throw CUDA_ERROR_NOT_SUPPORTED;
        *value = (int) sim_max_threads(function->kernel);
    });
}

API cuFuncSetAttribute(CUfunction const handle, const CUfunction_attribute attribute,
                       const int value)
{
    return simulate(HERE, [=](Call &call) {
        const auto function = call.find<Function>(handle);
        call.in_context(function->context);
        if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
            throw CUDA_ERROR_NOT_SUPPORTED;
        if (value < 0 || value > MOST_SHARED_OPTIN)
            throw CUDA_ERROR_INVALID_VALUE;
        function->most_shared = value;
    });
}

/* --- launches ------------------------------------------------------------- */

static std::shared_ptr<Arguments> take_arguments(const SimKernel &kernel, void *const *const params)
{
    const auto args = std::make_shared<Arguments>();
    for (size_t i = 0; i < kernel.params.size(); i++) {
        const size_t size = kernel.params[i].size;
        args->values.emplace_back(size / sizeof(Arguments::Part) + 1);
        args->params.push_back(memcpy(args->values.back().data(), params[i], size));
    }
    return args;
}

/* Words that point into an allocation are uses of it. */
static std::vector<Allocation *> find_uses(const Call &call, const Launch &l)
{
    std::set<Allocation *> uses;
    for (size_t i = 0; i < l.args->params.size(); i++) {
        const uint64_t *const words = (const uint64_t *) l.args->params[i];
        for (const size_t w : l.kernel->params[i].pointers) {
            Allocation *const a = find_allocation((const void *) words[w]);
            if (a && a->freed)
                call.refuse(CUDA_ERROR_INVALID_VALUE,
                            "%s: argument %zu points to memory that was freed (allocation %llu)",
                            l.kernel->name, i, (unsigned long long) a->number);
            if (a)
                uses.insert(a);
        }
    }
    return { uses.begin(), uses.end() };
}

/* The value of an attribute that a launch need not have. */
static bool has_attribute(const CUlaunchConfig &c, const CUlaunchAttributeID id)
{
    for (unsigned int i = 0; i < c.numAttrs; i++)
        if (c.attrs[i].id == id) /* both are an int */
            return id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE ?
                       c.attrs[i].value.cooperative :
                       c.attrs[i].value.programmaticStreamSerializationAllowed;
    return false;
}

static bool is_cooperative(const CUlaunchConfig &c)
{
    return has_attribute(c, CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
}

/* Whether all blocks can run at the same time, on a GPU that does nothing else. */
static bool all_fit(const CUlaunchConfig &c)
{
    const uint64_t n_blocks = (uint64_t) c.gridDimX * c.gridDimY * c.gridDimZ;
    const uint32_t n_threads = c.blockDimX * c.blockDimY * c.blockDimZ;
    const uint32_t by_threads = THREADS_OF_MULTIPROCESSOR / n_threads;
    const uint32_t by_shared = SHARED_OF_MULTIPROCESSOR / (SHARED_RESERVED + c.sharedMemBytes);
    return n_blocks <= (uint64_t) n_multiprocessors() * std::min(by_threads, by_shared);
}

static void check_launch(const Call &call, const SimKernel &kernel, const CUlaunchConfig &c,
                         const int most_shared)
{
    const uint64_t n_blocks = (uint64_t) c.gridDimX * c.gridDimY * c.gridDimZ;
    const uint64_t n_threads = (uint64_t) c.blockDimX * c.blockDimY * c.blockDimZ;
    if (n_blocks == 0 || c.gridDimX > INT32_MAX || c.gridDimY > 65535 || c.gridDimZ > 65535 ||
        n_threads == 0 || n_threads > 1024)
        call.refuse(CUDA_ERROR_INVALID_VALUE,
                    "%s: a grid of %u x %u x %u blocks of %u x %u x %u threads", kernel.name,
                    c.gridDimX, c.gridDimY, c.gridDimZ, c.blockDimX, c.blockDimY, c.blockDimZ);
    for (unsigned int i = 0; i < c.numAttrs; i++)
        if (c.attrs[i].id != CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION &&
            c.attrs[i].id != CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
            throw CUDA_ERROR_NOT_SUPPORTED;
    if (c.sharedMemBytes > (unsigned int) most_shared)
        call.refuse(CUDA_ERROR_INVALID_VALUE, "%s: %u bytes of shared memory, of at most %d",
                    kernel.name, c.sharedMemBytes, most_shared);
    if (is_cooperative(c) && !all_fit(c))
        call.refuse(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
                    "%s: %llu blocks do not run at the same time", kernel.name,
                    (unsigned long long) n_blocks);
}

Launch make_launch(const Call &call, CUfunction const handle, const CUlaunchConfig &c,
                   void *const *const params)
{
    const auto function = call.find<Function>(handle);
    const SimKernel &kernel = function->kernel;
    check_launch(call, kernel, c, function->most_shared);
    return { &kernel,
             { c.gridDimX, c.gridDimY, c.gridDimZ },
             { c.blockDimX, c.blockDimY, c.blockDimZ },
             take_arguments(kernel, params),
             c.sharedMemBytes,
             is_cooperative(c) };
}

Operation make_operation(const Call &call, const Launch &l, const bool overlaps)
{
    static uint64_t n_launches;
    const uint64_t seed = (uint64_t) setting("SIMCUDA_SEED", 1) * 0x100000001b3u + n_launches++;
    const auto args = l.args; /* live as long as the operation does */
    const auto grid = std::make_shared<SimGrid>(SimLaunch{ l.kernel->name, l.kernel->call,
                                                           args->params.data(), l.grid, l.block,
                                                           seed, l.shared, l.is_cooperative });
    Operation op;
    op.kind = Kind::KERNEL;
    op.uses = find_uses(call, l);
    op.run = [=] {
        (void) args;
        if (!grid->finish())
            throw CUDA_ERROR_LAUNCH_TIMEOUT;
    };
    if (overlaps)
        op.begin = [=] {
            if (!grid->begin())
                throw CUDA_ERROR_LAUNCH_TIMEOUT;
        };
    return op;
}

/* Whether it may begin before the kernel before it in the stream is done. */
static bool overlaps(const CUlaunchConfig &c)
{
    return has_attribute(c, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
}

API cuLaunchKernelEx(const CUlaunchConfig *const config, CUfunction const handle,
                     void **const params, void **)
{
    return simulate(HERE, [=](Call &call) {
        const auto stream = call.stream(config->hStream);
        const Launch launch = make_launch(call, handle, *config, params);
        const bool follows = stream->last == Kind::KERNEL;
        /* work that another thread enqueued must be waited for */
        if (overlaps(*config) && !follows && stream->last_from == std::this_thread::get_id())
            sim_fail("%s: %s is to overlap what comes before it in the stream, which is no kernel",
                     call.name, launch.kernel->name);
        submit(stream, make_operation(call, launch, overlaps(*config) && follows));
    });
}
