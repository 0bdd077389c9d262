# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Analyses one recorded video after the other for cca-scan, in a process of its own."""

import sys
sys.dont_write_bytecode = True  # the checkout may be read-only

import csv
import datetime
import json
import os
import queue
import threading
import time

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import GLib, Gst, GstApp, GstVideo  # noqa: F401 (GstApp adds methods)

import archive
import settings
import sources

ANALYSIS = ("{rate} name=head ! videoconvert ! {engine} name=cca meta-types=cca "
            "! ccatrack name=ccatrack meta-types=cca ! ccaactivity {activity} "
            "! ccajson ! appsink name=lines sync=false max-buffers=64")
PICTURE = "videoconvert name=head ! jpegenc ! appsink name=picture sync=false"
PATIENCE = 60                   # seconds without a frame after which a video is given up
DEFAULTS = {"cca": {"foreground": "sigma-delta", "open-radius": 1, "close-radius": 1}}


class Unreadable(Exception):
    """One sentence on why a video cannot be analysed."""


class Scan:
    """The analysis of a video. `report(seconds)` is called now and then."""

    def __init__(self, job, report):
        self.job, self.report = job, report
        rate = f"videorate drop-only=true max-rate={job['fps']}" if job["fps"] else "identity"
        self.pipeline = Gst.parse_launch(ANALYSIS.format(
            rate=rate, engine=sources.ENGINES[job["device"]], activity=job["activity"]))
        decoder = sources.add_source(self.pipeline, Gst.filename_to_uri(job["path"]),
                                     self.pipeline.get_by_name("head"))
        if job["keyframes"]:
            decoder.connect("deep-element-added", self.add_decoder)
        for element, values in (job["settings"] or DEFAULTS).items():
            settings.apply(self.pipeline.get_by_name(element), values)
        self.cca = self.pipeline.get_by_name("cca")
        self.lines = self.pipeline.get_by_name("lines")
        self.bus = self.pipeline.get_bus()
        self.recorded = None            # when the video says that it was recorded
        self.size = None
        self.ended_late = []            # events that the end of the video ends: in no frame
        if not job["settings"]:
            self.cca.get_static_pad("sink").add_probe(
                Gst.PadProbeType.EVENT_DOWNSTREAM, self.prepare)

    def add_decoder(self, _bin, _sub, element):
        """Without a decoder's frames between key frames there is hardly anything to do."""
        factory = element.get_factory()
        if factory and "Decoder" in factory.get_metadata("klass"):
            element.get_static_pad("sink").add_probe(
                Gst.PadProbeType.BUFFER,
                lambda _, info: Gst.PadProbeReturn.DROP
                if info.get_buffer().has_flags(Gst.BufferFlags.DELTA_UNIT)
                else Gst.PadProbeReturn.OK)

    def prepare(self, _pad, info):
        event = info.get_event()
        if event.type == Gst.EventType.CAPS:
            video = GstVideo.VideoInfo.new_from_caps(event.parse_caps())
            self.cca.set_property("min-area", max(1, video.width * video.height // 1500))
        return Gst.PadProbeReturn.OK

    def check(self):
        """Reads what the pipeline reports."""
        kinds = (Gst.MessageType.ERROR | Gst.MessageType.TAG | Gst.MessageType.WARNING
                 | Gst.MessageType.ELEMENT)
        while message := self.bus.pop_filtered(kinds):
            if message.type == Gst.MessageType.ERROR:
                raise Unreadable(message.parse_error()[0].message.rstrip("."))
            if message.type == Gst.MessageType.WARNING and message.src == self.cca:
                raise Unreadable(message.parse_warning()[0].message.rstrip("."))
            if message.type == Gst.MessageType.ELEMENT:
                structure = message.get_structure()
                if (structure.has_name("cca-activity")
                        and structure.get_string("event") == "ended"
                        and structure.get_string("reason") == "eos"):
                    self.ended_late.append(
                        {"message": "cca-activity", **sources.fields(structure)})
            if message.type == Gst.MessageType.TAG and self.recorded is None:
                found, moment = message.parse_tag().get_date_time(Gst.TAG_DATE_TIME)
                if found and moment.has_second():
                    at = moment.to_g_date_time().to_utc()
                    self.recorded = at.to_unix() * 10**9 + at.get_microsecond() * 1000

    def frames(self):
        """The lines of ccajson."""
        self.pipeline.set_state(Gst.State.PLAYING)
        alive = reported = time.monotonic()
        while True:
            sample = self.lines.try_pull_sample(Gst.SECOND // 5)
            now = time.monotonic()
            if sample is None:
                self.check()
                if self.lines.is_eos():
                    return
                if now - alive > PATIENCE:
                    raise Unreadable(f"no frame for {PATIENCE} seconds")
                continue
            alive = now
            buffer = sample.get_buffer()
            frame = json.loads(buffer.extract_dup(0, buffer.get_size()))
            if now - reported > 1:
                reported = now
                self.check()
                self.report((frame["pts"] or 0) / 1e9)
            yield frame

    def run(self, folder):
        """Writes the results into the folder and returns the summary."""
        job, events = self.job, []
        n_frames = n_components = last = 0
        try:
            with open(os.path.join(folder, archive.CSV), "w", newline="", encoding="utf-8") as f:
                writer = csv.writer(f, lineterminator="\n")
                writer.writerow(archive.COLUMNS)
                for number, frame in enumerate(self.frames()):
                    n_frames = number + 1
                    last = max(last, frame["pts"] or 0)
                    if not self.size:
                        self.size = frame["width"], frame["height"]
                        settings.check_size(job["size"] and tuple(job["size"]), *self.size)
                    n_components += len(frame["components"])
                    for c in frame["components"]:
                        writer.writerow((job["name"], number, frame["pts"], None, c["id"],
                                         c["track"], c["x"], c["y"], c["width"], c["height"],
                                         c["area"], c["cx"], c["cy"], frame["width"],
                                         frame["height"]))
                    events += [e for e in frame["events"]
                               if e["message"] != "cca-activity" or e["event"] == "ended"]
            self.check()
            events += self.ended_late
        finally:
            self.pipeline.set_state(Gst.State.NULL)
        if not n_frames:
            raise Unreadable("there is no video in it")
        return {"frames": n_frames, "components": n_components, "duration": last,
                "width": self.size[0], "height": self.size[1], "events": events}


def start_of(job, recorded, duration):
    """When the first frame was recorded, in ns since 1970, or None."""
    how = job["start"]
    if how == "tag":
        return recorded
    if how == "mtime":
        return os.stat(job["path"]).st_mtime_ns - duration
    name = os.path.basename(job["path"])
    for length in range(len(name), 0, -1):
        for at in range(len(name) - length + 1):
            try:
                moment = datetime.datetime.strptime(name[at:at + length], how)
            except ValueError:
                continue
            moment = moment.replace(tzinfo=moment.tzinfo or datetime.timezone.utc)
            return round(moment.timestamp() * 1000) * 10**6
    raise Unreadable(f"its name has no time as in --start {how}")


def save_picture(path, at, to):
    """Writes the frame at a time in ns as JPEG. Returns whether there is one."""
    pipeline = Gst.parse_launch(PICTURE)
    sources.add_source(pipeline, Gst.filename_to_uri(path), pipeline.get_by_name("head"))
    sample = None
    try:
        pipeline.set_state(Gst.State.PAUSED)
        if pipeline.get_state(PATIENCE * Gst.SECOND)[0] == Gst.StateChangeReturn.SUCCESS:
            pipeline.seek_simple(Gst.Format.TIME, Gst.SeekFlags.FLUSH | Gst.SeekFlags.ACCURATE,
                                 at)
            pipeline.get_state(PATIENCE * Gst.SECOND)
            sample = pipeline.get_by_name("picture").try_pull_preroll(0)
    finally:
        pipeline.set_state(Gst.State.NULL)
    if sample is None:
        return False
    with open(to, "wb") as f:
        f.write(sample.get_buffer().extract_dup(0, sample.get_buffer().get_size()))
    return True


def analyse(job, report):
    """Analyses job["path"] and puts the results into the archive; all of them, or none.

    Returns the summary. Raises Unreadable, OSError or GLib.Error.
    """
    if job["device"] == "cuda" and not Gst.ElementFactory.find("cudacca"):
        raise Unreadable("there is no cudacca without an NVIDIA GPU and its driver")
    with archive.Part(job["archive"], job["name"]) as part:
        scan = Scan(job, report)
        result = scan.run(part.path)
        start = start_of(job, scan.recorded, result["duration"])
        events = result.pop("events")
        if job["thumbnails"]:
            for event in events:
                if event["message"] == "cca-activity":
                    name = f"{event['number']:06}.jpg"
                    at = event["peak"]["stream_time"] or 0
                    if save_picture(job["path"], at, os.path.join(part.path, name)):
                        event["thumbnail"] = name
        archive.write_events(part.path, events, start)
        archive.write_components(part.path, start, job["format"])
        summary = {"video": job["name"], "key": job["key"], "start": start, **result,
                   "activities": sum(e["message"] == "cca-activity" for e in events)}
        part.finish(summary)
    return summary


def jobs():
    """Those that come in lines. Without the program that sends them the process ends."""
    waiting = queue.SimpleQueue()

    def read():
        for line in sys.stdin:
            waiting.put(json.loads(line))
        os._exit(1)

    threading.Thread(target=read, daemon=True).start()
    while True:
        yield waiting.get()


def main():
    """A worker: answers each job with lines of JSON."""
    Gst.init(None)

    def answer(**values):
        print(json.dumps(values), flush=True)

    for job in jobs():
        try:
            answer(done=analyse(job, lambda seconds: answer(seconds=seconds)))
        except (Unreadable, settings.Refused) as error:
            answer(failed=str(error))
        except GLib.Error as error:
            answer(failed=error.message.rstrip("."))
        except OSError as error:
            answer(failed=f"{error.filename or job['archive']}: {error.strerror}",
                   fatal=not os.path.exists(job["archive"]) or archive.is_full(error))


if __name__ == "__main__":
    main()
