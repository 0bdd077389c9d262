#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Plots the paths of moving objects in a video. Needs matplotlib (Debian: python3-matplotlib).
Usage: track.py VIDEO PICTURE [PROPERTIES of cca]"""
import sys

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstCca", "1.0")
from gi.repository import GLib, Gst, GstCca

def read(video, properties):
    """The last frame, and for each id its points."""
    pipeline = Gst.parse_launch(
        "filesrc name=file ! decodebin ! videoconvert ! video/x-raw,format=GRAY8 ! "
        f"cca foreground=sigma-delta open-radius=1 close-radius=1 min-area=120 {properties} ! "
        "ccatrack ! appsink name=end sync=false max-buffers=4")
    pipeline.get_by_name("file").set_property("location", video)
    sink, bus = pipeline.get_by_name("end"), pipeline.get_bus()
    frame, failed, paths = None, None, {}
    pipeline.set_state(Gst.State.PLAYING)
    while not failed and not sink.get_property("eos"):
        sample = sink.emit("try-pull-sample", Gst.SECOND // 10)
        failed = bus.pop_filtered(Gst.MessageType.ERROR)
        frame = sample or frame
        for c in GstCca.buffer_get_cca_meta(sample.get_buffer()).get_components() if sample else ():
            if c.track_id > 0:
                paths.setdefault(c.track_id, []).append((c.x + c.width / 2, c.y + c.height / 2))
    pipeline.set_state(Gst.State.NULL)
    if failed or not frame:
        sys.exit(f"track.py: {failed.parse_error()[0].message if failed else 'no frames'}")
    return frame, paths

def plot(frame, paths, picture):
    analysis = GstCca.buffer_get_cca_meta(frame.get_buffer()).get_analysis()
    width, height = analysis.width, analysis.height
    pixels = frame.get_buffer().extract_dup(0, frame.get_buffer().get_size())
    stride = len(pixels) // height
    rows = [list(pixels[y * stride:y * stride + width]) for y in range(height)]
    figure = pyplot.figure(figsize=(width / 100, height / 100), dpi=100)
    axes = figure.add_axes([0, 0, 1, 1], xlim=(0, width), ylim=(height, 0), frame_on=False)
    axes.imshow(rows, "gray", vmin=-255, vmax=255, extent=(0, width, height, 0))
    halo = {"path_effects": [patheffects.withStroke(linewidth=3, foreground="white")]}
    for i, points in paths.items():
        line, = axes.plot(*zip(*points), linewidth=1.5)
        axes.plot(*points[-1], "o", color=line.get_color(), markersize=4, **halo)
        axes.annotate(i, points[-1], (3, 3), textcoords="offset points", clip_on=True,
                      color=line.get_color(), fontsize=9, fontweight="bold", **halo)
    figure.savefig(picture)

if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(print(__doc__) if sys.argv[1:] in (["--help"], ["-h"]) else __doc__)
    try:
        from matplotlib import patheffects, pyplot
    except ImportError:
        sys.exit("track.py: matplotlib is missing: install the Debian package python3-matplotlib")
    Gst.init(None)
    try:
        plot(*read(sys.argv[1], " ".join(sys.argv[3:])), sys.argv[2])
    except GLib.Error as error:
        sys.exit(f"track.py: {error.message}")
