/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Runs a kernel on the calling thread: all threads of a few blocks at a time,
 * in an order that a seed decides. */

#ifndef SIMCUDA_RUN_H
#define SIMCUDA_RUN_H

#include <cstddef>
#include <cstdint>
#include <vector>

struct SimDim {
    uint32_t x, y, z;
};

/* The section of the __shared__ variables of all kernels. */
#define SIMCUDA_SHARED "simcuda_shared"

/* The CUDA thread that runs now. */
struct SimNow {
    const char *kernel;
    SimDim thread, block, block_size, grid_size;
    uint32_t lane;
};
extern const SimNow *simcuda_now;

enum SimBarrier { SIMCUDA_PLAIN, SIMCUDA_OR, SIMCUDA_AND, SIMCUDA_COUNT };
enum SimWarpOp {
    SIMCUDA_SYNC,
    SIMCUDA_BALLOT,
    SIMCUDA_SHUFFLE,
    SIMCUDA_MATCH,
    SIMCUDA_ADD,
    SIMCUDA_MIN,
    SIMCUDA_MAX,
};

/* Waits for all threads of the block, and returns the and/or of their values. */
uint32_t simcuda_barrier(SimBarrier kind, bool v);

/* Waits for all lanes of `mask`, which must bring the same `op` and `mask`.
 * `from` is the lane whose value a shuffle wants. */
uint64_t simcuda_warp(SimWarpOp op, uint32_t mask, uint64_t v, uint32_t from);

/* Others may run here: now and then, or surely (in a loop that waits for them). */
void simcuda_may_switch();
void simcuda_switch_now();

/* Waits until the writes of the earlier grids are visible, which may still run when this one
 * begins. */
void simcuda_wait_for_grids();

/* The running thread waits, in a loop, for blocks of its own grid until one has something
 * to tell, `since` it asked how often any has. They must be sure to run at the same time. */
uint64_t simcuda_told();
void simcuda_wait_for_blocks(uint64_t since);
void simcuda_tell_blocks();

/* The block's shared memory whose size the launch gives. */
void *simcuda_dynamic_shared();

/* The running thread breaks a rule that the GPU need not punish. */
void simcuda_misuse(const char *what);

/* A kernel, ready to be called by each of its threads. */
struct SimLaunch {
    const char *name;
    void (*call)(void *const *params);
    void *const *params;
    SimDim grid_size, block_size;
    uint64_t seed;
    size_t dynamic_shared; /* bytes, for each block */
    bool cooperative;      /* all blocks are under way at a time */
};

/* A launch under way. False: its threads got stuck, which has been reported. */
struct SimGrid {
    explicit SimGrid(const SimLaunch &launch);
    ~SimGrid();

    /* Runs the part that may precede the end of the previous grid, in a few blocks. */
    bool begin();
    /* All else. */
    bool finish();

    const SimLaunch launch;
    uint64_t chance;
    bool overlaps = false;       /* the grid before is not done */
    uint64_t n_told = 0;         /* see simcuda_told */
    std::vector<uint32_t> order; /* of blocks that have not begun, the last first */
    std::vector<struct Block> blocks;
};

#endif /* SIMCUDA_RUN_H */
