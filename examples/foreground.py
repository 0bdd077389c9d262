# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The foreground of 8-bit frames, as CcaForeground in kernels/cca.h defines it:
for pictures of what cca keeps to itself, exact and slow.

A plane is one whole number with 16 bits for each pixel, so that Python takes a
step for all of them at once. Values stay below 2^15: the bit above them tells
whether a pixel's subtraction borrowed."""

# of the element, all that decide
PROPERTIES = ("foreground", "threshold", "threshold-high", "invert", "min-contrast",
              "noise-factor", "background-period", "warm-up", "learning", "frame-distance",
              "open-radius", "close-radius")


def otsu(luma):
    histogram = [luma.count(value) for value in range(256)]
    n, s = len(luma), sum(value * count for value, count in enumerate(histogram))
    w = q = best = 0
    best_a, best_b = 0, 1
    for t, count in enumerate(histogram):
        w += count
        q += t * count
        if not count or w == n or min(w, n - w) << 23 < n:
            continue
        a, b = n * q - w * s, w * (n - w)
        if a * a * best_b > best_a * best_a * b:
            best, best_a, best_b = t, a, b
    return best


def dilate(rows, radius, full):
    """Rows are numbers with a byte of 0 or 1 for each pixel; `full` has all ones."""
    wide = []
    for row in rows:
        sum_of_shifts = row
        for k in range(8, 8 * radius + 1, 8):
            sum_of_shifts |= row << k | row >> k
        wide.append(sum_of_shifts & full)
    dilated = []
    for y in range(len(rows)):
        union = 0
        for row in wide[max(0, y - radius):y + radius + 1]:
            union |= row
        dilated.append(union)
    return dilated


def erode(rows, radius, full):
    return [full ^ row for row in dilate([full ^ row for row in rows], radius, full)]


class Foreground:
    """Takes frames in their order; `properties` are the element's, by name."""

    def __init__(self, width, height, properties):
        self.width, self.height, self.properties = width, height, properties
        self.mode = properties["foreground"]
        self.ones = int.from_bytes(b"\1\0" * (width * height), "little")
        self.top = self.ones << 15
        most = 255 if self.mode == "sigma-delta" else 256       # the latter: never found
        self.contrast = self.ones * min(properties["min-contrast"], most)
        self.n = 0              # frames so far
        self.frames = []        # those that a later one is compared with
        self.mean = self.variation = None

    def at_least(self, a, b):
        """1 where a >= b."""
        return ((a | self.top) - b >> 15) & self.ones

    def distance(self, a, b):
        swapped = (a ^ b) & self.at_least(a, b) * 0xffff
        return (b ^ swapped) - (a ^ swapped)

    def towards(self, a, b):
        """a, one nearer to b."""
        return a + self.at_least(b, a) - self.at_least(a, b)

    def plane(self, luma):
        spread = bytearray(2 * len(luma))
        spread[::2] = luma
        return int.from_bytes(spread, "little")

    def learn(self, luma):
        """Sigma-delta: brings the background forward by a frame."""
        p, t = self.properties, self.n
        if t == 0:
            self.mean, self.variation = self.plane(luma), self.contrast
        elif p["learning"] and (t <= p["warm-up"] or t % p["background-period"] == 0):
            value = self.plane(luma)
            self.mean = self.towards(self.mean, value)
            spread = self.distance(value, self.mean) * p["noise-factor"]
            variation = self.towards(self.variation, spread)
            variation -= variation >> 8 & self.ones             # at most 255
            self.variation = variation + self.at_least(self.contrast, variation + self.ones)

    def add(self, luma):
        if self.mode == "sigma-delta":
            self.learn(luma)
        self.frames.append(luma)
        if len(self.frames) > self.properties["frame-distance"] + 1:
            self.frames.pop(0)
        self.n += 1

    def decide(self):
        """The last frame's foreground, a byte of 0 or 1 for each pixel."""
        p, luma = self.properties, self.frames[-1]
        if self.mode in ("threshold", "otsu"):
            low = otsu(luma) if self.mode == "otsu" else p["threshold"]
            return luma.translate(bytes(low < v <= p["threshold-high"] for v in range(256)))
        if self.n == 1:
            return bytes(len(luma))
        value = self.plane(luma)
        if self.mode == "difference":
            found = self.at_least(self.distance(value, self.plane(self.frames[0])), self.contrast)
        else:
            found = self.at_least(self.distance(value, self.mean), self.variation)
        return found.to_bytes(2 * len(luma), "little")[::2]

    def rows(self):
        """The last frame's foreground after opening and closing: for each row
        bytes of 0 or 1."""
        found, w = self.decide(), self.width
        full = int.from_bytes(b"\1" * w, "little")
        flip = full if self.properties["invert"] else 0
        rows = [flip ^ int.from_bytes(found[y * w:(y + 1) * w], "little")
                for y in range(self.height)]
        for step, name in ((erode, "open-radius"), (dilate, "open-radius"),
                           (dilate, "close-radius"), (erode, "close-radius")):
            rows = step(rows, self.properties[name], full)
        return [row.to_bytes(w, "little") for row in rows]
