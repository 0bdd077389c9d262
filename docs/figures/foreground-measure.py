#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Measures, through the element, what foreground.py draws, into foreground.json:

    tests/shell python3 docs/figures/foreground-measure.py
"""

import json
import pathlib
import random
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "tests" / "quality"))
import scene
import video

SHAPE = "open-radius=1 close-radius=1"
MODES = {"threshold": "threshold=150", "otsu": "foreground=otsu",
         "difference": "foreground=difference", "sigma-delta": "foreground=sigma-delta"}
MODES_FRAME = 185
STRIP = [190, 222, 270, 320]

PERIODS, CONTRASTS = [1, 4, 8, 16], range(20, 121, 10)
SIGMAS = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 14]
SETTINGS = [(8, 2), (15, 2), (30, 2), (15, 3), (15, 4), (8, 4)]
LEVEL = 128
# squares of all contrasts from 0 in the last frame, which is not one of a step
SIDE, COLUMNS, ROWS, LEARNT, LOOKED_AT = 16, 12, 8, 300, 9


def raw(path, width, height):
    return (f"filesrc location={scene.quoted(path)} ! rawvideoparse format=gray8 width={width} "
            f"height={height} framerate=25/1")


def of_scene(folder):
    """What is found in the frames that are shown."""
    clip = folder / "scene.gray"
    scene.write(clip, folder / "truth.txt")
    modes = {}
    for name, properties in MODES.items():
        found = list(video.with_cca(scene.source(clip), f"{properties} {SHAPE} min-area=120"))
        pixels = list(video.with_cca(scene.source(clip), f"{properties} {SHAPE}"))
        modes[name] = {"properties": properties,
                       "boxes": [c[:4] for c in found[MODES_FRAME]],
                       "pixels": sum(c[4] for c in pixels[MODES_FRAME])}
        if name == "sigma-delta":
            strip = {n: [c[:4] for c in found[n]] for n in STRIP}
    return {"frame": MODES_FRAME, "modes": modes, "strip": strip}


class Noise:
    """Pixels of a grey level with normally distributed noise."""

    def __init__(self, sigma, seed):
        self.rng = random.Random(seed)
        self.table = [min(255, max(0, round(LEVEL + self.rng.gauss(0, sigma))))
                      for _ in range(100_003)] if sigma else [LEVEL] * 1000

    def rows(self, width, height):
        for _ in range(height):
            start = self.rng.randrange(len(self.table) - width)
            yield bytearray(self.table[start:start + width])


def brighten(row, x0, x1, contrast):
    row[x0:x1] = bytes(max(0, min(255, v + contrast)) for v in row[x0:x1])


def stops(folder, period, sigma):
    """Frames for which a square of each contrast is found, that comes and stays."""
    side, gap, height, before = 20, 4, 28, 20
    width = (side + gap) * len(CONTRASTS) + gap
    longest = period * (max(CONTRASTS) - 15) // 2 + 60
    noise, clip = Noise(sigma, period), folder / "stops.gray"
    with open(clip, "wb") as file:
        for t in range(before + longest):
            for y, row in enumerate(noise.rows(width, height)):
                if t >= before and gap <= y < gap + side:
                    for i, contrast in enumerate(CONTRASTS):
                        x = gap + i * (side + gap)
                        brighten(row, x, x + side, contrast)
                file.write(row)
    frames = [0] * len(CONTRASTS)
    for found in video.with_cca(raw(clip, width, height), "foreground=sigma-delta warm-up=0 "
                                f"background-period={period} {SHAPE}"):
        for x, _y, _w, _h, area, *_ in found:
            if area >= side * side // 2:
                frames[(x - gap // 2) // (side + gap)] += 1
    return frames


def against_noise(folder, sigma):
    """For each setting: the share of pixels that are found where there is nothing, and the
    least contrast at which half of the pixels are found of squares that come."""
    width, height = COLUMNS * SIDE, ROWS * SIDE
    noise, clip = Noise(sigma, 7), folder / "noise.gray"
    with open(clip, "wb") as file:
        for t in range(LEARNT + LOOKED_AT + 1):
            for y, row in enumerate(noise.rows(width, height)):
                if t == LEARNT + LOOKED_AT:
                    for i in range(COLUMNS):
                        brighten(row, i * SIDE, (i + 1) * SIDE, y // SIDE * COLUMNS + i)
                file.write(row)
    return [{"min_contrast": contrast, "noise_factor": factor,
             **{key: noise_results(raw(clip, width, height), contrast, factor, shape)
                for key, shape in (("plain", ""), ("opened", SHAPE))}}
            for contrast, factor in SETTINGS]


def noise_results(source, contrast, factor, shape):
    properties = f"foreground=sigma-delta min-contrast={contrast} noise-factor={factor} {shape}"
    found = list(video.with_cca(source, properties))[LEARNT:LEARNT + LOOKED_AT]
    pixels = SIDE ** 2 * COLUMNS * ROWS * LOOKED_AT

    def share(n):
        """Of the pixels of square n in the last frame, those that are found."""
        region = (f"roi-x={n % COLUMNS * SIDE} roi-y={n // COLUMNS * SIDE} "
                  f"roi-width={SIDE} roi-height={SIDE}")
        *_, last = video.with_cca(source, f"{properties} {region}")
        return sum(c[4] for c in last) / SIDE ** 2

    return {"false": sum(c[4] for f in found for c in f) / pixels,
            "least": next(n for n in range(contrast // 2, COLUMNS * ROWS) if share(n) >= 0.5)}


def main():
    video.Gst.init(None)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        result = of_scene(folder)
        result["contrasts"] = list(CONTRASTS)
        result["stops"] = []
        for period in PERIODS:
            for sigma in (0, 2):
                print(f"a thing that stops: period {period}, noise {sigma}", file=sys.stderr)
                result["stops"].append({"period": period, "sigma": sigma,
                                        "frames": stops(folder, period, sigma)})
        result["noise"] = []
        for sigma in SIGMAS:
            print(f"noise of {sigma}", file=sys.stderr)
            result["noise"].append({"sigma": sigma, "settings": against_noise(folder, sigma)})
    with open(HERE / "foreground.json", "w", encoding="ascii") as file:
        json.dump(result, file, indent=1)
        file.write("\n")


main()
