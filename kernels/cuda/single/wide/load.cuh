/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Loads the bits of a wide tile and of the pixels around it from a frame or its mask. */

#ifndef CCA_CUDA_SINGLE_WIDE_LOAD_CUH
#define CCA_CUDA_SINGLE_WIDE_LOAD_CUH

#include "../pixels.cuh"

namespace single
{

/* Rows of a strip that a warp loads at a time. */
constexpr uint32_t rows_at_once = WARP / Wide::row_words;
static_assert(rows_at_once * Wide::thread_words == Wide::strip_rows, "a strip");

/* Reads words in a column of a frame of samples, from pixel x and a row in the order of
 * frame_row(). */
template <typename Sample> struct StripPixels {
    /* For tiles inside the frame's right edge. All loads are issued before the first result is
     * used. Rows below the frame are replaced by its last row, and become 0. */
    DEVICE void load_all(uint32_t (&bits)[Wide::thread_words], const CudaImage &image,
                         const Place &place, const uint32_t x, const uint32_t row)
    {
        const uint32_t inverted = 0 - image.invert;
        uint32_t y[Wide::thread_words];
        Pixels16<Sample> pixels[Wide::thread_words][2];
#pragma unroll
        for (uint32_t k = 0; k < Wide::thread_words; k++) {
            y[k] = frame_row(place, row + k * rows_at_once);
            const uint8_t *const p = image.data + min(y[k], image.height - 1) * image.stride +
                                     (size_t) x * sizeof(Sample);
            pixels[k][0] = load16<Sample>(p);
            pixels[k][1] = load16<Sample>(p + 16 * sizeof(Sample));
        }
        with_pack16(image, Sample(), [&](const auto pack) {
#pragma unroll
            for (uint32_t k = 0; k < Wide::thread_words; k++) {
                const uint32_t word = (pack(pixels[k][0]) & 0xffff) | pack(pixels[k][1]) << 16;
                bits[k] = 0;
                if (y[k] < image.height)
                    bits[k] = (word ^ inverted) & working_bits(image, x, y[k], WARP);
            }
        });
    }

    DEVICE void load(uint32_t (&bits)[Wide::thread_words], const CudaImage &image,
                     const Place &place, const uint32_t x, const uint32_t row)
    {
        const bool aligned = (((uintptr_t) image.data | image.stride) & 15) == 0;
        if (aligned && image.low <= UINT16_MAX && place.x0 + Wide::width <= image.width) {
            load_all(bits, image, place, x, row);
            return;
        }
#pragma unroll
        for (uint32_t k = 0; k < Wide::thread_words; k++) {
            const uint32_t y = frame_row(place, row + k * rows_at_once);
            bits[k] = y < image.height && x < image.width ? Pixels<Sample>::word(image, x, y) : 0;
        }
    }
};

/* Reads such words of a mask. */
template <> struct StripPixels<MaskBits> {
    DEVICE void load(uint32_t (&bits)[Wide::thread_words], const CudaImage &image,
                     const Place &place, const uint32_t x, const uint32_t row)
    {
#pragma unroll
        for (uint32_t k = 0; k < Wide::thread_words; k++) {
            const uint32_t y = frame_row(place, row + k * rows_at_once);
            bits[k] = y < image.height && x < image.width ? Pixels<MaskBits>::word(image, x, y) : 0;
        }
    }
};

/* Writes the left and right border of a strip, one bit per row. Each lane has a row and `beside`,
 * the pixel outside the tile: to the left in the first half of the lanes, else to the right. */
DEVICE void write_sides(Tile<Wide> &tile, const bool in_tile, const uint32_t row, const bool right,
                        const bool beside)
{
    static_assert(2 * Wide::strip_rows == WARP, "a lane for each pixel");
    typedef uint16_t Rows;
    const uint32_t warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const uint32_t word = in_tile ?
                              tile.bits[Wide::word_index(right ? Wide::row_words - 1 : 0, row)] :
                              0;
    const uint32_t inner = __ballot_sync(ALL_LANES, right ? word >> 31 : word & 1);
    const uint32_t outer = __ballot_sync(ALL_LANES, in_tile && beside);
    Rows *const before_left = (Rows *) (tile.before + border_begin<Wide>(LEFT));
    Rows *const after_left = (Rows *) (tile.after + border_begin<Wide>(LEFT));
    Rows *const before_right = (Rows *) (tile.before + border_begin<Wide>(RIGHT));
    Rows *const after_right = (Rows *) (tile.after + border_begin<Wide>(RIGHT));
    if (lane == 0) {
        before_left[warp] = (Rows) outer;
        after_left[warp] = (Rows) inner;
        before_right[warp] = (Rows) (inner >> Wide::strip_rows);
        after_right[warp] = (Rows) (outer >> Wide::strip_rows);
    }
    const uint32_t rest = blockDim.x / WARP + lane;
    if (warp == 0 && rest < 2 * Wide::side_words)
        before_left[rest] = after_left[rest] = before_right[rest] = after_right[rest] = 0;
}

/* Fills the tile's bits and borders, and returns whether the thread has any foreground. Strips
 * past the tile's rows load the rows around it, see frame_row(). */
template <typename Sample, Opening, typename Load>
DEVICE bool load_tile(Tile<Wide> &tile, const CudaImage &image, const Place &place, const Load,
                      Strip &strip)
{
    typedef Pixels<Sample> P;
    const uint32_t lane = threadIdx.x % WARP;
    strip = { threadIdx.x / WARP * Wide::strip_rows, threadIdx.x / WARP * Wide::strip_runs, 0, 0,
              0 };
    const uint32_t side_row = strip.row + lane % Wide::strip_rows;
    const bool right = lane >= Wide::strip_rows;
    const uint32_t side_x = right ? place.x0 + Wide::width : place.x0 - 1;
    const uint32_t side_y = frame_row(place, side_row);
    const bool has_side = side_y < image.height && side_x < image.width;
    typename P::Value value = {};
    if (has_side) /* loaded first, so that its latency overlaps */
        value = P::value(image, side_x, side_y);

    const uint32_t column = lane % Wide::row_words, row = strip.row + lane / Wide::row_words;
    uint32_t bits[Wide::thread_words], any = 0;
    StripPixels<Sample>::load(bits, image, place, place.x0 + column * 32, row);
#pragma unroll
    for (uint32_t k = 0; k < Wide::thread_words; k++) {
        store_word(tile, place, column, row + k * rows_at_once, bits[k]);
        any |= row + k * rows_at_once < place.rows ? bits[k] : 0;
    }
    __syncwarp();
    const bool beside = has_side && P::pixel(image, value, side_x);
    write_sides(tile, side_row < place.rows, side_row, right, beside);
    if (side_row == place.rows || side_row == place.rows + 1)
        tile.outer_corner[2 * (side_row - place.rows) + right] = beside;
    return any != 0;
}

} // namespace single

#endif /* CCA_CUDA_SINGLE_WIDE_LOAD_CUH */
