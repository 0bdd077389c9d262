# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Draws a run as SVG. Needs matplotlib (Debian: python3-matplotlib)."""

import pathlib

import matplotlib
from matplotlib import pyplot, ticker

from plan import CONTENTS, FRAMES, SQUARES
from record import is_measured

matplotlib.use("svg")
pyplot.rcParams.update({
    "font.family": "sans-serif", "font.size": 9, "svg.fonttype": "none", "svg.hashsalt": "cca",
    "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False,
})

NOISE = ["g1", "g4", "g16"]
COLOURS = {"g1": "#b5422a", "g4": "#d9962b", "g16": "#2a78b5", "full": "#3b8f5a",
           "empty": "#909090"}
LABELS = {"g1": "noise, 1×1", "g4": "noise, 4×4", "g16": "noise, 16×16"}
OURS, OURS_2, OTHER = "#2a78b5", "#8fbfe0", "#909090"


def get(points, name, figure):
    point = points.get(name, {})
    return point.get(figure) if is_measured(point) else None


def known(points, names, figure):
    """(place in names, value) of those that there are."""
    pairs = [(i, get(points, name, figure)) for i, name in enumerate(names)]
    return [i for i, v in pairs if v is not None], [v for _, v in pairs if v is not None]


def pixels(size):
    width, height = map(int, size.split("x"))
    return width * height


def draw_sizes(points):
    """Gpixel/s by size of the frame."""
    sizes = sorted((s for s in FRAMES + SQUARES if get(points, f"{s}/4/g16", "us")), key=pixels)
    if len(sizes) < 3:
        return None
    figure, panels = pyplot.subplots(1, 2, figsize=(8, 3), sharey=True, layout="constrained")
    for panel, connectivity in zip(panels, (4, 8)):
        for content in CONTENTS:
            at, values = known(points, [f"{s}/{connectivity}/{content}" for s in sizes], "gpix_s")
            panel.plot([pixels(sizes[i]) / 1e6 for i in at], values, ".-",
                       color=COLOURS[content], label=LABELS.get(content, content))
        panel.set_xscale("log")
        panel.set_yscale("log")
        panel.set_xlabel("megapixels")
        panel.set_title(f"{connectivity}-connected", fontsize=9)
    panels[0].set_ylabel("Gpixel/s")
    panels[1].legend(fontsize=8)
    return figure


def draw_densities(points):
    """Microseconds at 8192² by density."""
    if not get(points, "8192x8192/4/g1", "densities_us"):
        return None
    figure, panels = pyplot.subplots(1, 3, figsize=(8, 2.6), layout="constrained")
    for panel, content in zip(panels, NOISE):
        for connectivity, style in ((4, "-"), (8, "--")):
            values = get(points, f"8192x8192/{connectivity}/{content}", "densities_us")
            if values:
                panel.plot([100 * i / (len(values) - 1) for i in range(len(values))], values, style,
                           color=COLOURS[content], label=f"{connectivity}-connected")
        panel.set_ylim(bottom=0)
        panel.set_title(LABELS[content], fontsize=9)
        panel.set_xlabel("foreground, %")
        panel.legend(fontsize=8)
    panels[0].set_ylabel("µs, 8192×8192")
    return figure


def draw_streams(points):
    """Wall and CPU time of a frame by pipelines in one process."""
    streams = [1, 2, 4, 8, 16, 32]
    rows = [("1080p", "", OURS, "-"), ("1080p", "/async2", OURS, "--"),
            ("1080p", "/8535", "#b5422a", "-"), ("1080p", "/8535/async2", "#b5422a", "--"),
            ("4k", "", "#3b8f5a", "-"), ("4k", "/async2", "#3b8f5a", "--")]
    figure, panels = pyplot.subplots(1, 2, figsize=(8, 3), layout="constrained")
    found = False
    for panel, what, title in zip(panels, ("wall_us", "cpu_us"),
                                  ("wall µs a frame over all", "CPU µs a frame")):
        for size, words, colour, style in rows:
            at, values = known(points, [f"element/{size}/{n}{words}" for n in streams], what)
            if len(values) > 1:
                label = f"{size}, {8535 if '8535' in words else 1} comp."
                label += ", async-depth 2" if "async2" in words else ""
                panel.plot([streams[i] for i in at], values, "." + style, color=colour, label=label)
                found = True
        panel.set_xscale("log", base=2)
        panel.set_xticks(streams, streams)
        panel.set_yscale("log")
        panel.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
        panel.yaxis.set_major_formatter("{x:g}")
        panel.yaxis.set_minor_formatter(ticker.NullFormatter())
        panel.set_xlabel("pipelines in one process")
        panel.set_title(title, fontsize=9)
    if not found:
        pyplot.close(figure)
        return None
    panels[0].legend(fontsize=6.5, handlelength=3, loc="upper right", borderaxespad=0)
    return figure


def draw_threads(points):
    """Milliseconds of a 1080p frame on the CPU."""
    contents = [c for c in CONTENTS if get(points, f"opencv/1/1080p/8/{c}", "us") and
                get(points, f"cpu/1/1080p/8/{c}", "us")]
    if not contents:
        return None
    cores = max(int(name.split("/")[1]) for name in points if name.startswith("cpu/"))
    figure, axes = pyplot.subplots(figsize=(8, 2.4), layout="constrained")
    for i, content in enumerate(reversed(contents)):
        opencv = get(points, f"opencv/1/1080p/8/{content}", "us") / 1e3
        one = get(points, f"cpu/1/1080p/8/{content}", "us") / 1e3
        most = get(points, f"cpu/{cores}/1080p/8/{content}", "us")
        axes.plot([one, opencv], [i, i], color="#dddddd", zorder=1)
        axes.scatter(opencv, i, color=OTHER, zorder=2)
        axes.annotate(f"{opencv:.1f}", (opencv, i), (6, 0), textcoords="offset points",
                      va="center", color="#707070")
        if most is not None:
            axes.scatter(most / 1e3, i, color=OURS_2, zorder=2)
        axes.scatter(one, i, color=OURS, zorder=3)
        axes.annotate(f"{one:#.3g}", (one, i), (0, 6), textcoords="offset points",
                      ha="center", color=OURS)
    axes.set_yticks(range(len(contents)), [LABELS.get(c, c) for c in reversed(contents)])
    axes.set_xscale("log")
    axes.set_ylim(-0.6, len(contents) - 0.2)
    axes.set_title("milliseconds a 1920×1080 frame, 8-connected: cca with one thread (blue) and "
                   f"{cores} (light), OpenCV with one (grey)", fontsize=9)
    return figure


def save(figure, path):
    """As text that is the same for the same figure; returns its name."""
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
    text = path.read_text(encoding="utf-8")
    path.write_text("\n".join(line.rstrip() for line in text.splitlines()) + "\n",
                    encoding="utf-8")
    return path.name


def draw(points, folder):
    """The names of the pictures that the run has points for, drawn into the folder."""
    for name, function in (("sizes", draw_sizes), ("densities", draw_densities),
                           ("streams", draw_streams), ("threads", draw_threads)):
        figure = function(points)
        if figure is None:
            continue
        yield save(figure, pathlib.Path(folder) / f"bench-{name}.svg")
