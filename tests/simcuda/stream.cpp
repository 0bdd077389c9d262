/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Streams: a thread each, which does one operation after the other. */

#include <chrono>

#include "driver.h"

/* Streams that were destroyed, but whose threads have not been joined. */
static std::vector<std::shared_ptr<Stream>> &ended = *new std::vector<std::shared_ptr<Stream>>;

struct Event {
    Context *context;
    bool recorded = false, timed;
    Place place;
    std::shared_ptr<std::chrono::steady_clock::time_point> time;
};
static std::set<Event *> &events = *new std::set<Event *>;

static bool is_done(const Place &p)
{
    return p.stream == nullptr || p.stream->n_completed >= p.ticket;
}

static void work(const std::shared_ptr<Stream> stream)
{
    Guard guard(driver_lock);
    for (;;) {
        driver_changed.wait(guard, [&] { return stream->ends || !stream->queue.empty(); });
        if (stream->queue.empty()) {
            stream->has_ended = true;
            return;
        }
        Operation op = std::move(stream->queue.front());
        stream->queue.pop_front();
        for (const Place &p : op.after)
            driver_changed.wait(guard, [&] { return is_done(p); });
        CUresult result = stream->context->sticky;
        if (result == CUDA_SUCCESS) {
            guard.unlock();
            result = op.run();
            guard.lock();
        }
        if (result != CUDA_SUCCESS)
            stream->context->sticky = result;
        for (Allocation *const a : op.uses)
            a->in_flight--;
        stream->n_completed++;
        driver_changed.notify_all();
    }
}

std::shared_ptr<Stream> new_stream(Context *const context, const bool blocking)
{
    for (size_t i = ended.size(); i-- > 0;)
        if (ended[i]->has_ended) { /* its thread needs the lock no more */
            ended[i]->worker.join();
            ended.erase(ended.begin() + (ptrdiff_t) i);
        }
    const auto stream = std::make_shared<Stream>();
    stream->context = context;
    stream->blocking = blocking;
    stream->worker = std::thread(work, stream);
    return stream;
}

void end_stream(Guard &, const std::shared_ptr<Stream> &stream)
{
    stream->ends = true;
    driver_changed.notify_all();
    ended.push_back(stream);
}

std::shared_ptr<Stream> find_stream(const char *const call, CUstream const handle)
{
    Context *const context = need_context(call);
    if (context == nullptr)
        return nullptr;
    if (handle == nullptr || handle == CU_STREAM_LEGACY)
        return context->null_stream;
    for (const auto &s : context->streams)
        if (s.get() == (Stream *) handle)
            return s;
    sim_fail("%s: there is no such stream in the current context", call);
    return nullptr;
}

/* The null stream waits for all blocking streams, and they for it. */
Place submit(const std::shared_ptr<Stream> &stream, Operation &&op)
{
    const Context *const context = stream->context;
    if (stream == context->null_stream) {
        for (const auto &s : context->streams)
            if (s->blocking)
                op.after.push_back({ s, s->n_submitted });
    } else if (stream->blocking) {
        op.after.push_back({ context->null_stream, context->null_stream->n_submitted });
    }
    for (Allocation *const a : op.uses)
        a->in_flight++;
    stream->queue.push_back(std::move(op));
    stream->n_submitted++;
    driver_changed.notify_all();
    return { stream, stream->n_submitted };
}

CUresult wait_for(Guard &guard, const Place &place)
{
    driver_changed.wait(guard, [&] { return is_done(place); });
    return place.stream ? place.stream->context->sticky : CUDA_SUCCESS;
}

CUresult wait_for_context(Guard &guard, Context *const context)
{
    wait_for(guard, { context->null_stream, context->null_stream->n_submitted });
    const auto streams = context->streams;
    for (const auto &s : streams)
        wait_for(guard, { s, s->n_submitted });
    return context->sticky;
}

/* --- entry points --------------------------------------------------------- */

API cuStreamCreate(CUstream *const handle, const unsigned int flags)
{
    ENTRY
    Guard guard(driver_lock);
    Context *const context = need_context(__func__);
    if (context == nullptr)
        return CUDA_ERROR_INVALID_CONTEXT;
    context->streams.push_back(new_stream(context, !(flags & CU_STREAM_NON_BLOCKING)));
    *handle = (CUstream) context->streams.back().get();
    return CUDA_SUCCESS;
}

API cuStreamCreateWithPriority(CUstream *const handle, const unsigned int flags, int)
{
    ENTRY
    return cuStreamCreate(handle, flags);
}

API cuStreamDestroy_v2(CUstream const handle)
{
    ENTRY_RELEASE
    Guard guard(driver_lock);
    const auto stream = find_stream(__func__, handle);
    if (stream == nullptr || stream == stream->context->null_stream)
        return CUDA_ERROR_INVALID_HANDLE;
    auto &list = stream->context->streams;
    for (size_t i = 0; i < list.size(); i++)
        if (list[i] == stream) {
            list.erase(list.begin() + (ptrdiff_t) i);
            break;
        }
    end_stream(guard, stream);
    return failed;
}

API cuStreamSynchronize(CUstream const handle)
{
    ENTRY
    Guard guard(driver_lock);
    const auto stream = find_stream(__func__, handle);
    if (stream == nullptr)
        return CUDA_ERROR_INVALID_HANDLE;
    return wait_for(guard, { stream, stream->n_submitted });
}

API cuStreamQuery(CUstream const handle)
{
    ENTRY
    Guard guard(driver_lock);
    const auto stream = find_stream(__func__, handle);
    if (stream == nullptr)
        return CUDA_ERROR_INVALID_HANDLE;
    return stream->n_completed < stream->n_submitted ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

static Event *find_event(const char *const call, CUevent const handle)
{
    if (events.count((Event *) handle) == 0) {
        sim_fail("%s: there is no such event", call);
        return nullptr;
    }
    return in_context(call, ((Event *) handle)->context) ? (Event *) handle : nullptr;
}

API cuStreamWaitEvent(CUstream const stream_handle, CUevent const handle, unsigned int)
{
    ENTRY
    Guard guard(driver_lock);
    const auto stream = find_stream(__func__, stream_handle);
    Event *const event = find_event(__func__, handle);
    if (stream == nullptr || event == nullptr)
        return CUDA_ERROR_INVALID_HANDLE;
    submit(stream, { [] { return CUDA_SUCCESS; }, { event->place }, {} });
    return CUDA_SUCCESS;
}

API cuEventCreate(CUevent *const handle, const unsigned int flags)
{
    ENTRY
    Guard guard(driver_lock);
    Event event;
    if ((event.context = need_context(__func__)) == nullptr)
        return CUDA_ERROR_INVALID_CONTEXT;
    event.timed = !(flags & CU_EVENT_DISABLE_TIMING);
    *handle = (CUevent) *events.insert(new Event(event)).first;
    return CUDA_SUCCESS;
}

API cuEventDestroy_v2(CUevent const handle)
{
    ENTRY_RELEASE
    Guard guard(driver_lock);
    Event *const event = find_event(__func__, handle);
    if (event == nullptr)
        return CUDA_ERROR_INVALID_HANDLE;
    events.erase(event);
    delete event;
    return failed;
}

API cuEventRecord(CUevent const handle, CUstream const stream_handle)
{
    ENTRY
    Guard guard(driver_lock);
    Event *const event = find_event(__func__, handle);
    const auto stream = find_stream(__func__, stream_handle);
    if (event == nullptr || stream == nullptr)
        return CUDA_ERROR_INVALID_HANDLE;
    const auto time = std::make_shared<std::chrono::steady_clock::time_point>();
    event->recorded = true;
    event->time = time;
    event->place = submit(stream, { [time] {
        *time = std::chrono::steady_clock::now();
        return CUDA_SUCCESS;
    }, {}, {} });
    return CUDA_SUCCESS;
}

API cuEventSynchronize(CUevent const handle)
{
    ENTRY
    static uint32_t n_calls;
    Guard guard(driver_lock);
    Event *const event = find_event(__func__, handle);
    if (event == nullptr)
        return CUDA_ERROR_INVALID_HANDLE;
    const uint32_t every = sim_breaks("no-wait");
    if (every > 0 && ++n_calls % every == 0)
        return CUDA_SUCCESS;
    return wait_for(guard, Place(event->place));
}

API cuEventQuery(CUevent const handle)
{
    ENTRY
    Guard guard(driver_lock);
    Event *const event = find_event(__func__, handle);
    if (event == nullptr)
        return CUDA_ERROR_INVALID_HANDLE;
    return is_done(event->place) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

#undef cuEventElapsedTime
API cuEventElapsedTime(float *const milliseconds, CUevent const from, CUevent const to)
{
    ENTRY
    Guard guard(driver_lock);
    Event *const a = find_event(__func__, from), *const b = find_event(__func__, to);
    if (a == nullptr || b == nullptr || !a->timed || !b->timed || !a->recorded || !b->recorded)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!is_done(a->place) || !is_done(b->place))
        return CUDA_ERROR_NOT_READY;
    *milliseconds = std::chrono::duration<float, std::milli>(*b->time - *a->time).count();
    return CUDA_SUCCESS;
}

void check_streams(Guard &guard)
{
    for (const Event *const event : events)
        if (event->context->sticky == CUDA_SUCCESS)
            sim_fail("an event was not destroyed");
    for (size_t i = 0; i < ended.size(); i++) {
        std::thread worker = std::move(ended[i]->worker);
        guard.unlock();
        worker.join();
        guard.lock();
    }
}
