/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Memory such as that of a GPU under plain caps, whose bytes are accessible only
 * while it is mapped, and which counts its maps. Also the memory that the element
 * uses, and lack of memory. */

#include "util.h"

#include <malloc.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define FORMAT GST_VIDEO_FORMAT_NV12
#define WIDTH 33
#define HEIGHT 17

typedef struct
{
  GstMemory memory;
  guint8 *hidden; /* the contents; maps get a copy */
  guint8 *shown;  /* while it is mapped */
  gboolean refuses;
  guint n_maps;
} FarMemory;

typedef GstAllocator FarAllocator;
typedef GstAllocatorClass FarAllocatorClass;

GType far_allocator_get_type (void);
G_DEFINE_TYPE (FarAllocator, far_allocator, GST_TYPE_ALLOCATOR);

static gpointer
far_map (GstMemory *memory, GstMapInfo *info, gsize size)
{
  FarMemory *far = (FarMemory *) memory;

  /* to write is none of an analyser's business */
  fail_unless ((info->flags & GST_MAP_READWRITE) == GST_MAP_READ);
  if (far->refuses)
    return NULL;
  far->n_maps++;
  fail_unless (far->shown == NULL);
  far->shown = g_memdup2 (far->hidden, memory->maxsize);
  return far->shown;
}

static void
far_unmap (GstMemory *memory)
{
  g_clear_pointer (&((FarMemory *) memory)->shown, g_free);
}

static void
far_free (GstAllocator *allocator, GstMemory *memory)
{
  FarMemory *far = (FarMemory *) memory;

  fail_unless (far->shown == NULL);
  g_free (far->hidden);
  g_free (far);
}

static void
far_allocator_class_init (FarAllocatorClass *klass)
{
  klass->free = far_free;
}

static void
far_allocator_init (FarAllocator *self)
{
  self->mem_type = "far";
  self->mem_map_full = far_map;
  self->mem_unmap = far_unmap;
  GST_OBJECT_FLAG_SET (self, GST_ALLOCATOR_FLAG_CUSTOM_ALLOC);
}

/* The same buffer in far memory. */
static FarMemory *
move (GstBuffer *buffer)
{
  GstAllocator *allocator = g_object_new (far_allocator_get_type (), NULL);
  gsize size = gst_buffer_get_size (buffer);
  FarMemory *far = g_new0 (FarMemory, 1);

  far->hidden = g_malloc (size);
  gst_buffer_extract (buffer, 0, far->hidden, size);
  gst_memory_init (GST_MEMORY_CAST (far), GST_MEMORY_FLAG_NO_SHARE, allocator,
      NULL, size, 0, 0, size);
  gst_buffer_replace_all_memory (buffer, GST_MEMORY_CAST (far));
  gst_object_unref (allocator);
  return far;
}

TEST_LOOP (test_far_memory, 0, 2)
{
  const Layout layout = {TRUE, 13, 5};
  Picture picture = picture_new (WIDTH, HEIGHT, noise, 2);
  GArray *expected = expect (&picture, &default_look);
  GstHarness *h = harness_new ("cca", FORMAT, WIDTH, HEIGHT, NULL);
  GstBuffer *in = frame_new (FORMAT, &picture, __i__ ? &layout : NULL);
  FarMemory *far = move (in);
  GstBuffer *out = gst_harness_push_and_pull (h, in);

  fail_unless (out == in);
  fail_unless (gst_buffer_peek_memory (out, 0) == GST_MEMORY_CAST (far));
  assert_components (gst_buffer_get_cca_meta (out), expected);
  assert_equals_int (far->n_maps, 1);
  fail_unless (far->shown == NULL);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
  g_array_unref (expected);
  picture_clear (&picture);
}

TEST_LOOP (test_memory_that_cannot_be_mapped, 0, 2)
{
  const Layout layout = {TRUE, 13, 5};
  Picture picture = picture_new (WIDTH, HEIGHT, noise, 2);
  GstBus *bus;
  GstHarness *h = harness_new ("cca", FORMAT, WIDTH, HEIGHT, &bus);
  GstBuffer *buffer = frame_new (FORMAT, &picture, __i__ ? &layout : NULL);

  move (buffer)->refuses = TRUE;
  assert_equals_int (gst_harness_push (h, buffer), GST_FLOW_ERROR);
  assert_error_of (bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
      "cannot be mapped for reading");
  assert_analysis (h, FORMAT, &picture, &default_look);
  harness_free (h, bus);
  picture_clear (&picture);
}

/* A meta may have its own map function, which returns other strides. */
static guint8 bytes[WIDTH * HEIGHT];
static gint meta_stride;
static gsize meta_size;
static gint n_mapped;

static gboolean
map_bytes (GstVideoMeta *meta, guint plane, GstMapInfo *info, gpointer *data,
    gint *stride, GstMapFlags flags)
{
  assert_equals_int (plane, 0);
  *info = (GstMapInfo) {.data = bytes, .size = meta_size};
  *data = bytes;
  *stride = meta_stride;
  n_mapped++;
  return TRUE;
}

static gboolean
unmap_bytes (GstVideoMeta *meta, guint plane, GstMapInfo *info)
{
  fail_unless (info->data == bytes);
  n_mapped--;
  return TRUE;
}

TEST (test_meta_that_maps)
{
  static const struct
  {
    gint stride;
    gsize size;
    const gchar *words;
  } cases[] = {
    {WIDTH, WIDTH * HEIGHT, NULL},
    {WIDTH, WIDTH * HEIGHT - 1, "needs 561 bytes but has 560"},
    {WIDTH - 1, WIDTH * HEIGHT, "too short"},
    {WIDTH + 1, WIDTH * HEIGHT, "needs 577 bytes but has 561"},
    {-WIDTH, WIDTH * HEIGHT, "too short"},
    {WIDTH, 0, "but has 0"},
  };
  const Layout layout = {TRUE, 0, 0};
  Picture picture = picture_new (WIDTH, HEIGHT, noise, 2);
  Picture other = picture_new (WIDTH, HEIGHT, noise, 4);
  GArray *expected = expect (&other, &default_look);
  GstBus *bus;
  GstHarness *h = harness_new ("cca", FORMAT, WIDTH, HEIGHT, &bus);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (bytes); i++)
    bytes[i] = other.pixels[i];
  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstBuffer *buffer = frame_new (FORMAT, &picture, &layout);
    GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

    meta->map = map_bytes;
    meta->unmap = unmap_bytes;
    meta_stride = cases[i].stride;
    meta_size = cases[i].size;
    if (cases[i].words != NULL) {
      assert_equals_int (gst_harness_push (h, buffer), GST_FLOW_ERROR);
      assert_error_of (bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
          cases[i].words);
    } else {
      buffer = gst_harness_push_and_pull (h, buffer);
      assert_components (gst_buffer_get_cca_meta (buffer), expected);
      gst_buffer_unref (buffer);
    }
    assert_equals_int (n_mapped, 0);
  }
  harness_free (h, bus);
  g_array_unref (expected);
  picture_clear (&picture);
  picture_clear (&other);
}

static gboolean
map_slowly (GstVideoMeta *meta, guint plane, GstMapInfo *info, gpointer *data,
    gint *stride, GstMapFlags flags)
{
  g_usleep (20000);
  return map_bytes (meta, plane, info, data, stride, flags);
}

/* The time of a frame in the statistics includes all that precedes its
 * result. */
TEST (test_slow_memory)
{
  const Layout layout = {TRUE, 0, 0};
  Picture picture = picture_new (WIDTH, HEIGHT, noise, 2);
  GstHarness *h = harness_new ("cca", FORMAT, WIDTH, HEIGHT, NULL);
  GstBuffer *buffer = frame_new (FORMAT, &picture, &layout);
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  GstStructure *stats;
  guint64 mean, max;

  meta->map = map_slowly;
  meta->unmap = unmap_bytes;
  meta_stride = WIDTH;
  meta_size = WIDTH * HEIGHT;
  gst_buffer_unref (gst_harness_push_and_pull (h, buffer));
  gst_harness_get (h, "cca", "stats", &stats, NULL);
  fail_unless (gst_structure_get (stats, "mean-time", G_TYPE_UINT64, &mean,
      "max-time", G_TYPE_UINT64, &max, NULL));
  fail_unless (mean >= 20 * GST_MSECOND && max >= 20 * GST_MSECOND);
  gst_structure_free (stats);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

/* Not under a sanitizer, whose heap has no statistics. */
static gsize
heap_in_use (void)
{
  struct mallinfo2 info = mallinfo2 ();

  return info.uordblks + info.hblkhd;
}

/* Records live as long as the buffers that they came with. */
TEST (test_records_are_not_kept)
{
  Picture small = picture_new (400, 400, full, 0);
  Picture picture = picture_new (400, 400, checkerboard, 0);
  GstHarness *h = harness_new ("cca connectivity=4", FORMAT, 400, 400, NULL);
  gsize before;
  guint i;

  gst_buffer_unref (
      gst_harness_push_and_pull (h, frame_new (FORMAT, &small, NULL)));
  before = heap_in_use ();
  for (i = 0; i < 40; i++) {
    GstBuffer *out =
        gst_harness_push_and_pull (h, frame_new (FORMAT, &picture, NULL));

    assert_equals_int (gst_cca_meta_get_n_components (
                           gst_buffer_get_cca_meta (out)),
        65536);
    gst_buffer_unref (out);
  }
  fail_unless (heap_in_use () < before + 1024 * 1024,
      "%" G_GSIZE_FORMAT " bytes more", heap_in_use () - before);
  gst_harness_teardown (h);
  picture_clear (&small);
  picture_clear (&picture);
}

/* If the address space is too small for the worst frame, caps are refused with
 * one sentence, and smaller ones work. */
TEST (test_address_space)
{
  Picture picture = picture_new (WIDTH, HEIGHT, noise, 2);
  GstBus *bus;
  GstHarness *h = harness_new ("cca", FORMAT, WIDTH, HEIGHT, &bus);
  GstCaps *caps = frame_caps (FORMAT, 16384, 16384);
  struct rlimit was, limit;
  gsize pages;
  gchar *statm;

  assert_analysis (h, FORMAT, &picture, &default_look);
  fail_unless (g_file_get_contents ("/proc/self/statm", &statm, NULL, NULL));
  pages = g_ascii_strtoull (statm, NULL, 10);
  g_free (statm);
  fail_unless (getrlimit (RLIMIT_AS, &was) == 0);
  limit = was;
  limit.rlim_cur = pages * sysconf (_SC_PAGESIZE) + 1024 * 1024 * 1024;
  fail_unless (setrlimit (RLIMIT_AS, &limit) == 0);

  gst_harness_push_event (h, gst_event_new_caps (caps));
  assert_error_of (bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
      "bytes of memory for the CPU engine are not available");
  gst_harness_set_src_caps (h,
      frame_caps (GST_VIDEO_FORMAT_NV21, WIDTH, HEIGHT));
  assert_analysis (h, GST_VIDEO_FORMAT_NV21, &picture, &default_look);
  assert_no_error (bus);

  fail_unless (setrlimit (RLIMIT_AS, &was) == 0);
  gst_caps_unref (caps);
  harness_free (h, bus);
  picture_clear (&picture);
}

SUITE ("memory");
