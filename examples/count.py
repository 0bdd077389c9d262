#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The main part of examples/count, which sets everything up."""

import sys
sys.dont_write_bytecode = True  # the checkout may be read-only

import argparse
import json
import signal

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import GLib, Gst, GstVideo

import lines

SOURCE = "filesrc name=file ! decodebin caps=video/x-raw(ANY) expose-all-streams=false ! videoconvert"
# A GPU decoder's frames stay on the GPU, those of a CPU decoder are uploaded.
ENGINES = {
    "cpu": "cca",
    "cuda": "capsfilter caps=\"video/x-raw(memory:CUDAMemory);video/x-raw,format=NV12\" "
            "! cudaupload ! cudacca",
}
ANALYSIS = ("foreground=sigma-delta open-radius=1 close-radius=1 {cca} name=cca meta-types=cca "
            "! ccatrack {track} name=track meta-types=cca ! fakesink sync=false")
COLUMNS = "time", "id", "line", "direction", "to_left", "to_right", "warming_up"


def stop(sentence):
    sys.exit(f"examples/count: {sentence}")


class Line:
    """Points in a row: x1, y1, x2, y2 and so on."""

    def __init__(self, name, points):
        self.name, self.points, self.counts = name, points, {"to-left": 0, "to-right": 0}
        ends = points[:2] + points[-2:]
        left, right = lines.directions(ends) if ends[:2] != ends[2:] else ("left", "right")
        self.screen = {"to-left": left, "to-right": right}

    def prop(self):
        return f"[{self.name},points=<{','.join(map(str, self.points))}>]"

    def describe(self):
        return ", ".join(f"{self.screen[way]} {n}" for way, n in self.counts.items())


def parse_line(text, number):
    name, _, points = text.rpartition("=")
    return Line(name or f"line{number if number > 1 else ''}", tuple(map(int, points.split(","))))


class Counter:
    """Lines may depend on the size of the picture."""

    def __init__(self, pipeline, options):
        self.options = options
        self.cca, self.track = pipeline.get_by_name("cca"), pipeline.get_by_name("track")
        self.lines = [parse_line(text, n) for n, text in enumerate(options.line, 1)]
        self.set_lines()
        self.pad = self.cca.get_static_pad("sink")
        self.probe = self.pad.add_probe(Gst.PadProbeType.EVENT_DOWNSTREAM, self.prepare)
        if options.format == "text":
            print("    time     id line         to         count")
        elif options.format == "csv":
            print(",".join(COLUMNS))

    def set_lines(self):
        Gst.util_set_object_arg(self.track, "lines",
                                f"<{','.join(line.prop() for line in self.lines)}>")

    def prepare(self, _pad, info):
        event = info.get_event()
        if event.type == Gst.EventType.CAPS:
            info = GstVideo.VideoInfo.new_from_caps(event.parse_caps())
            width, height = info.width, info.height
            if not self.lines:
                self.lines = [Line("line", lines.middle(width, height))]
                self.set_lines()
            if "min-area=" not in self.options.cca:
                self.cca.set_property("min-area",
                                      self.options.min_area or max(1, width * height // 1500))
        return Gst.PadProbeReturn.OK

    def add(self, message):
        if message.get_string("event") != "crossed":
            return
        name, direction = message.get_string("line"), message.get_string("direction")
        line = next(line for line in self.lines if line.name == name)
        time, number, *counts = (message.get_uint64(field)[1] for field in (
            "stream-time", "id", "to-left", "to-right"))
        line.counts = dict(zip(("to-left", "to-right"), counts))
        values = (round(time / Gst.SECOND, 3), number, name, direction, *counts,
                  message.get_boolean("warming-up")[1])
        if self.options.format == "text":
            minutes, hundredths = divmod(time // (Gst.SECOND // 100), 6000)
            print(f"{minutes:4}:{hundredths / 100:05.2f} {number:5} {name:<12} "
                  f"{line.screen[direction]:<8} {line.counts[direction]:7}", flush=True)
        elif self.options.format == "csv":
            print(",".join(map(json.dumps, values)).replace('"', ""), flush=True)
        else:
            print(json.dumps(dict(zip(COLUMNS, values))), flush=True)

    def close(self):
        """The probe keeps the element, and this object keeps both."""
        self.pad.remove_probe(self.probe)

    def finish(self):
        if self.options.format == "text":
            for line in self.lines:
                print(*([f"{line.name}:"] if len(self.lines) > 1 else []), line.describe())
        elif self.options.format == "json":
            print(json.dumps({"counts": {line.name: {
                "to_left": line.counts["to-left"], "to_right": line.counts["to-right"],
                "occupancy": line.counts["to-right"] - line.counts["to-left"]}
                for line in self.lines}}))


def main(options):
    Gst.init(None)
    if options.device == "cuda" and not Gst.ElementFactory.find("cudacca"):
        stop("--device cuda: there is no cudacca without an NVIDIA GPU and its driver")
    try:
        pipeline = Gst.parse_launch(f"{SOURCE} ! {ENGINES[options.device]} " + ANALYSIS.format(
            cca=options.cca, track=options.track))
    except GLib.Error as error:
        stop(error.message)
    pipeline.get_by_name("file").set_property("location", options.video)
    counter, bus = Counter(pipeline, options), pipeline.get_bus()
    pipeline.set_state(Gst.State.PLAYING)
    kinds = Gst.MessageType.EOS | Gst.MessageType.ERROR | Gst.MessageType.ELEMENT
    while (message := bus.timed_pop_filtered(Gst.CLOCK_TIME_NONE, kinds)) \
            .type == Gst.MessageType.ELEMENT:
        if message.has_name("cca-track"):
            counter.add(message.get_structure())
    pipeline.set_state(Gst.State.NULL)
    counter.close()
    if message.type == Gst.MessageType.ERROR:
        stop(message.parse_error()[0].message.rstrip("."))
    counter.finish()


signal.signal(signal.SIGINT, signal.SIG_DFL)
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
parser = argparse.ArgumentParser(
    epilog="Run examples/count instead: it sets up what is missing and calls this program.")
parser.add_argument("video")
parser.add_argument("--line", action="append", default=[])
parser.add_argument("--min-area", type=int)
parser.add_argument("--format", default="text")
parser.add_argument("--cca", default="")
parser.add_argument("--track", default="")
parser.add_argument("--device", default="cpu")
main(parser.parse_args())
