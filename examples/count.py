#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The main part of examples/count, which sets everything up."""

import sys
sys.dont_write_bytecode = True  # the checkout may be read-only

import signal

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import GLib, Gst, GstVideo

import lines

PIPELINE = ("filesrc name=file ! decodebin ! videoconvert "
            "! cca name=cca foreground=sigma-delta open-radius=1 close-radius=1 meta-types=cca "
            "! ccatrack name=track meta-types=cca ! fakesink sync=false")


class Counts:
    """Of one line, which may depend on the size of the picture."""

    def __init__(self, pipeline, line, min_area):
        self.line, self.min_area = line, min_area
        self.cca, self.track = pipeline.get_by_name("cca"), pipeline.get_by_name("track")
        self.names, self.to_left, self.to_right = None, 0, 0
        self.cca.get_static_pad("sink").add_probe(Gst.PadProbeType.EVENT_DOWNSTREAM, self.prepare)

    def prepare(self, _pad, info):
        event = info.get_event()
        if event.type == Gst.EventType.CAPS and not self.names:
            info = GstVideo.VideoInfo.new_from_caps(event.parse_caps())
            width, height = info.width, info.height
            self.line = self.line or lines.middle(width, height)
            self.names = lines.directions(self.line)
            self.cca.set_property("min-area", self.min_area or max(1, width * height // 1500))
            Gst.util_set_object_arg(self.track, "lines", lines.prop(self.line))
            print("    time     id {:>8} {:>8}".format(*self.names))
        return Gst.PadProbeReturn.OK

    def add(self, message):
        if message.get_string("event") != "crossed":
            return
        (_, time), (_, number) = message.get_uint64("stream-time"), message.get_uint64("id")
        self.to_left, self.to_right = (message.get_uint64(name)[1]
                                       for name in ("to-left", "to-right"))
        minutes, hundredths = divmod(time // (Gst.SECOND // 100), 6000)
        print(f"{minutes:4}:{hundredths / 100:05.2f} {number:5} {self.to_left:8} {self.to_right:8}",
              flush=True)


def main(video, line, min_area):
    Gst.init(None)
    try:
        line = lines.parse(line) if line else None
    except ValueError:
        sys.exit(f"examples/count: the line {line} has no length")
    try:
        pipeline = Gst.parse_launch(PIPELINE)
    except GLib.Error as error:
        sys.exit(f"examples/count: {error.message}")
    pipeline.get_by_name("file").set_property("location", video)
    counts, bus = Counts(pipeline, line, min_area), pipeline.get_bus()
    pipeline.set_state(Gst.State.PLAYING)
    kinds = Gst.MessageType.EOS | Gst.MessageType.ERROR | Gst.MessageType.ELEMENT
    while (message := bus.timed_pop_filtered(Gst.CLOCK_TIME_NONE, kinds)) \
            .type == Gst.MessageType.ELEMENT:
        if message.has_name("cca-track"):
            counts.add(message.get_structure())
    pipeline.set_state(Gst.State.NULL)
    if message.type == Gst.MessageType.ERROR:
        sys.exit(f"examples/count: {message.parse_error()[0].message.rstrip('.')}")
    print(lines.describe(counts.line, (counts.to_left, counts.to_right)))


signal.signal(signal.SIGINT, signal.SIG_DFL)
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
if len(sys.argv) != 4:
    sys.exit("count.py: run examples/count, which calls this program (--help lists its options)")
main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
