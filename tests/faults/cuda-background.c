/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The background of the CUDA engine: the order of its updates on several
 * streams, and its state after a failed driver call. Each frame is compared
 * with the reference engine. */

#include <string.h>

#include "../check/suite.h"
#include "cuda-rig.h"
#include "cuda/state.h"
#include "front-driver.h"

#define WIDTH 70
#define HEIGHT 40
#define N_PIXELS (WIDTH * HEIGHT)
#define N_FRAMES 14
#define N_STREAMS 2
#define MAX_SLOTS 3

/* The effect of a frame on the background. */
typedef enum
{
  SEEN,
  NOT_SEEN, /* it failed before it had begun */
  RESET     /* ... and after that */
} Outcome;

typedef struct
{
  gboolean busy;
  guint stream;
  CcaResult expected; /* its components: a copy */
} Flight;

/* The same frames for both engines, which the reference engine has at once. */
typedef struct
{
  CcaEngine *engine, *ref;
  CcaParams params;
  guint n_slots;
  CUstream streams[N_STREAMS];
  guint8 pixels[N_FRAMES][N_PIXELS];
  const guint8 *copies[N_FRAMES];
  Flight flights[MAX_SLOTS];
  guint last;     /* slot of the last frame that was begun */
  gboolean awake; /* frames were quick so far */
} Player;

static CcaStatus
configure (CcaEngine *engine, CcaForeground foreground, guint n_slots,
    guint height, guint distance)
{
  const CcaConfig config = {.width = WIDTH,
    .height = height,
    .sample_size = 1,
    .depth = 8,
    .max_components = 65536,
    .slots = n_slots,
    .foreground = foreground,
    .frame_distance = distance,
    .votes = TRUE};

  return cca_engine_configure (engine, &config);
}

/* Blocks of values that are independent of those of other frames. */
static void
draw (guint8 *pixels, guint t)
{
  GRand *rand = g_rand_new_with_seed (t);
  guint i;

  for (i = 0; i < N_PIXELS; i++)
    pixels[i] = i % 5 ? pixels[i - 1] : g_rand_int_range (rand, 0, 256);
  g_rand_free (rand);
}

/* The background moves fast, and every other frame once it is warm. */
static void
start (Player *p, CcaCudaAlgorithm algorithm, CcaForeground foreground,
    guint n_slots)
{
  const CcaParams params = CCA_DEFAULT_PARAMS;
  guint i;

  memset (p, 0, sizeof (*p));
  p->engine = rig_open (algorithm);
  fail_unless (cca_ref_open (&p->ref) == CCA_OK);
  p->params = params;
  p->params.foreground = foreground;
  p->params.connectivity = 4;
  p->params.min_contrast = 100;
  p->params.step = 60;
  p->params.noise_factor = 1;
  p->params.warm_up = 3;
  p->params.background_period = 2;
  p->params.absorb_after = 1;
  p->n_slots = n_slots;
  assert_equals_int (configure (p->engine, foreground, n_slots, HEIGHT, 2),
      CCA_OK);
  assert_equals_int (configure (p->ref, foreground, n_slots, HEIGHT, 2),
      CCA_OK);
  fail_unless (gpu_enter (rig_gpu));
  for (i = 0; i < N_STREAMS; i++)
    fail_unless (rig_gpu->stream_create (&p->streams[i], CU_STREAM_NON_BLOCKING)
        == CUDA_SUCCESS);
  gpu_leave (rig_gpu);
  for (i = 0; i < N_FRAMES; i++) {
    draw (p->pixels[i], i);
    p->copies[i] = rig_upload (p->pixels[i], N_PIXELS);
  }
}

static CcaStatus
analyse (Player *p, CcaEngine *engine, guint t, guint stream)
{
  gboolean is_ref = engine == p->ref;
  const CcaFrame frame = {.data = is_ref ? p->pixels[t] : p->copies[t],
    .width = WIDTH,
    .height = HEIGHT,
    .stride = WIDTH,
    .stream = is_ref ? NULL : p->streams[stream]};

  return cca_engine_analyse (engine, t % p->n_slots, &frame, &p->params);
}

static void
expect (Player *p, guint t)
{
  CcaResult *expected = &p->flights[t % p->n_slots].expected;

  assert_equals_int (analyse (p, p->ref, t, 0), CCA_OK);
  assert_equals_int (cca_engine_collect (p->ref, t % p->n_slots, expected),
      CCA_OK);
  /* components enough to notice a difference */
  fail_unless (expected->background_frames == 0 || p->params.roi.x > 0
      || expected->n_found > 10);
  expected->components = g_memdup2 (expected->components,
      expected->n_components * sizeof (CcaComponent));
}

static void
collect (Player *p, guint slot, CcaStatus status)
{
  Flight *flight = &p->flights[slot];
  CcaResult result;

  if (!flight->busy)
    return;
  assert_equals_int (cca_engine_collect (p->engine, slot, &result), status);
  if (status == CCA_OK)
    rig_assert_same (&result, &flight->expected);
  g_free ((gpointer) flight->expected.components);
  flight->busy = FALSE;
}

/* Makes the nth `call` of the frame's analyse fail, or none if that is NULL. A
 * stream waits when, and only when, the frame before is in flight on the other
 * one. */
static void
play (Player *p, guint t, guint stream, const gchar *call, guint nth,
    Outcome outcome)
{
  guint slot = t % p->n_slots, n_waits;
  const Flight *last = &p->flights[p->last];
  gboolean waits;

  collect (p, slot, CCA_OK);
  waits = p->params.foreground >= CCA_FOREGROUND_DIFFERENCE && last->busy
      && last->stream != stream;
  n_waits = front_driver.n_waits;
  /* after slow frames an event is recorded behind each frame, otherwise only
   * behind one that a stream waits for */
  ((CudaEngine *) p->engine)->wait.blocks = !p->awake;
  if (call)
    front_driver_fail (call, nth);
  assert_equals_int (analyse (p, p->engine, t, stream),
      call ? CCA_ERROR_DEVICE : CCA_OK);
  fail_unless (!call || front_driver_failed ());
  if (g_strcmp0 (call, "clear") != 0 && g_strcmp0 (call, "copy") != 0
      && (g_strcmp0 (call, "record") != 0 || !p->awake))
    assert_equals_int (front_driver.n_waits - n_waits, waits);
  if (outcome == SEEN) {
    expect (p, t);
    p->flights[slot].busy = TRUE;
    p->flights[slot].stream = stream;
  } else if (outcome == RESET)
    cca_engine_reset_background (p->ref);
  if (outcome != NOT_SEEN)
    p->last = slot;
}

static void
stop (Player *p)
{
  guint i;

  for (i = 0; i < p->n_slots; i++)
    collect (p, i, CCA_OK);
  for (i = 0; i < N_FRAMES; i++)
    rig_release (p->copies[i]);
  fail_unless (gpu_enter (rig_gpu));
  for (i = 0; i < N_STREAMS; i++)
    fail_unless (rig_gpu->stream_destroy (p->streams[i]) == CUDA_SUCCESS);
  gpu_leave (rig_gpu);
  cca_engine_free (&p->engine);
  cca_engine_free (&p->ref);
}

/* Number of the combinations in start_kind(). */
#define N_KINDS 8

static void
start_kind (Player *p, guint kind)
{
  start (p, kind & 1 ? CCA_CUDA_FLSL_CD : CCA_CUDA_TILED,
      kind & 2 ? CCA_FOREGROUND_SIGMA_DELTA : CCA_FOREGROUND_DIFFERENCE,
      kind & 4 ? 3 : 2);
}

/* Alternating, in pairs, and finally on one stream. */
static guint
stream_of (guint t)
{
  return t < 6 ? t % 2 : t < 10 ? t / 2 % 2 : 1;
}

TEST (test_streams)
{
  Player p;
  guint kind, t;

  for (kind = 0; kind < N_KINDS; kind++) {
    start_kind (&p, kind);
    for (t = 0; t < N_FRAMES; t++)
      play (&p, t, stream_of (t), NULL, 0, SEEN);
    stop (&p);
  }
}

/* A collected frame no longer uses the background, so no frame waits for it. */
TEST (test_streams_collected)
{
  Player p;
  guint t;

  start (&p, CCA_CUDA_TILED, CCA_FOREGROUND_SIGMA_DELTA, 2);
  for (t = 0; t < N_FRAMES; t++) {
    play (&p, t, t % 2, NULL, 0, SEEN);
    collect (&p, t % 2, CCA_OK);
  }
  stop (&p);
}

/* A region with nothing in it brings the background forward. */
TEST (test_empty_region)
{
  Player p;
  guint kind, t;

  for (kind = 0; kind < N_KINDS; kind++) {
    start_kind (&p, kind);
    for (t = 0; t < N_FRAMES; t++) {
      p.params.roi.x = t % 5 == 2 || t % 5 == 3 ? WIDTH : 0;
      play (&p, t, stream_of (t), NULL, 0, SEEN);
    }
    stop (&p);
  }
}

static const struct
{
  const gchar *call;
  guint nth;
  gboolean empty; /* the region of the frame that fails */
  Outcome outcome;
  gboolean awake;
} failures[] = {
  {"wait", 1, FALSE, NOT_SEEN, FALSE},
  {"launch", 1, FALSE, NOT_SEEN, FALSE},
  {"launch", 2, FALSE, RESET, FALSE},
  {"launch", 3, FALSE, RESET, FALSE},
  {"record", 1, FALSE, RESET, FALSE},
  {"record", 1, FALSE, NOT_SEEN, TRUE},
  {"wait", 1, TRUE, NOT_SEEN, FALSE},
  {"launch", 1, TRUE, NOT_SEEN, FALSE},
  {"record", 1, TRUE, RESET, FALSE},
};

/* A frame in the middle fails. The two around it are on two streams. */
TEST (test_failed_analyse)
{
  Player p;
  guint kind, i, t;

  for (kind = 0; kind < N_KINDS; kind++)
    for (i = 0; i < G_N_ELEMENTS (failures); i++) {
      start_kind (&p, kind);
      p.awake = failures[i].awake;
      for (t = 0; t < 5; t++)
        play (&p, t, t % 2, NULL, 0, SEEN);
      p.params.roi.x = failures[i].empty ? WIDTH : 0;
      play (&p, t, t % 2, failures[i].call, failures[i].nth,
          failures[i].outcome);
      p.params.roi.x = 0;
      for (t = 6; t < 12; t++)
        play (&p, t, (t + 1) % 2, NULL, 0, SEEN);
      stop (&p);
    }
}

/* The clearing of a slot for the frame fails. */
TEST (test_failed_clear)
{
  Player p;
  guint kind, t;

  for (kind = 0; kind < N_KINDS; kind++) {
    start_kind (&p, kind);
    for (t = 0; t < N_FRAMES; t++)
      play (&p, t, t % 2, t == 1 ? "clear" : NULL, 1, t == 1 ? NOT_SEEN : SEEN);
    stop (&p);
  }
}

/* Each slot copies a mask once, whatever the stream; if that fails, with its
 * next frame. */
TEST (test_mask)
{
  CcaMask *masks[2];
  Player p;
  guint kind, i, t, x, n_copies;

  for (i = 0; i < 2; i++) {
    masks[i] = cca_mask_new (WIDTH, HEIGHT, TRUE);
    for (x = 3; x < 60; x += 7)
      masks[i]->words[(2 * x / 3 + i) * masks[i]->row_words] = 0;
  }
  for (kind = 0; kind < N_KINDS; kind++) {
    start_kind (&p, kind);
    n_copies = front_driver.n_copies;
    for (t = 0; t < N_FRAMES; t++) {
      gboolean fails = t == 5;

      p.params.mask = masks[t > 4];
      play (&p, t, t % 2, fails ? "copy" : NULL, 1, fails ? NOT_SEEN : SEEN);
    }
    /* two masks in each slot, and one more attempt */
    assert_equals_int (front_driver.n_copies - n_copies, 2 * p.n_slots + 1);
    stop (&p);
  }
  for (i = 0; i < 2; i++)
    cca_mask_free (masks[i]);
}

/* The same with the areas of a mask that has all pixels, which is not copied. */
TEST (test_areas)
{
  static const gint32 points[] = {0, 0, WIDTH, 0, WIDTH, HEIGHT, 0, HEIGHT};
  const CcaPolygon all = {
    .points = points,
    .n_points = 4,
    .width = WIDTH,
    .height = HEIGHT,
  };
  CcaMask *masks[2];
  Player p;
  guint kind, i, t, n_copies;

  for (i = 0; i < 2; i++) {
    masks[i] = cca_mask_new (WIDTH, HEIGHT, TRUE);
    fail_unless (cca_mask_add_area (masks[i], &all, 1 + i, 0));
  }
  for (kind = 0; kind < N_KINDS; kind++) {
    start_kind (&p, kind);
    n_copies = front_driver.n_copies;
    for (t = 0; t < N_FRAMES; t++) {
      gboolean fails = t == 5;

      p.params.mask = masks[t > 4];
      play (&p, t, t % 2, fails ? "copy" : NULL, 1, fails ? NOT_SEEN : SEEN);
    }
    assert_equals_int (front_driver.n_copies - n_copies, 2 * p.n_slots + 1);
    stop (&p);
  }
  for (i = 0; i < 2; i++)
    cca_mask_free (masks[i]);
}

/* Later frames are in flight when one fails. That one has an empty region,
 * since otherwise it may be collected without a call. */
TEST (test_failed_collect)
{
  Player p;
  guint kind, t;

  for (kind = 0; kind < N_KINDS; kind++) {
    start_kind (&p, kind);
    for (t = 0; t < N_FRAMES; t++) {
      if (t == 6) {
        front_driver_fail ("synchronize", 1);
        collect (&p, t % p.n_slots, CCA_ERROR_DEVICE);
        fail_unless (front_driver_failed ());
        cca_engine_reset_background (p.ref);
      }
      p.params.roi.x = t + p.n_slots == 6 ? WIDTH : 0;
      play (&p, t, t % 2, NULL, 0, SEEN);
    }
    stop (&p);
  }
}

/* A frame is done when its background is copied, not when its components are
 * known. */
TEST (test_picture)
{
  guint8 picture[N_PIXELS] = {0};
  CUdeviceptr on_gpu;
  CcaResult result;
  Player p;
  guint kind, t;

  on_gpu = (CUdeviceptr) rig_upload (picture, N_PIXELS);
  for (kind = 0; kind < N_KINDS; kind++) {
    start_kind (&p, kind);
    for (t = 0; t < N_FRAMES; t++) {
      const CcaFrame frame = {.data = p.copies[t],
        .width = WIDTH,
        .height = HEIGHT,
        .stride = WIDTH,
        .background = (void *) on_gpu,
        .background_stride = WIDTH};
      CudaEngine *engine = (CudaEngine *) p.engine;
      const CudaSlot *slot = &engine->slots[0];
      guint n;

      engine->wait.blocks = FALSE;
      front_driver.delays = TRUE;
      assert_equals_int (cca_engine_analyse (p.engine, 0, &frame, &p.params),
          CCA_OK);
      front_driver.delays = FALSE;
      /* until the components are known */
      for (n = 0; n < 1000
          && __atomic_load_n (&slot->mailbox->done, __ATOMIC_ACQUIRE) >> 48
              != slot->fence.number;
          n++)
        g_usleep (1000);
      assert_equals_int (cca_engine_collect (p.engine, 0, &result), CCA_OK);
      fail_if (front_driver.is_delayed);
    }
    stop (&p);
  }
  rig_release ((const guint8 *) on_gpu);
}

/* Compares the background with that of the reference engine. */
static void
assert_exports (Player *p)
{
  const CcaBackground form = cca_engine_get_background (p->ref);
  const gsize size = cca_background_state_size (&form);
  guint8 *state = g_malloc (size), *expected = g_malloc (size);

  assert_equals_int (cca_engine_export_background (p->engine, state), CCA_OK);
  assert_equals_int (cca_engine_export_background (p->ref, expected), CCA_OK);
  assert_equals_int (memcmp (state, expected, size), 0);
  g_free (state);
  g_free (expected);
}

static const struct
{
  const gchar *call;
  guint nth;
} copy_failures[] = {
  {"push", 1},
  {"stream", 1},
  {"record", 1},
  {"wait", 1},
  {"copy-rows", 1},
  {"copy-rows", 2},
  {"finish", 1},
};

/* After an export that fails the background is as before. After an import that
 * fails there is none. */
TEST_LOOP (test_failed_copy, 0, G_N_ELEMENTS (copy_failures))
{
  const gchar *call = copy_failures[__i__].call;
  const guint nth = copy_failures[__i__].nth;
  Player p;
  guint kind, t;

  for (kind = 0; kind < N_KINDS; kind++) {
    CcaBackground form;
    guint8 *state;

    start_kind (&p, kind);
    p.awake = TRUE; /* no event is recorded yet */
    for (t = 0; t < 5; t++)
      play (&p, t, t % 2, NULL, 0, SEEN);
    form = cca_engine_get_background (p.engine);
    state = g_malloc (cca_background_state_size (&form));
    front_driver_fail (call, nth);
    fail_unless (cca_engine_export_background (p.engine, state) != CCA_OK);
    fail_unless (front_driver_failed ());
    assert_exports (&p);
    for (; t < 8; t++)
      play (&p, t, t % 2, NULL, 0, SEEN);
    assert_exports (&p);

    assert_equals_int (cca_engine_export_background (p.engine, state), CCA_OK);
    play (&p, t, t % 2, NULL, 0, SEEN);
    t++;
    front_driver_fail (call, nth);
    fail_unless (
        cca_engine_import_background (p.engine, &form, state) != CCA_OK);
    fail_unless (front_driver_failed ());
    fail_unless (cca_engine_get_background (p.engine).n_frames == 0);
    cca_engine_reset_background (p.ref);
    for (; t < 12; t++)
      play (&p, t, t % 2, NULL, 0, SEEN);
    assert_exports (&p);
    g_free (state);
    stop (&p);
  }
}

/* Memory for one of the slots, and then for the background, is not there. */
TEST (test_allocation)
{
  Player p;
  guint kind, nth, t;
  gboolean failed;

  for (kind = 0; kind < N_KINDS; kind++) {
    start_kind (&p, kind);
    failed = TRUE;
    for (nth = 1; failed; nth++) {
      CcaEngine *engine =
          rig_open (kind & 1 ? CCA_CUDA_FLSL_CD : CCA_CUDA_TILED);
      CcaStatus status;

      front_driver_fail ("alloc", nth);
      status = configure (engine, p.params.foreground, p.n_slots, HEIGHT, 2);
      failed = front_driver_failed ();
      assert_equals_int (status, failed ? CCA_ERROR_NO_MEMORY : CCA_OK);
      if (failed) {
        assert_equals_string (cca_engine_error (engine),
            "GPU memory for the analysis: memory ran out");
        assert_equals_int (analyse (&p, engine, 0, 0),
            CCA_ERROR_NOT_CONFIGURED);
        assert_equals_int (configure (engine, p.params.foreground, p.n_slots,
                               HEIGHT, 2),
            CCA_OK);
      }
      cca_engine_free (&p.engine);
      p.engine = engine;
      cca_engine_reset_background (p.ref);
      for (t = 0; t < 4; t++)
        play (&p, t, t % 2, NULL, 0, SEEN);
      for (t = 0; t < p.n_slots; t++)
        collect (&p, t, CCA_OK);
    }
    /* one for each slot, the background, and one that did not fail */
    assert_equals_int (nth, p.n_slots + 3);
    stop (&p);
  }
}

/* Configures and plays frames. Configure allocates exactly if the memory does
 * not suffice. */
static void
assert_allocates (Player *p, CcaForeground foreground, guint height,
    guint distance, gboolean allocates)
{
  guint n_allocs = front_driver.n_allocs, t;

  assert_equals_int (configure (p->engine, foreground, p->n_slots, height,
                         distance),
      CCA_OK);
  assert_equals_int (front_driver.n_allocs > n_allocs, allocates);
  assert_equals_int (configure (p->ref, foreground, p->n_slots, height,
                         distance),
      CCA_OK);
  p->params.foreground = foreground;
  for (t = 0; t < 5 && height == HEIGHT; t++)
    play (p, t, t % 2, NULL, 0, SEEN);
  for (t = 0; t < p->n_slots; t++)
    collect (p, t, CCA_OK);
}

TEST (test_configure_again)
{
  Player p;

  start (&p, CCA_CUDA_TILED, CCA_FOREGROUND_DIFFERENCE, 2);
  assert_allocates (&p, CCA_FOREGROUND_DIFFERENCE, HEIGHT, 2, FALSE);
  assert_allocates (&p, CCA_FOREGROUND_DIFFERENCE, HEIGHT / 2, 2, FALSE);
  assert_allocates (&p, CCA_FOREGROUND_DIFFERENCE, HEIGHT, 1, FALSE);
  assert_allocates (&p, CCA_FOREGROUND_DIFFERENCE, HEIGHT, 2, FALSE);
  assert_allocates (&p, CCA_FOREGROUND_THRESHOLD, HEIGHT, 0, FALSE);
  assert_allocates (&p, CCA_FOREGROUND_DIFFERENCE, HEIGHT, 2, FALSE);
  assert_allocates (&p, CCA_FOREGROUND_DIFFERENCE, HEIGHT, 3, TRUE);
  assert_allocates (&p, CCA_FOREGROUND_SIGMA_DELTA, HEIGHT, 0, TRUE);
  assert_allocates (&p, CCA_FOREGROUND_SIGMA_DELTA, HEIGHT / 2, 0, FALSE);
  assert_allocates (&p, CCA_FOREGROUND_SIGMA_DELTA, HEIGHT, 0, FALSE);
  assert_allocates (&p, CCA_FOREGROUND_OTSU, HEIGHT, 0, TRUE);
  assert_allocates (&p, CCA_FOREGROUND_DIFFERENCE, HEIGHT, 2, TRUE);
  stop (&p);
}

SUITE ("cuda-background", .setup = rig_setup, .teardown = rig_teardown,
    .timeout = 120);
