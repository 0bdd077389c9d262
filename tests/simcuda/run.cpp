/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* A block's threads are fibers. One runs until it has to wait, or is made to;
 * which one goes on is drawn at random. Several blocks are under way at a time
 * and take turns, so that blocks meet in the middle of their work. All of this
 * happens on the one thread that called simcuda_run. */

#include <cstdlib>
#include <cstring>
#include <link.h>
#include <memory>
#include <pthread.h>
#include <vector>

#include "fiber.h"
#include "run.h"
#include "sim.h"

#define WARP 32
#define STACK_SIZE (256 * 1024)
/* Blocks under way at a time, at the most. */
#define MOST_RESIDENT 3
/* One in so many atomics lets another thread run; one in so many of these
 * another block. */
#define SWITCH_EVERY 8
#define LEAVE_EVERY 32

thread_local const SimNow *simcuda_now;

/* --- chance --------------------------------------------------------------- */

struct Chance { /* SplitMix64 (Steele, Lea and Flood, 2014) */
    uint64_t state;
    uint32_t below(const uint32_t n)
    {
        uint64_t z = state += 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        return (uint32_t) ((z ^ z >> 31) >> 32) % n;
    }
    template <typename T> void shuffle(std::vector<T> &v)
    {
        for (size_t i = v.size(); i > 1; i--)
            std::swap(v[i - 1], v[below((uint32_t) i)]);
    }
};

/* --- shared memory -------------------------------------------------------- */

/* __shared__ variables are thread_local: this library's thread-local segment is
 * the running block's shared memory. The library has no other such variable
 * than simcuda_now, which is set whenever a thread goes on. */
struct Segment {
    char *start = nullptr;
    size_t size = 0;
};

static int find_segment(dl_phdr_info *const info, size_t, void *const found)
{
    bool ours = false;
    Segment segment;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) &h = info->dlpi_phdr[i];
        const uintptr_t at = (uintptr_t) &find_segment - info->dlpi_addr;
        ours |= h.p_type == PT_LOAD && at >= h.p_vaddr && at < h.p_vaddr + h.p_memsz;
        if (h.p_type == PT_TLS)
            segment = { (char *) info->dlpi_tls_data, h.p_memsz };
    }
    if (ours)
        *(Segment *) found = segment;
    return ours;
}

/* --- threads and blocks --------------------------------------------------- */

enum class State { RUNNABLE, WARP_OP, BARRIER, DONE };

struct Block;

struct Thread {
    Fiber fiber;
    SimNow now;
    Block *block;
    State state = State::DONE;
    uint32_t index; /* in the block */
    uint64_t value;  /* that it brought to an operation of its warp ... */
    uint32_t from;
    uint64_t result; /* ... and what came out */
    uint32_t n_barriers;
    struct Warp &warp();
};

/* An operation that some lanes have come to. */
struct Pending {
    SimWarpOp op;
    uint32_t mask, arrived;
};

struct Warp {
    Pending pending[WARP];
    uint32_t n_pending;
};

enum class Order { ANY, DEEP, STARVE, N };

struct Machine;

struct Block {
    Machine *machine;
    std::vector<std::unique_ptr<Thread>> threads; /* as many as a launch had so far */
    std::vector<Warp> warps;
    std::vector<Thread *> runnable, starved; /* starved: only if no other can run */
    uint32_t n_threads, n_done, n_arrived;
    SimBarrier barrier;
    bool barrier_or, barrier_and;
    Order order;
    uint32_t starved_warp;
    std::vector<char> shared; /* while another block runs */
    bool active = false;
};

Warp &Thread::warp()
{
    return block->warps[index / WARP];
}

struct Machine {
    const SimLaunch *launch;
    Chance chance;
    Segment segment;
    Fiber main;
    Block blocks[MOST_RESIDENT];
    bool stuck;
};

/* One for each thread that runs kernels, kept while that lives; not
 * thread_local, for that is shared memory. */
static pthread_key_t machine_key;

static void delete_machine(void *const p)
{
    Machine *const m = (Machine *) p;
    for (Block &block : m->blocks)
        for (const auto &t : block.threads)
            fiber_release(t->fiber);
    delete m;
}

static Machine &my_machine()
{
    static const int once = pthread_key_create(&machine_key, delete_machine);
    (void) once;
    Machine *m = (Machine *) pthread_getspecific(machine_key);
    if (m == nullptr) {
        m = new Machine();
        fiber_adopt_thread(m->main);
        for (Block &block : m->blocks)
            block.machine = m;
        pthread_setspecific(machine_key, m);
    }
    return *m;
}

static Thread &self()
{
    return *(Thread *) ((char *) simcuda_now - offsetof(Thread, now));
}

/* --- who goes on ---------------------------------------------------------- */

static void make_runnable(Thread &t)
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
        std::swap(from[b.machine->chance.below((uint32_t) from.size())], from.back());
    Thread *const t = from.back();
    from.pop_back();
    return t;
}

/* The running thread has given itself a state: another one goes on, or with
 * `leave`, or if there is none, whoever runs the blocks. */
static void go_on(Thread &me, const bool leave)
{
    Thread *const next = leave ? nullptr : pick(*me.block);
    if (next == &me)
        return;
    simcuda_now = next ? &next->now : nullptr;
    fiber_switch(me.fiber, next ? next->fiber : me.block->machine->main,
                 me.state == State::DONE);
}

static void give_way(const bool leave)
{
    Thread &me = self();
    make_runnable(me);
    /* the end of the list is next in order DEEP */
    Block &b = *me.block;
    if (b.order == Order::DEEP && !b.runnable.empty())
        std::swap(b.runnable.front(), b.runnable.back());
    go_on(me, leave);
}

void simcuda_may_switch()
{
    Chance &chance = self().block->machine->chance;
    if (chance.below(SWITCH_EVERY) == 0)
        give_way(chance.below(LEAVE_EVERY) == 0);
}

void simcuda_switch_now()
{
    give_way(self().block->machine->chance.below(4) == 0);
}

static void run_thread()
{
    fiber_entered();
    Thread &me = self();
    const SimLaunch &launch = *me.block->machine->launch;
    launch.call(launch.params);
    me.state = State::DONE;
    me.block->n_done++;
    go_on(me, false);
    abort(); /* it has ended */
}

/* --- waiting for one another ---------------------------------------------- */

void simcuda_misuse(const char *const what)
{
    const SimNow &n = *simcuda_now;
    sim_fail("%s: block %u, thread (%u,%u,%u): %s", self().block->machine->launch->name,
             n.block.x, n.thread.x, n.thread.y, n.thread.z, what);
}

bool simcuda_barrier(const SimBarrier kind, const bool v)
{
    Thread &me = self();
    Block &b = *me.block;
    if (kind == SIMCUDA_PLAIN && ++me.n_barriers == sim_breaks("skip-syncthreads"))
        return false;
    if (b.n_arrived++ == 0) {
        b.barrier = kind;
        b.barrier_or = false;
        b.barrier_and = true;
    } else if (b.barrier != kind) {
        simcuda_misuse("it meets others in a different kind of __syncthreads");
    }
    b.barrier_or |= v;
    b.barrier_and &= v;
    if (b.n_arrived < b.n_threads) {
        me.state = State::BARRIER;
        go_on(me, false);
        return me.result;
    }
    b.n_arrived = 0;
    const bool result = kind == SIMCUDA_OR ? b.barrier_or : b.barrier_and;
    for (uint32_t i = 0; i < b.n_threads; i++) {
        Thread &t = *b.threads[i];
        t.result = result;
        if (&t != &me)
            make_runnable(t);
    }
    give_way(false);
    return result;
}

static uint64_t combine(const SimWarpOp op, const uint64_t a, const uint64_t b)
{
    switch (op) {
    case SIMCUDA_ADD: return (uint32_t) (a + b);
    case SIMCUDA_MIN: return a < b ? a : b;
    case SIMCUDA_MAX: return a > b ? a : b;
    default: return a;
    }
}

/* All lanes of the mask are there: lane[i] is lane i of the warp. */
static void complete(const Pending &p, const std::unique_ptr<Thread> *const lane)
{
    uint64_t all = 0;
    bool first = true;
    for (uint32_t i = 0; i < WARP; i++) {
        if (!(p.mask >> i & 1))
            continue;
        const uint64_t v = lane[i]->value;
        if (p.op == SIMCUDA_BALLOT)
            all |= (uint64_t) (v != 0) << i;
        else
            all = first ? v : combine(p.op, all, v);
        first = false;
    }
    for (uint32_t i = 0; i < WARP; i++) {
        if (!(p.mask >> i & 1))
            continue;
        Thread &t = *lane[i];
        t.result = all;
        if (p.op == SIMCUDA_SHUFFLE)
            t.result = p.mask >> t.from & 1 ? lane[t.from]->value : 0xa5a5a5a5a5a5a5a5u;
        if (p.op == SIMCUDA_MATCH) {
            t.result = 0;
            for (uint32_t j = 0; j < WARP; j++)
                if (p.mask >> j & 1)
                    t.result |= (uint64_t) (lane[j]->value == t.value) << j;
        }
    }
}

uint64_t simcuda_warp(const SimWarpOp op, const uint32_t mask, const uint64_t v,
                      const uint32_t from)
{
    Thread &me = self();
    Warp &w = me.warp();
    const uint32_t bit = 1u << me.now.lane;
    if (!(mask & bit)) {
        simcuda_misuse("its lane is not in the mask that it gives");
        return v;
    }
    if (op == SIMCUDA_SHUFFLE && !(mask >> from & 1))
        simcuda_misuse("it asks for the value of a lane that is not in the mask");
    me.value = v;
    me.from = from;
    uint32_t i = 0;
    while (i < w.n_pending && w.pending[i].mask != mask)
        i++;
    if (i == w.n_pending)
        w.pending[w.n_pending++] = { op, mask, 0 };
    Pending &p = w.pending[i];
    if (p.op != op)
        simcuda_misuse("it meets lanes of its mask in another operation");
    p.arrived |= bit;
    if (p.arrived != mask) {
        me.state = State::WARP_OP;
        go_on(me, false);
        return me.result;
    }
    const Pending done = p;
    p = w.pending[--w.n_pending];
    const std::unique_ptr<Thread> *const lane =
        me.block->threads.data() + me.index / WARP * WARP;
    complete(done, lane);
    for (uint32_t l = 0; l < WARP; l++)
        if (mask >> l & 1 && lane[l].get() != &me)
            make_runnable(*lane[l]);
    give_way(false);
    return me.result;
}

/* --- blocks --------------------------------------------------------------- */

/* Nobody can run and not all have returned: says who waits for whom. */
static void report_stuck(const Block &b)
{
    const char *const name = b.machine->launch->name;
    const uint32_t block = b.threads[0]->now.block.x;
    if (b.n_arrived > 0)
        sim_fail("%s: block %u: %u of %u threads wait in __syncthreads, %u have returned", name,
                 block, b.n_arrived, b.n_threads, b.n_done);
    for (size_t w = 0; w < b.warps.size(); w++)
        for (uint32_t i = 0; i < b.warps[w].n_pending; i++) {
            static const char *const names[] = { "__syncwarp", "a vote",    "a shuffle", "a match",
                                                 "a sum",      "a minimum", "a maximum" };
            const Pending &p = b.warps[w].pending[i];
            uint32_t returned = 0;
            for (uint32_t l = 0; l < WARP && w * WARP + l < b.n_threads; l++)
                returned |= (uint32_t) (b.threads[w * WARP + l]->state == State::DONE) << l;
            sim_fail("%s: block %u, warp %zu: lanes %#x wait in %s with mask %#x for lanes %#x, of "
                     "which %#x have returned",
                     name, block, w, p.arrived, names[p.op], p.mask, p.mask & ~p.arrived,
                     p.mask & ~p.arrived & returned);
        }
}

static void start_block(Block &b, const uint32_t index)
{
    const SimLaunch &launch = *b.machine->launch;
    const SimDim g = launch.grid_size, s = launch.block_size;
    Chance &chance = b.machine->chance;
    b.n_threads = s.x * s.y * s.z;
    b.n_done = b.n_arrived = 0;
    const uint32_t n_warps = (b.n_threads + WARP - 1) / WARP;
    b.warps.assign(n_warps, Warp {});
    b.runnable.clear();
    b.starved.clear();
    b.order = (Order) chance.below((uint32_t) Order::N);
    b.starved_warp = chance.below(n_warps);
    while (b.threads.size() < b.n_threads) {
        b.threads.push_back(std::make_unique<Thread>());
        fiber_allocate(b.threads.back()->fiber, STACK_SIZE);
    }
    for (uint32_t i = 0; i < b.n_threads; i++) {
        Thread &t = *b.threads[i];
        t.now = { { i % s.x, i / s.x % s.y, i / s.x / s.y },
                  { index % g.x, index / g.x % g.y, index / g.x / g.y }, s, g, i % WARP };
        t.block = &b;
        t.index = i;
        t.n_barriers = 0;
        fiber_prepare(t.fiber, run_thread, t.state != State::DONE);
        make_runnable(t);
    }
    chance.shuffle(b.runnable);
    b.shared.assign(b.machine->segment.size, (char) SIM_POISON);
    b.active = true;
}

/* Until all of it is done, it is stuck, or it is another block's turn. */
static void run_block(Block &b)
{
    Machine &m = *b.machine;
    Thread *const t = pick(b);
    if (t != nullptr) {
        memcpy(m.segment.start, b.shared.data(), m.segment.size);
        simcuda_now = &t->now;
        fiber_switch(m.main, t->fiber, false);
        memcpy(b.shared.data(), m.segment.start, m.segment.size);
    }
    if (b.runnable.empty() && b.starved.empty()) {
        if (b.n_done < b.n_threads) {
            report_stuck(b);
            m.stuck = true;
        }
        b.active = false;
    }
}

bool simcuda_run(const SimLaunch &launch)
{
    Machine &m = my_machine();
    simcuda_now = nullptr; /* and the segment exists for this thread */
    dl_iterate_phdr(find_segment, &m.segment);
    m.launch = &launch;
    m.chance = { launch.seed };
    m.stuck = false;
    std::vector<uint32_t> order(launch.grid_size.x * launch.grid_size.y * launch.grid_size.z);
    for (size_t i = 0; i < order.size(); i++)
        order[i] = (uint32_t) i;
    m.chance.shuffle(order);

    const uint32_t n_resident = 1 + m.chance.below(MOST_RESIDENT);
    for (;;) {
        Block *active[MOST_RESIDENT];
        uint32_t n = 0;
        for (uint32_t i = 0; i < n_resident; i++) {
            if (!m.blocks[i].active && !order.empty()) {
                start_block(m.blocks[i], order.back());
                order.pop_back();
            }
            if (m.blocks[i].active)
                active[n++] = &m.blocks[i];
        }
        if (n == 0 || m.stuck)
            break;
        run_block(*active[m.chance.below(n)]);
    }
    for (Block &b : m.blocks)
        b.active = false;
    return !m.stuck;
}
