/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_WRAP_H__
#define __CCA_WRAP_H__

#include "faults.h"

G_BEGIN_DECLS

/* Counts a call. Returns TRUE if it is to fail. */
gboolean faults_now (const gchar * name);

/* ld --wrap: calls of NAME come here, __real_NAME is the function itself. */
#define WRAP(type, name, params, args, failure) \
    type __real_##name params; \
    type __wrap_##name params; \
    type __wrap_##name params \
    { return faults_now (#name) ? (failure) : __real_##name args; }

G_END_DECLS

#endif /* __CCA_WRAP_H__ */
