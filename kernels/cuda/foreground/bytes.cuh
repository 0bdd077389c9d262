/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Arithmetic on four unsigned bytes in a word. */

#ifndef CCA_CUDA_FOREGROUND_BYTES_CUH
#define CCA_CUDA_FOREGROUND_BYTES_CUH

#include "../common.cuh"

#define TOP_BITS 0x80808080u
#define ONES 0x01010101u

/* Bit 7 of each byte: a >= b. */
DEVICE uint32_t compare_ge_4(const uint32_t a, const uint32_t b)
{
    /* Bit 7 is set in the minuend and clear in the subtrahend, so no byte borrows from the next. */
    const uint32_t low7 = (a | TOP_BITS) - (b & ~TOP_BITS);
    return ((a & ~b) | (~(a ^ b) & low7)) & TOP_BITS;
}

/* Sets all bits of each byte whose bit 7 is set. `tops` has no other bits. */
DEVICE uint32_t spread_4(const uint32_t tops)
{
    return (tops - (tops >> 7)) | tops;
}

DEVICE uint32_t max_4(const uint32_t a, const uint32_t b)
{
    const uint32_t a_wins = spread_4(compare_ge_4(a, b));
    return (a & a_wins) | (b & ~a_wins);
}

/* |a - b| */
DEVICE uint32_t difference_4(const uint32_t a, const uint32_t b)
{
    const uint32_t a_wins = spread_4(compare_ge_4(a, b));
    /* No byte borrows, because the smaller byte is always subtracted from the larger. */
    return ((a & a_wins) | (b & ~a_wins)) - ((b & a_wins) | (a & ~a_wins));
}

/* min(a + b, 255) */
DEVICE uint32_t add_4(const uint32_t a, const uint32_t b)
{
    const uint32_t low7 = (a & ~TOP_BITS) + (b & ~TOP_BITS);
    const uint32_t carry = ((a & b) | ((a | b) & low7)) & TOP_BITS;
    return (low7 ^ ((a ^ b) & TOP_BITS)) | spread_4(carry);
}

/* Moves each byte that differs from `to` by 1 towards it. */
DEVICE uint32_t step_towards_4(const uint32_t from, const uint32_t to)
{
    return from + (compare_ge_4(to, from) >> 7) - (compare_ge_4(from, to) >> 7);
}

/* Bytes of `a` where those of `mask` have all bits set, of `b` where they have none. */
DEVICE uint32_t choose_4(const uint32_t mask, const uint32_t a, const uint32_t b)
{
    return (a & mask) | (b & ~mask);
}

#endif /* CCA_CUDA_FOREGROUND_BYTES_CUH */
