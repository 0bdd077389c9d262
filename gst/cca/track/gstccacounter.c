/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccacounter.h"

#include <string.h>

void
gst_cca_counter_init (GstCcaCounter *self)
{
  *self = (GstCcaCounter) {
    NULL,
  };
}

void
gst_cca_counter_clear (GstCcaCounter *self)
{
  g_free (self->states);
  g_clear_pointer (&self->lines, gst_cca_figures_unref);
  gst_cca_counter_init (self);
}

/* Replaces the lines, or enlarges the table. Lines that did not change keep
 * their states. */
static gboolean
resize (GstCcaCounter *self, GstCcaLines *lines,
    const GstCcaLineRule *of_element, gsize n_slots)
{
  GstCcaLineState *states =
      g_try_new0 (GstCcaLineState, MAX (n_slots * lines->figures.n, 1));
  GstCcaLineRule rules[GST_CCA_MAX_FIGURES];
  gsize slot;
  guint i;

  if (states == NULL)
    return FALSE;
  for (i = 0; i < lines->figures.n; i++) {
    const gint from = gst_cca_figures_find ((GstCcaFigures *) self->lines,
        lines->line[i].figure.counts);

    rules[i] = from >= 0 ? self->rules[from]
                         : gst_cca_line_get_rule (&lines->line[i], of_element);
    for (slot = 0; from >= 0 && slot < self->n_slots; slot++)
      states[slot * lines->figures.n + i] =
          self->states[slot * self->lines->figures.n + from];
  }
  memcpy (self->rules, rules, lines->figures.n * sizeof (rules[0]));
  gst_cca_figures_ref (lines);
  g_clear_pointer (&self->lines, gst_cca_figures_unref);
  self->lines = lines;
  g_free (self->states);
  self->states = states;
  self->n_slots = n_slots;
  return TRUE;
}

/* The positions of two anchors form no path, so a new anchor starts one. */
static void
set_rule (GstCcaCounter *self, guint line, const GstCcaLineRule *rule)
{
  gsize slot;

  if (self->rules[line].anchor != rule->anchor)
    for (slot = 0; slot < self->n_slots; slot++)
      self->states[slot * self->lines->figures.n + line].moved = TRUE;
  self->rules[line] = *rule;
}

gboolean
gst_cca_counter_begin (GstCcaCounter *self, GstCcaLines *lines,
    const GstCcaLineRule *of_element, guint n_slots)
{
  GstCcaLineRule rule;
  guint i;

  if ((lines != self->lines || n_slots > self->n_slots)
      && !resize (self, lines, of_element,
          n_slots > self->n_slots ? MAX (n_slots, 2 * self->n_slots)
                                  : self->n_slots))
    return FALSE;
  for (i = 0; i < lines->figures.n; i++) {
    rule = gst_cca_line_get_rule (&lines->line[i], of_element);
    set_rule (self, i, &rule);
  }
  return TRUE;
}

GstCcaCrossing
gst_cca_counter_update (GstCcaCounter *self, guint line,
    const GstCcaTracked *track, const GstCcaMoment *now, GstCcaMoment *when)
{
  const GstCcaFigure *l = &self->lines->line[line].figure;
  const GstCcaLineRule *rule = &self->rules[line];
  const GstCcaPosition to =
      gst_cca_anchor_find (rule->anchor, &track->box, &track->centroid);
  const GstCcaPosition from = gst_cca_anchor_find (rule->anchor,
      &track->previous_box, &track->previous_centroid);
  GstCcaLineState *state =
      &self->states[(gsize) track->slot * self->lines->figures.n + line];
  GstCcaCrossing crossing = GST_CCA_CROSSING_NONE;
  gint step = 0;

  if (track->hits == 1)
    *state = (GstCcaLineState) {
      0,
    };
  else if (track->id != 0 && !state->moved)
    step = gst_cca_crossing_count (l->points, l->n_points, &from, &to);
  state->moved = FALSE;
  if (step != 0) {
    state->net += step;
    state->clear_frames = 0;
    state->last_step = *now;
  }

  if (gst_cca_core_touches (l->points, l->n_points, &to, &track->box,
          rule->margin, rule->margin_min)) {
    state->clear_frames = 0;
  } else {
    if (state->clear_frames < GST_CCA_LINE_MAX_SETTLE_FRAMES)
      state->clear_frames++;
    if (state->net == 0)
      state->armed = TRUE;
  }
  if (state->clear_frames < rule->settle_frames)
    return GST_CCA_CROSSING_NONE;

  if (state->net != 0 && state->armed) {
    crossing =
        state->net < 0 ? GST_CCA_CROSSING_TO_LEFT : GST_CCA_CROSSING_TO_RIGHT;
    *when = state->last_step;
  }
  state->net = 0;
  state->armed = TRUE;
  return crossing;
}
