/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* A block's threads are fibers. One runs until it has to wait, or is made to;
 * which one goes on is drawn at random. Several blocks are under way at a time
 * and take turns, so that blocks meet in the middle of their work. All of this
 * happens on the one thread that called simcuda_run; others that do so wait. */

#include <cstring>
#include <memory>
#include <mutex>

#include "schedule.h"
#include "sim.h"

/* Blocks under way at a time, at the most. */
#define MOST_RESIDENT 3
/* One in so many atomics lets another thread run; one in so many of these
 * another block. */
#define SWITCH_EVERY 8
#define LEAVE_EVERY 32

const SimNow *simcuda_now;

static const SimLaunch *launch;
static auto &blocks = *new std::vector<Block>(MOST_RESIDENT);
static Fiber scheduler; /* where simcuda_run goes on */
static auto &fibers = *new std::vector<std::unique_ptr<Fiber>>; /* all that were needed so far */
static auto &idle = *new std::vector<Fiber *>; /* those without a thread */

/* --- chance --------------------------------------------------------------- */

static uint64_t chance;

static uint32_t below(const uint32_t n) /* SplitMix64 (Steele, Lea and Flood, 2014) */
{
    uint64_t z = chance += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t) (((z ^ z >> 31) >> 32) * n >> 32);
}

template <typename T> static void shuffle(std::vector<T> &v)
{
    for (size_t i = v.size(); i > 1; i--)
        std::swap(v[i - 1], v[below((uint32_t) i)]);
}

/* --- shared memory -------------------------------------------------------- */

/* All __shared__ variables: a section of this library, which the linker names. */
extern char shared_begin[] __asm__("__start_" SIMCUDA_SHARED) __attribute__((visibility("hidden")));
extern char shared_end[] __asm__("__stop_" SIMCUDA_SHARED) __attribute__((visibility("hidden")));
static Block *shared_owner; /* whose values they have */

static void bring_shared(Block &b)
{
    if (shared_owner == &b)
        return;
    const size_t n = (size_t) (shared_end - shared_begin);
    if (shared_owner != nullptr)
        shared_owner->shared.assign(shared_begin, shared_end);
    if (b.shared.empty())
        memset(shared_begin, SIM_POISON, n);
    else
        memcpy(shared_begin, b.shared.data(), n);
    shared_owner = &b;
}

/* --- who goes on ---------------------------------------------------------- */

Thread &running_thread()
{
    return *(Thread *) simcuda_now;
}

void make_runnable(Thread &t)
{
    Block &b = *t.block;
    t.state = State::RUNNABLE;
    const bool starved = b.order == Order::STARVE && t.index / WARP == b.starved_warp;
    (starved ? b.starved : b.runnable).push_back(&t);
}

static Thread *pick(Block &b)
{
    std::vector<Thread *> &from = b.runnable.empty() ? b.starved : b.runnable;
    if (from.empty())
        return nullptr;
    if (b.order != Order::DEEP)
        std::swap(from[below((uint32_t) from.size())], from.back());
    Thread *const t = from.back();
    from.pop_back();
    return t;
}

/* What a fiber does: threads from their beginning to their end, one by one. */
static void run_threads();

/* Where a thread goes on; one that has not begun gets the fiber that became
 * idle last, whose stack is in the cache still. */
static Fiber &fiber_of(Thread &t)
{
    if (t.fiber == nullptr && idle.empty()) {
        fibers.push_back(std::make_unique<Fiber>());
        fiber_create(*fibers.back(), run_threads);
        idle.push_back(fibers.back().get());
    }
    if (t.fiber == nullptr) {
        t.fiber = idle.back();
        idle.pop_back();
    }
    return *t.fiber;
}

/* From the running thread to the next one, or if there is none to simcuda_run. */
static void go_on(Fiber &from, Thread *const next)
{
    Fiber &to = next ? fiber_of(*next) : scheduler;
    simcuda_now = next ? &next->now : nullptr;
    if (&from != &to)
        fiber_switch(from, to);
}

void wait_here()
{
    Thread &me = running_thread();
    me.state = State::WAITS;
    go_on(*me.fiber, pick(*me.block));
}

void give_way(const bool leave)
{
    Thread &me = running_thread();
    Block &b = *me.block;
    make_runnable(me);
    if (b.order == Order::DEEP && !b.runnable.empty()) /* not the same one again */
        std::swap(b.runnable.front(), b.runnable.back());
    go_on(*me.fiber, leave ? nullptr : pick(b));
}

void simcuda_may_switch()
{
    if (below(SWITCH_EVERY) == 0)
        give_way(below(LEAVE_EVERY) == 0);
}

void simcuda_switch_now()
{
    give_way(below(4) == 0);
}

static void run_threads()
{
    for (;;) {
        launch->call(launch->params);
        Thread &me = running_thread();
        me.state = State::DONE;
        me.block->n_done++;
        idle.push_back(me.fiber);
        go_on(*me.fiber, pick(*me.block));
    }
}

/* --- blocks --------------------------------------------------------------- */

static void start_block(Block &b, const uint32_t index)
{
    const SimDim g = launch->grid_size, s = launch->block_size;
    const uint32_t n_threads = s.x * s.y * s.z, n_warps = (n_threads + WARP - 1) / WARP;
    b.active = true;
    b.n_done = b.n_arrived = 0;
    b.order = (Order) below((uint32_t) Order::N);
    b.starved_warp = below(n_warps);
    b.warps.assign(n_warps, {});
    b.runnable.clear();
    b.starved.clear();
    b.shared.clear();
    b.threads.assign(n_threads, {});
    for (uint32_t i = 0; i < n_threads; i++) {
        Thread &t = b.threads[i];
        t.now = { launch->name, { i % s.x, i / s.x % s.y, i / s.x / s.y },
                  { index % g.x, index / g.x % g.y, index / g.x / g.y }, s, g, i % WARP };
        t.block = &b;
        t.index = i;
        make_runnable(t);
    }
    shuffle(b.runnable);
}

/* Until all of it is done, it is stuck, or it is another block's turn. Returns
 * whether it is not stuck. */
static bool run_block(Block &b)
{
    bring_shared(b);
    go_on(scheduler, pick(b));
    if (!b.runnable.empty() || !b.starved.empty())
        return true;
    shared_owner = nullptr;
    b.active = false;
    if (b.n_done == b.threads.size())
        return true;
    report_stuck(b);
    return false;
}

static bool run_blocks()
{
    std::vector<uint32_t> order(launch->grid_size.x * launch->grid_size.y * launch->grid_size.z);
    for (size_t i = 0; i < order.size(); i++)
        order[i] = (uint32_t) i;
    shuffle(order);
    const uint32_t n_resident = 1 + below(MOST_RESIDENT);
    for (;;) {
        Block *active[MOST_RESIDENT];
        uint32_t n = 0;
        for (uint32_t i = 0; i < n_resident; i++) {
            if (!blocks[i].active && !order.empty()) {
                start_block(blocks[i], order.back());
                order.pop_back();
            }
            if (blocks[i].active)
                active[n++] = &blocks[i];
        }
        if (n == 0)
            return true;
        if (!run_block(*active[below(n)]))
            return false;
    }
}

bool simcuda_run(const SimLaunch &l)
{
    static std::mutex &one_at_a_time = *new std::mutex;
    std::lock_guard<std::mutex> guard(one_at_a_time);
    launch = &l;
    chance = l.seed;
    const bool done = run_blocks();
    if (!done) { /* what is stuck stays so */
        for (const auto &fiber : fibers)
            fiber_release(*fiber);
        fibers.clear();
        idle.clear();
        for (Block &b : blocks)
            b.active = false;
    }
    shared_owner = nullptr;
    return done;
}
