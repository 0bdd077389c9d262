/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

#include "fiber.h"

#define STACK_SIZE (256 * 1024)

#if defined(__x86_64__)
/* simcuda_switch (save, to): saves the registers that the ABI requires a callee to keep. */
extern "C" void simcuda_switch(void **save, void *to);
asm(R"(
    .text
    .type simcuda_switch, @function
    .hidden simcuda_switch
    .globl simcuda_switch
simcuda_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size simcuda_switch, .-simcuda_switch
)");

static void prepare(Fiber &fiber, void (*const entry)())
{
    void **top = (void **) (fiber.stack + STACK_SIZE);
    *--top = nullptr; /* where a return address would be; aligns the stack */
    *--top = (void *) entry;
    fiber.state = top - 6;
}

void fiber_switch(Fiber &from, Fiber &to)
{
    simcuda_switch(&from.state, to.state);
}
#else /* other machines: two system calls for each switch */
#include <ucontext.h>

static ucontext_t *context_of(Fiber &fiber)
{
    if (fiber.state == nullptr)
        fiber.state = calloc(1, sizeof(ucontext_t));
    return (ucontext_t *) fiber.state;
}

static void prepare(Fiber &fiber, void (*const entry)())
{
    ucontext_t *const context = context_of(fiber);
    getcontext(context);
    context->uc_stack.ss_sp = fiber.stack;
    context->uc_stack.ss_size = STACK_SIZE;
    makecontext(context, entry, 0);
}

void fiber_switch(Fiber &from, Fiber &to)
{
    swapcontext(context_of(from), context_of(to));
}
#endif

/* One stack in STACKS_A_GUARD has a guard below it: each guard costs two of the 65530 mappings
 * of the process, and a kernel that overflows the stack of one thread overflows all. */
#define STACKS_A_GUARD 8

void fiber_create(Fiber &fiber, void (*const entry)())
{
    static unsigned int n_made;
    const size_t guard = (size_t) sysconf(_SC_PAGESIZE);
    void *const p = mmap(nullptr, guard + STACK_SIZE, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED || (n_made++ % STACKS_A_GUARD == 0 && mprotect(p, guard, PROT_NONE) != 0))
        abort();
    fiber.stack = (char *) p + guard;
    prepare(fiber, entry);
}

void fiber_release(Fiber &fiber)
{
    const size_t guard = (size_t) sysconf(_SC_PAGESIZE);
    munmap(fiber.stack - guard, guard + STACK_SIZE);
}
