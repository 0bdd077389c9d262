/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Threads that wait for one another: barriers, operations of a warp. */

#include "schedule.h"
#include "sim.h"

void simcuda_misuse(const char *const what)
{
    const SimNow &n = *simcuda_now;
    sim_fail("%s: block %u, thread (%u,%u,%u): %s", n.kernel, n.block.x, n.thread.x, n.thread.y,
             n.thread.z, what);
}

/* --- __syncthreads -------------------------------------------------------- */

uint32_t simcuda_barrier(const SimBarrier kind, const bool v)
{
    static const uint32_t left_out = sim_breaks("skip-syncthreads");
    Thread &me = running_thread();
    Block &b = *me.block;
    if (kind == SIMCUDA_PLAIN && ++me.n_barriers == left_out)
        return 0;
    if (b.n_arrived++ == 0) {
        b.barrier = kind;
        b.barrier_count = 0;
    } else if (b.barrier != kind) {
        simcuda_misuse("it meets others in a different kind of __syncthreads");
    }
    b.barrier_count += v;
    if (b.n_arrived < b.threads.size()) {
        wait_here();
        return (uint32_t) me.result;
    }
    b.n_arrived = 0;
    for (Thread &t : b.threads) {
        t.result = kind == SIMCUDA_OR  ? b.barrier_count > 0 :
                   kind == SIMCUDA_AND ? b.barrier_count == b.threads.size() :
                                         b.barrier_count;
        if (&t != &me)
            make_runnable(t);
    }
    give_way(false);
    return (uint32_t) me.result;
}

/* --- a warp --------------------------------------------------------------- */

/* Returns the result of lane i of the mask, after all lanes gave their values. */
static uint64_t combine(const SimWarpOp op, const uint32_t mask, const Thread *const lane,
                        const uint32_t i)
{
    const uint64_t mine = lane[i].value;
    uint64_t all = op == SIMCUDA_MIN || op == SIMCUDA_MAX ? mine : 0;
    if (op == SIMCUDA_SHUFFLE)
        return mask >> lane[i].from & 1 ? lane[lane[i].from].value : 0xa5a5a5a5a5a5a5a5u;
    for (uint32_t j = 0; j < WARP; j++) {
        if (!(mask >> j & 1))
            continue;
        const uint64_t v = lane[j].value;
        switch (op) {
        case SIMCUDA_BALLOT: all |= (uint64_t) (v != 0) << j; break;
        case SIMCUDA_MATCH: all |= (uint64_t) (v == mine) << j; break;
        case SIMCUDA_ADD: all = (uint32_t) (all + v); break;
        case SIMCUDA_MIN: all = v < all ? v : all; break;
        case SIMCUDA_MAX: all = v > all ? v : all; break;
        default: break;
        }
    }
    return all;
}

/* The operation of this mask in the running thread's warp. */
static Pending &find_pending(std::vector<Pending> &pending, const SimWarpOp op, const uint32_t mask)
{
    for (Pending &p : pending)
        if (p.mask == mask) {
            if (p.op != op)
                simcuda_misuse("it meets lanes of its mask in another operation");
            return p;
        }
    pending.push_back({ op, mask, 0 });
    return pending.back();
}

uint64_t simcuda_warp(const SimWarpOp op, const uint32_t mask, const uint64_t v,
                      const uint32_t from)
{
    Thread &me = running_thread();
    std::vector<Pending> &pending = me.block->warps[me.index / WARP];
    const uint32_t bit = 1u << me.now.lane;
    if (!(mask & bit)) {
        simcuda_misuse("its lane is not in the mask that it gives");
        return v;
    }
    if (op == SIMCUDA_SHUFFLE && !(mask >> from & 1))
        simcuda_misuse("it asks for the value of a lane that is not in the mask");
    me.value = v;
    me.from = from;
    Pending &p = find_pending(pending, op, mask);
    p.arrived |= bit;
    if (p.arrived != mask) {
        wait_here();
        return me.result;
    }
    const SimWarpOp first_op = p.op;
    p = pending.back();
    pending.pop_back();
    Thread *const lane = &me - me.now.lane;
    const bool same = first_op != SIMCUDA_SHUFFLE && first_op != SIMCUDA_MATCH;
    const uint64_t all = same ? combine(first_op, mask, lane, me.now.lane) : 0;
    for (uint32_t i = 0; i < WARP; i++)
        if (mask >> i & 1) {
            lane[i].result = same ? all : combine(first_op, mask, lane, i);
            if (&lane[i] != &me)
                make_runnable(lane[i]);
        }
    give_way(false);
    return me.result;
}

/* --- all threads are stuck ------------------------------------------------ */

void report_stuck(const Block &b)
{
    static const char *const names[] = { "__syncwarp", "a vote",    "a shuffle", "a match",
                                         "a sum",      "a minimum", "a maximum" };
    const SimNow &now = b.threads[0].now;
    if (b.n_arrived > 0)
        sim_fail("%s: block %u: %u of %zu threads wait in __syncthreads, %u have returned",
                 now.kernel, now.block.x, b.n_arrived, b.threads.size(), b.n_done);
    for (size_t w = 0; w < b.warps.size(); w++)
        for (const Pending &p : b.warps[w]) {
            uint32_t returned = 0;
            for (size_t i = w * WARP; i < b.threads.size() && i < (w + 1) * WARP; i++)
                returned |= (uint32_t) (b.threads[i].state == State::DONE) << i % WARP;
            sim_fail("%s: block %u, warp %zu: lanes %#x wait in %s with mask %#x for lanes %#x, of "
                     "which %#x have returned",
                     now.kernel, now.block.x, w, p.arrived, names[p.op], p.mask,
                     p.mask & ~p.arrived, p.mask & ~p.arrived & returned);
        }
}
