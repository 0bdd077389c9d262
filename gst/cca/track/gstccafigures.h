/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_FIGURES_H__
#define __GST_CCA_TRACK_FIGURES_H__

#include <gst/gst.h>

#include "gst/ccabase/gstccaproperty.h"
#include "gstccacrossing.h"

G_BEGIN_DECLS

#define GST_CCA_MAX_FIGURES 64
#define GST_CCA_FIGURE_MAX_POINTS 256

#define GST_TYPE_CCA_TRACK_ANCHOR (gst_cca_track_anchor_get_type ())
GType gst_cca_track_anchor_get_type (void);

/* The common part of lines and zones. */
typedef struct {
  GstStructure *description;    /* as it was set, with the name of the figure */
  GstCcaPosition *points;
  guint n_points;
  gpointer counts;              /* an atomic rc box. Figures of the same name */
                                /* and points that are set again share it, so */
                                /* it also identifies a figure */
} GstCcaFigure;

/* A kind of figure: lines or zones. */
typedef struct {
  const gchar *noun;
  gsize set_size, size, counts_size;    /* of a set, a figure and its counts */
  /* Both return NULL, or the reason why the figure is invalid: the end of a
   * sentence about the figure. begin() sets defaults and checks which fields are
   * there. read_field() is then called for each field. */
  const gchar *(*begin) (GstCcaFigure * self, const GstStructure * s);
  GstCcaReadField read_field;   /* self is the figure */
  void (*get_counts) (const GstCcaFigure * self, GstStructure * to);
  void (*reset_counts) (GstCcaFigure * self);
} GstCcaFigureKind;

/* An immutable set of figures of a kind with their counts, which the object
 * lock of the element protects. The figures follow in memory. */
typedef struct {
  const GstCcaFigureKind *kind;
  gint ref_count;
  guint n;
} GstCcaFigures;

/* Makes figures from a GST_TYPE_ARRAY of structures, each named like its
 * figure. Returns NULL if they are invalid and sets *why to the reason: a
 * clause without a final period, to be freed with g_free(). */
gpointer gst_cca_figures_new (const GstCcaFigureKind * kind,
    const GValue * array, gchar ** why);
gpointer gst_cca_figures_ref (gpointer self);
void gst_cca_figures_unref (gpointer self);

GstCcaFigure *gst_cca_figures_at (const GstCcaFigures * self, guint i);

/* Returns the index of the figure with these counts, or -1. self may be
 * NULL. */
gint gst_cca_figures_find (const GstCcaFigures * self, gconstpointer counts);

/* Continues the counts of the figures that have the same name and points in an
 * older set. */
void gst_cca_figures_continue (GstCcaFigures * self,
    const GstCcaFigures * older);

/* Resets the counts of the figure of a name, or those of all figures if the name
 * is empty. Returns FALSE if there is no such figure. */
gboolean gst_cca_figures_reset_counts (GstCcaFigures * self,
    const gchar * name);

/* Appends the figures to an array in the format of gst_cca_figures_new(). */
void gst_cca_figures_get (const GstCcaFigures * self, GValue * array);

/* Sets a field of a structure to a GST_TYPE_ARRAY with a structure for each
 * figure, which has the name of the figure and its counts. */
void gst_cca_figures_take_counts (const GstCcaFigures * self,
    GstStructure * to, const gchar * field);

const gchar *gst_cca_figure_get_name (const GstCcaFigure * self);

/* --- for the kinds -------------------------------------------------------- */

GstCcaPosition gst_cca_figure_position (gint x, gint y);

/* Each returns NULL, or the reason why the figure is invalid. */
const gchar *gst_cca_figure_read_points (GstCcaFigure * self,
    const GValue * value, guint min, const gchar * why);
const gchar *gst_cca_figure_read_number (gint * number, const GValue * value,
    gint min, gint max, const gchar * why);
const gchar *gst_cca_figure_read_anchor (gint * anchor, const GValue * value);

G_END_DECLS

#endif /* __GST_CCA_TRACK_FIGURES_H__ */
