#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: demo.clip.py FILE: makes a clip for the demo: a street, its cars and
people, before a camera that stands still and has a little noise."""

import sys
sys.dont_write_bytecode = True  # the checkout may be read-only

import math
import os
import random

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstVideo

from street import (CARS, HEIGHT, PEOPLE, SKINS, WIDTH, car, empty_street, person,
                    rgb)

RATE, SECONDS = 25, 20
PHASES = 8                      # pictures of a walker
NOISE = 3                       # of the camera, at the most


def planes(rows):
    """Luma and the two of colour, of half the size, as BT.601 has them."""
    luma, blue, red = bytearray(), bytearray(), bytearray()
    for row in rows:
        for r, g, b in row:
            luma.append(int(16.5 + 0.257 * r + 0.504 * g + 0.098 * b) - NOISE)
    for upper, lower in zip(rows[::2], rows[1::2]):
        for square in zip(upper[::2], upper[1::2], lower[::2], lower[1::2]):
            r, g, b = (sum(c) / 4 for c in zip(*square))
            blue.append(int(128.5 - 0.148 * r - 0.291 * g + 0.439 * b))
            red.append(int(128.5 + 0.439 * r - 0.368 * g - 0.071 * b))
    return int.from_bytes(luma, "little"), bytes(blue + red)


class Sprite:
    """A picture that GStreamer can lay over frames."""

    def __init__(self, picture):
        self.width, self.height = picture.width, picture.height
        self.buffer = Gst.Buffer.new_wrapped(picture.bgra())
        GstVideo.buffer_add_video_meta(self.buffer, GstVideo.VideoFrameFlags.NONE,
                                       GstVideo.VideoFormat.BGRA, self.width, self.height)

    def at(self, x, y):
        return GstVideo.VideoOverlayRectangle.new_raw(
            self.buffer, round(x), round(y), self.width, self.height,
            GstVideo.VideoOverlayFormatFlags.NONE)


class Walker:
    """Someone on a line from one side to the other, at feet height y."""

    def __init__(self, coat, trousers, y, start, speed, phase, tall=1.0):
        size = (44 + 0.146 * (y - 100)) * tall / 100
        skin = rgb(SKINS[PEOPLE.index(coat) % 3 == 1])
        pictures = [person(rgb(coat), rgb(trousers), skin, 2 * math.pi * i / PHASES, size)
                    for i in range(PHASES)]
        if speed < 0:
            pictures = [p.mirrored() for p in pictures]
        self.sprites = [Sprite(p) for p in pictures]
        self.y, self.start, self.speed, self.phase = y, start, speed, phase
        self.stride = 88 * size         # of two steps

    def at(self, t):
        x = self.start + self.speed * t
        step = int((abs(self.speed) * t / self.stride + self.phase) % 1 * PHASES)
        sprite = self.sprites[step]
        return sprite, x - sprite.width / 2, self.y - sprite.height * 100 / 106


class Vehicle:
    """On a lane whose cars roll at height y; `way` tells how far at a time."""

    def __init__(self, kind, paint, y, rightwards, way):
        picture = car(kind, rgb(paint), 0.58 if rightwards else 0.72)
        self.sprite = Sprite(picture.mirrored() if rightwards else picture)
        self.y, self.rightwards, self.way = y, rightwards, way

    def at(self, t):
        way = self.way(t)
        x = way - self.sprite.width if self.rightwards else WIDTH - way
        return self.sprite, x, self.y - self.sprite.height * 118 / 132


def passing(begin, speed):
    return lambda t: (t - begin) * speed


def stopping(begin, speed, stop, pause):
    """Brakes to stand at `stop` for `pause` seconds, and drives on."""
    brake = 1.2                         # seconds, to stand and to start
    until = begin + (stop - speed * brake / 2) / speed

    def way(t):
        if t < until:
            return (t - begin) * speed
        left = max(0, until + brake - t)
        if t < until + brake + pause:
            return stop - speed * left * left / (2 * brake)
        rolling = t - until - brake - pause
        started = min(rolling, brake)
        return stop + speed * (started * started / (2 * brake) + max(0, rolling - brake))
    return way


def traffic():
    far, near = 166, 236
    return [
        Walker(PEOPLE[0], "#33384a", 104, -20, 36, 0.1),
        Walker(PEOPLE[2], "#5b5347", 107, 660, -33, 0.6),
        Walker(PEOPLE[3], "#2d2d33", 101, 250, 31, 0.3),
        Walker(PEOPLE[6], "#3a4254", 109, 980, -41, 0.8),
        Walker(PEOPLE[5], "#454a55", 106, -330, 44, 0.5, 0.92),
        Walker(PEOPLE[1], "#2b2b33", 312, -200, 47, 0.2),
        Walker(PEOPLE[7], "#41506b", 322, 700, -50, 0.7),
        Walker(PEOPLE[4], "#5a4d40", 317, -420, 58, 0.4),
        Walker(PEOPLE[5], "#33384a", 327, 1100, -54, 0.9, 0.7),
        Walker(PEOPLE[3], "#4a4038", 331, 1140, -54, 0.1),
        Vehicle("hatchback", CARS[0], far, True, passing(0.8, 190)),
        Vehicle("van", CARS[2], far, True, passing(7.2, 170)),
        Vehicle("saloon", CARS[5], far, True, passing(11.4, 200)),
        Vehicle("hatchback", CARS[3], far, True, passing(15.6, 185)),
        Vehicle("saloon", CARS[4], near, False, passing(3.4, 230)),
        Vehicle("hatchback", CARS[1], near, False, stopping(10.2, 210, 200, 2.4)),
        Vehicle("saloon", CARS[2], near, False, passing(16.2, 220)),
    ]


class Clip:
    def __init__(self):
        self.luma, self.colour = planes(empty_street())
        self.things = sorted(traffic(), key=lambda thing: thing.y)
        self.noise = bytes(round(NOISE + max(-NOISE, min(NOISE, random.Random(v).gauss(0, 1.1))))
                           for v in range(256))

    def frame(self, n):
        """The empty street, as the camera sees it this time."""
        noise = random.Random(n).randbytes(WIDTH * HEIGHT).translate(self.noise)
        luma = self.luma + int.from_bytes(noise, "little")
        return luma.to_bytes(WIDTH * HEIGHT, "little") + self.colour

    def draw(self, _overlay, sample):
        t = sample.get_buffer().pts / Gst.SECOND
        composition = GstVideo.VideoOverlayComposition.new(None)
        for sprite, x, y in (thing.at(t) for thing in self.things):
            if -sprite.width < x < WIDTH:
                composition.add_rectangle(sprite.at(x, y))
        return composition


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("--help", "-h"):
        sys.exit("usage: demo.clip.py FILE (examples/demo calls this program)")
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
        f"caps=video/x-raw,format=I420,width={WIDTH},height={HEIGHT},framerate={RATE}/1 "
        "! overlaycomposition name=street ! queue "
        "! x264enc pass=quant quantizer=18 speed-preset=veryfast "
        "! matroskamux ! filesink name=sink")
    pipeline.get_by_name("sink").set_property("location", path)
    clip, numbers = Clip(), iter(range(RATE * SECONDS))

    def feed(source, _wanted):
        n = next(numbers, None)
        if n is None:
            source.emit("end-of-stream")
            return
        buffer = Gst.Buffer.new_wrapped(clip.frame(n))
        buffer.pts = n * Gst.SECOND // RATE
        buffer.duration = Gst.SECOND // RATE
        source.emit("push-buffer", buffer)

    pipeline.get_by_name("street").connect("draw", clip.draw)
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
