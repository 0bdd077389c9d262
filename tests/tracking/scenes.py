# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Boxes of things that move, as if components had been found."""

from dataclasses import dataclass


@dataclass
class Thing:
    x: float
    y: float
    width: int
    height: int
    vx: float
    vy: float


def thing(rng, width, height, fastest):
    across, down = rng.randint(1, max(1, width // 4)), rng.randint(1, max(1, height // 4))
    return Thing(rng.uniform(0, width - across), rng.uniform(0, height - down), across, down,
                 rng.uniform(-fastest, fastest), rng.uniform(-fastest, fastest))


def inside(box, width, height):
    """The part of the box in the picture, None if there is none."""
    x0, y0 = max(0, box[0]), max(0, box[1])
    x1, y1 = min(width, box[0] + box[2]), min(height, box[1] + box[3])
    return (x0, y0, x1 - x0, y1 - y0) if x0 < x1 and y0 < y1 else None


def halves(box):
    x, y, width, height = box
    if width > height:
        return [(x, y, width // 2, height), (x + width // 2, y, width - width // 2, height)]
    if height > 1:
        return [(x, y, width, height // 2), (x, y + height // 2, width, height - height // 2)]
    return [box]


def merged(boxes):
    """One box for those that overlap."""
    joined = []
    for x, y, width, height in boxes:
        for i, (u, v, w, h) in enumerate(joined):
            if x < u + w and u < x + width and y < v + h and v < y + height:
                left, top = min(x, u), min(y, v)
                joined[i] = (left, top, max(x + width, u + w) - left, max(y + height, v + h) - top)
                break
        else:
            joined.append((x, y, width, height))
    return joined


def frames(rng, n, width, height, things, fastest):
    """Yields a list of boxes n times. Things come and go, are missed, split, merge; now
    and then there is nothing. Few pixels make for many boxes that are alike."""
    there = [thing(rng, width, height, fastest) for _ in range(rng.randint(0, things))]
    merges, shuffles = rng.random() < 0.5, rng.random() < 0.3
    missed, split, noise = rng.choice((0, 0.1, 0.4)), rng.choice((0, 0.1)), rng.choice((0, 2))
    nothing = 0
    for _ in range(n):
        if len(there) < things and rng.random() < 0.2:
            there.append(thing(rng, width, height, fastest))
        if there and rng.random() < 0.03:
            there.pop(rng.randrange(len(there)))
        boxes = []
        for t in there:
            t.x, t.y = t.x + t.vx, t.y + t.vy
            if not -width / 4 < t.x < width:
                t.vx = -t.vx
            if not -height / 4 < t.y < height:
                t.vy = -t.vy
            if rng.random() < missed:
                continue
            box = inside((round(t.x), round(t.y), t.width, t.height), width, height)
            if box:
                boxes += halves(box) if rng.random() < split else [box]
        for _ in range(rng.randint(0, noise)):
            boxes.append((rng.randrange(width), rng.randrange(height), 1, 1))
        if merges:
            boxes = merged(boxes)
        if shuffles:
            rng.shuffle(boxes)
        nothing = max(0, nothing - 1) or (rng.random() < 0.02) * rng.randint(1, 20)
        yield [] if nothing else boxes


def stops(rng, n, width, height, things):
    """Yields a list of boxes n times. Each thing comes, stops and trembles, is absorbed, and
    begins again there or elsewhere."""
    there = []
    for _ in range(n):
        if len(there) < things and rng.random() < 0.3:
            size = [rng.randint(2, 8), rng.randint(2, 8)]
            at = [rng.randint(-2, side) for side in (width, height)]
            there.append({"at": at, "to": [rng.randint(0, width - 9), rng.randint(0, height - 9)],
                          "size": size, "rests": 0, "leaves": rng.randint(3, 12),
                          "back": rng.randint(10, 30)})
        boxes = []
        for t in there:
            for i in (0, 1):
                t["at"][i] += max(-3, min(3, t["to"][i] - t["at"][i]))
            t["rests"] += t["at"] == t["to"]
            if t["rests"] > t["back"]:
                t.update(rests=0, to=[rng.randint(0, width - 9), rng.randint(0, height - 9)])
            trembles = [int(rng.random() < 0.05) for _ in range(2)]
            box = inside((*(a + b for a, b in zip(t["at"], trembles)), *t["size"]),
                         width, height)
            if box and t["rests"] < t["leaves"] and rng.random() > 0.05:
                boxes.append(box)
        yield boxes


def enlarged(boxes, factor):
    return [tuple(side * factor for side in box) for box in boxes]
