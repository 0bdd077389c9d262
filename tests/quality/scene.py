#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: scene.py VIDEO TRUTH [SCENE]

Writes a clip of walkers and carts in a yard, seen by a camera that stands still:
raw GRAY8 frames of 320x240 into VIDEO, and the box of each thing in each frame into
TRUTH, in the format of the MOT challenge. It is the same each time.

The ground has a texture and uneven light, and each pixel has noise of its own (of
2 code values, standard deviation). One thing is there from the beginning, and one
stands still for a while. That is the scene yard. The others are shorter:

  still   a walker stands for 130 frames, and a box is left and fetched
  light   the light fades to 70 % in 40 frames, and returns at once
  trees   leaves sway in the upper part
  shake   the camera moves by up to a pixel in both directions
  near    people who are half as high as the picture, in clothes of two shades"""

import json
import math
import random
import sys

WIDTH, HEIGHT, FRAMES = 320, 240, 400
SHORT_FRAMES = 260
TREES = 90      # rows, of which a leaf has LEAF
LEAF = 6


class Thing:
    """Comes at frame `start` and moves by (vx, vy) a frame; stands still for the frames
    `halt`. (x, y) is the middle of its feet, or wheels."""

    def __init__(self, start, x, y, vx, vy, width, height, shade, halt=range(0)):
        self.start, self.x, self.y, self.vx, self.vy = start, x, y, vx, vy
        self.width, self.height, self.shade, self.halt = width, height, shade, halt

    def place(self, t):
        moved = t - self.start - max(0, min(t, self.halt.stop) - self.halt.start)
        return self.x + moved * self.vx, self.y + moved * self.vy


class Walker(Thing):
    def stretches(self, t):
        """(y, x0, x1, shade): a body that sways, and a head."""
        x, feet = self.place(t)
        head = self.height * 0.13
        body = (self.height - 2 * head) / 2
        sway = 0 if t in self.halt else 1.2 * math.sin(t * 0.7 + self.x)
        yield from ellipse(x, feet - body, self.width / 2 + sway, body, self.shade)
        yield from ellipse(x, feet - 2 * body - head, head, head, self.shade + 12)


class Cart(Thing):
    def stretches(self, t):
        """A box with a lighter lid."""
        x, bottom = self.place(t)
        x0 = round(x - self.width / 2)
        for y in range(round(bottom - self.height), round(bottom)):
            lid = y < bottom - self.height * 0.7
            yield y, x0, x0 + self.width, self.shade + (18 if lid else 0)


class Box(Cart):
    """Is there until frame `end`."""

    def __init__(self, start, end, *rest):
        super().__init__(start, *rest)
        self.end = end

    def stretches(self, t):
        return super().stretches(t) if t < self.end else ()


class Neighbour(Walker):
    """Wears a dark shirt and light trousers, with a belt as bright as the ground between
    them."""

    def stretches(self, t):
        feet = self.place(t)[1]
        for y, x0, x1, shade in super().stretches(t):
            height = (feet - y) / self.height
            if height <= 0.44 or height >= 0.5:
                yield y, x0, x1, 220 if height <= 0.44 else shade


def ellipse(cx, cy, rx, ry, shade):
    for y in range(math.ceil(cy - ry), math.floor(cy + ry) + 1):
        half = rx * math.sqrt(max(0, 1 - ((y - cy) / ry) ** 2))
        yield y, round(cx - half), round(cx + half) + 1, shade


# those further away come first
THINGS = [
    Walker(150, -10, 72, 1.1, 0.05, 10, 28, 30),
    Walker(0, 210, 78, 0.9, 0, 10, 28, 196),
    Walker(210, 331, 88, -1.3, 0, 11, 30, 205),
    Walker(20, 335, 122, -1.2, 0.04, 13, 36, 28),
    Cart(60, -30, 142, 1.8, 0, 46, 26, 200),
    Walker(285, 335, 140, -1.6, 0, 13, 38, 32),
    Walker(90, -12, 196, 1.3, 0, 17, 48, 36, halt=range(200, 300)),
    Walker(230, 337, 222, -1.4, 0, 19, 54, 210),
    Walker(30, -12, 230, 1.5, 0, 19, 54, 214),
]


# those that need a clip of their own
STILL = [
    Walker(60, -12, 196, 1.6, 0, 17, 48, 36, halt=range(105, 235)),
    Walker(75, 335, 122, -1.5, 0, 13, 36, 28),
    Box(90, 215, 220, 160, 0, 0, 20, 18, 30),
    Walker(150, -12, 230, 1.5, 0, 19, 54, 214),
]
MOVING = [
    Walker(40, -10, 132, 1.5, 0, 13, 36, 30),
    Walker(70, 335, 150, -1.4, 0, 14, 40, 205),
    Walker(55, -12, 230, 1.6, 0, 19, 54, 36),
    Cart(110, -30, 190, 1.9, 0, 46, 26, 200),
    Walker(140, 337, 222, -1.5, 0, 19, 54, 214),
]
NEAR = [
    Neighbour(40, -30, 236, 2.2, 0, 44, 128, 34),
    Neighbour(120, 350, 238, -2.4, 0, 48, 136, 30),
]
SCENES = {"yard": THINGS, "still": STILL, "light": MOVING, "trees": MOVING, "shake": MOVING,
          "near": NEAR}


def fade(t):
    """How light it is, in percent."""
    return 100 if t < 100 or t >= 200 else max(70, 100 - 3 * (t - 100) // 4)


def sway(rows, t, rng):
    """Moves each row of leaves by a distance of its own."""
    for y in range(0, TREES, LEAF):
        by = round(4 * math.sin(0.9 * t + y)) + rng.randrange(-1, 2)
        for k in range(y, y + LEAF):
            rows[k] = rows[k][by:] + rows[k][:by]


def shifted(rows, dx, dy):
    rows = rows[dy:] + rows[:dy]
    return [row[dx:] + row[:dx] for row in rows]


def ground(rng):
    """Slabs with joints on uneven light, as rows of bytes."""
    rows = []
    for y in range(HEIGHT):
        row = bytearray()
        for x in range(WIDTH):
            light = 1.4 - 0.85 * ((x - 230) / 230) ** 2 - 0.1 * y / HEIGHT
            slab = 112 + 9 * math.sin(x // 32 * 5.1 + y // 24 * 2.3)
            joint = 18 if x % 32 < 2 or y % 24 < 2 else 0
            row.append(int(light * (slab - joint + rng.uniform(-7, 7))))
        rows.append(row)
    return rows


def noise(rng, ones):
    """A whole picture's, as one long number: bytes 0 to 9, three throws of 0 to 3."""
    draw = int.from_bytes(rng.randbytes(WIDTH * HEIGHT), "little")
    return sum((draw >> shift) & ones * 3 for shift in (0, 2, 4))


def frames(scene="yard"):
    """Yields each frame's bytes and the boxes (id, x, y, width, height) in it."""
    rng = random.Random(1)
    empty = ground(rng)
    ones = int.from_bytes(b"\1" * (WIDTH * HEIGHT), "little")
    for y in range(0, TREES if scene == "trees" else 0, LEAF):
        leaves = [110 + rng.randrange(-60, 61) for _ in range(WIDTH // LEAF + 1)]
        empty[y:y + LEAF] = [bytearray(leaves[x // LEAF] for x in range(WIDTH))] * LEAF
    for t in range(FRAMES if scene == "yard" else SHORT_FRAMES):
        rows = [bytearray(row) for row in empty]
        if scene == "trees":
            sway(rows, t, rng)
        boxes = []
        for number, thing in enumerate(SCENES[scene], 1):
            if t < thing.start:
                continue
            painted = []
            for y, x0, x1, shade in thing.stretches(t):
                x0, x1 = max(x0, 0), min(x1, WIDTH)
                if 0 <= y < HEIGHT and x0 < x1:
                    rows[y][x0:x1] = bytes((shade,)) * (x1 - x0)
                    painted.append((y, x0, x1))
            if painted:
                ys, lefts, rights = zip(*painted)
                boxes.append((number, min(lefts), min(ys),
                              max(rights) - min(lefts), max(ys) - min(ys) + 1))
        if scene == "light":
            table = bytes(v * fade(t) // 100 for v in range(256))
            rows = [row.translate(table) for row in rows]
        if scene == "shake":
            rows = shifted(rows, rng.randrange(-1, 2), rng.randrange(-1, 2))
        # no byte passes 255, so that they can be added all at once
        picture = int.from_bytes(b"".join(rows), "little") + noise(rng, ones)
        yield picture.to_bytes(WIDTH * HEIGHT, "little"), boxes


def write(video, truth, scene="yard"):
    with open(video, "wb") as pixels, open(truth, "w", encoding="ascii") as rows:
        for t, (picture, boxes) in enumerate(frames(scene), 1):
            pixels.write(picture)
            for number, *box in boxes:
                rows.write(",".join(map(str, (t, number, *box, 1))) + "\n")


def quoted(path):
    """A path in the description of a pipeline."""
    return json.dumps(str(path), ensure_ascii=False)


def source(video):
    """The start of a pipeline that gives the clip."""
    return (f"filesrc location={quoted(video)} ! rawvideoparse format=gray8 width={WIDTH} "
            f"height={HEIGHT} framerate=25/1")


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 4 or sys.argv[1].startswith("-") or \
            sys.argv[-1] not in SCENES and len(sys.argv) == 4:
        sys.exit(__doc__)
    write(*sys.argv[1:])
