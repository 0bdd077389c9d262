#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Draws the pictures of docs/performance.md from the runs beside this script:
cpu-epyc.svg from cpu-epyc.json and gpu-h200.svg from bench-h200.json. Needs
matplotlib (Debian: python3-matplotlib)."""

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


def draw_cpu():
    rows = [r for r in load("cpu-epyc.json")["rows"]
            if r["width"] == 1920 and r["connectivity"] == 8]
    figure, axes = pyplot.subplots(figsize=(8, 2.6), layout="constrained")
    for i, row in enumerate(reversed(rows)):
        opencv, one = (next(t["ms"] for t in row["times"] if t["engine"].endswith(engine))
                       for engine in ("OpenCV", "-t1"))
        axes.plot([one, opencv], [i, i], color="#dddddd", zorder=1)
        axes.scatter(opencv, i, color=OTHER, zorder=2)
        axes.scatter(one, i, color=OURS, zorder=2)
        axes.annotate(f"{one:.2f}", (one, i), (-6, 0), textcoords="offset points",
                      ha="right", va="center", color=OURS)
        axes.annotate(f"{opencv:.1f}", (opencv, i), (6, 0), textcoords="offset points",
                      va="center", color="#707070")
    axes.set_yticks(range(len(rows)), [r["picture"] for r in reversed(rows)])
    axes.set_xscale("log")
    axes.set_xlim(0.03, 40)
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.set_title("milliseconds a 1920×1080 frame, 8-connected, one thread: "
                   "cca (blue) and OpenCV (grey)", fontsize=9)
    save(figure, "cpu-epyc.svg")


draw_gpu()
draw_cpu()
