/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* A kernel in a table: how to call it with parameters as the driver has them. */

#ifndef SIMCUDA_TYPED_H
#define SIMCUDA_TYPED_H

#include <type_traits>
#include <utility>

#include "sim.h"

/* The words of a parameter that may be pointers: all of a structure's, if none here knows
 * better. Two numbers of 32 bits may look like one. */
template <typename T> std::vector<size_t> pointers_of()
{
    std::vector<size_t> words;
    for (size_t w = 0; !std::is_arithmetic_v<T> && (w + 1) * sizeof(uint64_t) <= sizeof(T); w++)
        words.push_back(w);
    return words;
}

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

    static SimKernel named(const char *const name)
    {
        return { name, call, { { sizeof(Args), pointers_of<Args>() }... } };
    }
};

#define KERNEL(name) Typed<name>::named(#name)

#endif /* SIMCUDA_TYPED_H */
