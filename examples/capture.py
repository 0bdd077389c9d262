# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Records a camera into a file, and connects it again when it is lost."""

import signal
import time

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstVideo

import sources

READ = ("queue name=decoded max-size-buffers=4 max-size-bytes=0 max-size-time=0 ! videoconvert "
        "! video/x-raw,format=I420 ! appsink name=end max-buffers=4 sync=false")
WRITE = ("appsrc name=begin format=time is-live=true block=true max-bytes=50000000 "
         "! videoconvertscale ! capsfilter name=size "
         "! x264enc pass=quant quantizer=10 speed-preset=superfast tune=zerolatency "
         "! matroskamux ! filesink name=file")
FRAME = Gst.SECOND // 1000      # least time between two frames
LAST = 10                       # seconds in which the file is completed
ENDS = Gst.MessageType.ERROR | Gst.MessageType.EOS


class Lost(Exception):
    """A sentence; another attempt to connect may help."""


class Failed(Exception):
    """A sentence; it does not."""


class Capture:
    """Its frames have the times of the camera, and those at which it was connected again."""

    def __init__(self, source, path, say):
        self.source, self.path, self.say = source, path, say
        self.frames, self.attempts, self.last, self.begun = 0, 0, -FRAME, None
        self.writer = Gst.parse_launch(WRITE)
        self.writer.get_by_name("file").set_property("location", path)
        self.input = self.writer.get_by_name("begin")

    def run(self, most):
        """Until there are so many frames, if any number, or Ctrl-C."""
        # a shell makes the programs that it runs in the background ignore SIGINT
        before = {number: signal.signal(number, signal.default_int_handler)
                  for number in (signal.SIGINT, signal.SIGTERM)}
        self.writer.set_state(Gst.State.PLAYING)
        try:
            try:
                while not most or self.frames < most:
                    self.follow(most)
            except KeyboardInterrupt:
                pass
            for number, handler in before.items():
                signal.signal(number, handler)
            self.finish()
        finally:
            self.writer.set_state(Gst.State.NULL)

    def follow(self, most):
        try:
            self.connect(most)
        except Lost as lost:
            pause = sources.pause(self.attempts)
            self.attempts += 1
            self.say(f"{self.source.name}: {lost}; connecting again in {pause} s")
            time.sleep(pause)

    def connect(self, most):
        reader = Gst.parse_launch(READ)
        self.source.add(reader, reader.get_by_name("decoded"))
        sink, bus = reader.get_by_name("end"), reader.get_bus()
        reader.set_state(Gst.State.PLAYING)
        seen, self.offset = time.monotonic(), None
        try:
            while not most or self.frames < most:
                sample = sink.emit("try-pull-sample", Gst.SECOND // 4)
                self.check_writer()
                if sample:
                    seen, self.attempts = time.monotonic(), 0
                    self.push(sample)
                elif message := bus.pop_filtered(ENDS):
                    if message.type == Gst.MessageType.EOS:
                        raise Lost("the stream ended")
                    error = message.parse_error()[0]
                    raise (Lost if sources.may_return(error) else Failed)(error.message.rstrip("."))
                elif time.monotonic() - seen > sources.STALLED:
                    raise Lost(f"no frame for {sources.STALLED} seconds")
        finally:
            reader.set_state(Gst.State.NULL)

    def push(self, sample):
        at = sample.get_segment().to_running_time(Gst.Format.TIME, sample.get_buffer().pts)
        if self.begun is None:
            self.begun = time.monotonic()
            video = GstVideo.VideoInfo.new_from_caps(sample.get_caps())
            # H.264 takes even sizes; a camera that returns with another size is scaled
            self.writer.get_by_name("size").set_property("caps", Gst.Caps.from_string(
                f"video/x-raw,format=I420,width={max(2, video.width // 2 * 2)},"
                f"height={max(2, video.height // 2 * 2)}"))
        if self.offset is None:
            now = round((time.monotonic() - self.begun) * Gst.SECOND)
            self.offset = max(now, self.last + FRAME) - at
        taken = sample.get_buffer()
        buffer = Gst.Buffer.new_wrapped(taken.extract_dup(0, taken.get_size()))
        buffer.pts = self.last = max(at + self.offset, self.last + FRAME)
        self.input.emit("push-sample", Gst.Sample.new(buffer, sample.get_caps(), None, None))
        self.frames += 1

    def check_writer(self, wait=0):
        message = self.writer.get_bus().timed_pop_filtered(wait, ENDS)
        if message and message.type == Gst.MessageType.ERROR:
            raise Failed(f"{self.path} cannot be written "
                         f"({message.parse_error()[0].message.rstrip('.')})")

    def finish(self):
        if self.frames:
            self.input.emit("end-of-stream")
            self.check_writer(LAST * Gst.SECOND)
