/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_FUZZ_H
#define CCA_FUZZ_H

/* Converts a fuzzer's bytes to values. Every input is valid: zeros follow its last
 * byte. make-corpus writes this format. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each target defines these; main.c or libFuzzer calls them. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the process, which reports a finding to the fuzzer. */
#define REQUIRE(condition, ...)                                                     \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s: ", __FILE__, __LINE__, #condition); \
            fprintf(stderr, __VA_ARGS__);                                           \
            fputc('\n', stderr);                                                    \
            abort();                                                                \
        }                                                                           \
    } while (0)

typedef struct Input {
    const uint8_t *at;
    size_t left;
} Input;

/* The next n bytes, least significant first. */
static inline uint64_t take(Input *const in, const unsigned n)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < n && in->left > 0; i++, in->left--)
        v |= (uint64_t) *in->at++ << 8 * i;
    return v;
}

/* The next n bytes, or all that are left, as a separate input. */
static inline Input take_part(Input *const in, const size_t n)
{
    const Input part = { in->at, n < in->left ? n : in->left };
    in->at += part.left;
    in->left -= part.left;
    return part;
}

static inline uint32_t take_below(Input *const in, const uint32_t n)
{
    return (uint32_t) take(in, 1) % n;
}

/* A number that is mostly small, otherwise near the limits of arithmetic. */
static inline uint64_t take_number(Input *const in)
{
    const uint8_t b = (uint8_t) take(in, 1);
    switch (b) {
    case 0xf0: return take(in, 2);
    case 0xf1: return take(in, 4);
    case 0xf2: return take(in, 8);
    case 0xf3: return UINT64_C(1) << (take(in, 1) & 63);
    case 0xf4: return (UINT64_C(1) << (take(in, 1) & 63)) - 1;
    case 0xf5: return INT32_MAX;
    case 0xf6: return UINT32_MAX;
    case 0xf7: return UINT64_MAX;
    case 0xf8: return (uint64_t) -(int64_t) take(in, 1);
    default: return b;
    }
}

/* Memory of exactly that size, so that a sanitizer sees each byte read past it. */
static inline void *exact(const size_t size)
{
    void *const memory = malloc(size ? size : 1);
    REQUIRE(memory != NULL, "%zu bytes", size);
    return memory;
}

/* Paints n bytes with a pattern of the input's choice. */
static inline void take_paint(Input *const in, uint8_t *const to, const size_t n)
{
    enum { BYTES, BITS, NOISE, FLAT };
    const uint32_t kind = take_below(in, 4);
    if (kind == NOISE) {
        uint32_t seed = (uint32_t) take(in, 2) + 1;
        const uint32_t density = (uint32_t) take(in, 1), grain = take_below(in, 16) + 1;
        uint8_t v = 0;
        for (size_t i = 0; i < n; i++) {
            if (i % grain == 0) {
                seed ^= seed << 13;
                seed ^= seed >> 17;
                seed ^= seed << 5;
                v = (seed >> 24) < density ? 255 : (uint8_t) (seed >> 8 & 127);
            }
            to[i] = v;
        }
        return;
    }
    if (kind == FLAT) {
        memset(to, (int) take(in, 1), n);
        return;
    }
    const size_t length = (size_t) take(in, 2);
    const Input part = take_part(in, length);
    for (size_t i = 0; i < n; i++) {
        if (part.left == 0)
            to[i] = 0;
        else if (kind == BYTES)
            to[i] = part.at[i % part.left];
        else
            to[i] = part.at[i / 8 % part.left] >> i % 8 & 1 ? 255 : 0;
    }
}

#endif /* CCA_FUZZ_H */
