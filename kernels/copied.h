/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_COPIED_H
#define CCA_COPIED_H

/* Of a function that is compiled once for each set of constant arguments, without the branches
 * that they decide; once for all sets where the lines that run are counted. */
#ifdef CCA_COUNTS_LINES
#define COPIED static inline
#else
#define COPIED static inline __attribute__((always_inline))
#endif

#endif /* CCA_COPIED_H */
