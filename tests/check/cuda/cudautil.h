/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_TEST_CUDA_UTIL_H__
#define __CCA_TEST_CUDA_UTIL_H__

#include <gst/cuda/gstcuda.h>

#include "../elements/util.h"

/* Runs the tests, or returns 77 with a sentence if there is no GPU or the
 * elements are not registered. All run in one process, because CUDA does not
 * survive a fork. */
int cuda_main (int argc, char **argv, const gchar * name);

/* SUITE() on a GPU. */
#define CUDA_SUITE(name) \
  int main (int argc, char **argv) \
  { \
    return cuda_main (argc, argv, name); \
  }

/* A context that lives as long as the suite runs. */
GstCudaContext *shared_context (void);

/* Returns the first number on a GPU, the second on the simulated driver, which
 * is a hundred times slower. */
guint amount (guint on_gpu, guint simulated);

/* All formats of cudacca in CUDA memory. */
extern const GstVideoFormat cuda_formats[];
extern const guint n_cuda_formats;

/* Whether cca has the format, too. */
gboolean is_cca_format (GstVideoFormat format);

/* Copies a buffer to CUDA memory with the layout of its video meta or, without
 * one, of its caps, and waits for the copy. */
GstBuffer *to_gpu (GstBuffer * buffer, GstVideoFormat format, guint width,
    guint height, GstCudaContext * context, GstCudaStream * stream);

GstCaps *cuda_caps (GstVideoFormat format, guint width, guint height);

/* A harness in that context with CUDA caps, and a bus if wanted. */
GstHarness *cuda_harness_new (const gchar * description,
    GstCudaContext * context, GstVideoFormat format, guint width,
    guint height, GstBus ** bus);

/* The picture as a frame in that layout. */
GstBuffer *gpu_frame (GstVideoFormat format, const Picture * picture,
    const Layout * layout, GstCudaContext * context, GstCudaStream * stream);

/* The same in the shared context, without a stream. */
GstHarness *shared_harness_new (const gchar * description,
    GstVideoFormat format, guint width, guint height, GstBus ** bus);
GstBuffer *shared_frame_new (GstVideoFormat format, const Picture * picture,
    const Layout * layout);

/* A picture in the code values of the format, from 8-bit noise. */
Picture noise_picture (GstVideoFormat format, guint width, guint height,
    guint seed);

/* The meta's serialised bytes. */
GBytes *meta_bytes (GstBuffer * buffer);

/* The output for the frame of a new harness of that description. */
GBytes *bytes_of (const gchar * description, GstVideoFormat format,
    guint width, guint height, GstBuffer * frame);

void assert_same_bytes (GBytes * a, GBytes * b, const gchar * what);

/* Device memory that is free, in bytes, once the device is idle. */
gsize free_device_memory (GstCudaContext * context);

/* Enqueues some milliseconds of work on the stream, and sees to it that it is
 * not done at once. */
void delay (GstCudaContext * context, GstCudaStream * stream);

/* A buffer's bytes in page-locked memory: a copy of it does not wait. */
gpointer locked_copy (GstBuffer * buffer, gsize * size);
void free_locked (gpointer bytes);

/* Enqueues a delay on the frame's stream, then a copy of `bytes` to the frame,
 * which must stay valid until it is done. */
void write_later (GstBuffer * frame, gpointer bytes, gsize size);

#endif /* __CCA_TEST_CUDA_UTIL_H__ */
