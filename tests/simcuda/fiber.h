/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef SIMCUDA_FIBER_H
#define SIMCUDA_FIBER_H

/* Where code goes on, and the stack that it has, if that is not a thread's own. */
struct Fiber {
    void *state = nullptr;
    char *stack = nullptr; /* lowest address */
};

/* Gives `fiber` a stack with an unmapped page below, and makes `entry` what runs
 * when it is first switched to. That must not return. */
void fiber_create(Fiber &fiber, void (*entry)());
/* Wherever it was left. */
void fiber_release(Fiber &fiber);

/* Goes on in `to`; returns when something switches to `from`. */
void fiber_switch(Fiber &from, Fiber &to);

#endif /* SIMCUDA_FIBER_H */
