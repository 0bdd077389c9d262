/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The super tile of a block in shared memory. Nodes of the union-find are runs, cut at word
 * borders. A word that equals the word above adds none. Nodes of a strip are numbered in raster
 * order, and those of a lower strip are greater, so the root of a component, its smallest node, has
 * its first pixel. */

#ifndef CCA_CUDA_SUPER_TILE_CUH
#define CCA_CUDA_SUPER_TILE_CUH

#include "../compact/sums.cuh"
#include "../pixels.cuh"
#include "../tables/super.h"
#include "../tiled/runs.cuh"

namespace super
{

/* Index of the size of tiles in CCA_SUPER_SIZES; tests define it. */
#ifndef CCA_SUPER_SIZE
#if !defined(__CUDA_ARCH__) || (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1200)
#define CCA_SUPER_SIZE 0
#elif __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 870
#define CCA_SUPER_SIZE 1
#elif __CUDA_ARCH__ < 800
#define CCA_SUPER_SIZE 3
#else
#define CCA_SUPER_SIZE 2
#endif
#endif
constexpr CudaSuperSize all_sizes[] = CCA_SUPER_SIZES, size = all_sizes[CCA_SUPER_SIZE];

constexpr uint32_t width = CCA_SUPER_WIDTH, max_rows = size.strips * CCA_SUPER_STRIP_ROWS;
constexpr uint32_t max_strips = size.strips, max_threads = max_strips * WARP;
constexpr uint32_t n_slots = size.slots, n_slot_words = n_slots / WARP;
static_assert(max_strips <= CCA_SUPER_STRIPS && n_slots <= CCA_SUPER_SLOTS, "");
static_assert(width == WARP * 32 && n_slots % WARP == 0, "");

/* Generality of a kernel. EDGES and CORNERS have 4 and 8 neighbours per pixel, and neither limits
 * of boxes nor label images. They are faster than ANYTHING, which needs more registers.
 * STAGED is for a kernel for each stage, which store their tiles in between; otherwise it is as
 * ANYTHING. MEASURED_EDGES and MEASURED_CORNERS have features as well, and ALL has everything. */
enum Scope { EDGES, CORNERS, ANYTHING, STAGED, MEASURED_EDGES, MEASURED_CORNERS, ALL };

DEVICE constexpr bool is_general(const Scope scope)
{
    return scope == ANYTHING || scope == STAGED || scope == ALL;
}

DEVICE constexpr bool is_measured(const Scope scope)
{
    return scope >= MEASURED_EDGES;
}

template <Scope scope> DEVICE bool has_corners(const CudaImage &image)
{
    return is_general(scope) ? image.corner : scope == CORNERS || scope == MEASURED_CORNERS;
}

/* Maximum number of nodes and of groups of a strip. */
constexpr uint32_t strip_nodes = CCA_SUPER_STRIP_NODES, strip_groups = 160;
constexpr uint32_t n_nodes = max_strips * strip_nodes;

/* No node, or no component. */
constexpr uint32_t none = UINT16_MAX;

/* parent[] of a root, once components are numbered, has these flags and the number. */
constexpr uint32_t is_root = 0x80000000u, is_open = 0x40000000u, number_bits = 13;
constexpr uint32_t number_mask = (1u << number_bits) - 1;
static_assert(n_slots <= number_mask, "");

/* first[] of a component: the flags, and its first pixel in the tile, y * width + x. */
constexpr uint32_t first_is_open = 0x80000000u; /* it touches an edge with a neighbour */
constexpr uint32_t first_begins = 0x40000000u;  /* and begins in this tile */
constexpr uint32_t first_mask = CCA_SUPER_MAX_ROWS * width - 1;

/* Features of a vote. Coordinates and sums are in pixels of the tile. */
struct Vote {
    uint32_t area, sum_x, sum_y, min_x, max_x, max_y;
};

/* Features of a component. An odd number of words, so that lanes with consecutive slots use
 * different banks. */
struct Slot : Vote {
    uint32_t first;
};

/* Open components of the tile that have the same root in another tile, added up before they go to
 * global memory. A hash table. */
constexpr uint32_t n_roots = 512;
struct RootSums {
    uint32_t root[n_roots];
    uint32_t area[n_roots], sum_x[n_roots], sum_y[n_roots];
    uint32_t min_x[n_roots], max_x[n_roots], max_y[n_roots];
};

/* Pairs of components that have been united across an edge. A hash table. */
constexpr uint32_t n_asked = 1024;

static_assert(width * max_rows <= 1 << peak_bits, "");

/* Sums of the components, and the maximum number of these. The middle column is the origin of
 * CUDA_SUM_XX. */
enum { CARRIES = n_pixel_sums, n_sum_words }; /* of sums of more than 32 bits: 4 bits each */
constexpr uint32_t n_measured = size.measured;
static_assert(n_measured <= CCA_SUPER_MEASURED, "");
struct MeasureSlots {
    uint32_t words[n_sum_words][n_measured];
};

/* The groups of all strips, which are measured when the others of the tile are no longer needed. */
constexpr uint32_t no_group = UINT8_MAX;
static_assert(strip_groups <= no_group, "");
struct Kept {
    uint2 groups[max_strips * strip_groups];
    uint32_t n_groups[max_strips];
    uint8_t at[max_rows][WARP]; /* the group with a word, or no_group if the word is 0 */
    /* Last pixel of each column of words, and of that on the left of the tile: bit k is that of
     * row k of the strip. */
    uint32_t last_pixels[max_strips][WARP + 1];
};

/* A hash table of roots of the frame, and the first component of the tile that found each. */
constexpr uint32_t n_shared_roots = 1024;

struct Tile {
    union {
        struct {
            uint32_t top_words[max_threads]; /* of each strip */
            uint16_t top_nodes[max_threads]; /* first node of each of these words */
        };
        struct { /* used last */
            uint32_t roots[n_shared_roots];
            uint16_t root_numbers[n_shared_roots];
        };
    };
    uint32_t bottom_words[WARP]; /* of the tile */
    uint16_t bottom_nodes[WARP]; /* first node of each of these words */
    uint16_t sides[2][max_rows]; /* nodes of the pixels at the left and the right edge, or none */
    uint32_t open[n_nodes / 32]; /* bitmap of roots */
    union {
        uint32_t row_counts[max_rows]; /* components that begin in each row */
        uint32_t row_ranks[max_rows];  /* used last: rank of the first component in each row */
    };
    uint32_t counted[n_slot_words]; /* bitmap of these components */
    uint32_t before[n_slot_words];  /* their number before each word of the bitmap */
    uint32_t strip_counts[max_strips];
    uint32_t warp_sums[2][max_strips];
    uint32_t n_open;
    uint32_t n_before; /* components that begin above the row of tiles */
    uint32_t n_found;  /* in the first tile: components of the frame; in others 0 */
    uint64_t grid;     /* the counter of a barrier */
    union {
        uint2
            groups[max_strips * strip_groups]; /* equal words below each other, see pack_group() */
        struct {                               /* used after the votes */
            uint32_t asked[n_asked];
            RootSums sums;
        };
        RecordStage stages[max_strips]; /* used for the records */
        MeasureSlots measured;          /* used for the features */
    };
    union { /* a kernel that labels no pixels has what is above, others also what is below */
        uint32_t parent[n_nodes];
        Stage<CcaFeatures> feature_stages[n_nodes * 4 / sizeof(Stage<CcaFeatures>)]; /* used last */
    };
    union { /* last, because with features a part of it is enough */
        Slot slots[n_slots];
        struct {
            Slot slots_with_features[n_measured];
            Kept kept;
        };
    };
};
static_assert(sizeof(Tile) - sizeof(((Tile *) 0)->slots) - sizeof(((Tile *) 0)->parent) <=
                  CCA_SUPER_STAGE_SHARED,
              "");
static_assert(sizeof(Tile) <= size.shared, "");
static_assert(sizeof(Tile) - sizeof(((Tile *) 0)->slots) +
                      sizeof(((Tile *) 0)->slots_with_features) + sizeof(Kept) <=
                  size.measured_shared,
              "");
static_assert(sizeof(((Tile *) 0)->stages) <= sizeof(((Tile *) 0)->groups), "");
static_assert(sizeof(MeasureSlots) <= sizeof(((Tile *) 0)->groups), "");

DEVICE Tile &shared_tile()
{
    return *(Tile *) dynamic_shared();
}

/* Whether rows of tiles may follow a working set. Only frames with a mask have one. */
template <typename Sample> constexpr bool may_follow = false;
template <> constexpr bool may_follow<MaskBits> = true;

/* The column in which a row of tiles begins. Columns outside the region have no pixels. */
DEVICE uint32_t first_column(const CudaSuper &s, const uint32_t tile_y)
{
    return (uint32_t) ((s.begin + s.slope * (int32_t) tile_y) >> CCA_SUPER_SLOPE_BITS);
}

/* Position of a block's tile, and of its warp's strip. */
struct Place {
    uint32_t tile, tile_x, tile_y; /* the tile_x-th of its row */
    uint32_t x0, y0, rows;
    uint32_t strip_row, strip_rows;
    bool left, right, below; /* there is such a tile */
    bool above;              /* there is a row of tiles above */
    uint32_t tile_below;
};

/* Each stage makes its own, so that no registers are occupied in between. */
template <typename Sample> DEVICE Place make_place(const CudaImage &image, const CudaSuper &s)
{
    Place p;
    p.tile = read_block_index();
    p.tile_x = p.tile % s.tiles_x;
    p.tile_y = p.tile / s.tiles_x;
    p.x0 = p.tile_x * width;
    p.y0 = p.tile_y * s.rows;
    p.rows = min(s.rows, image.height - p.y0);
    p.strip_row = threadIdx.x / WARP * s.strip_rows;
    p.strip_rows = p.strip_row < p.rows ? min(s.strip_rows, p.rows - p.strip_row) : 0;
    p.left = p.tile_x > 0;
    p.right = p.tile_x + 1 < s.tiles_x;
    p.above = p.tile_y > 0;
    p.tile_below = p.tile + s.tiles_x;
    p.below = p.tile_below < s.n_tiles;
    if (may_follow<Sample>) {
        const uint32_t column = p.tile_x + first_column(s, p.tile_y);
        const uint32_t x_below = column - first_column(s, p.tile_y + 1);
        p.x0 = column * width;
        p.below = p.below && x_below < s.tiles_x;
        p.tile_below += x_below - p.tile_x;
    }
    return p;
}

/* Place in CudaSuper.words of a word of the tile. */
DEVICE uint64_t *word_place(const CudaSuper &s, const Place &place, const uint32_t column,
                            const uint32_t row)
{
    return s.words + ((uint64_t) (place.y0 + row) * s.tiles_x + place.tile_x) * WARP + column;
}

/* The bits up to and including the only one of `bit`. */
DEVICE uint32_t up_to(const uint32_t bit)
{
    return bit | (bit - 1);
}

/* Node of the run of `word` that contains `bit`, or ends before it. `first` is the word's first
 * node. */
DEVICE uint32_t run_node(const uint32_t word, const uint32_t first, const uint32_t bit)
{
    return first + __popc(starts_of(word) & up_to(bit)) - 1;
}

/* Node of the last run of a word. */
DEVICE uint32_t last_node(const uint32_t word, const uint32_t first)
{
    return first + __popc(starts_of(word)) - 1;
}

/* --- union-find ------------------------------------------------------------ */

/* Of a tile a parent is a node. Of the frame it is first pixel << 32 | node, in global memory. */
DEVICE uint32_t load_parent(const uint32_t *const p)
{
    return load_shared(p);
}

DEVICE uint64_t load_parent(const uint64_t *const p)
{
    return load_relaxed(p);
}

DEVICE uint32_t lower_parent(uint32_t *const p, const uint32_t to)
{
    return atomicMin(p, to);
}

DEVICE uint64_t lower_parent(uint64_t *const p, const uint64_t to)
{
    return atomicMin((unsigned long long *) p, (unsigned long long) to);
}

/* Halves a path. A link that another thread makes at the same time is not lost, because only roots
 * are linked, and these nodes are none. */
DEVICE void halve_path(uint32_t *const p, const uint32_t above)
{
    atomicMin(p, above);
}

DEVICE void halve_path(uint64_t *const p, const uint64_t above)
{
    store_relaxed(p, above);
}

/* Goes up from the greater of two ancestors until they are the same, or it is a root. This is
 * linked to the other one, which need not be a root. */
template <typename Parent>
DEVICE void unite_nodes(Parent *const parent, uint32_t x, uint32_t y)
{
    Parent a = load_parent(parent + x), b = load_parent(parent + y);
    while (a != b) {
        if (a < b) {
            const Parent t = a;
            a = b;
            b = t;
            const uint32_t node = x;
            x = y;
            y = node;
        }
        const uint32_t node = (uint32_t) a;
        Parent above = load_parent(parent + node);
        if (above != a)
            halve_path(parent + x, above);
        else if ((above = lower_parent(parent + node, b)) == a)
            return;
        x = node;
        a = above;
    }
}

/* Makes the root the parent of a node that no other thread changes, and returns it. */
DEVICE uint32_t flatten(uint32_t *const parent, const uint32_t node)
{
    const uint32_t own = load_shared(parent + node);
    uint32_t root = own;
    for (uint32_t above; (above = load_shared(parent + root)) != root; root = above) {
    }
    if (root != own)
        atomicMin(parent + node, root);
    return root;
}

/* Flags and number of the component of a node, once components are numbered. */
DEVICE uint32_t component_of(const Tile &tile, const uint32_t node)
{
    const uint32_t p = tile.parent[node];
    return p & is_root ? p : tile.parent[p];
}

DEVICE uint32_t number_of(const Tile &tile, const uint32_t node)
{
    return component_of(tile, node) & number_mask;
}

/* Number in the frame of the component with a number in a tile. */
DEVICE uint32_t frame_node(const uint32_t tile, const uint32_t number)
{
    return tile * n_slots + number;
}

} // namespace super

#endif /* CCA_CUDA_SUPER_TILE_CUH */
