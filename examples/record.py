#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The main part of examples/record, which sets everything up."""

import sys
sys.dont_write_bytecode = True  # the checkout may be read-only

import argparse
import collections
import datetime
import os
import queue
import re
import signal
import threading
import time

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import GLib, Gst, GstApp, GstVideo  # noqa: F401 (GstApp adds methods)

import recorded
import recording
import sources

# One branch may be a second behind the other. An analysis that is too slow for a camera leaves
# frames out, in the queue `leak`.
PIPELINE = ("tee name=tee ! queue max-size-buffers=0 max-size-bytes=0 "
            "! appsink name=encoded sync=false async=false max-buffers=8 emit-signals=true "
            "tee. ! queue max-size-buffers=0 max-size-bytes=0 ! decodebin caps=video/x-raw(ANY) "
            "! queue name=leak max-size-buffers=8 max-size-bytes=0 ! videoconvert ! {engine} "
            "name=cca foreground=sigma-delta open-radius=1 close-radius=1 meta-types=cca {cca} "
            "! ccaactivity name=activity {activity} ! fakesink sync=false async=false")
PARSERS = {"video/x-h264": "h264parse", "video/x-h265": "h265parse", "video/x-av1": "av1parse"}
CLIP = ("appsrc name=source format=time handle-segment-change=true max-bytes=0 ! {parser} "
        "! matroskamux ! filesink name=sink sync=false async=false")
PICTURE = ("filesrc name=file ! matroskademux ! decodebin ! videoconvert ! jpegenc "
           "! appsink name=picture sync=false")
MAX_QUEUED = 16 << 20                   # bytes that wait for the disk
PATIENCE = 60 * Gst.SECOND              # for the end of a file
STALL = 10 * Gst.SECOND                 # a camera that sends nothing for so long is lost


def say(sentence):
    print(f"examples/record: {sentence}", file=sys.stderr, flush=True)


def structure_of(event):
    """From GStreamer 1.26 on Python has to enter it first."""
    structure = event.get_structure()
    return structure.__enter__() if hasattr(structure, "__enter__") else structure


def media_type(caps):
    return re.split("[,(;]", caps.to_string(), maxsplit=1)[0]


def problem(message):
    return message.parse_error()[0].message.rstrip(".")


class Clip:
    """A file that is being written."""

    def __init__(self, recorder, frame, name):
        self.recorder, self.name = recorder, name
        self.first = None               # running time of the first frame
        caps = frame.data.get_caps()
        self.caps = caps.to_string()
        parser = PARSERS.get(media_type(caps), "identity")
        self.pipeline = Gst.parse_launch(CLIP.format(parser=parser))
        self.source = self.pipeline.get_by_name("source")
        self.pipeline.get_by_name("sink").set_property(
            "location", recorder.folder.at(name + recorded.PART))
        self.bus = self.pipeline.get_bus()
        self.why = None
        self.pipeline.set_state(Gst.State.PLAYING)

    def fail(self, message):
        if message and message.type == Gst.MessageType.ERROR and not self.why:
            self.why = problem(message)
            say(f"{self.name} ends early: {self.why}")

    def write(self, frame):
        """Returns False if a camera's frame has to wait for the disk. After an error frames
        are dropped."""
        while not self.why:
            self.fail(self.bus.pop_filtered(Gst.MessageType.ERROR))
            if self.source.get_property("current-level-bytes") < MAX_QUEUED:
                break
            if self.recorder.is_live:
                return False
            time.sleep(0.01)
        if self.first is None:
            self.first = frame.time
        if not self.why:
            self.source.push_sample(self.shift(frame))
        return True

    def shift(self, frame):
        """The frame with a segment in which the file begins at 0."""
        sample = frame.data
        segment = sample.get_segment().copy()
        segment.start += max(0, self.first - segment.base)
        segment.base = max(0, segment.base - self.first)
        segment.stop = Gst.CLOCK_TIME_NONE
        return Gst.Sample.new(sample.get_buffer(), sample.get_caps(), segment, None)

    def close(self, events, why):
        if why:
            say(f"{self.name} ends early: {why}")
            self.why = self.why or why
        self.recorder.finish_clip(self, events)

    def end(self):
        self.source.end_of_stream()
        if not self.why:
            message = self.bus.timed_pop_filtered(
                PATIENCE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
            self.fail(message)
            if message is None:
                self.why = "the disk is too slow"
                say(f"{self.name} ends early: {self.why}")
        self.pipeline.set_state(Gst.State.NULL)


class Recorder:
    def __init__(self, options):
        self.options = options
        self.folder = recorded.Folder(options.output, options.keep_days, options.keep_mb, say)
        self.base = 0                   # number of the last event of earlier connections
        self.is_live = False
        self.jobs = queue.Queue(maxsize=8)
        self.worker = threading.Thread(target=self.work)
        self.stopping = False
        self.begun = time.time_ns()

    # --- one connection ---------------------------------------------------

    def connect(self):
        options = self.options
        self.pipeline = Gst.parse_launch(PIPELINE.format(
            engine=sources.ENGINES[options.device], cca=options.cca, activity=options.activity))
        self.cca = self.pipeline.get_by_name("cca")
        self.activity = self.pipeline.get_by_name("activity")
        self.tee = self.pipeline.get_by_name("tee").get_static_pad("sink")
        if options.source:
            source = Gst.parse_bin_from_description(options.source, True)
            self.pipeline.add(source)
            source.get_static_pad("src").link(self.tee)
        else:
            source = Gst.parse_bin_from_description(
                "urisourcebin name=uri ! parsebin name=parser", False)
            source.get_by_name("uri").set_property("uri", options.video)
            source.get_by_name("uri").connect("source-setup", self.set_up_source)
            source.get_by_name("parser").connect("pad-added", self.link)
            self.pipeline.add(source)
        if not options.is_file:
            self.pipeline.use_clock(Gst.SystemClock(clock_type=Gst.ClockType.REALTIME))
        self.lacks_video = False
        self.epoch = options.start or self.begun
        self.lock = threading.Lock()
        self.plan = recording.Plan(options.before, options.after,
                                   self.activity.get_property("max-gap"), options.buffer << 20,
                                   self)
        self.running = {}               # events that last, by number
        self.segment = None
        self.times = collections.deque()
        self.alive = time.monotonic()
        self.pipeline.get_by_name("encoded").connect("new-sample", self.add)
        self.activity.get_static_pad("src").add_probe(
            Gst.PadProbeType.BUFFER | Gst.PadProbeType.EVENT_DOWNSTREAM, self.watch)
        if "min-area=" not in options.cca:
            self.cca.get_static_pad("sink").add_probe(
                Gst.PadProbeType.EVENT_DOWNSTREAM, self.prepare)

    def set_up_source(self, _bin, source):
        for name, value in (("latency", 200), ("add-reference-timestamp-meta", True)):
            if source.find_property(name):
                source.set_property(name, value)

    def link(self, parser, pad):
        source = parser.get_parent()
        caps = pad.get_current_caps() or pad.query_caps(None)
        if media_type(caps).startswith(("video/", "image/")) and not self.tee.is_linked():
            ghost = Gst.GhostPad.new("src", pad)
            ghost.set_active(True)
            source.add_pad(ghost)
            ghost.link(self.tee)
            return
        other = Gst.ElementFactory.make("fakesink")
        other.set_property("sync", False)
        other.set_property("async", False)
        source.add(other)
        other.sync_state_with_parent()
        other.get_static_pad("sink").add_probe(
            Gst.PadProbeType.BUFFER | Gst.PadProbeType.EVENT_DOWNSTREAM, self.ignore)
        pad.link(other.get_static_pad("sink"))

    def ignore(self, _pad, info):
        """Drops a stream that is not recorded, also while the pipeline waits for the video."""
        if info.type & Gst.PadProbeType.BUFFER:
            return Gst.PadProbeReturn.DROP
        if info.get_event().type == Gst.EventType.EOS:
            self.lacks_video = not self.tee.is_linked()
        return Gst.PadProbeReturn.OK

    def prepare(self, _pad, info):
        event = info.get_event()
        if event.type == Gst.EventType.CAPS:
            video = GstVideo.VideoInfo.new_from_caps(event.parse_caps())
            self.cca.set_property("min-area", self.options.min_area
                                  or max(1, video.width * video.height // 1500))
        return Gst.PadProbeReturn.OK

    def add(self, sink):
        """A frame of the encoded video."""
        sample = sink.pull_sample()
        buffer, segment = sample.get_buffer(), sample.get_segment()
        running = segment.to_running_time(Gst.Format.TIME, buffer.pts)
        with self.lock:
            if running == Gst.CLOCK_TIME_NONE:
                running = max(0, self.plan.newest)
            self.alive = time.monotonic()
            self.plan.add(recording.Frame(
                running, not buffer.has_flags(Gst.BufferFlags.DELTA_UNIT), buffer.get_size(),
                sample))
        return Gst.FlowReturn.OK

    def watch(self, _pad, info):
        """Events and frames of the analysis, in their order."""
        if info.type & Gst.PadProbeType.BUFFER:
            self.reach(info.get_buffer().pts)
            return Gst.PadProbeReturn.OK
        event = info.get_event()
        if event.type == Gst.EventType.SEGMENT:
            self.segment = event.parse_segment().copy()
        elif event.type == Gst.EventType.CUSTOM_DOWNSTREAM:
            structure = structure_of(event)
            if structure.has_name("cca-activity"):
                self.report(sources.fields(structure))
        return Gst.PadProbeReturn.OK

    def reach(self, pts):
        """An event that starts with one of the last min-frames - 1 frames may come yet."""
        running = self.segment.to_running_time(Gst.Format.TIME, pts)
        if running == Gst.CLOCK_TIME_NONE:
            return
        self.times.append(running)
        if len(self.times) >= self.activity.get_property("min-frames"):
            with self.lock:
                self.plan.reach(self.times.popleft())

    def report(self, data):
        number = self.base + data["number"]
        with self.lock:
            if data["event"] == "started":
                start = data["start"]["running_time"] or 0
                self.running[number] = recording.Event(number, start, data)
                self.plan.start(self.running[number])
            elif data["event"] == "ended":
                event = self.running.pop(number)
                event.data = data
                self.plan.end(event, data["end"]["running_time"] or event.start)

    # --- what the plan asks for -------------------------------------------

    def utc(self, times):
        return times["utc"] or self.epoch + (times["stream_time"] or 0)

    def stem(self, event):
        return f"{recorded.stem(self.utc(event.data['start']))}-{event.number:06}"

    def open(self, frame, event):
        return Clip(self, frame, self.folder.unused(self.stem(event)))

    def lost(self, event, why):
        say(f"event {event.number} is not recorded: {why}")
        self.jobs.put((None, [event], why))

    def say(self, sentence):
        say(sentence)

    def finish_clip(self, clip, events):
        self.jobs.put((clip, events, None))

    # --- finished files ---------------------------------------------------

    def work(self):
        while (job := self.jobs.get()) is not None:
            try:
                self.finish(*job)
            except OSError as error:
                say(f"{self.folder.path}: {error.strerror}")
            except GLib.Error as error:
                say(error.message)

    def finish(self, clip, events, why):
        name = None
        if clip:
            clip.end()
            why = clip.why
            name = self.folder.keep(clip.name + recorded.PART)
        for event in events:
            self.folder.write(self.describe(event, clip, name, why))
        if self.options.keep_days or self.options.keep_mb:
            self.folder.prune(time.time_ns() if not self.options.start else
                              self.utc(events[-1].data["start"]))

    def describe(self, event, clip, name, why):
        data = event.data
        line = {"number": event.number, "file": name, "thumbnail": None,
                "start": recorded.iso(self.utc(data["start"])),
                "end": recorded.iso(self.utc(data["end"]))}
        for field in ("start", "end", "peak"):
            offset = (data[field]["running_time"] or 0) - clip.first if name else None
            line[f"{field}_offset"] = offset / 1e9 if name else None
        line |= {"frames": data["frames"], "reason": data.get("reason"), "box": data["box"],
                 "peak": {key: data["peak"][key] for key in
                          ("area", "components", "x", "y", "width", "height")}}
        if why:
            line["why"] = why
        if name:
            line["thumbnail"] = self.picture(self.folder.at(name), line["peak_offset"],
                                             self.stem(event) + ".jpg")
        return line

    def picture(self, path, offset, name):
        """Writes the frame of a file as JPEG. Returns the name, or None if that fails."""
        pipeline = Gst.parse_launch(PICTURE)
        pipeline.get_by_name("file").set_property("location", path)
        sample = None
        try:
            pipeline.set_state(Gst.State.PAUSED)
            if pipeline.get_state(PATIENCE)[0] == Gst.StateChangeReturn.SUCCESS:
                # times in the file are whole milliseconds
                at = max(0, round(offset * 1000) * Gst.MSECOND)
                pipeline.seek_simple(Gst.Format.TIME,
                                     Gst.SeekFlags.FLUSH | Gst.SeekFlags.ACCURATE, at)
                pipeline.get_state(PATIENCE)
                sample = pipeline.get_by_name("picture").emit("try-pull-preroll", 0)
        finally:
            pipeline.set_state(Gst.State.NULL)
        if sample is None:
            say(f"{os.path.basename(path)}: there is no picture of the peak")
            return None
        try:
            with open(self.folder.at(name), "wb") as f:
                f.write(sample.get_buffer().extract_dup(0, sample.get_buffer().get_size()))
        except OSError as error:
            say(f"{name} cannot be written: {error.strerror}")
            return None
        return name

    # --- all connections --------------------------------------------------

    def play(self):
        """Runs one connection. Returns why it ended, or None at the end of the video."""
        self.connect()
        bus = self.pipeline.get_bus()
        if self.pipeline.set_state(Gst.State.PAUSED) == Gst.StateChangeReturn.NO_PREROLL:
            self.is_live = True
            self.pipeline.get_by_name("leak").set_property("leaky", 2)
        self.pipeline.set_state(Gst.State.PLAYING)
        kinds = Gst.MessageType.EOS | Gst.MessageType.ERROR
        asked, why = False, None
        while True:
            message = bus.timed_pop_filtered(200 * Gst.MSECOND, kinds)
            if message:
                why = problem(message) if message.type == Gst.MessageType.ERROR else None
                break
            if self.lacks_video:
                why = "there is no video in it"
                break
            if self.stopping and not asked:
                asked = True
                self.pipeline.send_event(Gst.Event.new_eos())
            elif self.is_live and time.monotonic() - self.alive > STALL / Gst.SECOND:
                why = f"no frame for {STALL // Gst.SECOND} s"
                break
        self.pipeline.set_state(Gst.State.NULL)
        with self.lock:
            for event in self.running.values():
                event.end = self.plan.newest
            self.plan.finish()
        self.base += self.activity.get_property("stats").get_value("started")
        return why

    def run(self):
        """Returns the exit status."""
        self.folder.recover()
        self.worker.start()
        pause, why = 1, None
        try:
            while True:
                began = time.monotonic()
                why = self.play()
                if self.stopping or not self.is_live:
                    break
                pause = 2 if time.monotonic() - began > 60 else min(2 * pause, 60)
                say(f"{why or 'the video ended'}: again in {pause} s")
                until = time.monotonic() + pause
                while time.monotonic() < until and not self.stopping:
                    time.sleep(0.2)
                if self.stopping:
                    break
        finally:
            self.jobs.put(None)
            self.worker.join()
        if why:
            say(why)
        return int(why is not None)


def parse_time(text):
    moment = datetime.datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.timezone.utc)
    return round(moment.timestamp() * 1000) * 10**6


def seconds(text):
    return round(float(text) * Gst.SECOND)


def main():
    parser = argparse.ArgumentParser(
        epilog="Run examples/record instead: it sets up what is missing and calls this program.")
    parser.add_argument("video", nargs="?")
    parser.add_argument("--source")
    parser.add_argument("--output", default="recordings")
    parser.add_argument("--before", type=seconds, default=5 * Gst.SECOND)
    parser.add_argument("--after", type=seconds, default=5 * Gst.SECOND)
    parser.add_argument("--min-area", type=int)
    parser.add_argument("--start", type=parse_time)
    parser.add_argument("--keep-days", type=int, default=0)
    parser.add_argument("--keep-mb", type=int, default=0)
    parser.add_argument("--buffer", type=int, default=256)
    parser.add_argument("--cca", default="")
    parser.add_argument("--activity", default="")
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    options.is_file = bool(options.video) and "://" not in options.video
    Gst.init(None)
    if options.is_file:
        options.video = Gst.filename_to_uri(os.path.abspath(options.video))
    if options.device == "cuda" and not Gst.ElementFactory.find("cudacca"):
        say("--device cuda: there is no cudacca without an NVIDIA GPU and its driver")
        return 1
    try:
        recorder = Recorder(options)
        for number in signal.SIGINT, signal.SIGTERM:
            signal.signal(number, lambda *_: setattr(recorder, "stopping", True))
        return recorder.run()
    except GLib.Error as error:
        say(error.message)
    except OSError as error:
        say(f"{options.output}: {error.strerror}")
    return 1


sys.exit(main())
