/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_FRONT_DRIVER_H__
#define __CCA_FRONT_DRIVER_H__

#include <glib.h>

G_BEGIN_DECLS

/* A layer between the engine and the driver, which the engine gets from
 * dlsym(). The linker wraps that function. */

typedef struct
{
  int major;                    /* the GPU's compute capability */
  gboolean cooperates;          /* it has cooperative launches ... */
  gboolean refuses_together;    /* ... but refuses each */
  int shared;                   /* memory of a block; 0: that of the GPU */
  guint n_modules;              /* that are loaded now */
  guint n_allocs;               /* of device memory */
  guint n_waits;                /* of streams for events */
  guint n_launches;
  guint n_overlapping;          /* launches that may begin early */
  guint n_together;             /* cooperative launches */
  guint n_records;              /* of events */
  guint n_synchronizes;         /* with them */
  guint n_graph_launches, n_graph_updates;
  const gchar *lacks;           /* entry point; NULL: none */
  gboolean captures;            /* each stream does */
  guint n_copies;               /* to the device */
  int error;                    /* of calls that fail; 0: one for each kind */
  gboolean delays;              /* a copy of rows until an event is recorded */
  gboolean is_delayed;          /* such a copy is not done yet */
} FrontDriver;

extern FrontDriver front_driver;

/* The nth call of that kind from now on fails, counted from 1: "push" (of a
 * context), "load" (of a module), "function" (of it), "alloc", "clear", "copy"
 * (to the device), "wait" (of a stream for an event), "launch", "record",
 * "synchronize" (of the host with an event), "stream" (that is created),
 * "copy-rows", "finish" (of such a stream), "graph-add", "graph-set" or
 * "graph-launch". */
void front_driver_fail (const gchar * call, guint nth);

/* Nothing fails any more. TRUE: it has failed. */
gboolean front_driver_failed (void);

G_END_DECLS

#endif /* __CCA_FRONT_DRIVER_H__ */
