/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_VOTES_H
#define CCA_VOTES_H

/* Votes on the background of CCA_FOREGROUND_SIGMA_DELTA, for all engines. */

/* The greatest q. It and the flag e fit in a byte. */
#define CCA_MAX_VOTES 127
/* Votes that a background loses in a frame in which the one before it is back: all of them in
 * four frames. */
#define CCA_RETURN_VOTES 32
/* A candidate that was the background before may be replaced in one of this many frames. */
#define CCA_HOLD_FRAMES 64

#endif /* CCA_VOTES_H */
