/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Preloaded: a thread that has told others of something, such as its end, is
 * late from then on, as it may be on a busy machine. What it still holds is held
 * for long. Not the first thread, which looks at what is held. */

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

/* Those who were told now go on. */
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
