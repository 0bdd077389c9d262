# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Analyses a whole file as fast as possible under one or several settings, for examples/tune,
which runs it as a process: the description is a line of JSON on stdin, the results are lines of
JSON on stdout.

    in   {"video": NAME, "pipeline": BOOLEAN, "device": "cpu", "settings": [...], "until": SECONDS}
    out  {"at": SECONDS, "duration": SECONDS, "rows": [[[TIME, FOUND, AREA, FLAGS], ...], ...]}
         {"done": true, "crossings": [[[TIME, LINE, DIRECTION], ...], ...]}
         {"error": SENTENCE}

One decoder serves all settings."""

import sys
sys.dont_write_bytecode = True  # the checkout may be read-only

import asyncio
import json
import os
import time

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstCca", "1.0")
from gi.repository import GLib, Gst, GstCca

import settings
import sources

EVERY = 0.25                    # seconds between two reports
WARMING_UP, LIGHT_CHANGED, OVERLOAD = 1, 2, 4
BRANCH = "t. ! {engine} name=cca{n} ! ccatrack name=ccatrack{n} ! fakesink sync=false async=false "


class Scan:
    def __init__(self, order):
        wanted = order["settings"]
        self.until = order.get("until")
        self.rows = [[] for _ in wanted]
        self.crossings = [[] for _ in wanted]
        self.at = 0.0
        self.pipeline = Gst.parse_launch(
            "queue name=decoded max-size-buffers=4 max-size-bytes=0 ! videoconvert ! tee name=t "
            + "".join(BRANCH.format(engine=sources.ENGINES[order["device"]], n=n)
                      for n in range(len(wanted))))
        source = sources.Source(order["video"], order.get("pipeline", False))
        source.add(self.pipeline, self.pipeline.get_by_name("decoded"))
        for n, values in enumerate(wanted):
            for kind in settings.ELEMENTS:
                element = self.pipeline.get_by_name(f"{kind}{n}")
                settings.apply(element, values[kind] | {"meta-types": "cca"})
            self.pipeline.get_by_name(f"ccatrack{n}").get_static_pad("src").add_probe(
                Gst.PadProbeType.BUFFER | Gst.PadProbeType.EVENT_DOWNSTREAM, self.take, n)
        self.segments = [None] * len(wanted)

    def take(self, pad, info, n):
        if not info.type & Gst.PadProbeType.BUFFER:
            event = info.get_event()
            if event.type == Gst.EventType.SEGMENT:
                self.segments[n] = event.parse_segment().copy()
            return Gst.PadProbeReturn.OK
        buffer = info.get_buffer()
        at = sources.stream_time(self.segments[n], buffer, self.at)
        if self.until is not None and at > self.until:
            return Gst.PadProbeReturn.OK
        meta = GstCca.buffer_get_cca_meta(buffer)
        analysis = meta.get_analysis()
        flags = GstCca.CcaAnalysisFlags
        bits = sum(bit for name, bit in (("WARMING_UP", WARMING_UP), ("OVERLOAD", OVERLOAD),
                                         ("LIGHT_CHANGED", LIGHT_CHANGED))
                   if analysis.flags & getattr(flags, name))
        found = 0 if bits & OVERLOAD else analysis.n_found
        area = sum(meta.get_component(i)[1].area for i in range(min(found, 1000)))
        self.rows[n].append([round(at, 4), found, area, bits])
        self.at = at
        return Gst.PadProbeReturn.OK

    def report(self):
        rows = [self.rows[n][:] for n in range(len(self.rows))]
        for kept, sent in zip(self.rows, rows):
            del kept[:len(sent)]
        known, duration = self.pipeline.query_duration(Gst.Format.TIME)
        say({"at": self.at, "duration": duration / Gst.SECOND if known and duration > 0 else None,
             "rows": rows})

    def run(self):
        bus = self.pipeline.get_bus()
        kinds = Gst.MessageType.EOS | Gst.MessageType.ERROR | Gst.MessageType.ELEMENT
        self.pipeline.set_state(Gst.State.PLAYING)
        reported = time.monotonic()
        try:
            while self.until is None or self.at < self.until:
                message = bus.timed_pop_filtered(Gst.SECOND // 10, kinds)
                if time.monotonic() - reported > EVERY:
                    self.report()
                    reported = time.monotonic()
                if not message:
                    continue
                if message.type == Gst.MessageType.ERROR:
                    return {"error": message.parse_error()[0].message.rstrip(".")}
                if message.type == Gst.MessageType.EOS:
                    break
                fields = message.get_structure()
                if message.has_name("cca-track") and fields.get_string("event") == "crossed":
                    self.crossings[int(message.src.get_name()[8:])].append(
                        [fields.get_uint64("stream-time")[1] / Gst.SECOND,
                         fields.get_string("line"), fields.get_string("direction")])
        finally:
            self.pipeline.set_state(Gst.State.NULL)
        self.report()
        return {"done": True, "crossings": self.crossings}


def say(line):
    print(json.dumps(line), flush=True)


async def start(order):
    """The process for it; `async for line in lines(process)` reads what it writes."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, os.path.abspath(__file__), limit=1 << 26, stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE, preexec_fn=lambda: os.nice(10))
    process.stdin.write(json.dumps(order).encode() + b"\n")
    process.stdin.close()
    return process


async def lines(process):
    try:
        while line := await process.stdout.readline():
            yield json.loads(line)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


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
