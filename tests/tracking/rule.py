# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The rule of ccatrack a second time, written from its definition alone: whole
numbers of any size, fractions, sorted lists. A box is (x, y, width, height)."""

from fractions import Fraction

DEFAULTS = {"min-hits": 3, "max-lost": 15, "min-overlap": 0, "max-distance": 100,
            "max-tracks": 1024, "line-margin": 20, "line-margin-min": 3, "settle-frames": 2,
            "anchor": "center"}
# with these each change of side counts
BARE = {"line-margin": 0, "line-margin-min": 0, "settle-frames": 1}


class Line:
    """Points (x, y) in pixels; options are properties of its own, and a direction."""

    def __init__(self, name, *points, **options):
        self.name, self.points = name, tuple(points)
        self.options = {option.replace("_", "-"): value for option, value in options.items()}

    def same(self, other):
        return (self.name, self.points) == (other.name, other.points)

    def __repr__(self):
        return f"Line({self.name!r}, *{self.points}, **{self.options})"


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
        self.at = {}            # its Crossing of each line

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


# --- lines ------------------------------------------------------------------

def anchor(name, box):
    """In 1/256 of a pixel. The centroid is the middle of the box's first pixel."""
    x, y, width, height = box
    return {"center": centre(box),
            "bottom-center": ((2 * x + width) * 128, (y + height) * 256),
            "top-center": ((2 * x + width) * 128, y * 256),
            "centroid": (256 * x + 128, 256 * y + 128)}[name]


def side(start, end, point):
    """Which side of a line a point is on: 1, also on it, or -1."""
    (ax, ay), (bx, by) = start, end
    return 1 if (bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax) >= 0 else -1


def crossing(start, end, a, b):
    """The side that is reached if the way from a to b crosses the line, else 0."""
    if side(start, end, a) == side(start, end, b):
        return 0
    ends = [(b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) for x, y in (start, end)]
    return side(start, end, b) if min(ends) <= 0 <= max(ends) else 0


LARGE = 2**200


def crossings(points, a, b):
    """To the right less to the left, of the way from a to b in 1/256 of a pixel. Where the
    line has bends the way is moved by a really tiny distance."""
    points = [(256 * x, 256 * y) for x, y in points]
    if len(points) > 2:
        points = [(x * LARGE**2, y * LARGE**2) for x, y in points]
        a, b = ((x * LARGE**2 + LARGE, y * LARGE**2 + 1) for x, y in (a, b))
    return sum(crossing(*segment, a, b) for segment in zip(points, points[1:]))


def touches(points, at, box, margin, least):
    """Whether the core of the box, around a point in 1/256 of a pixel, meets the line: what
    is left of each segment when it is clipped to the core."""
    half = [max(Fraction(margin * size, 200), least) for size in box[2:]]
    if half == [0, 0]:
        return False
    for start, end in zip(points, points[1:]):
        first, last = Fraction(0), Fraction(1)
        for i in (0, 1):
            middle = Fraction(at[i], 256)
            low, high = middle - half[i] - start[i], middle + half[i] - start[i]
            step = end[i] - start[i]
            if step:
                first = max(first, min(low / step, high / step))
                last = min(last, max(low / step, high / step))
            elif not low <= 0 <= high:
                last = first - 1
        if first <= last:
            return True
    return False


class Crossing:
    """A track at a line."""

    def __init__(self):
        self.net = self.clear = 0
        self.armed = False
        self.when = None
        self.lost_anchor = False

    def step(self, line, properties, track, before, now):
        """The direction, 1 for right, and the time of a crossing that counts now; else
        None."""
        rule = {**properties, **line.options}
        at = anchor(rule["anchor"], track.box)
        moved = 0
        if before is not None and track.id and not self.lost_anchor:
            moved = crossings(line.points, anchor(rule["anchor"], before), at)
        self.lost_anchor = False
        if moved:
            self.net, self.clear, self.when = self.net + moved, 0, now
        if touches(line.points, at, track.box, rule["line-margin"], rule["line-margin-min"]):
            self.clear = 0
        else:
            self.clear += 1
            self.armed = self.armed or self.net == 0
        if self.clear < rule["settle-frames"]:
            return None
        counts = self.net and self.armed
        direction, self.net, self.armed = (1 if self.net > 0 else -1), 0, True
        return (direction, self.when) if counts else None


# --- tracks -----------------------------------------------------------------

class Tracker:
    def __init__(self, properties=(), lines=()):
        self.properties = {**DEFAULTS, **dict(properties)}
        self.tracks, self.size = [], None
        self.lines, self.counts, self.anchors = [], {}, {}
        self.set_lines(lines)
        self.frames = 0
        self.side_changes = []  # of centres, as (line, id, hits, direction), until taken
        self.created = self.given = 0
        self.events = []        # until they are taken

    def take_events(self):
        events, self.events = self.events, []
        return events

    def set_lines(self, lines):
        """What is set again as it was stays as it is."""
        kept = {line.name for line in lines if any(line.same(old) for old in self.lines)}
        self.counts = {line.name: self.counts[line.name] if line.name in kept else [0, 0]
                       for line in lines}
        self.anchors = {name: value for name, value in self.anchors.items() if name in kept}
        for track in self.tracks:
            track.at = {name: state for name, state in track.at.items() if name in kept}
        self.lines = list(lines)

    def reset_counts(self, name):
        for line, counts in self.counts.items():
            if name in ("", line):
                counts[:] = 0, 0

    def follow_anchors(self):
        for line in self.lines:
            name = {**self.properties, **line.options}["anchor"]
            if self.anchors.setdefault(line.name, name) != name:
                self.anchors[line.name] = name
                for track in self.tracks:
                    track.at.setdefault(line.name, Crossing()).lost_anchor = True

    def cross(self, track, before, now):
        for line in self.lines:
            if before is not None and track.id:
                for a, b in zip(line.points, line.points[1:]):
                    scaled = [(256 * x, 256 * y) for x, y in (a, b)]
                    reached = crossing(*scaled, centre(before), track.centre)
                    if reached:
                        self.side_changes.append((line.name, track.id, track.hits, reached))
            counted = track.at.setdefault(line.name, Crossing()).step(
                line, self.properties, track, before, now)
            if not counted:
                continue
            direction, (when, warming_up) = counted
            name = "right" if direction > 0 else "left"
            if line.options.get("direction", "any") in ("any", name):
                self.counts[line.name][direction > 0] += 1
                self.tell("crossed", track, line.name, f"to-{name}", when, now[0], warming_up)

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

    def frame(self, boxes, size=None, warming_up=False):
        """The ids of the boxes of a frame whose width and height are `size`."""
        now = self.frames, warming_up
        self.frames += 1
        self.follow_anchors()
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
                    seen[i], before[track] = track, track.box

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
            self.cross(track, before.get(track), now)
        return ids
