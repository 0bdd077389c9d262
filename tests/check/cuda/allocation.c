/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The answers to allocation queries, also at unusual times. */

#include "cudautil.h"

#define GRAY8 GST_VIDEO_FORMAT_GRAY8
#define NV12 GST_VIDEO_FORMAT_NV12
#define WIDTH 65
#define HEIGHT 33

static const gchar *elements[] = {
  "cudacca",
  "cudagrayupload",
  "cudagraydownload",
};

static GstHarness *
harness (const gchar *description, GstCaps *caps)
{
  GstHarness *h = cuda_harness_new (description, shared_context (),
      GST_VIDEO_FORMAT_UNKNOWN, 0, 0, NULL);

  gst_harness_set_src_caps (h, caps);
  return h;
}

static guint
n_metas_offered (GstHarness *h, GstCaps *caps)
{
  GstQuery *query = gst_query_new_allocation (caps, FALSE);
  guint n = 0;

  if (gst_pad_peer_query (h->srcpad, query))
    n = gst_query_get_n_allocation_metas (query);
  gst_query_unref (query);
  gst_caps_unref (caps);
  return n;
}

/* Upstream may use any layout and any crop, unless the element is in
 * passthrough mode. */
TEST (test_metas)
{
  GstCaps *cuda = cuda_caps (GRAY8, WIDTH, HEIGHT);
  GstCaps *plain = frame_caps (GRAY8, WIDTH, HEIGHT);
  GstHarness *h;

  h = harness ("cudagrayupload", gst_caps_ref (plain));
  assert_equals_int (n_metas_offered (h, gst_caps_ref (plain)), 2);
  gst_harness_teardown (h);

  h = harness ("cudagrayupload", gst_caps_ref (cuda));
  assert_equals_int (n_metas_offered (h, gst_caps_ref (cuda)), 0);
  gst_harness_teardown (h);

  h = harness ("cudagraydownload", gst_caps_ref (cuda));
  assert_equals_int (n_metas_offered (h, gst_caps_ref (cuda)), 2);
  gst_harness_teardown (h);
  gst_caps_unref (cuda);
  gst_caps_unref (plain);
}

/* Caps without a size get no pool, and nothing is known of their frames. */
TEST (test_no_size)
{
  GstCaps *caps =
      gst_caps_from_string ("video/x-raw(memory:CUDAMemory),format=GRAY8");
  guint i;

  for (i = 0; i < G_N_ELEMENTS (elements); i++) {
    GstHarness *h = harness (elements[i], cuda_caps (GRAY8, WIDTH, HEIGHT));
    GstBaseTransform *trans =
        GST_BASE_TRANSFORM (gst_harness_find_element (h, elements[i]));
    GstQuery *query = gst_query_new_allocation (caps, TRUE);
    gsize size = 0;

    gst_pad_peer_query (h->srcpad, query);
    assert_equals_int (gst_query_get_n_allocation_pools (query), 0);
    gst_query_unref (query);
    fail_if (i > 0
        && GST_BASE_TRANSFORM_GET_CLASS (trans)->get_unit_size (trans, caps,
            &size));
    gst_object_unref (trans);
    gst_harness_teardown (h);
  }
  gst_caps_unref (caps);
}

/* With and without a downstream element that answers the query. */
TEST (test_forwarded)
{
  guint i;

  for (i = 1; i < G_N_ELEMENTS (elements); i++) {
    GstHarness *h = harness (elements[i], cuda_caps (GRAY8, WIDTH, HEIGHT));
    GstBaseTransform *trans =
        GST_BASE_TRANSFORM (gst_harness_find_element (h, elements[i]));
    GstBaseTransformClass *klass = GST_BASE_TRANSFORM_GET_CLASS (trans);
    GstCaps *caps = cuda_caps (GRAY8, WIDTH, HEIGHT);
    GstQuery *query = gst_query_new_allocation (caps, FALSE);
    GstElement *alone = gst_element_factory_make (elements[i], NULL);

    fail_if (
        klass->propose_allocation (GST_BASE_TRANSFORM (alone), NULL, query));
    gst_object_unref (alone);
    gst_harness_add_propose_allocation_meta (h,
        GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, NULL);
    fail_unless (klass->propose_allocation (trans, NULL, query));
    fail_unless (gst_query_find_allocation_meta (query,
        GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, NULL));
    gst_query_unref (query);
    gst_caps_unref (caps);
    gst_object_unref (trans);
    gst_harness_teardown (h);
  }
}

/* Queries without usable caps. */
TEST (test_no_caps)
{
  GstCaps *any = gst_caps_new_any ();
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (elements); i++) {
    GstHarness *h = harness (elements[i],
        i == 1 ? frame_caps (GRAY8, WIDTH, HEIGHT)
               : cuda_caps (i ? GRAY8 : NV12, WIDTH, HEIGHT));

    for (j = 0; j < 2; j++) {
      GstQuery *query = gst_query_new_allocation (j ? any : NULL, TRUE);

      gst_pad_peer_query (h->srcpad, query);
      assert_equals_int (gst_query_get_n_allocation_pools (query), 0);
      gst_query_unref (query);
    }
    gst_harness_teardown (h);
  }
  gst_caps_unref (any);
}

static GstQuery *
propose (const gchar *name, gboolean start, GstQuery *decided, GstCaps *caps,
    gboolean need_pool)
{
  GstElement *element = gst_element_factory_make (name, NULL);
  GstBaseTransform *trans = GST_BASE_TRANSFORM (element);
  GstQuery *query = gst_query_new_allocation (caps, need_pool);

  if (start)
    gst_element_set_state (element, GST_STATE_PAUSED);
  GST_BASE_TRANSFORM_GET_CLASS (trans)->propose_allocation (trans, decided,
      query);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_object_unref (element);
  return query;
}

/* The element adds a pool if the query wants one and has none, and if there is
 * a context: a query may arrive while the element stops. */
TEST (test_when_there_is_a_pool)
{
  GstCaps *caps = cuda_caps (NV12, WIDTH, HEIGHT);
  guint i, j;

  for (i = 0; i < 2; i++) {
    for (j = 0; j < 3; j++) {
      GstQuery *decided = gst_query_new_allocation (NULL, FALSE), *query;

      query = propose (elements[i], j != 0, decided, caps, j != 1);
      assert_equals_int (gst_query_get_n_allocation_pools (query), j == 2);
      gst_query_unref (query);
      gst_query_unref (decided);
    }
  }
  gst_caps_unref (caps);
}

/* A meta that downstream supports is offered once. */
TEST (test_known_meta)
{
  guint i, j, n;

  for (i = 0; i < G_N_ELEMENTS (elements); i++) {
    GstCaps *caps = cuda_caps (i == 2 ? GRAY8 : NV12, WIDTH, HEIGHT);
    GstQuery *decided = gst_query_new_allocation (NULL, FALSE), *query;

    gst_query_add_allocation_meta (decided, GST_VIDEO_META_API_TYPE, NULL);
    query = propose (elements[i], TRUE, decided, caps, FALSE);
    for (j = n = 0; j < gst_query_get_n_allocation_metas (query); j++)
      n += gst_query_parse_nth_allocation_meta (query, j, NULL)
          == GST_VIDEO_META_API_TYPE;
    fail_unless (n == 1, "%s: %u", elements[i], n);
    gst_query_unref (query);
    gst_query_unref (decided);
    gst_caps_unref (caps);
  }
}

CUDA_SUITE ("cuda-allocation");
