/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The drawing on the GPU. A block has a tile or half of one, and each warp of it a part. The warp
 * draws the tile's commands on its part in order, so crossing commands cannot race. A lane has the
 * samples of some whole cells, which it loads before the commands arrive. */

#include "alphas.cuh"

#define WARPS (CCA_OVERLAY_THREADS / WARP)

/* Whether all alphas of a command are 0 or 255, so that no sample is blended. */
DEVICE bool is_opaque(const uint32_t head)
{
    const uint32_t inside = head >> 16 & 0xff;
    return (head & 0xff) != CCA_OVERLAY_TEXT && (head >> 8 & 0xff) == 255 &&
           (inside == 0 || inside == 255);
}

/* --- NV12 ----------------------------------------------------------------- */

/* Blends four samples, each with its own alpha. */
DEVICE uint32_t blend_word(const uint32_t alphas, const uint32_t colours, const uint32_t values)
{
    uint32_t word = 0;
#pragma unroll
    for (uint32_t i = 0; i < 32; i += 8)
        word |= blend(alphas >> i & 0xff, colours >> i & 0xff, values >> i & 0xff) << i;
    return word;
}

/* The greatest alpha of each cell of two rows, for both of its samples. */
DEVICE uint32_t cell_alphas(const uint32_t upper, const uint32_t lower)
{
    uint32_t word = 0;
#pragma unroll
    for (uint32_t i = 0; i < 32; i += 16) {
        const uint32_t left = umax(upper >> i & 0xff, lower >> i & 0xff);
        const uint32_t right = umax(upper >> i >> 8 & 0xff, lower >> i >> 8 & 0xff);
        word |= umax(left, right) * 0x0101 << i;
    }
    return word;
}

/* The same for alphas that are 0 or 255. */
DEVICE uint32_t opaque_cells(const uint32_t upper, const uint32_t lower)
{
    const uint32_t either = upper | lower;
    return either | (either >> 8 & 0x00ff00ff) | (either << 8 & 0xff00ff00);
}

/* The samples of a lane as words: luma of each row, and chroma of every two rows. */
class OverlayWords
{
  public:
    static constexpr int32_t ROWS = 4;
    static constexpr bool MAY_BE_FAR = false;

    DEVICE_MEMBER void load(const CcaOverlayWindow &window, const uint32_t x, const uint32_t y)
    {
        const CcaOverlayPicture &p = window.picture;
#pragma unroll
        for (uint32_t r = 0; r < ROWS; r++) {
            drawn[r] = 0;
            if (x < p.x1 && y + r < p.y1) {
                luma[r] = *place(p.channels[0], x, y + r);
                if (r % 2 == 0)
                    chroma[r / 2] = *place(p.channels[1], x, (y + r) / 2);
            }
        }
    }

    DEVICE_MEMBER void draw(const CcaOverlayWindow &, const uint32_t *const command,
                            const OverlayAlphas<ROWS> &a)
    {
        const uint32_t colours = command[CCA_OVERLAY_AT_COLOURS];
        const uint32_t y = (colours & 0xff) * 0x01010101;
        const uint32_t uv = ((colours >> 16 & 0xff) | command[CCA_OVERLAY_AT_COLOURS + 1] << 8) *
                            0x00010001;
        const bool opaque = is_opaque(command[CCA_OVERLAY_AT_HEAD]);
#pragma unroll
        for (uint32_t r = 0; r < ROWS; r++) {
            drawn[r] |= a.rows[r];
            if (opaque)
                luma[r] = (luma[r] & ~a.rows[r]) | (y & a.rows[r]);
            else
                luma[r] = blend_word(a.rows[r], y, luma[r]);
        }
#pragma unroll
        for (uint32_t r = 0; r < ROWS; r += 2) {
            if (opaque) {
                const uint32_t cells = opaque_cells(a.rows[r], a.rows[r + 1]);
                chroma[r / 2] = (chroma[r / 2] & ~cells) | (uv & cells);
            } else {
                chroma[r / 2] = blend_word(cell_alphas(a.rows[r], a.rows[r + 1]), uv,
                                           chroma[r / 2]);
            }
        }
    }

    DEVICE_MEMBER void store(const CcaOverlayWindow &window, const uint32_t x,
                             const uint32_t y) const
    {
        const CcaOverlayPicture &p = window.picture;
#pragma unroll
        for (uint32_t r = 0; r < ROWS; r++) {
            if (drawn[r] != 0)
                *place(p.channels[0], x, y + r) = luma[r];
            if (r % 2 == 0 && (drawn[r] | drawn[r + 1]) != 0)
                *place(p.channels[1], x, (y + r) / 2) = chroma[r / 2];
        }
    }

  private:
    uint32_t luma[ROWS], chroma[ROWS / 2], drawn[ROWS];

    /* A cell's two chroma samples have the same offset in their row as its two luma columns. */
    static DEVICE_MEMBER uint32_t *place(const CcaOverlayChannel &channel, const uint32_t x,
                                         const uint32_t row)
    {
        return (uint32_t *) (void *) (channel.data + row * channel.stride + x);
    }
};

/* --- any format ----------------------------------------------------------- */

/* The samples of a lane one by one: those of the cells that begin at its pixels, and one bit for
 * each that has been drawn on. */
class OverlaySamples
{
  public:
    static constexpr int32_t ROWS = 2;
    static constexpr bool MAY_BE_FAR = true;

  private:
    static constexpr uint32_t LANE_PIXELS = ROWS * LANE_WIDTH;

    uint32_t values[CCA_OVERLAY_MAX_CHANNELS][LANE_PIXELS];
    uint32_t drawn[CCA_OVERLAY_MAX_CHANNELS];

    static DEVICE_MEMBER bool begins_cell(const CcaOverlayChannel &channel, const uint32_t i)
    {
        return (i % LANE_WIDTH & ((1u << channel.cell_x) - 1)) == 0 &&
               (i / LANE_WIDTH & ((1u << channel.cell_y) - 1)) == 0;
    }

    static DEVICE_MEMBER uint8_t *place(const CcaOverlayChannel &channel, const uint32_t x,
                                        const uint32_t y, const uint32_t i)
    {
        return sample_at(&channel, (int32_t) ((x + i % LANE_WIDTH) >> channel.cell_x),
                         (int32_t) ((y + i / LANE_WIDTH) >> channel.cell_y));
    }

    /* Stores the greatest alpha of each cell at the pixel where it begins. */
    static DEVICE_MEMBER void widen(uint32_t (&alphas)[LANE_PIXELS],
                                    const CcaOverlayChannel &channel)
    {
#pragma unroll
        for (uint32_t i = 0; i < LANE_PIXELS; i += 2)
            if (channel.cell_x != 0)
                alphas[i] = umax(alphas[i], alphas[i + 1]);
#pragma unroll
        for (uint32_t i = 0; i < LANE_WIDTH; i++)
            if (channel.cell_y != 0)
                alphas[i] = umax(alphas[i], alphas[i + LANE_WIDTH]);
    }

  public:
    DEVICE_MEMBER void load(const CcaOverlayWindow &window, const uint32_t x, const uint32_t y)
    {
        const CcaOverlayPicture &p = window.picture;
#pragma unroll
        for (uint32_t c = 0; c < CCA_OVERLAY_MAX_CHANNELS; c++) {
            drawn[c] = 0;
#pragma unroll
            for (uint32_t i = 0; i < LANE_PIXELS; i++)
                if (c < p.n_channels && begins_cell(p.channels[c], i) &&
                    x + i % LANE_WIDTH < p.x1 && y + i / LANE_WIDTH < p.y1)
                    values[c][i] = load_value(&p, place(p.channels[c], x, y, i));
        }
    }

    DEVICE_MEMBER void draw(const CcaOverlayWindow &window, const uint32_t *const command,
                            const OverlayAlphas<ROWS> &a)
    {
        uint32_t alphas[LANE_PIXELS], cell_x = 0, cell_y = 0;
#pragma unroll
        for (uint32_t i = 0; i < LANE_PIXELS; i++)
            alphas[i] = a.rows[i / LANE_WIDTH] >> i % LANE_WIDTH * 8 & 0xff;
#pragma unroll
        for (uint32_t c = 0; c < CCA_OVERLAY_MAX_CHANNELS; c++) {
            if (c >= window.picture.n_channels)
                break;
            const CcaOverlayChannel &channel = window.picture.channels[c];
            const uint32_t colour = half_at(command + CCA_OVERLAY_AT_COLOURS, c);
            if (channel.cell_x != cell_x || channel.cell_y != cell_y)
                widen(alphas, channel);
            cell_x = channel.cell_x;
            cell_y = channel.cell_y;
#pragma unroll
            for (uint32_t i = 0; i < LANE_PIXELS; i++) {
                if (alphas[i] == 0 || !begins_cell(channel, i))
                    continue;
                values[c][i] = blend(alphas[i], colour, values[c][i]);
                drawn[c] |= 1u << i;
            }
        }
    }

    DEVICE_MEMBER void store(const CcaOverlayWindow &window, const uint32_t x,
                             const uint32_t y) const
    {
        const CcaOverlayPicture &p = window.picture;
#pragma unroll
        for (uint32_t c = 0; c < CCA_OVERLAY_MAX_CHANNELS; c++) {
#pragma unroll
            for (uint32_t i = 0; i < LANE_PIXELS; i++)
                if ((drawn[c] >> i & 1) != 0)
                    store_value(&p, place(p.channels[c], x, y, i), values[c][i]);
        }
    }
};

/* --- tiles ---------------------------------------------------------------- */

/* Draws the commands of a page on the samples of a warp's part. An invalid word ends them, like the
 * word after the last command. */
template <typename Samples>
DEVICE void draw_page(Samples &samples, const CcaOverlayWindow &window, const uint32_t *const words,
                      const uint32_t n_words, const OverlayPart<Samples::ROWS> &part)
{
    for (uint32_t at = 0; at < n_words;) {
        const uint32_t *const command = words + at;
        const uint32_t head = command[CCA_OVERLAY_AT_HEAD], length = head >> 24;
        if (length <= CCA_OVERLAY_AT_REST || length > n_words - at)
            break;
        if (touches(command, head, part))
            samples.draw(window, command,
                         alphas_of<Samples::MAY_BE_FAR, Samples::ROWS>(command, window.glyphs,
                                                                       part));
        at += length;
    }
}

/* Draws a tile, or the block's share of it. */
template <typename Samples> DEVICE void draw_tile(const CcaOverlayWindow &window)
{
    const uint32_t n_parts = CCA_OVERLAY_TILE / PART_WIDTH * CCA_OVERLAY_TILE /
                             OverlayPart<Samples::ROWS>::HEIGHT;
    const uint32_t n_blocks = n_parts / WARPS, i = blockIdx.x / n_blocks;
    const uint32_t tile = window.tiles[i], end = window.tiles[i + 1] >> 16;
    const uint4 *const units = (const uint4 *) window.words;
    __shared__ uint4 page[CCA_OVERLAY_THREADS];

    uint32_t unit = tile >> 16;
    uint4 next = make_uint4(0, 0, 0, 0);
    if (unit + threadIdx.x < end)
        next = __ldcg(units + unit + threadIdx.x);

    const OverlayPart<Samples::ROWS> part =
        part_of<Samples::ROWS>(blockIdx.x % n_blocks * WARPS + threadIdx.x / WARP,
                               threadIdx.x % WARP);
    const uint32_t x = window.x + (tile & 0xff) * CCA_OVERLAY_TILE + (uint32_t) part.x;
    const uint32_t y = window.y + (tile >> 8 & 0xff) * CCA_OVERLAY_TILE + (uint32_t) part.y;
    Samples samples;
    samples.load(window, x, y);
    for (; unit < end; unit += CCA_OVERLAY_THREADS) {
        page[threadIdx.x] = next;
        __syncthreads();
        if (unit + CCA_OVERLAY_THREADS + threadIdx.x < end)
            next = __ldcg(units + unit + CCA_OVERLAY_THREADS + threadIdx.x);
        const uint32_t n_units = end - unit < CCA_OVERLAY_THREADS ? end - unit :
                                                                    CCA_OVERLAY_THREADS;
        draw_page(samples, window, &page->x, n_units * CCA_OVERLAY_UNIT_WORDS, part);
        __syncthreads();
    }
    samples.store(window, x, y);
}

extern "C" __global__ void __launch_bounds__(CCA_OVERLAY_THREADS, 4)
    cca_overlay_nv12(const __grid_constant__ CcaOverlayWindow window)
{
    draw_tile<OverlayWords>(window);
}

extern "C" __global__ void __launch_bounds__(CCA_OVERLAY_THREADS, 2)
    cca_overlay_any(const __grid_constant__ CcaOverlayWindow window)
{
    draw_tile<OverlaySamples>(window);
}
