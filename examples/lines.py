# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""A line that is counted across: both ends in pixels, as (x1, y1, x2, y2)."""

import threading

import gi
gi.require_version("Gst", "1.0")
from gi.repository import Gst


def parse(text):
    """From "X1,Y1,X2,Y2"; raises ValueError."""
    line = tuple(map(int, text.split(",")))
    if len(line) != 4 or line[:2] == line[2:]:
        raise ValueError(text)
    return line


def middle(width, height):
    """From the bottom to the top of a picture."""
    return width // 2, height, width // 2, 0


def prop(line):
    """ccatrack's property `lines`."""
    return "<[line,x1={},y1={},x2={},y2={}]>".format(*line)


def directions(line):
    """Where things go on the screen that cross it to its left and to its right, as seen
    from the first end."""
    x1, y1, x2, y2 = line
    across, down = y1 - y2, x2 - x1         # to its right
    if abs(across) >= abs(down):
        return ("left", "right") if across > 0 else ("right", "left")
    return ("up", "down") if down > 0 else ("down", "up")


def describe(line, counts):
    return "{} {}, {} {}".format(*(part for pair in zip(directions(line), counts) for part in pair))


ARROWS = {"left": "\u2190", "right": "\u2192", "up": "\u2191", "down": "\u2193"}
COLOUR = "#ff5000"


def svg(line, counts, width, height):
    """The line over a picture, and at its upper end the counts, `counts` being those to
    its left and to its right."""
    size = max(12, height // 20)
    one, other = (f"{ARROWS[name]} {n}" for name, n in zip(directions(line), counts))
    long = size * (0.62 * len(one + other) + 2)
    x, y = min((line[:2], line[2:]), key=lambda end: end[1])
    x = min(max(x, long / 2 + 4), width - long / 2 - 4)
    y = min(max(y, 4), height - 1.5 * size - 4)
    text = (f'y="{y + 1.1 * size}" font-family="DejaVu Sans, sans-serif" '
            f'font-size="{size}" fill="white"')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}">'
            '<line x1="{}" y1="{}" x2="{}" y2="{}" '.format(*line)
            + f'stroke="{COLOUR}" stroke-width="{max(2, height // 180)}"/>'
            f'<rect x="{x - long / 2}" y="{y}" width="{long}" height="{1.5 * size}" '
            f'rx="{size / 3}" fill="{COLOUR}"/>'
            f'<text x="{x - 0.5 * size}" text-anchor="end" {text}>{one}</text>'
            f'<text x="{x + 0.5 * size}" {text}>{other}</text></svg>')


class Drawn:
    """In a picture of a size, by rsvgoverlay name=counted, as ccatrack name=track counts."""

    def __init__(self, pipeline, line, width, height):
        self.line, self.size, self.counts = line, (width, height), (0, 0)
        self.overlay = pipeline.get_by_name("counted")
        self.stopped, self.lock = False, threading.Lock()
        Gst.util_set_object_arg(pipeline.get_by_name("track"), "lines", prop(line))
        bus = pipeline.get_bus()
        bus.enable_sync_message_emission()      # before the frame gets to the overlay
        bus.connect("sync-message::element", self.take)
        self.draw()

    def take(self, _bus, message):
        crossed = message.get_structure()
        if message.has_name("cca-track") and crossed.get_string("event") == "crossed":
            self.counts = tuple(crossed.get_uint64(name)[1] for name in ("to-left", "to-right"))
            self.draw()

    def draw(self):
        with self.lock:
            if not self.stopped:
                self.overlay.set_property("data", svg(self.line, self.counts, *self.size))

    def stop(self):
        """Before the pipeline stops: rsvgoverlay frees its picture then, and does not
        bear another one at the same time."""
        with self.lock:
            self.stopped = True
