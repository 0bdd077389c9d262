#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The main part of examples/demo, which sets everything up and checks the
options: decode, find components, draw their boxes, count who crosses a line, write
the results."""

import sys
sys.dont_write_bytecode = True  # the checkout may be read-only

import argparse
import os
import statistics
import time

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstPbutils", "1.0")
gi.require_version("GstCca", "1.0")
from gi.repository import GLib, Gst, GstCca, GstPbutils

import lines
from foreground import PROPERTIES, Foreground
from pictures import beside, luma_plane, save_picture

# What a decoder is given: files that hold their frames themselves. For a playlist
# GStreamer would fetch what it names, from the network too; and what only wraps
# another format, as an ID3 tag does, may hold one.
SELF_CONTAINED = {"application/ogg", "application/mxf", "application/vnd.rn-realmedia",
                  "application/x-3gp", "application/x-yuv4mpeg"}     # and video/...

SOURCE = ("filesrc name=source ! decodebin caps=video/x-raw(ANY) expose-all-streams=false "
          "! videoconvert")

# From decoded frames to frames that carry all metas, and have boxes, ids and trails
# drawn into them. What a decoder on the GPU gives stays there until then, what one on
# the CPU gives is uploaded.
ENGINES = {
    "cpu": "video/x-raw,format=I420 ! cca name=cca ! identity name=analysed "
           "! ccatrack name=track ! {mask}ccaoverlay name=overlay draw-labels=false "
           "draw-lines=false",
    "cuda": "capsfilter caps=\"video/x-raw(memory:CUDAMemory);video/x-raw,format=NV12\" "
            "! cudaupload ! cudacca name=cca ! identity name=analysed "
            "! ccatrack name=track ! {mask}cudaccaoverlay name=overlay draw-labels=false "
            "draw-lines=false ! cudadownload ! videoconvert ! video/x-raw,format=I420",
}
MASKS = {"cpu": "ccamask mode=colors ! ", "cuda": "cudaccamask mode=colors ! "}
COUNTED = "videoconvert ! video/x-raw,format=BGRA ! rsvgoverlay name=counted"

# A line of JSON for each frame. They wait in the queue while the encoder looks ahead.
LINES = ("frames. ! ccajson ! queue max-size-buffers=0 max-size-bytes=0 max-size-time=0 "
         "! filesink name=lines")


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
    parser.add_argument("--frames", type=int)
    parser.add_argument("--output", required=True)
    parser.add_argument("video")
    arguments = parser.parse_args()
    if arguments.foreground == "auto":
        arguments.foreground = "sigma-delta" if arguments.threshold is None else "threshold"
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


def launch(video, rest):
    pipeline = Gst.parse_launch(f"{SOURCE} ! {rest}")
    pipeline.get_by_name("source").set_property("location", video)
    return pipeline


def settings(arguments, width, height):
    """The element's properties that are not as it has them. What is taken away as
    noise, or joined as one thing, grows with the picture."""
    radius = min(max(1, height // 540), 7)
    wanted = {
        "foreground": arguments.foreground,
        "threshold": arguments.threshold,
        "invert": arguments.invert,
        "min-contrast": arguments.min_contrast,
        "background-period": arguments.background_period,
        "open-radius": radius if arguments.open_radius is None else arguments.open_radius,
        "close-radius": radius if arguments.close_radius is None else arguments.close_radius,
        "min-area": arguments.min_area or max(1, width * height // 1500),
        "connectivity": arguments.connectivity,
        "meta-types": "cca+analytics+labels" if arguments.show == "mask" else None,
    }
    return {name: value for name, value in wanted.items() if value is not None}


def read_line(text, width, height):
    try:
        return lines.parse(text) if text else lines.middle(width, height)
    except ValueError:
        stop(f"--line {text} has no length")


def configure(pipeline, wanted):
    cca = pipeline.get_by_name("cca")
    for name, value in wanted.items():
        Gst.util_set_object_arg(cca, name, str(value).lower())
    return cca


def make_room(video, paths):
    """Removes what lies at the paths; of a link, the link itself."""
    for path in filter(os.path.lexists, paths):
        if os.path.exists(path) and os.path.samefile(path, video):
            stop(f"{video} would be overwritten with the results: choose another --output")
        try:
            os.remove(path)
        except OSError as error:
            stop(f"{path} cannot be replaced ({error.strerror})")


class Results:
    """Takes what each frame carries when it leaves the overlay."""

    def __init__(self, limit, line):
        self.limit = limit      # None: all frames
        self.line, self.crossed = line, (0, 0)
        self.enough = False     # told that there are so many
        self.counts = []
        self.warm = []          # the frames whose background was not warming up

    def probe(self, pad, info):
        if len(self.counts) == self.limit:
            if not self.enough:
                self.enough = True
                overlay = pad.get_parent_element()
                overlay.post_message(Gst.Message.new_application(
                    overlay, Gst.Structure.new_empty("enough")))
            return Gst.PadProbeReturn.DROP
        analysis = GstCca.buffer_get_cca_meta(info.get_buffer()).get_analysis()
        if not analysis.flags & GstCca.CcaAnalysisFlags.WARMING_UP:
            self.warm.append(len(self.counts))
        self.counts.append(analysis.n_found)
        self.crossed = self.line.counts
        return Gst.PadProbeReturn.OK

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


def run(pipeline, results, duration):
    """Runs to the end, to Ctrl-C or to a problem; returns the seconds it took."""
    overlay = pipeline.get_by_name("overlay").get_static_pad("src")
    overlay.add_probe(Gst.PadProbeType.BUFFER, results.probe)
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
        progress.show(len(results.counts), position, message is not None)
        if message is None:
            continue
        if message.type == Gst.MessageType.ERROR:
            error, detail = message.parse_error()
            # after a line that tells where in GStreamer's sources
            reasons = [message.src.get_name(), *(detail or "").splitlines()[1:]]
            stop(f"{error.message.rstrip('.')} ({': '.join(reasons)})")
        return time.monotonic() - progress.begin


def draw_still(video, device, wanted, line, number):
    """Once more up to that frame: its picture with boxes, the picture's caps, and
    the rows of the mask, which cca keeps to itself; None where it cannot be told."""
    pipeline = launch(video, f"{ENGINES[device].format(mask='')} ! {COUNTED} "
                             "! appsink name=sink sync=false max-buffers=1")
    counted = lines.Drawn(pipeline, *line)
    cca = configure(pipeline, wanted)
    properties = {name: cca.get_property(name) for name in PROPERTIES}
    properties["foreground"] = properties["foreground"].value_nick
    planes = []

    def keep(pad, info):
        planes.append(luma_plane(pad, info.get_buffer()))
        return Gst.PadProbeReturn.OK

    pipeline.get_by_name("analysed").get_static_pad("src").add_probe(
        Gst.PadProbeType.BUFFER, keep)
    sink, bus = pipeline.get_by_name("sink"), pipeline.get_bus()
    foreground, pulled = None, 0
    pipeline.set_state(Gst.State.PLAYING)
    try:
        while pulled <= number:
            sample = sink.emit("try-pull-sample", Gst.SECOND // 4)      # Ctrl-C is seen
            if not sample:
                if sink.get_property("eos") or bus.pop_filtered(Gst.MessageType.ERROR):
                    stop(f"{video} cannot be decoded a second time, for the pictures")
                continue
            pulled += 1
            plane = planes.pop(0)
            if plane:
                luma, *size = plane
                if not foreground or size != [foreground.width, foreground.height]:
                    foreground = Foreground(*size, properties)
                foreground.add(luma)
    finally:
        counted.stop()
        pipeline.set_state(Gst.State.NULL)
    return sample.get_buffer(), sample.get_caps(), foreground and foreground.rows()


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


def describe_still(results, number):
    n = results.counts[number]
    words = f"frame {number}, " + (f"{n} component{'s' * (n > 1)}" if n else "nothing was found")
    if not results.warm:
        words += "; the background was still warming up"
    return words


def main():
    arguments = read_arguments()
    Gst.init(None)
    video = os.path.abspath(arguments.video)
    out = {name: os.path.join(arguments.output, name)
           for name in ("overlay.mkv", "components.jsonl", "frame.png", "mask.png")}
    device = choose_device(arguments.device)
    check_type(video)
    width, height, duration = discover(video)
    make_room(video, out.values())

    # H.264 halves the colours' resolution, which takes even sizes
    colours = "I420" if width % 2 == 0 and height % 2 == 0 else "Y444"
    mask = MASKS[device] if arguments.show == "mask" else ""
    pipeline = launch(video, f"{ENGINES[device].format(mask=mask)} ! tee name=frames "
                             f"! {COUNTED} ! queue "
                             f"! videoconvert ! video/x-raw,format={colours} "
                             "! x264enc pass=quant quantizer=20 speed-preset=veryfast "
                             f"! matroskamux ! filesink name=sink {LINES}")
    pipeline.get_by_name("sink").set_property("location", out["overlay.mkv"])
    pipeline.get_by_name("lines").set_property("location", out["components.jsonl"])
    wanted = settings(arguments, width, height)
    cca = configure(pipeline, wanted)
    line = read_line(arguments.line, width, height), width, height
    counted = lines.Drawn(pipeline, *line)

    results = Results(arguments.frames, counted)
    try:
        seconds = run(pipeline, results, duration)
    finally:
        counted.stop()
        pipeline.set_state(Gst.State.NULL)
    counts = results.counts
    if not counts:
        stop(f"{video} has no frames that can be decoded")
    number = results.choose_still()
    print(f"  once more to frame {number}, for the pictures", file=sys.stderr)
    picture, caps, rows = draw_still(video, device, wanted, line, number)
    pictures = {"frame.png": (picture, caps)}
    if rows:
        pictures["mask.png"] = beside(picture, caps, rows)
    else:
        del out["mask.png"]
    for name, (buffer, caps) in pictures.items():
        problem = save_picture(buffer, caps, out[name])
        if problem:
            stop(f"{out[name]} cannot be written ({problem})")

    print(f"engine      {cca.get_factory().get_name()} ({device})")
    print(f"foreground  {describe(cca)}")
    print(f"frames      {len(counts)} of {width}x{height}, {len(counts) / seconds:.1f} a second "
          "(decoding, drawing and encoding included)")
    print(f"components  {min(counts)} to {max(counts)} a frame, "
          f"{statistics.fmean(counts):.1f} on average")
    print(f"crossed     {lines.describe(line[0], results.crossed)}")
    print(f"still       {describe_still(results, number)}")
    if not rows:
        print("no mask     mask.png is only made of video with 8 bits a sample")
    print(f"results     {' '.join(out.values())}")


try:
    main()
except KeyboardInterrupt:
    stop("interrupted")
