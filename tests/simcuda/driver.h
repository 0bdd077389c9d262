/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The simulated driver's objects, and the code that its entry points share. One lock guards all of
 * it, except the memory that copies and kernels access. */

#ifndef SIMCUDA_DRIVER_H
#define SIMCUDA_DRIVER_H

#include <condition_variable>
#include <cuda.h>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "run.h"
#include "sim.h"

#define API extern "C" __attribute__((visibility("default"))) CUresult

extern std::mutex &driver_lock;
typedef std::unique_lock<std::mutex> Guard;

/* --- objects -------------------------------------------------------------- */

struct Stream;

struct Context {
    CUdevice device;
    std::shared_ptr<Stream> null_stream = {};
    CUresult lost = CUDA_SUCCESS; /* the sticky error */
    bool ended = false;           /* destroyed, but kept: a thread may have it current */
};

struct Allocation {
    uint8_t *data;
    size_t size;
    Context *context;
    bool host; /* page-locked, else device */
    uint64_t number;
    bool freed = false;     /* kept for a while, without access */
    uint32_t in_flight = 0; /* operations not done that use it, */
    uint32_t in_use = 0;    /* and of those the ones that have begun */
};

struct Place { /* in a stream: done when it has completed `ticket` operations */
    std::shared_ptr<Stream> stream;
    uint64_t ticket = 0;
};

/* Says when an operation is run: as late as the driver may. */
enum class Kind {
    OTHER,        /* at once */
    KERNEL,       /* once the next operation is known, which may overlap it */
    COPY_TO_HOST, /* once somebody waits for it */
};

struct Operation {
    std::function<void()> run; /* throws the CUresult that it fails with */
    std::vector<Allocation *> uses;
    Kind kind = Kind::OTHER;
    std::function<void()> begin = {}; /* may run before the previous operation is done */
    std::vector<Place> after = {};
};

struct Stream {
    static constexpr const char *noun = "a stream";
    Context *context;
    bool blocking; /* takes turns with the null stream */
    std::deque<Operation> queue = {};
    Kind last = Kind::OTHER;        /* submitted ... */
    std::thread::id last_from = {}; /* ... by that thread */
    uint64_t n_submitted = 0, n_completed = 0;
    uint64_t n_wanted = 0; /* up to which a thread waits */
    bool ends = false;
    std::condition_variable filled = {}, done = {};
    std::set<uint64_t> awaited = {}; /* tickets that `done` reports */
};

/* All objects of a kind that live, by handle. T has a noun and a context. */
template <typename T> auto &live = *new std::map<const void *, std::shared_ptr<T>>;

/* Adds one; its handle. */
template <typename T> T *keep(const std::shared_ptr<T> &object)
{
    live<T>[object.get()] = object;
    return object.get();
}

/* At exit: reports objects that were not destroyed. */
template <typename T> void check_left()
{
    for (const auto &i : live<T>)
        if (i.second->context->lost == CUDA_SUCCESS)
            sim_fail("%s was not destroyed", T::noun);
}

/* --- calls: check.cpp ----------------------------------------------------- */

/* The number that the environment variable has, or else is to have. */
int setting(const char *name, int otherwise);

/* States in which an entry point still works. */
enum InSpiteOf {
    LOST = 1,   /* a lost context */
    FAILED = 2, /* its own failure: it gives something back, and as in the driver its
                 * error may be that of earlier work */
};

/* A call of an entry point, which holds the lock. Invalid arguments throw the CUresult to
 * return. */
struct Call {
    const char *name;
    Guard guard;
    CUresult failed; /* it is to fail with this */

    /* Reports, with the call's name; then throws. */
    [[noreturn]] void refuse(CUresult error, const char *format, ...) const
        __attribute__((format(printf, 3, 4)));
    /* The calling thread's context. */
    Context *context() const;
    /* Something of `owner` is used: must be in its context. */
    void in_context(const Context *owner) const;
    std::shared_ptr<Stream> stream(CUstream handle) const;
    /* The allocation that has [p, p + n). */
    Allocation *range(const void *p, size_t n) const;
    /* Waits; throws if the context is lost by then. */
    void wait_for(const Place &place);

    /* The object of a handle. */
    template <typename T> std::shared_ptr<T> find(const void *const handle) const
    {
        const auto i = live<T>.find(handle);
        if (i == live<T>.end())
            refuse(CUDA_ERROR_INVALID_HANDLE, "%p is not %s", handle, T::noun);
        in_context(i->second->context);
        return i->second;
    }
};

struct Caller {
    const char *call;
    const void *address;
};
#define HERE                                  \
    Caller                                    \
    {                                         \
        __func__, __builtin_return_address(0) \
    }

/* The body of an entry point: counts the call, and fails as requested or calls `work`, which
 * returns or throws the result. */
typedef std::function<void(Call &)> Work;
CUresult simulate(const Caller &caller, int in_spite_of, const Work &work);
inline CUresult simulate(const Caller &caller, const Work &work)
{
    return simulate(caller, 0, work);
}

/* --- context.cpp ---------------------------------------------------------- */

/* The calling thread's context, or nullptr. */
Context *current_context();
/* At the end: those that were not destroyed. */
void check_contexts();

/* A kernel's arguments, by value, as they were. */
struct Arguments {
    struct alignas(16) Part { /* as structures of 16-byte members need it */
        uint64_t words[2];
    };
    std::vector<std::vector<Part>> values;
    std::vector<void *> params;
};

struct Launch {
    const SimKernel *kernel;
    SimDim grid, block;
    std::shared_ptr<Arguments> args;
    uint32_t shared; /* bytes for each block */
    bool is_cooperative;
};

Launch make_launch(const Call &call, CUfunction handle, const CUlaunchConfig &config,
                   void *const *params);
/* For a stream. If it overlaps the previous operation, some of its blocks run first. */
Operation make_operation(const Call &call, const Launch &launch, bool overlaps);

/* --- memory.cpp ----------------------------------------------------------- */

/* The allocation that holds `p`, or whose red zones do; nullptr if none. */
Allocation *find_allocation(const void *p);
/* At exit: checks red zones, and reports memory that was not freed. */
void check_memory();

/* Device memory that is lost, in bytes. */
extern size_t lost_memory;

/* --- graph.cpp ---------------------------------------------------------------- */

/* At the end: those that were not destroyed. */
void check_graphs();

/* --- stream.cpp ----------------------------------------------------------- */

/* With its thread. */
std::shared_ptr<Stream> new_stream(Context *context, bool blocking);
/* Lets it finish and end. */
void end_stream(const std::shared_ptr<Stream> &stream);
Place submit(const std::shared_ptr<Stream> &stream, Operation &&operation);
void wait_for(Guard &guard, const Place &place);
/* Nothing up to there is put off any longer. */
void want(const Place &place);
/* Waits until all operations that use the allocation have ended. */
void wait_for_users(Guard &guard, const Allocation *a);
/* For all streams of the context. */
void wait_for_context(Guard &guard, const Context *context);
/* At exit: waits for destroyed streams, and reports the others and events. */
void check_streams(Guard &guard);

#endif /* SIMCUDA_DRIVER_H */
