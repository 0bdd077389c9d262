/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_TEST_JSONLINE_H__
#define __CCA_TEST_JSONLINE_H__

#include <gst/ccameta/gstccameta.h>

/* The fault of a line of JSON of a meta without events and of a frame without
 * source and with any number, as docs/meta.md has it, in a few words; NULL:
 * nothing. *at is where. */
const gchar *json_line_fault (const gchar * line, gsize size,
    const GstCcaMeta * meta, GstClockTime pts, guint max_components,
    gsize * at);

#endif /* __CCA_TEST_JSONLINE_H__ */
