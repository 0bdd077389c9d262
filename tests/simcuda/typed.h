/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* A kernel in a table: how to call it with parameters as the driver has them. */

#ifndef SIMCUDA_TYPED_H
#define SIMCUDA_TYPED_H

#include <utility>

#include "sim.h"

template <auto kernel> struct Typed;

template <typename... Args, void (*kernel)(Args...)> struct Typed<kernel> {
    template <size_t... i>
    static void pass(void *const *const params, std::index_sequence<i...>)
    {
        kernel(*(const Args *) params[i]...);
    }

    static void call(void *const *const params)
    {
        pass(params, std::index_sequence_for<Args...>());
    }

    static SimKernel named(const char *const name) { return { name, call, { sizeof(Args)... } }; }
};

#define KERNEL(name) Typed<name>::named(#name)

#endif /* SIMCUDA_TYPED_H */
