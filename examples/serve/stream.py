# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""A stream: keeps its pipeline running, and gives its records and counts."""

import asyncio
import json
import time
import traceback

from gi.repository import GLib

import sources
from serve import pipeline, totals

FIRST = 15                      # seconds at least in which the first frame has to come
LONGEST = 60                    # seconds between two attempts
SETTLED = 30                    # seconds with frames after which pauses are short again
POLL = 0.2                      # seconds between two looks at the errors
LEFT = 1                        # seconds for the records that wait at the end of a pipeline
PICTURE = 5                     # seconds to wait for a picture
RECENT = 0.5                    # seconds in which a picture may be given again
QUIET = b'"events":[]}\n'       # the end of a line without events


class Stream:
    """`tell(stream, kind, record)` is called with each record: a dictionary of the kind "events",
    a line of bytes of the kind "components", or the new status of the kind "state"."""

    def __init__(self, name, data, service, saved=None, clean=True):
        self.name, self.data, self.service = name, data, service
        self.totals = totals.Totals(saved, clean)
        self.status, self.why, self.since = "connecting", None, time.time()
        self.tried = False              # whether one attempt has succeeded or failed
        self.pipeline = None
        self.frame = None               # number of the last line
        self.clock, self.last = None, {}
        self.rate, self.analysis_time, self.max_time = 0.0, 0, 0
        self.pause = 1
        self.again = asyncio.Event()    # connect now, with the new configuration
        self.rebuild = False            # with a new pipeline
        self.viewers, self.image, self.image_at = 0, None, 0.0
        self.images = asyncio.Condition()
        self.task = None

    # --- life -------------------------------------------------------------

    def start(self):
        self.task = asyncio.ensure_future(self.run())

    async def stop(self):
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)
        await self.end_pipeline()

    def make_pipeline(self):
        self.pipeline = pipeline.Pipeline(
            self.name, self.data, self.service.options, self.service.background(self.name),
            self.take_picture)

    def set_status(self, status, why=None):
        if (status, why) != (self.status, self.why):
            self.status, self.why, self.since = status, why, time.time()
            self.tell_status()

    def tell_status(self):
        self.service.tell(self, "state", self.describe_status())

    async def run(self):
        while True:
            self.again.clear()
            began, why, may_return = time.monotonic(), None, True
            try:
                if self.rebuild:
                    self.rebuild = False
                    await self.end_pipeline()
                why, may_return = await self.play()
            except GLib.Error as error:
                why = error.message.rstrip(".")
            except Exception as error:  # pylint: disable=broad-except
                # the other streams go on
                traceback.print_exc()
                why, self.rebuild = f"internal error: {error}", True
            self.tried = True
            await self.disconnect()
            if self.again.is_set():
                continue
            if self.is_file() and why == "the video ended":
                if not self.data["loop"]:
                    self.set_status("ended", why)
                    await self.again.wait()
                continue
            if time.monotonic() - began > SETTLED:
                self.pause = 1
            pause, self.pause = self.pause, min(2 * self.pause, LONGEST)
            self.totals.add("reconnects")
            again = f"; again in {pause} s" if may_return else ""
            self.service.say(f"{self.name}: {why}{again}")
            self.set_status("lost" if may_return else "failed", why)
            try:
                await asyncio.wait_for(self.again.wait(), pause if may_return else None)
            except asyncio.TimeoutError:
                pass

    def is_file(self):
        return self.data["uri"].startswith("file:")

    async def play(self):
        """One connection. Returns why it ended, and whether another attempt may help."""
        self.set_status("connecting")
        if not self.pipeline:
            self.frame = None
            await self.service.ask(self.make_pipeline)
            self.list_components()
            self.pipeline.show(self.viewers > 0)
        await self.service.ask(self.pipeline.connect)
        alive, frames = time.monotonic(), self.pipeline.stats()[0].get_value("frames")
        looked, seen = alive, frames
        self.last["frames"] = frames
        while not self.again.is_set():
            await asyncio.sleep(POLL)
            for sentence, is_source, may_return in list(self.pipeline.problems()):
                if is_source is None:
                    self.service.say(f"{self.name}: {sentence}")
                    continue
                if not is_source:
                    pipeline.context.forget()
                    await self.end_pipeline()
                    self.service.say(f"{self.name}: the analysis begins again: ids, counts of "
                                     "objects inside and an unsaved background are new")
                return sentence, may_return
            now = time.monotonic()
            frames = self.read(now - looked if now - looked >= 1 else None, seen)
            if now - looked >= 1:
                looked, seen = now, frames
                self.pipeline.measure_decoding()
            if self.pipeline.misfit:
                return self.pipeline.misfit, True
            if frames != self.last.get("frames"):
                self.last["frames"], alive = frames, now
                self.tried = True
                if self.status != "on":
                    self.totals.read(*self.pipeline.stats())
                    self.set_status("on")
            elif self.pipeline.ended and self.pipeline.is_empty():
                return self.pipeline.ended, True
            else:
                limit = self.data["stall"]
                if self.status != "on":
                    limit = max(limit, FIRST)
                if now - alive > limit:
                    return f"no frame for {limit:g} s", True
        return None, True

    def read(self, passed, seen):
        """The counts of the elements; returns the number of frames."""
        analysis, track, activity = self.pipeline.stats()
        frames = analysis.get_value("frames")
        self.totals.now["frames"] = frames
        if passed:
            self.rate = max(0, frames - seen) / passed
            self.totals.read(analysis, track, activity)
            skipped, self.pipeline.skipped = self.pipeline.skipped, 0
            self.totals.add("skipped", skipped)
        self.analysis_time = analysis.get_value("mean-time")
        self.max_time = analysis.get_value("max-time")
        self.last["components"] = analysis.get_value("n-found")
        self.last["activity"] = activity.get_value("number")
        return frames

    async def disconnect(self):
        self.rate = 0.0
        if self.pipeline:
            await self.service.ask(self.pipeline.disconnect)
            self.totals.read(*self.pipeline.stats())

    async def end_pipeline(self):
        if self.pipeline:
            old = self.pipeline
            end = time.monotonic() + LEFT
            while self.drain() and time.monotonic() < end:
                await asyncio.sleep(0)
            self.totals.read(*old.stats())
            self.pipeline = None
            await self.service.ask(old.stop)
            self.totals.begin_again()

    # --- configuration ----------------------------------------------------

    async def change(self, data):
        """Takes a new configuration. Parts that are the same in both go on."""
        old, self.data = self.data, data
        for kind in totals.SUMS:
            shapes = {s["name"]: s for s in (data["values"] or pipeline.DEFAULTS)["ccatrack"].get(
                kind, [])}
            before = {s["name"]: s for s in (old["values"] or pipeline.DEFAULTS)["ccatrack"].get(
                kind, [])}
            self.totals.keep(kind, shapes.keys())
            for name in shapes.keys() & before.keys():
                if shapes[name]["points"] != before[name]["points"]:
                    self.totals.forget(kind, name)
        if self.pipeline:
            self.rebuild |= await self.service.ask(self.pipeline.set_values, data,
                                                   self.service.table)
            self.list_components()
        connection = "uri", "latency", "protocols", "decoder-threads", "loop", "pace"
        if self.rebuild or self.status in ("failed", "lost") or any(
                old[key] != data[key] for key in connection):
            self.pause = 1
            self.again.set()
        self.tell_status()

    def list_components(self):
        if self.pipeline:
            self.pipeline.list_components(self.service.wants_components(self))

    # --- records ----------------------------------------------------------

    def drain(self):
        """Gives the records that wait, or some of many. Returns their number."""
        if not self.pipeline:
            return 0
        count = 0
        base = self.totals.numbers["ids"]
        lists = "components" in self.data["publish"] and self.service.wants_components(self)
        for line in self.pipeline.pull():
            count += 1
            number = int(line[9:line.index(b",")])          # {"frame":N,
            if self.frame is not None and number > self.frame + 1:
                self.totals.add("dropped", number - self.frame - 1)
            self.frame = number
            now = time.monotonic()
            is_quiet = line.endswith(QUIET)
            if not is_quiet or now - self.last.get("parsed", 0) > 1:
                self.last["parsed"] = now
                self.take_frame(json.loads(line), is_quiet)
            if lists:
                self.service.tell(self, "components", pipeline.shift_tracks(line, base)
                                  if base else line)
        return count

    def take_frame(self, frame, is_quiet):
        utc, running = frame["utc"], frame["running_time"]
        self.clock = self.clock_of(utc, running)
        self.last |= {"utc": utc, "warming_up": frame["warming_up"], "frame": frame["frame"],
                      "width": frame["width"], "height": frame["height"]}
        for event in () if is_quiet else frame["events"]:
            self.totals.correct(event)
            if event["message"] != "cca-activity" or event["event"] != "snapshot":
                self.totals.add("events")
            record = {"source": self.name, "frame": frame["frame"], "utc": utc,
                      "clock": self.clock, **event}
            if utc is not None and event.get("utc") is None and None not in (
                    running, event.get("running_time")):
                record["utc"] = utc + event["running_time"] - running
            self.service.tell(self, "events", record)

    def clock_of(self, utc, running):
        """Whose time it is. The pipeline's clock is this machine's."""
        if utc is None or running is None or not self.pipeline:
            return None
        own = self.pipeline.pipeline.get_base_time() + running
        return "host" if utc == own else "camera"

    # --- pictures ---------------------------------------------------------

    def take_picture(self, jpeg):
        self.service.loop.call_soon_threadsafe(self.publish_picture, jpeg)

    def publish_picture(self, jpeg):
        self.image, self.image_at = jpeg, time.monotonic()
        self.service.task(self.wake_viewers())

    async def wake_viewers(self):
        async with self.images:
            self.images.notify_all()

    def watch(self, viewers):
        self.viewers += viewers
        if self.pipeline:
            self.pipeline.show(self.viewers > 0)

    async def next_picture(self):
        """The next one, or None if none comes."""
        async with self.images:
            try:
                await asyncio.wait_for(self.images.wait(), PICTURE)
                return self.image
            except asyncio.TimeoutError:
                return None

    async def snapshot(self):
        if self.image and time.monotonic() - self.image_at < RECENT:
            return self.image
        self.watch(1)
        try:
            return await self.next_picture()
        finally:
            self.watch(-1)

    # --- descriptions -----------------------------------------------------

    def describe_status(self):
        return {"state": self.status, "why": self.why,
                "since": round(self.since, 3), "reconnects": self.totals.number("reconnects"),
                "dropped": self.totals.number("dropped")}

    def counts(self):
        """What changes only when something happens."""
        return {"components": self.last.get("components", 0) if self.status == "on" else 0,
                "activity": self.last.get("activity", 0) if self.status == "on" else 0,
                "activities": self.totals.number("activities"),
                **self.totals.of_shapes()}

    def describe(self):
        return {"id": self.name, "title": self.data.get("title", self.name),
                "source": sources.printable(self.data["source"]), **self.describe_status(),
                "rate": round(self.rate, 2), "clock": self.clock,
                "frames": self.totals.number("frames"), "events": self.totals.number("events"),
                "skipped": self.totals.number("skipped"),
                **{key: self.last.get(key) for key in ("utc", "frame", "width", "height",
                                                       "warming_up")},
                **(self.pipeline.describe() if self.pipeline else {}),
                **self.counts()}
