# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Draws the papers' figures from the tables of a run. Needs matplotlib."""

import pathlib

from matplotlib import pyplot, ticker

import pictures  # noqa: F401, sets the style
from papers import COPIED, DENSITIES, DLP, ICASSP, LABELS, LARGE, MIDDLE, STEPS_FEATURES

NAMES = {"naive": "naive", "ha": "HA", "ha-32": "HA, 32", "ha-otf": "HA+OTF", "ha-cd": "HA+CD",
         "flsl": "FLSL", "flsl-otf": "FLSL+OTF", "flsl-cd": "FLSL+CD", "komura": "Komura",
         "playne": "Playne", "playne-tiles": "Playne, tiles",
         "dlp": "DLP (Cabaret)", "dlp-set-root": "DLP, SetRoot first",
         "ha4-32": "HA4, 32", "ha4-64": "HA4, 64", "tmk": "TMK", "product": "cudacca",
         "product-flsl-cd": "cudacca, flsl-cd"}
HA, FLSL, OURS = "#b5422a", "#2a78b5", "#1d7a46"
STYLES = {"naive": ("#606060", ":"), "ha": (HA, "-"), "ha-otf": (HA, "--"), "ha-cd": (HA, "-."),
          "flsl": (FLSL, "-"), "flsl-otf": (FLSL, "--"), "flsl-cd": (FLSL, "-."),
          "tmk": ("#2a78b5", "-"), "product": (OURS, "-"), "product-flsl-cd": (OURS, "-."),
          "dlp": ("#d9962b", "-"), "dlp-set-root": ("#8a4fa3", "-")}
STEP_COLOURS = ["#2a78b5", "#d9962b", "#3b8f5a", "#8a4fa3"]
TMK_COLOURS = ["#dddddd", "#c4c4c4", "#aaaaaa", "#909090", "#8fbfe0", "#2a78b5", "#b5422a",
               "#d9962b", "#3b8f5a"]
THRESHOLD = 60  # percent: where 4-connected noise percolates
BLOCKS = [1, 4, 16]


def plot(panel, x, values, algorithm, **more):
    colour, style = STYLES[algorithm]
    if algorithm == "product":
        more["linewidth"] = 2
    panel.plot(x, values, style, color=colour, label=NAMES[algorithm], **more)


def over_density(panel, results, algorithms, size, g):
    found = False
    for algorithm in algorithms:
        values = results.get(algorithm, size, g)
        if values:
            plot(panel, DENSITIES, values, algorithm)
            found = True
    panel.axvline(THRESHOLD, color="#a0a0a0", linestyle=":", linewidth=0.8)
    panel.set_ylim(bottom=0)
    panel.set_xlabel("density, %")
    return found


def over_size(panel, results, algorithms, g):
    for algorithm in algorithms:
        pairs = [(n, results.throughput(algorithm, n, g)) for n in results.sizes()]
        pairs = [(n, value) for n, value in pairs if value]
        if len(pairs) > 1:
            plot(panel, *zip(*pairs), algorithm, marker=".")
    show_sizes(panel, results.sizes())


def show_sizes(panel, sizes):
    """Powers of two have their number at the axis."""
    shown = [n for n in sizes if n >= 256 and n & (n - 1) == 0]
    panel.set_xscale("log", base=2)
    panel.set_xticks(shown, [str(n) if n < 1024 else f"{n // 1024}k" for n in shown])
    panel.set_xlabel("size, pixels square")


def plain_logarithm(axis):
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter(ticker.NullFormatter())


def large(results):
    """The size of ICASSP's figures, or the largest that was measured."""
    sizes = [n for n in results.sizes() if results.get("flsl-cd", n, 1)]
    return LARGE if LARGE in sizes else max(sizes, default=0)


def middle(results):
    sizes = results.sizes("steps")
    return MIDDLE if MIDDLE in sizes else max(sizes, default=0)


def icassp_1(results):
    """Time by density of the state of the art, g = 1."""
    size = large(results)
    figure, axes = pyplot.subplots(figsize=(5, 3), layout="constrained")
    if not over_density(axes, results, ["naive", "ha", "product"], size, 1):
        return None
    axes.set_ylabel(f"ms, {size}×{size}, g = 1")
    axes.legend()
    return figure


def icassp_5(results):
    """Feature updates and estimated conflicts."""
    sizes = results.sizes("count")
    if not sizes:
        return None
    figure, panels = pyplot.subplots(1, 2, figsize=(8, 3.2), sharey=True, layout="constrained")
    for panel, what, title in zip(panels, ("updates", "conflicts"),
                                  ("atomic updates", "conflicts, estimated")):
        for algorithm in ICASSP:
            values = results.get(algorithm, sizes[-1], 1, "count", what)
            if values:
                faint = {"linewidth": 0.8} if algorithm.startswith("ha") else {}
                plot(panel, DENSITIES, [value or float("nan") for value in values], algorithm,
                     **faint)
        panel.axvline(THRESHOLD, color="#a0a0a0", linestyle=":", linewidth=0.8)
        panel.set_yscale("log")
        panel.set_xlabel("density, %")
        panel.set_title(f"{title}, {sizes[-1]}×{sizes[-1]}, g = 1", fontsize=9)
    panels[1].legend(fontsize=8)
    return figure


def icassp_7(results):
    """Time by density, and throughput by size."""
    size = large(results)
    shown = [*ICASSP[1:], "product", "product-flsl-cd"]
    figure, panels = pyplot.subplots(3, 2, figsize=(8, 9), layout="constrained")
    found = False
    for (left, right), g in zip(panels, BLOCKS):
        found = over_density(left, results, shown, size, g) or found
        left.set_ylabel(f"ms, {size}×{size}")
        over_size(right, results, ["naive", *shown], g)
        right.set_yscale("log")
        plain_logarithm(right.yaxis)
        right.set_ylabel("Gpixel/s")
        left.set_title(f"g = {g}", fontsize=9)
        right.set_title(f"g = {g}", fontsize=9)
    handles, labels = panels[0][1].get_legend_handles_labels()
    figure.legend(handles, labels, fontsize=8, ncols=5, loc="outside upper center")
    return figure if found else None


def named(kernel):
    """A kernel of TMK's run, whose names begin with whose they are."""
    return kernel.split("study_")[1].replace("tmk_", "").replace("_", " ")


def short(kernel):
    """What a kernel's name says of the step."""
    return kernel.rsplit("_", 1)[1]


def stacked(panel, results, algorithm, size, g):
    steps = results.steps(algorithm, size, g)
    if not steps:
        return False
    labels = [short(kernel) for kernel, _ in steps]
    panel.stackplot(DENSITIES, [values for _, values in steps], labels=labels,
                    colors=STEP_COLOURS, alpha=0.85)
    panel.set_title(f"{NAMES[algorithm]}, g = {g}", fontsize=9)
    panel.set_xlabel("density, %")
    panel.legend(fontsize=7, loc="upper left")
    return True


def stacks(results, algorithms, blocks, across, share="all"):
    size = middle(results)
    cells = [(algorithm, g) for algorithm in algorithms for g in blocks]
    down = -(-len(cells) // across)
    figure, panels = pyplot.subplots(down, across, figsize=(8, 2.7 * down), sharey=share,
                                     layout="constrained", squeeze=False)
    done = [stacked(panel, results, algorithm, size, g)
            for panel, (algorithm, g) in zip(panels.flat, cells)]
    for row in panels:
        row[0].set_ylabel(f"ms, {size}×{size}")
    return (figure, panels) if any(done) else (None, None)


def compas_5(results):
    """The steps of labelling, g = 4."""
    return stacks(results, LABELS[1:], [4], 3)[0]


def compas_6(results):
    """The steps of analysis, g = 4; the product beside them."""
    figure, panels = stacks(results, STEPS_FEATURES, [4], 3, "none")
    ours = results.get("product", middle(results), 4)
    if figure and ours:
        for panel in panels.flat:
            plot(panel, DENSITIES, ours, "product")
            panel.legend(fontsize=7, loc="upper left")
    return figure


def dlp_steps(results):
    """The poster's first: its steps by density."""
    return stacks(results, DLP, BLOCKS, 3)[0]


def dlp_sizes(results):
    """The poster's second: throughput by size, and where half of the most is reached."""
    figure, panels = pyplot.subplots(1, 3, figsize=(8, 2.8), sharey=True, layout="constrained")
    found = False
    for panel, g in zip(panels, BLOCKS):
        over_size(panel, results, DLP, g)
        for algorithm in DLP:
            half, peak = results.half_peak(algorithm, g)
            if half:
                found = True
                panel.plot([half], [peak / 2], "o", color=STYLES[algorithm][0], fillstyle="none")
                panel.annotate(f"N½ = {half:.0f}", (half, peak / 2), (5, -9), fontsize=8,
                               textcoords="offset points", color=STYLES[algorithm][0])
        panel.set_title(f"g = {g}", fontsize=9)
    panels[0].set_ylim(bottom=0)
    panels[0].set_ylabel("Gpixel/s")
    panels[0].legend(fontsize=8, loc="upper left")
    return figure if found else None


def copied_lines(panel, results, size, g):
    found = False
    for algorithm in COPIED:
        total = results.get(algorithm, size, g, "copied", "ms")
        copy = results.get(algorithm, size, g, "copied", "copy_ms")
        if total:
            found = True
            plot(panel, DENSITIES, total, algorithm)
        if copy:
            panel.plot(DENSITIES, copy, "--", color=STYLES[algorithm][0], linewidth=0.9,
                       label=f"{NAMES[algorithm]}, copy")
    panel.set_ylim(bottom=0)
    panel.set_xlabel("density, %")
    panel.set_title(f"{size}×{size}, g = {g}", fontsize=9)
    return found


def tmk_4(results):
    """Time until the features are in the host's memory, by density."""
    sizes = [n for n in results.sizes("copied") if results.get(COPIED[0], n, 16, "copied")]
    if not sizes:
        return None
    figure, panels = pyplot.subplots(len(sizes), 3, figsize=(8, 2.7 * len(sizes)), squeeze=False,
                                     layout="constrained")
    for row, size in zip(panels, sizes):
        for panel, g in zip(row, BLOCKS):
            copied_lines(panel, results, size, g)
        row[0].set_ylabel("ms")
    handles, labels = panels[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, fontsize=8, ncols=5, loc="outside upper center")
    return figure


def tmk_5(results):
    """The mean of those from 10 to 90 %, by size, g = 1."""
    chosen = [i for i, density in enumerate(DENSITIES) if 10 <= density <= 90]
    figure, axes = pyplot.subplots(figsize=(5, 3), layout="constrained")
    found = False
    for algorithm in COPIED:
        pairs = [(n, results.get(algorithm, n, 1, "copied")) for n in results.sizes("copied")]
        pairs = [(n, sum(values[i] for i in chosen) / len(chosen)) for n, values in pairs if values]
        if len(pairs) > 1:
            found = True
            plot(axes, *zip(*pairs), algorithm, marker=".")
    show_sizes(axes, results.sizes("copied"))
    axes.set_yscale("log")
    plain_logarithm(axes.yaxis)
    axes.set_ylabel("ms, mean of 10 to 90 %, g = 1")
    if not found:
        return None
    axes.legend()
    return figure


def tmk_6(results):
    """What part of the time each kernel has, g = 1."""
    sizes = [n for n in results.sizes("steps") if results.steps("tmk", n, 1)]
    if len(sizes) < 2:
        return None
    figure, axes = pyplot.subplots(figsize=(5, 3), layout="constrained")
    bottoms = [0] * len(sizes)
    columns = [[sum(values) for _, values in results.steps("tmk", n, 1)] for n in sizes]
    for i, (kernel, _) in enumerate(results.steps("tmk", sizes[0], 1)):
        shares = [100 * column[i] / sum(column) for column in columns]
        axes.bar([str(n) for n in sizes], shares, bottom=bottoms, label=named(kernel),
                 color=TMK_COLOURS[i % len(TMK_COLOURS)])
        bottoms = [bottom + share for bottom, share in zip(bottoms, shares)]
    axes.set_xlabel("size, pixels square")
    axes.set_ylabel("% of the kernels' time, g = 1")
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles[::-1], labels[::-1], fontsize=8, loc="outside right upper")
    return figure


FIGURES = {"icassp-1": icassp_1, "icassp-5": icassp_5, "icassp-7": icassp_7,
           "compas-5": compas_5, "compas-6": compas_6, "ipta-steps": dlp_steps,
           "ipta-sizes": dlp_sizes, "tmk-4": tmk_4, "tmk-5": tmk_5, "tmk-6": tmk_6}


def draw(results, folder):
    """The names of the figures that there are tables for, drawn into the folder."""
    for name, function in FIGURES.items():
        figure = function(results)
        if figure is not None:
            yield pictures.save(figure, pathlib.Path(folder) / f"{name}.svg")
        pyplot.close("all")
