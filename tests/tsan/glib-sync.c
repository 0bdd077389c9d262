/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Preloaded. Reports to ThreadSanitizer, which sees only code that is built
 * with it, the synchronisation inside GLib and GStreamer: locks that are
 * futexes, and reference counts. Each function calls the original and annotates
 * the release or the acquire. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <gst/gst.h>

void __tsan_acquire (void *address);
void __tsan_release (void *address);

#define REAL(name) \
  static gpointer real; \
  if (!real) \
  real = dlsym (RTLD_NEXT, #name)

#define CALL(type) ((type) real)

/* --- locks ---------------------------------------------------------------- */

#define LOCK(name, Type) \
  void name (Type *lock) \
  { \
    REAL (name); \
    CALL (void (*) (Type *)) (lock); \
    __tsan_acquire (lock); \
  }

#define TRYLOCK(name, Type) \
  gboolean name (Type *lock) \
  { \
    gboolean ok; \
    REAL (name); \
    ok = CALL (gboolean (*) (Type *)) (lock); \
    if (ok) \
      __tsan_acquire (lock); \
    return ok; \
  }

#define UNLOCK(name, Type) \
  void name (Type *lock) \
  { \
    REAL (name); \
    __tsan_release (lock); \
    CALL (void (*) (Type *)) (lock); \
  }

/* *INDENT-OFF* */
LOCK (g_mutex_lock, GMutex)
TRYLOCK (g_mutex_trylock, GMutex)
UNLOCK (g_mutex_unlock, GMutex)
LOCK (g_rec_mutex_lock, GRecMutex)
TRYLOCK (g_rec_mutex_trylock, GRecMutex)
UNLOCK (g_rec_mutex_unlock, GRecMutex)
/* *INDENT-ON* */

void
g_cond_wait (GCond *cond, GMutex *lock)
{
  REAL (g_cond_wait);
  __tsan_release (lock);
  CALL (void (*) (GCond *, GMutex *)) (cond, lock);
  __tsan_acquire (lock);
}

gboolean
g_cond_wait_until (GCond *cond, GMutex *lock, gint64 end)
{
  gboolean ok;
  REAL (g_cond_wait_until);
  __tsan_release (lock);
  ok = CALL (gboolean (*) (GCond *, GMutex *, gint64)) (cond, lock, end);
  __tsan_acquire (lock);
  return ok;
}

/* --- once ----------------------------------------------------------------- */

/* Readers load the location atomically, which is an acquire of it. */
void (g_once_init_leave) (volatile void *location, gsize result)
{
  REAL (g_once_init_leave);
  __tsan_release ((void *) location);
  CALL (void (*) (volatile void *, gsize)) (location, result);
}

gboolean (g_once_init_enter) (volatile void *location)
{
  gboolean first;
  REAL (g_once_init_enter);
  first = CALL (gboolean (*) (volatile void *)) (location);
  __tsan_acquire ((void *) location);
  return first;
}

/* --- references ----------------------------------------------------------- */

/* The release of the last reference happens after all others. */
#define UNREF(name) \
  void name (gpointer object) \
  { \
    REAL (name); \
    __tsan_release (object); \
    __tsan_acquire (object); \
    CALL (void (*) (gpointer)) (object); \
  }

#undef gst_mini_object_unref
#undef g_bytes_unref

/* *INDENT-OFF* */
UNREF (g_object_unref)
UNREF (gst_object_unref)
/* *INDENT-ON* */

void
gst_mini_object_unref (GstMiniObject *object)
{
  REAL (gst_mini_object_unref);
  __tsan_release (object);
  __tsan_acquire (object);
  CALL (void (*) (GstMiniObject *)) (object);
}

/* So does the return of TRUE, which means that no other reference exists. */
gboolean
gst_mini_object_is_writable (const GstMiniObject *object)
{
  gboolean alone;
  REAL (gst_mini_object_is_writable);
  alone = CALL (gboolean (*) (const GstMiniObject *)) (object);
  if (alone)
    __tsan_acquire ((gpointer) object);
  return alone;
}

/* GStreamer's implementation, with the functions of this file. */
GstMiniObject *
gst_mini_object_make_writable (GstMiniObject *object)
{
  GstMiniObject *copy;

  if (gst_mini_object_is_writable (object))
    return object;
  copy = gst_mini_object_copy (object);
  gst_mini_object_unref (object);
  return copy;
}

void
g_bytes_unref (GBytes *bytes)
{
  REAL (g_bytes_unref);
  if (bytes != NULL) {
    __tsan_release (bytes);
    __tsan_acquire (bytes);
  }
  CALL (void (*) (GBytes *)) (bytes);
}

/* If GStreamer itself drops the last reference to a buffer, the free functions
 * of its metas are the first instrumented functions that run. */
#define MAX_METAS 16

static struct
{
  const GstMetaInfo *info;
  GstMetaFreeFunction free;
} metas[MAX_METAS];

static void
free_meta (GstMeta *meta, GstBuffer *buffer)
{
  guint i;

  __tsan_acquire (buffer);
  for (i = 0; i < MAX_METAS; i++)
    if (metas[i].info == meta->info)
      metas[i].free (meta, buffer);
}

const GstMetaInfo *
gst_meta_info_register (GstMetaInfo *info)
{
  guint i = 0;
  REAL (gst_meta_info_register);
  while (i < MAX_METAS && metas[i].info != NULL)
    i++;
  if (i == MAX_METAS)
    g_error ("there are more than %d metas", MAX_METAS);
  if (info->free_func != NULL) {
    metas[i].free = info->free_func;
    metas[i].info = info;
    info->free_func = free_meta;
  }
  return CALL (const GstMetaInfo *(*) (GstMetaInfo *) ) (info);
}

/* --- handing over --------------------------------------------------------- */

void
g_async_queue_push (GAsyncQueue *queue, gpointer data)
{
  REAL (g_async_queue_push);
  __tsan_release (queue);
  CALL (void (*) (GAsyncQueue *, gpointer)) (queue, data);
}

gpointer
g_async_queue_try_pop (GAsyncQueue *queue)
{
  gpointer data;
  REAL (g_async_queue_try_pop);
  data = CALL (gpointer (*) (GAsyncQueue *)) (queue);
  __tsan_acquire (queue);
  return data;
}

gpointer
g_async_queue_timeout_pop (GAsyncQueue *queue, guint64 timeout)
{
  gpointer data;
  REAL (g_async_queue_timeout_pop);
  data = CALL (gpointer (*) (GAsyncQueue *, guint64)) (queue, timeout);
  __tsan_acquire (queue);
  return data;
}

/* A pool of buffers is a queue without locks, and keeps the metas' memory. */
GstFlowReturn
gst_buffer_pool_acquire_buffer (GstBufferPool *pool, GstBuffer **buffer,
    GstBufferPoolAcquireParams *params)
{
  GstFlowReturn ret;
  REAL (gst_buffer_pool_acquire_buffer);
  ret = CALL (GstFlowReturn (*) (GstBufferPool *, GstBuffer **,
      GstBufferPoolAcquireParams *)) (pool, buffer, params);
  if (ret == GST_FLOW_OK)
    __tsan_acquire (*buffer);
  return ret;
}

/* A pool of threads lives as long as its elements do: few bytes are kept. */
typedef struct
{
  GFunc func;
  gpointer data;
} Job;

static void
run_job (gpointer task, gpointer data)
{
  Job *job = data;

  __tsan_acquire (task);
  job->func (task, job->data);
}

GThreadPool *
g_thread_pool_new (GFunc func, gpointer data, gint max, gboolean exclusive,
    GError **error)
{
  Job *job = g_new (Job, 1);
  REAL (g_thread_pool_new);
  *job = (Job) {func, data};
  return CALL (
      GThreadPool * (*) (GFunc, gpointer, gint, gboolean, GError **) ) (run_job,
      job, max, exclusive, error);
}

gboolean
g_thread_pool_push (GThreadPool *pool, gpointer task, GError **error)
{
  REAL (g_thread_pool_push);
  __tsan_release (task);
  return CALL (
      gboolean (*) (GThreadPool *, gpointer, GError **)) (pool, task, error);
}
