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

/* Erodes the rows in `from` that are complete after `done` others at each end were
 * lost; what is outside the region is 1. `flip` erodes the background. */
DEVICE void erode(const CudaForeground &f, const Part &part, uint32_t (*const rows)[WARP],
                  uint32_t (*const other)[WARP], const uint32_t radius, const uint32_t flip,
                  const uint32_t done)
{
    const uint32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const uint32_t outside = ~columns_inside(f, part.x0 + (int32_t) (lane * WARP));
    for (uint32_t r = done + warp; r < part.n_rows - done; r += CCA_MORPH_WARPS) {
        const int32_t y = part.y0 + (int32_t) r;
        const bool inside = y >= 0 && y < (int32_t) f.height;
        const uint32_t v = inside ? (rows[r][lane] ^ flip) | outside : ALL_LANES;
        other[r][lane] = erode_row(v, radius);
    }
    __syncthreads();
    const uint32_t lost = done + radius;
    for (uint32_t r = lost + warp; r < part.n_rows - lost; r += CCA_MORPH_WARPS) {
        uint32_t v = ALL_LANES;
        for (uint32_t i = r - radius; i <= r + radius; i++)
            v &= other[i][lane];
        rows[r][lane] = v ^ flip;
    }
    __syncthreads();
}

/* Grid: a block for each part of CCA_MORPH_ROWS rows and of as many words as the halo
 * leaves, in raster order. */
extern "C" __global__ void __launch_bounds__(CCA_MORPH_WARPS *WARP)
    cca_open_close(const CudaForeground f)
{
    __shared__ uint32_t rows[MAX_ROWS][WARP], other[MAX_ROWS][WARP];

    begin_dependent();
    const uint32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const uint32_t halo = 2 * (f.open_radius + f.close_radius), halo_words = (halo + 31) / 32;
    const uint32_t inner_words = CCA_MORPH_WORDS - 2 * halo_words;
    const uint32_t parts_x = (f.opened_row_words - 1) / inner_words + 1;
    const uint32_t part_y = blockIdx.x / parts_x, part_x = blockIdx.x - part_y * parts_x;
    const int32_t word0 = (int32_t) (part_x * inner_words) - (int32_t) halo_words;
    const Part part = { word0 * WARP, (int32_t) (part_y * CCA_MORPH_ROWS) - (int32_t) halo,
                        CCA_MORPH_ROWS + 2 * halo };
    const int32_t x = part.x0 + (int32_t) (lane * WARP);
    const uint32_t inside = columns_inside(f, x);
    for (uint32_t r = warp; r < part.n_rows; r += CCA_MORPH_WARPS)
        rows[r][lane] = load_word(f, x, part.y0 + (int32_t) r, inside);
    __syncthreads();

    const uint32_t both = f.open_radius + f.close_radius;
    if (f.open_radius > 0)
        erode(f, part, rows, other, f.open_radius, 0, 0);
    erode(f, part, rows, other, both, ALL_LANES, f.open_radius);
    if (f.close_radius > 0)
        erode(f, part, rows, other, f.close_radius, 0, f.open_radius + both);

    const uint32_t word = (uint32_t) (word0 + (int32_t) lane);
    if (lane < halo_words || lane >= WARP - halo_words || word >= f.opened_row_words)
        return;
    for (uint32_t r = halo + warp; r < halo + CCA_MORPH_ROWS; r += CCA_MORPH_WARPS) {
        const int32_t y = part.y0 + (int32_t) r;
        if (y < (int32_t) f.height)
            f.opened[(size_t) y * f.opened_row_words + word] = rows[r][lane] & inside;
    }
}
