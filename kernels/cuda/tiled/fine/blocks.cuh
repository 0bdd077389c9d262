/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Operations on blocks of 8 x 8 pixels as 64 bits. Rows 0 to 3 are the bytes of x, rows 4 to 7 the
 * bytes of y. */

#ifndef CCA_CUDA_BLOCKS_CUH
#define CCA_CUDA_BLOCKS_CUH

#include "../votes.cuh"

typedef uint2 Square;

#define BLOCK 8
#define BLOCKS_X (CCA_TILE_WIDTH / BLOCK)
#define BLOCKS_Y (CCA_TILE_HEIGHT / BLOCK)
#define N_BLOCKS (BLOCKS_X * BLOCKS_Y)

#define LEFT_COLUMN 0x01010101u
#define RIGHT_COLUMN 0x80808080u

DEVICE bool has_pixels(const Square &b)
{
    return (b.x | b.y) != 0;
}

DEVICE Square both(const Square &a, const Square &b)
{
    return { a.x & b.x, a.y & b.y };
}

DEVICE Square without(const Square &a, const Square &b)
{
    return { a.x & ~b.x, a.y & ~b.y };
}

/* The pixels to the left and to the right of the pixels of `b`. */
DEVICE Square beside(const Square &b)
{
    return { (b.x << 1 & ~LEFT_COLUMN) | (b.x >> 1 & ~RIGHT_COLUMN),
             (b.y << 1 & ~LEFT_COLUMN) | (b.y >> 1 & ~RIGHT_COLUMN) };
}

/* The pixels above and below the pixels of `b`. */
DEVICE Square above_and_below(const Square &b)
{
    return { b.x << 8 | __funnelshift_r(b.x, b.y, 8), b.y >> 8 | __funnelshift_l(b.x, b.y, 8) };
}

/* The neighbours of the pixels of `b`. Pixels of `b` itself may or may not be included. */
template <bool corners> DEVICE Square neighbours(const Square &b)
{
    const Square h = beside(b);
    const Square v = above_and_below(corners ? Square{ b.x | h.x, b.y | h.y } : b);
    return { h.x | v.x, h.y | v.y };
}

/* The pixels of `b` and their neighbours, limited to foreground. */
template <bool corners> DEVICE Square grow(const Square &b, const Square &foreground)
{
    const Square n = neighbours<corners>(b);
    return both({ b.x | n.x, b.y | n.y }, foreground);
}

DEVICE Square first_pixel(const Square &b)
{
    return { lowest_bit(b.x), b.x ? 0 : lowest_bit(b.y) };
}

/* The pixels of the next row that touch the pixels of `row`. */
DEVICE uint32_t reach_row(const uint32_t row, const uint32_t corner)
{
    return (corner ? row | row << 1 | row >> 1 : row) & 255;
}

/* The same for a column. `b` has pixels in one column only. */
DEVICE Square reach_column(const Square &b, const uint32_t corner)
{
    const Square v = above_and_below(b);
    return { b.x | (corner ? v.x : 0), b.y | (corner ? v.y : 0) };
}

/* Packs bits 0, 8, 16 and 24 into 4 bits; spread_row() is the inverse. */
DEVICE uint32_t gather_column(const uint32_t bits)
{
    return bits * 0x10204080u >> 28;
}

DEVICE uint32_t spread_row(const uint32_t row)
{
    return (row & 15) * 0x00204081u & LEFT_COLUMN;
}

/* Index of the first pixel in the tile: y * CCA_TILE_WIDTH + x. */
DEVICE uint32_t first_in_tile(const Square &b, const uint32_t block)
{
    const uint32_t i = b.x ? __ffs(b.x) - 1 : 31 + __ffs(b.y);
    return (block / BLOCKS_X * BLOCK + i / BLOCK) * CCA_TILE_WIDTH + block % BLOCKS_X * BLOCK +
           i % BLOCK;
}

/* Features that pixels of a block add to their component. */
DEVICE Vote block_vote(const Square &b, const uint32_t block)
{
    const uint32_t x0 = block % BLOCKS_X * BLOCK, y0 = block / BLOCKS_X * BLOCK;
    const uint32_t n_below = __popc(b.y), area = __popc(b.x) + n_below;
    /* Bit i of the coordinate counts 1 << i times. Each population count covers both halves. */
    const uint32_t sum_y = 4 * n_below + 2 * __popc(b.x >> 16 | (b.y & 0xffff0000u)) +
                           __popc((b.x >> 8 & 0x00ff00ffu) | (b.y & 0xff00ff00u));
    const uint32_t sum_x = __popc((b.x >> 1 & 0x55555555u) | (b.y & 0xaaaaaaaau)) +
                           2 * __popc((b.x >> 2 & 0x33333333u) | (b.y & 0xccccccccu)) +
                           4 * __popc((b.x >> 4 & 0x0f0f0f0fu) | (b.y & 0xf0f0f0f0u));
    uint32_t columns = b.x | b.y;
    columns |= columns >> 16;
    columns = (columns | columns >> 8) & 255;
    const uint32_t bottom = b.y ? 4 + highest_index(b.y) / BLOCK : highest_index(b.x) / BLOCK;
    return { area << AREA_SHIFT | (area * y0 + sum_y), area * x0 + sum_x, x0 + __ffs(columns) - 1,
             x0 + highest_index(columns), y0 + bottom };
}

#endif /* CCA_CUDA_BLOCKS_CUH */
