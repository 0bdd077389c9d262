/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The simulated driver's objects. A handle is a pointer to one. Everything here
 * is guarded by `driver_lock`, but for the memory that copies and kernels touch. */

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

#include "sim.h"

#define DRIVER_VERSION 12080
#define N_DEVICES 2
#define DEVICE_MEMORY ((size_t) 1 << 30)
#define HOST_MEMORY ((size_t) 1 << 30)

extern std::mutex &driver_lock;
extern std::condition_variable &driver_changed;
typedef std::unique_lock<std::mutex> Guard;

struct Stream;

struct Context {
    CUdevice device = 0;
    std::shared_ptr<Stream> null_stream;
    std::vector<std::shared_ptr<Stream>> streams; /* others, not destroyed */
    CUresult sticky = CUDA_SUCCESS;
    bool ended = false; /* destroyed, but kept: a thread may have it current */
};

/* --- check.cpp: entry points ---------------------------------------------- */

/* One for each entry point that has been called. */
class Entry {
  public:
    explicit Entry(const char *name);
    /* Counts; what the call is to fail with instead of doing its work. */
    CUresult called(bool always, const void *caller);

  private:
    const char *name;
    uint64_t count = 0;
    friend void print_counts();
};

/* First line of each entry point. A call fails if SIMCUDA_FAIL says so, or once
 * the current context is lost. */
#define ENTRY                                                                                 \
    static Entry entry(__func__);                                                             \
    if (const CUresult failed = entry.called(false, __builtin_return_address(0)))             \
        return failed;
/* The same of one that no lost context keeps from working. */
#define ENTRY_ALWAYS                                                                          \
    static Entry entry(__func__);                                                             \
    if (const CUresult failed = entry.called(true, __builtin_return_address(0)))              \
        return failed;
/* The same of one that gives something back: as in the driver its error may be
 * that of earlier work, and it is done all the same. */
#define ENTRY_RELEASE                                                                         \
    static Entry entry(__func__);                                                             \
    const CUresult failed = entry.called(false, __builtin_return_address(0));

#define API extern "C" __attribute__((visibility("default"))) CUresult

/* The context is lost: all calls fail from now on. */
bool is_sticky(CUresult error);

/* --- context.cpp ---------------------------------------------------------- */

/* The calling thread's context, or nullptr. */
Context *current_context();
/* The same for a call that needs one; without it, a failure. */
Context *need_context(const char *call);
/* An object of `owner` is used: fails in another context. */
bool in_context(const char *call, const Context *owner);

/* --- memory.cpp ----------------------------------------------------------- */

struct Allocation {
    uint8_t *data;
    size_t size;
    Context *context;
    bool host;         /* page-locked, else device */
    bool freed;        /* kept for a while, without access */
    uint32_t in_flight; /* operations not done that use it */
    uint64_t number;
};

/* The allocation that holds `p`, or whose red zones do; nullptr if none. */
Allocation *find_allocation(const void *p);
/* Whether [p, p + n) is inside one that lives; reports it if not. */
Allocation *check_range(const char *call, const void *p, size_t n, bool host);
/* At the end: red zones and what was not freed. */
void check_memory();

/* --- stream.cpp ----------------------------------------------------------- */

struct Place { /* in a stream: done when it has completed so many operations */
    std::shared_ptr<Stream> stream;
    uint64_t ticket = 0;
};

struct Operation {
    std::function<CUresult()> run;
    std::vector<Place> after;
    std::vector<Allocation *> uses;
};

struct Stream {
    Context *context;
    bool blocking; /* takes turns with the null stream */
    std::deque<Operation> queue;
    uint64_t n_submitted = 0, n_completed = 0;
    bool ends = false, has_ended = false;
    std::thread worker;
};

/* The stream of a handle, or nullptr after a report. */
std::shared_ptr<Stream> find_stream(const char *call, CUstream handle);
Place submit(const std::shared_ptr<Stream> &stream, Operation &&operation);
/* Waits; then the error that the context is lost with, if it is. */
CUresult wait_for(Guard &guard, const Place &place);
CUresult wait_for_context(Guard &guard, Context *context);
/* A new stream, with its thread. */
std::shared_ptr<Stream> new_stream(Context *context, bool blocking);
/* Lets it finish and end. */
void end_stream(Guard &guard, const std::shared_ptr<Stream> &stream);
/* At the end: streams and events that were not destroyed; all threads end. */
void check_streams(Guard &guard);
void check_contexts();

#endif /* SIMCUDA_DRIVER_H */
