/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "wrap.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <gst/analytics/analytics.h>
#include <gst/video/video.h>

static gint countdown; /* 0: nothing is to fail */
static gboolean all;   /* after the first one */
static const gchar *failed;

#define MAX_NAMES 64
static const gchar *names[MAX_NAMES];
static guint n_failed[MAX_NAMES];

static void
arm (guint nth, gboolean others)
{
  failed = NULL;
  all = others;
  g_atomic_int_set (&countdown, nth);
}

void
faults_arm (guint nth)
{
  arm (nth, FALSE);
}

void
faults_arm_all (guint nth)
{
  arm (nth, TRUE);
}

const gchar *
faults_disarm (void)
{
  guint i = 0;

  g_atomic_int_set (&countdown, 0);
  if (failed == NULL)
    return NULL;
  while (names[i] != NULL && names[i] != failed)
    i++;
  g_assert (i < MAX_NAMES);
  names[i] = failed;
  n_failed[i]++;
  return failed;
}

void
faults_print (const gchar *title)
{
  guint i;

  g_print ("%s:", title);
  for (i = 0; i < MAX_NAMES && names[i] != NULL; i++) {
    g_print (" %s %u", names[i], n_failed[i]);
    names[i] = NULL;
    n_failed[i] = 0;
  }
  g_print ("\n");
}

gboolean
faults_now (const gchar *name)
{
  gint n = g_atomic_int_get (&countdown);

  while (n > (all ? 1 : 0)
      && !g_atomic_int_compare_and_exchange (&countdown, n, n - 1))
    n = g_atomic_int_get (&countdown);
  if (n == 1)
    failed = name;
  return n == 1;
}

/* *INDENT-OFF* */
WRAP (void *, malloc, (size_t size), (size), NULL)
WRAP (void *, calloc, (size_t n, size_t size), (n, size), NULL)
WRAP (void *, realloc, (void *p, size_t size), (p, size), NULL)
WRAP (void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size),
    NULL)
WRAP (int, posix_memalign, (void **p, size_t alignment, size_t size),
    (p, alignment, size), ENOMEM)
WRAP (void *, mmap,
    (void *address, size_t size, int protection, int flags, int fd,
        off_t offset),
    (address, size, protection, flags, fd, offset), MAP_FAILED)
WRAP (void *, mmap64,
    (void *address, size_t size, int protection, int flags, int fd,
        off_t offset),
    (address, size, protection, flags, fd, offset), MAP_FAILED)
WRAP (int, pthread_create,
    (pthread_t * thread, const pthread_attr_t *attr, void *(*run) (void *),
        void *data),
    (thread, attr, run, data), EAGAIN)

WRAP (gpointer, g_try_malloc, (gsize size), (size), NULL)
WRAP (gpointer, g_try_malloc0, (gsize size), (size), NULL)
WRAP (gpointer, g_try_malloc_n, (gsize n, gsize size), (n, size), NULL)
WRAP (gpointer, g_try_malloc0_n, (gsize n, gsize size), (n, size), NULL)
WRAP (gpointer, g_try_realloc, (gpointer p, gsize size), (p, size), NULL)
WRAP (gpointer, g_try_realloc_n, (gpointer p, gsize n, gsize size),
    (p, n, size), NULL)

WRAP (GstMeta *, gst_buffer_add_meta,
    (GstBuffer * buffer, const GstMetaInfo *info, gpointer params),
    (buffer, info, params), NULL)
WRAP (gboolean, gst_buffer_find_memory,
    (GstBuffer * buffer, gsize offset, gsize size, guint *index, guint *length,
        gsize *skip),
    (buffer, offset, size, index, length, skip), FALSE)
WRAP (gboolean, gst_buffer_map_range,
    (GstBuffer * buffer, guint index, gint length, GstMapInfo *map,
        GstMapFlags flags),
    (buffer, index, length, map, flags), FALSE)
WRAP (gboolean, gst_memory_map,
    (GstMemory * memory, GstMapInfo *map, GstMapFlags flags),
    (memory, map, flags), FALSE)
WRAP (gboolean, gst_video_info_set_format,
    (GstVideoInfo * info, GstVideoFormat format, guint width, guint height),
    (info, format, width, height), FALSE)
WRAP (gboolean, gst_video_meta_map,
    (GstVideoMeta * meta, guint plane, GstMapInfo *map, gpointer *data,
        gint *stride, GstMapFlags flags),
    (meta, plane, map, data, stride, flags), FALSE)
WRAP (gboolean, gst_video_frame_map,
    (GstVideoFrame * frame, const GstVideoInfo *info, GstBuffer *buffer,
        GstMapFlags flags),
    (frame, info, buffer, flags), FALSE)
WRAP (gboolean, gst_buffer_pool_set_config,
    (GstBufferPool * pool, GstStructure *config), (pool, config),
    (gst_structure_free (config), FALSE))
WRAP (gboolean, gst_buffer_pool_set_active,
    (GstBufferPool * pool, gboolean active), (pool, active), FALSE)
WRAP (GstFlowReturn, gst_buffer_pool_acquire_buffer,
    (GstBufferPool * pool, GstBuffer **buffer,
        GstBufferPoolAcquireParams *params),
    (pool, buffer, params), GST_FLOW_ERROR)
WRAP (GstAnalyticsRelationMeta *, gst_buffer_add_analytics_relation_meta_full,
    (GstBuffer * buffer, GstAnalyticsRelationMetaInitParams *params),
    (buffer, params), NULL)
WRAP (gboolean, gst_analytics_relation_meta_add_od_mtd,
    (GstAnalyticsRelationMeta * meta, GQuark type, gint x, gint y, gint w,
        gint h, gfloat confidence, GstAnalyticsODMtd *object),
    (meta, type, x, y, w, h, confidence, object), FALSE)
WRAP (gboolean, gst_analytics_relation_meta_add_tracking_mtd,
    (GstAnalyticsRelationMeta * meta, guint64 id, GstClockTime first_seen,
        GstAnalyticsTrackingMtd *tracking),
    (meta, id, first_seen, tracking), FALSE)
WRAP (gboolean, gst_analytics_tracking_mtd_update_last_seen,
    (GstAnalyticsTrackingMtd * tracking, GstClockTime last_seen),
    (tracking, last_seen), FALSE)
WRAP (gboolean, gst_analytics_tracking_mtd_set_lost,
    (GstAnalyticsTrackingMtd * tracking), (tracking), FALSE)
WRAP (gboolean, gst_analytics_relation_meta_set_relation,
    (GstAnalyticsRelationMeta * meta, GstAnalyticsRelTypes type, guint a,
        guint b),
    (meta, type, a, b), FALSE)
/* *INDENT-ON* */
