/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_VOTES_H
#define CCA_VOTES_H

/* Votes on the background of CCA_FOREGROUND_SIGMA_DELTA, for all engines. */

/* Maximum of q. q and e share a byte. */
#define CCA_MAX_VOTES 127
/* Votes that the background loses in a frame that has the value of the previous background, which
 * therefore returns within four frames. */
#define CCA_RETURN_VOTES 32
/* A candidate that is the previous background may be replaced in one of this many frames. */
#define CCA_HOLD_FRAMES 64

#endif /* CCA_VOTES_H */
