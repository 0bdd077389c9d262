/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The back-off sleep in the wait for a frame while other engines have frames in
 * flight: its conditions and its length; and the launch throttle. */

#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "../check/suite.h"
#include "cuda-rig.h"
#include "frames.h"
#include "cuda/state.h"
#include "front-driver.h"

#define WIDTH 70
#define HEIGHT 40
#define N_OTHERS 3

static const guint8 *frame;
static CcaEngine *engine, *other;
static CudaWait *wait;

static struct
{
  guint n;
  guint64 length;       /* of the last one, in nanoseconds */
  int timer;            /* that was set last */
  gboolean no_timers;   /* there are none */
  gboolean long_enough; /* the GPU is done after it */
  void (*after) (void); /* called at the end of a sleep */
} back_off;

int __real_timerfd_create (int clock, int flags);
int __wrap_timerfd_create (int clock, int flags);
int
__wrap_timerfd_create (int clock, int flags)
{
  return back_off.no_timers ? -1 : __real_timerfd_create (clock, flags);
}

int __wrap_timerfd_settime (int timer, int flags, const struct itimerspec *time,
    struct itimerspec *old);
int
__wrap_timerfd_settime (int timer, int flags, const struct itimerspec *time,
    struct itimerspec *old)
{
  back_off.timer = timer;
  back_off.length = time->it_value.tv_nsec;
  return timer >= 0 ? 0 : -1;
}

ssize_t __real_read (int fd, void *to, size_t size);
ssize_t __wrap_read (int fd, void *to, size_t size);
ssize_t
__wrap_read (int fd, void *to, size_t size)
{
  if (fd != back_off.timer)
    return __real_read (fd, to, size);
  back_off.n++;
  if (back_off.long_enough) {
    fail_unless (gpu_enter (rig_gpu));
    fail_unless (rig_gpu->stream_synchronize (NULL) == CUDA_SUCCESS);
    gpu_leave (rig_gpu);
  }
  if (back_off.after != NULL)
    back_off.after ();
  return size;
}

static void
throttle (guint64 now)
{
  cca_cuda_throttle_end (wait, cca_cuda_throttle_begin (wait, now));
}

static void
analyse (CcaEngine *which, guint slot)
{
  const CcaFrame f = plain_frame (frame, WIDTH, HEIGHT);
  const CcaParams params = CCA_DEFAULT_PARAMS;

  assert_equals_int (cca_engine_analyse (which, slot, &f, &params), CCA_OK);
}

static void
collect (CcaEngine *which, guint slot)
{
  CcaResult result;

  assert_equals_int (cca_engine_collect (which, slot, &result), CCA_OK);
  assert_equals_int (result.n_found, 1);
}

/* The simulated GPU runs the last launches only during a wait: no frame is done
 * before. */
static CcaEngine *
open_one (guint n_slots)
{
  const CcaConfig config = plain_config (WIDTH, HEIGHT, 100, n_slots);
  CcaEngine *one = rig_open (CCA_CUDA_TILED);

  ((CudaEngine *) one)->gpu.graphs = FALSE;
  assert_equals_int (cca_engine_configure (one, &config), CCA_OK);
  return one;
}

static void
setup (void)
{
  guint8 pixels[WIDTH * HEIGHT];

  rig_setup ();
  memset (pixels, 255, sizeof (pixels));
  frame = rig_upload (pixels, sizeof (pixels));
  engine = open_one (1);
  other = open_one (N_OTHERS);
  wait = &((CudaEngine *) engine)->wait;
}

static void
teardown (void)
{
  cca_engine_free (&engine);
  cca_engine_free (&other);
  rig_release (frame);
  rig_teardown ();
}

/* The sleep and the change of the next one's length. The number of others, the
 * length, the limit of the spin in ns, whether the thread blocks on the event
 * and whether the frame is done after the sleep decide. */
static const struct
{
  guint n_others;
  guint64 length, spin_limit;
  gboolean blocks, long_enough;
  guint n_sleeps;
  gint change;
} sleeps[] = {
  {0, 100000, 2000000, FALSE, FALSE, 0, 0},
  {N_OTHERS - 1, 100000, 2000000, FALSE, FALSE, 0, 0},
  {N_OTHERS, 80000, 2000000, TRUE, FALSE, 0, 0},
  {N_OTHERS, 80000, 2000000, FALSE, TRUE, 1, -1},
  {N_OTHERS, 80000, 2000000, FALSE, FALSE, 1, 1},
  {N_OTHERS, 0, 2000000, FALSE, FALSE, 0, 1},
  {N_OTHERS, 80000, 0, FALSE, FALSE, 1, 0},
};

TEST_LOOP (test_sleeps, 0, G_N_ELEMENTS (sleeps))
{
  const guint64 length = sleeps[__i__].length;
  guint i;

  for (i = 0; i < sleeps[__i__].n_others; i++)
    analyse (other, i);
  wait->blocks = sleeps[__i__].blocks;
  analyse (engine, 0);
  back_off.long_enough = sleeps[__i__].long_enough;
  wait->spin_limit = sleeps[__i__].spin_limit;
  wait->sleep = length;
  back_off.n = 0;
  collect (engine, 0);
  assert_equals_int (back_off.n, sleeps[__i__].n_sleeps);
  if (back_off.n > 0)
    assert_equals_uint64 (back_off.length, length);
  assert_equals_int ((wait->sleep > length) - (wait->sleep < length),
      sleeps[__i__].change);
  for (i = 0; i < sleeps[__i__].n_others; i++)
    collect (other, i);
}

#define WHILE 3000000 /* nanoseconds */
#define MAX_SLEEPS 10

/* Threads that arrive later yield to a thread that has waited for the driver
 * for long. */
TEST (test_turns)
{
  guint64 now = cca_cuda_now () + 10 * WHILE;
  guint32 stuck, turn;
  guint i;

  back_off.n = 0;
  for (i = 0; i < 5; i++)
    throttle (now += WHILE);
  stuck = cca_cuda_throttle_begin (wait, now);
  for (i = 0; i < 5; i++)
    throttle (now);
  assert_equals_int (back_off.n, 0);
  turn = cca_cuda_throttle_begin (wait, now += WHILE);
  fail_unless (turn != stuck);
  cca_cuda_throttle_end (wait, turn);
  assert_equals_int (back_off.n, 0);
  for (i = 1; i < 5; i++) {
    throttle (now += WHILE);
    assert_equals_int (back_off.n, i * MAX_SLEEPS);
  }
  cca_cuda_throttle_end (wait, stuck);
  for (i = 0; i < 5; i++)
    throttle (now += WHILE);
  assert_equals_int (back_off.n, 4 * MAX_SLEEPS);
  /* a clock that another thread has read later */
  throttle (now - WHILE);
  stuck = cca_cuda_throttle_begin (wait, now);
  throttle (now += WHILE);
  throttle (now - 1);
  assert_equals_int (back_off.n, 4 * MAX_SLEEPS);
  cca_cuda_throttle_end (wait, stuck);
}

static guint32 stuck_turn;
static guint64 time_now;

static void
get_through (void)
{
  back_off.after = NULL;
  cca_cuda_throttle_end (wait, stuck_turn);
}

/* The next group of threads has arrived already. */
static void
get_through_and_others_come (void)
{
  get_through ();
  throttle (time_now += WHILE);
  stuck_turn = cca_cuda_throttle_begin (wait, time_now);
}

/* Until then, and no longer. */
TEST (test_got_through)
{
  guint i;

  time_now = cca_cuda_now () + 10 * WHILE;
  for (i = 0; i < 2; i++) {
    back_off.n = 0;
    throttle (time_now += WHILE);
    stuck_turn = cca_cuda_throttle_begin (wait, time_now);
    throttle (time_now += WHILE);
    assert_equals_int (back_off.n, 0);
    back_off.after = i == 0 ? get_through : get_through_and_others_come;
    throttle (time_now += WHILE);
    assert_equals_int (back_off.n, 1);
  }
  cca_cuda_throttle_end (wait, stuck_turn);
}

/* A thread that failed to begin a frame does not count as waiting. */
TEST (test_failed_turn)
{
  const CcaFrame f = plain_frame (frame, WIDTH, HEIGHT);
  const CcaParams params = CCA_DEFAULT_PARAMS;
  guint64 now;
  guint i;

  front_driver_fail ("push", 1);
  fail_unless (cca_engine_analyse (engine, 0, &f, &params) != CCA_OK);
  fail_unless (front_driver_failed ());
  now = cca_cuda_now ();
  back_off.n = 0;
  for (i = 0; i < 3; i++)
    throttle (now += WHILE);
  assert_equals_int (back_off.n, 0);
}

/* Without a timer no thread sleeps. */
TEST (test_no_timer)
{
  CcaEngine *plain = engine;
  guint i;

  back_off.no_timers = TRUE;
  engine = open_one (1);
  wait = &((CudaEngine *) engine)->wait;
  fail_unless (wait->timer < 0);
  for (i = 0; i < N_OTHERS; i++)
    analyse (other, i);
  analyse (engine, 0);
  wait->blocks = FALSE;
  wait->spin_limit = 2000000;
  wait->sleep = 80000;
  back_off.n = 0;
  collect (engine, 0);
  assert_equals_int (back_off.n, 0);
  assert_equals_uint64 (wait->sleep, 80000);
  for (i = 0; i < N_OTHERS; i++)
    collect (other, i);
  cca_engine_free (&engine);
  engine = plain;
}

SUITE ("cuda-waits", .setup = setup, .teardown = teardown, .timeout = 120);
