/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_COPIED_H
#define CCA_COPIED_H

/* Marks a function of which the compiler makes a copy for each set of constant arguments,
 * without the branches on them. Where coverage is measured, there is one for all sets. */
#ifdef CCA_COUNTS_LINES
#define COPIED static inline
#else
#define COPIED static inline __attribute__((always_inline))
#endif

#endif /* CCA_COPIED_H */
