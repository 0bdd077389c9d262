/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "cudautil.h"

#include <dlfcn.h>
#include <string.h>

const GstVideoFormat cuda_formats[] = {
  GST_VIDEO_FORMAT_GRAY8,
  GST_VIDEO_FORMAT_GRAY16_LE,
  GST_VIDEO_FORMAT_NV12,
  GST_VIDEO_FORMAT_NV21,
  GST_VIDEO_FORMAT_I420,
  GST_VIDEO_FORMAT_YV12,
  GST_VIDEO_FORMAT_Y42B,
  GST_VIDEO_FORMAT_Y444,
  GST_VIDEO_FORMAT_P010_10LE,
  GST_VIDEO_FORMAT_P012_LE,
  GST_VIDEO_FORMAT_P016_LE,
  GST_VIDEO_FORMAT_I420_10LE,
};

const guint n_cuda_formats = G_N_ELEMENTS (cuda_formats);

gboolean
is_cca_format (GstVideoFormat format)
{
  guint i;

  for (i = 0; i < n_formats; i++)
    if (formats[i] == format)
      return TRUE;
  return FALSE;
}

/* --- the driver's calls that libgstcuda has not --------------------------- */

static void *
driver_call (const gchar *name)
{
  void *library = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

  return library ? dlsym (library, name) : NULL;
}

gsize
free_device_memory (GstCudaContext *context)
{
  CUresult (*mem_get_info) (size_t *, size_t *) =
      driver_call ("cuMemGetInfo_v2");
  CUresult (*ctx_synchronize) (void) = driver_call ("cuCtxSynchronize");
  size_t available = 0, total;

  fail_unless (gst_cuda_context_push (context));
  assert_equals_int (ctx_synchronize (), CUDA_SUCCESS);
  assert_equals_int (mem_get_info (&available, &total), CUDA_SUCCESS);
  gst_cuda_context_pop (NULL);
  return available;
}

guint
amount (guint on_gpu, guint simulated)
{
  CUresult (*get_name) (char *, int, CUdevice) =
      driver_call ("cuDeviceGetName");
  char name[64] = "";

  assert_equals_int (get_name (name, sizeof (name), 0), CUDA_SUCCESS);
  return strcmp (name, "simulated GPU") == 0 ? simulated : on_gpu;
}

#define DELAY_SIZE (64 * 1024 * 1024)

/* Memory that delays copy, in the context of the last delay. */
static struct
{
  GstCudaContext *context;
  CUdeviceptr memory;
} delays;

static void
free_delays (void)
{
  if (delays.context != NULL && gst_cuda_context_push (delays.context)) {
    CuMemFree (delays.memory);
    gst_cuda_context_pop (NULL);
  }
  gst_clear_object (&delays.context);
}

void
delay (GstCudaContext *context, GstCudaStream *stream)
{
  CUresult (*stream_query) (CUstream) = driver_call ("cuStreamQuery");
  CUstream handle = gst_cuda_stream_get_handle (stream);
  CUDA_MEMCPY2D copy = {0};
  guint n = amount (200, 3), i;

  if (delays.context != context)
    free_delays ();
  fail_unless (gst_cuda_context_push (context));
  if (delays.context == NULL) {
    assert_equals_int (CuMemAlloc (&delays.memory, 2 * DELAY_SIZE),
        CUDA_SUCCESS);
    delays.context = gst_object_ref (context);
  }
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = delays.memory;
  copy.dstDevice = delays.memory + DELAY_SIZE;
  copy.WidthInBytes = copy.srcPitch = copy.dstPitch = 65536;
  copy.Height = DELAY_SIZE / 65536;
  for (i = 0; i < n; i++)
    assert_equals_int (CuMemcpy2DAsync (&copy, handle), CUDA_SUCCESS);
  assert_equals_int (stream_query (handle), CUDA_ERROR_NOT_READY);
  gst_cuda_context_pop (NULL);
}

/* --- frames --------------------------------------------------------------- */

static GstCudaContext *shared;

GstCudaContext *
shared_context (void)
{
  if (shared == NULL) {
    shared = gst_cuda_context_new (0);
    fail_unless (shared != NULL);
  }
  return shared;
}

static CUdeviceptr
copy_in (GstCudaContext *context, const guint8 *data, gsize size)
{
  CUDA_MEMCPY2D copy = {0};
  CUdeviceptr to;

  fail_unless (gst_cuda_context_push (context));
  assert_equals_int (CuMemAlloc (&to, size), CUDA_SUCCESS);
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = data;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = to;
  copy.WidthInBytes = copy.srcPitch = copy.dstPitch = size;
  copy.Height = 1;
  assert_equals_int (CuMemcpy2D (&copy), CUDA_SUCCESS);
  gst_cuda_context_pop (NULL);
  return to;
}

GstBuffer *
to_gpu (GstBuffer *buffer, GstVideoFormat format, guint width, guint height,
    GstCudaContext *context, GstCudaStream *stream)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  GstBuffer *out = gst_buffer_new ();
  GstVideoInfo info;
  GstMapInfo map;

  fail_unless (gst_video_info_set_format (&info, format, width, height));
  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ));
  if (meta != NULL) {
    memcpy (info.offset, meta->offset, sizeof (info.offset));
    memcpy (info.stride, meta->stride, sizeof (info.stride));
  }
  info.size = map.size;
  gst_buffer_append_memory (out,
      gst_cuda_allocator_alloc_wrapped (NULL, context, stream, &info,
          copy_in (context, map.data, map.size), NULL, NULL));
  gst_buffer_unmap (buffer, &map);
  gst_buffer_copy_into (out, buffer, GST_BUFFER_COPY_METADATA, 0, -1);
  /* the copy has no video meta without its memory */
  if (meta != NULL)
    gst_buffer_add_video_meta_full (out, GST_VIDEO_FRAME_FLAG_NONE,
        meta->format, meta->width, meta->height, meta->n_planes, info.offset,
        info.stride);
  return out;
}

GstCaps *
cuda_caps (GstVideoFormat format, guint width, guint height)
{
  GstCaps *caps = frame_caps (format, width, height);

  gst_caps_set_features_simple (caps,
      gst_caps_features_new_static_str (GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY,
          NULL));
  return caps;
}

GstBuffer *
gpu_frame (GstVideoFormat format, const Picture *picture, const Layout *layout,
    GstCudaContext *context, GstCudaStream *stream)
{
  GstBuffer *system = frame_new (format, picture, layout);
  GstBuffer *out =
      to_gpu (system, format, picture->width, picture->height, context, stream);

  gst_buffer_unref (system);
  return out;
}

GstHarness *
cuda_harness_new (const gchar *description, GstCudaContext *context,
    GstVideoFormat format, guint width, guint height, GstBus **bus)
{
  GError *error = NULL;
  GstElement *bin = gst_parse_bin_from_description (description, TRUE, &error);
  GstPad *src = NULL;
  GstHarness *h;

  fail_unless (error == NULL, "%s: %s", description,
      error ? error->message : "");
  if (bus != NULL) {
    *bus = gst_bus_new ();
    gst_element_set_bus (bin, *bus);
  }
  /* before it starts: an element that has a context keeps it */
  if (context != NULL) {
    GstContext *c = gst_context_new_cuda_context (context);

    gst_element_set_context (bin, c);
    gst_context_unref (c);
  }
  src = gst_element_get_static_pad (bin, "src");
  h = gst_harness_new_with_element (bin, "sink", src ? "src" : NULL);
  gst_clear_object (&src);
  gst_object_unref (bin);
  if (format != GST_VIDEO_FORMAT_UNKNOWN)
    gst_harness_set_src_caps (h, cuda_caps (format, width, height));
  return h;
}

GstHarness *
shared_harness_new (const gchar *description, GstVideoFormat format,
    guint width, guint height, GstBus **bus)
{
  return cuda_harness_new (description, shared_context (), format, width,
      height, bus);
}

GstBuffer *
shared_frame_new (GstVideoFormat format, const Picture *picture,
    const Layout *layout)
{
  return gpu_frame (format, picture, layout, shared_context (), NULL);
}

Picture
noise_picture (GstVideoFormat format, guint width, guint height, guint seed)
{
  Picture picture = picture_new (width, height, noise, seed);

  picture_deepen (&picture, format);
  return picture;
}

/* --- metas ---------------------------------------------------------------- */

GBytes *
meta_bytes (GstBuffer *buffer)
{
  GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
  GByteArray *bytes = g_byte_array_new ();

  fail_unless (meta != NULL, "there is no GstCcaMeta");
  fail_unless (gst_meta_serialize_simple (GST_META_CAST (meta), bytes));
  return g_byte_array_free_to_bytes (bytes);
}

GBytes *
bytes_of (const gchar *description, GstVideoFormat format, guint width,
    guint height, GstBuffer *frame)
{
  GstHarness *h = harness_new (description, format, width, height, NULL);
  GstBuffer *out = gst_harness_push_and_pull (h, gst_buffer_ref (frame));
  GBytes *bytes;

  fail_unless (out != NULL, "%s gives nothing", description);
  bytes = meta_bytes (out);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
  return bytes;
}

void
assert_same_bytes (GBytes *a, GBytes *b, const gchar *what)
{
  fail_unless (g_bytes_equal (a, b), "%s: the metas differ", what);
}

/* --- main ----------------------------------------------------------------- */

int
cuda_main (int argc, char **argv, const gchar *name)
{
  const SuiteOptions options = {.timeout = -1};
  GstElementFactory *factory;
  int status;

  g_setenv ("CK_FORK", "no", TRUE);
  gst_check_init (&argc, &argv);
  factory = gst_element_factory_find ("cudacca");
  if (factory == NULL) {
    g_print ("%s: skipped: there is no element cudacca; gst-inspect-1.0 "
             "cudacca says why\n",
        name);
    return 77;
  }
  gst_object_unref (factory);
  if (!gst_cuda_load_library () || CuInit (0) != CUDA_SUCCESS)
    return 77;
  gst_cuda_memory_init_once ();
  status = suite_run (name, &options);
  free_delays ();
  gst_clear_object (&shared);
  /* threads release their references before the simulated driver counts
   * leaks */
  gst_task_cleanup_all ();
  return status;
}

void
write_later (GstBuffer *frame, gpointer bytes, gsize size)
{
  GstCudaMemory *memory =
      GST_CUDA_MEMORY_CAST (gst_buffer_peek_memory (frame, 0));
  GstCudaStream *stream = gst_cuda_memory_get_stream (memory);
  CUDA_MEMCPY2D copy = {0};
  GstMapInfo map;

  fail_unless (
      gst_memory_map (&memory->mem, &map, GST_MAP_WRITE | GST_MAP_CUDA));
  delay (memory->context, stream);
  fail_unless (gst_cuda_context_push (memory->context));
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = bytes;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = (CUdeviceptr) map.data;
  copy.WidthInBytes = copy.srcPitch = copy.dstPitch = size;
  copy.Height = 1;
  assert_equals_int (CuMemcpy2DAsync (&copy,
                         gst_cuda_stream_get_handle (stream)),
      CUDA_SUCCESS);
  gst_cuda_context_pop (NULL);
  gst_memory_unmap (&memory->mem, &map);
}

gpointer
locked_copy (GstBuffer *buffer, gsize *size)
{
  gpointer locked;

  *size = gst_buffer_get_size (buffer);
  fail_unless (gst_cuda_context_push (shared_context ()));
  assert_equals_int (CuMemAllocHost (&locked, *size), CUDA_SUCCESS);
  gst_cuda_context_pop (NULL);
  gst_buffer_extract (buffer, 0, locked, *size);
  return locked;
}

void
free_locked (gpointer bytes)
{
  fail_unless (gst_cuda_context_push (shared_context ()));
  CuMemFreeHost (bytes);
  gst_cuda_context_pop (NULL);
}
