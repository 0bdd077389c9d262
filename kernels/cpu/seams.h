/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CPU_SEAMS_H
#define CCA_CPU_SEAMS_H

#include "engine.h"

/* Makes one component of those that touch across the seams between bands. Labels of band b
 * are those from b * `pitch` on. The bands then count, for the filters of `params`, the
 * components whose roots they have. */
void cca_cpu_join_bands(const CcaParams *params, CpuLabels labels, CpuBand *bands,
                        uint32_t n_bands, uint32_t pitch);

#endif /* CCA_CPU_SEAMS_H */
