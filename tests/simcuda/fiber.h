/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef SIMCUDA_FIBER_H
#define SIMCUDA_FIBER_H

/* The point at which code continues, and its stack unless that is a thread's. */
struct Fiber {
    void *state = nullptr;
    char *stack = nullptr; /* lowest address */
};

/* Gives `fiber` a stack with an unmapped page below it, and the function `entry` to run at the
 * first switch, which must not return. */
void fiber_create(Fiber &fiber, void (*entry)());
/* Wherever it was left. */
void fiber_release(Fiber &fiber);

/* Continues in `to`; returns when something switches to `from`. */
void fiber_switch(Fiber &from, Fiber &to);

#endif /* SIMCUDA_FIBER_H */
