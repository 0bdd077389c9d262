#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors

"""The components of a frame, as Python sees them."""

import struct
import sys
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

# GstCcaComponent in native layout: id, x, y, width, height, flags, area,
# centroid_x, centroid_y, track_id, two reserved
RECORD = struct.Struct("@6IQ2dq2Q")


def make_buffer(n, n_found):
    """A buffer whose meta has n records of n_found."""
    analysis = GstCca.CcaAnalysis()
    analysis.width, analysis.height = 640, 480
    analysis.threshold, analysis.threshold_high = 128, 65535
    analysis.connectivity = 8
    analysis.n_found = n_found
    records = b"".join(
        RECORD.pack(i + 1, 2 * i, 3 * i, 4, 2, 0, 7, 2 * i + 1.5, 3 * i + 0.5, -1, 0, 0)
        for i in range(n)
    )
    buf = Gst.Buffer.new_allocate(None, 16, None)
    meta = GstCca.buffer_add_cca_meta(buf, analysis, GLib.Bytes.new(records))
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
        self.assertEqual((analysis.threshold, analysis.threshold_high), (128, 65535))
        self.assertEqual(analysis.connectivity, 8)
        self.assertFalse(analysis.invert)

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


class Pipeline(unittest.TestCase):
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
