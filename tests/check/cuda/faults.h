/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_TEST_FAULTS_H__
#define __CCA_TEST_FAULTS_H__

#include <glib.h>

/* How a run with a driver call that fails ended. */
typedef enum
{
  OUTCOME_NOT_REACHED,          /* there are fewer calls */
  OUTCOME_RIGHT,                /* all frames were right, no error */
  OUTCOME_REPORTED,             /* one error from one of our elements */
  OUTCOME_OTHERS,               /* errors from other elements only */
  OUTCOME_NO_ELEMENT,           /* an element could not be made */
  OUTCOME_WRONG,                /* a frame was */
  OUTCOME_BAD,                  /* never allowed */
  N_OUTCOMES
} Outcome;

/* Added to the outcome. */
#define OUTCOME_OURS 0x10       /* our library made the call */
#define OUTCOME_AFTERWARDS 0x20 /* the call came while the elements stopped */
#define OUTCOME_MASK 0x0f

typedef struct
{
  const gchar *name;
  const gchar *line;            /* of a pipeline with a fakesink named sink */
  guint n_metas;                /* on each frame, all the same */
  guint n_frames;
  const gchar *only;            /* these calls fail, NULL: all */
  const gchar *caps[3];         /* of the frames, for a capsfilter named size */
  gboolean runs_once;           /* an element of GStreamer's does not restart */
  guint n_sources;              /* that end or fail before it is stopped */
} Scenario;

/* Runs the pipeline while the n_faults calls of SIMCUDA_FAIL fail, and after
 * an error once more: the same pipeline or, if it cannot start again or the
 * error has taken the CUDA context, a new one. */
int run_scenario (const Scenario * scenario, guint n_faults,
    gboolean context_is_lost);

#endif /* __CCA_TEST_FAULTS_H__ */
