/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "level.h"

#include "overlay/overlay.h"
#include "paint/paint.h"

CcaCpuLevel cca_cpu_level(void)
{
#ifdef CCA_X86_LEVELS
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v4"))
        return CCA_CPU_LEVEL_V4;
    if (__builtin_cpu_supports("x86-64-v3"))
        return CCA_CPU_LEVEL_V3;
#endif
    return CCA_CPU_LEVEL_BASELINE;
}

CcaOverlayDraw *cca_overlay_code(const CcaCpuLevel level)
{
    return OF_LEVEL(level, cca_overlay_draw_);
}

CcaPaint *cca_paint_code(const CcaCpuLevel level)
{
    return OF_LEVEL(level, cca_paint_);
}
