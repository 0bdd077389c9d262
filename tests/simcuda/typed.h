/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* An entry of a table of kernels: calls a kernel with the parameters of a driver's launch. */

#ifndef SIMCUDA_TYPED_H
#define SIMCUDA_TYPED_H

#include <cstddef>
#include <type_traits>
#include <utility>

#include "cuda/image.h"
#include "sim.h"

/* The words of a parameter that may be pointers: all words of a structure, except of CudaImage,
 * where two 32-bit numbers may have the value of an address. */
template <typename T> std::vector<size_t> pointers_of()
{
    if constexpr (std::is_same_v<T, CudaImage>)
        return { offsetof(CudaImage, data) / sizeof(uint64_t),
                 offsetof(CudaImage, threshold) / sizeof(uint64_t) };
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
