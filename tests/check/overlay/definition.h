/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_TEST_OVERLAY_DEFINITION_H
#define CCA_TEST_OVERLAY_DEFINITION_H

#include "overlay/overlay.h"

/* Draws as CcaOverlayDraw must, pixel by pixel: the definition of each command. */
void define_drawing(const CcaOverlayPicture *picture, const CcaOverlayGlyphs *glyphs,
                    const CcaOverlayList *list);

#endif /* CCA_TEST_OVERLAY_DEFINITION_H */
