/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Threads and blocks of the launch that runs now, for run.cpp and sync.cpp. */

#ifndef SIMCUDA_SCHEDULE_H
#define SIMCUDA_SCHEDULE_H

#include <vector>

#include "fiber.h"
#include "run.h"

#define WARP 32

enum class State { RUNNABLE, WAITS, DONE };

/* How a block's next thread is chosen: at random; the one that came last; at
 * random, but one warp only when no other can run. */
enum class Order { ANY, DEEP, STARVE, N };

struct Thread {
    SimNow now; /* first: simcuda_now points to it */
    struct Block *block;
    uint32_t index;         /* in the block */
    Fiber *fiber = nullptr; /* once it has begun */
    State state = State::RUNNABLE;
    uint64_t value = 0; /* that it brought to an operation of its warp ... */
    uint32_t from = 0;
    uint64_t result = 0; /* ... or a barrier, and its result */
    uint32_t n_barriers = 0;
};

/* An operation that some lanes of a warp have come to. */
struct Pending {
    SimWarpOp op;
    uint32_t mask, arrived;
};

struct Block {
    bool active = false; /* started, and not done */
    std::vector<Thread> threads;
    std::vector<std::vector<Pending>> warps;
    std::vector<Thread *> runnable, starved;
    std::vector<Thread *> early, untold; /* wait for the grid before, and for other blocks */
    uint32_t n_done, n_arrived;          /* threads that returned, and that wait for all */
    SimBarrier barrier;
    uint32_t barrier_count; /* of threads that say yes */
    Order order;
    uint32_t starved_warp;
    std::vector<char> shared; /* while another block runs; empty: not yet written to */
    std::vector<char> dynamic_shared;
};

Thread &running_thread();

void make_runnable(Thread &t);
/* The running thread waits, until it is made runnable again. */
void wait_here();
/* The thread can continue at once, but another one may run before it. With `leave` another
 * block runs first. */
void give_way(bool leave);

/* No thread of the block can run, and not all have returned: reports the barriers they wait at. */
void report_stuck(const Block &b);

#endif /* SIMCUDA_SCHEDULE_H */
