#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""A car parks for 20 seconds, and an alarm after 5 of them is told where the background
does not absorb the car, or where ccatrack keeps what stopped."""

import random
import sys
import unittest

if "--skip" in sys.argv:
    sys.exit(77)
try:
    import gi
except ImportError:
    print("PyGObject is missing (package python3-gi)")
    sys.exit(77)
gi.require_version("Gst", "1.0")
from gi.repository import Gst

WIDTH, HEIGHT, CAR = 160, 120, (40, 24)
RATE, SECOND = 25, Gst.SECOND
COMES, STOPS, LEAVES, END = 300, 330, 830, 900    # frames
PLACE = 66, 60


def car_at(frame):
    """The upper left corner. It comes from the left and leaves to the right."""
    ways = 3 * min(0, frame - STOPS), 3 * max(0, frame - LEAVES)
    return PLACE[0] + sum(ways), PLACE[1]


def clip():
    """Gray frames: noise, and a car that is 60 brighter."""
    rng = random.Random(0)
    noises = [bytes(rng.choices((99, 100, 101), k=WIDTH * HEIGHT)) for _ in range(7)]
    for frame in range(END):
        picture = bytearray(noises[rng.randrange(7)])
        x, y = car_at(frame)
        left, right = max(0, x), min(WIDTH, x + CAR[0])
        for row in range(y, y + CAR[1]) if frame >= COMES and left < right else ():
            at = slice(row * WIDTH + left, row * WIDTH + right)
            picture[at] = bytes(v + 60 for v in picture[at])
        yield bytes(picture)


def watch(settings, tracking):
    """Events of tracks and of the zone: the id, which event, and its second."""
    pipeline = Gst.parse_launch(
        f"appsrc name=source format=time caps=video/x-raw,format=GRAY8,width={WIDTH},"
        f"height={HEIGHT},framerate={RATE}/1 ! cca foreground=sigma-delta open-radius=1 "
        f"close-radius=1 min-area=100 {settings} ! ccatrack {tracking} "
        "zones=<[bay,points=<50,60,120,60,120,100,50,100>,loiter-time=5000000000]> "
        "! fakesink sync=false")
    source = pipeline.get_by_name("source")
    pipeline.set_state(Gst.State.PLAYING)
    for frame, picture in enumerate(clip()):
        buffer = Gst.Buffer.new_wrapped(picture)
        buffer.pts, buffer.duration = (n * SECOND // RATE for n in (frame, 1))
        source.emit("push-buffer", buffer)
    source.emit("end-of-stream")
    tracks, stays = [], []
    while True:
        message = pipeline.get_bus().timed_pop_filtered(
            60 * SECOND,
            Gst.MessageType.ELEMENT | Gst.MessageType.EOS | Gst.MessageType.ERROR)
        if message.type != Gst.MessageType.ELEMENT:
            break
        s = message.get_structure()
        event = (s.get_string("event"), s.get_uint64("running-time")[1] / SECOND)
        if s.get_name() == "cca-track" and event[0] in ("stopped", "moved"):
            tracks.append((s.get_uint64("id")[1], *event))
        elif s.get_name() == "cca-zone" and event[0] != "occupancy":
            stays.append((s.get_uint64("id")[1], *event))
    pipeline.set_state(Gst.State.NULL)
    assert message.type == Gst.MessageType.EOS, message.parse_error()
    return tracks, stays


def times(events, event):
    return [time for i, what, time in events if (i, what) == (1, event)]


class Parking(unittest.TestCase):
    def test_nothing(self):
        """The car is lost before the alarm, and leaves as two others."""
        tracks, stays = watch("", "")
        self.assertEqual(len(times(tracks, "stopped")), 1)
        self.assertEqual(times(tracks, "moved"), [])
        self.assertLess(times(stays, "left")[0], STOPS / RATE + 4)
        self.assertNotIn("loitering", [event for _, event, _ in stays])

    def check(self, settings, tracking):
        tracks, stays = watch(settings, tracking)
        stopped, = times(tracks, "stopped")
        moved, = times(tracks, "moved")
        entered, = times(stays, "entered")
        self.assertAlmostEqual(stopped, STOPS / RATE + 1, delta=0.1)
        self.assertAlmostEqual(moved, LEAVES / RATE, delta=0.3)
        self.assertAlmostEqual(entered, STOPS / RATE, delta=0.6)
        self.assertAlmostEqual(times(stays, "loitering")[0], entered + 5, delta=0.01)
        self.assertAlmostEqual(times(stays, "left")[0], LEAVES / RATE, delta=0.6)

    def test_absorb_after(self):
        self.check("absorb-after=1000", "")

    def test_max_stopped(self):
        self.check("", "max-stopped=10000")


if __name__ == "__main__":
    Gst.init(None)
    unittest.main()
