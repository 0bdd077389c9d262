/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Arithmetic on four unsigned bytes in a word. */

#ifndef CCA_CUDA_FOREGROUND_BYTES_CUH
#define CCA_CUDA_FOREGROUND_BYTES_CUH

#include "../common.cuh"

#define TOP_BITS 0x80808080u
#define ONES 0x01010101u

/* Bit 7 of each byte: a >= b. The other bits are undefined. */
DEVICE uint32_t compare_ge_4(const uint32_t a, const uint32_t b)
{
    /* Bit 7 is set in the minuend and clear in the subtrahend, so no byte borrows from the next. */
    const uint32_t low7 = (a | TOP_BITS) - (b & ~TOP_BITS);
    return (a & ~b) | (~(a ^ b) & low7);
}

/* All bits of each byte with a >= b. */
DEVICE uint32_t mask_ge_4(const uint32_t a, const uint32_t b)
{
    return spread_tops(compare_ge_4(a, b));
}

/* Bytes of `a` where those of `mask` have all bits set, of `b` where they have none. */
DEVICE uint32_t choose_4(const uint32_t mask, const uint32_t a, const uint32_t b)
{
    return (a & mask) | (b & ~mask);
}

DEVICE uint32_t max_4(const uint32_t a, const uint32_t b)
{
    return choose_4(mask_ge_4(a, b), a, b);
}

/* |a - b| */
DEVICE uint32_t difference_4(const uint32_t a, const uint32_t b)
{
    return __vabsdiffu4(a, b);
}

/* min(a + b, 255) */
DEVICE uint32_t add_4(const uint32_t a, const uint32_t b)
{
    const uint32_t low7 = (a & ~TOP_BITS) + (b & ~TOP_BITS);
    const uint32_t carry = (a & b) | ((a | b) & low7);
    return (low7 ^ ((a ^ b) & TOP_BITS)) | spread_tops(carry);
}

/* Moves each byte that differs from `to` by 1 towards it. */
DEVICE uint32_t step_towards_4(const uint32_t from, const uint32_t to)
{
    const uint32_t up = compare_ge_4(to, from) >> 7, down = compare_ge_4(from, to) >> 7;
    return from + (up & ONES) - (down & ONES);
}

#endif /* CCA_CUDA_FOREGROUND_BYTES_CUH */
