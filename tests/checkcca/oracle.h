/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CHECKCCA_ORACLE_H
#define CHECKCCA_ORACLE_H

/* What is right, found by flood fill. Shares no code with the engines: only
 * the types of cca.h. */

#include "cca.h"

typedef struct Oracle {
    uint8_t *todo;   /* per pixel: foreground, and not yet part of a component */
    uint32_t *stack; /* pixels whose neighbours are still to be looked at */
    size_t n_pixels; /* that there is room for */
    CcaComponent *components;
    size_t room;
} Oracle;

/* What an engine configured so is to give for `frame`. Valid until the next
 * call. Returns false if memory ran out. */
bool oracle_analyse(Oracle *oracle, const CcaFrame *frame, const CcaConfig *config,
                    const CcaParams *params, CcaResult *result);
void oracle_free(Oracle *oracle);

#endif /* CHECKCCA_ORACLE_H */
