/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccatracksettings.h"

#include "gst/ccabase/gstccaobjects.h"

#define DEFAULT_META_TYPES (GST_CCA_META_TYPE_CCA | GST_CCA_META_TYPE_ANALYTICS)
#define DEFAULT_UNITE 0
#define DEFAULT_UNITE_GROUPS FALSE
#define DEFAULT_MIN_HITS 3
#define DEFAULT_MAX_LOST 15
#define DEFAULT_MIN_OVERLAP 0
#define DEFAULT_MAX_DISTANCE 100
#define DEFAULT_MAX_TRACKS 1024
#define DEFAULT_STILL_FRAMES 25
#define DEFAULT_MAX_STOPPED 0
#define DEFAULT_LINE_MARGIN 20
#define DEFAULT_LINE_MARGIN_MIN 3
#define DEFAULT_SETTLE_FRAMES 2
#define DEFAULT_ANCHOR GST_CCA_ANCHOR_CENTER

/* A relation meta of 2 * n entries takes 4 * n * n bytes, here 64 MiB. */
#define MAX_MAX_OBJECTS 4096

void
gst_cca_track_settings_init (GstCcaTrackSettings *settings)
{
  *settings = (GstCcaTrackSettings) {
    .params =
        {
          .unite = DEFAULT_UNITE,
          .unite_groups = DEFAULT_UNITE_GROUPS,
          .min_hits = DEFAULT_MIN_HITS,
          .max_lost = DEFAULT_MAX_LOST,
          .min_overlap = DEFAULT_MIN_OVERLAP,
          .max_distance = DEFAULT_MAX_DISTANCE,
          .max_tracks = DEFAULT_MAX_TRACKS,
          .still_frames = DEFAULT_STILL_FRAMES,
          .max_stopped = DEFAULT_MAX_STOPPED,
        },
    .rule =
        {
          .margin = DEFAULT_LINE_MARGIN,
          .margin_min = DEFAULT_LINE_MARGIN_MIN,
          .settle_frames = DEFAULT_SETTLE_FRAMES,
          .anchor = DEFAULT_ANCHOR,
        },
    .meta_types = DEFAULT_META_TYPES,
    .max_objects = GST_CCA_DEFAULT_MAX_OBJECTS,
  };
}

/* *INDENT-OFF* */
#define SETTINGS(GET_OR_SET) \
  GET_OR_SET (PROP_UNITE, uint, params.unite) \
  GET_OR_SET (PROP_UNITE_GROUPS, boolean, params.unite_groups) \
  GET_OR_SET (PROP_MIN_HITS, uint, params.min_hits) \
  GET_OR_SET (PROP_MAX_LOST, uint, params.max_lost) \
  GET_OR_SET (PROP_MIN_OVERLAP, uint, params.min_overlap) \
  GET_OR_SET (PROP_MAX_DISTANCE, uint, params.max_distance) \
  GET_OR_SET (PROP_MAX_TRACKS, uint, params.max_tracks) \
  GET_OR_SET (PROP_STILL_FRAMES, uint, params.still_frames) \
  GET_OR_SET (PROP_MAX_STOPPED, uint, params.max_stopped) \
  GET_OR_SET (PROP_LINE_MARGIN, uint, rule.margin) \
  GET_OR_SET (PROP_LINE_MARGIN_MIN, uint, rule.margin_min) \
  GET_OR_SET (PROP_SETTLE_FRAMES, uint, rule.settle_frames) \
  GET_OR_SET (PROP_ANCHOR, enum, rule.anchor) \
  GET_OR_SET (PROP_META_TYPES, flags, meta_types) \
  GET_OR_SET (PROP_MAX_OBJECTS, uint, max_objects)
/* *INDENT-ON* */

gboolean
gst_cca_track_settings_set (GstCcaTrackSettings *settings, guint prop_id,
    const GValue *value)
{
  switch (prop_id) {
    SETTINGS (GST_CCA_SET_CASE);
    default:
      return FALSE;
  }
}

gboolean
gst_cca_track_settings_get (const GstCcaTrackSettings *settings, guint prop_id,
    GValue *value)
{
  switch (prop_id) {
    SETTINGS (GST_CCA_GET_CASE);
    default:
      return FALSE;
  }
}

static void
install_rule_properties (GObjectClass *klass)
{
  /**
   * GstCcaTrack:unite:
   *
   * Components are tracked as one object if their boxes overlap by that part of
   * the smaller one, in per cent. All of them get its id. 0 disables this.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_UNITE,
      g_param_spec_uint ("unite", "Unite",
          "Overlap of two boxes, in per cent of the smaller one, from which "
          "they are one object (0 = never). Try 50 if vehicles fall into "
          "pieces",
          0, 100, DEFAULT_UNITE, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaTrack:unite-groups:
   *
   * Components of the same group, which `group-distance` of the analyser forms,
   * are tracked as one object. All of them get its id.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_UNITE_GROUPS,
      g_param_spec_boolean ("unite-groups", "Unite Groups",
          "Track the components of a group as one object. Set group-distance "
          "of the analysing element to form groups",
          DEFAULT_UNITE_GROUPS, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaTrack:min-hits:
   *
   * Number of consecutive frames in which an object must be seen before it gets
   * an id.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MIN_HITS,
      g_param_spec_uint ("min-hits", "Minimum Hits",
          "Number of consecutive frames in which an object must be seen before "
          "it gets an id. Raise it if flicker gets ids; objects then get "
          "theirs later",
          1, 1000, DEFAULT_MIN_HITS, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaTrack:max-lost:
   *
   * Maximum number of consecutive frames in which a track with an id is unseen.
   * Meanwhile its box keeps moving at its last velocity. Then the track ends.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_LOST,
      g_param_spec_uint ("max-lost", "Maximum Lost",
          "Number of consecutive frames for which a hidden object keeps its "
          "id. Its position is predicted meanwhile. Raise it to bridge longer "
          "gaps; the id then passes to a wrong object more often",
          0, 100000, DEFAULT_MAX_LOST, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaTrack:min-overlap:
   *
   * Minimum intersection of the predicted box of a track and the box of a
   * component, in per cent of their union.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MIN_OVERLAP,
      g_param_spec_uint ("min-overlap", "Minimum Overlap",
          "Minimum overlap of the predicted box of a track and the box of a "
          "component to match them, in per cent of their union (0 = any "
          "overlap). Raise it if neighbouring objects swap ids",
          0, 100, DEFAULT_MIN_OVERLAP, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaTrack:max-distance:
   *
   * Maximum distance of the centres of two boxes that do not overlap, in each
   * direction, in per cent of half the sum of their sizes. Tracks and
   * components without a match by overlap are matched by distance up to this
   * limit. 0 disables this.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_DISTANCE,
      g_param_spec_uint ("max-distance", "Maximum Distance",
          "Maximum distance between the centres of a predicted box and a "
          "component to match them without overlap, in per cent of their mean "
          "width and height (0 = match by overlap only). Raise it for small "
          "objects that move fast",
          0, 1000, DEFAULT_MAX_DISTANCE, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaTrack:max-tracks:
   *
   * Maximum number of tracks. Only the first `max-tracks` components of a frame
   * are tracked. If there are too many tracks, those that were unseen for the
   * longest time end.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_TRACKS,
      g_param_spec_uint ("max-tracks", "Maximum Tracks",
          "Maximum number of tracks, and of components of a frame that are "
          "tracked. The worst-case time per frame grows with its square, and "
          "faster beyond 1024",
          1, 65536, DEFAULT_MAX_TRACKS, GST_CCA_PARAM_PLAYING));
}

static void
install_stop_properties (GObjectClass *klass)
{
  /**
   * GstCcaTrack:still-frames:
   *
   * Number of frames for which an object that came from elsewhere must be at
   * rest until it has stopped. It is at rest while its box stays inside the one
   * that it had at first, grown by 10 per cent on each side.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_STILL_FRAMES,
      g_param_spec_uint ("still-frames", "Still Frames",
          "Number of frames for which an object that came from elsewhere must "
          "stay in its place until it has stopped",
          1, 100000, DEFAULT_STILL_FRAMES, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaTrack:max-stopped:
   *
   * Maximum number of frames for which an object that has stopped keeps its
   * track while the background has absorbed it: it was unseen in more than
   * `max-lost` frames, away from the edges of the picture. Its stays in zones
   * continue until then, or until another object that gets an id begins at its
   * place. 0 disables this.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_STOPPED,
      g_param_spec_uint ("max-stopped", "Maximum Stopped",
          "Number of frames for which an object that has stopped keeps its "
          "track after max-lost, for backgrounds that absorb it (0 = none). "
          "absorb-after of the element that finds objects is more reliable",
          0, G_MAXINT, DEFAULT_MAX_STOPPED, GST_CCA_PARAM_PLAYING));
}

static void
install_line_properties (GObjectClass *klass)
{
  /**
   * GstCcaTrack:lines:
   *
   * Lines across which objects are counted, at most 64. Each line is a
   * structure whose name is the unique name of the line, with the ends of the
   * line in pixels of the analysed picture, or with 2 to 256 points:
   * `lines="<[in,x1=0,y1=9,x2=99,y2=9],[out,points=<0,8,50,12,99,8>]>"`. It may
   * have fields with the names of the properties `line-margin`,
   * `line-margin-min`, `settle-frames` and `anchor`, which override them, and
   * `direction`: `any`, or `left` or `right` to count in that direction only.
   *
   * A line that is set again with the same name and points keeps its counts. If
   * the lines are invalid, a running element keeps its lines and posts a
   * warning; otherwise the element posts an error when it starts.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_LINES,
      gst_param_spec_array ("lines", "Lines",
          "Lines across which objects are counted, in pixels of the analysed "
          "picture: <[name,x1=0,y1=90,x2=200,y2=90],[other,points=<0,9,50,20,"
          "99,9>,direction=left],...>. The property stats has the counts",
          g_param_spec_boxed ("line", "Line",
              "Name and points of a line, in pixels of the analysed picture",
              GST_TYPE_STRUCTURE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS),
          GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaTrack:line-margin:
   *
   * Size of the core of a box, in per cent of the box. While the core touches a
   * line, the object is at the line, and its crossing does not count yet. With
   * 0, `line-margin-min` 0 and `settle-frames` 1 each change of side counts.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_LINE_MARGIN,
      g_param_spec_uint ("line-margin", "Line Margin",
          "Size of the core of a box in per cent of the box. An object whose "
          "core touches a line is not counted until it is clear of the line. "
          "Raise it if objects that wait at a line count several times",
          0, GST_CCA_LINE_MAX_MARGIN, DEFAULT_LINE_MARGIN,
          GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaTrack:line-margin-min:
   *
   * Minimum distance from the anchor to the edges of the core, in pixels. Masks
   * tremble by pixels, around small objects, too.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_LINE_MARGIN_MIN,
      g_param_spec_uint ("line-margin-min", "Minimum Line Margin",
          "Minimum distance in pixels from the anchor to each edge of the core, "
          "for small objects",
          0, GST_CCA_LINE_MAX_MARGIN_MIN, DEFAULT_LINE_MARGIN_MIN,
          GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaTrack:settle-frames:
   *
   * Number of consecutive frames, of those in which the object is seen, in
   * which it must be clear of a line until its crossing counts.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_SETTLE_FRAMES,
      g_param_spec_uint ("settle-frames", "Settle Frames",
          "Number of consecutive frames in which an object must be clear of a "
          "line until its crossing counts. Use 1 for 5 frames a second or less",
          1, GST_CCA_LINE_MAX_SETTLE_FRAMES, DEFAULT_SETTLE_FRAMES,
          GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaTrack:anchor:
   *
   * The point of an object that crosses a line.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_ANCHOR,
      g_param_spec_enum ("anchor", "Anchor",
          "The point of an object that crosses a line. Use bottom-center for "
          "lines on the ground, where feet and wheels cross",
          GST_TYPE_CCA_TRACK_ANCHOR, DEFAULT_ANCHOR, GST_CCA_PARAM_PLAYING));
}

static void
install_zone_properties (GObjectClass *klass)
{
  /**
   * GstCcaTrack:zones:
   *
   * Polygons in which objects are counted, at most 64. Each zone is a structure
   * whose name is the unique name of the zone, with 3 to 256 points in pixels
   * of the analysed picture:
   * `zones="<[door,points=<0,0,99,0,99,50>,loiter-time=5000000000],...>"`. It
   * may have these fields:
   *
   * * `anchor`: as the property; the default is `bottom-center`
   * * #gint `enter-frames`: frames in a row, of those in which the object is
   *   seen, in which it is in the polygon until it has entered; the default is
   *   3
   * * #gint `leave-frames`: the same for leaving; the default is 10
   * * `loiter-time`: time in the zone, in nanoseconds, after which an object
   *   loiters; 0: none
   * * #gint `crowd`, `crowd-time`: number of objects that make the zone crowded
   *   if they are in it for a time in nanoseconds; 0: none
   *
   * A zone that is set again with the same name and points keeps its counts and
   * the objects in it. If the zones are invalid, a running element keeps its
   * zones and posts a warning; otherwise the element posts an error when it
   * starts.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_ZONES,
      gst_param_spec_array ("zones", "Zones",
          "Polygons in which objects are counted, in pixels of the analysed "
          "picture: <[name,points=<0,0,99,0,99,50>,loiter-time=5000000000],"
          "...>. The property stats has the counts",
          g_param_spec_boxed ("zone", "Zone",
              "Name and points of a zone, in pixels of the analysed picture",
              GST_TYPE_STRUCTURE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS),
          GST_CCA_PARAM_PLAYING));
}

static void
install_output_properties (GObjectClass *klass)
{
  /**
   * GstCcaTrack:meta-types:
   *
   * The metas that get the ids. The flag cca sets the track ids of the
   * components in the #GstCcaMeta. analytics attaches a
   * #GstAnalyticsTrackingMtd for each track, and a #GstAnalyticsODMtd for
   * components that have none. roi adds a parameter structure "track" with a
   * #guint64 id to regions of interest, and attaches the regions if there are
   * none. Other flags have no effect.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_META_TYPES,
      g_param_spec_flags ("meta-types", "Meta Types",
          "Metas that get the track ids: cca sets them in the components, "
          "analytics attaches tracks and their objects, roi adds them to the "
          "regions of interest",
          GST_TYPE_CCA_META_TYPES, DEFAULT_META_TYPES, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaTrack:max-objects:
   *
   * Maximum number of regions on a buffer, and half the maximum number of
   * entries of its relation meta. A track that is seen has two entries there.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_OBJECTS,
      g_param_spec_uint ("max-objects", "Maximum Objects",
          "Maximum number of objects on a buffer, in the order of the meta. "
          "With analytics each has two entries, an object and a track. Large "
          "numbers slow down the pipeline",
          1, MAX_MAX_OBJECTS, GST_CCA_DEFAULT_MAX_OBJECTS,
          GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaTrack:object-type:
   *
   * Type of the objects and regions, both of existing ones that get ids and of
   * added ones. Can be set only in NULL and READY.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_OBJECT_TYPE,
      gst_cca_param_spec_object_type ());

  /**
   * GstCcaTrack:stats:
   *
   * Statistics, in a structure with these fields:
   *
   * * #guint64 `frames`: frames with a #GstCcaMeta
   * * #guint `tracks`: current tracks, with and without an id
   * * #guint `confirmed`: current tracks with an id
   * * #guint `stopped`: current tracks that have stopped
   * * #guint64 `ids`: ids that were assigned so far
   * * #guint64 `lost`: tracks with ids that have ended
   * * #guint64 `untracked`: components beyond `max-tracks`, of all frames
   * * #GstValueArray `lines`: a structure for each line, which has the name of
   *   the line, #guint64 `to-left` and `to-right`, its crossings in each
   *   direction, and #gint64 `occupancy`, those to the right less those to the
   *   left
   * * #GstValueArray `zones`: a structure for each zone, which has the name of
   *   the zone, #guint64 `inside`, the objects in it now, `entered` and `left`,
   *   the objects that did so, and `dwell` and `max-dwell`, the total and the
   *   greatest time in nanoseconds of those that left
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Numbers of frames, tracks and ids so far, of crossings of each line "
          "in each direction, and of objects in each zone",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

void
gst_cca_track_settings_install (GObjectClass *klass)
{
  install_rule_properties (klass);
  install_stop_properties (klass);
  install_line_properties (klass);
  install_zone_properties (klass);
  install_output_properties (klass);
}
