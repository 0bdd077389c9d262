/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_BENCH_LOOP_SRC_H__
#define __CCA_BENCH_LOOP_SRC_H__

#include <gst/base/gstpushsrc.h>

/* A source that pushes the same buffers again and again, as a camera with a
 * pool of frames does; of their memory there are no copies. */
#define BENCH_TYPE_LOOP_SRC (bench_loop_src_get_type())
G_DECLARE_FINAL_TYPE(BenchLoopSrc, bench_loop_src, BENCH, LOOP_SRC, GstPushSrc)

/* Makes it known as `loopsrc`. */
gboolean bench_loop_src_register(void);

/* Sets the buffers to push, before the start. */
void bench_loop_src_set_buffers(BenchLoopSrc *self, GstCaps *caps, GPtrArray *buffers);

#endif /* __CCA_BENCH_LOOP_SRC_H__ */
