/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Opening, then closing, of the mask, in one go: erosion, dilation by both radii (in
 * a rectangle two dilations are one by the sum of their squares), erosion. A block has
 * some words of some rows in shared memory, and around them as much as they depend on. */

#include "pass.cuh"

#define MAX_ROWS (CCA_MORPH_ROWS + 2 * CCA_MORPH_MAX_HALO)

/* What a block looks at. Word 0 and row 0 of it may lie outside the region. */
struct Part {
    int32_t x0, y0; /* pixel and row of the region */
    uint32_t n_rows;
};

/* Which of the 32 pixels from x on lie in the region. */
DEVICE uint32_t columns_inside(const CudaForeground &f, const int32_t x)
{
    if (x <= -WARP || x >= (int32_t) f.width)
        return 0;
    const uint32_t left = x < 0 ? ALL_LANES << -x : ALL_LANES;
    const uint32_t rest = (uint32_t) ((int32_t) f.width - x);
    return left & (rest < WARP ? (1u << rest) - 1 : ALL_LANES);
}

/* The 32 pixels of the mask from (x, y) of the region on, which may be outside. */
DEVICE uint32_t load_word(const CudaForeground &f, const int32_t x, const int32_t y,
                          const uint32_t inside)
{
    if (inside == 0 || y < 0 || y >= (int32_t) f.height)
        return 0;
    const uint32_t *const row = f.mask + (size_t) (f.y + y) * f.row_words;
    /* of the frame; the first may lie left of it, then its pixels are not inside */
    const int32_t at = (int32_t) f.x + x;
    const int32_t w = at >> 5;
    const uint32_t low = w >= 0 ? row[w] : 0;
    const uint32_t high = at % WARP != 0 && w + 1 < (int32_t) f.row_words ? row[w + 1] : 0;
    return __funnelshift_r(low, high, at) & inside;
}

/* Pixels all of whose neighbours as far as `radius` to the left and right are 1; by a
 * whole warp, which has a row. Ends of the row are taken for 0. */
DEVICE uint32_t erode_row(const uint32_t v, const uint32_t radius)
{
    const uint32_t lane = threadIdx.x % WARP;
    uint32_t before = __shfl_up_sync(ALL_LANES, v, 1), after = __shfl_down_sync(ALL_LANES, v, 1);
    before = lane == 0 ? 0 : before;
    after = lane == WARP - 1 ? 0 : after;
    /* by doubling: n pixels side by side are 1 */
    uint64_t left = (uint64_t) v << 32 | before, right = (uint64_t) after << 32 | v;
    uint32_t n = 1;
    for (; 2 * n <= radius + 1; n *= 2) {
        left &= left << n;
        right &= right >> n;
    }
    left &= left << (radius + 1 - n);
    right &= right >> (radius + 1 - n);
    return (uint32_t) (left >> 32) & (uint32_t) right;
}

/* A block's rows. The second table is scratch. */
struct Rows {
    uint32_t (*words)[WARP], (*other)[WARP];
};

DEVICE void swap_tables(Rows &rows)
{
    uint32_t (*const words)[WARP] = rows.words;
    rows.words = rows.other;
    rows.other = words;
}

/* Of the rows from `begin` to `end`, each becomes the `and` of itself and of that `by`
 * rows further down. */
DEVICE void and_below(Rows &rows, const uint32_t begin, const uint32_t end, const uint32_t by)
{
    const uint32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    for (uint32_t r = begin + warp; r < end; r += CCA_MORPH_WARPS)
        rows.other[r][lane] = rows.words[r][lane] & rows.words[r + by][lane];
    __syncthreads();
    swap_tables(rows);
}

/* Erodes the rows from `begin` to `end`; afterwards they are complete from `begin` to
 * `end` - 2 radius, and belong `radius` rows further down. `y` is where row 0 lies in
 * the region, outside of which all is 1. `flip` turns the rows over first: so is their dilation, the
 * erosion of the background. */
DEVICE void erode(const CudaForeground &f, const uint32_t columns, Rows &rows, const int32_t y,
                  const uint32_t end, const uint32_t radius, const uint32_t flip)
{
    const uint32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    for (uint32_t r = warp; r < end; r += CCA_MORPH_WARPS) {
        const bool inside = y + (int32_t) r >= 0 && y + (int32_t) r < (int32_t) f.height;
        const uint32_t v = inside ? (rows.words[r][lane] ^ flip) | ~columns : ALL_LANES;
        rows.other[r][lane] = erode_row(v, radius);
    }
    __syncthreads();
    swap_tables(rows);
    /* by doubling: n rows below each other are 1 */
    const uint32_t window = 2 * radius + 1;
    uint32_t n = 1, rest = end;
    for (; 2 * n <= window; n *= 2) {
        rest -= n;
        and_below(rows, 0, rest, n);
    }
    if (n < window)
        and_below(rows, 0, rest - (window - n), window - n);
}

/* Grid: a block for each part of CCA_MORPH_ROWS rows and of as many words as the halo
 * leaves, in raster order. */
extern "C" __global__ void __launch_bounds__(CCA_MORPH_WARPS *WARP)
    cca_open_close(const CudaForeground f)
{
    __shared__ uint32_t tables[2][MAX_ROWS][WARP];

    const uint32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const uint32_t open = f.open_radius, close = f.close_radius, both = open + close;
    const uint32_t halo = 2 * both, halo_words = (halo + 31) / 32;
    const uint32_t inner_words = CCA_MORPH_WORDS - 2 * halo_words;
    const uint32_t parts_x = (f.opened_row_words - 1) / inner_words + 1;
    const uint32_t part_y = blockIdx.x / parts_x, part_x = blockIdx.x - part_y * parts_x;
    const uint32_t n_rows = CCA_MORPH_ROWS + 2 * halo;
    const int32_t word = (int32_t) (part_x * inner_words + lane) - (int32_t) halo_words;
    const int32_t x = word * WARP, y = (int32_t) (part_y * CCA_MORPH_ROWS) - (int32_t) halo;
    const uint32_t columns = columns_inside(f, x);
    Rows rows = { tables[0], tables[1] };

    begin_dependent();
    for (uint32_t r = warp; r < n_rows; r += CCA_MORPH_WARPS)
        rows.words[r][lane] = load_word(f, x, y + (int32_t) r, columns);
    __syncthreads();
    if (open > 0)
        erode(f, columns, rows, y, n_rows, open, 0);
    erode(f, columns, rows, y + (int32_t) open, n_rows - 2 * open, both, ALL_LANES);
    if (close > 0)
        erode(f, columns, rows, y + (int32_t) (open + both), n_rows - 2 * (open + both), close,
              ALL_LANES);
    const uint32_t flipped = close > 0 ? 0 : ALL_LANES;

    if (lane < halo_words || lane >= WARP - halo_words || word >= (int32_t) f.opened_row_words)
        return;
    for (uint32_t r = warp; r < CCA_MORPH_ROWS; r += CCA_MORPH_WARPS) {
        const uint32_t to = part_y * CCA_MORPH_ROWS + r;
        if (to < f.height)
            f.opened[(size_t) to * f.opened_row_words + (uint32_t) word] =
                (rows.words[r][lane] ^ flipped) & columns;
    }
}
