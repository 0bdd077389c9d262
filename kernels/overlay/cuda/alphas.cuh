/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_OVERLAY_ALPHAS_CUH
#define CCA_OVERLAY_ALPHAS_CUH

/* The alphas that a command gives to the pixels of a part: those of
 * tests/check/overlay/definition.c. */

#include <ptx.cuh>

#include "../pixel.h"
#include "window.h"

#define DEVICE_MEMBER __device__ __forceinline__

/* Pixels of a row of a warp's part, and of a lane, which has whole cells. */
#define PART_WIDTH 32
#define LANE_WIDTH 4
#define LANES_IN_ROW (PART_WIDTH / LANE_WIDTH)

/* The part of a tile that a warp draws on, in pixels of the tile. A lane has ROWS rows of
 * LANE_WIDTH pixels. */
template <int32_t ROWS> struct OverlayPart {
    static constexpr int32_t HEIGHT = WARP / LANES_IN_ROW * ROWS;
    int32_t left, top;
    int32_t x, y; /* of the lane's pixels */
    uint32_t lane;
};

/* The alphas of a lane's pixels, one per byte. */
template <int32_t ROWS> struct OverlayAlphas {
    uint32_t rows[ROWS];
};

/* Part `i` of a tile, in raster order. */
template <int32_t ROWS> DEVICE OverlayPart<ROWS> part_of(const uint32_t i, const uint32_t lane)
{
    const uint32_t in_row = CCA_OVERLAY_TILE / PART_WIDTH;
    OverlayPart<ROWS> part;
    part.left = (int32_t) (i % in_row * PART_WIDTH);
    part.top = (int32_t) (i / in_row) * OverlayPart<ROWS>::HEIGHT;
    part.x = part.left + (int32_t) (lane % LANES_IN_ROW * LANE_WIDTH);
    part.y = part.top + (int32_t) (lane / LANES_IN_ROW) * ROWS;
    part.lane = lane;
    return part;
}

DEVICE uint32_t half_at(const uint32_t *const words, const uint32_t i)
{
    return words[i / 2] >> i % 2 * 16 & 0xffff;
}

struct OverlayRect {
    int32_t x0, y0, x1, y1;
};

DEVICE OverlayRect rect_at(const uint32_t *const words)
{
    const uint32_t word = *words;
    return { (int32_t) (word & 0xff), (int32_t) (word >> 8 & 0xff), (int32_t) (word >> 16 & 0xff),
             (int32_t) (word >> 24) };
}

/* Whether a command may draw on the part. The inside of a box that has only an outline is not
 * drawn on. */
template <int32_t ROWS>
DEVICE bool touches(const uint32_t *const command, const uint32_t head,
                    const OverlayPart<ROWS> &part)
{
    const OverlayRect outside = rect_at(command + CCA_OVERLAY_AT_OUTSIDE);
    const int32_t left = imax(outside.x0, part.left);
    const int32_t right = imin(outside.x1, part.left + PART_WIDTH);
    const int32_t top = imax(outside.y0, part.top);
    const int32_t bottom = imin(outside.y1, part.top + part.HEIGHT);
    if (left >= right || top >= bottom)
        return false;
    if ((head & 0xff) != CCA_OVERLAY_BOX || (head >> 16 & 0xff) != 0)
        return true;
    const OverlayRect inside = rect_at(command + CCA_OVERLAY_AT_REST);
    return left < inside.x0 || right > inside.x1 || top < inside.y0 || bottom > inside.y1;
}

/* The lowest `n` bits; all if there are more than 32. */
DEVICE uint32_t low_bits(const int32_t n)
{
    return n >= 32 ? 0xffffffffu : (1u << n) - 1;
}

/* The bits `from` to `to` - 1, as far as they are among the lowest `n`. */
DEVICE uint32_t bits_between(const int32_t from, const int32_t to, const int32_t n)
{
    return low_bits(iclip(to, 0, n)) & ~low_bits(iclip(from, 0, n));
}

/* 4 bits as bytes of 0 or 255. */
DEVICE uint32_t to_bytes(const uint32_t bits)
{
    return (bits * 0x00204081 & 0x01010101) * 255;
}

/* The columns of a lane that are in a rectangle, as bytes of 0 or 255. */
DEVICE uint32_t columns_of(const OverlayRect &rect, const int32_t x)
{
    return to_bytes(bits_between(rect.x0 - x, rect.x1 - x, LANE_WIDTH));
}

DEVICE bool has_row(const OverlayRect &rect, const int32_t y)
{
    return y >= rect.y0 && y < rect.y1;
}

DEVICE uint32_t alpha_of(const uint32_t *const command)
{
    return command[CCA_OVERLAY_AT_HEAD] >> 8 & 0xff;
}

/* --- boxes ---------------------------------------------------------------- */

template <int32_t ROWS>
DEVICE OverlayAlphas<ROWS> box_alphas(const uint32_t *const command, const OverlayPart<ROWS> &part)
{
    const uint32_t outline = alpha_of(command) * 0x01010101;
    const uint32_t tint = (command[CCA_OVERLAY_AT_HEAD] >> 16 & 0xff) * 0x01010101;
    const OverlayRect outside = rect_at(command + CCA_OVERLAY_AT_OUTSIDE);
    const OverlayRect inside = rect_at(command + CCA_OVERLAY_AT_REST);
    const uint32_t all = columns_of(outside, part.x), within = columns_of(inside, part.x);
    OverlayAlphas<ROWS> alphas;
#pragma unroll
    for (int32_t r = 0; r < ROWS; r++) {
        const uint32_t mask = has_row(outside, part.y + r) ? all : 0;
        const uint32_t mask_inside = has_row(inside, part.y + r) ? mask & within : 0;
        alphas.rows[r] = (mask & ~mask_inside & outline) | (mask_inside & tint);
    }
    return alphas;
}

/* --- paths ---------------------------------------------------------------- */

/* n / d rounded down, and rounded up; d is positive. */
template <typename T> DEVICE T floor_of(const T n, const T d)
{
    return n / d - (n % d < 0);
}
template <typename T> DEVICE T ceiling_of(const T n, const T d)
{
    return n / d + (n % d > 0);
}

/* The columns of a row that a segment covers: the condition of is_on_segment() for a pixel, solved
 * for the column. */
template <typename T>
DEVICE void segment_columns(const T y, T ax, T ay, T bx, T by, const T t, T &from, T &to)
{
    const T wide = bx > ax ? bx - ax : ax - bx, high = by > ay ? by - ay : ay - by;
    T swap;
    from = to = 0;
    if (high > wide ? ay > by : ax > bx) {
        swap = ax, ax = bx, bx = swap;
        swap = ay, ay = by, by = swap;
    }
    if (high > wide) {
        if (y < ay || y > by)
            return;
        from = ax + floor_of<T>(2 * (y - ay) * (bx - ax) + high, 2 * high) - t / 2;
        to = from + t;
        return;
    }
    /* column u is covered in the row if low <= slope * u < low + 2 * t * wide */
    const T slope = 2 * (by - ay), low = wide * (2 * (y - ay + t / 2 - t) + 1);
    const T end = low + 2 * t * wide;
    if (slope > 0) {
        from = ceiling_of<T>(low, slope);
        to = ceiling_of<T>(end, slope);
    } else if (slope < 0) {
        from = floor_of<T>(-end, -slope) + 1;
        to = floor_of<T>(-low, -slope) + 1;
    } else if (low <= 0 && end > 0) {
        to = wide + 1;
    }
    from = from > 0 ? from : 0;
    to = wide == 0 ? 0 : to < wide + 1 ? to : wide + 1;
    from += ax;
    to += ax;
}

template <typename T> struct OverlayPoint {
    T x, y;
};

DEVICE OverlayPoint<int32_t> point_at(const uint32_t *const points, const uint32_t i, int32_t)
{
    const uint32_t word = points[i];
    return { (int32_t) (int16_t) (word & 0xffff), (int32_t) word >> 16 };
}

DEVICE OverlayPoint<int64_t> point_at(const uint32_t *const points, const uint32_t i, int64_t)
{
    return { (int32_t) points[2 * i], (int32_t) points[2 * i + 1] };
}

/* Clips to the columns of a part, so that 32 bits hold it. */
template <typename T> DEVICE int32_t to_column(const T x)
{
    const T not_left = x > 0 ? x : 0;
    return (int32_t) (not_left < PART_WIDTH ? not_left : PART_WIDTH);
}

/* The part's columns that are covered in a row by a segment or by the square at its end, one per
 * bit. */
template <typename T>
DEVICE uint32_t covered_columns(const uint32_t *const points, const uint32_t i, const T t,
                                const T left, const T y)
{
    const OverlayPoint<T> b = point_at(points, i, T());
    const OverlayPoint<T> a = i > 0 ? point_at(points, i - 1, T()) : b;
    const T lowest = a.y < b.y ? a.y : b.y, highest = a.y < b.y ? b.y : a.y;
    T from, to, first = b.x - t / 2 - left, last = first;
    if (y < lowest - t / 2 || y >= highest - t / 2 + t)
        return 0;
    if (y >= b.y - t / 2 && y < b.y - t / 2 + t)
        last += t;
    segment_columns<T>(y, a.x, a.y, b.x, b.y, t, from, to);
    from -= left;
    to -= left;
    return bits_between(to_column(first), to_column(last), PART_WIDTH) |
           bits_between(to_column(from), to_column(to), PART_WIDTH);
}

/* Each lane finds the covered columns of one row of the part. Lanes with the same row divide the
 * points of the path among them. */
template <typename T, int32_t ROWS>
DEVICE OverlayAlphas<ROWS> path_alphas(const uint32_t *const command, const OverlayPart<ROWS> &part)
{
    const uint32_t *const points = command + CCA_OVERLAY_AT_REST + 1;
    const uint32_t n_words = (command[CCA_OVERLAY_AT_HEAD] >> 24) - CCA_OVERLAY_AT_REST - 1;
    const uint32_t n = n_words * 4 / sizeof(T), height = part.HEIGHT;
    const T t = (T) command[CCA_OVERLAY_AT_REST];
    const T y = (T) (part.top + (int32_t) (part.lane % height));
    uint32_t columns = 0;
    for (uint32_t i = part.lane / height; i < n; i += WARP / height)
        columns |= covered_columns<T>(points, i, t, (T) part.left, y);
    for (uint32_t lanes = height; lanes < WARP; lanes *= 2)
        columns |= __shfl_xor_sync(ALL_LANES, columns, lanes);

    const OverlayRect outside = rect_at(command + CCA_OVERLAY_AT_OUTSIDE);
    const uint32_t all = columns_of(outside, part.x) & alpha_of(command) * 0x01010101;
    OverlayAlphas<ROWS> alphas;
#pragma unroll
    for (int32_t r = 0; r < ROWS; r++) {
        const uint32_t row = __shfl_sync(ALL_LANES, columns, (uint32_t) (part.y - part.top + r));
        const uint32_t bits = row >> part.lane % LANES_IN_ROW * LANE_WIDTH & 15;
        alphas.rows[r] = has_row(outside, part.y + r) ? all & to_bytes(bits) : 0;
    }
    return alphas;
}

/* --- texts ---------------------------------------------------------------- */

/* A character of a text; CCA_OVERLAY_N_GLYPHS beyond its words. */
DEVICE uint32_t glyph_at(const uint32_t *const command, const uint32_t place)
{
    const uint32_t word = CCA_OVERLAY_AT_REST + 2 + place / 4;
    if (word >= command[CCA_OVERLAY_AT_HEAD] >> 24)
        return CCA_OVERLAY_N_GLYPHS;
    return command[word] >> place % 4 * 8 & 0xff;
}

template <int32_t ROWS>
DEVICE OverlayAlphas<ROWS> text_alphas(const uint32_t *const command,
                                       const CcaOverlayGlyphs &glyphs,
                                       const OverlayPart<ROWS> &part)
{
    const uint32_t alpha = alpha_of(command);
    const OverlayRect outside = rect_at(command + CCA_OVERLAY_AT_OUTSIDE);
    const uint32_t right = (uint32_t) imax(part.x, outside.x0) - command[CCA_OVERLAY_AT_REST];
    const uint32_t down = (uint32_t) part.y - command[CCA_OVERLAY_AT_REST + 1];
    uint32_t place = right / glyphs.width, column = right % glyphs.width;
    OverlayAlphas<ROWS> alphas = {};
#pragma unroll
    for (int32_t i = 0; i < LANE_WIDTH; i++) {
        if (part.x + i < outside.x0 || part.x + i >= outside.x1)
            continue;
        const uint32_t glyph = glyph_at(command, place);
        if (glyph >= CCA_OVERLAY_N_GLYPHS)
            break;
#pragma unroll
        for (int32_t r = 0; r < ROWS; r++) {
            const uint32_t row = glyph * glyphs.height + down + (uint32_t) r;
            if (has_row(outside, part.y + r) && down + (uint32_t) r < glyphs.height)
                alphas.rows[r] |= glyph_alpha(glyphs.coverage[row * glyphs.width + column], alpha)
                                  << 8 * i;
        }
        if (++column == glyphs.width) {
            column = 0;
            place++;
        }
    }
    return alphas;
}

/* --- masks ---------------------------------------------------------------- */

template <int32_t ROWS>
DEVICE OverlayAlphas<ROWS> mask_alphas(const uint32_t *const command, const OverlayPart<ROWS> &part)
{
    const OverlayRect outside = rect_at(command + CCA_OVERLAY_AT_OUTSIDE);
    const uint32_t n_words = command[CCA_OVERLAY_AT_HEAD] >> 24;
    const uint32_t all = columns_of(outside, part.x) & alpha_of(command) * 0x01010101;
    OverlayAlphas<ROWS> alphas;
#pragma unroll
    for (int32_t r = 0; r < ROWS; r++) {
        const uint32_t row = (uint32_t) (part.y + r - outside.y0);
        const uint32_t word = CCA_OVERLAY_AT_REST + 2 * row + (uint32_t) part.x / 32;
        alphas.rows[r] = 0;
        if (has_row(outside, part.y + r) && word < n_words)
            alphas.rows[r] = all & to_bytes(command[word] >> part.x % 32 & 15);
    }
    return alphas;
}

/* --- all ------------------------------------------------------------------ */

/* Far paths need more registers, so kernels that do not draw them leave out their code. */
template <bool may_be_far, int32_t ROWS>
DEVICE OverlayAlphas<ROWS> alphas_of(const uint32_t *const command, const CcaOverlayGlyphs &glyphs,
                                     const OverlayPart<ROWS> &part)
{
    switch (command[CCA_OVERLAY_AT_HEAD] & 0xff) {
    case CCA_OVERLAY_BOX: return box_alphas<ROWS>(command, part);
    case CCA_OVERLAY_TEXT: return text_alphas<ROWS>(command, glyphs, part);
    case CCA_OVERLAY_MASK: return mask_alphas<ROWS>(command, part);
    case CCA_OVERLAY_FAR_PATH:
        if (may_be_far)
            return path_alphas<int64_t, ROWS>(command, part);
        /* fall through */
    default: return path_alphas<int32_t, ROWS>(command, part);
    }
}

#endif /* CCA_OVERLAY_ALPHAS_CUH */
