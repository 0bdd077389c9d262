/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef SIMCUDA_FIBER_H
#define SIMCUDA_FIBER_H

#include <cstddef>

/* A stack of its own, and where its code goes on. */
struct Fiber {
    void *sp = nullptr;
    char *stack = nullptr; /* lowest address */
    size_t size = 0;
    void *fake_stack = nullptr; /* AddressSanitizer's, while another fiber runs */
};

/* `fiber` becomes the calling thread's own stack: somewhere to come back to. */
void fiber_adopt_thread(Fiber &fiber);

/* Gives `fiber` a stack with an unmapped page below; takes it back. */
void fiber_allocate(Fiber &fiber, size_t size);
void fiber_release(Fiber &fiber);

/* Makes `entry` what runs when `fiber` is switched to. It must not return. With
 * `abandoned` the fiber was left in the middle of something. */
void fiber_prepare(Fiber &fiber, void (*entry)(), bool abandoned);

/* Goes on in `to`; returns when something switches to `from`. With `ends`
 * nothing will, until `from` is prepared again. */
void fiber_switch(Fiber &from, Fiber &to, bool ends);

/* To be called first on a new stack. */
void fiber_entered();

#endif /* SIMCUDA_FIBER_H */
