#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Draws the pictures of docs/foreground.md from foreground.json, which
foreground-measure.py makes, and from the clip of tests/quality/scene.py. Needs
matplotlib (Debian: python3-matplotlib)."""

import itertools
import json
import pathlib
import sys

import matplotlib
matplotlib.use("svg")
import numpy
from matplotlib import patches, pyplot

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "tests" / "quality"))
import scene

MEASURED = json.loads((HERE / "foreground.json").read_text(encoding="ascii"))
BLUES = ["#9ecae1", "#6baed6", "#3182bd", "#08519c"]
BOX = "#ffd000"

pyplot.rcParams.update({
    "font.family": "sans-serif", "font.size": 9, "svg.fonttype": "none", "svg.hashsalt": "cca",
    "axes.spines.top": False, "axes.spines.right": False, "axes.titlesize": 9,
})


def save_svg(figure, name):
    figure.savefig(HERE / name, metadata={"Date": None})
    text = (HERE / name).read_text(encoding="utf-8")
    (HERE / name).write_text("\n".join(line.rstrip() for line in text.splitlines()) + "\n",
                             encoding="utf-8")


# The modes once more, for whole pictures: the element gives no mask.

def squares(mask, radius, every):
    """Whether every, or any, pixel of the square around each one is set."""
    padded = numpy.pad(mask, radius, constant_values=every)
    views = [padded[y:y + mask.shape[0], x:x + mask.shape[1]]
             for y, x in itertools.product(range(2 * radius + 1), repeat=2)]
    return numpy.logical_and.reduce(views) if every else numpy.logical_or.reduce(views)


def open_and_close(mask):
    return squares(squares(squares(squares(mask, 1, True), 1, False), 1, False), 1, True)


def otsu(picture):
    levels = numpy.arange(256)
    histogram = numpy.bincount(picture.ravel(), minlength=256)
    below, total = numpy.cumsum(histogram), picture.size
    sums = numpy.cumsum(levels * histogram)
    a = total * sums - below * sums[-1]
    b = below * (total - below)
    scores = numpy.where(b > 0, a.astype(float) ** 2 / numpy.maximum(b, 1), 0)
    return picture > numpy.argmax(scores)


def sigma_delta(pictures, contrast=15, factor=2, period=4, warm_up=255):
    """The mask of the last of the pictures, and the background after it."""
    mean, variation = pictures[0].astype(int), numpy.full(pictures[0].shape, contrast)
    for t, picture in enumerate(pictures[1:], 1):
        due = t <= warm_up or t % period == 0
        if due:
            mean += numpy.sign(picture - mean)
        apart = abs(picture - mean)
        if due:
            variation = numpy.clip(variation + numpy.sign(factor * apart - variation),
                                   contrast, 255)
    return apart >= variation, mean


def masks(pictures):
    last = pictures[-1]
    found = {"threshold": last > 150, "otsu": otsu(last),
             "difference": abs(last - pictures[-4]) >= 15, "sigma-delta": sigma_delta(pictures)[0]}
    found = {name: open_and_close(mask) for name, mask in found.items()}
    for name, mask in found.items():
        pixels = MEASURED["modes"][name]["pixels"]
        if mask.sum() != pixels:
            sys.exit(f"foreground.py: {name} has {mask.sum()} pixels here, and {pixels} in the "
                     "element: run foreground-measure.py again")
    return found


def show(panel, picture, boxes=(), **options):
    # fewer levels make a smaller file
    panel.imshow(picture // 8 * 8 if picture.dtype != bool else picture, cmap="gray",
                 interpolation="nearest", **options)
    for x, y, width, height in boxes:
        panel.add_patch(patches.Rectangle((x - 1.5, y - 1.5), width + 2, height + 2, fill=False,
                                          edgecolor=BOX, linewidth=1.4))
    panel.set_xticks([])
    panel.set_yticks([])
    for spine in panel.spines.values():
        spine.set_visible(False)


def save_png(figure, name, colours=64):
    """With few colours, as the file is committed."""
    from PIL import Image
    figure.savefig(HERE / name, format="png", dpi=100, metadata={"Software": None})
    Image.open(HERE / name).convert("RGB").quantize(colours).save(HERE / name, optimize=True)


def draw_modes(pictures):
    picture, rows = pictures[-1], masks(pictures)
    figure, panels = pyplot.subplots(len(rows), 3, figsize=(9.6, 9.75), layout="constrained")
    for row, (name, mask) in zip(panels, rows.items()):
        boxes = MEASURED["modes"][name]["boxes"]
        show(row[0], picture, vmin=0, vmax=255)
        show(row[1], mask)
        show(row[2], picture, boxes, vmin=0, vmax=255)
        row[0].set_ylabel(MEASURED["modes"][name]["properties"], fontsize=10)
    for panel, title in zip(panels[0], ("frame", "foreground, opened and closed",
                                        "components of 120 pixels and more")):
        panel.set_title(title, fontsize=10)
    save_png(figure, "foreground-modes.png")


def draw_strip(pictures):
    texts = ["walking", "standing", "learnt", "gone, a ghost stays"]
    figure, panels = pyplot.subplots(1, 4, figsize=(9.6, 2.2), layout="constrained")
    for panel, (number, boxes), text in zip(panels, MEASURED["strip"].items(), texts):
        show(panel, pictures[int(number)], boxes, vmin=0, vmax=255)
        panel.set_title(f"frame {number}: {text}")
    save_png(figure, "foreground-ghost.png")


def draw_scenes():
    frames = {"still": 170, "light": 150, "trees": 150, "shake": 150, "near": 130}
    figure, panels = pyplot.subplots(1, len(frames), figsize=(9.6, 1.7), layout="constrained")
    for panel, (name, number) in zip(panels, frames.items()):
        data, boxes = next(itertools.islice(scene.frames(name), number, None))
        picture = numpy.frombuffer(data, numpy.uint8).reshape(scene.HEIGHT, scene.WIDTH)
        show(panel, picture.astype(int), [box for _, *box in boxes], vmin=0, vmax=255)
        panel.set_title(name)
    save_png(figure, "foreground-scenes.png")


def draw_backgrounds(pictures):
    texts = {10: "warm-up", 190: "walking", 270: "learnt", 320: "a ghost"}
    figure, rows = pyplot.subplots(2, 4, figsize=(9.6, 4), layout="constrained")
    for (number, text), above, below in zip(texts.items(), *rows):
        show(above, pictures[number], vmin=0, vmax=255)
        show(below, sigma_delta(pictures[:number + 1])[1], vmin=0, vmax=255)
        above.set_title(f"frame {number}: {text}")
    rows[0][0].set_ylabel("frame")
    rows[1][0].set_ylabel("mode=background")
    save_png(figure, "foreground-backgrounds.png")


def draw_stops():
    figure, panel = pyplot.subplots(figsize=(6.4, 3.2), layout="constrained")
    contrasts = numpy.array(MEASURED["contrasts"])
    for row in MEASURED["stops"]:
        colour = BLUES[[1, 4, 8, 16].index(row["period"])]
        if row["sigma"] == 0:
            formula = row["period"] * (contrasts - 15) / 2
            panel.plot(contrasts, formula, color=colour, linewidth=1)
            panel.annotate(f"background-period={row['period']}", (contrasts[-1], formula[-1]),
                           (5, -3), textcoords="offset points", color=colour)
        panel.scatter(contrasts, row["frames"], s=22, edgecolor=colour,
                      facecolor=colour if row["sigma"] == 0 else "white", zorder=3)
    panel.set_xlim(15, 150)
    panel.set_xticks(range(20, 121, 20))
    panel.set_ylim(0, 900)
    panel.set_xlabel("contrast with the background")
    panel.set_title("frames for which a thing that stops is found: measured without noise (full)\n"
                    "and with noise of 2 (hollow); lines: period · (contrast − min-contrast) / 2",
                    loc="left")
    save_svg(figure, "foreground-stops.svg")


def draw_noise():
    figure, panels = pyplot.subplots(1, 3, figsize=(9.6, 3.2), layout="constrained")
    left, middle, right = panels
    styles = {2: "-", 3: "--", 4: ":"}
    colours = {8: "#e08214", 15: BLUES[2], 30: "#333333"}
    sigmas = [row["sigma"] for row in MEASURED["noise"]]
    for i, setting in enumerate(MEASURED["noise"][0]["settings"]):
        rows = [row["settings"][i] for row in MEASURED["noise"]]
        contrast, factor = setting["min_contrast"], setting["noise_factor"]
        style = {"color": colours[contrast], "linestyle": styles[factor],
                 "label": f"{contrast}, {factor}"}
        left.plot(sigmas, [100 * r["plain"]["false"] or numpy.nan for r in rows], **style)
        middle.plot(sigmas, [r["plain"]["least"] for r in rows], **style)
        right.plot(sigmas, [r["opened"]["least"] for r in rows], **style)
    left.set_yscale("log")
    left.set_ylim(1e-3, 50)
    left.set_yticks([0.001, 0.01, 0.1, 1, 10], ["0.001 %", "0.01 %", "0.1 %", "1 %", "10 %"])
    left.set_title("false pixels", loc="left")
    middle.set_title("least contrast that is found", loc="left")
    right.set_title("the same, opened and closed", loc="left")
    for panel in panels:
        panel.set_xlim(0, sigmas[-1])
        panel.set_xlabel("standard deviation of the noise")
    for panel in (middle, right):
        panel.set_ylim(0, 65)
    middle.legend(frameon=False, fontsize=8, loc="upper left", ncols=2,
                  title="min-contrast, noise-factor")
    save_svg(figure, "foreground-noise.svg")


def main():
    pictures = [numpy.frombuffer(data, numpy.uint8).reshape(scene.HEIGHT, scene.WIDTH).astype(int)
                for data, _ in scene.frames()]
    draw_modes(pictures[:MEASURED["frame"] + 1])
    draw_strip(pictures)
    draw_scenes()
    draw_backgrounds(pictures)
    draw_stops()
    draw_noise()


main()
