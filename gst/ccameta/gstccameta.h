/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_META_H__
#define __GST_CCA_META_H__

#include <gst/gst.h>
#include <gst/ccameta/cca-meta-prelude.h>
#include <gst/ccameta/gstccashapes.h>

G_BEGIN_DECLS

typedef struct _GstCcaComponent GstCcaComponent;
typedef struct _GstCcaAnalysis GstCcaAnalysis;

/**
 * GstCcaMeta:
 *
 * An opaque #GstMeta: the connected components of a video frame. Use the
 * functions to read and to change it.
 */
typedef struct _GstCcaMeta GstCcaMeta;

/**
 * GstCcaForeground:
 * @GST_CCA_FOREGROUND_THRESHOLD: pixels brighter than a threshold and not
 *   brighter than an upper threshold
 * @GST_CCA_FOREGROUND_OTSU: as %GST_CCA_FOREGROUND_THRESHOLD, with the
 *   threshold computed from the histogram of each frame by Otsu's method
 * @GST_CCA_FOREGROUND_DIFFERENCE: pixels that differ from an earlier frame
 * @GST_CCA_FOREGROUND_SIGMA_DELTA: pixels that differ from a background model
 *   learned from the previous frames
 *
 * How pixels are classified as foreground.
 */
typedef enum {
  GST_CCA_FOREGROUND_THRESHOLD,
  GST_CCA_FOREGROUND_OTSU,
  GST_CCA_FOREGROUND_DIFFERENCE,
  GST_CCA_FOREGROUND_SIGMA_DELTA,
} GstCcaForeground;

/**
 * GstCcaAnalysisFlags:
 * @GST_CCA_ANALYSIS_FLAG_NONE: no flags
 * @GST_CCA_ANALYSIS_FLAG_WARMING_UP: the background model was still being
 *   learned, so the components are less reliable than later ones
 * @GST_CCA_ANALYSIS_FLAG_LIGHT_CHANGED: the light had changed, and the
 *   background model was changed accordingly before the comparison
 * @GST_CCA_ANALYSIS_FLAG_OVERLOAD: more of the picture was foreground than the
 *   analyser accepts, in this frame or shortly before, and no components are
 *   delivered
 *
 * Flags of an analysis.
 */
typedef enum {                  /*< flags > */
  GST_CCA_ANALYSIS_FLAG_NONE = 0,
  GST_CCA_ANALYSIS_FLAG_WARMING_UP = 1 << 0,
  GST_CCA_ANALYSIS_FLAG_LIGHT_CHANGED = 1 << 1,
  GST_CCA_ANALYSIS_FLAG_OVERLOAD = 1 << 2,
} GstCcaAnalysisFlags;

/**
 * GstCcaComponent:
 * @id: rank of the first pixel in raster order, from 1, among the components
 *   that pass the filters
 * @x: left column of the bounding box, from 0, in pixels of the reference frame
 * @y: top row of the bounding box, from 0
 * @width: width of the bounding box, at least 1; the last column is
 *   @x + @width - 1
 * @height: height of the bounding box, at least 1
 * @flags: reserved for future use, 0
 * @area: number of pixels, at least 1
 * @centroid_x: mean of the pixels' column indices; pixel i covers i - 0.5 to
 *   i + 0.5
 * @centroid_y: mean of the pixels' row indices
 * @track_id: id of the component's track, -1 if it has none
 * @zones: zones in which the component's object is: bit i stands for the ith
 *   shape of the meta that is a %GST_CCA_SHAPE_KIND_ZONE
 * @group: smallest id of the components that are near each other and form a
 *   group with this one; its own id if it is alone; 0 if the analyser does not
 *   form groups
 *
 * A connected component. Analysers set the reserved fields to 0, like those of
 * #GstCcaAnalysis.
 */
struct _GstCcaComponent {
  guint id;
  guint x;
  guint y;
  guint width;
  guint height;
  guint flags;
  guint64 area;
  gdouble centroid_x;
  gdouble centroid_y;
  gint64 track_id;
  guint64 zones;
  guint group;

  /*< private >*/
  guint _gst_reserved[1];
};

/**
 * GstCcaAnalysis:
 * @width: width of the analysed picture, the reference frame of all
 *   coordinates, in pixels
 * @height: height of the analysed picture
 * @threshold: exclusive lower bound of foreground pixels, in code values of
 *   @depth bits. With %GST_CCA_FOREGROUND_OTSU it is the computed threshold.
 *   With %GST_CCA_FOREGROUND_DIFFERENCE and %GST_CCA_FOREGROUND_SIGMA_DELTA it
 *   is the minimum difference of foreground pixels.
 * @threshold_high: inclusive upper bound of foreground pixels; 65535 if there
 *   is none
 * @invert: whether foreground and background were swapped
 * @connectivity: 4 or 8
 * @n_found: number of components that pass the filters, including those that
 *   the meta has no record of
 * @depth: bits of a code value of the analysed plane, at most 16; 0 if unknown
 * @foreground: how pixels were classified as foreground. A newer analyser may
 *   set a value that #GstCcaForeground does not have.
 * @flags: flags of the analysis. A newer analyser may set unknown flags.
 * @region_area: number of analysed pixels, less than those of the picture with
 *   a region of interest; 0 if unknown
 *
 * The parameters of the analysis of a frame, and the number of components
 * found.
 */
struct _GstCcaAnalysis {
  guint width;
  guint height;
  guint threshold;
  guint threshold_high;
  gboolean invert;
  guint connectivity;
  guint n_found;
  guint depth;
  GstCcaForeground foreground;
  GstCcaAnalysisFlags flags;
  guint region_area;

  /*< private >*/
  guint _gst_reserved[1];
};

/**
 * GST_CCA_META_MAX_EVENTS:
 *
 * Maximum number of events of a meta.
 */
#define GST_CCA_META_MAX_EVENTS 256

#define GST_TYPE_CCA_FOREGROUND (gst_cca_foreground_get_type ())
#define GST_TYPE_CCA_ANALYSIS_FLAGS (gst_cca_analysis_flags_get_type ())
#define GST_TYPE_CCA_COMPONENT (gst_cca_component_get_type ())
#define GST_TYPE_CCA_ANALYSIS (gst_cca_analysis_get_type ())
#define GST_CCA_META_API_TYPE (gst_cca_meta_api_get_type ())
#define GST_CCA_META_INFO (gst_cca_meta_get_info ())

GST_CCA_META_API
GType gst_cca_foreground_get_type (void);

GST_CCA_META_API
const gchar *gst_cca_foreground_get_nick (GstCcaForeground foreground);

GST_CCA_META_API
GType gst_cca_analysis_flags_get_type (void);

GST_CCA_META_API
GType gst_cca_component_get_type (void);

GST_CCA_META_API
GstCcaComponent *gst_cca_component_new (guint id, guint x, guint y,
    guint width, guint height, guint64 area, gdouble centroid_x,
    gdouble centroid_y);

GST_CCA_META_API
GstCcaComponent *gst_cca_component_copy (const GstCcaComponent * component);

GST_CCA_META_API
void gst_cca_component_free (GstCcaComponent * component);

GST_CCA_META_API
GType gst_cca_analysis_get_type (void);

GST_CCA_META_API
GstCcaAnalysis *gst_cca_analysis_new (guint width, guint height,
    guint n_found);

GST_CCA_META_API
GstCcaAnalysis *gst_cca_analysis_copy (const GstCcaAnalysis * analysis);

GST_CCA_META_API
void gst_cca_analysis_free (GstCcaAnalysis * analysis);

GST_CCA_META_API
GType gst_cca_meta_api_get_type (void);

GST_CCA_META_API
const GstMetaInfo *gst_cca_meta_get_info (void);

GST_CCA_META_API
GstCcaMeta *gst_buffer_add_cca_meta (GstBuffer * buffer,
    const GstCcaAnalysis * analysis, GBytes * components);

GST_CCA_META_API
GstCcaMeta *gst_buffer_add_cca_meta_from_components (GstBuffer * buffer,
    const GstCcaAnalysis * analysis, const GstCcaComponent * components,
    guint n_components);

GST_CCA_META_API
GstCcaMeta *gst_buffer_get_cca_meta (GstBuffer * buffer);

GST_CCA_META_API
const GstCcaAnalysis *gst_cca_meta_get_analysis (const GstCcaMeta * meta);

GST_CCA_META_API
guint gst_cca_meta_get_n_components (const GstCcaMeta * meta);

GST_CCA_META_API
guint gst_cca_meta_get_n_found (const GstCcaMeta * meta);

GST_CCA_META_API
gboolean gst_cca_meta_is_truncated (const GstCcaMeta * meta);

GST_CCA_META_API
const GstCcaComponent *gst_cca_meta_get_components (const GstCcaMeta * meta,
    guint * n_components);

GST_CCA_META_API
gboolean gst_cca_meta_get_component (const GstCcaMeta * meta, guint index,
    GstCcaComponent * component);

GST_CCA_META_API
gboolean gst_cca_meta_get_component_scaled (const GstCcaMeta * meta,
    guint index, guint frame_width, guint frame_height,
    GstCcaComponent * component);

GST_CCA_META_API
gboolean gst_cca_meta_set_track_ids (GstCcaMeta * meta,
    const gint64 * track_ids, guint n_track_ids);

GST_CCA_META_API
gboolean gst_cca_meta_set_tracks (GstCcaMeta * meta, const gint64 * track_ids,
    const guint64 * zones, guint n);

GST_CCA_META_API
void gst_cca_meta_set_pixel_aspect_ratio (GstCcaMeta * meta, guint par_n,
    guint par_d);

GST_CCA_META_API
void gst_cca_meta_get_pixel_aspect_ratio (const GstCcaMeta * meta,
    guint * par_n, guint * par_d);

GST_CCA_META_API
gboolean gst_cca_meta_fits_frame (const GstCcaMeta * meta, GstBuffer * buffer,
    guint frame_width, guint frame_height, guint par_n, guint par_d);

GST_CCA_META_API
void gst_cca_meta_set_shapes (GstCcaMeta * meta, GstCcaShapes * shapes,
    GBytes * counts);

GST_CCA_META_API
GstCcaShapes *gst_cca_meta_get_shapes (const GstCcaMeta * meta);

GST_CCA_META_API
gboolean gst_cca_meta_get_line_counts (const GstCcaMeta * meta, guint index,
    guint64 * to_left, guint64 * to_right);

GST_CCA_META_API
gboolean gst_cca_meta_get_zone_count (const GstCcaMeta * meta, guint index,
    guint64 * inside);

GST_CCA_META_API
gboolean gst_cca_meta_add_event (GstCcaMeta * meta,
    const GstStructure * event);

GST_CCA_META_API
guint gst_cca_meta_get_n_events (const GstCcaMeta * meta);

GST_CCA_META_API
const GstStructure *gst_cca_meta_get_event (const GstCcaMeta * meta,
    guint index);

GST_CCA_META_API
guint gst_cca_meta_emit_roi (const GstCcaMeta * meta, GstBuffer * buffer,
    const gchar * object_type, guint max_objects, guint frame_width,
    guint frame_height);

GST_CCA_META_API
guint gst_cca_meta_emit_analytics (const GstCcaMeta * meta,
    GstBuffer * buffer, const gchar * object_type, guint max_objects,
    guint frame_width, guint frame_height);

GST_CCA_META_API
gchar *gst_cca_query_source_name (GstPad * pad);

G_END_DECLS

#endif /* __GST_CCA_META_H__ */
