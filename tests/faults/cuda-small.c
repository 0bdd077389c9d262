/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Small frames, which one kernel analyses: when it is chosen, and what comes of
 * frames that are too much for it. */

#include <gst/check/gstcheck.h>

#include "cuda-pictures.h"
#include "cuda-rig.h"
#include "cuda/engine.h"
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

/* One of those, and some that cross the borders between tiles side by side. */
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

/* Of each sixteen pixels that are loaded together at least twelve are the same. Each value
 * decides on Otsu's threshold. */
static guint8
nearly_flat (guint x, guint y)
{
  static const guint8 odd[] = { 10, 63, 96, 187, 208 };
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

/* More components than have features, but of not so many runs. */
static guint8
pegs (guint x, guint y)
{
  return x % 4 == 0 && y % 3 < 2 ? 255 : 0;
}

/* Few components, each in all tiles beside each other. */
static guint8
sparse_lines (guint x, guint y)
{
  return y % 8 == 0 ? 255 : 0;
}

/* In a strip of a wide tile more pairs of runs to unite than there is room for, but not more
 * runs. */
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

/* In tiles of 128x142 as many components as can cross each border, almost. */
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

/* Half as many on the left and right. */
static guint8
half_fringes (guint x, guint y)
{
  return fringe (x, y, 4);
}

/* The same but for a tile of 128x80, of two beside each other, and more below. */
static Pattern whole;
static guint hole;

static guint8
holed (guint x, guint y)
{
  return y / 80 * 2 + x / 128 == hole ? 0 : whole (x, y);
}

/* Whether one kernel gets the frame. */
static gboolean
analyse (CcaEngine * engine, guint slot, const Picture * p)
{
  guint before = front_driver.n_together;
  guint graphs = front_driver.n_graph_launches;

  picture_enqueue (engine, slot, p, p->copy);
  /* from the fifth frame on it is in a graph */
  return front_driver.n_together > before
      || (front_driver.n_graph_launches > graphs
      && ((CudaEngine *) engine)->slots[0].is_small);
}

static gboolean
one_kernel (CcaEngine * engine, const Picture * p)
{
  gboolean is = analyse (engine, 0, p);

  picture_collect (engine, 0, p);
  return is;
}

/* Whether it does, and has room for it. */
static gboolean
fits (CcaEngine * engine, const Picture * p)
{
  return one_kernel (engine, p) && ((CudaEngine *) engine)->slots[0].is_small;
}

/* Not while another engine has frames in flight. */
GST_START_TEST (test_alone)
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

  /* frames that nobody collects are not in flight for ever */
  fail_unless (analyse (a, 0, &p));
  picture_configure (a, &p);
  fail_unless (one_kernel (b, &p));
  fail_unless (analyse (a, 0, &p));
  cca_engine_free (&a);
  fail_unless (one_kernel (b, &p));
  cca_engine_free (&b);
  picture_clear (&p);
}

GST_END_TEST;

/* A GPU has nothing to do with what another one's engines have in flight. */
GST_START_TEST (test_contexts)
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
  fail_unless (one_kernel (c, &q));
  picture_collect (a, 0, &p);

  cca_engine_free (&c);
  picture_clear (&q);
  rig_gpu = first;
  rig_close_other (&second);
  cca_engine_free (&a);
  picture_clear (&p);
}

GST_END_TEST;

/* A frame that is much work is the last for a while, unless less is to come. */
GST_START_TEST (test_pause)
{
  Picture much = picture_draw (lines, 2100, 40, 4);
  Picture less = picture_draw (pattern_blots, 2100, 40, 4);
  CcaEngine *engine = picture_open (CCA_CUDA_AUTO, &much);
  CudaChoice *choice = &((CudaEngine *) engine)->choice;

  fail_unless (one_kernel (engine, &much));
  fail_if (one_kernel (engine, &much));
  fail_if (one_kernel (engine, &less));
  fail_unless (one_kernel (engine, &less));
  fail_unless (one_kernel (engine, &much));
  choice->pause = 1;
  fail_if (one_kernel (engine, &much));
  fail_unless (one_kernel (engine, &much));
  cca_engine_free (&engine);
  picture_clear (&much);
  picture_clear (&less);
}

GST_END_TEST;

/* What crosses borders counts as often as it does. */
GST_START_TEST (test_crossings)
{
  Picture p = picture_draw (lines, 2048, 704, 4);
  CcaEngine *engine;

  g_setenv ("SIMCUDA_MULTIPROCESSORS", "132", TRUE);
  engine = picture_open (CCA_CUDA_AUTO, &p);
  fail_unless (one_kernel (engine, &p));
  fail_if (((CudaEngine *) engine)->slots[0].small.is_wide);
  fail_if (one_kernel (engine, &p));
  cca_engine_free (&engine);
  picture_clear (&p);
}

GST_END_TEST;

/* Few components that are in many tiles are more work than as many in few. */
GST_START_TEST (test_few)
{
  Picture p = picture_draw (sparse_lines, 2100, 80, 4);
  CcaEngine *engine = picture_open (CCA_CUDA_AUTO, &p);

  fail_unless (one_kernel (engine, &p));
  fail_if (one_kernel (engine, &p));
  cca_engine_free (&engine);
  picture_clear (&p);
}

GST_END_TEST;

/* Runs are work, too, in wide tiles; the tiled algorithm does not count them. */
GST_START_TEST (test_runs)
{
  Picture p = picture_draw (mesh, 2304, 1180, 8);
  CcaEngine *engine;
  guint i;

  g_setenv ("SIMCUDA_MULTIPROCESSORS", "132", TRUE);
  engine = picture_open (CCA_CUDA_AUTO, &p);
  fail_unless (fits (engine, &p));
  for (i = 0; i < 2; i++)
    fail_if (one_kernel (engine, &p));
  cca_engine_free (&engine);
  picture_clear (&p);
}

GST_END_TEST;

/* What does not fit, the tiled algorithm does: features, components that cross
 * tiles, contacts. */
GST_START_TEST (test_overflow)
{
  const struct
  {
    Pattern pattern;
    guint width, height, connectivity;
    const gchar *n_multiprocessors;
  } frames[] = {
    {dominoes, 130, 80, 4, "50"},
    {fringes, 640, 1420, 4, "50"},
    {pattern_checker, 768, 1562, 8, "66"},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (frames); i++) {
    g_setenv ("SIMCUDA_MULTIPROCESSORS", frames[i].n_multiprocessors, TRUE);
    Picture p = picture_draw (frames[i].pattern, frames[i].width, frames[i].height,
        frames[i].connectivity);
    Picture q = picture_draw (pattern_blots, 130, 80, 4);
    CcaEngine *engine = picture_open (CCA_CUDA_AUTO, &p);
    const CudaSlot *slot = &((CudaEngine *) engine)->slots[0];

    fail_unless (one_kernel (engine, &p));
    fail_if (slot->is_small, "frame %u fits", i);
    fail_if (one_kernel (engine, &q));
    fail_if (one_kernel (engine, &q));
    cca_engine_free (&engine);
    picture_clear (&p);
    picture_clear (&q);
  }
}

GST_END_TEST;

/* The simulated GPU ends the last of some launches when somebody waits for it. */
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

/* A frame that is done again is waited for awake, too, from then on and not from
 * when one before it was. */
GST_START_TEST (test_overflow_is_waited_for)
{
  Picture p = picture_draw (dominoes, 130, 80, 4);
  CcaEngine *engine = picture_open (CCA_CUDA_SMALL, &p);
  CudaPatience *patience = &((CudaEngine *) engine)->patience;
  guint64 begun = g_get_monotonic_time () * 1000;
  guint n_records = front_driver.n_records;
  gint ended = 0;
  GThread *thread;

  fail_unless (analyse (engine, 0, &p));
  thread = g_thread_new ("gpu", wait_for_gpu, &ended);
  g_usleep (G_USEC_PER_SEC / 5);
  patience->limit = G_MAXUINT64;
  picture_collect (engine, 0, &p);
  fail_if (((CudaEngine *) engine)->slots[0].is_small);
  fail_unless (patience->since > begun);
  fail_unless (!patience->sleeps);
  assert_equals_int (front_driver.n_records, n_records);
  g_atomic_int_set (&ended, 1);
  g_thread_join (thread);
  cca_engine_free (&engine);
  picture_clear (&p);
}

GST_END_TEST;

/* Where it has to, each attempt is made. */
GST_START_TEST (test_forced)
{
  Picture p = picture_draw (dominoes, 130, 80, 4), q = picture_draw (pattern_blots, 130, 80, 4);
  CcaEngine *engine = picture_open (CCA_CUDA_SMALL, &p);
  const CudaSlot *slot = &((CudaEngine *) engine)->slots[0];

  fail_unless (one_kernel (engine, &p));
  fail_if (slot->is_small);
  fail_unless (fits (engine, &q));
  cca_engine_free (&engine);
  picture_clear (&p);
  picture_clear (&q);
}

GST_END_TEST;

/* Components that touch in another tile only at its corner, or more of them at one
 * border than are told in the first place. */
GST_START_TEST (test_contacts)
{
  Picture pictures[] = {
    picture_draw (falling, 256, 160, 8), picture_draw (rising, 256, 160, 8),
    picture_draw (stripes, 256, 160, 4),
  };
  CcaEngine *engine = picture_open (CCA_CUDA_SMALL, &pictures[0]);
  const CudaSlot *slot = &((CudaEngine *) engine)->slots[0];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (pictures); i++) {
    fail_unless (fits (engine, &pictures[i]));
    assert_equals_int (slot->small.n_tiles, 4);
    picture_clear (&pictures[i]);
  }
  cca_engine_free (&engine);
}

GST_END_TEST;

/* An empty tile does not look as the one before that had its place. */
GST_START_TEST (test_empty_tiles)
{
  static const Pattern patterns[] = { stripes, lines, scratches, pattern_blots };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (patterns); i++) {
    Picture full = picture_draw (patterns[i], 256, 240, 8);
    CcaEngine *engine = picture_open (CCA_CUDA_SMALL, &full);

    whole = patterns[i];
    for (hole = 0; hole < 6; hole++) {
      Picture p = picture_draw (holed, 256, 240, 8);

      fail_unless (one_kernel (engine, &full));
      fail_unless (fits (engine, &p));
      picture_clear (&p);
    }
    cca_engine_free (&engine);
    picture_clear (&full);
  }
}

GST_END_TEST;

/* Areas that do not pass, of components within tiles and across them. */
GST_START_TEST (test_filters)
{
  static const guint64 areas[][2] = { {2, 100000}, {100, 100000}, {1, 98},
  {99, 99}, {60000, 100000}, {1, 59999}
  };
  static const Pattern patterns[] = { pattern_blots, dominoes, stripes };
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (patterns); i++) {
    Picture p = picture_draw (patterns[i], i == 1 ? 130 : 300, i == 1 ? 20 : 200, 8);
    CcaEngine *engine = picture_open (CCA_CUDA_SMALL, &p);

    for (j = 0; j < G_N_ELEMENTS (areas); j++) {
      p.params.min_area = areas[j][0];
      p.params.max_area = areas[j][1];
      fail_unless (fits (engine, &p));
    }
    cca_engine_free (&engine);
    picture_clear (&p);
  }
}

GST_END_TEST;

/* More components across tiles than there is room for the areas of. */
GST_START_TEST (test_many_areas)
{
  Picture p = picture_draw (half_fringes, 640, 1420, 4);
  CcaEngine *engine = picture_open (CCA_CUDA_SMALL, &p);
  const CudaSlot *slot = &((CudaEngine *) engine)->slots[0];

  fail_unless (fits (engine, &p));
  p.params.min_area = 2;
  fail_unless (one_kernel (engine, &p));
  fail_if (slot->is_small);
  cca_engine_free (&engine);
  picture_clear (&p);
}

GST_END_TEST;

/* The largest first: one kernel will do if all are delivered. */
GST_START_TEST (test_by_area)
{
  Picture p = picture_draw (pattern_blots, 300, 200, 8);
  CcaEngine *engine = picture_open (CCA_CUDA_SMALL, &p);
  const CudaSlot *slot = &((CudaEngine *) engine)->slots[0];

  p.params.order = CCA_ORDER_AREA;
  fail_unless (fits (engine, &p));
  p.params.max_components = (guint32) slot->delivery->done;
  fail_unless (fits (engine, &p));
  p.params.max_components--;
  fail_unless (one_kernel (engine, &p));
  fail_if (slot->is_small);
  cca_engine_free (&engine);
  picture_clear (&p);
}

GST_END_TEST;

/* Blots with specks, of many values. */
static guint8
speckled (guint x, guint y)
{
  guint n = x * 2654435761u ^ y * 2246822519u;

  n = (n ^ n >> 15) * 2246822519u;
  return (pattern_blots (x, y) != 0) != ((n >> 24) < 20) ? 200 + n % 50 : n % 90;
}

/* What the largest radii keep, and join across the borders of tiles. */
static guint8
squares (guint x, guint y)
{
  return x % 45 < 20 && y % 45 < 20 ? 255 : 0;
}

/* Modes that need more than thresholds, as far as a tile and its neighbours go; and they
 * are found once more for what does not fit. */
GST_START_TEST (test_modes)
{
  static const guint radii[][2] = { {0, 0}, {1, 1}, {1, 0}, {0, 1}, {2, 0},
  {0, 2}
  };
  static const CcaForeground modes[] = { CCA_FOREGROUND_THRESHOLD,
    CCA_FOREGROUND_OTSU
  };
  guint i, m;

  for (m = 0; m < G_N_ELEMENTS (modes); m++) {
    Picture p = picture_draw (speckled, 300, 243, 8);
    Picture q = picture_draw (dominoes, 130, 80, 4);
    CcaEngine *engine;
    const CudaSlot *slot;

    p.params.foreground = q.params.foreground = modes[m];
    engine = picture_open (CCA_CUDA_SMALL, &p);
    slot = &((CudaEngine *) engine)->slots[0];
    for (i = 0; i < (m ? 2 : G_N_ELEMENTS (radii)); i++) {
      p.params.open_radius = radii[i][0];
      p.params.close_radius = radii[i][1];
      fail_unless (fits (engine, &p));
    }
    fail_unless (one_kernel (engine, &q));
    fail_if (slot->is_small);
    cca_engine_free (&engine);
    picture_clear (&p);
    picture_clear (&q);
  }
}

GST_END_TEST;

/* What it takes to find Otsu's threshold exactly. */
GST_START_TEST (test_otsu)
{
  Picture pictures[] = {
    picture_draw (nearly_flat, 160, 80, 4), picture_draw (close_call, 160, 80, 4),
    picture_draw (even, 150, 80, 4),
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (pictures); i++) {
    Picture *p = &pictures[i];
    CcaEngine *engine;

    p->params.foreground = CCA_FOREGROUND_OTSU;
    engine = picture_open (CCA_CUDA_SMALL, p);
    fail_unless (fits (engine, p));
    cca_engine_free (&engine);
    picture_clear (p);
  }
}

GST_END_TEST;

/* The largest radii. */
GST_START_TEST (test_radii)
{
  Picture p = picture_draw (squares, 300, 190, 4);
  CcaEngine *engine = picture_open (CCA_CUDA_SMALL, &p);

  p.params.open_radius = CCA_MAX_OPEN_RADIUS;
  p.params.close_radius = CCA_MAX_CLOSE_RADIUS;
  fail_unless (fits (engine, &p));
  cca_engine_free (&engine);
  picture_clear (&p);
}

GST_END_TEST;

/* Lines of which opening leaves some, and closing joins others. */
static guint8
rails (guint x, guint y)
{
  return x % 3 == 0 || y % 24 > 20 ? 255 : 0;
}

/* What was opened and closed does not fit. */
GST_START_TEST (test_opened_again)
{
  Picture p = picture_draw (rails, 512, 600, 4);
  CcaEngine *engine = picture_open (CCA_CUDA_SMALL, &p);
  CudaSlot *slot = &((CudaEngine *) engine)->slots[0];

  p.params.open_radius = p.params.close_radius = 1;
  p.params.order = CCA_ORDER_AREA;
  p.params.max_components = 3;
  fail_unless (one_kernel (engine, &p));
  fail_if (slot->is_small);
  cca_engine_free (&engine);
  picture_clear (&p);
}

GST_END_TEST;

/* What differs from the frame before does not fit, and is not looked for again: the frame
 * before is no longer there. */
GST_START_TEST (test_difference_again)
{
  Picture p = picture_draw (dominoes, 130, 80, 4);
  CcaConfig config = {.width = p.width,.height = p.height,.sample_size = 1,
    .depth = 8,.max_components = 200000,.slots = PICTURE_SLOTS,
    .foreground = CCA_FOREGROUND_DIFFERENCE,.frame_distance = 1
  };
  guint8 *black = g_malloc0 ((gsize) p.width * p.height);
  const guint8 *black_copy = rig_upload (black, (gsize) p.width * p.height);
  CcaEngine *engine = rig_open (CCA_CUDA_SMALL), *ref;
  CcaResult result, expected;
  guint i;

  p.params.foreground = config.foreground;
  fail_unless (cca_ref_open (&ref) == CCA_OK);
  assert_equals_int (cca_engine_configure (engine, &config), CCA_OK);
  assert_equals_int (cca_engine_configure (ref, &config), CCA_OK);
  for (i = 0; i < 4; i++) {
    picture_enqueue (engine, 0, &p, i % 2 ? p.copy : black_copy);
    picture_enqueue (ref, 0, &p, i % 2 ? p.pixels : black);
    fail_unless (((CudaEngine *) engine)->slots[0].is_small);
    assert_equals_int (cca_engine_collect (engine, 0, &result), CCA_OK);
    assert_equals_int (cca_engine_collect (ref, 0, &expected), CCA_OK);
    rig_assert_same (&result, &expected);
    fail_unless ((result.n_found > 0) == (i > 0));
    /* the first frame differs from none */
    fail_unless (((CudaEngine *) engine)->slots[0].is_small == (i == 0));
  }
  cca_engine_free (&ref);
  cca_engine_free (&engine);
  rig_release (black_copy);
  g_free (black);
  picture_clear (&p);
}

GST_END_TEST;

/* Other processes have a part of the GPU. */
GST_START_TEST (test_refused)
{
  Picture p = picture_draw (pattern_blots, 200, 100, 4);
  CcaEngine *engine;

  p.params.foreground = CCA_FOREGROUND_OTSU;
  p.params.open_radius = 1;
  engine = picture_open (CCA_CUDA_AUTO, &p);

  front_driver.refuses_together = TRUE;
  fail_unless (one_kernel (engine, &p));
  fail_if (one_kernel (engine, &p));
  front_driver.refuses_together = FALSE;
  cca_engine_free (&engine);
  picture_clear (&p);
}

GST_END_TEST;

/* The GPU cannot do it. */
GST_START_TEST (test_unable)
{
  Picture p = picture_draw (pattern_blots, 200, 100, 4);
  guint i;

  for (i = 0; i < 2; i++) {
    CcaEngine *engine;

    front_driver.cooperates = i != 0;
    front_driver.shared = i == 0 ? 0 : CCA_SMALL_SHARED - 1;
    engine = picture_open (CCA_CUDA_SMALL, &p);
    fail_if (one_kernel (engine, &p));
    cca_engine_free (&engine);
  }
  front_driver.shared = 0;
  picture_clear (&p);
}

GST_END_TEST;

/* The tables are cleared anew between two frames, whichever counters they have. */
GST_START_TEST (test_cleared)
{
  Picture p = picture_draw (pattern_blots, 300, 200, 8);
  CcaEngine *engine = picture_open (CCA_CUDA_SMALL, &p);
  guint n, i;

  for (n = 1; n <= 2; n++) {
    for (i = 0; i < n; i++)
      fail_unless (one_kernel (engine, &p));
    ((CudaEngine *) engine)->slots[0].n_begun = CCA_MAX_EPOCH;
  }
  for (i = 0; i < 3; i++)
    fail_unless (one_kernel (engine, &p));
  cca_engine_free (&engine);
  picture_clear (&p);
}

GST_END_TEST;

/* A frame that did not fit cannot be analysed again either. */
GST_START_TEST (test_again_fails)
{
  Picture p = picture_draw (dominoes, 130, 80, 4);
  CcaEngine *engine = picture_open (CCA_CUDA_AUTO, &p);
  CcaResult result;

  fail_unless (analyse (engine, 0, &p));
  front_driver_fail ("launch", 1);
  assert_equals_int (cca_engine_collect (engine, 0, &result),
      CCA_ERROR_DEVICE);
  fail_unless (front_driver_failed ());
  fail_if (one_kernel (engine, &p));
  cca_engine_free (&engine);
  picture_clear (&p);
}

GST_END_TEST;

/* More rows than tiles can have, or columns, or what no two tiles share. */
GST_START_TEST (test_too_large)
{
  static const guint sizes[][2] = { {1, 50 * CCA_WIDE_MAX_ROWS + 1}, {4097, 10},
  {2048, 2048}
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++) {
    Picture p = picture_draw (pattern_blots, sizes[i][0], sizes[i][1], 4);
    CcaEngine *engine = picture_open (CCA_CUDA_SMALL, &p);

    fail_if (one_kernel (engine, &p));
    cca_engine_free (&engine);
    picture_clear (&p);
  }
}

GST_END_TEST;

/* Sums of more than 32 bits: in wide tiles. */
GST_START_TEST (test_sums)
{
  static const Pattern patterns[] = { everything, stripes };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (patterns); i++) {
    Picture p = picture_draw (patterns[i], 128, 9300, 8);
    CcaEngine *engine;
    const CudaSlot *slot;

    g_setenv ("SIMCUDA_MULTIPROCESSORS", "66", TRUE);
    engine = picture_open (CCA_CUDA_SMALL, &p);
    slot = &((CudaEngine *) engine)->slots[0];
    fail_unless (fits (engine, &p));
    fail_unless (slot->small.is_wide);
    cca_engine_free (&engine);
    picture_clear (&p);
  }
}

GST_END_TEST;

/* Wide tiles: of frames that are wider than the others can be, where there is room for them,
 * and if they are neither opened nor counted. */
GST_START_TEST (test_wide)
{
  Picture p = picture_draw (pattern_blots, 2100, 90, 8);
  CcaEngine *engine = picture_open (CCA_CUDA_SMALL, &p);
  const CudaSlot *slot = &((CudaEngine *) engine)->slots[0];

  fail_unless (fits (engine, &p));
  fail_unless (slot->small.is_wide);
  assert_equals_int (slot->small.n_tiles, 18);
  p.params.open_radius = 1;
  fail_if (one_kernel (engine, &p));
  p.params.open_radius = 0;
  p.params.close_radius = 1;
  fail_if (one_kernel (engine, &p));
  p.params.close_radius = 0;
  fail_unless (one_kernel (engine, &p));
  cca_engine_free (&engine);

  p.params.foreground = CCA_FOREGROUND_OTSU;
  engine = picture_open (CCA_CUDA_SMALL, &p);
  fail_if (one_kernel (engine, &p));
  cca_engine_free (&engine);

  p.params.foreground = CCA_FOREGROUND_THRESHOLD;
  front_driver.shared = CCA_WIDE_SHARED - 1;
  engine = picture_open (CCA_CUDA_SMALL, &p);
  fail_if (one_kernel (engine, &p));
  cca_engine_free (&engine);
  front_driver.shared = 0;
  picture_clear (&p);
}

GST_END_TEST;

/* What a wide tile, or one of its strips, has no room for: features, runs, and pairs of
 * them. */
GST_START_TEST (test_strips)
{
  const struct
  {
    Pattern pattern;
    guint height, connectivity;
  } frames[] = {
    {pegs, 80, 4}, {dominoes, 80, 4}, {pattern_checker, 40, 8}, {knots, 40, 8},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (frames); i++) {
    Picture p = picture_draw (frames[i].pattern, 256, frames[i].height, frames[i].connectivity);
    Picture q = picture_draw (pattern_blots, 256, frames[i].height, 8);
    CcaEngine *engine = picture_open (CCA_CUDA_WIDE, &p);
    const CudaSlot *slot = &((CudaEngine *) engine)->slots[0];

    fail_unless (fits (engine, &q));
    fail_unless (one_kernel (engine, &p));
    fail_if (slot->is_small, "frame %u fits", i);
    fail_unless (fits (engine, &q));
    cca_engine_free (&engine);
    picture_clear (&p);
    picture_clear (&q);
  }
}

GST_END_TEST;

/* Of the contacts of a border there are no more than in this frame: those of the frame before
 * are not for it. */
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

GST_START_TEST (test_fewer_contacts)
{
  Picture p = picture_draw (stitches, 768, 160, 4), q = picture_draw (more_stitches, 768, 160, 4);
  CcaEngine *engine = picture_open (CCA_CUDA_WIDE, &p);
  const CudaSlot *slot = &((CudaEngine *) engine)->slots[0];
  guint i;

  for (i = 0; i < 2; i++) {
    fail_unless (fits (engine, &q));
    fail_unless (fits (engine, &p));
    assert_equals_int (slot->small.n_tiles, 6);
  }
  cca_engine_free (&engine);
  picture_clear (&p);
  picture_clear (&q);
}

GST_END_TEST;

/* In narrow and in wide tiles so many components across borders that a thread has several. */
GST_START_TEST (test_many)
{
  const struct
  {
    CcaCudaAlgorithm algorithm;
    guint width;
  } frames[] = { {CCA_CUDA_SMALL, 640}, {CCA_CUDA_WIDE, 1280} };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (frames); i++) {
    Picture p = picture_draw (lines, frames[i].width, 800, 4);
    CcaEngine *engine = picture_open (frames[i].algorithm, &p);

    fail_unless (fits (engine, &p));
    p.params.min_area = frames[i].width;
    fail_unless (one_kernel (engine, &p));
    p.params.min_area++;
    fail_unless (one_kernel (engine, &p));
    cca_engine_free (&engine);
    picture_clear (&p);
  }
}

GST_END_TEST;

static Suite *
cuda_small_suite (void)
{
  Suite *s = suite_create ("cuda-small");
  TCase *tc = tcase_create ("general");

  g_setenv ("CK_FORK", "yes", TRUE);
  g_setenv ("SIMCUDA_MULTIPROCESSORS", "50", TRUE);
  tcase_set_timeout (tc, 120);
  tcase_add_checked_fixture (tc, rig_setup, rig_teardown);
  tcase_add_test (tc, test_alone);
  tcase_add_test (tc, test_contexts);
  tcase_add_test (tc, test_pause);
  tcase_add_test (tc, test_crossings);
  tcase_add_test (tc, test_few);
  tcase_add_test (tc, test_runs);
  tcase_add_test (tc, test_overflow);
  tcase_add_test (tc, test_overflow_is_waited_for);
  tcase_add_test (tc, test_forced);
  tcase_add_test (tc, test_contacts);
  tcase_add_test (tc, test_empty_tiles);
  tcase_add_test (tc, test_filters);
  tcase_add_test (tc, test_many_areas);
  tcase_add_test (tc, test_by_area);
  tcase_add_test (tc, test_modes);
  tcase_add_test (tc, test_otsu);
  tcase_add_test (tc, test_radii);
  tcase_add_test (tc, test_opened_again);
  tcase_add_test (tc, test_difference_again);
  tcase_add_test (tc, test_refused);
  tcase_add_test (tc, test_unable);
  tcase_add_test (tc, test_cleared);
  tcase_add_test (tc, test_again_fails);
  tcase_add_test (tc, test_too_large);
  tcase_add_test (tc, test_sums);
  tcase_add_test (tc, test_wide);
  tcase_add_test (tc, test_strips);
  tcase_add_test (tc, test_fewer_contacts);
  tcase_add_test (tc, test_many);
  suite_add_tcase (s, tc);
  return s;
}

GST_CHECK_MAIN (cuda_small);
