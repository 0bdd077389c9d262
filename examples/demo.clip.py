#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: demo.clip.py FILE: makes a clip for the demo, bright shapes that
drift over a dark sea, meet and part again."""

import math
import os
import sys

import gi
gi.require_version("Gst", "1.0")
from gi.repository import Gst

WIDTH, HEIGHT, RATE, SECONDS = 640, 360, 25, 12


def background():
    """Dark blue waves, rows of RGB bytes."""
    rows = []
    for y in range(HEIGHT):
        row = bytearray()
        for x in range(WIDTH):
            wave = math.sin(x / 23 + 3 * math.sin(y / 41)) + math.sin((x + 2 * y) / 67)
            light = 34 + 9 * wave + 30 * (1 - y / HEIGHT)
            row += bytes((int(light * 0.45), int(light * 0.7), int(light * 1.35)))
        rows.append(row)
    return rows


def disc(cx, cy, radius):
    """Stretches (y, x0, x1) of a disc."""
    for y in range(math.ceil(cy - radius), math.floor(cy + radius) + 1):
        half = math.sqrt(radius * radius - (y - cy) ** 2)
        yield y, round(cx - half), round(cx + half) + 1


def ring(cx, cy, radius):
    """A disc with a hole."""
    hole = {y: (x0, x1) for y, x0, x1 in disc(cx, cy, radius * 0.62)}
    for y, x0, x1 in disc(cx, cy, radius):
        if y in hole:
            yield y, x0, hole[y][0]
            yield y, hole[y][1], x1
        else:
            yield y, x0, x1


def diamond(cx, cy, radius):
    for y in range(math.ceil(cy - radius), math.floor(cy + radius) + 1):
        half = (radius - abs(y - cy)) * 0.7
        yield y, round(cx - half), round(cx + half) + 1


def paint(rows, stretches, colour):
    for y, x0, x1 in stretches:
        x0, x1 = max(x0, 0), min(x1, WIDTH)
        if 0 <= y < HEIGHT and x0 < x1:
            rows[y][3 * x0:3 * x1] = bytes(colour) * (x1 - x0)


COLOURS = [(255, 209, 102), (255, 176, 150), (164, 236, 190),
           (250, 240, 220), (150, 220, 255), (240, 190, 255)]
SHAPES = [disc, ring, diamond]


def frame(sea, t):
    """The picture at t seconds."""
    rows = [bytearray(row) for row in sea]
    for i in range(17):
        radius = 9 + 4 * (i % 6) + 2 * math.sin(1.3 * t + i)
        cx = WIDTH * (0.5 + 0.46 * math.sin(t * (0.13 + 0.021 * i) + 2.4 * i))
        cy = HEIGHT * (0.5 + 0.42 * math.sin(t * (0.17 + 0.013 * i) + 1.7 * i * i))
        shade = COLOURS[i % len(COLOURS)]
        shape = SHAPES[i % len(SHAPES)]
        if shape is ring:
            paint(rows, ring(cx, cy, radius), shade)
        else:
            paint(rows, shape(cx, cy, radius), [c * 5 // 6 for c in shade])
            paint(rows, shape(cx, cy, radius * 0.75), shade)
    return b"".join(rows)


def main():
    path = sys.argv[1]
    try:
        os.remove(path)         # a link, not what it points to
    except FileNotFoundError:
        pass
    except OSError as error:
        sys.exit(f"examples/demo: {path} cannot be replaced ({error.strerror})")
    Gst.init(None)
    pipeline = Gst.parse_launch(
        "appsrc name=source format=time "
        f"caps=video/x-raw,format=RGB,width={WIDTH},height={HEIGHT},framerate={RATE}/1 "
        "! videoconvert ! video/x-raw,format=I420 ! x264enc pass=quant quantizer=16 speed-preset=veryfast "
        "! matroskamux ! filesink name=sink")
    pipeline.get_by_name("sink").set_property("location", path)
    sea, numbers = background(), iter(range(RATE * SECONDS))

    def feed(source, _wanted):
        n = next(numbers, None)
        if n is None:
            source.emit("end-of-stream")
            return
        buffer = Gst.Buffer.new_wrapped(frame(sea, n / RATE))
        buffer.pts = n * Gst.SECOND // RATE
        buffer.duration = Gst.SECOND // RATE
        source.emit("push-buffer", buffer)

    # a frame when one is asked for: none is after an error
    pipeline.get_by_name("source").connect("need-data", feed)
    pipeline.set_state(Gst.State.PLAYING)
    bus, message = pipeline.get_bus(), None
    try:
        while not message:      # now and then back here, where Ctrl-C is seen
            message = bus.timed_pop_filtered(
                Gst.SECOND // 4, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    finally:
        pipeline.set_state(Gst.State.NULL)
    if message.type == Gst.MessageType.ERROR:
        sys.exit(f"examples/demo: {path} cannot be written "
                 f"({message.parse_error()[0].message.rstrip('.')})")


main()
