#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Tracks the boxes of a detector of your own: attaches them to the frames as GstCcaMeta, which
ccatrack reads. Put your detector, such as OpenCV's or a neural network, in place of detect().
Prints the box of each frame as id:WIDTHxHEIGHT+X+Y, where ccatrack has given an id, and then
the events of the frame, such as crossed:gate:to-right.
Usage: detector.py [VIDEO [PROPERTIES]]     Without VIDEO, or with -, it reads a test picture.
PROPERTIES are those of ccatrack, such as lines and zones:
'lines=<[gate,x1=80,y1=0,x2=80,y2=120]> zones=<[yard,points=<0,60,160,60,160,120,0,120>]>'"""
import signal
import sys

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstCca", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import GLib, Gst, GstCca, GstVideo


def detect(pixels, width, height, stride):
    """Boxes (x, y, width, height) in a gray picture: here one around all bright pixels."""
    bright = bytes(value > 150 for value in range(256))
    rows = [pixels[y * stride:y * stride + width].translate(bright) for y in range(height)]
    found = [y for y, row in enumerate(rows) if 1 in row]
    if not found:
        return []
    left = min(rows[y].find(1) for y in found)
    right = max(rows[y].rfind(1) for y in found)
    return [(left, found[0], right + 1 - left, found[-1] + 1 - found[0])]


def attach(buf, boxes, width, height):
    """Adds the boxes to a writable buffer."""
    analysis = GstCca.CcaAnalysis.new(width, height, len(boxes))
    # a box without a mask: its area is that of the box, its centroid the centre
    components = [GstCca.CcaComponent.new(i, x, y, w, h, w * h, x + (w - 1) / 2, y + (h - 1) / 2)
                  for i, (x, y, w, h) in enumerate(boxes, 1)]
    GstCca.buffer_add_cca_meta_from_components(buf, analysis, components)


def frames(pipeline, sink):
    """Yields the samples of an appsink until the stream ends."""
    while True:
        sample = sink.emit("try-pull-sample", Gst.SECOND // 10)
        if sample:
            yield sample
        failed = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
        if failed:
            sys.exit(f"detector.py: {failed.src.get_name()}: {failed.parse_error()[0].message}")
        if not sample and sink.get_property("eos"):
            return


def text_of(event):
    """What happened, at which line or in which zone, and how."""
    fields = "event", "line", "zone", "direction", "reason"
    return ":".join(event.get_string(field) for field in fields if event.has_field(field))


def show(pad, info):
    meta = GstCca.buffer_get_cca_meta(info.get_buffer())
    events = [meta.get_event(i) for i in range(meta.get_n_events())]
    print(*(f"{c.track_id}:{c.width}x{c.height}+{c.x}+{c.y}"
            for c in meta.get_components() if c.track_id >= 0), *map(text_of, events), flush=True)
    return Gst.PadProbeReturn.OK


def main(video="-", properties=""):
    from_file = video != "-"
    source = "videotestsrc num-buffers=30 pattern=ball"
    if from_file:
        source = "filesrc name=file ! decodebin"
    pipeline = Gst.parse_launch(
        f"{source} ! videoconvert ! video/x-raw,format=GRAY8 "
        "! appsink name=frames sync=false max-buffers=4 "
        "appsrc name=boxes format=time block=true max-buffers=4 "
        f"! ccatrack {properties} ! fakesink name=end async=false")
    if from_file:
        pipeline.get_by_name("file").set_property("location", video)
    sink, boxes = pipeline.get_by_name("frames"), pipeline.get_by_name("boxes")
    pipeline.get_by_name("end").get_static_pad("sink").add_probe(Gst.PadProbeType.BUFFER, show)
    pipeline.set_state(Gst.State.PLAYING)
    try:
        for sample in frames(pipeline, sink):
            # a copy, since a buffer that is referenced twice cannot get a meta
            buf, caps = sample.get_buffer().copy_deep(), sample.get_caps()
            info = GstVideo.VideoInfo.new_from_caps(caps)
            layout = GstVideo.buffer_get_video_meta(buf) or info
            pixels = buf.extract_dup(layout.offset[0], buf.get_size() - layout.offset[0])
            attach(buf, detect(pixels, info.width, info.height, layout.stride[0]),
                   info.width, info.height)
            boxes.set_property("caps", caps)
            boxes.emit("push-buffer", buf)
        boxes.emit("end-of-stream")
        pipeline.get_bus().timed_pop_filtered(Gst.CLOCK_TIME_NONE,
                                              Gst.MessageType.EOS | Gst.MessageType.ERROR)
    finally:
        pipeline.set_state(Gst.State.NULL)


if __name__ == "__main__":
    for number in signal.SIGINT, signal.SIGPIPE:
        signal.signal(number, signal.SIG_DFL)
    if sys.argv[1:] in (["--help"], ["-h"]):
        sys.exit(print(__doc__))
    if len(sys.argv) > 3:
        sys.exit(__doc__)
    Gst.init(None)
    try:
        main(*sys.argv[1:])
    except GLib.Error as error:
        sys.exit(f"detector.py: {error.message}")
