/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccatracksettings.h"

#include "gst/ccabase/gstccaobjects.h"

#define DEFAULT_META_TYPES (GST_CCA_META_TYPE_CCA | GST_CCA_META_TYPE_ANALYTICS)
#define DEFAULT_MIN_HITS 3
#define DEFAULT_MAX_LOST 15
#define DEFAULT_MIN_OVERLAP 0
#define DEFAULT_MAX_DISTANCE 100
#define DEFAULT_MAX_TRACKS 1024

/* The relation meta of GstAnalytics takes four times the square in bytes. */
#define MAX_MAX_OBJECTS 4096

void
gst_cca_track_settings_init (GstCcaTrackSettings * settings)
{
  *settings = (GstCcaTrackSettings) {
    .params = {
      .min_hits = DEFAULT_MIN_HITS,
      .max_lost = DEFAULT_MAX_LOST,
      .min_overlap = DEFAULT_MIN_OVERLAP,
      .max_distance = DEFAULT_MAX_DISTANCE,
      .max_tracks = DEFAULT_MAX_TRACKS,
    },
    .meta_types = DEFAULT_META_TYPES,
    .max_objects = GST_CCA_DEFAULT_MAX_OBJECTS,
  };
}

/* *INDENT-OFF* */
#define SETTINGS(GET_OR_SET) \
    GET_OR_SET (PROP_MIN_HITS, uint, params.min_hits) \
    GET_OR_SET (PROP_MAX_LOST, uint, params.max_lost) \
    GET_OR_SET (PROP_MIN_OVERLAP, uint, params.min_overlap) \
    GET_OR_SET (PROP_MAX_DISTANCE, uint, params.max_distance) \
    GET_OR_SET (PROP_MAX_TRACKS, uint, params.max_tracks) \
    GET_OR_SET (PROP_META_TYPES, flags, meta_types) \
    GET_OR_SET (PROP_MAX_OBJECTS, uint, max_objects)
/* *INDENT-ON* */

gboolean
gst_cca_track_settings_set (GstCcaTrackSettings * settings, guint prop_id,
    const GValue * value)
{
  switch (prop_id) {
      SETTINGS (GST_CCA_SET_CASE);
    default:
      return FALSE;
  }
}

gboolean
gst_cca_track_settings_get (const GstCcaTrackSettings * settings,
    guint prop_id, GValue * value)
{
  switch (prop_id) {
      SETTINGS (GST_CCA_GET_CASE);
    default:
      return FALSE;
  }
}

static void
install_rule_properties (GObjectClass * klass)
{
  /**
   * GstCcaTrack:min-hits:
   *
   * In so many frames in a row a thing must be seen before it gets an id.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MIN_HITS,
      g_param_spec_uint ("min-hits", "Minimum Hits",
          "A thing gets an id when it was seen in so many frames in a row; "
          "more keeps flicker from getting ids, and gives them later",
          1, 1000, DEFAULT_MIN_HITS, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaTrack:max-lost:
   *
   * For so many frames in a row a track with an id may be unseen, and moves on
   * as it did. Then it ends.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_LOST,
      g_param_spec_uint ("max-lost", "Maximum Lost",
          "A thing that is hidden keeps its id for so many frames, in which it "
          "is looked for further and further along its way; more bridges "
          "longer gaps, and mistakes others for it more often",
          0, 100000, DEFAULT_MAX_LOST, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaTrack:min-overlap:
   *
   * The least intersection of a track's box, where it should be, and that of a
   * component, in per cent of their union.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MIN_OVERLAP,
      g_param_spec_uint ("min-overlap", "Minimum Overlap",
          "A component can be a thing seen before if its box and where that "
          "should be overlap by so many per cent of their union (0 = any)",
          0, 100, DEFAULT_MIN_OVERLAP, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaTrack:max-distance:
   *
   * What no overlap has joined is joined if the centres of the boxes are no
   * further apart, in each direction, than so many per cent of half the sum of
   * their sizes. 0 switches this off.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_DISTANCE,
      g_param_spec_uint ("max-distance", "Maximum Distance",
          "Without overlap, a component can be a thing seen before if its "
          "centre is near enough, in per cent of the boxes' mean width and "
          "height; for small things that move fast (0 = overlap only)",
          0, 1000, DEFAULT_MAX_DISTANCE, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaTrack:max-tracks:
   *
   * Only the first so many components of a frame are tracked, and there are no
   * more tracks: beyond it those that were not seen for longest end.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_TRACKS,
      g_param_spec_uint ("max-tracks", "Maximum Tracks",
          "Track the first so many components of a frame, and keep no more "
          "tracks, those seen last; the time that a frame can take grows with "
          "its square, and beyond 1024 even faster",
          1, 65536, DEFAULT_MAX_TRACKS, GST_CCA_PARAM_PLAYING));
}

static void
install_output_properties (GObjectClass * klass)
{
  /**
   * GstCcaTrack:meta-types:
   *
   * Where the ids are put: cca sets those of the components in the #GstCcaMeta,
   * analytics attaches #GstAnalyticsTrackingMtd, and #GstAnalyticsODMtd for
   * components that have none, roi adds a parameter structure "track" with a
   * #guint64 id to regions of interest, which are attached if there are none.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_META_TYPES,
      g_param_spec_flags ("meta-types", "Meta Types",
          "Where ids are put: cca sets those of the components, analytics "
          "tells elements that read it of tracks, and of objects they belong "
          "to, roi names regions", GST_TYPE_CCA_META_TYPES,
          DEFAULT_META_TYPES, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaTrack:max-objects:
   *
   * The most regions that a buffer has afterwards, and half the most entries of
   * its relation meta, in which each track that is seen has two.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_OBJECTS,
      g_param_spec_uint ("max-objects", "Maximum Objects",
          "Tell of tracks in analytics metadata, the first in delivery order, "
          "until a buffer has twice so many entries, an object and a track for "
          "each thing, as many are slow to handle", 1, MAX_MAX_OBJECTS,
          GST_CCA_DEFAULT_MAX_OBJECTS, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaTrack:object-type:
   *
   * Type of the objects, of those that are there and those that are added. Can
   * be set only in NULL and READY.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_OBJECT_TYPE,
      gst_cca_param_spec_object_type ());

  /**
   * GstCcaTrack:lines:
   *
   * Lines across which objects are counted: for each a structure with the
   * line's ends, whose name is that of the line and of no other one, as in
   * `lines="<[in,x1=0,y1=9,x2=99,y2=9],[out,x1=0,y1=8,x2=99,y2=8]>"`. Setting it
   * sets the counts to 0. If the lines cannot be used, a running element keeps
   * those that it has and posts a warning, and one that is not running posts an
   * error when it starts.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_LINES,
      gst_param_spec_array ("lines", "Lines",
          "Count what crosses these lines, in pixels of the analysed picture: "
          "<[name,x1=0,y1=90,x2=200,y2=90],[other,...]>; stats tells how often",
          g_param_spec_boxed ("line", "Line", "Where a line is",
              GST_TYPE_STRUCTURE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS),
          GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaTrack:stats:
   *
   * Statistics, in a structure with these fields:
   *
   * * #guint64 `frames`: frames with a #GstCcaMeta
   * * #guint `tracks`: things that are followed, with an id or not yet
   * * #guint `confirmed`: those of them that have an id
   * * #guint64 `ids`: ids that were given out
   * * #guint64 `lost`: those of them whose tracks have ended
   * * #guint64 `untracked`: components beyond `max-tracks`, of all frames
   * * #GstValueArray `lines`: for each line a structure of its name, with
   *   #guint64 `to-left` and `to-right`: how often it was crossed
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "How many frames, tracks and ids there were, and how often each line "
          "was crossed", GST_TYPE_STRUCTURE,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

void
gst_cca_track_settings_install (GObjectClass * klass)
{
  install_rule_properties (klass);
  install_output_properties (klass);
}
