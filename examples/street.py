# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""A street on an overcast day, for the demo's clip: the place as it is empty, and
pictures of cars and people to lay over it. Shapes are drawn by their signed
distance, which is negative inside and makes edges smooth."""

import math
import random

WIDTH, HEIGHT = 640, 360
BUILDING, FAR_KERB, NEAR_KERB, HEDGE = 62, 120, 256, 338        # rows where things begin
# lighter or darker than the ground, as colour is not looked at
PEOPLE = ["#8a2a26", "#23406b", "#efe4c6", "#2f5236", "#2b2b33", "#96501c", "#63386a", "#f2f0ea"]
SKINS = ["#eec6aa", "#66463a"]
CARS = ["#b0241c", "#183c72", "#ecece8", "#2c3036", "#0e6a70", "#24543c"]


def rgb(name):
    return tuple(int(name[i:i + 2], 16) for i in (1, 3, 5))


def lit(colour, light):
    r, g, b = colour
    return r * light, g * light, b * light


def mix(a, b, t):
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t


class Texture:
    """Smooth noise in [-1, 1], of blobs of a size."""

    def __init__(self, size_x, size_y, seed):
        self.size_x, self.size_y = size_x, size_y
        rng = random.Random(seed)
        self.grid = [[rng.uniform(-1, 1) for _ in range(WIDTH // size_x + 3)]
                     for _ in range(HEIGHT // size_y + 3)]

    def at(self, x, y):
        x, y = x / self.size_x, y / self.size_y
        i, j = int(x), int(y)
        u, v = x - i, y - j
        u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
        above, below = self.grid[j], self.grid[j + 1]
        return ((above[i] * (1 - u) + above[i + 1] * u) * (1 - v)
                + (below[i] * (1 - u) + below[i + 1] * u) * v)


# shapes: functions of a point that give its signed distance

def capsule(x0, y0, r0, x1, y1, r1):
    """Two discs and what lies between them."""
    dx, dy = x1 - x0, y1 - y0
    length = dx * dx + dy * dy or 1

    def distance(x, y):
        t = min(1, max(0, ((x - x0) * dx + (y - y0) * dy) / length))
        return math.hypot(x - x0 - t * dx, y - y0 - t * dy) - r0 - t * (r1 - r0)
    return distance


def ellipse(cx, cy, rx, ry):
    def distance(x, y):
        return (math.hypot((x - cx) / rx, (y - cy) / ry) - 1) * min(rx, ry)
    return distance


def polygon(points, round_by=0.0):
    edges = list(zip(points, points[1:] + points[:1]))

    def distance(x, y):
        nearest, inside = 1e9, False
        for (ax, ay), (bx, by) in edges:
            ex, ey, px, py = bx - ax, by - ay, x - ax, y - ay
            t = min(1, max(0, (px * ex + py * ey) / (ex * ex + ey * ey)))
            nearest = min(nearest, (px - t * ex) ** 2 + (py - t * ey) ** 2)
            if (ay > y) != (by > y) and x < ax + (y - ay) * ex / ey:
                inside = not inside
        return (-1 if inside else 1) * math.sqrt(nearest) - round_by
    return distance


class Picture:
    """Pixels with opacity, B, G, R and A; drawn at a scale."""

    def __init__(self, width, height, scale):
        self.scale = scale
        self.width, self.height = math.ceil(width * scale), math.ceil(height * scale)
        self.pixels = [(0.0, 0.0, 0.0, 0.0)] * (self.width * self.height)

    def draw(self, shape, colour, opacity=1.0, soft=0.0, box=None):
        """`colour` may depend on the point; `soft` is how far the edge reaches."""
        s = self.scale
        soft = max(soft * s, 1.0)
        x0, y0, x1, y1 = box or (0, 0, self.width / s, self.height / s)
        for j in range(max(0, int(y0 * s)), min(self.height, math.ceil(y1 * s))):
            for i in range(max(0, int(x0 * s)), min(self.width, math.ceil(x1 * s))):
                x, y = (i + 0.5) / s, (j + 0.5) / s
                a = 0.5 - shape(x, y) * s / soft
                if a <= 0:
                    continue
                a = min(a, 1.0) * opacity
                k = j * self.width + i
                r, g, b = colour(x, y) if callable(colour) else colour
                old_b, old_g, old_r, old = self.pixels[k]
                rest = old * (1 - a)
                alpha = a + rest
                self.pixels[k] = ((b * a + old_b * rest) / alpha, (g * a + old_g * rest) / alpha,
                                  (r * a + old_r * rest) / alpha, alpha)

    def bgra(self):
        return bytes(min(255, int(v)) for b, g, r, a in self.pixels
                     for v in (b, g, r, 255 * a + 0.5))

    def mirrored(self):
        other = Picture(0, 0, self.scale)
        other.width, other.height = self.width, self.height
        other.pixels = [p for y in range(self.height)
                        for p in reversed(self.pixels[y * self.width:(y + 1) * self.width])]
        return other


def person(coat, trousers, skin, phase, scale):
    """Someone who walks to the right, 100 units high and 60 wide; the feet are
    in the middle, at 100."""
    p = Picture(76, 106, scale)
    swing = math.sin(phase)
    x, hip, bob = 34, 56, 1.2 * abs(math.cos(phase))
    hair = (50, 38, 32)
    p.draw(ellipse(x + 9, 100, 24, 4.5), (18, 20, 28), 0.16, 5, (0, 90, 76, 106))

    def leg(forward, back, light):
        angle = 0.5 * forward
        knee = x + 22 * math.sin(angle), hip - bob + 22 * math.cos(angle)
        lower = angle - 0.75 * max(0, back) ** 2
        foot = knee[0] + 21 * math.sin(lower), min(99, knee[1] + 21 * math.cos(lower))
        colour = lit(trousers, light)
        p.draw(capsule(x, hip - bob, 5.6, *knee, 4.4), colour)
        p.draw(capsule(*knee, 4.3, *foot, 3.1), colour)
        p.draw(capsule(*foot, 2.8, foot[0] + 6, foot[1] + 0.6, 2.2), (38, 34, 34))

    def arm(forward, light):
        angle = 0.55 * forward
        elbow = x + 15 * math.sin(angle), 28 - bob + 15 * math.cos(angle)
        hand = elbow[0] + 12 * math.sin(angle + 0.5), elbow[1] + 12 * math.cos(angle + 0.5)
        p.draw(capsule(x, 27 - bob, 4.6, *elbow, 3.6), lit(coat, light))
        p.draw(capsule(*elbow, 3.6, *hand, 3.0), lit(coat, light))
        p.draw(ellipse(*hand, 2.7, 2.7), skin)

    # the farther arm and leg first
    arm(swing, 0.62)
    leg(-swing, math.cos(phase), 0.72)
    leg(swing, -math.cos(phase), 1.0)
    p.draw(capsule(x, 27 - bob, 8.2, x, 55 - bob, 8.6),
           lambda u, v: lit(coat, 1.1 - 0.012 * (u - x + 8) - 0.002 * (v - 20)))
    arm(-swing, 0.88)
    p.draw(capsule(x + 0.5, 18 - bob, 3.2, x, 23 - bob, 3.4), lit(skin, 0.97))
    p.draw(ellipse(x + 1.2, 10.5 - bob, 6.4, 7.8), lambda u, v: lit(skin, 1.06 - 0.02 * (u - x)))
    p.draw(polygon([(x - 6, 12 - bob), (x - 5, 3 - bob), (x + 5, 3 - bob), (x + 4, 7 - bob),
                    (x - 1, 8 - bob), (x - 2, 14 - bob)], 1.6), hair)
    return p


BODIES = {      # outline of the body, of the windows, wheels; 100 units are a metre, nearly
    "hatchback": ([(12, 78), (10, 56), (22, 44), (66, 40), (100, 14), (190, 12), (226, 36),
                   (240, 50), (240, 78)],
                  [[(77, 40), (104, 19), (140, 18), (140, 40)],
                   [(146, 40), (146, 18), (186, 18), (208, 38)]], (52, 200)),
    "saloon": ([(8, 78), (8, 58), (20, 48), (76, 42), (108, 18), (170, 17), (206, 40),
                (244, 46), (250, 60), (250, 78)],
               [[(88, 42), (112, 23), (138, 22), (138, 42)],
                [(144, 42), (144, 22), (168, 22), (194, 41)]], (52, 206)),
    "van": ([(8, 78), (8, 54), (18, 42), (44, 8), (60, -12), (252, -14), (256, 0), (256, 78)],
            [[(32, 34), (56, -2), (84, -2), (84, 34)]], (52, 214)),
}


def rim(x, y):
    """Five spokes."""
    return lit((176, 178, 182), 1 - 0.02 * y - 0.5 * (math.cos(5 * math.atan2(y, x)) > 0.55))


def car(kind, paint, scale):
    """To the left, 260 units long, its wheels at 92 + 26."""
    outline, windows, wheels = BODIES[kind]
    p, top = Picture(292, 132, scale), 26

    def down(points):
        return [(x + 8, y + top) for x, y in points]

    p.draw(ellipse(142, 115, 136, 10), (16, 18, 24), 0.5, 13, (0, 92, 292, 132))

    def body(x, y):
        shine = 0.2 * math.exp(-((y - top - 48) / 4) ** 2) + 0.28 * (y < top + 17)
        return lit(paint, 1.12 - 0.0062 * (y - top) + shine)

    p.draw(polygon(down(outline), 6), body)
    p.draw(polygon(down([(12, 70), (244, 70), (242, 80), (14, 80)]), 4), lit(paint, 0.45),
           0.8, 4, (8, 88, 264, 118))
    for window in windows:
        p.draw(polygon(down(window), 2),
               lambda x, y: mix((76, 92, 104), (26, 32, 40), min(1, (y - top + 6) / 40)))
    door = down([(142, 44), (142, 74)])
    p.draw(capsule(*door[0], 0.6, *door[1], 0.6), lit(paint, 0.55), 0.7, 0, (140, 60, 160, 108))
    p.draw(ellipse(16, top + 55, 5, 5), (250, 246, 222), 1, 0, (4, 70, 30, 94))
    p.draw(ellipse(outline[-1][0] + 9, top + 52, 3, 7), (168, 22, 20), 1, 0, (232, 64, 290, 92))
    for wheel in wheels:
        box = (wheel - 20, top + 56, wheel + 36, top + 106)
        p.draw(ellipse(wheel + 8, top + 78, 21, 21), (16, 16, 18), 1, 0, box)
        p.draw(ellipse(wheel + 8, top + 78, 12, 12),
               lambda x, y, at=wheel: rim(x - at - 8, y - top - 78), 1, 0, box)
    return p


def wall(x, y, blobs):
    """Houses: plaster with windows, shops below."""
    house, u = divmod(x, 160)
    plaster = [(172, 150, 126), (150, 158, 160), (186, 172, 148), (158, 128, 112)][house % 4]
    colour = lit(plaster, 1 + 0.05 * blobs)
    if u < 2:
        return lit(plaster, 0.6)
    if y < 26:                          # lower parts of windows
        v = (u - 14) % 36
        if v < 22 and u > 12 and y < 20:
            return (228, 226, 216) if v in (0, 1, 10, 11, 20, 21) or y > 17 else (62, 76, 88)
        return colour
    if y < 32:
        return lit(plaster, 0.72)
    if y < 38:                          # sign, awning
        return [(96, 44, 40), (44, 72, 66), (58, 62, 84), (120, 92, 44)][house % 4]
    v = (u - 8) % 50
    if v < 42 and u > 6:
        if v < 2 or v > 39 or y > 58:
            return (72, 66, 60)
        return lit(mix((66, 80, 88), (112, 116, 110), (y - 38) / 24), 1 + 0.12 * blobs)
    return lit(colour, 0.8)


def paving(x, y, scale, blobs, grain):
    row = int((y - 20) / (9 * scale))
    across = x + 17 * (row % 2) + (x - 320) * y / 900
    joint = (y - 20) % (9 * scale) < 1 or across % (34 * scale) < 1
    return lit((162, 158, 150), (0.86 if joint else 1) + 0.05 * blobs + 0.02 * grain)


def road(x, y, blobs, grain, wear):
    colour = lit((126, 127, 130), 1 + 0.06 * blobs + 0.045 * grain + 0.05 * wear)
    paint = lit((214, 212, 204), 0.95 + 0.08 * wear + 0.03 * grain)
    t = (y - FAR_KERB) / (NEAR_KERB - FAR_KERB)
    crossing = (x - 430 + 46 * (t - 0.5)) / (0.86 + 0.3 * t)
    if -52 < crossing < 52:             # bars across the way of the cars
        bar = (t ** 0.85 * 9) % 1
        return mix(colour, paint, 0.85) if 0.08 < bar < 0.55 else colour
    if 178 <= y < 182 and (x + 20) % 74 < 40 and abs(crossing) > 70:
        return mix(colour, paint, 0.8)
    if abs(y - FAR_KERB - 9) < 1 or abs(y - NEAR_KERB + 11) < 1.5:
        return mix(colour, (190, 176, 110), 0.35)
    return colour


def tree(rows, cx, seed):
    """A young tree at the houses, in its bed."""
    leaves, big = Texture(4, 4, seed), Texture(11, 9, seed + 1)
    crown, trunk = ellipse(cx, 14, 38, 31), capsule(cx, 30, 2.2, cx + 1, 68, 3.0)
    bed = ellipse(cx, 69, 17, 4)
    for y in range(80):
        for x in range(cx - 48, cx + 48):
            if bed(x, y) < 0:
                rows[y][x] = lit((92, 80, 66), 1 + 0.2 * leaves.at(x, y))
            if trunk(x, y) < 0:
                rows[y][x] = lit((98, 84, 70), 1.2 - 0.12 * (x - cx + 2))
            if crown(x, y) + 9 * big.at(x, y) + 5 * leaves.at(x, y) < 0:
                light = 0.8 + 0.3 * leaves.at(x, y) + 0.22 * big.at(x, y)
                rows[y][x] = lit((88, 116, 58), light - 0.007 * (x - cx + y - 14))


def empty_street():
    """Rows of (r, g, b)."""
    rng = random.Random(7)
    blobs, wear, leaves = Texture(38, 22, 1), Texture(90, 5, 2), Texture(5, 4, 3)
    rows = []
    for y in range(HEIGHT):
        row = []
        for x in range(WIDTH):
            grain, smooth = rng.uniform(-1, 1), blobs.at(x, y)
            if y < BUILDING:
                colour = wall(x, y, smooth)
            elif y < FAR_KERB - 5:
                colour = lit(paving(x, y, 0.7, smooth, grain), min(1, 0.82 + (y - BUILDING) / 60))
            elif y < FAR_KERB:
                colour = lit((178, 176, 170), 1.02 if y < FAR_KERB - 2 else 0.66)
            elif y < NEAR_KERB:
                colour = road(x, y, smooth, grain, wear.at(x, y))
            elif y < NEAR_KERB + 7:
                colour = lit((170, 168, 162), 1.0 if y > NEAR_KERB + 1 else 0.62)
            elif y < HEDGE + 5 * leaves.at(x, 0):
                colour = lit(paving(x, y, 1.25, smooth, grain), 1 + (y - NEAR_KERB) / 900)
            else:
                light = 0.78 + 0.3 * leaves.at(x, y) + 0.12 * grain + 0.1 * smooth
                colour = lit((70, 98, 52), light * (0.7 + min(1, (y - HEDGE + 6) / 30) * 0.35))
            corner = ((x - 320) / 320) ** 2 + ((y - 180) / 180) ** 2
            row.append(lit(colour, 1.03 - 0.07 * corner))
        rows.append(row)
    for cx, seed in (96, 11), (330, 13), (556, 15):
        tree(rows, cx, seed)
    return rows
