/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_LEVEL_H
#define CCA_LEVEL_H

/* Code that is compiled once for each CcaCpuLevel. */

#include "cca.h"

/* LEVEL(name_) is a function's name in the code for the level that is compiled. */
#define CONCAT_(a, b) a##b
#define CONCAT(a, b) CONCAT_(a, b)
#define LEVEL(name) CONCAT(name, CCA_LEVEL)

/* OF_LEVEL(level, name_) is the function for a level, which is not above cca_cpu_level(). */
#ifdef CCA_X86_LEVELS
#define OF_LEVEL(level, name)                 \
    ((level) == CCA_CPU_LEVEL_V4 ? name##v4 : \
     (level) == CCA_CPU_LEVEL_V3 ? name##v3 : \
                                   name##baseline)
#else
#define OF_LEVEL(level, name) ((void) (level), name##baseline)
#endif

#endif /* CCA_LEVEL_H */
