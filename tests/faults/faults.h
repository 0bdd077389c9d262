/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_FAULTS_H__
#define __CCA_FAULTS_H__

#include <glib.h>

G_BEGIN_DECLS

/* Calls that can fail, of allocators and of GStreamer, are wrapped by the
 * linker in our own objects: GLib's and GStreamer's own calls are not. */

/* The nth of them from now on fails, counted from 1. */
void faults_arm (guint nth);

/* The nth of them and all after it fail. */
void faults_arm_all (guint nth);

/* Nothing fails any more. The function that was made to fail last, or
 * NULL. */
const gchar *faults_disarm (void);

/* Prints the functions that were made to fail, and how often, since the last
 * call. */
void faults_print (const gchar * title);

G_END_DECLS

#endif /* __CCA_FAULTS_H__ */
