/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "records.h"

/* Sizes are powers of two: a block serves any frame of about as many
 * components. */
#define MIN_SHIFT 10
#define N_CLASSES (GST_CCA_RECORDS_MAX_SHIFT - MIN_SHIFT + 1)

/* As many frames as a pipeline commonly holds; more are freed at once. */
#define MAX_FREE_BLOCKS 32

typedef struct _Block Block;

struct _Block
{
  GstCcaRecords *records;
  Block *next;
  guint class;
  guint64 data[];
};

struct _GstCcaRecords
{
  gint refcount;
  GMutex lock;
  Block *free[N_CLASSES];
  guint n_free[N_CLASSES];
};

GstCcaRecords *
gst_cca_records_new (void)
{
  GstCcaRecords *self = g_new0 (GstCcaRecords, 1);

  self->refcount = 1;
  g_mutex_init (&self->lock);
  return self;
}

static GstCcaRecords *
gst_cca_records_ref (GstCcaRecords * self)
{
  g_atomic_int_inc (&self->refcount);
  return self;
}

void
gst_cca_records_unref (GstCcaRecords * self)
{
  guint i;

  if (!g_atomic_int_dec_and_test (&self->refcount))
    return;
  for (i = 0; i < N_CLASSES; i++) {
    while (self->free[i] != NULL) {
      Block *block = self->free[i];

      self->free[i] = block->next;
      g_free (block);
    }
  }
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* The last reference to the bytes went. */
static void
release (gpointer data)
{
  Block *block = data;
  GstCcaRecords *self = block->records;
  guint class = block->class;

  g_mutex_lock (&self->lock);
  if (self->n_free[class] < MAX_FREE_BLOCKS) {
    block->next = self->free[class];
    self->free[class] = block;
    self->n_free[class]++;
    block = NULL;
  }
  g_mutex_unlock (&self->lock);

  g_free (block);
  gst_cca_records_unref (self);
}

GBytes *
gst_cca_records_acquire (GstCcaRecords * self, gsize size, gpointer * data)
{
  guint class = 0;
  Block *block;

  while ((G_GUINT64_CONSTANT (1) << (class + MIN_SHIFT)) < size)
    class++;

  g_mutex_lock (&self->lock);
  block = self->free[class];
  if (block != NULL) {
    self->free[class] = block->next;
    self->n_free[class]--;
  }
  g_mutex_unlock (&self->lock);

  if (block == NULL) {
    block = g_try_malloc (sizeof (Block)
        + ((gsize) 1 << (class + MIN_SHIFT)));
    if (block == NULL)
      return NULL;
    block->class = class;
  }
  block->records = gst_cca_records_ref (self);
  *data = block->data;
  return g_bytes_new_with_free_func (block->data, size, release, block);
}
