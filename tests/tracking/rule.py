# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The rule of ccatrack a second time, written from its definition alone: whole
numbers of any size, fractions, sorted lists. A box is (x, y, width, height)."""

from fractions import Fraction

DEFAULTS = {"min-hits": 3, "max-lost": 15, "min-overlap": 0, "max-distance": 100,
            "max-tracks": 1024, "line-margin": 20, "line-margin-min": 3, "settle-frames": 2,
            "anchor": "center", "still-frames": 25, "max-stopped": 0,
            "unite": 0}
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


class Zone(Line):
    """The same for a polygon. Times are in frames."""

    RULE = {"anchor": "bottom-center", "enter-frames": 3, "leave-frames": 10, "loiter-time": 0,
            "crowd": 0, "crowd-time": 0}

    def rule(self, name):
        return self.options.get(name, self.RULE[name])

    def contains(self, point):
        """Whether an odd number of edges cross the ray to the left of a point in 1/256 pixel."""
        x, y = (Fraction(value, 256) for value in point)
        odd = False
        for (ax, ay), (bx, by) in zip(self.points, self.points[1:] + self.points[:1]):
            if min(ay, by) <= y < max(ay, by):
                odd ^= ax + (y - ay) * (bx - ax) / (by - ay) <= x
        return odd


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


class Box(tuple):
    """One that has a centroid, in 1/256 of a pixel."""
    centroid = None


def centroid(box):
    """Of a component it is the middle of the box's first pixel."""
    return getattr(box, "centroid", (256 * box[0] + 128, 256 * box[1] + 128))


def point(box):
    """The centroid in pixels, as a path has it."""
    return tuple((value - 128) / 256 for value in centroid(box))


def united(boxes, percent):
    """Lists of the numbers of boxes that are one, each with its box; in the order of their
    first ones. Any two are linked by boxes that overlap by a part of the smaller one. A
    component covers its box."""
    def is_pair(a, b):
        common = common_and_united(a, b)[0]
        return common > 0 and 100 * common >= percent * min(a[2] * a[3], b[2] * b[3])

    groups, left = [], list(range(len(boxes)))
    while left:
        group = [left.pop(0)]
        for i in group:
            near = [j for j in left if percent and is_pair(boxes[i], boxes[j])]
            group += near
            left = [j for j in left if j not in near]
        if len(group) == 1:
            groups.append((group, boxes[group[0]]))
            continue
        members = [boxes[i] for i in group]
        x, y = (min(box[k] for box in members) for k in (0, 1))
        width, height = (min(max(box[k] + box[k + 2] for box in members) - low, 2**32 - 1)
                         for k, low in enumerate((x, y)))
        whole = Box((x, y, width, height))
        areas = [box[2] * box[3] for box in members]
        whole.centroid = tuple(
            sum(area * centroid(box)[k] for area, box in zip(areas, members)) // sum(areas)
            for k in (0, 1))
        groups.append((sorted(group), whole))
    return groups


class Track:
    def __init__(self, number, box, frame):
        self.number, self.id = number, 0        # 0: tentative
        self.way, self.frames = [box], [frame]
        self.box, self.centre, self.velocity = box, centre(box), (0, 0)
        self.hits, self.misses = 1, 0
        self.at = {}            # its Crossing of each line
        self.stays = {}         # its Stay in each zone, by the counts of the zone
        self.unseen = None      # first frame without it
        self.stopped = None     # first frame of its rest, if that was long enough
        self.absorbed = False
        self.after = 0

    def predicted(self):
        frames = self.misses + 1
        dx, dy = ((v * frames + 128) // 256 for v in self.velocity)
        return self.box[0] + dx, self.box[1] + dy, *self.box[2:]

    def rest(self):
        """The last box outside the one that was the last one so before it, and its frame. A
        box is inside another that is a tenth larger on each side."""
        rest, since = self.way[0], self.frames[0]
        for box, frame in zip(self.way, self.frames):
            for at, size, begin, length in zip(box[:2], box[2:], rest[:2], rest[2:]):
                more = Fraction(length, 10)
                if at < begin - more or at + size > begin + length + more:
                    rest, since = box, frame
                    break
        return rest, since

    def came(self):
        """Whether it came from elsewhere to where it rests."""
        rest = self.rest()[0]
        way = [abs(a - b) for a, b in zip(centre(self.way[0]), centre(rest))]
        return way[0] >= 256 * rest[2] or way[1] >= 256 * rest[3]

    def place(self):
        """Where it is in zones, of another anchor than the centroid."""
        return self.rest()[0] if self.absorbed else self.box

    def see(self, box, frame):
        frames, now = self.misses + 1, centre(box)
        observed = [(new - old) // frames for new, old in zip(now, self.centre)]
        if self.hits > 1:
            observed = [v + (o - v) // 8 for v, o in zip(self.velocity, observed)]
        self.velocity = tuple(observed)
        self.box, self.centre = box, now
        self.way.append(box)
        self.frames.append(frame)
        self.misses = 0
        self.hits += 1


# --- lines ------------------------------------------------------------------

def anchor(name, box):
    """In 1/256 of a pixel."""
    x, y, width, height = box
    return {"center": centre(box),
            "bottom-center": ((2 * x + width) * 128, (y + height) * 256),
            "top-center": ((2 * x + width) * 128, y * 256),
            "centroid": centroid(box)}[name]


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


# --- zones ------------------------------------------------------------------

class Stay:
    """A track at a zone."""

    def __init__(self):
        self.since = None       # if it is inside
        self.other = []         # frames in a row on the other side
        self.loitered = False


class Inside:
    """The counts of a zone, which identify it, and its crowd."""

    def __init__(self, zone):
        self.zone = zone
        self.inside = self.entered = self.left = self.dwell = self.longest = 0
        self.told, self.full_since, self.crowded = 0, None, False

    def stats(self):
        return [self.inside, self.entered, self.left, self.dwell, self.longest]


# --- tracks -----------------------------------------------------------------

class Tracker:
    def __init__(self, properties=(), lines=(), zones=()):
        self.properties = {**DEFAULTS, **dict(properties)}
        self.tracks, self.size = [], None
        self.lines, self.counts, self.anchors = [], {}, {}
        self.set_lines(lines)
        self.insides, self.used = [], []    # of the zones that are set, and of the last frame
        self.set_zones(zones)
        self.frames, self.last = 0, None
        self.side_changes = []  # of centres, as (line, id, hits, direction), until taken
        self.created = self.given = 0
        self.events = []        # until they are taken

    def take_events(self):
        events, self.events = self.events, []
        return events

    def set_lines(self, lines):
        """A line that is set again without a change keeps its counts."""
        kept = {line.name for line in lines if any(line.same(old) for old in self.lines)}
        self.counts = {line.name: self.counts[line.name] if line.name in kept else [0, 0]
                       for line in lines}
        self.anchors = {name: value for name, value in self.anchors.items() if name in kept}
        for track in self.tracks:
            track.at = {name: state for name, state in track.at.items() if name in kept}
        self.lines = list(lines)

    def set_zones(self, zones):
        old, self.insides = self.insides, []
        for zone in zones:
            inside = next((i for i in old if i.zone.same(zone)), None) or Inside(zone)
            inside.wanted = zone
            self.insides.append(inside)

    def zone_counts(self):
        return {inside.zone.name: inside.stats() for inside in self.insides}

    def reset_counts(self, name):
        for inside in self.insides:
            if name in ("", inside.zone.name):
                inside.entered = inside.left = inside.dwell = inside.longest = 0
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

    def tell_zone(self, what, inside, when, now, track, *more):
        who = (track.id, track.hits) if track else (0, 0)
        self.events.append(((what, *who, inside.zone.name, *when, now[0], inside.inside, *more),
                            list(track.way) if track else [None]))

    def end_stay(self, track, inside, now, reason):
        stay = track.stays.pop(inside, None)
        if not stay or not stay.since:
            return
        missed = track.misses and not track.absorbed
        when = stay.other[0] if stay.other else track.unseen if missed else now
        inside.inside -= 1
        inside.left += 1
        inside.dwell += when[0] - stay.since[0]
        inside.longest = max(inside.longest, when[0] - stay.since[0])
        self.tell_zone("left", inside, when, now, track, stay.since[0], when[0] - stay.since[0],
                       reason)

    def stand(self, track, now):
        for inside in self.insides:
            zone, stay = inside.zone, track.stays.setdefault(inside, Stay())
            name = zone.rule("anchor")
            at = anchor(name, track.box if name == "centroid" else track.place())
            if zone.contains(at) == bool(stay.since):
                stay.other = []
            else:
                stay.other.append(now)
            if not stay.since and len(stay.other) >= zone.rule("enter-frames"):
                stay.since, stay.other, stay.loitered = stay.other[0], [], False
                inside.inside += 1
                inside.entered += 1
                self.tell_zone("entered", inside, stay.since, now, track)
            elif stay.since and len(stay.other) >= zone.rule("leave-frames"):
                self.end_stay(track, inside, now, "moved")
                continue
            if stay.since and not stay.other and not stay.loitered \
                    and 0 < zone.rule("loiter-time") <= now[0] - stay.since[0]:
                stay.loitered = True
                self.tell_zone("loitering", inside, now, now, track, stay.since[0])

    def finish_zones(self, insides, now):
        for inside in insides:
            if inside.told != inside.inside:
                inside.told = inside.inside
                self.tell_zone("occupancy", inside, now, now, None)
            crowd = inside.zone.rule("crowd")
            if not 0 < crowd <= inside.inside:
                inside.full_since = None
                if inside.crowded:
                    inside.crowded = False
                    self.tell_zone("uncrowded", inside, now, now, None)
                continue
            inside.full_since = inside.full_since or now
            if not inside.crowded \
                    and now[0] - inside.full_since[0] >= inside.zone.rule("crowd-time"):
                inside.crowded = True
                self.tell_zone("crowded", inside, now, now, None, inside.full_since[0])

    def follow_zones(self, now):
        for inside in self.used:
            if inside not in self.insides:
                for track in self.in_order(self.tracks):
                    self.end_stay(track, inside, now, "changed")
                self.finish_zones([inside], now)
        self.used = list(self.insides)
        for inside in self.insides:
            inside.zone = inside.wanted

    def tell(self, what, track, *more):
        """With all boxes that it had so far."""
        self.events.append(((what, track.id, track.hits, *more), list(track.way)))

    @staticmethod
    def in_order(tracks):
        return sorted(tracks, key=lambda track: track.number)

    def lose(self, tracks, reason, now):
        for track in tracks:
            if track.id:
                self.tell("lost", track, reason)
                for inside in self.used:
                    self.end_stay(track, inside, now, {"unseen": "lost", "replaced": "moved"}
                                  .get(reason, reason))

    def restart(self, now=None):
        """At the begin of a stream, and after a flush."""
        self.lose(self.in_order(self.tracks), "dropped", now or self.last)
        self.tracks = []
        if now is None:
            self.finish_zones(self.used, self.last)

    # --- what stops ---

    def clear_of_edges(self, box):
        return all(0 < at and at + size < side
                   for at, size, side in zip(box[:2], box[2:], self.size))

    def keeps_unseen(self, track):
        most, longer = self.properties["max-lost"], self.properties["max-stopped"]
        if not track.absorbed and track.misses <= most:
            return True
        if not track.absorbed:
            track.absorbed = longer > 0 and track.stopped is not None \
                and self.clear_of_edges(track.rest()[0]) and self.clear_of_edges(track.box)
        return track.absorbed and track.misses <= most + longer

    def give_ids(self, seen):
        for _, track in sorted(seen.items()):
            if not track.id and track.hits >= self.properties["min-hits"]:
                self.given += 1
                track.id = self.given
                yield track

    def replace(self, new, now):
        """What is absorbed gives place to what begins there."""
        replaced = []
        for old in self.in_order(self.tracks):
            place = old.rest()[0]
            begun = [track for track in new if all(
                max(a, b) <= min(a + m, b + n) for a, m, b, n in zip(
                    place[:2], place[2:], track.way[0][:2], track.way[0][2:]))]
            if old.absorbed and begun:
                begun[0].after = begun[0].after or old.id
                replaced.append(old)
                self.tell("moved", old, old.stopped)
        self.tracks = [track for track in self.tracks if track not in replaced]
        self.lose(replaced, "replaced", now)

    def move(self, track, now):
        since = track.rest()[1]
        if track.stopped not in (None, since):
            self.tell("moved", track, track.stopped)
            track.stopped = None
        if track.stopped is None and track.id and track.came() \
                and now[0] - since >= self.properties["still-frames"]:
            track.stopped = since
            self.tell("stopped", track, since)

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
        now = self.last = self.frames, warming_up
        self.frames += 1
        self.follow_anchors()
        self.follow_zones(now)
        if size != self.size:
            self.restart(now)
            self.size = size
        ids = [-1] * len(boxes)
        groups = united(boxes[:self.properties["max-tracks"]], self.properties["unite"])
        boxes = [box for _, box in groups]

        seen, before = {}, {}   # tracks by their record, and where they were
        for candidates in self.overlapping, self.near:
            pairs = [(track, i, box) for track in self.tracks
                     if track not in before and not track.absorbed
                     for i, box in enumerate(boxes) if i not in seen]
            for (*_, i), track in sorted(candidates(pairs), key=lambda pair: pair[0]):
                if i not in seen and track not in before:
                    seen[i], before[track] = track, track.box

        for i, track in seen.items():
            track.see(boxes[i], now[0])
        left, gone = [], []
        for track in self.tracks:
            if track in before:
                left.append(track)
            elif track.id:
                track.misses += 1
                track.unseen = now if track.misses == 1 else track.unseen
                (left if self.keeps_unseen(track) else gone).append(track)
        for i, box in enumerate(boxes):
            if i not in seen:
                seen[i] = Track(self.created, box, now[0])
                left.append(seen[i])
                self.created += 1
        left.sort(key=lambda track: (track.misses, -track.number))
        most = self.properties["max-tracks"]
        self.tracks = left[:most]
        self.lose(self.in_order(gone) + left[:most - 1:-1], "unseen", now)

        new = list(self.give_ids(seen))
        self.replace(new, now)
        for i, track in sorted(seen.items()):
            if track in new:
                self.tell("confirmed", track, track.after)
            for number in groups[i][0]:
                ids[number] = track.id or -1
            self.move(track, now)
            self.cross(track, before.get(track), now)
            if track.id:
                self.stand(track, now)
        for track in self.in_order(self.tracks):
            if track.absorbed:
                self.stand(track, now)
        self.finish_zones(self.insides, now)
        return ids
