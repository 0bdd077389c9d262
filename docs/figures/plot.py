#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Draws gpu-h200.svg of docs/performance.md from bench-h200.json, beside this script.
Needs matplotlib (Debian: python3-matplotlib)."""

import json
import pathlib

import matplotlib
matplotlib.use("svg")
from matplotlib import pyplot

HERE = pathlib.Path(__file__).parent
OURS, OURS_2, OTHER = "#2a78b5", "#8fbfe0", "#b0b0b0"

# Gpixel/s of the published algorithm on the same GPU, see performance.md.
PUBLISHED = {"g=1": 40, "g=4": 175, "g=16": 375, "full": 601}
CONTENTS = {"g=1": "noise, 1×1", "g=4": "noise, 4×4", "g=16": "noise, 16×16", "full": "full"}

pyplot.rcParams.update({
    "font.family": "sans-serif", "font.size": 9, "svg.fonttype": "none", "svg.hashsalt": "cca",
    "axes.spines.top": False, "axes.spines.right": False,
})


def load(name):
    with open(HERE / name, encoding="ascii") as file:
        return json.load(file)


def save(figure, name):
    figure.savefig(HERE / name, metadata={"Date": None})
    text = (HERE / name).read_text(encoding="utf-8")
    (HERE / name).write_text("\n".join(line.rstrip() for line in text.splitlines()) + "\n",
                             encoding="utf-8")


def draw_gpu():
    gpix_s = {p["point"]: p["gpix_s"] for p in load("bench-h200.json")["points"] if "gpix_s" in p}
    figure, panels = pyplot.subplots(1, len(CONTENTS), figsize=(8, 2.6), layout="constrained")
    for panel, (content, title) in zip(panels, CONTENTS.items()):
        point = f"8192x8192/4/{content.replace('=', '')}"
        bars = panel.bar(["tiled", "flsl-cd", "published"],
                         [gpix_s[point], gpix_s["flsl-cd/" + point], PUBLISHED[content]],
                         color=[OURS, OURS_2, OTHER])
        panel.bar_label(bars, fmt="%.0f")
        panel.set_title(title, fontsize=9)
        panel.set_yticks([])
        panel.spines["left"].set_visible(False)
        panel.tick_params("x", length=0, labelsize=8)
    figure.suptitle("Gpixel/s at 8192×8192, 4-connected, H200; "
                    "published: FLSL+CD without ordering", fontsize=9)
    save(figure, "gpu-h200.svg")


draw_gpu()
