/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Arithmetic on four unsigned bytes in a word. */

#ifndef CCA_CUDA_FOREGROUND_BYTES_CUH
#define CCA_CUDA_FOREGROUND_BYTES_CUH

#include "../common.cuh"

#define TOP_BITS 0x80808080u

/* Bit 7 of each byte: a >= b. */
DEVICE uint32_t at_least_4(const uint32_t a, const uint32_t b)
{
    /* of the low 7 bits, by a subtraction that never borrows from the next byte */
    const uint32_t low7 = (a | TOP_BITS) - (b & ~TOP_BITS);
    return ((a & ~b) | (~(a ^ b) & low7)) & TOP_BITS;
}

/* All bits of the bytes whose bit 7 is set; of words that have no others. */
DEVICE uint32_t spread_4(const uint32_t tops)
{
    return (tops - (tops >> 7)) | tops;
}

DEVICE uint32_t max_4(const uint32_t a, const uint32_t b)
{
    const uint32_t a_wins = spread_4(at_least_4(a, b));
    return (a & a_wins) | (b & ~a_wins);
}

/* |a - b| */
DEVICE uint32_t difference_4(const uint32_t a, const uint32_t b)
{
    const uint32_t a_wins = spread_4(at_least_4(a, b));
    /* no byte borrows: the larger is always taken from */
    return ((a & a_wins) | (b & ~a_wins)) - ((b & a_wins) | (a & ~a_wins));
}

/* min(a + b, 255) */
DEVICE uint32_t add_4(const uint32_t a, const uint32_t b)
{
    const uint32_t low7 = (a & ~TOP_BITS) + (b & ~TOP_BITS);
    const uint32_t carry = ((a & b) | ((a | b) & low7)) & TOP_BITS;
    return (low7 ^ ((a ^ b) & TOP_BITS)) | spread_4(carry);
}

/* By 1 towards `to`, where it is not there. */
DEVICE uint32_t step_towards_4(const uint32_t from, const uint32_t to)
{
    return from + (at_least_4(to, from) >> 7) - (at_least_4(from, to) >> 7);
}

#endif /* CCA_CUDA_FOREGROUND_BYTES_CUH */
