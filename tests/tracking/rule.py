# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The rule of ccatrack a second time, written from its definition alone: whole
numbers of any size, fractions, sorted lists. A box is (x, y, width, height)."""

from collections import namedtuple
from fractions import Fraction

DEFAULTS = {"min-hits": 3, "max-lost": 15, "min-overlap": 0, "max-distance": 100,
            "max-tracks": 1024}

Line = namedtuple("Line", "name start end")     # of pixels: (x, y)


def centre(box):
    """In 1/256 of a pixel."""
    x, y, width, height = box
    return (2 * x + width) * 128, (2 * y + height) * 128


def common_and_united(a, b):
    """Pixels that are in both boxes, and in any."""
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    common = max(0, width) * max(0, height)
    return common, a[2] * a[3] + b[2] * b[3] - common


class Track:
    def __init__(self, number, box):
        self.number, self.id = number, 0        # 0: tentative
        self.way = [box]
        self.box, self.centre, self.velocity = box, centre(box), (0, 0)
        self.hits, self.misses = 1, 0

    def predicted(self):
        frames = self.misses + 1
        dx, dy = ((v * frames + 128) // 256 for v in self.velocity)
        return self.box[0] + dx, self.box[1] + dy, *self.box[2:]

    def see(self, box):
        frames, now = self.misses + 1, centre(box)
        observed = [(new - old) // frames for new, old in zip(now, self.centre)]
        if self.hits > 1:
            observed = [v + (o - v) // 8 for v, o in zip(self.velocity, observed)]
        self.velocity = tuple(observed)
        self.box, self.centre = box, now
        self.way.append(box)
        self.misses = 0
        self.hits += 1


def side(line, point):
    """Which side of a line a point is on, in 1/256 of a pixel: 1, also on it, or -1."""
    (ax, ay), (bx, by) = line.start, line.end
    area = (bx - ax) * (point[1] - 256 * ay) - (by - ay) * (point[0] - 256 * ax)
    return 1 if area >= 0 else -1


def crossing(line, a, b):
    """The side that is reached if the way from a to b crosses the line, else 0."""
    if side(line, a) == side(line, b):
        return 0
    ends = [(b[0] - a[0]) * (256 * y - a[1]) - (b[1] - a[1]) * (256 * x - a[0])
            for x, y in (line.start, line.end)]
    return side(line, b) if min(ends) <= 0 <= max(ends) else 0


class Tracker:
    def __init__(self, properties=(), lines=()):
        self.properties = {**DEFAULTS, **dict(properties)}
        self.lines = lines
        self.tracks, self.size = [], None
        self.created = self.given = 0
        self.events = []        # until they are taken

    def take_events(self):
        events, self.events = self.events, []
        return events

    def tell(self, what, track, *more):
        """With all boxes that it had so far."""
        self.events.append(((what, track.id, track.hits, *more), list(track.way)))

    def lose(self, tracks, reason):
        for track in tracks:
            if track.id:
                self.tell("lost", track, reason)

    def restart(self):
        """At the begin of a stream, and after a flush."""
        self.lose(self.tracks, "dropped")
        self.tracks = []

    def overlapping(self, pairs):
        for track, i, box in pairs:
            common, united = common_and_united(track.predicted(), box)
            if common > 0 and 100 * common >= self.properties["min-overlap"] * united:
                yield (track.id == 0, -Fraction(common, united), track.number, i), track

    def near(self, pairs):
        most = self.properties["max-distance"]
        for track, i, box in pairs:
            p = track.predicted()
            a, b = (abs(2 * p[k] + p[k + 2] - 2 * box[k] - box[k + 2]) for k in (0, 1))
            if most and 100 * a <= most * (p[2] + box[2]) and 100 * b <= most * (p[3] + box[3]):
                yield (track.id == 0, a * a + b * b, track.number, i), track

    def frame(self, boxes, size=None):
        """The ids of the boxes of a frame whose width and height are `size`."""
        if size != self.size:
            self.restart()
            self.size = size
        ids = [-1] * len(boxes)
        boxes = boxes[:self.properties["max-tracks"]]

        seen, before = {}, {}   # tracks by their record, and where they were
        for candidates in self.overlapping, self.near:
            pairs = [(track, i, box) for track in self.tracks if track not in before
                     for i, box in enumerate(boxes) if i not in seen]
            for (*_, i), track in sorted(candidates(pairs), key=lambda pair: pair[0]):
                if i not in seen and track not in before:
                    seen[i], before[track] = track, track.centre

        for i, track in seen.items():
            track.see(boxes[i])
        left, gone = [], []
        for track in self.tracks:
            if track in before:
                left.append(track)
            elif track.id:
                track.misses += 1
                (left if track.misses <= self.properties["max-lost"] else gone).append(track)
        for i, box in enumerate(boxes):
            if i not in seen:
                seen[i] = Track(self.created, box)
                left.append(seen[i])
                self.created += 1
        left.sort(key=lambda track: (track.misses, -track.number))
        most = self.properties["max-tracks"]
        self.tracks = left[:most]
        self.lose(gone + left[most:], "unseen")

        for i, track in sorted(seen.items()):
            if not track.id and track.hits >= self.properties["min-hits"]:
                self.given += 1
                track.id = self.given
                self.tell("confirmed", track)
            ids[i] = track.id or -1
            if track in before and track.id:
                for line in self.lines:
                    reached = crossing(line, before[track], track.centre)
                    if reached:
                        self.tell("crossed", track, line.name,
                                  "to-right" if reached > 0 else "to-left")
        return ids
