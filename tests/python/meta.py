#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors

"""The components of a frame, as Python sees them."""

import math
import statistics
import struct
import sys
import tempfile
import unittest

if "--skip" in sys.argv:
    sys.exit(77)
try:
    import gi
except ImportError:
    print("PyGObject is missing (package python3-gi)")
    sys.exit(77)

gi.require_version("Gst", "1.0")
gi.require_version("GstCca", "1.0")
gi.require_version("GstAnalytics", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import GLib, Gst, GstAnalytics, GstCca, GstVideo


def make_buffer(n, n_found):
    """A buffer whose meta has n records of n_found."""
    analysis = GstCca.CcaAnalysis.new(640, 480, n_found)
    analysis.depth = 10
    components = [
        GstCca.CcaComponent.new(i + 1, 2 * i, 3 * i, 4, 2, 7, 2 * i + 1.5, 3 * i + 0.5)
        for i in range(n)
    ]
    buf = Gst.Buffer.new_allocate(None, 16, None)
    meta = GstCca.buffer_add_cca_meta_from_components(buf, analysis, components)
    assert meta is not None
    return buf


class Meta(unittest.TestCase):
    def test_none(self):
        self.assertIsNone(GstCca.buffer_get_cca_meta(Gst.Buffer.new()))

    def test_accessors(self):
        buf = make_buffer(3, 5)
        meta = GstCca.buffer_get_cca_meta(buf)
        self.assertEqual(meta.get_n_components(), 3)
        self.assertEqual(meta.get_n_found(), 5)
        self.assertTrue(meta.is_truncated())
        analysis = meta.get_analysis()
        self.assertEqual((analysis.width, analysis.height), (640, 480))
        self.assertEqual((analysis.threshold, analysis.threshold_high), (128, 255))
        self.assertEqual(analysis.connectivity, 8)
        self.assertEqual(analysis.depth, 10)
        self.assertFalse(analysis.invert)

    def test_shapes(self):
        buf = make_buffer(1, 1)
        meta = GstCca.buffer_get_cca_meta(buf)
        self.assertIsNone(meta.get_shapes())
        shapes = GstCca.CcaShapes.new()
        self.assertTrue(shapes.append(GstCca.CcaShapeKind.LINE, "gate", [1, 2.5, 3, 4]))
        self.assertTrue(shapes.append(GstCca.CcaShapeKind.ZONE, "yard", [0, 0, 9, 0, 9, 9]))
        meta.set_shapes(shapes, GLib.Bytes.new(struct.pack("=4Q", 1, 2, 3, 0)))
        shapes = meta.get_shapes()
        self.assertEqual(shapes.get_n_shapes(), 2)
        self.assertEqual(shapes.get_kind(1), GstCca.CcaShapeKind.ZONE)
        self.assertEqual(shapes.get_name(0), "gate")
        self.assertEqual(shapes.get_coordinates(0), [1, 2.5, 3, 4])
        self.assertEqual(meta.get_line_counts(0), (True, 1, 2))
        self.assertEqual(meta.get_zone_count(1), (True, 3))
        self.assertFalse(meta.get_zone_count(0)[0])

    def test_events(self):
        buf = make_buffer(1, 1)
        meta = GstCca.buffer_get_cca_meta(buf)
        self.assertTrue(meta.add_event(Gst.Structure.from_string("cca-track,event=lost")[0]))
        self.assertEqual(meta.get_n_events(), 1)
        self.assertEqual(meta.get_event(0).get_string("event"), "lost")
        self.assertIsNone(meta.get_event(1))

    def test_version(self):
        version = GstCca.CCA_VERSION_MAJOR, GstCca.CCA_VERSION_MINOR, GstCca.CCA_VERSION_MICRO
        self.assertGreaterEqual(version, (0, 1, 0))

    def test_pixel_aspect_ratio(self):
        buf = make_buffer(1, 1)
        meta = GstCca.buffer_get_cca_meta(buf)
        self.assertEqual(meta.get_pixel_aspect_ratio(), (0, 0))
        meta.set_pixel_aspect_ratio(16, 11)
        self.assertEqual(tuple(meta.get_pixel_aspect_ratio()), (16, 11))

    def test_track_ids(self):
        buf = make_buffer(3, 5)
        meta = GstCca.buffer_get_cca_meta(buf)
        self.assertTrue(meta.set_track_ids([7, -1, 2 ** 40]))
        self.assertEqual([meta.get_component(i)[1].track_id for i in range(3)], [7, -1, 2 ** 40])
        self.assertTrue(meta.set_tracks([7, -1, 9], [0, 5, 2 ** 63]))
        self.assertEqual([meta.get_component(i)[1].track_id for i in range(3)], [7, -1, 9])
        self.assertEqual([meta.get_component(i)[1].zones for i in range(3)], [0, 5, 2 ** 63])

    def test_components(self):
        buf = make_buffer(3, 3)
        meta = GstCca.buffer_get_cca_meta(buf)
        self.assertFalse(meta.is_truncated())
        components = meta.get_components()
        self.assertEqual(len(components), 3)
        for i, c in enumerate(components):
            self.assertEqual(c.id, i + 1)
            self.assertEqual((c.x, c.y, c.width, c.height), (2 * i, 3 * i, 4, 2))
            self.assertEqual((c.centroid_x, c.centroid_y), (2 * i + 1.5, 3 * i + 0.5))
            self.assertEqual((c.area, c.track_id), (7, -1))

    def test_empty(self):
        buf = make_buffer(0, 2)
        meta = GstCca.buffer_get_cca_meta(buf)
        self.assertEqual(list(meta.get_components()), [])
        self.assertTrue(meta.is_truncated())

    def test_component(self):
        buf = make_buffer(2, 2)
        meta = GstCca.buffer_get_cca_meta(buf)
        found, c = meta.get_component(1)
        self.assertTrue(found)
        self.assertEqual((c.id, c.x, c.y, c.area), (2, 2, 3, 7))
        self.assertFalse(meta.get_component(2)[0])

    def test_scaled(self):
        buf = make_buffer(2, 2)
        meta = GstCca.buffer_get_cca_meta(buf)
        found, c = meta.get_component_scaled(1, 320, 960)
        self.assertTrue(found)
        self.assertEqual((c.x, c.y, c.width, c.height), (1, 6, 2, 4))
        self.assertEqual((c.centroid_x, c.centroid_y), (1.5, 7.5))
        self.assertEqual(c.area, 7)

    def test_copy_outlives_buffer(self):
        buf = make_buffer(1, 1)
        components = GstCca.buffer_get_cca_meta(buf).get_components()
        del buf
        self.assertEqual(components[0].area, 7)

    def test_emit(self):
        buf = make_buffer(5, 5)
        meta = GstCca.buffer_get_cca_meta(buf)
        self.assertEqual(meta.emit_roi(buf, "blob", 3, 0, 0), 3)
        self.assertEqual(meta.emit_analytics(buf, None, 256, 0, 0), 5)
        roi = GstVideo.buffer_get_video_region_of_interest_meta_id(buf, 2)
        self.assertEqual((roi.x, roi.y, roi.w, roi.h), (2, 3, 4, 2))
        relations = GstAnalytics.buffer_get_analytics_relation_meta(buf)
        self.assertEqual(GstAnalytics.relation_get_length(relations), 5)


class Features(unittest.TestCase):
    """Features set in Python, and the measures that they give."""

    PIXELS = {(3, 9): 5, (4, 9): 200, (5, 10): 7, (4, 10): 0, (7, 9): 90}

    def test_features(self):
        buf = make_buffer(1, 1)
        meta = GstCca.buffer_get_cca_meta(buf)
        self.assertEqual(meta.get_feature_flags(), 0)
        self.assertFalse(meta.get_component_features(0)[0])
        f = GstCca.CcaFeatures.new()
        f.v_min, f.v_max, f.v_max_x, f.v_max_y = 0, 200, 4, 9
        for (x, y), v in self.PIXELS.items():
            f.xx, f.xy, f.yy = f.xx + x * x, f.xy + x * y, f.yy + y * y
            f.v, f.vv, f.vx, f.vy = f.v + v, f.vv + v * v, f.vx + v * x, f.vy + v * y
        f.e4, f.q4, f.w1 = 3, 0, 15
        flags = GstCca.CcaFeatureFlags
        meta.set_features_from_records(flags.MOMENTS | flags.INTENSITY | flags.SHAPE, [f])
        self.assertEqual(meta.get_feature_flags(), 7)
        self.assertEqual([g.vv for g in meta.get_features()], [f.vv])
        found, f = meta.get_component_features(0)
        self.assertTrue(found)
        self.assertEqual((f.v_max, f.v_max_x, f.v_max_y, f.w1), (200, 4, 9, 15))

        xs, ys = zip(*self.PIXELS)
        n, cx, cy = len(xs), statistics.mean(xs), statistics.mean(ys)
        c = GstCca.CcaComponent.new(1, 3, 9, 5, 2, n, cx, cy)
        xx, xy, yy = f.get_central_moments(c)
        self.assertAlmostEqual(xx, statistics.pvariance(xs) * n)
        self.assertAlmostEqual(xy, sum((x - cx) * (y - cy) for x, y in self.PIXELS))
        self.assertAlmostEqual(yy, statistics.pvariance(ys) * n)
        major, minor = f.get_axes(c)
        self.assertAlmostEqual(major ** 2 + minor ** 2, 16 * (xx + yy) / n)
        self.assertAlmostEqual(f.get_eccentricity(c) ** 2, 1 - (minor / major) ** 2)
        self.assertAlmostEqual(math.tan(2 * f.get_orientation(c)), 2 * xy / (yy - xx))
        self.assertEqual([w / 4 for w in f.get_widths(c)],
                         [statistics.pstdev(xs), statistics.pstdev(ys)])
        values = self.PIXELS.values()
        self.assertEqual(f.get_mean(c), statistics.mean(values))
        self.assertAlmostEqual(f.get_standard_deviation(c), statistics.pstdev(values))
        self.assertEqual(f.get_weighted_centroid(), (f.vx / f.v, f.vy / f.v))
        self.assertEqual(f.get_edge_length(c), 14)
        # in 4-connectivity the last pixel is a component of its own
        self.assertEqual((f.get_euler_number(c, 4), f.get_euler_number(c, 8)), (2, 3))
        self.assertEqual(f.get_n_holes(c, 4), -1)
        self.assertEqual(c.get_extent(), 0.5)


class Labels(unittest.TestCase):
    """A label image, made and read in Python."""

    def make(self, gray, pixels, width, height, n):
        picture = Gst.Buffer.new_wrapped(pixels)
        GstVideo.buffer_add_video_meta(picture, GstVideo.VideoFrameFlags.NONE, gray, width, height)
        buf = Gst.Buffer.new_allocate(None, 16, None)
        self.assertIsNone(GstCca.buffer_get_cca_labels_meta(buf))
        self.assertIsNotNone(GstCca.buffer_add_cca_labels_meta(buf, picture, n))
        return buf

    def check(self, buf, depth, wanted):
        meta = GstCca.buffer_get_cca_labels_meta(buf)
        self.assertEqual((meta.get_width(), meta.get_height(), meta.get_depth()), (4, 2, depth))
        self.assertEqual(meta.get_n_labels(), 3)
        rows = meta.get_rows(0, 2).get_data()
        self.assertEqual(memoryview(rows).cast("H").tolist(), wanted)
        self.assertEqual(meta.get_label(3, 1), (True, wanted[7]))
        self.assertFalse(meta.get_label(4, 1)[0])
        self.assertIsNone(meta.get_rows(1, 2))

    def test_labels(self):
        wanted = [0, 1, 1, 0, 2, 0, 3, 3]
        self.check(self.make(GstVideo.VideoFormat.GRAY8, bytes(wanted), 4, 2, 3), 8, wanted)
        pixels = b"".join(v.to_bytes(2, "little") for v in wanted)
        self.check(self.make(GstVideo.VideoFormat.GRAY16_LE, pixels, 4, 2, 3), 16, wanted)

    def test_picture(self):
        buf = self.make(GstVideo.VideoFormat.GRAY8, bytes(8), 4, 2, 0)
        picture = GstCca.buffer_get_cca_labels_meta(buf).get_picture()
        del buf
        self.assertEqual(picture.get_size(), 8)

    def test_segmentation(self):
        if not hasattr(GstAnalytics, "SegmentationMtd"):
            self.skipTest("GStreamer before 1.26")
        buf = self.make(GstVideo.VideoFormat.GRAY8, bytes([0, 1, 1, 0, 2, 0, 3, 3]), 4, 2, 3)
        self.assertTrue(
            GstCca.buffer_get_cca_labels_meta(buf).emit_segmentation(buf, 640, 480))
        relations = GstAnalytics.buffer_get_analytics_relation_meta(buf)
        self.assertEqual(GstAnalytics.relation_get_length(relations), 1)


FIELDS = "id", "x", "y", "width", "height", "flags", "area", "centroid_x", "centroid_y", "track_id", \
    "zones"


def values(component):
    return tuple(getattr(component, field) for field in FIELDS)


class Build(unittest.TestCase):
    """An analyser in Python: builds, reads, scales and serialises."""

    def setUp(self):
        self.analysis = GstCca.CcaAnalysis.new(40, 30, 4)
        self.analysis.threshold, self.analysis.threshold_high = 10, 200
        self.analysis.invert = True
        self.analysis.connectivity = 4
        self.analysis.foreground = GstCca.CcaForeground.SIGMA_DELTA
        self.analysis.flags = GstCca.CcaAnalysisFlags.WARMING_UP
        self.components = [
            GstCca.CcaComponent.new(1, 0, 0, 40, 30, 1200, 19.5, 14.5),
            GstCca.CcaComponent.new(2, 10, 20, 5, 6, 17, 12.25, 22.75),
            GstCca.CcaComponent(),
        ]
        c = self.components[2]
        c.id, c.x, c.y, c.width, c.height = 2**32 - 1, 39, 29, 1, 1
        c.area, c.centroid_x, c.centroid_y, c.track_id = 1, 39, 29, -(2**40)
        self.components[1].track_id, self.components[1].zones = 77, 6
        self.buf = Gst.Buffer.new()

    def add(self):
        return GstCca.buffer_add_cca_meta_from_components(
            self.buf, self.analysis, self.components)

    def check(self, meta):
        analysis = meta.get_analysis()
        self.assertEqual((analysis.width, analysis.height, analysis.n_found), (40, 30, 4))
        self.assertEqual((analysis.threshold, analysis.threshold_high), (10, 200))
        self.assertEqual((bool(analysis.invert), analysis.connectivity), (True, 4))
        self.assertEqual(analysis.foreground, GstCca.CcaForeground.SIGMA_DELTA)
        self.assertEqual(GstCca.CcaForeground.get_nick(analysis.foreground), "sigma-delta")
        self.assertEqual(analysis.flags, GstCca.CcaAnalysisFlags.WARMING_UP)
        self.assertTrue(meta.is_truncated())
        self.assertEqual([values(c) for c in meta.get_components()], [
            (1, 0, 0, 40, 30, 0, 1200, 19.5, 14.5, -1, 0),
            (2, 10, 20, 5, 6, 0, 17, 12.25, 22.75, 77, 6),
            (2**32 - 1, 39, 29, 1, 1, 0, 1, 39, 29, -(2**40), 0),
        ])

    def test_build(self):
        meta = self.add()
        for c in self.components:  # are copied
            c.id = 1234
        self.analysis.width = 1
        self.check(meta)
        del meta, self.components, self.analysis
        self.check(GstCca.buffer_get_cca_meta(self.buf))

    def test_none(self):
        for nothing in ([], None):
            meta = GstCca.buffer_add_cca_meta_from_components(
                Gst.Buffer.new(), self.analysis, nothing)
            self.assertEqual(meta.get_n_components(), 0)

    def test_scaled(self):
        found, c = self.add().get_component_scaled(1, 20, 60)
        self.assertTrue(found)
        self.assertEqual(values(c), (2, 5, 40, 3, 12, 0, 17, 5.875, 46, 77, 6))

    def test_newer_foreground(self):
        """One that is not known here stays a number."""
        try:
            self.analysis.foreground = 99
        except TypeError:
            self.skipTest("this PyGObject refuses numbers without a name")
        foreground = self.add().get_analysis().foreground
        self.assertEqual(int(foreground), 99)
        self.assertIsNone(GstCca.CcaForeground.get_nick(foreground))

    def test_fits(self):
        meta = self.add()
        self.assertTrue(meta.fits_frame(self.buf, 40, 20, 1, 1))
        meta.set_pixel_aspect_ratio(1, 1)
        self.assertTrue(meta.fits_frame(self.buf, 80, 60, 1, 1))
        self.assertTrue(meta.fits_frame(self.buf, 40, 60, 2, 1))
        self.assertFalse(meta.fits_frame(self.buf, 40, 20, 1, 1))

    def test_copied(self):
        self.add()
        self.check(GstCca.buffer_get_cca_meta(self.buf.copy()))

    def test_serialised(self):
        """Through a socket, as to another process."""
        if not Gst.ElementFactory.find("unixfdsink"):
            self.skipTest("no element unixfdsink")
        with tempfile.TemporaryDirectory() as folder:
            # the scaler is there because unixfdsink wants memory of its own
            sender = Gst.parse_launch(
                "appsrc name=source format=time caps=video/x-raw,format=GRAY8,width=40,height=30,"
                "framerate=25/1 ! videoscale ! video/x-raw,width=80 ! "
                f"unixfdsink sync=false socket-path={folder}/socket")
            receiver = Gst.parse_launch(
                f"unixfdsrc socket-path={folder}/socket ! appsink name=sink sync=false")
            source, sink = sender.get_by_name("source"), receiver.get_by_name("sink")
            sample = None
            try:
                sender.set_state(Gst.State.PLAYING)
                receiver.set_state(Gst.State.PLAYING)
                # frames that were sent before the receiver came are lost
                for _ in range(250):
                    self.buf = Gst.Buffer.new_allocate(None, 40 * 30, None)
                    self.buf.pts = 0
                    self.add()
                    source.emit("push-buffer", self.buf)
                    sample = sink.emit("try-pull-sample", 40 * Gst.MSECOND)
                    if sample:
                        break
            finally:
                receiver.set_state(Gst.State.NULL)
                sender.set_state(Gst.State.NULL)
        self.check(GstCca.buffer_get_cca_meta(sample.get_buffer()))

    def test_refused(self):
        """With a message on standard error, and nothing is attached."""
        c = self.components[1]
        for field, value in ("id", 0), ("x", 36), ("height", 11), ("area", 31), \
                            ("area", 0), ("centroid_x", 14.75), ("centroid_y", float("nan")):
            before = getattr(c, field)
            setattr(c, field, value)
            self.assertIsNone(self.add(), field)
            setattr(c, field, before)
        self.analysis.n_found = 2
        self.assertIsNone(self.add())
        self.assertIsNone(GstCca.buffer_get_cca_meta(self.buf))


class Pipeline(unittest.TestCase):
    def test_foreground(self):
        """A mode with a background, and its signal, as an application has them."""
        if Gst.ElementFactory.find("cca") is None:
            self.skipTest("no element cca")
        pipeline = Gst.parse_launch(
            "appsrc name=source format=time caps=video/x-raw,format=GRAY8,width=16,height=8,"
            "framerate=25/1 ! cca name=cca foreground=sigma-delta warm-up=1 ! "
            "appsink name=sink sync=false")
        source, cca, sink = (pipeline.get_by_name(n) for n in ("source", "cca", "sink"))
        self.assertEqual(cca.props.foreground, GstCca.CcaForeground.SIGMA_DELTA)
        pipeline.set_state(Gst.State.PLAYING)
        found, warming_up = [], []
        try:
            for i, value in enumerate((50, 50, 90, 50, 90, 90)):
                if i == 4:
                    cca.emit("reset-background")
                source.emit("push-buffer", Gst.Buffer.new_wrapped(bytes([value]) * (16 * 8)))
                sample = sink.emit("try-pull-sample", 20 * Gst.SECOND)
                meta = GstCca.buffer_get_cca_meta(sample.get_buffer())
                analysis = meta.get_analysis()
                self.assertEqual(analysis.foreground, GstCca.CcaForeground.SIGMA_DELTA)
                found.append(meta.get_n_found())
                warming_up.append(bool(analysis.flags & GstCca.CcaAnalysisFlags.WARMING_UP))
        finally:
            pipeline.set_state(Gst.State.NULL)
        self.assertEqual(found, [0, 0, 1, 0, 0, 0])
        self.assertEqual(warming_up, [True, True, False, False, True, True])

    def test_cca(self):
        """Components of a real frame, through appsink."""
        if Gst.ElementFactory.find("cca") is None:
            self.skipTest("no element cca")
        pipeline = Gst.parse_launch(
            "videotestsrc pattern=solid-color foreground-color=0xff000000 num-buffers=1"
            " ! video/x-raw,format=GRAY8,width=64,height=48"
            " ! videobox left=-8 top=-4 right=-2 bottom=-1 fill=white"
            " ! video/x-raw,format=GRAY8 ! cca invert=true"
            " ! appsink name=sink sync=false"
        )
        sink = pipeline.get_by_name("sink")
        pipeline.set_state(Gst.State.PLAYING)
        sample = sink.emit("try-pull-sample", 10 * Gst.SECOND)
        try:
            self.assertIsNotNone(sample)
            meta = GstCca.buffer_get_cca_meta(sample.get_buffer())
            self.assertIsNotNone(meta)
            analysis = meta.get_analysis()
            self.assertEqual((analysis.width, analysis.height), (74, 53))
            (c,) = meta.get_components()
            self.assertEqual((c.x, c.y, c.width, c.height), (8, 4, 64, 48))
            self.assertEqual((c.id, c.area), (1, 64 * 48))
            self.assertEqual((c.centroid_x, c.centroid_y), (39.5, 27.5))
        finally:
            pipeline.set_state(Gst.State.NULL)


if __name__ == "__main__":
    Gst.init(None)
    unittest.main(verbosity=2)
