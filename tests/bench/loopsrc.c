/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "loopsrc.h"

struct _BenchLoopSrc {
    GstPushSrc parent;

    GstCaps *caps;
    GPtrArray *buffers;
    guint next;
};

G_DEFINE_FINAL_TYPE(BenchLoopSrc, bench_loop_src, GST_TYPE_PUSH_SRC);

static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

static GstFlowReturn bench_loop_src_create(GstPushSrc *src, GstBuffer **buffer)
{
    BenchLoopSrc *self = BENCH_LOOP_SRC(src);

    *buffer = gst_buffer_copy(g_ptr_array_index(self->buffers, self->next));
    self->next = (self->next + 1) % self->buffers->len;
    return GST_FLOW_OK;
}

static GstCaps *bench_loop_src_get_caps(GstBaseSrc *src, GstCaps *filter)
{
    BenchLoopSrc *self = BENCH_LOOP_SRC(src);

    if (self->caps == NULL)
        return gst_caps_new_any();
    if (filter != NULL)
        return gst_caps_intersect(self->caps, filter);
    return gst_caps_ref(self->caps);
}

static void bench_loop_src_finalize(GObject *object)
{
    BenchLoopSrc *self = BENCH_LOOP_SRC(object);

    gst_clear_caps(&self->caps);
    g_clear_pointer(&self->buffers, g_ptr_array_unref);
    G_OBJECT_CLASS(bench_loop_src_parent_class)->finalize(object);
}

static void bench_loop_src_class_init(BenchLoopSrcClass *klass)
{
    G_OBJECT_CLASS(klass)->finalize = bench_loop_src_finalize;
    GST_BASE_SRC_CLASS(klass)->get_caps = bench_loop_src_get_caps;
    GST_PUSH_SRC_CLASS(klass)->create = bench_loop_src_create;
    gst_element_class_add_static_pad_template(GST_ELEMENT_CLASS(klass), &src_template);
    gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(klass), "Loop", "Source",
                                          "Pushes the same buffers again and again",
                                          "the gst-cudacca authors");
}

static void bench_loop_src_init(BenchLoopSrc *self)
{
    gst_base_src_set_format(GST_BASE_SRC(self), GST_FORMAT_TIME);
}

gboolean bench_loop_src_register(void)
{
    return gst_element_register(NULL, "loopsrc", GST_RANK_NONE, BENCH_TYPE_LOOP_SRC);
}

void bench_loop_src_set_buffers(BenchLoopSrc *self, GstCaps *caps, GPtrArray *buffers)
{
    gst_caps_replace(&self->caps, caps);
    g_clear_pointer(&self->buffers, g_ptr_array_unref);
    self->buffers = g_ptr_array_ref(buffers);
}
