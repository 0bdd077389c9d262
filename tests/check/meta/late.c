/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Preloaded: a thread that has signalled others, for example its end, is
 * delayed from then on, as on a busy machine, and keeps its references for
 * long. The main thread, which counts them, is not delayed. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <glib.h>
#include <unistd.h>

static __thread gboolean told;

#define REAL(name) \
  static void (*real) (gpointer); \
  if (real == NULL) \
  real = dlsym (RTLD_NEXT, name)

void
g_cond_signal (GCond *cond)
{
  REAL ("g_cond_signal");
  told = TRUE;
  real (cond);
}

void
g_cond_broadcast (GCond *cond)
{
  REAL ("g_cond_broadcast");
  told = TRUE;
  real (cond);
}

/* The threads that were signalled continue. */
#undef g_mutex_unlock
void
g_mutex_unlock (GMutex *mutex)
{
  REAL ("g_mutex_unlock");
  real (mutex);
  if (told && gettid () != getpid ())
    usleep (20000);
  told = FALSE;
}
