#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The main part of examples/demo, which sets everything up and checks the
options: decode, find components, draw their boxes, count who crosses a line, write
the results."""

import sys
sys.dont_write_bytecode = True  # the checkout may be read-only

import argparse
import json
import os
import re
import statistics
import time

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstPbutils", "1.0")
from gi.repository import GLib, Gst, GstPbutils

import capture
import lines
import settings
import sources
from pictures import beside, save_picture

# What a decoder is given: files that hold their frames themselves. For a playlist
# GStreamer would fetch what it names, from the network too; and what only wraps
# another format, as an ID3 tag does, may hold one.
SELF_CONTAINED = {"application/ogg", "application/mxf", "application/vnd.rn-realmedia",
                  "application/x-3gp", "application/x-yuv4mpeg"}     # and video/...

SOURCE = ("filesrc name=source ! decodebin caps=video/x-raw(ANY) expose-all-streams=false "
          "! videoconvert ! identity name=head ! {head}")


class Engine:
    """Descriptions of the parts of a pipeline: from decoded frames to frames to analyse,
    the elements for these, and back to system memory. Frames of a decoder on the GPU stay
    there, those of a decoder on the CPU are uploaded."""

    def __init__(self, prefix, head, tail):
        self.source = SOURCE.format(head=head)
        self.cca, self.mask = f"{prefix}cca", f"{prefix}ccamask"
        self.drawn = (f"{self.cca} name=cca " + "{cca} ! ccatrack name=track {track} ! {mask}"
                      + f"{prefix}ccaoverlay draw-labels=false{tail}")


ENGINES = {
    "cpu": Engine("", "video/x-raw,format=I420", ""),
    "cuda": Engine("cuda", "capsfilter caps=\"video/x-raw(memory:CUDAMemory);"
                           "video/x-raw,format=NV12\" ! cudaupload",
                   " ! cudadownload ! videoconvert ! video/x-raw,format=I420"),
}

# A line of JSON for each frame. They wait in the queue while the encoder looks ahead.
LINES = ("frames. ! ccajson ! queue max-size-buffers=0 max-size-bytes=0 max-size-time=0 "
         "! filesink name=lines")


def say(sentence):
    print(f"examples/demo: {sentence}", file=sys.stderr, flush=True)


def stop(sentence):
    sys.exit(f"examples/demo: {sentence}")


def read_arguments():
    parser = argparse.ArgumentParser(
        epilog="Run examples/demo instead: it sets up what is missing and calls this program.")
    parser.add_argument("--foreground", default="auto")
    parser.add_argument("--threshold", type=int)
    parser.add_argument("--invert", action="store_true")
    parser.add_argument("--min-contrast", type=int)
    parser.add_argument("--background-period", type=int)
    parser.add_argument("--open-radius", type=int)
    parser.add_argument("--close-radius", type=int)
    parser.add_argument("--min-area", type=int)
    parser.add_argument("--connectivity", default="8")
    parser.add_argument("--show", default="boxes")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--line")
    parser.add_argument("--settings")
    parser.add_argument("--cca", default="")
    parser.add_argument("--track", default="")
    parser.add_argument("--frames", type=int)
    parser.add_argument("--output", required=True)
    parser.add_argument("video")
    arguments = parser.parse_args()
    if arguments.foreground == "auto":
        if arguments.threshold is not None:
            arguments.foreground = "threshold"
        elif not arguments.settings:
            arguments.foreground = "sigma-delta"
    return arguments


def check_type(video):
    pipeline = Gst.parse_launch("filesrc name=source ! typefind name=type ! fakesink")
    pipeline.get_by_name("source").set_property("location", video)
    pipeline.set_state(Gst.State.PAUSED)
    pipeline.get_state(20 * Gst.SECOND)
    caps = pipeline.get_by_name("type").get_property("caps")
    pipeline.set_state(Gst.State.NULL)
    if not caps:
        stop(f"{video} is not a video of a known format")
    name = caps.to_string().split(",")[0]
    if not name.startswith("video/") and name not in SELF_CONTAINED:
        stop(f"{video} is not a video, but {name}")


def discover(video):
    """Width, height and duration (in ns, 0 if unknown) of a file's picture."""
    try:
        info = GstPbutils.Discoverer.new(20 * Gst.SECOND).discover_uri(Gst.filename_to_uri(video))
    except GLib.Error as error:
        reason = error.message.partition("\n")[0].rstrip(".")
        stop(f"{video} cannot be decoded as a video ({reason})")
    # a damaged file may keep it waiting, which is no error to it
    if info.get_result() == GstPbutils.DiscovererResult.TIMEOUT:
        stop(f"{video} cannot be decoded as a video (no picture came in 20 seconds)")
    streams = info.get_video_streams()
    if not streams or streams[0].is_image():
        stop(f"{video} is not a video")
    if info.get_missing_elements_installer_details():
        stop(f"{video} needs a decoder that GStreamer does not have here")
    return streams[0].get_width(), streams[0].get_height(), info.get_duration()


def choose_device(device):
    """The engine to use, 'cpu' or 'cuda'."""
    if device == "cpu":
        return "cpu"
    why = "this build has no element cudacca"
    if Gst.ElementFactory.find("cudacca"):
        element = Gst.ElementFactory.make("cudacca")
        works = element.set_state(Gst.State.READY) != Gst.StateChangeReturn.FAILURE
        element.set_state(Gst.State.NULL)
        if works:
            return "cuda"
        why = "cudacca finds no GPU that it can use"
    if device == "cuda":
        stop(f"--device cuda: {why}")
    return "cpu"


def launch(video, description):
    try:
        pipeline = Gst.parse_launch(description)
    except GLib.Error as error:
        stop(error.message)
    pipeline.get_by_name("source").set_property("location", video)
    return pipeline


def load_settings(arguments, device, width, height):
    """Properties and lines of a file; without one, none."""
    if not arguments.settings:
        return {name: {} for name in settings.ELEMENTS}
    try:
        values, size = settings.load(arguments.settings, settings.Table(device))
        settings.check_size(size, width, height)
    except settings.Refused as error:
        stop(error)
    return values


def choose(arguments, values, width, height):
    """The properties of both elements: options precede a file of settings, and --cca and --track,
    which are in the pipeline already, precede both. Without a file what is taken away as noise,
    or joined as one object, grows with the picture."""
    radius = min(max(1, height // 540), 7)
    sized = {} if arguments.settings else {
        "open-radius": radius, "close-radius": radius,
        "min-area": max(1, width * height // 1500)}
    options = {
        "foreground": None if arguments.foreground == "auto" else arguments.foreground,
        "threshold": arguments.threshold,
        "invert": arguments.invert or None,
        "min-contrast": arguments.min_contrast,
        "background-period": arguments.background_period,
        "open-radius": arguments.open_radius,
        "close-radius": arguments.close_radius,
        "min-area": arguments.min_area,
        "connectivity": arguments.connectivity,
        "meta-types": "cca+analytics+labels" if arguments.show == "mask" else None,
    }
    cca = {**sized, **values["cca"],
           **{name: value for name, value in options.items() if value is not None}}
    track = dict(values["ccatrack"])
    if arguments.line or "lines" not in track:
        x1, y1, x2, y2 = read_line(arguments.line, width, height)
        track["lines"] = [{"name": "line", "points": [x1, y1, x2, y2]}]
    return without(cca, arguments.cca), without(track, arguments.track)


def without(properties, text):
    """Those that a text with properties does not set."""
    given = re.findall(r"(?:^|\s)([a-z-]+)\s*=", text)
    return {name: value for name, value in properties.items() if name not in given}


def read_line(text, width, height):
    try:
        return lines.parse(text) if text else lines.middle(width, height)
    except ValueError:
        stop(f"--line {text} has no length")


def configure(pipeline, wanted):
    for name, properties in zip(("cca", "track"), wanted):
        settings.apply(pipeline.get_by_name(name), properties)
    return pipeline.get_by_name("cca")


def make_room(video, paths):
    """Removes what lies at the paths; of a link, the link itself."""
    for path in filter(os.path.lexists, paths):
        if os.path.exists(path) and os.path.samefile(path, video):
            stop(f"{video} would be overwritten with the results: choose another --output")
        try:
            os.remove(path)
        except OSError as error:
            stop(f"{path} cannot be replaced ({error.strerror})")


class Limit:
    """Ends the pipeline after a number of frames."""

    def __init__(self, pipeline, n):
        self.left = n
        pad = pipeline.get_by_name("head").get_static_pad("src")
        pad.add_probe(Gst.PadProbeType.BUFFER, self.probe)

    def probe(self, pad, _info):
        self.left -= 1
        if self.left >= 0:
            return Gst.PadProbeReturn.OK
        if self.left == -1:
            head = pad.get_parent_element()
            head.post_message(Gst.Message.new_application(
                head, Gst.Structure.new_empty("enough")))
        return Gst.PadProbeReturn.DROP


class Results:
    """The frames, read from the lines of JSON."""

    def __init__(self, path):
        self.counts = []
        self.warm = []          # the frames whose background was not warming up
        self.crossed = {}       # to the left and to the right, of each line
        with open(path, encoding="utf-8") as frames:
            for n, frame in enumerate(map(json.loads, frames)):
                self.counts.append(frame["n_found"])
                if not frame["warming_up"]:
                    self.warm.append(n)
                for event in frame["events"]:
                    if event["event"] == "crossed":
                        self.crossed[event["line"]] = event["to_left"], event["to_right"]

    def choose_still(self):
        """The frame with the most components after the warm-up; without one, in
        the last third."""
        n = len(self.counts)
        return max(self.warm or range(n - (n + 2) // 3, n), key=self.counts.__getitem__)


class Progress:
    """A line on stderr, renewed in place on a terminal."""

    def __init__(self, duration):
        self.begin = self.shown = time.monotonic()
        self.duration = duration

    def show(self, frames, position, last):
        now = time.monotonic()
        terminal = sys.stderr.isatty()
        if not (terminal or last or now - self.shown > 5):
            return
        self.shown = now
        line = f"  {frames} frames, {frames / (now - self.begin):.0f} a second"
        if self.duration and position > 0:
            line += f", {min(100, 100 * position // self.duration)} %"
        print(("\r" if terminal else "") + line, end=" " if terminal and not last else "\n",
              file=sys.stderr, flush=True)


def run(pipeline, duration):
    """Runs to the end, to Ctrl-C or to a problem; returns the seconds it took."""
    track = pipeline.get_by_name("track")
    bus, progress = pipeline.get_bus(), Progress(duration)
    pipeline.set_state(Gst.State.PLAYING)
    kinds = Gst.MessageType.EOS | Gst.MessageType.ERROR | Gst.MessageType.APPLICATION
    while True:
        try:
            message = bus.timed_pop_filtered(Gst.SECOND // 4, kinds)
            stopped = message is not None and message.type == Gst.MessageType.APPLICATION
        except KeyboardInterrupt:
            stopped = True
        if stopped:
            pipeline.send_event(Gst.Event.new_eos())
            continue
        position = pipeline.query_position(Gst.Format.TIME)[1]
        frames = track.get_property("stats").get_uint64("frames")[1]
        progress.show(frames, position, message is not None)
        if message is None:
            continue
        if message.type == Gst.MessageType.ERROR:
            error, detail = message.parse_error()
            # after a line that tells where in GStreamer's sources
            reasons = [message.src.get_name(), *(detail or "").splitlines()[1:]]
            stop(f"{error.message.rstrip('.')} ({': '.join(reasons)})")
        return time.monotonic() - progress.begin


def draw(engine, arguments, mask):
    return engine.drawn.format(cca=arguments.cca, track=arguments.track, mask=mask)


def draw_still(video, engine, wanted, arguments, number):
    """Once more up to that frame: its picture with boxes, and the mask. Each pixel of
    the foreground is in a component if these may be small."""
    sink = "fakesink async=false sync=false enable-last-sample=true"
    pipeline = launch(video, f"{engine.source} ! tee name=frames "
                             f"! {draw(engine, arguments, '')} ! {sink} name=picture "
                             f"frames. ! {engine.cca} name=whole {arguments.cca} ! ccamask "
                             f"! {sink} name=mask")
    configure(pipeline, wanted)
    settings.apply(pipeline.get_by_name("whole"),
                   wanted[0] | {"meta-types": "cca+labels", "min-area": 1})
    limit, bus = Limit(pipeline, number + 1), pipeline.get_bus()
    pipeline.set_state(Gst.State.PLAYING)
    kinds = Gst.MessageType.EOS | Gst.MessageType.ERROR | Gst.MessageType.APPLICATION
    try:
        message = None
        while not message or message.type == Gst.MessageType.APPLICATION:
            message = bus.timed_pop_filtered(Gst.SECOND // 4, kinds)        # Ctrl-C is seen
            if message and message.type == Gst.MessageType.APPLICATION:
                pipeline.send_event(Gst.Event.new_eos())
        if message.type == Gst.MessageType.ERROR or limit.left > 0:
            stop(f"{video} cannot be decoded a second time, for the pictures")
        return [pipeline.get_by_name(name).get_property("last-sample")
                for name in ("picture", "mask")]
    finally:
        pipeline.set_state(Gst.State.NULL)


def describe(cca):
    """What was foreground, in a line."""
    value = cca.get_property
    mode = value("foreground").value_nick
    words = [mode]
    if mode == "threshold":
        words[0] += f" {value('threshold')}"
    elif mode in ("difference", "sigma-delta"):
        words.append(f"minimum contrast {value('min-contrast')}")
    if mode == "sigma-delta":
        words.append(f"background period {value('background-period')} frames")
    if value("invert"):
        words.append("inverted")
    words.append(f"opening radius {value('open-radius')}, closing radius {value('close-radius')}")
    words.append(f"{value('connectivity').value_nick}-connected")
    words.append(f"minimum area {value('min-area')} pixels")
    return ", ".join(words)


def describe_crossed(track, crossed):
    """Of each line; its directions are those on the screen."""
    words = []
    for line in track.get("lines", ()):
        points = line["points"]
        ends = points[:2] + points[-2:]
        counts = crossed.get(line["name"], (0, 0))
        said = lines.describe(ends, counts) if ends[:2] != ends[2:] else \
            "left {}, right {}".format(*counts)
        words.append(said if len(track["lines"]) == 1 else f"{line['name']} {said}")
    return "; ".join(words)


def record(source, arguments):
    """A camera becomes a clip, which takes the place of a file."""
    path = os.path.join(arguments.output, "clip.mkv")
    make_room(path, [path] if os.path.islink(path) else [])
    recording = capture.Capture(source, path, say)
    say(f"recording {source.name} to {path}; Ctrl-C ends it")
    try:
        recording.run(arguments.frames)
    except (capture.Failed, GLib.Error) as error:
        stop(f"{source.name}: {error}" if isinstance(error, capture.Failed) else error.message)
    if not recording.frames:
        stop(f"{source.name}: there was no frame")
    return path


def describe_still(results, number):
    n = results.counts[number]
    words = f"frame {number}, " + (f"{n} component{'s' * (n > 1)}" if n else "nothing was found")
    if not results.warm:
        words += "; the background was still warming up"
    return words


def main():
    arguments = read_arguments()
    Gst.init(None)
    source = sources.Source(arguments.video)
    video = record(source, arguments) if source.is_camera else Gst.uri_get_location(source.uri)
    out = {name: os.path.join(arguments.output, name)
           for name in ("overlay.mkv", "components.jsonl", "frame.png", "mask.png")}
    device = choose_device(arguments.device)
    engine = ENGINES[device]
    check_type(video)
    width, height, duration = discover(video)
    values = load_settings(arguments, device, width, height)
    make_room(video, out.values())

    # H.264 halves the colours' resolution, which takes even sizes
    colours = "I420" if width % 2 == 0 and height % 2 == 0 else "Y444"
    mask = f"{engine.mask} mode=colors ! " if arguments.show == "mask" else ""
    pipeline = launch(video, f"{engine.source} ! {draw(engine, arguments, mask)} "
                             "! tee name=frames ! queue "
                             f"! videoconvert ! video/x-raw,format={colours} "
                             "! x264enc pass=quant quantizer=20 speed-preset=superfast "
                             f"! matroskamux ! filesink name=sink {LINES}")
    pipeline.get_by_name("sink").set_property("location", out["overlay.mkv"])
    pipeline.get_by_name("lines").set_property("location", out["components.jsonl"])
    wanted = choose(arguments, values, width, height)
    cca = configure(pipeline, wanted)
    if arguments.frames:
        Limit(pipeline, arguments.frames)
    try:
        seconds = run(pipeline, duration)
    finally:
        pipeline.set_state(Gst.State.NULL)
    results = Results(out["components.jsonl"])
    counts = results.counts
    if not counts:
        stop(f"{video} has no frames that can be decoded")
    number = results.choose_still()
    print(f"  once more to frame {number}, for the pictures", file=sys.stderr)
    picture, mask = draw_still(video, engine, wanted, arguments, number)
    for name, samples in ("frame.png", [picture]), ("mask.png", [picture, mask]):
        problem = save_picture(beside(samples), out[name])
        if problem:
            stop(f"{out[name]} cannot be written ({problem})")

    print(f"engine      {cca.get_factory().get_name()} ({device})")
    print(f"foreground  {describe(cca)}")
    print(f"frames      {len(counts)} of {width}x{height}, {len(counts) / seconds:.1f} a second "
          "(decoding, drawing and encoding included)")
    print(f"components  {min(counts)} to {max(counts)} a frame, "
          f"{statistics.fmean(counts):.1f} on average")
    if wanted[1].get("lines"):
        print(f"crossed     {describe_crossed(wanted[1], results.crossed)}")
    print(f"still       {describe_still(results, number)}")
    print(f"results     {' '.join(out.values())}")


try:
    main()
except KeyboardInterrupt:
    stop("interrupted")
