/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Frames that one kernel analyses, the single kernel or the one with super
 * tiles: all modes, all limits, and frames that overflow it. Each result is
 * compared with the reference's. */

#include "../check/suite.h"
#include "cuda-pictures.h"
#include "cuda-rig.h"
#include "cuda/super/super.h"
#include "front-driver.h"

/* Pairs of pixels below each other, and single ones between them. */
static guint8
dominoes (guint x, guint y)
{
  return x % 2 == y % 3 / 2 ? 255 : 0;
}

/* Lines through the corner of four tiles of 128x80. */
static guint8
falling (guint x, guint y)
{
  return x == y + 48 ? 255 : 0;
}

static guint8
rising (guint x, guint y)
{
  return x + y == 207 ? 255 : 0;
}

/* falling(), and lines that cross the borders between tiles of a row. */
static guint8
scratches (guint x, guint y)
{
  return x == y + 48 || (y % 16 == 4 && x > 100 && x < 150) ? 255 : 0;
}

/* Few, of which each crosses all borders beside it. */
static guint8
lines (guint x, guint y)
{
  return y % 2 == 0 ? 255 : 0;
}

/* Of each sixteen pixels that are loaded together at least twelve are the same.
 * Each value decides on Otsu's threshold. */
static guint8
nearly_flat (guint x, guint y)
{
  static const guint8 odd[] = {10, 63, 96, 187, 208};
  guint kind = (x / 16 + y) % 5;
  gboolean is_odd = kind < 4 ? x % 16 / 4 == kind : x % 4 == 3;

  return is_odd ? odd[kind] : odd[0];
}

/* 160 wide: of two thresholds the better one is not as rounded to 24 bits. */
static guint8
close_call (guint x, guint y)
{
  guint i = y * 160 + x;

  return i < 4527 ? 0 : i < 4527 + 6564 ? 106 : 255;
}

/* Of two thresholds, far apart, both are as good. */
static guint8
even (guint x, guint y)
{
  return x % 3 * 100;
}

/* More components than there are feature slots, but fewer runs than
 * overflow. */
static guint8
pegs (guint x, guint y)
{
  return x % 4 == 0 && y % 3 < 2 ? 255 : 0;
}

/* pegs() in the first 60 rows, and one component below them. */
static guint8
pegs_and_one (guint x, guint y)
{
  return y < 60 ? pegs (x, y) : x == 0 && y > 60 ? 255 : 0;
}

/* Few components, each in all tiles beside each other. */
static guint8
sparse_lines (guint x, guint y)
{
  return y % 8 == 0 ? 255 : 0;
}

/* Bars that begin in the second tile and end in the third, or at the border. */
static guint8
bars_inside (guint x, guint y)
{
  return y % 8 == 4 && x >= 130 && (x < 300 || y % 16 == 4) ? 255 : 0;
}

/* Runs of 1 to 6 pixels that touch no other. */
static guint8
lone_runs (guint x, guint y)
{
  return y % 2 == 0 && x % 8 <= (x / 8 + y) % 6 ? 255 : 0;
}

/* In a strip of a wide tile the pairs of runs to unite overflow, but the runs
 * do not. */
static guint8
knots (guint x, guint y)
{
  return (x + y) % 2 == 0 && y >= 15 && y < (x < 100 ? 21 : 20) ? 255 : 0;
}

static guint8
everything (guint x, guint y)
{
  return 255;
}

/* One component, which meets itself at corners: in words, strips and tiles of
 * 1024x20, and between them. */
static guint8
pierced (guint x, guint y)
{
  gboolean hole = (x == 1023 && y % 8 == 2) || (x == 1024 && y % 8 == 3)
      || (y == 19 && x % 8 == 2) || (y == 20 && x % 8 == 3)
      || (x % 48 == 31 && y == 7) || (x % 48 == 32 && y == 8);

  return hole ? 0 : 200 + (x * 7 + y * 13) % 56;
}

/* pierced() for tiles of 128x80: holes at the borders of words and tiles, and at
 * two corners of four tiles. A border has more contacts than threads keep. */
static guint8
pierced_often (guint x, guint y)
{
  gboolean hole = (x == 127 && y % 8 == 2) || (x == 128 && y % 8 == 3)
      || (y == 79 && x % 8 == 2) || (y == 80 && x % 8 == 3)
      || (x % 48 == 31 && y == 7) || (x % 48 == 32 && y == 8)
      || (x == 127 && y == 79) || (x == 128 && y == 80) || (x == 256 && y == 79)
      || (x == 255 && y == 80);

  return hole ? 0 : 200 + (x * 7 + y * 13) % 56;
}

/* Pairs of components of a tile of 128x80 that touch at a corner. In every second
 * pair both are one component, which the tile to the right joins. */
static guint8
clasps (guint x, guint y)
{
  guint u = x % 256, v = y % 16;
  gboolean on = (v == 10 && u >= 100 && u < 128)
      || (v == 11 && u >= 60 && u < 100) || (u == 60 && v >= 11 && v < 15)
      || (v == 14 && u >= 60 && u <= 128)
      || (u == 128 && v >= 10 && v < 15 && y / 16 % 2 == 0);

  return on ? 255 - v : 0;
}

/* Pairs of columns whose teeth touch at corners, `apart` pixels apart. */
static guint8
zip (guint x, guint y, guint apart)
{
  guint u = x % apart;

  return u == 0 || u == 5 || (y % 2 == 0 && u < 3)
          || (y % 2 == 1 && u > 2 && u < 5)
      ? 255
      : 0;
}

static guint8
zips (guint x, guint y)
{
  return zip (x, y, 12);
}

/* The first row joins all of them. Lower tiles do not have it. */
static guint8
tied_zips (guint x, guint y)
{
  return y == 0 ? 255 : zips (x, y);
}

/* Runs that touch others, and one that touches none, at their corner. */
static guint8
steps_and_dots (guint x, guint y)
{
  return (y % 4 == 1 && x % 8 < 5) || (y % 4 == 0 && (x % 8 < 3 || x % 8 == 5))
      ? 255
      : 0;
}

static guint8
dense_zips (guint x, guint y)
{
  return zip (x, y, 7);
}

/* Many runs, but few components. */
static guint8
mesh (guint x, guint y)
{
  return x % 8 == y % 8 || y % 8 == 0 ? 255 : 0;
}

/* Each crosses the border of two tiles. */
static guint8
stripes (guint x, guint y)
{
  return x % 2 == 0 ? 255 : 0;
}

/* Tiles of 128x142 with nearly the maximum number of components across each
 * border. */
static guint8
fringe (guint x, guint y, guint apart)
{
  guint u = x % 128, v = y % 142;

  if (v < 10 || v >= 132)
    return u % 2 ? 0 : 255;
  return v >= 12 && v < 130 && v % apart == 0 && (u < 30 || u >= 98) ? 255 : 0;
}

static guint8
fringes (guint x, guint y)
{
  return fringe (x, y, 2);
}

/* Half the number on the left and right. */
static guint8
half_fringes (guint x, guint y)
{
  return fringe (x, y, 4);
}

/* Lines through the corner of four super tiles of 1024x10. */
static guint8
falling_far (guint x, guint y)
{
  return x == y + 1014 ? 255 : 0;
}

/* Bars that begin with a word, the same in all rows, and on their left teeth in
 * every third row, also across the border of two tiles. */
static guint8
teeth (guint x, guint y)
{
  gboolean has_teeth = (x / 32 + 2) % 3 == 0 && x % 32 >= 28 && y % 3 == 2;
  gboolean has_bar = (x / 32 + 2) % 3 == 1 && x % 32 < 8;

  return has_teeth || has_bar ? 255 : 0;
}

static guint8
rising_far (guint x, guint y)
{
  return x + y == 1033 ? 255 : 0;
}

/* One run a word, and no word below an equal one. */
static guint8
steps (guint x, guint y)
{
  return x % 32 == y % 2 ? 255 : 0;
}

/* More components than a super tile can have, in few runs a strip. */
static guint8
dots (guint x, guint y)
{
  return x % 6 == 0 && y % 3 == 1 ? 255 : 0;
}

/* The same but for a tile of 128x80, of two beside each other, and more
 * below. */
static Pattern whole;
static guint hole;

static guint8
holed (guint x, guint y)
{
  return y / 80 * 2 + x / 128 == hole ? 0 : whole (x, y);
}

/* Blots with specks, of many values. */
static guint8
speckled (guint x, guint y)
{
  guint n = x * 2654435761u ^ y * 2246822519u;

  n = (n ^ n >> 15) * 2246822519u;
  return (pattern_blots (x, y) != 0) != ((n >> 24) < 20)
      ? 200 + n % 50
      : n % 90;
}

/* Squares that the largest radii keep, and join across borders of tiles. */
static guint8
squares (guint x, guint y)
{
  return x % 45 < 20 && y % 45 < 20 ? 255 : 0;
}

/* Lines of which opening leaves some, and closing joins others. */
static guint8
rails (guint x, guint y)
{
  return x % 3 == 0 || y % 24 > 20 ? 255 : 0;
}

/* Contacts of a border in this frame only; those of the previous frame must be
 * ignored. */
static guint8
stitches (guint x, guint y)
{
  guint n = x / 256 == 1 ? 20 : 10;

  return x % 4 == 0 && x % 256 / 4 < n && y > 70 && y < 90 ? 255 : 0;
}

static guint8
more_stitches (guint x, guint y)
{
  return x % 4 == 0 && x % 256 / 4 < 16 && y > 70 && y < 90 ? 255 : 0;
}

/* Components of pattern_blots at 300x200, 8-connected. */
#define N_BLOTS 18

/* --- frames --------------------------------------------------------------- */

typedef enum
{
  SINGLE,    /* one kernel analyses the frame, or stages of super tiles */
  OVERFLOWS, /* it runs out of room, the tiled algorithm follows */
  TILED,     /* the tiled algorithm analyses it */
  EITHER,    /* the engine chooses, the test does not care */
} Fate;

typedef struct
{
  Pattern pattern;
  guint width, height, connectivity;
  Fate fate;
  /* 0: as CCA_DEFAULT_PARAMS */
  guint64 min_area, max_area;
  guint min_width;
  gboolean exclude_border, invert;
  /* the working set has words missing here and there */
  gboolean has_gaps;
  CcaForeground foreground;
  guint open_radius, close_radius;
  CcaOrder order;
  guint max_components;
  CcaFeatureFlags features;
} Frame;

#define FRAME(p, w, h, c, ...) \
  {.pattern = p, \
    .width = w, \
    .height = h, \
    .connectivity = c, \
    .fate = __VA_ARGS__}

static Picture
draw (const Frame *f)
{
  Picture p = picture_draw (f->pattern, f->width, f->height, f->connectivity);

  p.params.min_area = f->min_area;
  if (f->max_area != 0)
    p.params.max_area = f->max_area;
  p.params.limits.min_width = f->min_width;
  p.params.limits.exclude_border = f->exclude_border;
  p.params.foreground = f->foreground;
  p.params.invert = f->invert;
  p.params.open_radius = f->open_radius;
  p.params.close_radius = f->close_radius;
  p.params.order = f->order;
  if (f->max_components != 0)
    p.params.max_components = f->max_components;
  p.features = f->features;
  return p;
}

static guint
n_launches (void)
{
  return front_driver.n_launches + front_driver.n_together
      + front_driver.n_graph_launches;
}

/* Whether one kernel gets the frame, or stages of super tiles. */
static gboolean
analyse (CcaEngine *engine, guint slot, const Picture *p)
{
  guint before = front_driver.n_together;

  picture_enqueue (engine, slot, p, p->copy);
  return front_driver.n_together > before
      || ((CudaEngine *) engine)->slots[slot].path >= CUDA_PATH_SINGLE;
}

static Fate
fate_of (CcaEngine *engine, const Picture *p)
{
  gboolean is_single = analyse (engine, 0, p);
  guint before = n_launches ();

  picture_collect (engine, 0, p);
  return !is_single ? TILED : n_launches () > before ? OVERFLOWS : SINGLE;
}

static CcaMask *
mask_with_gaps (guint width, guint height)
{
  CcaMask *mask = cca_mask_new (width, height, TRUE);
  guint i;

  for (i = 5; i < mask->row_words * height; i += 7)
    mask->words[i] = 0;
  return mask;
}

/* Analyses the frame with the engine, or with a new one if it is NULL. */
static void
play (CcaEngine **engine, CcaCudaAlgorithm algorithm, const Frame *f)
{
  CcaMask *mask = f->has_gaps ? mask_with_gaps (f->width, f->height) : NULL;
  Picture p = draw (f);
  Fate fate;

  p.params.mask = mask;
  if (*engine == NULL)
    *engine = picture_open (algorithm, &p);
  fate = fate_of (*engine, &p);
  fail_unless (f->fate == EITHER || fate == f->fate,
      "%ux%u: fate %d and not %d", f->width, f->height, fate, f->fate);
  picture_clear (&p);
  cca_mask_free (mask);
}

/* Each frame with a new engine. */
static void
play_each (CcaCudaAlgorithm algorithm, const Frame *frames, guint n)
{
  CcaEngine *engine = NULL;
  guint i;

  for (i = 0; i < n; i++) {
    play (&engine, algorithm, &frames[i]);
    cca_engine_free (&engine);
  }
}

/* All frames with one engine, which is configured for the first one. */
static void
play_all (CcaCudaAlgorithm algorithm, const Frame *frames, guint n)
{
  CcaEngine *engine = NULL;
  guint i;

  for (i = 0; i < n; i++)
    play (&engine, algorithm, &frames[i]);
  cca_engine_free (&engine);
}

/* A test of a table of frames, on a GPU with that number of multiprocessors. */
#define FRAMES_TEST(name, how, algorithm, n_multiprocessors, ...) \
  TEST (name) \
  { \
    static const Frame frames[] = {__VA_ARGS__}; \
\
    g_setenv ("SIMCUDA_MULTIPROCESSORS", n_multiprocessors, TRUE); \
    how (algorithm, frames, G_N_ELEMENTS (frames)); \
  }

/* --- limits --------------------------------------------------------------- */

/* Too many components in a tile, or across tiles. */
FRAMES_TEST (test_overflow, play_each, CCA_CUDA_AUTO, "50",
    FRAME (dominoes, 130, 80, 4, OVERFLOWS),
    FRAME (fringes, 640, 1420, 4, OVERFLOWS));

/* Too many contacts. */
FRAMES_TEST (test_overflow_of_contacts, play_each, CCA_CUDA_AUTO, "66",
    FRAME (pattern_checker, 768, 1562, 8, OVERFLOWS));

/* After an overflow the next frame is tried again if the algorithm is fixed. */
FRAMES_TEST (test_forced, play_all, CCA_CUDA_SINGLE, "50",
    FRAME (dominoes, 130, 80, 4, OVERFLOWS),
    FRAME (pattern_blots, 130, 80, 4, SINGLE));

/* More rows, columns or pixels than the tiles can hold. */
FRAMES_TEST (test_too_large, play_each, CCA_CUDA_SINGLE, "50",
    FRAME (pattern_blots, 1, 50 * CCA_WIDE_MAX_ROWS + 1, 4, TILED),
    FRAME (pattern_blots, 4097, 10, 4, TILED),
    FRAME (pattern_blots, 2048, 2048, 4, TILED));

/* Filters need room for the areas of components across tiles. */
FRAMES_TEST (test_many_areas, play_all, CCA_CUDA_SINGLE, "50",
    FRAME (half_fringes, 640, 1420, 4, SINGLE),
    FRAME (half_fringes, 640, 1420, 4, OVERFLOWS, .min_area = 2));

/* The single kernel has raster order only, which will do if all components are
 * delivered. */
FRAMES_TEST (test_by_area, play_all, CCA_CUDA_SINGLE, "50",
    FRAME (pattern_blots, 300, 200, 8, SINGLE, .order = CCA_ORDER_AREA),
    FRAME (pattern_blots, 300, 200, 8, SINGLE, .order = CCA_ORDER_AREA,
        .max_components = N_BLOTS),
    FRAME (pattern_blots, 300, 200, 8, OVERFLOWS, .order = CCA_ORDER_AREA,
        .max_components = N_BLOTS - 1));

/* Sums of more than 32 bits. */
FRAMES_TEST (test_sums, play_each, CCA_CUDA_SINGLE, "66",
    FRAME (everything, 128, 9300, 8, SINGLE),
    FRAME (stripes, 128, 9300, 8, SINGLE));

/* Frames too wide for narrow tiles. Otsu's threshold of speckled() is not 0. */
FRAMES_TEST (test_wide, play_all, CCA_CUDA_SINGLE, "50",
    FRAME (pattern_blots, 2100, 90, 8, SINGLE),
    FRAME (pattern_blots, 2100, 90, 8, SINGLE, .open_radius = 1),
    FRAME (pattern_blots, 2100, 90, 8, SINGLE, .close_radius = 2),
    FRAME (speckled, 2100, 90, 8, SINGLE, .open_radius = 1, .close_radius = 1),
    FRAME (pattern_blots, 2100, 90, 8, SINGLE));

FRAMES_TEST (test_wide_otsu, play_all, CCA_CUDA_SINGLE, "50",
    FRAME (speckled, 2100, 90, 8, SINGLE, .foreground = CCA_FOREGROUND_OTSU));

FRAMES_TEST (test_wide_gaps, play_all, CCA_CUDA_SINGLE, "50",
    FRAME (pattern_blots, 2100, 90, 8, SINGLE, .has_gaps = TRUE),
    FRAME (pattern_blots, 2100, 90, 8, SINGLE, .has_gaps = TRUE,
        .open_radius = 1, .close_radius = 1),
    FRAME (pattern_blots, 2100, 90, 8, SINGLE, .has_gaps = TRUE,
        .close_radius = 2),
    FRAME (pattern_blots, 2100, 90, 8, SINGLE));

/* Too many components, runs, or pairs of runs for a wide tile or a strip of it,
 * between frames that fit. */
TEST (test_strips)
{
  static const Frame overflows[] = {
    FRAME (pegs, 256, 80, 4, OVERFLOWS),
    FRAME (dominoes, 256, 80, 4, OVERFLOWS),
    FRAME (pattern_checker, 256, 40, 8, OVERFLOWS),
    FRAME (knots, 256, 40, 8, OVERFLOWS),
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (overflows); i++) {
    const Frame fits =
        FRAME (pattern_blots, 256, overflows[i].height, 8, SINGLE);
    const Frame frames[] = {fits, overflows[i], fits};

    play_all (CCA_CUDA_WIDE, frames, G_N_ELEMENTS (frames));
  }
}

/* GPUs without cooperative launches, or with too little shared memory. */
TEST (test_unable)
{
  static const struct
  {
    gboolean cooperates;
    int shared;
    guint width;
  } gpus[] = {{FALSE, 0, 200}, {TRUE, CCA_SINGLE_SHARED - 1, 200},
    {TRUE, CCA_WIDE_SHARED - 1, 2100}};
  guint i;

  for (i = 0; i < G_N_ELEMENTS (gpus); i++) {
    const Frame f = FRAME (pattern_blots, gpus[i].width, 100, 4, TILED);

    front_driver.cooperates = gpus[i].cooperates;
    front_driver.shared = gpus[i].shared;
    play_all (CCA_CUDA_SINGLE, &f, 1);
  }
  front_driver.cooperates = TRUE;
  front_driver.shared = 0;
}

/* Other processes use a part of the GPU: cooperative launches fail, and only
 * one is tried. */
TEST (test_refused)
{
  const Frame f = FRAME (pattern_blots, 200, 100, 4, EITHER,
      .foreground = CCA_FOREGROUND_OTSU, .open_radius = 1);
  Picture p = draw (&f);
  CcaEngine *engine = picture_open (CCA_CUDA_AUTO, &p);

  front_driver.refuses_together = TRUE;
  fail_unless (analyse (engine, 0, &p));
  picture_collect (engine, 0, &p);
  fail_if (analyse (engine, 0, &p));
  picture_collect (engine, 0, &p);
  front_driver.refuses_together = FALSE;
  cca_engine_free (&engine);
  picture_clear (&p);
}

/* The same for a graph, none of whose kernels has run then: the second
 * algorithm must find the foreground itself, and move the background. */
TEST_LOOP (test_refused_graph, 0, 2)
{
  static const gchar *const calls[] = {"graph-launch", "graph-set"};
  Picture pictures[2] = {picture_draw (pattern_blots, 200, 100, 4),
    picture_draw (stripes, 200, 100, 4)};
  CcaEngine *engine, *ref;
  guint i;

  front_driver.error = CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
  for (i = 0; i < 2; i++) {
    pictures[i].params.foreground = CCA_FOREGROUND_SIGMA_DELTA;
    pictures[i].params.step = 60;
  }
  engine = picture_open (CCA_CUDA_SINGLE, &pictures[0]);
  fail_unless (cca_ref_open (&ref) == CCA_OK);
  picture_configure (ref, &pictures[0]);
  for (i = 0; i < 12; i++) {
    const Picture *p = &pictures[i >= 6];
    CcaResult result, expected;

    front_driver_fail (i == 6 ? calls[__i__] : NULL, 1);
    picture_enqueue (engine, 0, p, p->copy);
    fail_unless (front_driver_failed () == (i == 6));
    picture_enqueue (ref, 0, p, p->pixels);
    assert_equals_int (cca_engine_collect (engine, 0, &result), CCA_OK);
    assert_equals_int (cca_engine_collect (ref, 0, &expected), CCA_OK);
    fail_unless (i != 6 || expected.n_found > 0);
    rig_assert_same (&result, &expected);
  }
  cca_engine_free (&ref);
  cca_engine_free (&engine);
  picture_clear (&pictures[0]);
  picture_clear (&pictures[1]);
}

/* --- contents ------------------------------------------------------------- */

/* Components that touch in another tile only at its corner, or more of them at
 * one border than its first contacts. */
FRAMES_TEST (test_contacts, play_all, CCA_CUDA_SINGLE, "50",
    FRAME (falling, 256, 160, 8, SINGLE), FRAME (rising, 256, 160, 8, SINGLE),
    FRAME (stripes, 256, 160, 4, SINGLE));

/* Fewer contacts at a border than in the frame before. */
FRAMES_TEST (test_fewer_contacts, play_all, CCA_CUDA_WIDE, "50",
    FRAME (more_stitches, 768, 160, 4, SINGLE),
    FRAME (stitches, 768, 160, 4, SINGLE),
    FRAME (more_stitches, 768, 160, 4, SINGLE),
    FRAME (stitches, 768, 160, 4, SINGLE));

/* An empty tile has no results of the same tile in the previous frame. */
TEST (test_empty_tiles)
{
  static const Pattern patterns[] = {stripes, lines, scratches, pattern_blots};
  guint i;

  for (i = 0; i < G_N_ELEMENTS (patterns); i++) {
    const Frame full = FRAME (patterns[i], 256, 240, 8, SINGLE);
    const Frame empty = FRAME (holed, 256, 240, 8, SINGLE);
    CcaEngine *engine = NULL;

    whole = patterns[i];
    for (hole = 0; hole < 6; hole++) {
      play (&engine, CCA_CUDA_SINGLE, &full);
      play (&engine, CCA_CUDA_SINGLE, &empty);
    }
    cca_engine_free (&engine);
  }
}

/* Areas that pass and that do not, of components within tiles and across
 * them. */
TEST (test_filters)
{
  static const guint64 areas[][2] = {{2, 100000}, {100, 100000}, {1, 98},
    {99, 99}, {60000, 100000}, {1, 59999}};
  static const Frame frames[] = {
    FRAME (pattern_blots, 300, 200, 8, SINGLE),
    FRAME (dominoes, 130, 20, 8, SINGLE),
    FRAME (stripes, 300, 200, 8, SINGLE),
  };
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (frames); i++) {
    CcaEngine *engine = NULL;

    for (j = 0; j < G_N_ELEMENTS (areas); j++) {
      Frame f = frames[i];

      f.min_area = areas[j][0];
      f.max_area = areas[j][1];
      play (&engine, CCA_CUDA_SINGLE, &f);
    }
    cca_engine_free (&engine);
  }
}

/* The same by their boxes, and of runs that touch no other. In narrow tiles, then
 * in wide ones. */
FRAMES_TEST (test_limits, play_each, CCA_CUDA_SINGLE, "50",
    FRAME (sparse_lines, 2100, 90, 4, SINGLE, .min_width = 2101),
    FRAME (sparse_lines, 640, 400, 4, SINGLE, .min_width = 640),
    FRAME (sparse_lines, 640, 400, 4, SINGLE, .min_width = 641),
    FRAME (pattern_blots, 300, 200, 8, SINGLE, .min_width = 10),
    FRAME (pattern_blots, 300, 200, 4, SINGLE, .min_width = 10, .max_area = 98),
    FRAME (dominoes, 130, 20, 8, SINGLE, .min_width = 2),
    FRAME (lone_runs, 130, 60, 8, SINGLE, .min_width = 4),
    FRAME (lines, 640, 400, 4, SINGLE, .min_width = 640),
    FRAME (bars_inside, 640, 400, 4, SINGLE, .exclude_border = TRUE),
    FRAME (sparse_lines, 2100, 90, 4, SINGLE, .min_width = 2100),
    FRAME (pattern_blots, 2100, 90, 8, SINGLE, .min_width = 10),
    FRAME (lone_runs, 2100, 90, 8, SINGLE, .min_width = 4));

FRAMES_TEST (test_limits_of_modes, play_each, CCA_CUDA_SINGLE, "50",
    FRAME (pattern_blots, 300, 200, 8, SINGLE, .min_width = 10,
        .open_radius = 1),
    FRAME (pattern_blots, 300, 200, 8, SINGLE, .min_width = 10,
        .close_radius = 4),
    FRAME (pattern_blots, 300, 200, 8, SINGLE, .min_width = 10,
        .foreground = CCA_FOREGROUND_DIFFERENCE),
    FRAME (speckled, 300, 200, 8, SINGLE, .min_width = 10,
        .foreground = CCA_FOREGROUND_OTSU));

/* Components across tiles are so many that each thread handles several. */
FRAMES_TEST (test_many, play_all, CCA_CUDA_SINGLE, "50",
    FRAME (lines, 640, 800, 4, SINGLE),
    FRAME (lines, 640, 800, 4, SINGLE, .min_area = 640),
    FRAME (lines, 640, 800, 4, SINGLE, .min_area = 641));

FRAMES_TEST (test_many_wide, play_all, CCA_CUDA_WIDE, "50",
    FRAME (lines, 1280, 800, 4, SINGLE),
    FRAME (lines, 1280, 800, 4, SINGLE, .min_area = 1280),
    FRAME (lines, 1280, 800, 4, SINGLE, .min_area = 1281));

/* --- features ------------------------------------------------------------- */

/* Components in a tile and across tiles, and squares at corners of all kinds. */
FRAMES_TEST (test_features, play_each, CCA_CUDA_SINGLE, "50",
    FRAME (everything, 640, 400, 4, SINGLE, .features = CCA_FEATURES_ALL),
    FRAME (everything, 640, 400, 8, SINGLE, .features = CCA_FEATURES_ALL),
    FRAME (pierced_often, 384, 160, 4, SINGLE, .features = CCA_FEATURES_ALL),
    FRAME (pierced_often, 300, 160, 8, SINGLE, .features = CCA_FEATURES_ALL),
    FRAME (clasps, 512, 160, 4, SINGLE, .features = CCA_FEATURES_ALL),
    FRAME (clasps, 300, 160, 8, SINGLE, .features = CCA_FEATURES_SHAPE),
    FRAME (falling, 256, 160, 4, SINGLE, .features = CCA_FEATURES_ALL),
    FRAME (falling, 256, 300, 4, SINGLE, .features = CCA_FEATURES_ALL),
    FRAME (zips, 384, 240, 4, SINGLE, .features = CCA_FEATURES_SHAPE),
    FRAME (tied_zips, 384, 240, 4, SINGLE, .features = CCA_FEATURES_SHAPE),
    FRAME (steps_and_dots, 300, 60, 4, SINGLE, .features = CCA_FEATURES_SHAPE),
    FRAME (fringes, 384, 284, 4, SINGLE, .features = CCA_FEATURES_ALL),
    FRAME (lone_runs, 300, 60, 8, SINGLE, .features = CCA_FEATURES_ALL),
    FRAME (lines, 640, 800, 4, SINGLE, .features = CCA_FEATURES_MOMENTS));

/* The intensity is that of the frame also if the components come from a mask. */
FRAMES_TEST (test_features_of_modes, play_each, CCA_CUDA_SINGLE, "50",
    FRAME (speckled, 300, 200, 8, SINGLE, .features = CCA_FEATURES_ALL,
        .close_radius = 2),
    FRAME (speckled, 300, 200, 4, SINGLE, .features = CCA_FEATURES_ALL,
        .open_radius = 1, .min_area = 20),
    FRAME (speckled, 300, 200, 4, SINGLE, .features = CCA_FEATURES_ALL,
        .foreground = CCA_FOREGROUND_DIFFERENCE),
    FRAME (speckled, 300, 200, 4, SINGLE, .features = CCA_FEATURES_ALL,
        .invert = TRUE),
    FRAME (lone_runs, 300, 60, 8, SINGLE, .features = CCA_FEATURES_INTENSITY,
        .invert = TRUE),
    FRAME (speckled, 300, 200, 4, SINGLE, .features = CCA_FEATURES_ALL,
        .foreground = CCA_FOREGROUND_OTSU),
    FRAME (speckled, 300, 200, 4, TILED, .features = CCA_FEATURES_ALL,
        .min_width = 2),
    FRAME (pattern_blots, 2100, 90, 4, TILED, .features = CCA_FEATURES_ALL));

/* Closed components, and diagonals in a tile and in the frame, up to their
 * maximum numbers and beyond, between frames that fit. */
FRAMES_TEST (test_features_overflow, play_each, CCA_CUDA_SINGLE, "50",
    FRAME (pegs, 128, 60, 4, SINGLE, .features = CCA_FEATURES_ALL),
    FRAME (pegs_and_one, 128, 63, 4, OVERFLOWS, .features = CCA_FEATURES_ALL),
    FRAME (dense_zips, 128, 160, 4, OVERFLOWS, .features = CCA_FEATURES_SHAPE),
    FRAME (dense_zips, 128, 160, 8, SINGLE, .features = CCA_FEATURES_SHAPE),
    FRAME (dense_zips, 128, 160, 4, SINGLE, .features = CCA_FEATURES_MOMENTS),
    FRAME (zips, 896, 160, 4, OVERFLOWS, .features = CCA_FEATURES_SHAPE),
    FRAME (zips, 640, 160, 4, SINGLE, .features = CCA_FEATURES_SHAPE));

/* Tiles that are all foreground, in two rows and columns of tiles. */
FRAMES_TEST (test_features_of_full_tiles, play_each, CCA_CUDA_TILED, "50",
    FRAME (everything, 300, 150, 4, TILED, .features = CCA_FEATURES_ALL),
    FRAME (everything, 300, 150, 8, TILED, .features = CCA_FEATURES_ALL));

/* Frames fit a multiprocessor with less shared memory, but not their features. */
TEST (test_features_unable)
{
  const Frame frames[] = {
    FRAME (pattern_blots, 200, 100, 4, SINGLE),
    FRAME (pattern_blots, 200, 100, 4, TILED, .features = CCA_FEATURES_ALL),
  };

  front_driver.shared = CCA_SINGLE_MEASURED_SHARED - 1;
  play_each (CCA_CUDA_SINGLE, frames, G_N_ELEMENTS (frames));
  front_driver.shared = 0;
}

/* --- super tiles ---------------------------------------------------------- */

FRAMES_TEST (test_super, play_all, CCA_CUDA_SUPER, "4",
    FRAME (pattern_blots, 2048, 40, 8, SINGLE),
    FRAME (pattern_blots, 2048, 40, 4, SINGLE, .open_radius = 1),
    FRAME (pattern_blots, 2048, 40, 4, SINGLE, .close_radius = 1),
    FRAME (speckled, 1100, 40, 8, SINGLE),
    FRAME (everything, 1024, 40, 4, SINGLE),
    FRAME (everything, 2048, 39, 8, SINGLE));

/* Contacts at corners only: of words, strips and tiles. */
FRAMES_TEST (test_super_corners, play_each, CCA_CUDA_SUPER, "4",
    FRAME (falling, 256, 160, 8, SINGLE), FRAME (rising, 256, 160, 8, SINGLE),
    FRAME (falling_far, 2048, 20, 8, SINGLE),
    FRAME (rising_far, 2048, 20, 8, SINGLE));

FRAMES_TEST (test_super_otsu, play_all, CCA_CUDA_SUPER, "4",
    FRAME (speckled, 1100, 40, 8, SINGLE, .foreground = CCA_FOREGROUND_OTSU));

/* Components that begin in a tile, and those that end there, are filtered by
 * their whole area. */
FRAMES_TEST (test_super_filters, play_all, CCA_CUDA_SUPER, "4",
    FRAME (sparse_lines, 1100, 40, 4, SINGLE, .min_area = 1100),
    FRAME (sparse_lines, 1100, 40, 4, SINGLE, .min_area = 1101),
    FRAME (everything, 1100, 40, 8, SINGLE, .min_area = 2),
    FRAME (pattern_blots, 1100, 40, 4, SINGLE, .min_area = 50, .max_area = 98),
    FRAME (pattern_blots, 1100, 40, 4, SINGLE, .max_area = 98));

/* The same by their whole box. */
FRAMES_TEST (test_super_limits, play_all, CCA_CUDA_SUPER, "4",
    FRAME (sparse_lines, 1100, 40, 4, SINGLE, .min_width = 1100),
    FRAME (sparse_lines, 1100, 40, 4, SINGLE, .min_width = 1101),
    FRAME (pattern_blots, 1100, 40, 8, SINGLE, .min_width = 10),
    FRAME (pattern_blots, 1100, 40, 4, SINGLE, .min_width = 10,
        .max_area = 98));

/* Open components are so many that they are added up first. */
FRAMES_TEST (test_super_many, play_all, CCA_CUDA_SUPER, "2",
    FRAME (lines, 2048, 200, 4, SINGLE),
    FRAME (lines, 2048, 200, 4, SINGLE, .min_area = 2049));

FRAMES_TEST (test_super_by_area, play_all, CCA_CUDA_SUPER, "2",
    FRAME (pattern_blots, 300, 200, 8, SINGLE, .order = CCA_ORDER_AREA,
        .max_components = N_BLOTS),
    FRAME (pattern_blots, 300, 200, 8, OVERFLOWS, .order = CCA_ORDER_AREA,
        .max_components = N_BLOTS - 1));

/* Too many runs or groups for a strip, or components for a tile, between frames
 * that fit. */
FRAMES_TEST (test_super_overflow, play_all, CCA_CUDA_SUPER, "1",
    FRAME (steps, 1024, 170, 8, OVERFLOWS), FRAME (steps, 1024, 90, 8, SINGLE),
    FRAME (stripes, 1024, 20, 4, OVERFLOWS),
    FRAME (pattern_blots, 1024, 90, 4, SINGLE),
    FRAME (dots, 1024, 96, 4, OVERFLOWS),
    FRAME (pattern_blots, 1024, 90, 4, SINGLE));

/* --- stages of super tiles ------------------------------------------------ */

/* More columns or rows of tiles than there are multiprocessors. */
FRAMES_TEST (test_staged_by_size, play_each, CCA_CUDA_SUPER, "2",
    FRAME (pattern_blots, 2049, 10, 4, SINGLE),
    FRAME (pattern_blots, 10, 2 * CCA_SUPER_MAX_ROWS + 1, 4, SINGLE),
    FRAME (pattern_blots, 10, 2 * CCA_SUPER_MAX_ROWS + 1, 4, TILED,
        .features = CCA_FEATURES_MOMENTS));

/* More tiles than a block has threads, of several warps. */
FRAMES_TEST (test_staged_many_tiles, play_each, CCA_CUDA_STAGED, "100",
    FRAME (pegs, 16, 400, 4, SINGLE));

FRAMES_TEST (test_staged, play_each, CCA_CUDA_STAGED, "4",
    FRAME (pattern_blots, 2048, 40, 8, SINGLE),
    FRAME (pattern_blots, 2048, 40, 4, SINGLE, .open_radius = 1),
    FRAME (speckled, 1100, 40, 8, SINGLE),
    FRAME (everything, 1024, 40, 4, SINGLE),
    FRAME (everything, 2048, 39, 8, SINGLE),
    FRAME (lines, 2048, 200, 4, SINGLE),
    FRAME (everything, 2048, 39, 8, SINGLE, .invert = TRUE));

FRAMES_TEST (test_staged_corners, play_each, CCA_CUDA_STAGED, "4",
    FRAME (falling, 256, 160, 8, SINGLE), FRAME (rising, 256, 160, 8, SINGLE),
    FRAME (falling_far, 2048, 20, 8, SINGLE),
    FRAME (rising_far, 2048, 20, 8, SINGLE));

FRAMES_TEST (test_staged_filters, play_all, CCA_CUDA_STAGED, "4",
    FRAME (sparse_lines, 1100, 40, 4, SINGLE, .min_area = 1100),
    FRAME (sparse_lines, 1100, 40, 4, SINGLE, .min_area = 1101),
    FRAME (sparse_lines, 1100, 40, 4, SINGLE, .max_area = 1100),
    FRAME (pattern_blots, 1100, 40, 4, SINGLE, .min_area = 50, .max_area = 98),
    FRAME (pattern_blots, 1100, 40, 4, SINGLE, .max_area = 98),
    FRAME (sparse_lines, 1100, 40, 4, SINGLE, .min_width = 1100),
    FRAME (sparse_lines, 1100, 40, 4, SINGLE, .min_width = 1101));

FRAMES_TEST (test_staged_by_area, play_all, CCA_CUDA_STAGED, "2",
    FRAME (pattern_blots, 300, 200, 8, SINGLE, .order = CCA_ORDER_AREA,
        .max_components = N_BLOTS),
    FRAME (pattern_blots, 300, 200, 8, OVERFLOWS, .order = CCA_ORDER_AREA,
        .max_components = N_BLOTS - 1));

/* The tables of an engine that had features serve one without. */
TEST (test_staged_after_features)
{
  Picture p = picture_draw (pattern_blots, 300, 200, 8);
  CcaEngine *engine;

  p.features = CCA_FEATURES_SHAPE;
  engine = picture_open (CCA_CUDA_STAGED, &p);
  assert_equals_int (fate_of (engine, &p), TILED);
  p.features = CCA_FEATURES_NONE;
  picture_configure (engine, &p);
  assert_equals_int (fate_of (engine, &p), SINGLE);
  cca_engine_free (&engine);
  picture_clear (&p);
}

/* Frames that fit follow those that do not. */
FRAMES_TEST (test_staged_overflow, play_all, CCA_CUDA_STAGED, "1",
    FRAME (steps, 1024, 170, 8, OVERFLOWS), FRAME (steps, 1024, 90, 8, SINGLE),
    FRAME (dots, 1024, 96, 4, OVERFLOWS),
    FRAME (pattern_blots, 1024, 90, 4, SINGLE));

/* Components in a tile and across tiles, and sums of more than 32 bits. */
FRAMES_TEST (test_super_features, play_each, CCA_CUDA_SUPER, "4",
    FRAME (everything, 1024, 480, 4, SINGLE, .features = CCA_FEATURES_ALL),
    FRAME (pierced, 2048, 40, 4, SINGLE, .features = CCA_FEATURES_ALL),
    FRAME (pierced, 2040, 40, 8, SINGLE, .features = CCA_FEATURES_ALL),
    FRAME (falling_far, 2048, 20, 4, SINGLE, .features = CCA_FEATURES_ALL),
    FRAME (teeth, 2048, 40, 4, SINGLE, .features = CCA_FEATURES_ALL),
    FRAME (teeth, 128, 40, 4, SINGLE, .features = CCA_FEATURES_ALL),
    FRAME (pattern_blots, 2048, 40, 8, SINGLE, .features = CCA_FEATURES_ALL),
    FRAME (pattern_blots, 2048, 40, 4, SINGLE, .min_width = 10,
        .features = CCA_FEATURES_SHAPE),
    FRAME (lines, 2048, 200, 4, SINGLE, .features = CCA_FEATURES_MOMENTS));

/* The largest sums that a tile can have. */
FRAMES_TEST (test_super_largest_features, play_each, CCA_CUDA_SUPER, "1",
    FRAME (everything, CCA_SUPER_WIDTH, CCA_SUPER_MAX_ROWS, 4, SINGLE,
        .features = CCA_FEATURES_ALL));

/* The slots of features are fewer than those of components. */
FRAMES_TEST (test_super_many_features, play_all, CCA_CUDA_SUPER, "1",
    FRAME (dominoes, 60, 40, 4, OVERFLOWS, .features = CCA_FEATURES_ALL),
    FRAME (dominoes, 58, 40, 4, SINGLE, .features = CCA_FEATURES_ALL));

static const CudaSuperSize *
super_size (void)
{
  static const CudaSuperSize sizes[] = CCA_SUPER_SIZES;

  return &sizes[0];
}

TEST (test_super_unable)
{
  const Frame f = FRAME (pattern_blots, 200, 100, 4, TILED);

  front_driver.shared = super_size ()->shared - 1;
  play_all (CCA_CUDA_SUPER, &f, 1);
  front_driver.shared = 0;
}

/* No record is written behind those that a frame may have. */
TEST_LOOP (test_last_record, 0, 7)
{
  static const CcaCudaAlgorithm algorithms[] = {CCA_CUDA_FLSL_CD,
    CCA_CUDA_TILED, CCA_CUDA_FINE, CCA_CUDA_SINGLE, CCA_CUDA_WIDE,
    CCA_CUDA_SUPER, CCA_CUDA_STAGED};
  Picture p = picture_draw (pattern_blots, 300, 100, 8);
  CcaComponent untouched, *behind;
  CcaEngine *engine;

  p.params.max_components = 3;
  engine = picture_open (algorithms[__i__], &p);
  behind = &((CudaEngine *) engine)->slots[0].mailbox->records[3];
  memset (&untouched, 0xa5, sizeof (untouched));
  *behind = untouched;
  picture_enqueue (engine, 0, &p, p.copy);
  picture_collect (engine, 0, &p);
  fail_unless (memcmp (behind, &untouched, sizeof (untouched)) == 0);
  cca_engine_free (&engine);
  picture_clear (&p);
}

/* An engine for the job. */
static CcaEngine *
open_for (const CcaJob *job)
{
  const CcaConfig config = {.width = job->width,
    .height = job->height,
    .sample_size = 1,
    .depth = 8,
    .max_components = 1,
    .slots = 1};
  CcaEngine *engine = rig_open (CCA_CUDA_AUTO);

  assert_equals_int (cca_engine_configure (engine, &config), CCA_OK);
  return engine;
}

/* Whether the job fits while another engine has a frame in flight. */
static gboolean
fits_beside_another (CudaEngine *e, const CcaJob *job)
{
  CcaEngine *other = rig_open (CCA_CUDA_AUTO);
  gboolean fits;

  cca_cuda_frame_begins (&((CudaEngine *) other)->member);
  fits = cca_cuda_super.fits (e, &e->slots[0], job);
  cca_cuda_frame_ends (&((CudaEngine *) other)->member);
  cca_engine_free (&other);
  return fits;
}

/* Which frames are chosen, without the time of analysing large ones. */
TEST (test_super_choice)
{
  const CcaJob large = {.width = 4096, .height = 4096, .stride = 4096};
  CcaEngine *engine = open_for (&large);
  CudaEngine *e = (CudaEngine *) engine;
  CudaSlot *slot = &e->slots[0];
  CcaJob job = large;
  guint i;

  fail_unless (cca_cuda_super.fits (e, slot, &job));
  job.height = 2000;
  fail_if (cca_cuda_super.fits (e, slot, &job));
  job = large;
  job.stride++;
  fail_if (cca_cuda_super.fits (e, slot, &job));
  job = large;
  slot->overflowed = 1 << CUDA_PATH_SINGLE;
  fail_if (cca_cuda_super.fits (e, slot, &job));
  cca_cuda_super.learn (e, slot);
  slot->overflowed = 0;
  fail_unless (cca_cuda_super.fits (e, slot, &job));
  slot->overflowed = 1 << CUDA_PATH_SUPER;
  cca_cuda_super.learn (e, slot);
  slot->overflowed = 0;
  for (i = 0; i < 255; i++) {
    fail_if (cca_cuda_super.fits (e, slot, &job));
    cca_cuda_super.learn (e, slot);
  }
  fail_unless (cca_cuda_super.fits (e, slot, &job));
  fail_if (slot->super.is_staged);
  fail_unless (fits_beside_another (e, &job));
  fail_unless (slot->super.is_staged);
  cca_engine_free (&engine);
}

/* Half of the second column of tiles would be empty: there are no tables for
 * stages. */
TEST (test_staged_unfilled)
{
  const CcaJob job = {.width = 1100, .height = 11000, .stride = 1104};
  CcaEngine *engine = open_for (&job);
  CudaEngine *e = (CudaEngine *) engine;

  fail_unless (cca_cuda_super.fits (e, &e->slots[0], &job));
  fail_if (fits_beside_another (e, &job));
  cca_engine_free (&engine);
}

/* --- modes ---------------------------------------------------------------- */

/* Opening and closing, and Otsu's threshold; and an overflow in each mode. */
FRAMES_TEST (test_modes, play_all, CCA_CUDA_SINGLE, "50",
    FRAME (speckled, 300, 243, 8, SINGLE),
    FRAME (speckled, 300, 243, 8, SINGLE, .open_radius = 1, .close_radius = 1),
    FRAME (speckled, 300, 243, 8, SINGLE, .open_radius = 1),
    FRAME (speckled, 300, 243, 8, SINGLE, .close_radius = 1),
    FRAME (speckled, 300, 243, 8, SINGLE, .open_radius = 2),
    FRAME (speckled, 300, 243, 8, SINGLE, .close_radius = 2),
    FRAME (dominoes, 130, 80, 4, OVERFLOWS));

#define OTSU .foreground = CCA_FOREGROUND_OTSU

FRAMES_TEST (test_modes_otsu, play_all, CCA_CUDA_SINGLE, "50",
    FRAME (speckled, 300, 243, 8, SINGLE, OTSU),
    FRAME (speckled, 300, 243, 8, SINGLE, OTSU, .open_radius = 1,
        .close_radius = 1),
    FRAME (dominoes, 130, 80, 4, OVERFLOWS, OTSU));

/* Foreground at the right edge of the last tiles. */
FRAMES_TEST (test_inverted_otsu, play_all, CCA_CUDA_SINGLE, "50",
    FRAME (speckled, 256, 243, 8, SINGLE, OTSU, .invert = TRUE),
    FRAME (dominoes, 256, 20, 4, SINGLE, OTSU, .invert = TRUE));

/* Histograms for which Otsu's threshold must be exact. */
FRAMES_TEST (test_otsu, play_each, CCA_CUDA_SINGLE, "50",
    FRAME (nearly_flat, 160, 80, 4, SINGLE, OTSU),
    FRAME (close_call, 160, 80, 4, SINGLE, OTSU),
    FRAME (even, 150, 80, 4, SINGLE, OTSU));

/* The largest radii. */
FRAMES_TEST (test_radii, play_each, CCA_CUDA_SINGLE, "50",
    FRAME (squares, 300, 190, 4, SINGLE, .open_radius = CCA_MAX_OPEN_RADIUS,
        .close_radius = CCA_MAX_CLOSE_RADIUS));

/* An overflow after opening and closing. */
FRAMES_TEST (test_opened_again, play_each, CCA_CUDA_SINGLE, "50",
    FRAME (rails, 512, 600, 4, OVERFLOWS, .open_radius = 1, .close_radius = 1,
        .order = CCA_ORDER_AREA, .max_components = 3),
    FRAME (rails, 512, 600, 4, OVERFLOWS, .open_radius = 1, .close_radius = 1,
        .order = CCA_ORDER_AREA, .max_components = 3,
        .features = CCA_FEATURES_SHAPE));

/* After an overflow the mask of the first analysis is used again: the frame to
 * compare with has been overwritten. With features it is opened in between. */
TEST_LOOP (test_difference_again, 0, 2)
{
  gboolean opens = __i__ == 1;
  Picture p = opens ? picture_draw (rails, 512, 600, 4)
                    : picture_draw (dominoes, 130, 80, 4);
  CcaConfig config = {.width = p.width,
    .height = p.height,
    .sample_size = 1,
    .depth = 8,
    .max_components = 200000,
    .slots = PICTURE_SLOTS,
    .foreground = CCA_FOREGROUND_DIFFERENCE,
    .frame_distance = 1,
    .features = opens ? CCA_FEATURES_SHAPE : CCA_FEATURES_NONE};
  guint8 *black = g_malloc0 ((gsize) p.width * p.height);
  const guint8 *black_copy = rig_upload (black, (gsize) p.width * p.height);
  CcaEngine *engine = rig_open (CCA_CUDA_SINGLE), *ref;
  CcaResult result, expected;
  guint n_together = front_driver.n_together, before, i;

  p.params.foreground = config.foreground;
  if (opens) {
    p.params.open_radius = p.params.close_radius = 1;
    p.params.order = CCA_ORDER_AREA;
    p.params.max_components = 3;
  }
  fail_unless (cca_ref_open (&ref) == CCA_OK);
  assert_equals_int (cca_engine_configure (engine, &config), CCA_OK);
  assert_equals_int (cca_engine_configure (ref, &config), CCA_OK);
  for (i = 0; i < 4; i++) {
    picture_enqueue (engine, 0, &p, i % 2 ? p.copy : black_copy);
    picture_enqueue (ref, 0, &p, i % 2 ? p.pixels : black);
    assert_equals_int (front_driver.n_together, ++n_together);
    before = n_launches ();
    assert_equals_int (cca_engine_collect (engine, 0, &result), CCA_OK);
    assert_equals_int (cca_engine_collect (ref, 0, &expected), CCA_OK);
    rig_assert_same (&result, &expected);
    fail_unless ((result.n_found > 0) == (i > 0));
    /* the first frame differs from none */
    fail_unless ((n_launches () > before) == (i > 0));
  }
  cca_engine_free (&ref);
  cca_engine_free (&engine);
  rig_release (black_copy);
  g_free (black);
  picture_clear (&p);
}

/* The same with a change of light, which must not be compensated twice. */
TEST (test_light_again)
{
  Picture p = picture_draw (dominoes, 130, 80, 4);
  const gsize size = (gsize) p.width * p.height;
  CcaConfig config = {.width = p.width,
    .height = p.height,
    .sample_size = 1,
    .depth = 8,
    .max_components = 200000,
    .slots = PICTURE_SLOTS,
    .foreground = CCA_FOREGROUND_SIGMA_DELTA};
  guint8 *frames[2] = {g_malloc (size), g_malloc (size)};
  const guint8 *copies[2];
  CcaEngine *engine = rig_open (CCA_CUDA_SINGLE), *ref;
  CcaResult result, expected;
  guint before, i;

  memset (frames[0], 60, size);
  for (i = 0; i < size; i++)
    frames[1][i] = p.pixels[i] > 128 ? 200 : 90;
  for (i = 0; i < 2; i++)
    copies[i] = rig_upload (frames[i], size);
  p.params.foreground = config.foreground;
  p.params.compensate_light = true;
  p.params.count_foreground = true;
  p.params.warm_up = 0;
  fail_unless (cca_ref_open (&ref) == CCA_OK);
  assert_equals_int (cca_engine_configure (engine, &config), CCA_OK);
  assert_equals_int (cca_engine_configure (ref, &config), CCA_OK);
  for (i = 0; i < 6; i++) {
    picture_enqueue (engine, 0, &p, copies[i % 2]);
    picture_enqueue (ref, 0, &p, frames[i % 2]);
    before = n_launches ();
    assert_equals_int (cca_engine_collect (engine, 0, &result), CCA_OK);
    assert_equals_int (cca_engine_collect (ref, 0, &expected), CCA_OK);
    rig_assert_same (&result, &expected);
    fail_unless (result.light_changed == (i > 0));
    assert_equals_int (result.light_changed, expected.light_changed);
    assert_equals_int (result.light_shift, expected.light_shift);
    assert_equals_int (result.n_foreground, expected.n_foreground);
    fail_unless ((n_launches () > before) == (i % 2 > 0));
  }
  cca_engine_free (&ref);
  cca_engine_free (&engine);
  for (i = 0; i < 2; i++) {
    rig_release (copies[i]);
    g_free (frames[i]);
  }
  picture_clear (&p);
}

/* --- sequences ------------------------------------------------------------ */

/* Not while another engine has frames in flight. */
TEST (test_alone)
{
  Picture p = picture_draw (pattern_blots, 200, 100, 4);
  CcaEngine *a = picture_open (CCA_CUDA_AUTO, &p);
  CcaEngine *b = picture_open (CCA_CUDA_AUTO, &p);

  fail_unless (analyse (a, 0, &p));
  fail_unless (analyse (a, 1, &p));
  fail_if (analyse (b, 0, &p));
  picture_collect (a, 0, &p);
  picture_collect (b, 0, &p);
  fail_if (analyse (b, 0, &p));
  picture_collect (a, 1, &p);
  fail_unless (analyse (b, 1, &p));
  picture_collect (b, 0, &p);
  picture_collect (b, 1, &p);

  /* frames that are never collected do not stay counted as in flight */
  fail_unless (analyse (a, 0, &p));
  picture_configure (a, &p);
  fail_unless (fate_of (b, &p) == SINGLE);
  fail_unless (analyse (a, 0, &p));
  cca_engine_free (&a);
  fail_unless (fate_of (b, &p) == SINGLE);
  cca_engine_free (&b);
  picture_clear (&p);
}

/* Engines on another GPU do not count as in flight. */
TEST (test_contexts)
{
  const Gpu *first = rig_gpu;
  Gpu second = rig_open_other ();
  Picture p = picture_draw (pattern_blots, 200, 100, 4), q;
  CcaEngine *a = picture_open (CCA_CUDA_AUTO, &p), *b, *c;

  rig_gpu = &second;
  q = picture_draw (pattern_blots, 200, 100, 4);
  b = picture_open (CCA_CUDA_AUTO, &q);
  c = picture_open (CCA_CUDA_AUTO, &q);

  fail_unless (analyse (a, 0, &p));
  fail_unless (analyse (b, 0, &q));
  fail_if (analyse (c, 0, &q));
  picture_collect (a, 0, &p);
  picture_collect (b, 0, &q);
  picture_collect (c, 0, &q);
  cca_engine_free (&b);
  fail_unless (analyse (a, 0, &p));
  fail_unless (fate_of (c, &q) == SINGLE);
  picture_collect (a, 0, &p);

  cca_engine_free (&c);
  picture_clear (&q);
  rig_gpu = first;
  rig_close_other (&second);
  cca_engine_free (&a);
  picture_clear (&p);
}

/* The engine learns from frames with much work, and with little, which
 * algorithm the next ones get. The results do not depend on it. */
FRAMES_TEST (test_choice, play_all, CCA_CUDA_AUTO, "50",
    FRAME (lines, 2100, 40, 4, EITHER), FRAME (lines, 2100, 40, 4, EITHER),
    FRAME (pattern_blots, 2100, 40, 4, EITHER),
    FRAME (pattern_blots, 2100, 40, 4, EITHER),
    FRAME (lines, 2100, 40, 4, EITHER),
    FRAME (sparse_lines, 2100, 40, 4, EITHER),
    FRAME (sparse_lines, 2100, 40, 4, EITHER));

FRAMES_TEST (test_choice_after_overflow, play_all, CCA_CUDA_AUTO, "50",
    FRAME (dominoes, 130, 80, 4, OVERFLOWS),
    FRAME (pattern_blots, 130, 80, 4, EITHER),
    FRAME (pattern_blots, 130, 80, 4, EITHER));

/* Rows of tiles are so many that each lane counts the components of several. */
FRAMES_TEST (test_many_tile_rows, play_each, CCA_CUDA_SINGLE, "132",
    FRAME (pattern_blots, 40, 10400, 8, SINGLE));

FRAMES_TEST (test_choice_of_large, play_each, CCA_CUDA_AUTO, "132",
    FRAME (lines, 2048, 704, 4, SINGLE), FRAME (mesh, 2304, 1180, 8, SINGLE));

/* The tables are cleared again between two frames, whichever counters are in
 * use. */
TEST (test_cleared)
{
  Picture p = picture_draw (pattern_blots, 300, 200, 8);
  CcaEngine *engine = picture_open (CCA_CUDA_SINGLE, &p);
  guint n, i;

  for (n = 1; n <= 2; n++) {
    for (i = 0; i < n; i++)
      fail_unless (fate_of (engine, &p) == SINGLE);
    ((CudaEngine *) engine)->slots[0].n_begun = CCA_MAX_EPOCH;
  }
  for (i = 0; i < 3; i++)
    fail_unless (fate_of (engine, &p) == SINGLE);
  cca_engine_free (&engine);
  picture_clear (&p);
}

/* The second analysis after an overflow fails. */
TEST (test_again_fails)
{
  Picture p = picture_draw (dominoes, 130, 80, 4);
  CcaEngine *engine = picture_open (CCA_CUDA_AUTO, &p);
  CcaResult result;

  fail_unless (analyse (engine, 0, &p));
  front_driver_fail ("launch", 1);
  assert_equals_int (cca_engine_collect (engine, 0, &result), CCA_ERROR_DEVICE);
  fail_unless (front_driver_failed ());
  picture_enqueue (engine, 0, &p, p.copy);
  picture_collect (engine, 0, &p);
  cca_engine_free (&engine);
  picture_clear (&p);
}

/* The simulated GPU runs the last launches only during a wait. */
static gpointer
wait_for_gpu (gpointer ended)
{
  fail_unless (gpu_enter (rig_gpu));
  while (!g_atomic_int_get ((gint *) ended)) {
    fail_unless (rig_gpu->stream_synchronize (NULL) == CUDA_SUCCESS);
    g_usleep (1000);
  }
  gpu_leave (rig_gpu);
  return NULL;
}

/* After an overflow the second analysis, too, is waited for without an
 * event. */
TEST (test_again_awake)
{
  Picture p = picture_draw (dominoes, 130, 80, 4);
  CcaEngine *engine = picture_open (CCA_CUDA_SINGLE, &p);
  guint n_records = front_driver.n_records;
  gint ended = 0;
  GThread *thread;

  fail_unless (analyse (engine, 0, &p));
  thread = g_thread_new ("gpu", wait_for_gpu, &ended);
  g_usleep (G_USEC_PER_SEC / 5);
  ((CudaEngine *) engine)->wait.spin_limit = G_MAXUINT64;
  picture_collect (engine, 0, &p);
  assert_equals_int (front_driver.n_records, n_records);
  g_atomic_int_set (&ended, 1);
  g_thread_join (thread);
  cca_engine_free (&engine);
  picture_clear (&p);
}

/* After an overflow the mailbox holds the number of no frame in flight, also if
 * the 16 bits of the frame's own are 0. */
TEST (test_again_wrapped)
{
  Picture p = picture_draw (dominoes, 130, 80, 4);
  CcaEngine *engine = picture_open (CCA_CUDA_SINGLE, &p);

  fail_unless (fate_of (engine, &p) == OVERFLOWS);
  ((CudaEngine *) engine)->slots[0].n_begun = G_MAXUINT16;
  fail_unless (fate_of (engine, &p) == OVERFLOWS);
  cca_engine_free (&engine);
  picture_clear (&p);
}

static void
setup (void)
{
  g_setenv ("SIMCUDA_MULTIPROCESSORS", "50", TRUE);
  rig_setup ();
}

SUITE ("cuda-single", .setup = setup, .teardown = rig_teardown, .timeout = 120);
