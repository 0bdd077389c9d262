#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The main part of examples/count, which sets everything up."""

import sys
sys.dont_write_bytecode = True  # the checkout may be read-only

import argparse
import csv
import json
import signal
import time

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import GLib, Gst, GstVideo

import lines
import settings
import sources

ANALYSIS = ("videoconvert name=head ! {engine} {cca} name=cca meta-types=cca "
            "! ccatrack {track} name=track meta-types=cca ! fakesink sync=false")
MOTION = "foreground=sigma-delta open-radius=1 close-radius=1"
COLUMNS = ("video", "time", "event", "id", "place", "direction", "to_left", "to_right", "inside",
           "dwell", "warming_up")


def say(sentence):
    print(f"examples/count: {sentence}", file=sys.stderr, flush=True)


class Line:
    """Points in a row: x1, y1, x2, y2 and so on."""
    kind = "line"

    def __init__(self, name, points, fields=()):
        self.name, self.points, self.counts = name, points, {"to_left": 0, "to_right": 0}
        self.fields = dict(fields)      # of a file of settings
        ends = points[:2] + points[-2:]
        left, right = lines.directions(ends) if ends[:2] != ends[2:] else ("left", "right")
        self.screen = {"to_left": left, "to_right": right}

    @classmethod
    def of(cls, shape):
        """From a structure in a file of settings."""
        fields = dict(shape)
        return cls(fields.pop("name"), tuple(fields.pop("points")), fields)

    def shape(self):
        return {"name": self.name, "points": list(self.points), **self.fields}

    def add(self, fields, row):
        """Returns the event and the count of the table."""
        row["direction"] = fields.get_string("direction")
        way = row["direction"].replace("-", "_")
        self.counts = {key: fields.get_uint64(key.replace("_", "-"))[1] for key in self.counts}
        row.update(self.counts)
        return self.screen[way], self.counts[way]

    def totals(self):
        return {**self.counts, "occupancy": self.counts["to_right"] - self.counts["to_left"]}

    def describe(self):
        return ", ".join(f"{self.screen[way]} {n}" for way, n in self.counts.items())


class Zone(Line):
    kind = "zone"

    def __init__(self, name, points, fields=()):
        super().__init__(name, points, fields)
        self.counts = {"inside": 0, "entered": 0, "left": 0, "dwell": 0}

    def add(self, fields, row):
        event, counts = row["event"], self.counts
        row["inside"] = counts["inside"] = fields.get_uint64("count")[1]
        if event in ("entered", "left"):
            counts[event] += 1
        known, dwell = fields.get_uint64("dwell")
        if known and dwell != Gst.CLOCK_TIME_NONE:
            row["dwell"] = round(dwell / Gst.SECOND, 3)
            counts["dwell"] = round(counts["dwell"] + row["dwell"], 3)
        return event, counts["inside"]

    def totals(self):
        return self.counts

    def describe(self):
        return ", ".join(f"{key} {n}" for key, n in self.counts.items() if key != "dwell")


def parse(place, texts):
    """Without names they are called line, line2 and so on."""
    places = []
    for number, text in enumerate(texts, 1):
        name, _, points = text.rpartition("=")
        places.append(place(name or f"{place.kind}{number if number > 1 else ''}",
                            tuple(map(int, points.split(",")))))
    return places


class Printer:
    def __init__(self, options):
        self.format, self.several = options.format, len(options.video) > 1
        self.writer = csv.writer(sys.stdout, lineterminator="\n")

    def begin(self):
        if self.format == "text":
            print("    time     id place        event      count" + "  video" * self.several)
        elif self.format == "csv":
            self.writer.writerow(COLUMNS)
        sys.stdout.flush()

    def row(self, row, clock, event, count):
        if self.format == "text":
            print(f"{clock:>10} {row.get('id', '-'):>5} {row['place']:<12} {event:<9} {count:6}"
                  + (f"  {row['video']}" if self.several else ""))
        elif self.format == "csv":
            values = [row.get(column, "") for column in COLUMNS]
            self.writer.writerow([str(v).lower() if isinstance(v, bool) else v for v in values])
        else:
            print(json.dumps({column: row[column] for column in COLUMNS if column in row}))
        sys.stdout.flush()

    def totals(self, name, places):
        if self.format == "text":
            for place in places:
                print(*([f"{name}:"] if self.several else []),
                      *([f"{place.name}:"] if len(places) > 1 else []), place.describe())
        elif self.format == "json":
            print(json.dumps({"video": name, **{kind + "s": {
                place.name: place.totals() for place in places if place.kind == kind}
                for kind in ("line", "zone")}}))


class Video:
    """A file or a camera and its pipeline. A camera is connected again when it ends."""

    def __init__(self, name, options, printer, ended):
        self.options, self.printer, self.ended = options, printer, ended
        source = sources.Source(name)
        self.camera, self.name = source.is_camera, source.name
        self.failure, self.attempts, self.frames, self.seen, self.timer = None, 0, 0, 0, 0
        self.places = self.read_places()
        cca, track = (settings.launch_text(options.values[name]) for name in settings.ELEMENTS)
        self.pipeline = Gst.parse_launch(ANALYSIS.format(
            engine=sources.ENGINES[options.device],
            cca=f"{cca if options.settings else MOTION} {options.cca}",
            track=f"{track} {options.track}"))
        self.cca, self.track = map(self.pipeline.get_by_name, ("cca", "track"))
        self.set_places()
        source.add(self.pipeline, self.pipeline.get_by_name("head"))
        self.pad = self.cca.get_static_pad("sink")
        self.probe = self.pad.add_probe(Gst.PadProbeType.EVENT_DOWNSTREAM, self.prepare)
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message::element", self.take)
        bus.connect("message::eos", lambda *_: self.finish(None))
        bus.connect("message::error", self.fail)

    def read_places(self):
        """Those of the options; without any, those of the settings."""
        places = parse(Line, self.options.line) + parse(Zone, self.options.zone)
        return places or [place.of(shape) for place in (Line, Zone)
                          for shape in self.options.values["ccatrack"].get(f"{place.kind}s", ())]

    def set_places(self):
        for place in Line, Zone:
            shapes = [p.shape() for p in self.places if p.kind == place.kind]
            settings.apply(self.track, {f"{place.kind}s": shapes})

    def prepare(self, _pad, info):
        """What depends on the size of the picture."""
        event = info.get_event()
        if event.type == Gst.EventType.CAPS:
            info = GstVideo.VideoInfo.new_from_caps(event.parse_caps())
            try:
                settings.check_size(self.options.size, info.width, info.height)
            except settings.Refused as error:
                self.pipeline.post_message(Gst.Message.new_error(self.pipeline, GLib.Error.new_literal(
                    Gst.ResourceError.quark(), str(error), Gst.ResourceError.SETTINGS), ""))
                return Gst.PadProbeReturn.DROP
            if not self.places:
                self.places = [Line("line", lines.middle(info.width, info.height))]
                self.set_places()
            if "min-area=" not in self.options.cca and not (
                    self.options.settings and not self.options.min_area):
                self.cca.set_property("min-area", self.options.min_area
                                      or max(1, info.width * info.height // 1500))
        return Gst.PadProbeReturn.OK

    def start(self):
        self.seen = time.monotonic()
        self.pipeline.set_state(Gst.State.PLAYING)
        if self.camera:
            self.timer = GLib.timeout_add(1000, self.check)
        return GLib.SOURCE_REMOVE

    def check(self):
        """Some cameras stop without an error."""
        frames = self.track.get_property("stats").get_uint64("frames")[1]
        if frames != self.frames:
            self.frames, self.seen, self.attempts = frames, time.monotonic(), 0
        elif time.monotonic() - self.seen > sources.STALLED:
            self.finish(f"no frame for {sources.STALLED} seconds")
        return GLib.SOURCE_CONTINUE

    def fail(self, _bus, message):
        error = message.parse_error()[0]
        self.finish(error.message.rstrip("."), again=sources.may_return(error))

    def finish(self, failure, again=True):
        self.pipeline.set_state(Gst.State.NULL)
        if self.timer:
            GLib.source_remove(self.timer)
            self.timer = 0
        if self.camera and again:
            pause = sources.pause(self.attempts)
            self.attempts += 1
            say(f"{self.name}: {failure or 'the stream ended'}; connecting again in {pause} s")
            GLib.timeout_add(round(1000 * pause), self.start)
            return
        if failure:
            self.failure = failure
            say(f"{self.name}: {failure}" if self.printer.several else failure)
        self.ended(self)

    def when(self, fields):
        """The time in seconds, and for the table: in a file that of the video, else UTC."""
        if not self.camera:
            at = fields.get_uint64("stream-time")[1]
            minutes, hundredths = divmod(at // (Gst.SECOND // 100), 6000)
            return round(at / Gst.SECOND, 3), f"{minutes}:{hundredths / 100:05.2f}"
        ago = (self.pipeline.get_clock().get_time() - self.pipeline.get_base_time()
               - fields.get_uint64("running-time")[1])
        at = round(time.time() - ago / Gst.SECOND, 3)
        return at, time.strftime("%H:%M:%S", time.gmtime(at))

    def take(self, _bus, message):
        fields = message.get_structure()
        kind = {"cca-track": "line", "cca-zone": "zone"}.get(fields.get_name())
        event = fields.get_string("event") if kind else None
        if kind is None or event == "occupancy" or (kind == "line") != (event == "crossed"):
            return
        place = next(p for p in self.places
                     if (p.kind, p.name) == (kind, fields.get_string(kind)))
        at, clock = self.when(fields)
        row = {"video": self.name, "time": at, "event": event, "place": place.name,
               "warming_up": fields.get_boolean("warming-up")[1]}
        known, number = fields.get_uint64("id")
        if known:
            row["id"] = number
        self.printer.row(row, clock, *place.add(fields, row))

    def close(self):
        """The probe and the bus keep this object, and it keeps them."""
        self.pipeline.get_bus().remove_signal_watch()
        self.pipeline.set_state(Gst.State.NULL)
        self.pad.remove_probe(self.probe)
        self.pipeline = self.cca = self.track = self.pad = None


def main(arguments):
    parser = argparse.ArgumentParser(
        epilog="Run examples/count instead: it sets up what is missing and calls this program.")
    parser.add_argument("video", nargs="+")
    parser.add_argument("--line", action="append", default=[])
    parser.add_argument("--zone", action="append", default=[])
    parser.add_argument("--min-area", type=int)
    parser.add_argument("--format", default="text")
    parser.add_argument("--settings")
    parser.add_argument("--cca", default="")
    parser.add_argument("--track", default="")
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args(arguments)
    Gst.init(None)
    if options.device == "cuda" and not Gst.ElementFactory.find("cudacca"):
        say("--device cuda: there is no cudacca without an NVIDIA GPU and its driver")
        return 1
    options.values, options.size = {name: {} for name in settings.ELEMENTS}, None
    if options.settings:
        try:
            options.values, options.size = settings.load(
                options.settings, settings.Table(options.device))
        except settings.Refused as error:
            say(error)
            return 1
    loop, running, videos = GLib.MainLoop(), set(), []

    def ended(video):
        running.discard(video)
        if not running:
            loop.quit()

    def interrupt(*_):
        GLib.idle_add(loop.quit)        # also before the loop runs

    printer = Printer(options)
    try:
        for name in options.video:
            videos.append(Video(name, options, printer, ended))
    except GLib.Error as error:
        say(error.message)
        return 1
    printer.begin()
    running.update(videos)
    for number in signal.SIGINT, signal.SIGTERM:
        signal.signal(number, interrupt)
    for video in videos:
        GLib.idle_add(video.start)
    loop.run()
    for video in videos:
        video.close()
        if not video.failure:
            printer.totals(video.name, video.places)
    return int(any(video.failure for video in videos))


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main(sys.argv[1:]))
