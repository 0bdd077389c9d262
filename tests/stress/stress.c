/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* stress ELEMENT [SECONDS [SEED]]: frames, events, queries and changes of state
 * and properties from several threads at once. Each result is compared with a
 * flood fill of its own buffer. Rounds of some seconds, each with new elements.
 * The default of SECONDS is CCA_STRESS_SECONDS, or 10. */

#include "stress.h"

#include <stdlib.h>
#include <stdio.h>

#define ROUND 4 /* seconds */
#define PATIENCE \
  60 /* seconds without a step of a thread, and
                                 * more for what has not happened yet */

struct _Actor
{
  const gchar *name;
  ActorFunc func;
  gpointer data;
  GRand *rand;
  GThread *thread;
  const gchar *doing; /* under the lock, as all below */
  gint64 since;
};

static GMutex lock;
static GCond tick;
static GList *actors;
static guint64 counts[N_COUNTS];
static guint n_actors, n_complaints;
static guint32 seed;
static gboolean round_over, ended;

void
count (Count what)
{
  g_mutex_lock (&lock);
  counts[what]++;
  g_mutex_unlock (&lock);
}

void
complain (const gchar *format, ...)
{
  va_list args;
  gchar *sentence;

  va_start (args, format);
  sentence = g_strdup_vprintf (format, args);
  va_end (args);
  g_mutex_lock (&lock);
  if (n_complaints++ < 5)
    g_printerr ("stress: FAIL: %s\n", sentence);
  round_over = TRUE;
  g_mutex_unlock (&lock);
  g_free (sentence);
}

/* --- threads -------------------------------------------------------------- */

static gpointer
run_actor (gpointer data)
{
  Actor *actor = data;

  actor->func (actor, actor->data);
  return NULL;
}

Actor *
actor_start (const gchar *name, ActorFunc func, gpointer data)
{
  Actor *actor = g_new0 (Actor, 1);

  actor->name = name;
  actor->func = func;
  actor->data = data;
  actor->doing = "starts";
  actor->since = g_get_monotonic_time ();
  g_mutex_lock (&lock);
  actor->rand = g_rand_new_with_seed_array ((guint32[]) {seed, ++n_actors}, 2);
  actors = g_list_prepend (actors, actor);
  g_mutex_unlock (&lock);
  actor->thread = g_thread_new (name, run_actor, actor);
  return actor;
}

void
actor_join (Actor *actor)
{
  g_thread_join (actor->thread);
  g_mutex_lock (&lock);
  actors = g_list_remove (actors, actor);
  g_mutex_unlock (&lock);
  g_rand_free (actor->rand);
  g_free (actor);
}

guint
dice (Actor *actor, guint n)
{
  return g_rand_int_range (actor->rand, 0, n);
}

gboolean
actor_goes_on (Actor *actor, const gchar *doing)
{
  gboolean over;

  g_mutex_lock (&lock);
  actor->doing = doing;
  actor->since = g_get_monotonic_time ();
  over = round_over;
  g_mutex_unlock (&lock);
  return !over;
}

/* Aborts if a thread makes no step, because a hanging thread cannot be
 * joined. */
static gpointer
watch (gpointer unused)
{
  g_mutex_lock (&lock);
  while (!ended) {
    gint64 now = g_get_monotonic_time ();
    gboolean hangs = FALSE;
    GList *l;

    for (l = actors; l != NULL; l = l->next) {
      Actor *actor = l->data;

      hangs |= now - actor->since > PATIENCE * G_TIME_SPAN_SECOND;
    }
    for (l = actors; hangs && l != NULL; l = l->next) {
      Actor *actor = l->data;

      g_printerr ("stress: FAIL: hang: %s %s since %.1f s\n", actor->name,
          actor->doing, (now - actor->since) / 1e6);
    }
    if (hangs)
      abort ();
    g_cond_wait_until (&tick, &lock, now + G_TIME_SPAN_SECOND);
  }
  g_mutex_unlock (&lock);
  return NULL;
}

/* --- rounds --------------------------------------------------------------- */

static void
print_counts (const gchar *element, gint64 begin)
{
  gint seconds = (g_get_monotonic_time () - begin) / G_TIME_SPAN_SECOND;
  guint64 c[N_COUNTS];
  guint i;

  g_mutex_lock (&lock);
  for (i = 0; i < N_COUNTS; i++)
    c[i] = counts[i];
  g_mutex_unlock (&lock);

#define U "%" G_GUINT64_FORMAT
  g_print ("stress %d:%02d  %s: " U " results checked (" U " while properties "
           "changed, " U " truncated), " U " pushed, " U " crops, " U
           " caps, " U " flushes, " U " seeks, " U " states, " U " changes, " U
           " requests, " U " messages\n",
      seconds / 60, seconds % 60, element, c[N_CHECKED], c[N_RACED],
      c[N_TRUNCATED], c[N_PUSHED], c[N_CROPS], c[N_CAPS], c[N_FLUSHES],
      c[N_SEEKS], c[N_STATES], c[N_CHANGES], c[N_REQUESTS], c[N_MESSAGES]);
#undef U
  fflush (stdout);
}

static void
run_round (const gchar *element)
{
  gint64 end = g_get_monotonic_time () + ROUND * G_TIME_SPAN_SECOND;
  gpointer harness, pipeline;

  g_mutex_lock (&lock);
  round_over = FALSE;
  g_mutex_unlock (&lock);
  harness = harness_start (element);
  pipeline = pipeline_start (element);
  g_mutex_lock (&lock);
  while (!round_over && g_cond_wait_until (&tick, &lock, end))
    ;
  round_over = TRUE;
  g_mutex_unlock (&lock);
  harness_stop (harness);
  pipeline_stop (pipeline);
}

/* The first event that did not happen, or N_COUNTS. */
static guint
left_out (void)
{
  guint i;

  for (i = 0; i < N_COUNTS && counts[i] > 0; i++)
    ;
  return i;
}

/* That options are turned down while an element runs is as it should be. */
static void
ignore_warning (const gchar *domain, GLogLevelFlags level, const gchar *message,
    gpointer data)
{
  if (strstr (message, "NULL or READY") == NULL)
    complain ("%s", message);
}

int
main (int argc, char **argv)
{
  gint64 begin = g_get_monotonic_time (), end, last;
  const gchar *name;
  gint seconds = 10;
  GThread *watchdog;
  GstElementFactory *factory;

  gst_init (&argc, &argv);
  g_log_set_handler ("GStreamer-cca", G_LOG_LEVEL_WARNING, ignore_warning,
      NULL);
  if (argc < 2 || argc > 4) {
    g_printerr ("usage: stress ELEMENT [SECONDS [SEED]]\n");
    return 2;
  }
  name = argv[1];
  if (argc > 2)
    seconds = atoi (argv[2]);
  else if (g_getenv ("CCA_STRESS_SECONDS") != NULL)
    seconds = atoi (g_getenv ("CCA_STRESS_SECONDS"));
  seed = argc > 3 ? strtoul (argv[3], NULL, 10) : (guint32) g_get_real_time ();
  factory = gst_element_factory_find (name);
  if (factory == NULL || (g_str_equal (name, "cudacca") && !cuda_start ())) {
    g_print ("stress: skipped: there is no element %s\n", name);
    return 77;
  }
  gst_object_unref (factory);

  g_print ("stress: seed %u; again: stress %s %d %u\n", seed, name, seconds,
      seed);
  end = begin + seconds * G_TIME_SPAN_SECOND;
  last = end + PATIENCE * G_TIME_SPAN_SECOND;
  watchdog = g_thread_new ("watchdog", watch, NULL);
  while (n_complaints == 0
      && (g_get_monotonic_time () < end
          || (left_out () < N_COUNTS && g_get_monotonic_time () < last))) {
    run_round (name);
    print_counts (name, begin);
  }
  if (n_complaints == 0 && left_out () < N_COUNTS)
    complain ("kind %u of what was to happen did not", left_out ());
  g_mutex_lock (&lock);
  ended = TRUE;
  g_cond_broadcast (&tick);
  g_mutex_unlock (&lock);
  g_thread_join (watchdog);
  if (g_str_equal (name, "cudacca"))
    cuda_stop ();
  gst_deinit ();
  return n_complaints > 0;
}
