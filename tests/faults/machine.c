/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The CPU engine on other machines: fewer instruction sets, more cores or an
 * unknown number, another C library. Also its use of threads and memory. */

#define _GNU_SOURCE /* cpu_set_t, mincore */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "../check/suite.h"
#include "cca.h"
#include "frames.h"
#include "cpu/workers.h"
#include "otsu.h"

#define MAX_THREADS 256

/* --- cores ---------------------------------------------------------------- */

/* The answers of the system; 0: failure. */
static guint n_cores, n_online;

int __wrap_sched_getaffinity (pid_t pid, size_t size, cpu_set_t *set);
int
__wrap_sched_getaffinity (pid_t pid, size_t size, cpu_set_t *set)
{
  guint i;

  if (n_cores == 0)
    return -1;
  CPU_ZERO_S (size, set);
  for (i = 0; i < n_cores; i++)
    CPU_SET_S (i, size, set);
  return 0;
}

long __real_sysconf (int name);
long __wrap_sysconf (int name);
long
__wrap_sysconf (int name)
{
  if (name != _SC_NPROCESSORS_ONLN)
    return __real_sysconf (name);
  return n_online ? (long) n_online : -1;
}

/* The tables grow with the number of threads. */
static guint64
footprint (guint threads)
{
  const CcaCpuOptions options = {.threads = threads,
    .level = CCA_CPU_LEVEL_BEST};
  const CcaConfig config = plain_config (64, 4096, 1, 1);
  CcaFootprint size = {0};
  CcaEngine *engine;

  fail_unless (cca_cpu_open (&engine, &options) == CCA_OK);
  fail_unless (cca_engine_measure (engine, &config, &size) == CCA_OK);
  cca_engine_free (&engine);
  return size.host;
}

TEST (test_cores)
{
  static const struct
  {
    guint n_cores, n_online, threads;
  } machines[] = {
    {1, 0, 1},
    {3, 0, 3},
    {3, 7, 3},
    {MAX_THREADS, 0, MAX_THREADS},
    {MAX_THREADS + 1, 0, MAX_THREADS},
    {1000, 0, MAX_THREADS},
    {0, 5, 5},
    {0, 1000, MAX_THREADS},
    {0, 0, 1},
  };
  guint i;

  fail_unless (footprint (1) < footprint (2));
  for (i = 0; i < G_N_ELEMENTS (machines); i++) {
    n_cores = machines[i].n_cores;
    n_online = machines[i].n_online;
    assert_equals_uint64 (footprint (0), footprint (machines[i].threads));
  }
}

/* --- instruction sets ----------------------------------------------------- */

#if defined(__x86_64__) && defined(__gnu_linux__)

/* The CPU features in the run-time library of the compiler. Which bits
 * __builtin_cpu_supports() reads is internal. */
extern guint __cpu_features2[3];
#define N_BITS (3 * 32)

static void
assert_opens (CcaCpuLevel best)
{
  guint level;

  for (level = CCA_CPU_LEVEL_BASELINE; level < CCA_CPU_LEVEL_BEST; level++) {
    const CcaCpuOptions options = {.threads = 1, .level = level};
    CcaEngine *engine;

    assert_equals_int (cca_cpu_open (&engine, &options),
        level > best ? CCA_ERROR_INVALID : CCA_OK);
    cca_engine_free (&engine);
  }
}

/* Each level is the best on some machine, and higher ones fail there. */
TEST (test_levels)
{
  guint was[3], seen = 0, i, j;

  /* compiler options may select more than the baseline */
  cca_cpu_level ();
  memcpy (was, __cpu_features2, sizeof (was));
  for (i = 0; i < 3; i++) {
    memset (__cpu_features2, i == 0 ? 0 : 0xff, sizeof (was));
    for (j = 0; j < (i == 1 ? 1 : N_BITS); j++) {
      CcaCpuLevel level;

      if (i == 2)
        __cpu_features2[j / 32] &= ~(1u << j % 32);
      level = cca_cpu_level ();
      assert_opens (level);
      seen |= 1u << level;
      if (i == 2)
        __cpu_features2[j / 32] |= 1u << j % 32;
    }
  }
  memcpy (__cpu_features2, was, sizeof (was));
  fail_unless (seen & 1u << CCA_CPU_LEVEL_V3);
  fail_unless (seen & 1u << CCA_CPU_LEVEL_V4);
#ifndef __AVX2__
  fail_unless (seen & 1u << CCA_CPU_LEVEL_BASELINE);
#endif
}

#endif

/* --- sorting -------------------------------------------------------------- */

typedef int (*Compare) (const void *a, const void *b);

static Compare compare;

static int
other_way_round (const void *a, const void *b)
{
  return -compare (b, a);
}

void __real_qsort (void *data, size_t n, size_t size, Compare function);
void __wrap_qsort (void *data, size_t n, size_t size, Compare function);
void
__wrap_qsort (void *data, size_t n, size_t size, Compare function)
{
  compare = function;
  __real_qsort (data, n, size, other_way_round);
}

/* The order does not depend on the sort of the C library: this one compares all
 * elements in reverse. */
TEST (test_sort)
{
  enum
  {
    WIDTH = 90,
    HEIGHT = 70
  };
  guint8 *pixels = g_malloc (WIDTH * HEIGHT);
  const CcaFrame frame = plain_frame (pixels, WIDTH, HEIGHT);
  const CcaConfig config = plain_config (WIDTH, HEIGHT, WIDTH * HEIGHT, 1);
  CcaParams params = CCA_DEFAULT_PARAMS;
  const CcaComponent *c;
  CcaResult result;
  CcaEngine *engine;
  guint i;

  for (i = 0; i < WIDTH * HEIGHT; i++)
    pixels[i] = (guint32) (i * 2654435761u) >> 24;
  params.order = CCA_ORDER_AREA;
  params.connectivity = 4;
  compare = NULL;
  fail_unless (cca_ref_open (&engine) == CCA_OK);
  fail_unless (cca_engine_configure (engine, &config) == CCA_OK);
  fail_unless (cca_engine_analyse (engine, 0, &frame, &params) == CCA_OK);
  fail_unless (cca_engine_collect (engine, 0, &result) == CCA_OK);
  fail_unless (compare != NULL && result.n_components > 100);
  c = result.components;
  for (i = 1; i < result.n_components; i++)
    fail_unless (c[i - 1].area > c[i].area
        || (c[i - 1].area == c[i].area && c[i - 1].id < c[i].id));
  cca_engine_free (&engine);
  g_free (pixels);
}

/* A rectangle of more pixels than two digits of the CPU engine's sort hold,
 * and one that has more in these two. */
TEST (test_digits)
{
  enum
  {
    SIZE = 2100,
    GAP = 2000
  };
  guint8 *pixels = g_malloc (SIZE * SIZE);
  const CcaFrame frame = plain_frame (pixels, SIZE, SIZE);
  const CcaConfig config = plain_config (SIZE, SIZE, 2, 1);
  const CcaCpuOptions options = {.threads = 1, .level = CCA_CPU_LEVEL_BEST};
  CcaParams params = CCA_DEFAULT_PARAMS;
  CcaResult result;
  CcaEngine *engine;
  guint i;

  memset (pixels, 0xff, SIZE * SIZE);
  for (i = 0; i < SIZE; i++)
    pixels[i * SIZE + GAP] = 0;
  params.order = CCA_ORDER_AREA;
  fail_unless (cca_cpu_open (&engine, &options) == CCA_OK);
  fail_unless (cca_engine_configure (engine, &config) == CCA_OK);
  fail_unless (cca_engine_analyse (engine, 0, &frame, &params) == CCA_OK);
  fail_unless (cca_engine_collect (engine, 0, &result) == CCA_OK);
  assert_equals_int (result.n_components, 2);
  assert_equals_uint64 (result.components[0].area, GAP * SIZE);
  assert_equals_uint64 (result.components[1].area, (SIZE - GAP - 1) * SIZE);
  params.max_components = 1;
  fail_unless (cca_engine_analyse (engine, 0, &frame, &params) == CCA_OK);
  fail_unless (cca_engine_collect (engine, 0, &result) == CCA_OK);
  assert_equals_int (result.n_components, 1);
  assert_equals_uint64 (result.components[0].area, GAP * SIZE);
  cca_engine_free (&engine);
  g_free (pixels);
}

/* --- numbers ------------------------------------------------------------- */

typedef unsigned __int128 uint128;

static guint64
product_modulo (CcaOtsuScore score, guint64 modulus)
{
  guint64 a = score.a % modulus;

  return (uint128) a * a % modulus * (score.b % modulus) % modulus;
}

/* Otsu's scores are exact for frames so large that tests take none of them, and
 * compared to the last bit. */
TEST (test_scores)
{
  static const guint64 moduli[] = {(G_GUINT64_CONSTANT (1) << 61) - 1,
    4294967291, 1000000007};
  guint64 random = 1;
  guint i, m;

  for (i = 0; i < 100000; i++) {
    CcaOtsuScore score, more;
    CcaOtsuProduct product;
    guint64 parts[3];

    for (m = 0; m < 3; m++) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      parts[m] = random >> 1 >> random % 63;
    }
    score.a = ((uint128) parts[0] << 64 | parts[1] << 1) >> 32;
    score.b = parts[2] + 1;
    product = cca_otsu_product (score.a, score.b);
    for (m = 0; m < G_N_ELEMENTS (moduli); m++) {
      uint128 remainder = 0;
      gint limb;

      for (limb = 3; limb >= 0; limb--)
        remainder = (remainder << 64 | product.limbs[limb]) % moduli[m];
      assert_equals_uint64 ((guint64) remainder,
          product_modulo (score, moduli[m]));
    }

    more = score;
    more.a++;
    fail_unless (cca_otsu_is_better (more, score));
    fail_if (cca_otsu_is_better (score, more));
    fail_if (cca_otsu_is_better (score, score));
    more.b++;
    score.a++;
    fail_unless (cca_otsu_is_better (score, more));
    fail_if (cca_otsu_is_better (more, score));
  }
}

/* A single pixel is a class among 2^23, but not among more. */
TEST (test_least_class)
{
  guint64 n = 1 << 23;
  CcaOtsuScore score;

  fail_unless (cca_otsu_score (n, 9 * n, 1, 5, 1, &score));
  fail_unless (cca_otsu_score (n, 9 * n, n - 1, 8 * n, 1, &score));
  n++;
  fail_if (cca_otsu_score (n, 9 * n, 1, 5, 1, &score));
  fail_if (cca_otsu_score (n, 9 * n, n - 1, 8 * n, 1, &score));
  fail_unless (cca_otsu_score (n, 9 * n, 2, 10, 1, &score));
  fail_unless (score.a == 8 * n && score.b == 2 * (n - 2));
}

/* --- threads -------------------------------------------------------------- */

#define N_TASKS 100000

static void
count (void *data, uint32_t i)
{
  g_atomic_int_inc (&((gint *) data)[i]);
}

/* More threads than cores and very short tasks: each runs once, although
 * several threads compete for it or are late from the previous round. */
TEST (test_workers)
{
  CpuWorkers *workers = cca_workers_new (8);
  gint *counts = g_new0 (gint, N_TASKS);
  guint i, round;

  for (round = 1; round <= 3; round++) {
    cca_workers_run (workers, N_TASKS, count, counts);
    for (i = 0; i < N_TASKS; i++)
      fail_unless (g_atomic_int_get (&counts[i]) == (gint) round);
  }
  memset (counts, 0, 2 * sizeof (*counts));
  for (round = 1; round <= 2000; round++) {
    cca_workers_run (workers, 2, count, counts);
    for (i = 0; i < 2; i++)
      fail_unless (g_atomic_int_get (&counts[i]) == (gint) round);
  }
  cca_workers_free (workers);
  g_free (counts);
}

/* --- memory --------------------------------------------------------------- */

static guint8 *reserved;
static gsize reserved_size;
static guint n_calls; /* that give pages back */

void *__real_cca_reserve (size_t size);
void *__wrap_cca_reserve (size_t size);
void *
__wrap_cca_reserve (size_t size)
{
  reserved = __real_cca_reserve (size);
  reserved_size = size;
  return reserved;
}

int __real_madvise (void *address, size_t size, int advice);
int __wrap_madvise (void *address, size_t size, int advice);
int
__wrap_madvise (void *address, size_t size, int advice)
{
  n_calls++;
  return __real_madvise (address, size, advice);
}

/* Bytes of the engine's tables that are in memory. */
static guint64
resident (void)
{
  gsize page = sysconf (_SC_PAGESIZE);
  gsize n = (reserved_size + page - 1) / page, i;
  guint8 *pages = g_malloc (n);
  guint64 bytes = 0;

  fail_unless (mincore (reserved, reserved_size, pages) == 0);
  for (i = 0; i < n; i++)
    bytes += (pages[i] & 1) * page;
  g_free (pages);
  return bytes;
}

#define N 1000 /* the size of a frame */
#define PIXELS (N * N)

typedef struct
{
  CcaEngine *engine, *ref;
  CcaParams params;
  CcaFootprint footprint;
} Tables;

static guint8 dense[PIXELS], half[PIXELS], sparse[PIXELS], dots[PIXELS];

/* No frame has more labels than a checkerboard. */
static void
draw (void)
{
  guint x, y;

  for (y = 0; y < N; y++) {
    for (x = 0; x < N; x++) {
      guint i = y * N + x;

      dense[i] = (x + y) % 2 ? 0 : 255;
      half[i] = y < N / 2 ? dense[i] : 0;
      sparse[i] = y < N / 5 ? dense[i] : 0;
      dots[i] = (x | y) % 4 ? 0 : 255;
    }
  }
}

static Tables
tables_new_full (guint threads, guint slots, guint max_components,
    CcaFeatureFlags features)
{
  const CcaCpuOptions options = {.threads = threads,
    .level = CCA_CPU_LEVEL_BEST};
  CcaConfig config = plain_config (N, N, max_components, slots);
  Tables t = {.params = CCA_DEFAULT_PARAMS};

  config.features = features;
  draw ();
  t.params.connectivity = 4;
  fail_unless (cca_cpu_open (&t.engine, &options) == CCA_OK);
  fail_unless (cca_engine_measure (t.engine, &config, &t.footprint) == CCA_OK);
  fail_unless (cca_engine_configure (t.engine, &config) == CCA_OK);
  fail_unless (cca_ref_open (&t.ref) == CCA_OK);
  fail_unless (cca_engine_configure (t.ref, &config) == CCA_OK);
  n_calls = 0;
  return t;
}

static Tables
tables_new (guint threads, guint slots, guint max_components)
{
  return tables_new_full (threads, slots, max_components, CCA_FEATURES_NONE);
}

static void
tables_free (Tables *t)
{
  cca_engine_free (&t->engine);
  cca_engine_free (&t->ref);
}

static void
begin (CcaEngine *engine, guint slot, const guint8 *pixels,
    const CcaParams *params)
{
  const CcaFrame frame = plain_frame (pixels, N, N);

  fail_unless (cca_engine_analyse (engine, slot, &frame, params) == CCA_OK);
}

/* The result in the slot equals that of the reference engine. */
static void
assert_right (Tables *t, guint slot, const guint8 *pixels)
{
  CcaResult result, expected;

  fail_unless (cca_engine_collect (t->engine, slot, &result) == CCA_OK);
  begin (t->ref, 0, pixels, &t->params);
  fail_unless (cca_engine_collect (t->ref, 0, &expected) == CCA_OK);
  assert_equals_int (result.n_found, expected.n_found);
  assert_equals_int (result.n_components, expected.n_components);
  fail_unless (expected.n_components == 0
      || memcmp (result.components, expected.components,
             expected.n_components * sizeof (CcaComponent))
          == 0);
  fail_unless ((result.features == NULL) == (expected.features == NULL));
  fail_unless (expected.features == NULL
      || memcmp (result.features, expected.features,
             expected.n_components * sizeof (CcaFeatures))
          == 0);
}

static void
assert_frame (Tables *t, guint slot, const guint8 *pixels)
{
  begin (t->engine, slot, pixels, &t->params);
  assert_right (t, slot, pixels);
}

static void
repeat (Tables *t, guint slot, guint n, const guint8 *pixels)
{
  CcaResult result;

  while (n-- > 0) {
    begin (t->engine, slot, pixels, &t->params);
    fail_unless (cca_engine_collect (t->engine, slot, &result) == CCA_OK);
  }
}

/* The bound in cca.h: measure() is within it, and frames are within measure(),
 * the worst one closely. */
TEST (test_bound)
{
  static const struct
  {
    guint threads, slots, max_components;
    CcaOrder order;
  } cases[] = {
    {1, 1, G_MAXUINT32, CCA_ORDER_RASTER},
    {1, 2, G_MAXUINT32, CCA_ORDER_AREA},
    {3, 1, G_MAXUINT32, CCA_ORDER_AREA},
    {3, 2, 1000, CCA_ORDER_AREA},
  };
  guint i, slot;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    guint slots = cases[i].slots;
    guint64 bands = cases[i].threads == 1 ? 1 : 4 * cases[i].threads;
    guint64 records = MIN (cases[i].max_components, PIXELS / 2);
    guint64 least = 20 * PIXELS + 40 * slots * records;
    guint64 bits = 8 * (N / 64 + 3) * (2 * N + 88 * bands);
    Tables t = tables_new (cases[i].threads, slots, cases[i].max_components);

    fail_unless (t.footprint.host >= least);
    fail_unless (t.footprint.host
        <= least + 24 * records + bands * (19 * N + 4096) + 65536 + bits);
    t.params.order = cases[i].order;
    for (slot = 0; slot < slots; slot++)
      assert_frame (&t, slot, dense);
    fail_unless (resident () <= t.footprint.host);
    fail_unless (resident () >= least);
    tables_free (&t);
  }
}

/* Threads spin for the next frame for a short time only, also after frames in
 * quick succession. */
TEST (test_threads_sleep)
{
  Tables t = tables_new (3, 1, G_MAXUINT32);
  clock_t busy = 0;
  guint i;

  for (i = 0; i < 20; i++) {
    clock_t start;

    repeat (&t, 0, 3, dots);
    start = clock ();
    g_usleep (20000);
    busy += clock () - start;
  }
  fail_unless (busy < CLOCKS_PER_SEC / 20, "%ld", (long) busy);
  tables_free (&t);
}

/* The memory of an exceptional frame is returned once, after 64 consecutive
 * frames that used less than a quarter of it. */
TEST_LOOP (test_pages_are_given_back, 1, 4)
{
  Tables t = tables_new (__i__, 1, G_MAXUINT32);
  guint64 most;
  guint n;

  assert_frame (&t, 0, dense);
  most = resident ();
  repeat (&t, 0, 63, sparse);
  repeat (&t, 0, 1, half);
  repeat (&t, 0, 63, sparse);
  assert_equals_int (n_calls, 0);
  assert_equals_uint64 (resident (), most);

  assert_frame (&t, 0, sparse);
  n = n_calls;
  fail_unless (n > 0);
  fail_unless (resident () < most / 2, "%" G_GUINT64_FORMAT, resident ());
  repeat (&t, 0, 100, sparse);
  assert_frame (&t, 0, sparse);
  assert_equals_int (n_calls, n);

  assert_frame (&t, 0, dense);
  repeat (&t, 0, 100, half);
  assert_equals_int (n_calls, n);
  tables_free (&t);
}

/* Meanwhile the records of that frame wait to be collected. */
TEST_LOOP (test_pages_of_records_are_kept, 0, 2)
{
  Tables t = tables_new_full (1, 2, 1000,
      __i__ ? CCA_FEATURES_ALL : CCA_FEATURES_NONE);
  guint64 most;

  begin (t.engine, 1, dense, &t.params);
  most = resident ();
  repeat (&t, 0, 64, sparse);
  fail_unless (n_calls > 0);
  fail_unless (resident () < most / 2);
  assert_right (&t, 1, dense);
  tables_free (&t);
}

/* The tables of a larger configuration go too. */
TEST (test_pages_of_larger_frames)
{
  const CcaConfig config = plain_config (N, N / 8, 1000, 1);
  const CcaFrame frame = plain_frame (dense, N, N / 8);
  Tables t = tables_new (1, 1, G_MAXUINT32);
  CcaResult result;
  guint64 most;
  guint i;

  assert_frame (&t, 0, dense);
  most = resident ();
  fail_unless (cca_engine_configure (t.engine, &config) == CCA_OK);
  for (i = 0; i < 64; i++) {
    assert_equals_int (n_calls, 0);
    fail_unless (cca_engine_analyse (t.engine, 0, &frame, &t.params) == CCA_OK);
    fail_unless (cca_engine_collect (t.engine, 0, &result) == CCA_OK);
  }
  fail_unless (n_calls > 0);
  fail_unless (resident () < most / 8);
  tables_free (&t);
}

/* Bands of other heights have their labels in other pages, so that frames which
 * use few pages each use many together. */
TEST (test_pages_of_other_bands)
{
  Tables t = tables_new (3, 1, 1000);
  guint64 most = 0;
  guint i;

  for (i = 0; i < 200 && n_calls == 0; i++) {
    most = resident ();
    t.params.roi.height = N / 2 + i * 24 % (N / 2);
    begin (t.engine, 0, dots, &t.params);
    assert_right (&t, 0, dots);
  }
  fail_unless (n_calls > 0 && i > 64);
  fail_unless (most > 5000000, "%" G_GUINT64_FORMAT, most);
  fail_unless (resident () < most / 2, "%" G_GUINT64_FORMAT, resident ());
  assert_frame (&t, 0, dots);
  tables_free (&t);
}

/* Label images and features take memory of the reference engine, too. */
TEST (test_bound_of_reference)
{
  CcaConfig config = plain_config (64, 64, 100, 1);
  CcaFootprint plain, with_labels, with_features, with_both;
  CcaEngine *engine;

  fail_unless (cca_ref_open (&engine) == CCA_OK);
  fail_unless (cca_engine_measure (engine, &config, &plain) == CCA_OK);
  config.labels = TRUE;
  fail_unless (cca_engine_measure (engine, &config, &with_labels) == CCA_OK);
  config.features = CCA_FEATURES_ALL;
  fail_unless (cca_engine_measure (engine, &config, &with_both) == CCA_OK);
  config.labels = FALSE;
  fail_unless (cca_engine_measure (engine, &config, &with_features) == CCA_OK);
  fail_unless (plain.host < with_labels.host);
  fail_unless (plain.host < with_features.host);
  fail_unless (with_features.host < with_both.host);
  cca_engine_free (&engine);
}

/* A mask refuses more areas and points than 64 regions can have, and stays as it
 * is. */
TEST (test_most_areas)
{
  static const gint32 points[2 * (CCA_MAX_AREA_POINTS + 1)];
  CcaPolygon polygon = {
    .points = points,
    .n_points = CCA_MAX_AREA_POINTS + 1,
    .width = 8,
    .height = 8,
  };
  CcaMask *mask = cca_mask_new (8, 8, TRUE);
  guint i;

  fail_if (cca_mask_add_area (mask, &polygon, 1, 2));
  assert_equals_int (mask->areas->n, 0);
  polygon.n_points = 3;
  fail_unless (cca_mask_add_area (mask, &polygon, 1, 2));
  polygon.n_points = CCA_MAX_AREA_POINTS - 2;
  fail_if (cca_mask_add_area (mask, &polygon, 1, 2));
  polygon.n_points = CCA_MAX_AREA_POINTS - 3 * (CCA_MAX_AREAS - 1);
  fail_unless (cca_mask_add_area (mask, &polygon, 3, 4));
  polygon.n_points = 3;
  for (i = 2; i < CCA_MAX_AREAS; i++)
    fail_unless (cca_mask_add_area (mask, &polygon, 5, 6));
  assert_equals_int (mask->areas->n_points, CCA_MAX_AREA_POINTS);
  polygon.n_points = 0;
  fail_if (cca_mask_add_area (mask, &polygon, 7, 8));
  assert_equals_int (mask->areas->n, CCA_MAX_AREAS);
  assert_equals_int (mask->areas->areas[CCA_MAX_AREAS - 1].max_area, 6);
  cca_mask_free (mask);
}

/* Bands of rows, of which each depends on rows of others. */
TEST (test_radii_in_bands)
{
  static const guint radii[][2] = {{1, 0}, {0, 1}, {1, 1}};
  Tables t = tables_new (3, 1, G_MAXUINT32);
  guint8 *noise = g_malloc (PIXELS);
  guint32 random = 1;
  guint i;

  for (i = 0; i < PIXELS; i++) {
    random = random * 1664525 + 1013904223;
    noise[i] = random >> 24 < 200 ? 255 : 0;
  }
  for (i = 0; i < G_N_ELEMENTS (radii); i++) {
    t.params.open_radius = radii[i][0];
    t.params.close_radius = radii[i][1];
    assert_frame (&t, 0, noise);
  }
  g_free (noise);
  tables_free (&t);
}

/* The background is kept when pages of an exceptional frame are returned, and
 * lost when the engine is configured. */
TEST (test_pages_of_background)
{
  CcaConfig config = {.width = N,
    .height = N,
    .sample_size = 1,
    .depth = 8,
    .max_components = 1000,
    .slots = 1,
    .foreground = CCA_FOREGROUND_SIGMA_DELTA};
  Tables t = tables_new (1, 1, G_MAXUINT32);
  guint64 most;

  fail_unless (cca_engine_configure (t.engine, &config) == CCA_OK);
  fail_unless (cca_engine_configure (t.ref, &config) == CCA_OK);
  t.params.foreground = CCA_FOREGROUND_SIGMA_DELTA;
  assert_frame (&t, 0, half);
  t.params.foreground = CCA_FOREGROUND_THRESHOLD;
  assert_frame (&t, 0, dense);
  repeat (&t, 0, 64, sparse);
  fail_unless (n_calls > 0);
  t.params.foreground = CCA_FOREGROUND_SIGMA_DELTA;
  assert_frame (&t, 0, dots);
  assert_frame (&t, 0, half);

  most = resident ();
  config.foreground = CCA_FOREGROUND_THRESHOLD;
  fail_unless (cca_engine_configure (t.engine, &config) == CCA_OK);
  fail_unless (resident () < most - 2 * PIXELS + 65536);
  tables_free (&t);
}

SUITE ("machine", .timeout = 120);
