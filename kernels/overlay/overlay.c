/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Draws commands on the CPU, in stretches of cells that have the same alpha.
 * tests/check/overlay/definition.c defines the alpha of each pixel. */

#include <stdbool.h>
#include <string.h>

#include "../level.h"
#include "pixel.h"

/* Number of samples blended at a time: a multiple of the samples of a cell. */
#define LANES 16

/* Number of samples whose channels are known: a block of them may begin at any sample of a cell. */
#define PERIOD (LANES + 4)

/* Maximum words, of 64 pixels each, of a strip in which a path is drawn, and of a row of it. */
#define STRIP_WORDS 1024
#define STRIP_ROW_WORDS 32

/* Rows of a strip in which each has one run of pixels. */
#define STRIP_RUNS 256

/* Strips begin with whole cells of any size. */
#define CELL 4

/* Size of a strip in which a text is drawn. */
#define TEXT_COLUMNS 64
#define TEXT_ROWS 32

typedef struct Rect {
    int32_t x0, y0, x1, y1;
} Rect;

static int32_t round_up(const int32_t v, const uint32_t bits)
{
    return (v + (1 << bits) - 1) >> bits;
}

/* --- planes --------------------------------------------------------------- */

/* Channels whose samples alternate in memory: they are blended in one pass. */
typedef struct Plane {
    uint8_t *data; /* first sample */
    uint64_t stride;
    uint32_t step;          /* bytes from cell to cell */
    uint32_t n;             /* samples from cell to cell */
    uint32_t last;          /* index of the last of these that belongs to a channel */
    int8_t channel[PERIOD]; /* of the samples of whole cells; -1: none */
    uint32_t cell_x, cell_y;
    uint32_t sample_size, depth, shift;
} Plane;

typedef struct Planes {
    Plane planes[CCA_OVERLAY_MAX_CHANNELS];
    uint32_t n;
} Planes;

static void add_plane(Planes *const planes, const CcaOverlayPicture *const picture,
                      const uint32_t first, const uint32_t n)
{
    const CcaOverlayChannel *const channels = &picture->channels[first];
    Plane *const plane = &planes->planes[planes->n++];
    *plane = (Plane) {
        .data = channels[0].data,
        .stride = channels[0].stride,
        .step = channels[0].step,
        .n = channels[0].step / picture->sample_size,
        .cell_x = channels[0].cell_x,
        .cell_y = channels[0].cell_y,
        .sample_size = picture->sample_size,
        .depth = picture->depth,
        .shift = picture->shift,
    };
    for (uint32_t i = 1; i < n; i++)
        if ((uintptr_t) channels[i].data < (uintptr_t) plane->data)
            plane->data = channels[i].data;
    memset(plane->channel, -1, sizeof(plane->channel));
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = (uint32_t) ((uintptr_t) channels[i].data - (uintptr_t) plane->data) /
                            picture->sample_size;
        plane->last = umax(plane->last, at);
        for (uint32_t k = at; k < PERIOD; k += plane->n)
            plane->channel[k] = (int8_t) (first + i);
    }
}

static bool do_alternate(const CcaOverlayChannel *const a, const CcaOverlayChannel *const b)
{
    const uintptr_t first = (uintptr_t) a->data, second = (uintptr_t) b->data;
    return a->cell_x == b->cell_x && a->stride == b->stride && a->step == b->step &&
           (first < second ? second - first : first - second) < a->step;
}

static Planes planes_of(const CcaOverlayPicture *const picture)
{
    Planes planes = { .n = 0 };
    for (uint32_t first = 0, n; first < picture->n_channels; first += n) {
        const CcaOverlayChannel *const a = &picture->channels[first];
        for (n = 1; first + n < picture->n_channels; n++)
            if (!do_alternate(a, a + n) || (n == 2 && !do_alternate(a + 1, a + 2)))
                break;
        add_plane(&planes, picture, first, n);
    }
    return planes;
}

/* --- stretches ------------------------------------------------------------ */

/* A block of samples of a byte, or those at even or odd places in 16 bits each. */
typedef uint8_t Bytes __attribute__((vector_size(LANES)));
typedef uint16_t Words __attribute__((vector_size(LANES)));
typedef uint8_t Half __attribute__((vector_size(LANES / 2)));

static Bytes load_block(const uint8_t *const p)
{
    Bytes block;
    memcpy(&block, p, sizeof(block));
    return block;
}

static void store_block(uint8_t *const p, const Bytes block)
{
    memcpy(p, &block, sizeof(block));
}

static Words even(const Bytes block)
{
    return (Words) block & 0xff;
}

static Words odd(const Bytes block)
{
    return (Words) block >> 8;
}

static Bytes join(const Words even, const Words odd)
{
    return (Bytes) (even | odd << 8);
}

static Bytes max_bytes(const Bytes a, const Bytes b)
{
    const Bytes is_greater = (Bytes) (a > b);
    return (a & is_greater) | (b & ~is_greater);
}

/* v / 255 of values below 65535. */
static Words divide(const Words v)
{
    return (v + 1 + (v >> 8)) >> 8;
}

/* blend() as (v * value + colours) / 255 for the samples of whole cells. A sample of no channel
 * keeps its value. `value` and `colours` are not set if alpha is 0 or `fills` is true. */
typedef struct Blend {
    uint32_t alpha;
    uint8_t bytes[PERIOD]; /* colours of samples of a byte */
    bool fills;            /* every byte is replaced by these */
    uint8_t value[LANES];
    uint32_t colours[LANES];
    Words even_colours, odd_colours; /* for samples of a byte */
    uint16_t kept[LANES];            /* bits of a sample of two bytes */
} Blend;

static Blend blend_of(const Plane *const plane, const CcaOverlayCommand *const c,
                      const uint32_t alpha)
{
    const uint32_t is_wide = plane->sample_size - 1;
    Blend b;
    b.alpha = alpha;
    b.fills = !is_wide && alpha == 255;
    for (uint32_t k = 0; k < PERIOD; k++) {
        const int32_t channel = plane->channel[k];
        b.bytes[k] = (uint8_t) (channel >= 0 ? c->colour[channel] : 0);
        b.fills = b.fills && channel >= 0;
    }
    if (b.fills || alpha == 0)
        return b;
    for (uint32_t k = 0; k < LANES; k++) {
        const int32_t channel = plane->channel[k];
        b.value[k] = (uint8_t) (channel >= 0 ? 255 - alpha : 255 * (1 - is_wide));
        b.colours[k] = channel >= 0 ? alpha * c->colour[channel] + 127 : 127;
        b.kept[k] = channel >= 0 ? 0 : 0xffff;
    }
    b.even_colours = even(load_block(b.bytes)) * (uint16_t) alpha + 127;
    b.odd_colours = odd(load_block(b.bytes)) * (uint16_t) alpha + 127;
    return b;
}

/* Replaces bytes of whole cells. The last block is aligned to the end and may overlap the one
 * before it. */
static void fill_bytes(uint8_t *p, uint32_t n, const Blend *const b)
{
    if (n >= LANES) {
        uint8_t *const end = p + n - LANES;
        for (; p < end; p += LANES)
            memcpy(p, b->bytes, LANES);
        memcpy(end, b->bytes, LANES);
    } else if (n >= 8) {
        memcpy(p, b->bytes, 8);
        memcpy(p + n - 8, b->bytes, 8);
    } else if (n >= 4) {
        memcpy(p, b->bytes, 4);
        memcpy(p + n - 4, b->bytes, 4);
    } else if (n >= 2) {
        memcpy(p, b->bytes, 2);
        memcpy(p + n - 2, b->bytes, 2);
    } else {
        p[0] = b->bytes[0];
    }
}

/* Blends samples of 8 bits. */
static void blend_bytes(uint8_t *p, uint32_t n, const Blend *const b)
{
    const Bytes value = load_block(b->value);
    for (; n >= LANES; n -= LANES, p += LANES) {
        const Bytes v = load_block(p);
        store_block(p, join(divide(even(v) * even(value) + b->even_colours),
                            divide(odd(v) * odd(value) + b->odd_colours)));
    }
    for (uint32_t k = 0; k < n; k++)
        p[k] = (uint8_t) ((p[k] * b->value[k] + b->colours[k]) / 255);
}

static uint16_t blend_word(const Plane *const plane, const uint16_t v, const Blend *const b,
                           const uint32_t k)
{
    const uint32_t value = v >> plane->shift & ((1u << plane->depth) - 1);
    const uint32_t blended = (value * b->value[k] + b->colours[k]) / 255;
    return (uint16_t) (blended << plane->shift | (v & b->kept[k]));
}

static void blend_words(const Plane *const plane, uint16_t *p, uint32_t n, const Blend *const b)
{
    for (; n >= LANES; n -= LANES, p += LANES)
        for (uint32_t k = 0; k < LANES; k++)
            p[k] = blend_word(plane, p[k], b, k);
    for (uint32_t k = 0; k < n; k++)
        p[k] = blend_word(plane, p[k], b, k);
}

static uint8_t *cell_at(const Plane *const plane, const int32_t x, const int32_t y)
{
    return plane->data + (uint64_t) y * plane->stride + (uint64_t) x * plane->step;
}

/* `n_cells` is at least 1. */
static void draw_stretch(const Plane *const plane, const Blend *const b, uint8_t *const p,
                         const uint32_t n_cells)
{
    const uint32_t n = (n_cells - 1) * plane->n + plane->last + 1;
    if (b->fills)
        fill_bytes(p, n, b);
    else if (plane->sample_size == 1)
        blend_bytes(p, n, b);
    else
        blend_words(plane, (uint16_t *) (void *) p, n, b);
}

/* --- boxes ---------------------------------------------------------------- */

/* Along an axis the cells of a box are of five kinds: outline, both, inside, both, outline. */
enum { N_BANDS = 5 };

/* Finds the ends of the bands from the pixels of the axis that the box covers, and from those
 * inside the box. */
static void find_bands(int32_t ends[N_BANDS + 1], const int32_t outside0, const int32_t outside1,
                       const int32_t inside0, const int32_t inside1, const uint32_t bits)
{
    ends[0] = outside0 >> bits;
    ends[5] = round_up(outside1, bits);
    if (imax(inside0, outside0) >= imin(inside1, outside1)) {
        ends[1] = ends[2] = ends[3] = ends[4] = ends[5];
        return;
    }
    ends[1] = imax(inside0, outside0) >> bits;
    ends[2] = inside0 <= outside0 ? ends[0] : round_up(inside0, bits);
    ends[3] = inside1 >= outside1 ? ends[5] : inside1 >> bits;
    ends[4] = round_up(imin(inside1, outside1), bits);
    if (ends[2] >= ends[3])
        ends[2] = ends[3] = ends[4];
}

static void draw_box(const Plane *const plane, const CcaOverlayCommand *const c,
                     const Rect *const r)
{
    enum { OUTLINE, BOTH, INSIDE };
    static const uint8_t of_band[N_BANDS] = { OUTLINE, BOTH, INSIDE, BOTH, OUTLINE };
    const int32_t t = (int32_t) c->thickness;
    int32_t x[N_BANDS + 1], y[N_BANDS + 1];
    find_bands(x, r->x0, r->x1, c->x0 + t, c->x1 - t, plane->cell_x);
    find_bands(y, r->y0, r->y1, c->y0 + t, c->y1 - t, plane->cell_y);
    const Blend outline = blend_of(plane, c, c->alpha), inside = blend_of(plane, c, c->inside);
    const Blend *const blends[] = {
        [OUTLINE] = &outline,
        [BOTH] = c->inside > c->alpha ? &inside : &outline,
        [INSIDE] = &inside,
    };
    for (uint32_t i = 0; i < N_BANDS; i++) {
        for (uint32_t k = 0; k < N_BANDS; k++) {
            const uint32_t row = of_band[i], column = of_band[k];
            const Blend *const b = blends[row < column ? row : column];
            if (b->alpha == 0 || x[k] >= x[k + 1])
                continue;
            for (int32_t at = y[i]; at < y[i + 1]; at++)
                draw_stretch(plane, b, cell_at(plane, x[k], at), (uint32_t) (x[k + 1] - x[k]));
        }
    }
}

/* --- paths ---------------------------------------------------------------- */

/* The pixels of a path in a part of the picture, and then its cells in one plane after the other.
 * A pixel that several segments cover is one bit, so that each sample is blended once. */
typedef struct Strip {
    Rect clip;        /* pixels that the path may cover */
    int32_t x, y;     /* upper left pixel, where cells of any size begin */
    uint32_t pitch;   /* words from row to row */
    uint32_t n_words; /* of a row, in use */
    union {
        uint64_t words[STRIP_WORDS];
        int32_t runs[STRIP_RUNS][2]; /* instead of words, if the pitch is 0: first and end */
    };
} Strip;

/* Covers the columns from `from` to before `to` of the rows from `y0` to before `y1`, which are
 * rows of the clip. */
static void cover_rows(Strip *const strip, const int64_t y0, const int64_t y1, const int64_t from,
                       const int64_t to)
{
    const int64_t x0 = (from > strip->clip.x0 ? from : strip->clip.x0) - strip->x;
    const int64_t x1 = (to < strip->clip.x1 ? to : strip->clip.x1) - strip->x;
    if (x0 >= x1)
        return;
    if (strip->pitch == 0) {
        for (int64_t y = y0; y < y1; y++) {
            int32_t *const run = strip->runs[y - strip->y];
            run[0] = imin(run[0], (int32_t) x0);
            run[1] = imax(run[1], (int32_t) x1);
        }
        return;
    }
    const uint32_t n = (uint32_t) (x1 - 1) / 64 - (uint32_t) x0 / 64;
    const uint64_t above = ~UINT64_C(0) << x0 % 64;
    const uint64_t below = ~UINT64_C(0) >> (63 - (x1 - 1) % 64);
    uint64_t *row = strip->words + (y0 - strip->y) * strip->pitch + x0 / 64;
    for (int64_t y = y0; y < y1; y++, row += strip->pitch) {
        if (n == 0) {
            row[0] |= above & below;
            continue;
        }
        row[0] |= above;
        for (uint32_t i = 1; i < n; i++)
            row[i] = ~UINT64_C(0);
        row[n] |= below;
    }
}

/* Covers the columns from `from` to before `to` of one row of the clip. */
static inline void cover(Strip *const strip, const int32_t y, const int32_t from, const int32_t to)
{
    const int32_t x0 = imax(from, strip->clip.x0) - strip->x;
    const int32_t x1 = imin(to, strip->clip.x1) - strip->x;
    if (strip->pitch != 1)
        cover_rows(strip, y, y + 1, from, to);
    else if (x0 < x1)
        strip->words[y - strip->y] |= ~UINT64_C(0) << x0 & ~UINT64_C(0) >> (64 - x1);
}

static int64_t divide_down(const int64_t n, const int64_t d)
{
    if (n >= -d && n < d)
        return n < 0 ? -1 : 0;
    if (n == (int32_t) n && d == (int32_t) d)
        return (int32_t) n / (int32_t) d - ((int32_t) n % (int32_t) d < 0);
    return n / d - (n % d < 0);
}

/* Iterates over floor(n / d), floor((n + add) / d), floor((n + 2 * add) / d) ... */
typedef struct Quotient {
    int64_t floor, rest, add, add_rest, d;
} Quotient;

static Quotient quotient_of(const int64_t n, const int64_t add, const int64_t d)
{
    Quotient q = { .floor = divide_down(n, d), .add = divide_down(add, d), .d = d };
    q.rest = n - q.floor * d;
    q.add_rest = add - q.add * d;
    return q;
}

static int64_t next_of(Quotient *const q)
{
    const int64_t floor = q->floor;
    q->floor += q->add;
    q->rest += q->add_rest;
    if (q->rest >= q->d) {
        q->rest -= q->d;
        q->floor++;
    }
    return floor;
}

/* Covers a segment from the upper point a to b: in each row `t` pixels around the nearest one, or
 * around the right one of two equally near. */
static void cover_steep(Strip *const strip, const int32_t *const a, const int32_t *const b,
                        const int32_t t)
{
    const int32_t y0 = imax(a[1], strip->clip.y0), y1 = imin(b[1] + 1, strip->clip.y1);
    const int64_t wide = b[0] - a[0], high = b[1] - a[1];
    Quotient q = quotient_of(2 * (y0 - a[1]) * wide + high, 2 * wide, 2 * high);
    for (int32_t y = y0; y < y1; y++) {
        const int32_t from = a[0] + (int32_t) next_of(&q) - t / 2;
        cover(strip, y, from, from + t);
    }
}

/* Covers a segment from the upper point a to b: in each column `t` pixels around the nearest one,
 * or around the lower one of two equally near. The nearest one is at least `k` rows below a from
 * the column ((2 * k - 1) * wide + 2 * high - 1) / (2 * high) on, counted from a. So each row ends
 * in the column in which the row `t` rows below begins. */
static void cover_flat(Strip *const strip, const int32_t *const a, const int32_t *const b,
                       const int32_t t)
{
    const int32_t top = a[1] - t / 2;
    const int32_t y0 = imax(top, strip->clip.y0), y1 = imin(b[1] - t / 2 + t, strip->clip.y1);
    const int64_t wide = b[0] > a[0] ? b[0] - a[0] : a[0] - b[0], high = b[1] - a[1];
    if (high == 0) {
        cover_rows(strip, y0, y1, imin(a[0], b[0]), imax(a[0], b[0]) + 1);
        return;
    }
    const int64_t n = wide + 2 * high - 1, add = 2 * wide, d = 2 * high;
    Quotient to = quotient_of(n + (y0 - top) * add, add, d), from = to;
    if (y0 > top)
        from = quotient_of(n + imax(y0 - top - t, 0) * add, add, d);
    for (int32_t y = y0; y < y1; y++) {
        const int64_t end = next_of(&to);
        const int32_t first = y - top < t ? 0 : (int32_t) next_of(&from);
        const int32_t last = (int32_t) (end <= wide ? end : wide + 1);
        if (b[0] > a[0])
            cover(strip, y, a[0] + first, a[0] + last);
        else
            cover(strip, y, a[0] - last + 1, a[0] - first + 1);
    }
}

static void cover_segment(Strip *const strip, const int32_t *const a, const int32_t *const b,
                          const int32_t t)
{
    const int32_t *const upper = a[1] < b[1] ? a : b, *const lower = a[1] < b[1] ? b : a;
    const int32_t wide = imax(a[0], b[0]) - imin(a[0], b[0]);
    if (lower[1] - upper[1] > wide)
        cover_steep(strip, upper, lower, t);
    else if (wide > 0)
        cover_flat(strip, upper, lower, t);
}

static void cover_square(Strip *const strip, const int32_t *const point, const int32_t t)
{
    const int32_t left = point[0] - t / 2, top = point[1] - t / 2;
    cover_rows(strip, imax(top, strip->clip.y0), imin(top + t, strip->clip.y1), left,
               (int64_t) left + t);
}

/* Whether a segment from a to b, or the square around b, may cover a pixel. */
static bool is_near(const Rect *const clip, const int32_t *const a, const int32_t *const b,
                    const int32_t t)
{
    const int32_t before = t / 2, after = t - before;
    return imax(a[0], b[0]) + after > clip->x0 && imin(a[0], b[0]) - before < clip->x1 &&
           imax(a[1], b[1]) + after > clip->y0 && imin(a[1], b[1]) - before < clip->y1;
}

/* Packs the even bits. */
static uint64_t every_second_bit(uint64_t v)
{
    v &= UINT64_C(0x5555555555555555);
    v = (v | v >> 1) & UINT64_C(0x3333333333333333);
    v = (v | v >> 2) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    v = (v | v >> 4) & UINT64_C(0x00ff00ff00ff00ff);
    v = (v | v >> 8) & UINT64_C(0x0000ffff0000ffff);
    return (v | v >> 16) & UINT64_C(0x00000000ffffffff);
}

/* Combines each two rows to one. */
static void halve_rows(Strip *const strip, const uint32_t n_rows)
{
    for (uint32_t i = 0; i < n_rows; i += 2) {
        const uint64_t *const upper = strip->words + i * strip->pitch;
        const uint64_t *const lower = i + 1 < n_rows ? upper + strip->pitch : upper;
        for (uint32_t k = 0; k < strip->n_words; k++)
            strip->words[i / 2 * strip->pitch + k] = upper[k] | lower[k];
    }
}

/* Combines each two bits to one. */
static void halve_columns(Strip *const strip, const uint32_t n_rows)
{
    for (uint32_t i = 0; i < n_rows; i++) {
        uint64_t *const row = strip->words + i * strip->pitch;
        for (uint32_t k = 0; k < strip->n_words; k += 2) {
            const uint64_t low = row[k], high = k + 1 < strip->n_words ? row[k + 1] : 0;
            row[k / 2] = every_second_bit(low | low >> 1) | every_second_bit(high | high >> 1)
                                                                << 32;
        }
    }
    strip->n_words = (strip->n_words + 1) / 2;
}

/* Draws the runs of set bits of a row. Runs are split at the ends of words. */
static void draw_row(const Plane *const plane, const Blend *const b, const uint64_t *const row,
                     const uint32_t n_words, uint8_t *const first)
{
    for (uint32_t k = 0; k < n_words; k++) {
        uint8_t *const p = first + (uint64_t) k * 64 * plane->step;
        for (uint64_t word = row[k], carried; word != 0; word &= carried) {
            const uint32_t from = (uint32_t) __builtin_ctzll(word);
            carried = word + (word & -word);
            const uint32_t to = carried != 0 ? (uint32_t) __builtin_ctzll(carried) : 64;
            draw_stretch(plane, b, p + from * plane->step, to - from);
        }
    }
}

static void draw_strip(const Planes *const planes, const Blend *const blends, Strip *const strip)
{
    uint32_t cell_x = 0, cell_y = 0, n_rows = (uint32_t) (strip->clip.y1 - strip->y);
    for (uint32_t i = 0; i < planes->n; i++) {
        const Plane *const plane = &planes->planes[i];
        for (; cell_y < plane->cell_y; cell_y++) {
            halve_rows(strip, n_rows);
            n_rows = (n_rows + 1) / 2;
        }
        for (; cell_x < plane->cell_x; cell_x++)
            halve_columns(strip, n_rows);
        for (uint32_t k = (uint32_t) (strip->clip.y0 - strip->y) >> cell_y; k < n_rows; k++)
            draw_row(plane, &blends[i], strip->words + k * strip->pitch, strip->n_words,
                     cell_at(plane, strip->x >> cell_x, (strip->y >> cell_y) + (int32_t) k));
    }
}

/* Draws the runs of `n_rows` rows. Runs of rows next to each other overlap or touch, so those of a
 * row of cells are one run of cells. */
static void draw_runs(const Planes *const planes, const Blend *const blends,
                      const Strip *const strip, const int32_t n_rows)
{
    for (uint32_t i = 0; i < planes->n; i++) {
        const Plane *const plane = &planes->planes[i];
        const int32_t n = 1 << plane->cell_y;
        for (int32_t y = 0; y < n_rows; y += n) {
            int32_t from = strip->runs[y][0], to = strip->runs[y][1];
            for (int32_t k = y + 1; k < imin(y + n, n_rows); k++) {
                from = imin(from, strip->runs[k][0]);
                to = imax(to, strip->runs[k][1]);
            }
            if (from >= to)
                continue;
            from = (strip->x + from) >> plane->cell_x;
            to = round_up(strip->x + to, plane->cell_x);
            draw_stretch(plane, &blends[i], cell_at(plane, from, (strip->y + y) >> plane->cell_y),
                         (uint32_t) (to - from));
        }
    }
}

/* Draws a path of two points: one run of pixels in each row. */
static void draw_segment(const Planes *const planes, const Blend *const blends,
                         const CcaOverlayCommand *const c, const int32_t *const points,
                         const Rect *const r)
{
    const int32_t t = (int32_t) c->thickness;
    Strip strip = { .x = r->x0, .pitch = 0 };
    for (strip.y = r->y0 & -CELL; strip.y < r->y1; strip.y += STRIP_RUNS) {
        const int32_t n_rows = imin(r->y1 - strip.y, STRIP_RUNS);
        strip.clip = (Rect) {
            .x0 = r->x0,
            .x1 = r->x1,
            .y0 = imax(r->y0, strip.y),
            .y1 = strip.y + n_rows,
        };
        for (int32_t y = 0; y < n_rows; y++) {
            strip.runs[y][0] = INT32_MAX;
            strip.runs[y][1] = INT32_MIN;
        }
        cover_segment(&strip, points, points + 2, t);
        cover_square(&strip, points, t);
        cover_square(&strip, points + 2, t);
        draw_runs(planes, blends, &strip, n_rows);
    }
}

static void draw_path(const Planes *const planes, const CcaOverlayCommand *const c,
                      const uint32_t *const words, const Rect *const r)
{
    const int32_t *const points = (const int32_t *) words + c->first;
    const int32_t t = (int32_t) c->thickness;
    Blend blends[CCA_OVERLAY_MAX_CHANNELS];
    Strip strip;
    for (uint32_t i = 0; i < planes->n; i++)
        blends[i] = blend_of(&planes->planes[i], c, c->alpha);
    if (c->n == 2) {
        draw_segment(planes, blends, c, points, r);
        return;
    }
    strip.pitch = umin((uint32_t) (r->x1 - (r->x0 & -CELL) + 63) / 64, STRIP_ROW_WORDS);
    const int32_t width = (int32_t) strip.pitch * 64;
    const int32_t height = (int32_t) (STRIP_WORDS / strip.pitch) & -CELL;
    for (strip.y = r->y0 & -CELL; strip.y < r->y1; strip.y += height) {
        for (strip.x = r->x0 & -CELL; strip.x < r->x1; strip.x += width) {
            strip.clip = (Rect) {
                .x0 = imax(r->x0, strip.x),
                .x1 = imin(r->x1, strip.x + width),
                .y0 = imax(r->y0, strip.y),
                .y1 = imin(r->y1, strip.y + height),
            };
            strip.n_words = strip.pitch;
            memset(strip.words, 0,
                   (size_t) (strip.clip.y1 - strip.y) * strip.pitch * sizeof(strip.words[0]));
            for (uint32_t i = 0; i < c->n; i++) {
                const int32_t *const b = points + 2 * i, *const a = i > 0 ? b - 2 : b;
                const bool rests = i > 0 && a[0] == b[0] && a[1] == b[1];
                if (rests || !is_near(&strip.clip, a, b, t))
                    continue;
                cover_segment(&strip, a, b, t);
                cover_square(&strip, b, t);
            }
            draw_strip(planes, blends, &strip);
        }
    }
}

/* --- masks ---------------------------------------------------------------- */

static void draw_mask(const Planes *const planes, const CcaOverlayCommand *const c,
                      const uint32_t *const words, const Rect *const r)
{
    const int32_t left = r->x0 & -CCA_OVERLAY_MASK_SIZE;
    const uint64_t columns = ~UINT64_C(0) << (r->x0 - left) & ~UINT64_C(0) >> (left + 64 - r->x1);
    const uint32_t *row = words + c->first + 2 * (r->y0 - c->y0);
    Blend blends[CCA_OVERLAY_MAX_CHANNELS];
    Strip strip = { .clip = *r, .x = left, .y = r->y0 & -CELL, .pitch = 1, .n_words = 1 };
    for (int32_t y = r->y0; y < r->y1; y++, row += 2)
        strip.words[y - strip.y] = (row[0] | (uint64_t) row[1] << 32) & columns;
    for (uint32_t i = 0; i < planes->n; i++)
        blends[i] = blend_of(&planes->planes[i], c, c->alpha);
    draw_strip(planes, blends, &strip);
}

/* --- texts ---------------------------------------------------------------- */

/* The coverage of the pixels of a text in a part of the picture, and then of its cells in one plane
 * after the other. */
typedef struct TextStrip {
    Rect clip;                                 /* pixels of the text */
    int32_t x, y;                              /* upper left pixel, where cells of any size begin */
    uint8_t rows[TEXT_ROWS + 1][TEXT_COLUMNS]; /* the last one is read as a part of a block */
} TextStrip;

/* Copies at least 1 byte. The last block is aligned to the end and may overlap the one before. */
static void copy_bytes(uint8_t *const to, const uint8_t *const from, const uint32_t n)
{
    if (n < LANES) {
        memcpy(to, from, n);
        return;
    }
    for (uint32_t i = 0; i < n - LANES; i += LANES)
        memcpy(to + i, from + i, LANES);
    memcpy(to + n - LANES, from + n - LANES, LANES);
}

static void find_coverage(TextStrip *const strip, const CcaOverlayCommand *const c,
                          const uint32_t *const words, const CcaOverlayGlyphs *const glyphs)
{
    const Rect *const clip = &strip->clip;
    memset(strip->rows, 0, sizeof(strip->rows[0]) * (size_t) (clip->y1 - strip->y));
    for (uint32_t x = (uint32_t) (clip->x0 - c->x0), rest = (uint32_t) (clip->x1 - clip->x0), n;
         rest > 0; rest -= n, x += n) {
        const uint32_t place = x / glyphs->width, column = x % glyphs->width;
        const uint64_t glyph = words[c->first + place / 4] >> place % 4 * 8 & 0xff;
        const uint8_t *row = glyphs->coverage + column +
                             (glyph * glyphs->height + (uint32_t) (clip->y0 - c->y0)) *
                                 glyphs->width;
        n = umin(rest, glyphs->width - column);
        for (int32_t y = clip->y0; y < clip->y1; y++, row += glyphs->width)
            copy_bytes(&strip->rows[y - strip->y][clip->x1 - strip->x - (int32_t) rest], row, n);
    }
}

/* Combines each two rows to one, with the greater byte at each index. */
static void merge_rows(TextStrip *const strip, const uint32_t n_rows, const uint32_t n)
{
    for (uint32_t y = 0; y < n_rows; y += 2) {
        const uint8_t *const upper = strip->rows[y];
        const uint8_t *const lower = strip->rows[y + (y + 1 < n_rows)];
        for (uint32_t i = 0; i < n; i += LANES)
            store_block(&strip->rows[y / 2][i],
                        max_bytes(load_block(upper + i), load_block(lower + i)));
    }
}

/* Combines each two of the first `n` bytes of the rows to one, the greater. */
static void merge_columns(TextStrip *const strip, const uint32_t n_rows, const uint32_t n)
{
    for (uint32_t y = 0; y < n_rows; y++)
        for (uint32_t i = 0; i < (n + 1) / 2; i += LANES / 2) {
            const Bytes pairs = load_block(&strip->rows[y][2 * i]);
            const Words greater = even(max_bytes(pairs, (Bytes) odd(pairs)));
            const Half half = __builtin_convertvector(greater, Half);
            memcpy(&strip->rows[y][i], &half, sizeof(half));
        }
}

/* glyph_alpha() and blend() for samples of one byte. */
static Words blend_places(const Words values, const Words covered, const Words colours,
                          const uint16_t alpha)
{
    const Words a = alpha == 255 ? covered : divide(covered * alpha + 127);
    return divide(a * colours + (255 - a) * values + 127);
}

static Bytes blend_block(const uint8_t *const p, const uint8_t *const covered,
                         const uint8_t *const colours, const uint16_t alpha)
{
    const Bytes v = load_block(p), a = load_block(covered), c = load_block(colours);
    return join(blend_places(even(v), even(a), even(c), alpha),
                blend_places(odd(v), odd(a), odd(c), alpha));
}

/* Blends samples of 8 bits. The last block is aligned to the end and may overlap the one before
 * it. */
static void blend_covered(uint8_t *const p, const uint8_t *const covered, const uint32_t n,
                          const uint8_t *const colours, const uint16_t alpha)
{
    if (n < LANES) {
        for (uint32_t k = 0; k < n; k++)
            p[k] = (uint8_t) blend(glyph_alpha(covered[k], alpha), colours[k], p[k]);
        return;
    }
    const uint32_t end = n - LANES;
    const Bytes last = blend_block(p + end, covered + end, colours + end % 4, alpha);
    for (uint32_t i = 0; i < end; i += LANES)
        store_block(p + i, blend_block(p + i, covered + i, colours, alpha));
    store_block(p + end, last);
}

static void blend_covered_words(const Plane *const plane, uint16_t *const p,
                                const uint8_t *const covered, const uint32_t n,
                                const CcaOverlayCommand *const c)
{
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t a = glyph_alpha(covered[k], c->alpha);
        const uint32_t value = p[k] >> plane->shift & ((1u << plane->depth) - 1);
        if (a != 0)
            p[k] = (uint16_t) (blend(a, c->colour[plane->channel[k % LANES]], value)
                               << plane->shift);
    }
}

/* Draws a row of `n` cells with the given coverage. */
static void draw_covered(const Plane *const plane, const CcaOverlayCommand *const c,
                         const uint8_t *const colours, const uint8_t *covered, const uint32_t n,
                         uint8_t *const p)
{
    const uint32_t n_samples = (n - 1) * plane->n + plane->last + 1;
    uint8_t samples[4 * TEXT_COLUMNS];
    if (plane->n == 2 && plane->channel[0] >= 0 && plane->channel[1] >= 0) {
        for (uint32_t i = 0; i < n; i += LANES / 2) {
            Half half;
            memcpy(&half, covered + i, sizeof(half));
            const Words pairs = __builtin_convertvector(half, Words) * 0x101;
            memcpy(samples + 2 * i, &pairs, sizeof(pairs));
        }
        covered = samples;
    } else if (plane->n > 1) {
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < plane->n; k++)
                samples[i * plane->n + k] = plane->channel[k] >= 0 ? covered[i] : 0;
        covered = samples;
    }
    if (plane->sample_size == 1)
        blend_covered(p, covered, n_samples, colours, c->alpha);
    else
        blend_covered_words(plane, (uint16_t *) (void *) p, covered, n_samples, c);
}

static void draw_text_strip(const Planes *const planes, const CcaOverlayCommand *const c,
                            TextStrip *const strip)
{
    uint32_t cell_x = 0, cell_y = 0, n = (uint32_t) (strip->clip.x1 - strip->x),
             n_rows = (uint32_t) (strip->clip.y1 - strip->y);
    for (uint32_t i = 0; i < planes->n; i++) {
        const Plane *const plane = &planes->planes[i];
        const Blend b = blend_of(plane, c, 255); /* for the colours */
        for (; cell_y < plane->cell_y; cell_y++, n_rows = (n_rows + 1) / 2)
            merge_rows(strip, n_rows, n);
        for (; cell_x < plane->cell_x; cell_x++, n = (n + 1) / 2)
            merge_columns(strip, n_rows, n);
        const int32_t left = strip->clip.x0 >> cell_x, first = left - (strip->x >> cell_x);
        for (uint32_t y = (uint32_t) (strip->clip.y0 - strip->y) >> cell_y; y < n_rows; y++)
            draw_covered(plane, c, b.bytes, strip->rows[y] + first, n - (uint32_t) first,
                         cell_at(plane, left, (strip->y >> cell_y) + (int32_t) y));
    }
}

static void draw_text(const Planes *const planes, const CcaOverlayCommand *const c,
                      const uint32_t *const words, const CcaOverlayGlyphs *const glyphs,
                      const Rect *const r)
{
    TextStrip strip;
    for (strip.y = r->y0 & -CELL; strip.y < r->y1; strip.y += TEXT_ROWS) {
        for (strip.x = r->x0 & -CELL; strip.x < r->x1; strip.x += TEXT_COLUMNS) {
            strip.clip = (Rect) {
                .x0 = imax(r->x0, strip.x),
                .x1 = imin(r->x1, strip.x + TEXT_COLUMNS),
                .y0 = imax(r->y0, strip.y),
                .y1 = imin(r->y1, strip.y + TEXT_ROWS),
            };
            find_coverage(&strip, c, words, glyphs);
            draw_text_strip(planes, c, &strip);
        }
    }
}

/* --- all ------------------------------------------------------------------ */

void LEVEL(cca_overlay_draw_)(const CcaOverlayPicture *const picture,
                              const CcaOverlayGlyphs *const glyphs,
                              const CcaOverlayList *const list)
{
    const Planes planes = planes_of(picture);
    for (uint32_t i = 0; i < list->n_commands; i++) {
        const CcaOverlayCommand *const c = &list->commands[i];
        const Rect r = {
            .x0 = imax(c->x0, (int32_t) picture->x0),
            .x1 = imin(c->x1, (int32_t) picture->x1),
            .y0 = imax(c->y0, (int32_t) picture->y0),
            .y1 = imin(c->y1, (int32_t) picture->y1),
        };
        if (r.x0 >= r.x1 || r.y0 >= r.y1)
            continue;
        if (c->kind == CCA_OVERLAY_PATH && c->alpha != 0)
            draw_path(&planes, c, list->words, &r);
        if (c->kind == CCA_OVERLAY_MASK && c->alpha != 0)
            draw_mask(&planes, c, list->words, &r);
        if (c->kind == CCA_OVERLAY_TEXT)
            draw_text(&planes, c, list->words, glyphs, &r);
        for (uint32_t k = 0; k < planes.n && c->kind == CCA_OVERLAY_BOX; k++)
            draw_box(&planes.planes[k], c, &r);
    }
}
