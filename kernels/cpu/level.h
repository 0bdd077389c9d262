/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* For what is compiled once for each CcaCpuLevel: LEVEL(name_) is the name there. */

#ifndef CCA_CPU_LEVEL_H
#define CCA_CPU_LEVEL_H

#include "foreground.h"

#define CONCAT_(a, b) a##b
#define CONCAT(a, b) CONCAT_(a, b)
#define LEVEL(name) CONCAT(name, CCA_LEVEL)

#endif /* CCA_CPU_LEVEL_H */
