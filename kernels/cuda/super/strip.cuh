/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Labels a strip while it is read, and joins the strips of a tile. */

#ifndef CCA_CUDA_SUPER_STRIP_CUH
#define CCA_CUDA_SUPER_STRIP_CUH

#include "load.cuh"

namespace super
{

/* A group: equal words below each other. `y` is a row of the tile. */
struct Group {
    uint32_t word, node; /* and the node of its first run */
    uint32_t column, y, rows;
};

constexpr int group_row_shift = 14, group_column_shift = 19, group_rows_shift = 24;
static_assert(n_nodes <= 1 << group_row_shift, "");
static_assert(CCA_SUPER_STRIP_ROWS <= 1 << (group_column_shift - group_row_shift), "");

DEVICE uint2 pack_group(const uint32_t word, const uint32_t node, const uint32_t strip_row,
                        const uint32_t rows)
{
    return make_uint2(word, node | strip_row << group_row_shift |
                                threadIdx.x % WARP << group_column_shift |
                                (rows - 1) << group_rows_shift);
}

/* A group of this warp's strip. */
DEVICE Group unpack_group(const uint2 v, const Place &place)
{
    return { v.x, v.y & ((1u << group_row_shift) - 1), v.y >> group_column_shift & 31,
             place.strip_row + (v.y >> group_row_shift & 31), (v.y >> group_rows_shift) + 1 };
}

/* A warp's strip up to a row, and each lane's word of that row. */
struct Strip {
    uint32_t begin, end; /* its nodes */
    uint32_t n_groups;
    uint32_t word, node; /* the word, and its first node */
    uint32_t row;        /* of the strip: the first one with this word */
    uint32_t side;       /* lane 0 and 31: the node of the pixel at the edge of the tile */
};

/* Ends the groups of the lanes in the mask `ends` before a row. */
DEVICE void end_groups(Tile &tile, Strip &s, const uint32_t ends, const uint32_t row)
{
    if (ends >> threadIdx.x % WARP & 1)
        tile.groups[threadIdx.x / WARP * strip_groups + s.n_groups +
                    __popc(ends & lane_mask_lt())] = pack_group(s.word, s.node, s.row, row - s.row);
    s.n_groups += __popc(ends);
}

/* Makes the nodes of a word below s.word, from `node` on. Each gets the parent of the first run
 * above that it touches. Returns the first pixels of the other contacts with the word above. */
DEVICE uint32_t hook_runs(Tile &tile, const Strip &s, const uint32_t word, uint32_t node,
                          const bool corners)
{
    uint32_t others = 0;
#pragma unroll 1
    for (uint32_t rest = starts_of(word); rest != 0; rest &= rest - 1, node++) {
        const uint32_t touched = s.word & reach(run_from(word, lowest_bit(rest)), corners);
        uint32_t parent = node;
        if (touched != 0) {
            const uint32_t first = lowest_bit(touched);
            others |= starts_of(touched) ^ first;
            parent = load_shared(tile.parent + run_node(s.word, s.node, first));
        }
        tile.parent[node] = parent;
    }
    return others;
}

/* Unites a lane's word, whose first node is `node`, with the words on its left, and with those
 * diagonally above. No union is needed where the row above joins the words. Called by a whole
 * warp. */
DEVICE void unite_sides(Tile &tile, const Strip &s, const uint32_t word, const uint32_t node,
                        const bool corners)
{
    const uint32_t lane = threadIdx.x % WARP, last = last_node(word, node);
    uint32_t left = __shfl_up_sync(ALL_LANES, word, 1);
    uint32_t above_left = __shfl_up_sync(ALL_LANES, s.word, 1);
    if (lane == 0)
        left = above_left = 0;
    const bool joins = word & 1 && left >> 31 && !(s.word & 1 && above_left >> 31);
    /* Each word in a row of full words joins the word on the left of all of them. */
    const uint32_t passes = __ballot_sync(ALL_LANES, joins && word == UINT32_MAX);
    const uint32_t from = joins ? highest_index(~passes & lane_mask_lt()) : 0;
    const uint32_t other = __shfl_sync(ALL_LANES, last, from);
    if (joins)
        unite_nodes(tile.parent, node, other);
    if (!corners)
        return;
    uint32_t right = __shfl_down_sync(ALL_LANES, word, 1);
    uint32_t above_right = __shfl_down_sync(ALL_LANES, s.word, 1);
    if (lane == WARP - 1)
        right = above_right = 0;
    const uint32_t node_left = __shfl_up_sync(ALL_LANES, last_node(s.word, s.node), 1);
    const uint32_t node_right = __shfl_down_sync(ALL_LANES, s.node, 1);
    if (word & 1 && above_left >> 31 && !(left >> 31) && !(s.word & 1))
        unite_nodes(tile.parent, node, node_left);
    if (word >> 31 && above_right & 1 && !(right & 1) && !(s.word >> 31))
        unite_nodes(tile.parent, last, node_right);
}

/* Adds a row, in which some word differs from the one above. Returns false, and leaves the strip
 * as it is, if the row does not fit. */
DEVICE bool add_row(Tile &tile, Strip &s, const uint32_t word, const uint32_t row,
                    const bool corners)
{
    const bool fresh = word != s.word;
    const uint32_t n = fresh ? __popc(starts_of(word)) : 0, before = warp_sum_up_to(n) - n;
    const uint32_t total = __shfl_sync(ALL_LANES, before + n, WARP - 1);
    const uint32_t ends = __ballot_sync(ALL_LANES, fresh && s.word != 0);
    /* The last groups, up to one for each lane, are added at the end of the strip. */
    if (s.end + total > s.begin + strip_nodes || s.n_groups + __popc(ends) + WARP > strip_groups)
        return false;
    end_groups(tile, s, ends, row);
    const uint32_t node = fresh ? s.end + before : s.node;
    s.end += total;
    uint32_t others = 0;
    if (fresh)
        others = hook_runs(tile, s, word, node, corners);
    __syncwarp();
    unite_sides(tile, s, word, node, corners);
#pragma unroll 1
    for (; others != 0; others &= others - 1) {
        const uint32_t bit = lowest_bit(others);
        unite_nodes(tile.parent, run_node(word, node, bit), run_node(s.word, s.node, bit));
    }
    __syncwarp();
    if (fresh) {
        s.word = word;
        s.node = node;
        s.row = row;
    }
    const bool is_first = threadIdx.x % WARP == 0;
    s.side = !(is_first ? word & 1 : word >> 31) ? none : is_first ? node : last_node(word, node);
    if (row == 0) {
        tile.top_words[threadIdx.x] = word;
        tile.top_nodes[threadIdx.x] = (uint16_t) node;
    }
    return true;
}

/* Stores the nodes at the left and the right edge for a row of the strip. */
DEVICE void store_sides(Tile &tile, const Strip &s, const uint32_t row)
{
    const uint32_t lane = threadIdx.x % WARP;
    if (lane == 0 || lane == WARP - 1)
        tile.sides[lane / (WARP - 1)][row] = (uint16_t) s.side;
}

/* Reads and labels the strip of a warp. `fits` becomes whether it fits the tables, `full` whether
 * the lane has no background. */
template <typename Sample, Scope scope>
DEVICE Strip label_strip(Tile &tile, const CudaImage &image, const CudaSuper &super, bool &fits,
                         bool &full)
{
    const Place place = make_place<Sample>(image, super);
    const bool corners = has_corners<scope>(image);
    constexpr uint32_t ahead = n_ahead<Sample>;
    const uint32_t begin = threadIdx.x / WARP * strip_nodes, n_rows = place.strip_rows;
    const Rows<Sample> rows = Rows<Sample>::make(image, super, place);
    typename Rows<Sample>::Ahead loaded[ahead];
    Strip s = { begin, begin, 0, 0, begin, 0, none };
    fits = true;
#pragma unroll
    for (uint32_t j = 0; j < ahead; j++)
        if (j < n_rows)
            loaded[j] = rows.load(j);
    tile.top_words[threadIdx.x] = 0;
#pragma unroll 1
    for (uint32_t row = 0; row < n_rows && fits; row += ahead) {
        uint32_t words[ahead], differs = 0, above = s.word;
#pragma unroll
        for (uint32_t j = 0; j < ahead; j++) {
            words[j] = row + j < n_rows ? rows.word(loaded[j], row + j) : above;
            differs |= words[j] ^ above;
            above = words[j];
        }
#pragma unroll
        for (uint32_t j = 0; j < ahead; j++)
            if (row + ahead + j < n_rows)
                loaded[j] = rows.load(row + ahead + j);
        const bool any = __any_sync(ALL_LANES, differs);
#pragma unroll 1
        for (uint32_t j = 0; j < ahead && row + j < n_rows; j++) {
            uint32_t word = words[0];
#pragma unroll
            for (uint32_t k = 1; k < ahead; k++)
                word = j == k ? words[k] : word;
            if (any && __any_sync(ALL_LANES, word != s.word))
                fits = fits && add_row(tile, s, word, row + j, corners);
            store_sides(tile, s, place.strip_row + row + j);
            if (is_general(scope) && !is_measured(scope) && super.words != NULL)
                *word_place(super, place, threadIdx.x % WARP,
                            place.strip_row + row + j) = (uint64_t) s.node << 32 | s.word;
        }
    }
    end_groups(tile, s, __ballot_sync(ALL_LANES, s.word != 0), n_rows);
    full = n_rows == 0 || (s.word == UINT32_MAX && s.row == 0);
    __syncwarp();
    for (uint32_t i = s.begin + threadIdx.x % WARP; i < s.end; i += WARP)
        flatten(tile.parent, i);
    if (n_rows > 0 && place.strip_row + n_rows == place.rows) {
        tile.bottom_words[threadIdx.x % WARP] = s.word;
        tile.bottom_nodes[threadIdx.x % WARP] = (uint16_t) s.node;
    }
    return s;
}

/* Unites a warp's strip with the strip below. All strips do so at the same time. */
DEVICE void unite_strips(Tile &tile, const Strip &s, const bool corners)
{
    const uint32_t lane = threadIdx.x % WARP, at = threadIdx.x + WARP;
    if (at >= blockDim.x)
        return;
    const uint32_t below = tile.top_words[at], below_node = tile.top_nodes[at];
    const uint32_t both = s.word & below;
    uint32_t left_both = __shfl_up_sync(ALL_LANES, both, 1) >> 31;
    if (lane == 0)
        left_both = 0;
    /* One union is enough for a stretch of pixels with foreground on both sides. */
#pragma unroll 1
    for (uint32_t rest = both & ~(both << 1 | left_both); rest != 0; rest &= rest - 1) {
        const uint32_t bit = lowest_bit(rest);
        unite_nodes(tile.parent, run_node(s.word, s.node, bit), run_node(below, below_node, bit));
    }
    if (!corners)
        return;
    uint32_t left = __shfl_up_sync(ALL_LANES, s.word, 1) >> 31;
    uint32_t below_left = __shfl_up_sync(ALL_LANES, below, 1) >> 31;
    uint32_t right = __shfl_down_sync(ALL_LANES, s.word, 1) << 31;
    uint32_t below_right = __shfl_down_sync(ALL_LANES, below, 1) << 31;
    const uint32_t node_left = __shfl_up_sync(ALL_LANES, last_node(s.word, s.node), 1);
    const uint32_t node_right = __shfl_down_sync(ALL_LANES, s.node, 1);
    if (lane == 0)
        left = below_left = 0;
    if (lane == WARP - 1)
        right = below_right = 0;
    /* Pixels below that touch only the pixel above left, and those that touch only the one above
     * right. */
    const uint32_t alone = below & ~s.word;
#pragma unroll 1
    for (uint32_t rest = alone & (s.word << 1 | left) & ~(below << 1 | below_left); rest != 0;
         rest &= rest - 1) {
        const uint32_t bit = lowest_bit(rest);
        unite_nodes(tile.parent, run_node(below, below_node, bit),
                    bit == 1 ? node_left : run_node(s.word, s.node, bit >> 1));
    }
#pragma unroll 1
    for (uint32_t rest = alone & (s.word >> 1 | right) & ~(below >> 1 | below_right); rest != 0;
         rest &= rest - 1) {
        const uint32_t bit = lowest_bit(rest);
        unite_nodes(tile.parent, run_node(below, below_node, bit),
                    bit >> 31 ? node_right : run_node(s.word, s.node, bit << 1));
    }
}

} // namespace super

#endif /* CCA_CUDA_SUPER_STRIP_CUH */
