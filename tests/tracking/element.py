# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""ccatrack, frame by frame, as Tracker in rule.py is used."""

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstCca", "1.0")
from gi.repository import Gst, GstCca


def box(structure, name):
    box = structure.get_value(name)
    return tuple(box.get_uint(side)[1] for side in ("x", "y", "width", "height"))


def path(structure):
    return [tuple(point) for point in structure.get_value("path")]


def text_of(line):
    points = ",".join(str(c) for point in line.points for c in point)
    return f"[{line.name},points=<{points}>" \
        + "".join(f",{name}={value}" for name, value in line.options.items()) + "]"


class Element:
    def __init__(self, properties=(), lines=(), zones=()):
        self.pipeline = Gst.parse_launch("ccatrack name=track ! fakesink sync=false async=false")
        self.track = self.pipeline.get_by_name("track")
        for name, value in dict(properties).items():
            self.set(name, value)
        self.set_lines(lines)
        self.set_zones(zones)
        self.frames = 0
        self.bus = self.pipeline.get_bus()
        self.ids = None
        self.track.get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, self.keep)
        self.source = Gst.Pad.new("source", Gst.PadDirection.SRC)
        self.source.link(self.track.get_static_pad("sink"))
        self.source.set_active(True)
        self.pipeline.set_state(Gst.State.PLAYING)
        self.source.push_event(Gst.Event.new_stream_start("stream"))
        self.source.push_event(Gst.Event.new_caps(
            Gst.Caps.from_string("video/x-raw,format=GRAY8,width=8,height=8,framerate=25/1")))
        self.begin_segment()

    def set(self, name, value):
        Gst.util_set_object_arg(self.track, name, str(value))

    def set_lines(self, lines):
        self.set("lines", "<" + ",".join(map(text_of, lines)) + ">")

    def set_zones(self, zones):
        self.set("zones", "<" + ",".join(map(text_of, zones)) + ">")

    def zone_counts(self):
        """By the name of the zone."""
        zones = self.track.get_property("stats").get_value("zones")
        return {zone.get_name(): [zone.get_uint64(name)[1] for name in (
            "inside", "entered", "left", "dwell", "max-dwell")] for zone in zones}

    def reset_counts(self, name):
        self.track.emit("reset-counts", name)

    def counts(self):
        """To the left and to the right, by the name of the line."""
        lines = self.track.get_property("stats").get_value("lines")
        for line in lines:
            left, right = (line.get_uint64(name)[1] for name in ("to-left", "to-right"))
            assert line.get_int64("occupancy")[1] == right - left
        return {line.get_name(): [line.get_uint64(name)[1] for name in ("to-left", "to-right")]
                for line in lines}

    def begin_segment(self):
        segment = Gst.Segment()
        segment.init(Gst.Format.TIME)
        self.source.push_event(Gst.Event.new_segment(segment))

    def keep(self, _pad, info):
        meta = GstCca.buffer_get_cca_meta(info.get_buffer())
        self.ids = [c.track_id for c in meta.get_components()] if meta else None
        return Gst.PadProbeReturn.OK

    def restart(self, by_flush=True):
        if by_flush:
            self.source.push_event(Gst.Event.new_flush_start())
            self.source.push_event(Gst.Event.new_flush_stop(True))
        else:
            self.source.push_event(Gst.Event.new_stream_start("another"))
        self.begin_segment()

    def push(self, buffer):
        self.ids = None
        result = self.source.push(buffer)
        assert result == Gst.FlowReturn.OK, result
        return self.ids

    def frame(self, boxes, size, warming_up=False):
        """Their centroids are at the upper left, and they cover their boxes. Its time is its
        number."""
        analysis = GstCca.CcaAnalysis.new(*size, len(boxes))
        if warming_up:
            analysis.flags = GstCca.CcaAnalysisFlags.WARMING_UP
        records = [GstCca.CcaComponent.new(i, x, y, width, height, width * height, x, y)
                   for i, (x, y, width, height) in enumerate(boxes, 1)]
        buffer = Gst.Buffer.new_allocate(None, 64, None)
        buffer.pts = self.frames
        self.frames += 1
        assert GstCca.buffer_add_cca_meta_from_components(buffer, analysis, records)
        return self.push(buffer)

    def pass_by(self):
        """A frame that was not analysed, and does not count."""
        assert self.push(Gst.Buffer.new_allocate(None, 64, None)) is None

    def take_events(self):
        """The messages since then: what Tracker has, the first and the last box, and the
        path, but of one that crosses a line."""
        events = []
        while message := self.bus.pop_filtered(Gst.MessageType.ELEMENT):
            s = message.get_structure()
            what = s.get_string("event")
            if s.get_name() == "cca-zone":
                events.append(self.zone_event(what, s))
                continue
            more = {"lost": ["reason"], "crossed": ["line", "direction"]}.get(what, [])
            more = [s.get_string(name) for name in more]
            if what in ("stopped", "moved"):
                more = [s.get_uint64("since")[1]]
            elif what == "confirmed":
                more = [s.get_uint64("after")[1] if s.has_field("after") else 0]
            times = [s.get_uint64(name)[1] for name in ("running-time", "settled")] \
                + [s.get_boolean("warming-up")[1]] if what == "crossed" else []
            events.append(((what, s.get_uint64("id")[1], s.get_uint64("frames-seen")[1],
                            *more, *times),
                           box(s, "first-box"), box(s, "last-box"),
                           path(s) if s.has_field("path") else None))
        return events

    @staticmethod
    def zone_event(what, s):
        def number(name):
            return s.get_uint64(name)[1]

        with_track = what in ("entered", "left", "loitering")
        more = [number(name) for name in ("since", "dwell") if s.has_field(name)]
        more += [s.get_string("reason")] if s.has_field("reason") else []
        boxes = [box(s, name) if with_track else None for name in ("first-box", "last-box")]
        return ((what, number("id") if with_track else 0,
                 number("frames-seen") if with_track else 0, s.get_string("zone"),
                 number("running-time"), s.get_boolean("warming-up")[1], number("settled"),
                 number("count"), *more), *boxes, None)

    def close(self):
        self.pipeline.set_state(Gst.State.NULL)
