# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The pipeline of examples/tune: plays a video through cca and ccatrack and gives pictures of it
beside its mask. It can be stopped, stepped and sent to any time of a file."""

import threading
import time

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstVideo", "1.0")
gi.require_version("GstCca", "1.0")
from gi.repository import Gst, GstCca, GstVideo

import settings
import sources

WIDEST = 960                    # of the pictures for the page, in pixels
RATE = 15                       # most pictures in a second
WAITING = 2                     # most pictures that are being made
LISTED = 256                    # most components that are listed with a picture
LATE = 0.5                      # seconds after which lost time is not made up for
EVENTS = Gst.PadProbeType.EVENT_DOWNSTREAM | Gst.PadProbeType.EVENT_FLUSH
FLAGS = ("warming_up", "light_changed", "overload")

# Boxes are drawn into the small picture: the components are scaled with it.
PIPELINES = {
    "cpu": "{head} ! cca name=cca ! ccatrack name=track ! queue name=display "
           "! videoconvertscale name=size ! capsfilter name=small ! tee name=t "
           "t. ! ccaoverlay name=overlay ! {jpeg} ! appsink name=picture {sink} "
           "t. ! ccamask name=mask mode=colors ! videoconvertscale ! {jpeg} "
           "! appsink name=masked {sink}",
    "cuda": "{head} ! capsfilter caps=\"video/x-raw(memory:CUDAMemory);video/x-raw,format=NV12\" "
            "! cudaupload ! cudacca name=cca ! ccatrack name=track ! queue name=display "
            "! tee name=t t. ! cudadownload ! videoconvertscale name=size ! capsfilter name=small "
            "! ccaoverlay name=overlay ! {jpeg} ! appsink name=picture {sink} "
            "t. ! ccamask name=mask mode=colors ! videoconvertscale ! capsfilter name=small2 "
            "! {jpeg} ! appsink name=masked {sink}",
}
HEAD = "queue name=decoded max-size-buffers=4 max-size-bytes=0 max-size-time=0 ! videoconvert"
JPEG = "jpegenc quality=85"
SINK = "sync=false async=false emit-signals=true"
VIEWS = {"mask": "labels", "colors": "labels", "background": "labels+background"}


def small_size(width, height):
    scale = min(1, WIDEST / width)
    return max(2, round(width * scale / 2) * 2), max(2, round(height * scale / 2) * 2)


def describe(buffer, at, track):
    """The words and numbers of a frame on the page."""
    meta = GstCca.buffer_get_cca_meta(buffer)
    analysis = meta.get_analysis()
    found = [meta.get_component(i)[1] for i in range(min(meta.get_n_components(), LISTED))]
    flags = GstCca.CcaAnalysisFlags
    about = {"time": at, "found": analysis.n_found,
             "flags": [name for name in FLAGS if analysis.flags & getattr(flags, name.upper())],
             "boxes": [[c.x, c.y, c.width, c.height, c.area, c.track_id] for c in found]}
    stats = track.get_property("stats")
    for kind, keys in (("lines", ("to-left", "to-right")), ("zones", ("inside", "entered"))):
        shapes = stats.get_value(kind)
        about[kind] = {shape.get_name(): [shape.get_value(key) for key in keys]
                       for shape in shapes} if shapes else {}
    return about


class Player:
    """Its methods may be called from any one thread at a time. `show(about, picture, mask)` and
    `event(name, detail)` are called from its own threads."""

    def __init__(self, source, device, show, event):
        self.source, self.device, self.show, self.event = source, device, show, event
        self.is_camera = source.is_camera
        self.condition = threading.Condition()
        self.values, self.view = {"cca": {}, "ccatrack": {}}, "colors"
        self.playing, self.watched = True, True
        self.span = None                # (from, to) that is repeated, in seconds
        self.pipeline = None
        self.journey = 0                # number of jumps so far
        self.size, self.rate = None, 25.0
        self.position = 0.0

    # --- its threads ------------------------------------------------------

    def gate(self, _pad, info):
        """Before each frame is analysed: waits for its time, or until it is wanted."""
        buffer = info.get_buffer()
        restart = False
        with self.condition:
            at = sources.stream_time(self.segment, buffer, self.position)
            self.alive = time.monotonic()
            if not self.is_camera:
                if not self.wait(at):
                    return Gst.PadProbeReturn.DROP
            self.position = at
            restart, self.restart = self.restart, False
        if restart:
            self.cca.emit("reset-background")
        return Gst.PadProbeReturn.OK

    def wait(self, at):
        """Returns False if the frame is not wanted any more."""
        if self.seeking:
            return False
        if self.target is not None:
            if at + 0.5 / self.rate < self.target:
                return True
            self.target, self.anchor, self.must = None, None, True
            self.track.emit("reset-counts", "")
            self.event("arrived", at)
            return True
        if self.span and at >= self.span[1] and self.playing:
            self.event("end", self.journey)
            while not self.seeking and self.span and at >= self.span[1]:
                self.condition.wait()
        while not self.seeking:
            if not self.playing:
                self.anchor = None
                if self.steps:
                    self.steps -= 1
                    self.must = True
                    return True
                self.condition.wait()
                continue
            now = time.monotonic()
            if self.anchor is None or now - self.anchor > at + LATE:
                self.anchor = now - at
            left = self.anchor + at - now
            if left <= 0:
                return True
            self.condition.wait(min(left, 1))
        return False

    def filter(self, _pad, info):
        """After each frame was analysed: which ones are shown."""
        now = time.monotonic()
        with self.condition:
            must, self.must = self.must, False
            wanted = must or (self.watched and self.target is None and self.playing
                              and now - self.shown >= 1 / RATE - 0.002
                              and len(self.pending) < WAITING)
            if not wanted:
                return Gst.PadProbeReturn.DROP
            self.shown = now
            at = self.position
        about = describe(info.get_buffer(), at, self.track)
        about["analysed"] = now
        with self.condition:
            self.pending[info.get_buffer().pts] = about
        return Gst.PadProbeReturn.OK

    def take_picture(self, sink):
        buffer = sink.emit("pull-sample").get_buffer()
        self.picture = buffer.extract_dup(0, buffer.get_size())
        return Gst.FlowReturn.OK

    def take_mask(self, sink):
        buffer = sink.emit("pull-sample").get_buffer()
        with self.condition:
            about = self.pending.pop(buffer.pts, None)
        if about:               # else it was flushed meanwhile
            self.show(about, self.picture, buffer.extract_dup(0, buffer.get_size()))
        return Gst.FlowReturn.OK

    def watch(self, _pad, info):
        event = info.get_event()
        if event.type == Gst.EventType.CAPS:
            video = GstVideo.VideoInfo.new_from_caps(event.parse_caps())
            with self.condition:
                self.size = video.width, video.height
                self.rate = video.fps_n / video.fps_d if video.fps_n else 25.0
            caps = Gst.Caps.from_string("video/x-raw,format=I420,pixel-aspect-ratio=1/1,"
                                        "width={},height={}".format(*small_size(*self.size)))
            for name in ("small", "small2"):
                if self.pipeline.get_by_name(name):
                    self.pipeline.get_by_name(name).set_property("caps", caps)
            self.event("size", self.size)
        elif event.type == Gst.EventType.SEGMENT:
            with self.condition:
                self.segment = event.parse_segment().copy()
        elif event.type == Gst.EventType.FLUSH_STOP:
            with self.condition:        # the frames of the new time follow
                self.seeking, self.restart = False, True
                self.pending.clear()
        elif event.type == Gst.EventType.EOS and not self.is_camera:
            with self.condition:
                if not self.seeking:
                    self.event("end", self.journey)
            return Gst.PadProbeReturn.DROP
        return Gst.PadProbeReturn.OK

    # --- what may be asked of it ------------------------------------------

    def start(self, target=None):
        """Connects, and shows the frame at the time `target`."""
        self.stop()
        with self.condition:
            self.segment, self.anchor, self.target = None, None, target
            self.journey += 1
            self.steps, self.must, self.seeking = 0, False, False
            self.restart = False
            self.shown, self.pending = 0.0, {}
            self.alive = time.monotonic()
        self.pipeline = Gst.parse_launch(PIPELINES[self.device].format(
            head=HEAD, jpeg=JPEG, sink=SINK))
        for name in ("cca", "track", "mask"):
            setattr(self, name, self.pipeline.get_by_name(name))
        self.source.add(self.pipeline, self.pipeline.get_by_name("decoded"))
        settings.apply(self.cca, self.values["cca"])
        settings.apply(self.track, self.values["ccatrack"] | {"meta-types": "cca"})
        self.set_view(self.view)
        pad = self.cca.get_static_pad("sink")
        pad.add_probe(EVENTS, self.watch)
        pad.add_probe(Gst.PadProbeType.BUFFER, self.gate)
        self.track.get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, self.filter)
        self.pipeline.get_by_name("picture").connect("new-sample", self.take_picture)
        self.pipeline.get_by_name("masked").connect("new-sample", self.take_mask)
        self.pipeline.set_state(Gst.State.PLAYING)

    def stop(self):
        if not self.pipeline:
            return
        with self.condition:
            self.seeking = True
            self.condition.notify_all()
        self.pipeline.set_state(Gst.State.NULL)
        self.pipeline = None

    def close(self):
        """For good. The probes keep this object, and it keeps the elements."""
        self.stop()
        self.cca = self.track = self.mask = None

    def messages(self):
        """Warnings and errors: (is it an error, sentence, may another attempt help)."""
        bus = self.pipeline and self.pipeline.get_bus()
        kinds = Gst.MessageType.ERROR | Gst.MessageType.WARNING | Gst.MessageType.EOS
        while bus and (message := bus.pop_filtered(kinds)):
            if message.type == Gst.MessageType.EOS:
                yield True, "the stream ended", True
                continue
            is_error = message.type == Gst.MessageType.ERROR
            error = (message.parse_error if is_error else message.parse_warning)()[0]
            yield is_error, error.message.rstrip("."), sources.may_return(error)

    def set_view(self, view):
        self.view = view
        with self.condition:
            mode = self.values["cca"].get("foreground", "threshold")
        # the other modes have no background
        extra = view == "background" and mode in settings.COMPARED
        Gst.util_set_object_arg(self.cca, "meta-types",
                                "cca+labels" + "+background" * extra)
        Gst.util_set_object_arg(self.mask, "mode", view)

    def set_values(self, values, table):
        """Returns whether the element has to start again for them."""
        restart = False
        for element, name in ((self.cca, "cca"), (self.track, "ccatrack")):
            old, new = self.values[name], values[name]
            for key in old.keys() | new.keys():
                known = table.properties[name][key]
                value = new.get(key, known.default)
                if old.get(key, known.default) == value:
                    continue
                if known.live:
                    settings.apply(element, {key: value})
                else:
                    restart = True
        self.values = values
        self.set_view(self.view)
        return restart

    def lead(self):
        """Seconds before a frame from which on frames are analysed to show it: the background
        has to be learnt, and objects get their ids."""
        cca = self.values["cca"]
        frames = 25
        mode = cca.get("foreground")
        if mode == "sigma-delta":
            frames += min(600, int(cca.get("warm-up", 255)
                                   if not cca.get("warm-up-time")
                                   else cca["warm-up-time"] * self.rate / 1000))
        return frames / self.rate

    def go(self, target):
        """Shows the frame of a file at that time, analysed as if the video began `lead` before."""
        with self.condition:
            self.seeking = True
            self.journey += 1
            self.target, self.anchor, self.steps = target, None, 0
            self.condition.notify_all()
        begin = max(0, target - self.lead())
        done = self.pipeline.seek_simple(
            Gst.Format.TIME, Gst.SeekFlags.FLUSH | Gst.SeekFlags.ACCURATE,
            round(begin * Gst.SECOND))
        if not done:
            self.start(target)

    def play(self, playing):
        with self.condition:
            self.playing = playing
            self.steps = int(not playing and self.target is None)   # the frame at which it stands
            self.condition.notify_all()

    def step(self):
        with self.condition:
            self.playing = False
            self.steps += 1
            self.condition.notify_all()

    def set_span(self, span):
        with self.condition:
            self.span = span
            self.condition.notify_all()

    def set_watched(self, watched):
        with self.condition:
            self.watched = watched

    def duration(self):
        known, duration = self.pipeline.query_duration(Gst.Format.TIME) if self.pipeline \
            else (False, 0)
        return duration / Gst.SECOND if known and duration > 0 else None
