/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Contacts: the places where components of neighbouring tiles touch. Both tiles have the pixels on
 * both sides of their border, so both list the same contacts in the same order. A component
 * without a contact is closed. To count the diagonals of a shape without corners, these are
 * contacts, too, but do not join. */

#ifndef CCA_CUDA_SINGLE_CONTACTS_CUH
#define CCA_CUDA_SINGLE_CONTACTS_CUH

#include "tile.cuh"

namespace single
{

/* Value of `corner`, which else is that of the image: corners are diagonals. */
constexpr uint32_t corners_are_diagonals = 2;

/* Flag in Tile.contact[] that it is a diagonal, and in the first number of a contact. */
constexpr uint32_t root_of_diagonal = 0x80000000u, is_diagonal = 0x8000;
constexpr uint32_t contact_mask = is_diagonal - 1;
static_assert(n_nodes <= is_diagonal, "");

template <typename S>
DEVICE uint32_t border_of(const uint32_t word)
{
    return word < border_begin<S>(LOWER) ? UPPER :
           word < border_begin<S>(LEFT)  ? LOWER :
           word < border_begin<S>(RIGHT) ? LEFT :
                                           RIGHT;
}

template <typename S>
DEVICE uint32_t border_end(const uint32_t border)
{
    return border == RIGHT ? S::border_words : border_begin<S>(border + 1);
}

/* Whether the tile is below or right of this border. */
DEVICE bool is_after(const uint32_t border)
{
    return border == UPPER || border == LEFT;
}

/* Contacts, as bits at the pixel before the border, or for `rising` at the pixel after it. The
 * first pixel of each stretch with foreground on both sides is a contact, and so are diagonal
 * neighbours that no other contact joins. No bit is in two of the masks. */
struct Contacts {
    uint32_t facing, falling, rising;
};

template <typename S>
DEVICE Contacts contacts_of(const Tile<S> &tile, const uint32_t word, const uint32_t border,
                            const uint32_t corner)
{
    const uint32_t before = tile.before[word], after = tile.after[word], both = before & after;
    const uint32_t both_left = word == border_begin<S>(border) ?
                                   0 :
                                   tile.before[word - 1] & tile.after[word - 1];
    Contacts c = { both & ~(both << 1 | both_left >> 31), 0, 0 };
    if (corner) {
        const bool last = word == border_end<S>(border) - 1;
        const uint32_t next_before = before >> 1 | (last ? 0 : tile.before[word + 1] << 31);
        const uint32_t next_after = after >> 1 | (last ? 0 : tile.after[word + 1] << 31);
        c.falling = before & next_after & ~next_before & ~after;
        c.rising = after & next_before & ~next_after & ~before;
    }
    return c;
}

/* Marks the root of a node as the root of an open component, and returns it. */
template <typename S>
DEVICE uint32_t mark_open(Tile<S> &tile, uint32_t node)
{
    uint32_t p;
    while ((p = load_shared(tile.parent + node)) != node && !(p & is_open))
        node = p;
    if (!(p & is_open))
        atomicOr(tile.parent + node, is_open);
    return node;
}

template <typename S>
DEVICE uint32_t mark_open_at(Tile<S> &tile, const uint32_t x, const uint32_t y)
{
    return mark_open(tile, node_of(tile, S::word_index(x / 32, y), x % 32));
}

/* The root of the tile's component at the contact in this lane's bit of a border word, or none. */
template <typename S>
DEVICE uint32_t find_contact(Tile<S> &tile, const Place &place, const uint32_t word,
                             const uint32_t corner)
{
    const uint32_t lane = threadIdx.x % WARP, border = border_of<S>(word);
    const Contacts c = contacts_of<S>(tile, word, border, corner);
    const uint32_t all = c.facing | c.falling | c.rising;
    if (lane == 0)
        tile.n_contacts[word] = __popc(all);
    if (!(all >> lane & 1))
        return none;
    const uint32_t next = (is_after(border) ? c.falling : c.rising) >> lane & 1;
    const uint32_t at = (word - border_begin<S>(border)) * 32 + lane + next;
    const bool is_row = border == UPPER || border == LOWER;
    const uint32_t across = border == LOWER ? place.rows - 1 : border == RIGHT ? S::width - 1 : 0;
    const uint32_t root = mark_open_at(tile, is_row ? at : across, is_row ? across : at);
    const bool diagonal = corner == corners_are_diagonals && !(c.facing >> lane & 1);
    return diagonal ? root | root_of_diagonal : root;
}

template <typename S>
DEVICE bool border_pixel(const uint32_t *const words, const uint32_t border, const uint32_t at)
{
    return words[border_begin<S>(border) + at / 32] >> at % 32 & 1;
}

/* The same for the contact at a corner, in the order of Tile.outer_corner. It is a contact only if
 * no border pixel joins the two tiles there. */
template <typename S>
DEVICE uint32_t find_corner_contact(Tile<S> &tile, const Place &place, const uint32_t corner)
{
    const uint32_t lane = threadIdx.x % WARP;
    if (lane >= 4)
        return none;
    const bool lower = lane >= 2, right = lane & 1;
    const uint32_t x = right ? S::width - 1 : 0, y = lower ? place.rows - 1 : 0;
    const bool own = tile.bits[S::word_index(x / 32, y)] >> x % 32 & 1;
    const bool beside = right ? border_pixel<S>(tile.after, RIGHT, y) :
                                border_pixel<S>(tile.before, LEFT, y);
    const bool above = lower ? border_pixel<S>(tile.after, LOWER, x) :
                               border_pixel<S>(tile.before, UPPER, x);
    const bool touches = own && tile.outer_corner[lane] && !beside && !above;
    if (!touches)
        return none;
    const uint32_t root = mark_open_at(tile, x, y);
    return corner == corners_are_diagonals ? root | root_of_diagonal : root;
}

/* Called by all warps. */
template <typename S>
DEVICE void find_contacts(Tile<S> &tile, const Place &place, const uint32_t corner)
{
    const uint32_t n_warps = blockDim.x / WARP;
#pragma unroll 1
    for (uint32_t word = threadIdx.x / WARP; word < S::contact_words; word += n_warps)
        tile.contact[word * 32 + threadIdx.x % WARP] =
            word < S::border_words ? find_contact(tile, place, word, corner) :
            corner                 ? find_corner_contact(tile, place, corner) :
                                     none;
}

} // namespace single

#endif /* CCA_CUDA_SINGLE_CONTACTS_CUH */
