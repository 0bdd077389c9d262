/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* A block's threads are fibers. One runs until it has to wait, or is interrupted; the next one is
 * chosen at random. Several blocks run alternately, so that they interact in the middle of their
 * work. All of this happens on the thread that called begin or finish; other callers wait. */

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>

#include "schedule.h"
#include "sim.h"

/* Blocks under way at a time, at the most, unless they cooperate. */
#define MOST_RESIDENT 3
/* One in this number of atomics switches to another thread; one in this number of such switches to
 * another block. */
#define SWITCH_EVERY 8
#define LEAVE_EVERY 32

const SimNow *simcuda_now;

static SimGrid *grid; /* that runs now */
static std::mutex &one_at_a_time = *new std::mutex;
static Fiber scheduler;                                         /* where run_blocks continues */
static auto &fibers = *new std::vector<std::unique_ptr<Fiber>>; /* all that were needed so far */
static auto &idle = *new std::vector<Fiber *>;                  /* those without a thread */

/* --- chance --------------------------------------------------------------- */

static uint32_t below(const uint32_t n) /* SplitMix64 (Steele, Lea and Flood, 2014) */
{
    uint64_t z = grid->chance += 0x9e3779b97f4a7c15u;
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

/* A kernel with dynamic shared memory has no other. */
static void bring_shared(Block &b)
{
    if (shared_owner == &b || grid->launch.dynamic_shared > 0)
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

void *simcuda_dynamic_shared()
{
    return running_thread().block->dynamic_shared.data();
}

/* --- the running thread --------------------------------------------------- */

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

/* The function of a fiber: runs threads one after the other. */
static void run_threads();

/* The fiber of a thread. A thread that has not begun gets the one that became idle last, because
 * its stack is still in the cache. */
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

/* From the running thread to the next one, or if there is none to run_blocks. */
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

void simcuda_wait_for_grids()
{
    if (!grid->overlaps)
        return;
    running_thread().block->early.push_back(&running_thread());
    wait_here();
}

uint64_t simcuda_told()
{
    return grid->n_told;
}

void simcuda_wait_for_blocks(const uint64_t since)
{
    if (since != grid->n_told)
        return;
    if (!grid->launch.cooperative)
        simcuda_misuse("it waits for blocks that need not run before it ends");
    else
        running_thread().block->untold.push_back(&running_thread());
    wait_here();
}

void simcuda_tell_blocks()
{
    grid->n_told++;
    for (Block &b : grid->blocks) {
        for (Thread *const t : b.untold)
            make_runnable(*t);
        b.untold.clear();
    }
}

static void run_threads()
{
    for (;;) {
        grid->launch.call(grid->launch.params);
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
    const SimDim g = grid->launch.grid_size, s = grid->launch.block_size;
    const uint32_t n_threads = s.x * s.y * s.z, n_warps = (n_threads + WARP - 1) / WARP;
    b.active = true;
    b.n_done = b.n_arrived = 0;
    b.order = (Order) below((uint32_t) Order::N);
    b.starved_warp = below(n_warps);
    b.warps.assign(n_warps, {});
    b.runnable.clear();
    b.starved.clear();
    b.early.clear();
    b.untold.clear();
    b.shared.clear();
    b.dynamic_shared.assign(grid->launch.dynamic_shared, (char) SIM_POISON);
    b.threads.assign(n_threads, {});
    for (uint32_t i = 0; i < n_threads; i++) {
        Thread &t = b.threads[i];
        t.now = { grid->launch.name,
                  { i % s.x, i / s.x % s.y, i / s.x / s.y },
                  { index % g.x, index / g.x % g.y, index / g.x / g.y },
                  s,
                  g,
                  i % WARP };
        t.block = &b;
        t.index = i;
        make_runnable(t);
    }
    shuffle(b.runnable);
}

static bool can_run(const Block &b)
{
    return !b.runnable.empty() || !b.starved.empty();
}

/* Until all of it is done, it waits for grids, it is stuck, or it is another
 * block's turn. Returns whether it is not stuck. */
static bool run_block(Block &b)
{
    bring_shared(b);
    go_on(scheduler, pick(b));
    if (can_run(b) || !b.early.empty() || !b.untold.empty())
        return true;
    if (shared_owner == &b)
        shared_owner = nullptr;
    b.active = false;
    if (b.n_done == b.threads.size())
        return true;
    report_stuck(b);
    return false;
}

/* Whether some blocks wait for others that have ended, or wait, too. */
static bool report_untold()
{
    size_t n = 0;
    for (const Block &b : grid->blocks)
        n += !b.untold.empty();
    if (n > 0)
        sim_fail("%s: %zu of %zu blocks wait for others that do not report anything",
                 grid->launch.name, n, grid->blocks.size());
    return n > 0;
}

/* Until none can run. Returns whether none is stuck. */
static bool run_blocks()
{
    std::vector<Block *> ready;
    for (;;) {
        ready.clear();
        for (Block &b : grid->blocks) {
            if (!b.active && !grid->overlaps && !grid->order.empty()) {
                start_block(b, grid->order.back());
                grid->order.pop_back();
            }
            if (b.active && can_run(b))
                ready.push_back(&b);
        }
        if (ready.empty())
            return !report_untold();
        if (!run_block(*ready[below((uint32_t) ready.size())]))
            return false;
    }
}

/* --- grids ---------------------------------------------------------------- */

SimGrid::SimGrid(const SimLaunch &l) : launch(l), chance(l.seed)
{
}

/* Threads that have begun and are not done never will be. */
SimGrid::~SimGrid()
{
    std::lock_guard<std::mutex> guard(one_at_a_time);
    for (Block &b : blocks) {
        if (shared_owner == &b)
            shared_owner = nullptr;
        for (const Thread &t : b.threads) {
            if (t.fiber == nullptr || t.state == State::DONE)
                continue;
            fiber_release(*t.fiber);
            fibers.erase(std::find_if(fibers.begin(), fibers.end(),
                                      [&](const auto &f) { return f.get() == t.fiber; }));
        }
    }
}

/* Draws the order of the blocks, and starts the first ones. */
static void set_out()
{
    const SimDim g = grid->launch.grid_size;
    std::vector<uint32_t> &order = grid->order;
    order.resize(g.x * g.y * g.z);
    for (size_t i = 0; i < order.size(); i++)
        order[i] = (uint32_t) i;
    shuffle(order);
    const size_t n_resident = 1 + below(MOST_RESIDENT);
    grid->blocks.resize(grid->launch.cooperative ? order.size() :
                                                   std::min(n_resident, order.size()));
    for (Block &b : grid->blocks) {
        start_block(b, order.back());
        order.pop_back();
    }
}

bool SimGrid::begin()
{
    std::lock_guard<std::mutex> guard(one_at_a_time);
    grid = this;
    overlaps = true;
    set_out();
    const bool good = run_blocks();
    overlaps = false;
    return good;
}

bool SimGrid::finish()
{
    std::lock_guard<std::mutex> guard(one_at_a_time);
    grid = this;
    if (blocks.empty())
        set_out();
    for (Block &b : blocks) {
        for (Thread *const t : b.early)
            make_runnable(*t);
        b.early.clear();
    }
    return run_blocks();
}
