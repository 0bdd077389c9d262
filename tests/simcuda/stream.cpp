/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Streams: a thread each, which does one operation after the other, some of them
 * late. Events. */

#include <algorithm>
#include <chrono>
#include <thread>

#include "driver.h"

using Clock = std::chrono::steady_clock;

struct Event {
    static constexpr const char *noun = "an event";
    Context *context;
    Place place = {};                                /* of no stream: not yet recorded */
    std::shared_ptr<Clock::time_point> reached = {}; /* once it is done */
};

/* Streams that were destroyed, but whose threads have not ended. */
static uint32_t n_ending;
static std::condition_variable &one_ended = *new std::condition_variable;

/* An operation is done. */
static std::condition_variable &one_done = *new std::condition_variable;

static bool is_done(const Place &p)
{
    return p.stream == nullptr || p.stream->n_completed >= p.ticket;
}

void want(const Place &place)
{
    place.stream->n_wanted = std::max(place.stream->n_wanted, place.ticket);
    place.stream->filled.notify_all();
}

void wait_for(Guard &guard, const Place &place)
{
    if (is_done(place))
        return;
    want(place);
    place.stream->awaited.insert(place.ticket);
    place.stream->done.wait(guard, [&] { return is_done(place); });
}

void wait_for_users(Guard &guard, const Allocation *const a)
{
    one_done.wait(guard, [=] { return a->in_use == 0; });
}

/* The streams of a context, but for the null stream. */
static std::vector<std::shared_ptr<Stream>> streams_of(const Context *const context)
{
    std::vector<std::shared_ptr<Stream>> list;
    for (const auto &i : live<Stream>)
        if (i.second->context == context)
            list.push_back(i.second);
    return list;
}

void wait_for_context(Guard &guard, const Context *const context)
{
    wait_for(guard, { context->null_stream, context->null_stream->n_submitted });
    for (const auto &s : streams_of(context))
        wait_for(guard, { s, s->n_submitted });
}

/* Without the lock, but in a lost context not at all. */
static void run(Guard &guard, const std::function<void()> &what, CUresult &lost)
{
    if (lost != CUDA_SUCCESS)
        return;
    CUresult result = CUDA_SUCCESS;
    guard.unlock();
    try {
        what();
    } catch (const CUresult error) {
        result = error;
    }
    guard.lock();
    if (result != CUDA_SUCCESS)
        lost = result;
}

/* Whether the first operation need not, or cannot, wait any longer. */
static bool is_due(const Stream &s)
{
    if (s.queue.empty() || s.ends || s.n_wanted > s.n_completed)
        return !s.queue.empty() || s.ends;
    const Kind kind = s.queue.front().kind;
    return kind == Kind::OTHER || (kind == Kind::KERNEL && s.queue.size() > 1);
}

/* Begins the next operation if possible. */
static void begin_next(Guard &guard, Stream &stream)
{
    if (stream.queue.empty())
        return;
    const Operation &next = stream.queue.front();
    if (next.begin && std::all_of(next.after.begin(), next.after.end(), is_done))
        run(guard, next.begin, stream.context->lost);
}

static void work(const std::shared_ptr<Stream> stream)
{
    Guard guard(driver_lock);
    for (;;) {
        stream->filled.wait(guard, [&] { return is_due(*stream); });
        if (stream->queue.empty())
            break;
        const Operation op = std::move(stream->queue.front());
        stream->queue.pop_front();
        for (const Place &p : op.after)
            wait_for(guard, p);
        begin_next(guard, *stream);
        for (Allocation *const a : op.uses)
            a->in_use++;
        run(guard, op.run, stream->context->lost);
        for (Allocation *const a : op.uses) {
            a->in_flight--;
            a->in_use--;
        }
        one_done.notify_all();
        if (stream->awaited.erase(++stream->n_completed))
            stream->done.notify_all();
    }
    n_ending--;
    one_ended.notify_all();
}

std::shared_ptr<Stream> new_stream(Context *const context, const bool blocking)
{
    const auto stream = std::make_shared<Stream>();
    stream->context = context;
    stream->blocking = blocking;
    std::thread(work, stream).detach();
    return stream;
}

void end_stream(const std::shared_ptr<Stream> &stream)
{
    n_ending++;
    stream->ends = true;
    stream->filled.notify_all();
}

/* The null stream waits for all blocking streams, and they for it. */
Place submit(const std::shared_ptr<Stream> &stream, Operation &&op)
{
    const auto &null_stream = stream->context->null_stream;
    if (stream == null_stream) {
        for (const auto &s : streams_of(stream->context))
            if (s->blocking)
                op.after.push_back({ s, s->n_submitted });
    } else if (stream->blocking) {
        op.after.push_back({ null_stream, null_stream->n_submitted });
    }
    for (Allocation *const a : op.uses)
        a->in_flight++;
    stream->last = op.kind;
    stream->last_from = std::this_thread::get_id();
    stream->queue.push_back(std::move(op));
    stream->filled.notify_all();
    return { stream, ++stream->n_submitted };
}

void check_streams(Guard &guard)
{
    one_ended.wait(guard, [] { return n_ending == 0; });
    check_left<Stream>();
    check_left<Event>();
}

/* --- entry points --------------------------------------------------------- */

std::shared_ptr<Stream> Call::stream(CUstream const handle) const
{
    return handle == nullptr ? context()->null_stream : find<Stream>(handle);
}

void Call::wait_for(const Place &place)
{
    ::wait_for(guard, place);
    if (place.stream && place.stream->context->lost)
        throw place.stream->context->lost;
}

API cuStreamCreate(CUstream *const handle, const unsigned int flags)
{
    return simulate(HERE, [=](Call &call) {
        const bool blocking = !(flags & CU_STREAM_NON_BLOCKING);
        *handle = (CUstream) keep(new_stream(call.context(), blocking));
    });
}

API cuStreamDestroy_v2(CUstream const handle)
{
    return simulate(HERE, FAILED, [=](Call &call) {
        end_stream(call.find<Stream>(handle));
        live<Stream>.erase(handle);
    });
}

/* It may return the error of earlier work, and has waited for that, since callers such as
 * GStreamer then free the memory of the work. */
API cuStreamSynchronize(CUstream const handle)
{
    return simulate(HERE, FAILED, [=](Call &call) {
        const auto stream = call.stream(handle);
        call.wait_for({ stream, stream->n_submitted });
    });
}

API cuStreamQuery(CUstream const handle)
{
    return simulate(HERE, [=](Call &call) {
        const auto stream = call.stream(handle);
        want({ stream, stream->n_submitted });
        if (stream->n_completed < stream->n_submitted)
            throw CUDA_ERROR_NOT_READY;
    });
}

API cuEventCreate(CUevent *const handle, unsigned int)
{
    return simulate(HERE, [=](Call &call) {
        *handle = (CUevent) keep(std::make_shared<Event>(Event{ call.context() }));
    });
}

API cuEventDestroy_v2(CUevent const handle)
{
    return simulate(HERE, FAILED, [=](Call &call) {
        call.find<Event>(handle);
        live<Event>.erase(handle);
    });
}

API cuEventRecord(CUevent const handle, CUstream const stream)
{
    return simulate(HERE, [=](Call &call) {
        const auto event = call.find<Event>(handle);
        const auto reached = std::make_shared<Clock::time_point>();
        event->reached = reached;
        event->place = submit(call.stream(stream), { [reached] { *reached = Clock::now(); }, {} });
    });
}

#undef cuEventElapsedTime /* of the older ABI, which all drivers have */
API cuEventElapsedTime(float *const milliseconds, CUevent const from, CUevent const to)
{
    return simulate(HERE, [=](Call &call) {
        const auto begin = call.find<Event>(from), end = call.find<Event>(to);
        if (!begin->reached || !end->reached)
            throw CUDA_ERROR_INVALID_HANDLE;
        if (!is_done(begin->place) || !is_done(end->place))
            throw CUDA_ERROR_NOT_READY;
        *milliseconds =
            std::chrono::duration<float, std::milli>(*end->reached - *begin->reached).count();
    });
}

/* A wait for an event that is not recorded returns at once. */
API cuStreamWaitEvent(CUstream const handle, CUevent const event, unsigned int)
{
    return simulate(HERE, [=](Call &call) {
        Operation op = { [] {}, {} };
        op.after.push_back(call.find<Event>(event)->place);
        submit(call.stream(handle), std::move(op));
    });
}

API cuLaunchHostFunc(CUstream const handle, CUhostFn const function, void *const data)
{
    return simulate(HERE, [=](Call &call) {
        submit(call.stream(handle), { [=] { function(data); }, {} });
    });
}

API cuEventSynchronize(CUevent const handle)
{
    return simulate(HERE, [=](Call &call) {
        static uint32_t n_waits;
        const auto event = call.find<Event>(handle);
        const uint32_t every = sim_breaks("no-wait");
        if (every == 0 || ++n_waits % every != 0)
            call.wait_for(Place(event->place)); /* which may be recorded again meanwhile */
    });
}
