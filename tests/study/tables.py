# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The tables of tests/study/README.md, from those of a run."""

from document import number, replace_section, table
from papers import COPIED, DENSITIES, DLP, ICASSP, LABELS, LARGE, MIDDLE, PRODUCT

NAMES = {"product": "**`cudacca`**", "product-flsl-cd": "**`cudacca`, flsl-cd**"}
BLOCKS = [1, 4, 16]

# ICASSP 2021, Table 1: Gpixel/s on an A100 for g = 1, 4, 16, and a full image.
A100 = {"naive": (0.966, 0.994, 0.985, 0.337), "ha": (4.22, 13.2, 25.8, 16.6),
        "ha-otf": (14.6, 28.7, 59.3, 66.2), "ha-cd": (13.8, 23.9, 27.4, 16.6),
        "flsl": (4.85, 19.1, 61.9, 244), "flsl-otf": (20.8, 65.1, 160, 238),
        "flsl-cd": (24.5, 83.2, 170, 244)}


def named(algorithm):
    return NAMES.get(algorithm, f"`{algorithm}`")


def throughputs(results, algorithm):
    """Of g = 1, 4, 16, and a full image."""
    found = [results.throughput(algorithm, LARGE, g) for g in BLOCKS]
    return [*found, results.full(algorithm, LARGE)]


def icassp(results):
    for algorithm in [*ICASSP, *PRODUCT]:
        ours = throughputs(results, algorithm)
        theirs = A100.get(algorithm, [None] * len(ours))
        if any(ours):
            yield (named(algorithm), *(
                f"{number(a)} ({number(b)}; {number(a / b, 2)}×)" if a and b else number(a)
                for a, b in zip(ours, theirs)))


def every(results):
    for algorithm in [*ICASSP[:1], "ha-32", *ICASSP[1:], *LABELS, *PRODUCT]:
        found = throughputs(results, algorithm)
        if any(found):
            middle = results.get(algorithm, MIDDLE, 4)
            yield (named(algorithm), "labels" if algorithm in LABELS else "features",
                   *map(number, found), number(middle and sum(middle) / len(middle) * 1e3),
                   number(middle and max(middle) * 1e3))


def half_peak(results):
    for algorithm in DLP:
        for g in BLOCKS:
            half, peak = results.half_peak(algorithm, g)
            if peak:
                yield named(algorithm), g, number(peak), number(half)


def steps(results):
    """Milliseconds, mean over the densities, of each kernel."""
    for algorithm in [*LABELS, "naive", "ha-32", "ha"]:
        found = [(kernel.split("study_")[1], sum(values) / len(values) * 1e3)
                 for kernel, values in results.steps(algorithm, MIDDLE, 4)]
        if found:
            yield (named(algorithm), ", ".join(f"{kernel} {number(us)}" for kernel, us in found),
                   number(sum(us for _, us in found)))


def copied(results):
    chosen = [i for i, density in enumerate(DENSITIES) if 10 <= density <= 90]

    def mean(algorithm, size, figure):
        values = results.get(algorithm, size, 1, "copied", figure)
        return values and sum(values[i] for i in chosen) / len(chosen) * 1e3

    for size in results.sizes("copied"):
        cells = []
        for algorithm in COPIED:
            total, copy = (mean(algorithm, size, figure) for figure in ("ms", "copy_ms"))
            cells.append(number(total) + (f" ({number(copy)})" if copy else ""))
        yield (f"{size}×{size}", *cells)


SECTIONS = {
    "icassp": (("algorithm", "g = 1", "g = 4", "g = 16", "full image"), icassp),
    "all": (("algorithm", "gives", "8192², g = 1", "g = 4", "g = 16", "full",
             "2048², g = 4: mean µs", "most"), every),
    "half": (("algorithm", "g", "most Gpixel/s", "N½"), half_peak),
    "steps": (("algorithm", "kernels, µs", "sum"), steps),
    "copied": (("size", *map(named, COPIED)), copied),
}


def fill(text, results):
    """The text with the sections replaced that the run has figures for."""
    for name, (heads, rows) in SECTIONS.items():
        found = list(rows(results))
        if found:
            body = "\n".join([results.machine + ":", "", *table(heads, found)])
            text = replace_section(text, "cca-study", name, body, "tests/study/README.md")
    return text
