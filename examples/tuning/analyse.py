# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Analyses a whole file as fast as possible under one or several settings, for examples/tune,
which runs it as a process: the description is a line of JSON on stdin, the results are lines of
JSON on stdout.

    in   {"video": NAME, "pipeline": BOOLEAN, "device": "cpu", "settings": [...],
          "until": SECONDS, "marks": MARKS, "rows": BOOLEAN, "shots": [SECONDS, ...]}
    out  {"at": SECONDS, "duration": SECONDS, "rows": [[[TIME, FOUND, AREA, FLAGS], ...], ...]}
         {"shot": NUMBER, "settings": NUMBER, "jpeg": BASE64}
         {"done": true, "crossings": [[[TIME, LINE, DIRECTION], ...], ...], "results": [...]}
         {"error": SENTENCE}

`results` compare with the marks, see marks.py. Shots are the pictures at those times, which are in
order: of the components for each of the settings, and of the video, whose settings are null. One
decoder serves all settings."""

import sys
sys.dont_write_bytecode = True  # the checkout may be read-only

import asyncio
import base64
import contextlib
import json
import os
import threading
import time

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstCca", "1.0")
from gi.repository import GLib, Gst, GstCca

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, os.path.dirname(HERE))
import marks as marking
import settings
import sources

SAYING = threading.Lock()
EVERY = 0.25                    # seconds between two reports
WARMING_UP, LIGHT_CHANGED, OVERLOAD = 1, 2, 4
WIDTH = 240                     # of a shot, in pixels
SHOT = (f"videoconvertscale ! video/x-raw,format=I420,width={WIDTH},pixel-aspect-ratio=1/1 "
        "! jpegenc quality=70 ! appsink name=shot{n} emit-signals=true sync=false async=false ")
BRANCH = "t. ! {engine} name=cca{n} ! ccatrack name=ccatrack{n} ! {end} "
END = "fakesink sync=false async=false"


def describe(order):
    """The pipeline after the decoder."""
    end = f"ccamask mode=colors ! {SHOT}" if order.get("shots") else END
    text = "queue name=decoded max-size-buffers=4 max-size-bytes=0 ! videoconvert ! tee name=t "
    for n in range(len(order["settings"])):
        text += BRANCH.format(engine=sources.ENGINES[order["device"]], n=n, end=end.format(n=n))
    if order.get("shots"):
        text += "t. ! identity name=video ! " + SHOT.format(n="")
    return text


class Scan:
    def __init__(self, order):
        wanted = order["settings"]
        self.until, self.shots = order.get("until"), order.get("shots", [])
        self.has_rows, self.at, self.duration = order.get("rows", True), 0.0, None
        self.rows = [[] for _ in wanted]
        self.crossings = [[] for _ in wanted]
        self.tallies = [marking.Tally(order["marks"]) for _ in wanted] if "marks" in order else []
        self.pipeline = Gst.parse_launch(describe(order))
        source = sources.Source(order["video"], order.get("pipeline", False))
        source.add(self.pipeline, self.pipeline.get_by_name("decoded"))
        metas = "cca+labels" if self.shots else "cca"
        self.segments, self.taken = {}, {}
        for n, values in enumerate(wanted):
            for kind in settings.ELEMENTS:
                element = self.pipeline.get_by_name(f"{kind}{n}")
                settings.apply(element, values[kind] | {
                    "meta-types": metas if kind == "cca" else "cca"})
            self.watch(f"ccatrack{n}", f"shot{n}", n)
        if self.shots:
            self.watch("video", "shot", None)

    def watch(self, name, sink, n):
        self.segments[n], self.taken[n] = None, 0
        self.pipeline.get_by_name(name).get_static_pad("src").add_probe(
            Gst.PadProbeType.BUFFER | Gst.PadProbeType.EVENT_DOWNSTREAM, self.take, n)
        if self.shots:
            self.pipeline.get_by_name(sink).connect("new-sample", self.shoot, n)

    def take(self, _pad, info, n):
        if not info.type & Gst.PadProbeType.BUFFER:
            event = info.get_event()
            if event.type == Gst.EventType.SEGMENT:
                self.segments[n] = event.parse_segment().copy()
            return Gst.PadProbeReturn.OK
        buffer = info.get_buffer()
        at = sources.stream_time(self.segments[n], buffer, self.at)
        if self.until is not None and at > self.until:
            if self.at <= self.until:
                self.pipeline.post_message(Gst.Message.new_application(
                    self.pipeline, Gst.Structure.new_empty("enough")))
        elif n is not None:
            self.count(buffer, at, n)
        self.at = max(self.at, at)
        if self.shots and self.taken[n] < len(self.shots) and at >= self.shots[self.taken[n]]:
            return Gst.PadProbeReturn.OK
        return Gst.PadProbeReturn.DROP

    def count(self, buffer, at, n):
        meta = GstCca.buffer_get_cca_meta(buffer)
        if self.has_rows:
            analysis = meta.get_analysis()
            flags = GstCca.CcaAnalysisFlags
            bits = sum(bit for name, bit in (("WARMING_UP", WARMING_UP), ("OVERLOAD", OVERLOAD),
                                             ("LIGHT_CHANGED", LIGHT_CHANGED))
                       if analysis.flags & getattr(flags, name))
            found = 0 if bits & OVERLOAD else analysis.n_found
            area = sum(meta.get_component(i)[1].area for i in range(min(found, 1000)))
            self.rows[n].append([round(at, 4), found, area, bits])
        if self.tallies and self.tallies[n].wants(at):
            found = (meta.get_component(i)[1] for i in range(meta.get_n_components()))
            self.tallies[n].add(at, [(c.x, c.y, c.width, c.height) for c in found])

    def shoot(self, sink, n):
        buffer = sink.emit("pull-sample").get_buffer()
        data = base64.b64encode(buffer.extract_dup(0, buffer.get_size())).decode()
        say({"shot": self.taken[n], "settings": n, "jpeg": data})
        self.taken[n] += 1
        return Gst.FlowReturn.OK

    def measure(self):
        known, duration = self.pipeline.query_duration(Gst.Format.TIME)
        if known and duration > 0:
            self.duration = duration / Gst.SECOND

    def report(self):
        rows = [self.rows[n][:] for n in range(len(self.rows))]
        for kept, sent in zip(self.rows, rows):
            del kept[:len(sent)]
        say({"at": self.at, "duration": self.duration, "rows": rows})

    def hear(self, message):
        fields = message.get_structure()
        if not message.has_name("cca-track") or fields.get_string("event") != "crossed":
            return
        n = int(message.src.get_name()[8:])
        crossing = (fields.get_uint64("stream-time")[1] / Gst.SECOND, fields.get_string("line"),
                    fields.get_string("direction"))
        self.crossings[n].append(crossing)
        if self.tallies:
            self.tallies[n].cross(*crossing)

    def run(self):
        bus = self.pipeline.get_bus()
        kinds = Gst.MessageType.EOS | Gst.MessageType.ERROR | Gst.MessageType.ELEMENT \
            | Gst.MessageType.APPLICATION
        self.pipeline.set_state(Gst.State.PLAYING)
        reported = time.monotonic()
        try:
            while True:
                message = bus.timed_pop_filtered(Gst.SECOND // 10, kinds)
                if time.monotonic() - reported > EVERY:
                    self.measure()
                    self.report()
                    reported = time.monotonic()
                if not message:
                    continue
                if message.type == Gst.MessageType.ERROR:
                    return {"error": message.parse_error()[0].message.rstrip(".")}
                if message.type != Gst.MessageType.ELEMENT:
                    break
                self.hear(message)
            self.measure()
        finally:
            self.pipeline.set_state(Gst.State.NULL)
            self.pipeline = None        # the probes keep this object
        self.report()
        return {"done": True, "crossings": self.crossings,
                "results": [tally.result() for tally in self.tallies]}


def say(line):
    """Also from the threads that make shots: each line is whole."""
    with SAYING:
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


@contextlib.asynccontextmanager
async def running(order):
    """A process for it, which ends with the context. Gives what it writes, line by line."""
    making = asyncio.ensure_future(asyncio.create_subprocess_exec(
        sys.executable, os.path.abspath(__file__), limit=1 << 26, stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE, preexec_fn=lambda: os.nice(10)))
    try:
        process = await asyncio.shield(making)
        process.stdin.write(json.dumps(order).encode() + b"\n")
        process.stdin.close()
        yield process.stdout
    finally:
        await to_the_end(finish(making))


async def finish(making):
    """Ends the process, and closes its pipe before the loop is closed."""
    process = await making
    if process.returncode is None:
        process.kill()
    while await process.stdout.read(1 << 20):
        pass
    await process.wait()


async def to_the_end(coroutine):
    """Waits for its end, also if this is cancelled meanwhile."""
    task = asyncio.ensure_future(coroutine)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise


def cancel(tasks):
    """Once: a second time would end the wait for their processes."""
    for task in tasks:
        if not task.cancelling():
            task.cancel()


def main():
    Gst.init(None)
    try:
        say(Scan(json.loads(sys.stdin.readline())).run())
    except GLib.Error as error:
        say({"error": error.message.rstrip(".")})


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(1)
