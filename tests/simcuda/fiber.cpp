/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <cstdint>
#include <cstdlib>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fiber.h"

#if defined(__SANITIZE_ADDRESS__)
#define ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASAN 1
#endif
#endif
#ifdef ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

/* simcuda_switch (save, to): keeps what the ABI has a callee keep. swapcontext
 * would do, but makes two system calls each time; it is for other machines. */
#if defined(__x86_64__)
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
    void **top = (void **) (fiber.stack + fiber.size);
    *--top = nullptr; /* where a return address would be; aligns the stack */
    *--top = (void *) entry;
    fiber.sp = top - 6;
}

static void jump(Fiber &from, Fiber &to)
{
    simcuda_switch(&from.sp, to.sp);
}
#else
#include <ucontext.h>

static ucontext_t *context_of(Fiber &fiber)
{
    if (fiber.sp == nullptr)
        fiber.sp = calloc(1, sizeof(ucontext_t));
    return (ucontext_t *) fiber.sp;
}

static void prepare(Fiber &fiber, void (*const entry)())
{
    ucontext_t *const context = context_of(fiber);
    getcontext(context);
    context->uc_stack.ss_sp = fiber.stack;
    context->uc_stack.ss_size = fiber.size;
    makecontext(context, entry, 0);
}

static void jump(Fiber &from, Fiber &to)
{
    swapcontext(context_of(from), context_of(to));
}
#endif

void fiber_adopt_thread(Fiber &fiber)
{
    pthread_attr_t attr;
    void *stack;
    pthread_getattr_np(pthread_self(), &attr);
    pthread_attr_getstack(&attr, &stack, &fiber.size);
    pthread_attr_destroy(&attr);
    fiber.stack = (char *) stack;
}

void fiber_allocate(Fiber &fiber, const size_t size)
{
    const size_t guard = (size_t) sysconf(_SC_PAGESIZE);
    void *const p = mmap(nullptr, guard + size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED || mprotect(p, guard, PROT_NONE) != 0)
        abort();
    fiber.stack = (char *) p + guard;
    fiber.size = size;
}

void fiber_release(Fiber &fiber)
{
    const size_t guard = (size_t) sysconf(_SC_PAGESIZE);
#ifdef ASAN
    __asan_unpoison_memory_region(fiber.stack, fiber.size);
#endif
    munmap(fiber.stack - guard, guard + fiber.size);
}

void fiber_prepare(Fiber &fiber, void (*const entry)(), const bool abandoned)
{
#ifdef ASAN /* frames that were left without a return; otherwise the first few */
    const size_t n = abandoned ? fiber.size : 4096;
    __asan_unpoison_memory_region(fiber.stack + fiber.size - n, n);
#else
    (void) abandoned;
#endif
    fiber.fake_stack = nullptr;
    prepare(fiber, entry);
}

void fiber_switch(Fiber &from, Fiber &to, const bool ends)
{
#ifdef ASAN
    __sanitizer_start_switch_fiber(ends ? nullptr : &from.fake_stack, to.stack, to.size);
#else
    (void) ends;
#endif
    jump(from, to);
#ifdef ASAN
    __sanitizer_finish_switch_fiber(from.fake_stack, nullptr, nullptr);
#endif
}

void fiber_entered()
{
#ifdef ASAN
    __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
}
