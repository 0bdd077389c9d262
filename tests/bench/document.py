# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Writes the tables of docs/performance.md from a run. The text between

    <!-- cca-bench: NAME -->
    <!-- end of NAME -->

is replaced where the run has points for it."""

import re

from plan import CONTENTS, MODES, PEERS as LIBRARIES, STREAMS
from plan import WORK, WORK_COMPONENTS
from record import Failure, is_measured


def shown(size):
    return size.replace("x", "×")


def number(value, digits=3):
    """The value with that number of significant digits, and all digits of its integer part."""
    if value is None:
        return "–"
    decimals = 0
    while decimals < digits - 1 and abs(value) * 10 ** decimals < 10 ** (digits - 1):
        decimals += 1
    return f"{value:.{decimals}f}"


def table(heads, rows):
    yield "| " + " | ".join(heads) + " |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield "| " + " | ".join(str(cell) for cell in row) + " |"


class Run:
    """Figures of points by name; None where there is none."""

    def __init__(self, machine, points):
        self.machine = machine
        self.points = {name: p for name, p in points.items() if is_measured(p)}

    def get(self, point, figure):
        return self.points.get(point, {}).get(figure)

    def ratio(self, a, b, figure="us"):
        a, b = self.get(a, figure), self.get(b, figure)
        return a / b if a and b else None

    def names(self, pattern):
        return [name for name in self.points if re.fullmatch(pattern, name)]


def describe(machine):
    parts = []
    if machine.get("gpu"):
        parts.append(f"{machine['gpu']}, driver {machine.get('driver')}")
    if machine.get("cpu"):
        parts.append(f"{machine['cpu']}, {machine['cores']} cores")
    if machine.get("opencv"):
        parts.append(f"OpenCV {machine['opencv']}")
    if machine.get("tree"):
        parts.append(f"tree `{machine['tree'][:10]}`")
    return "; ".join(parts)


# A selection; the figures of the page have more.
ENGINE_SIZES = ["640x480", "1920x1080", "3840x2160", "4096x4096", "8192x8192", "16384x16384"]


def engine(run):
    """Mean and, in brackets, worst of the densities, for each size, connectivity and algorithm."""
    def cell(name):
        us, worst = run.get(name, "us"), run.get(name, "worst_us")
        return number(us) if worst is None or worst == us else f"{number(us)} ({number(worst)})"

    for algorithm, prefix, sizes in (("auto", "", ENGINE_SIZES),
                                     ("`flsl-cd`", "flsl-cd/", ["1920x1080", "8192x8192"])):
        for size in sizes:
            for connectivity in (4, 8):
                names = [f"{prefix}{size}/{connectivity}/{content}" for content in CONTENTS]
                if any(run.get(name, "us") for name in names):
                    yield (algorithm, shown(size), connectivity, *map(cell, names),
                           number(run.get(names[0], "floor_percent"), 2))


CONTENT_HEADS = [content.replace("g", "g=") for content in CONTENTS]
ENGINE = ("algorithm", "size", "conn.", *CONTENT_HEADS, "floor at g=1, %")


def adversaries(run):
    names = {key for c in (4, 8) for key, value in run.points.get(f"worst/{c}", {}).items()
             if isinstance(value, float) and key not in ("us", "seconds")}
    slowest = sorted(names, key=lambda n: -max(run.get(f"worst/{c}", n) or 0 for c in (4, 8)))
    for name in slowest[:5]:
        yield name, number(run.get("worst/4", name), 4), number(run.get("worst/8", name), 4)


FOREGROUND_SIZES = ["640x480", "1920x1080", "3840x2160", "8192x8192"]
FOREGROUND = ("mode", *(f"{bits} bits, {shown(size)}" if size == FOREGROUND_SIZES[0] else shown(size)
                        for bits in (8, 16) for size in FOREGROUND_SIZES))


def foreground(run):
    def cell(size, bits, mode):
        name = f"foreground/{size}/{bits}/{mode}"
        us, added = run.get(name, "us"), run.get(name, "added_us")
        if us is None or mode == "threshold":
            return number(us)
        return f"{number(us)} {'+' if added >= 0 else '−'} {abs(added):.1f}"

    for mode in MODES:
        if run.names(f"foreground/.*/{mode}"):
            yield (mode, *(cell(size, bits, mode) for bits in (8, 16)
                           for size in FOREGROUND_SIZES))


HOST = ("frames", "content", "median µs", "99 % µs", "CPU µs", "2 ms apart: median µs",
        "99 % µs", "CPU µs")


def host(run):
    sizes = ["640x480", "1080p", "4k", "8k"]

    def key(name):
        size, content = name.split("/")[1:3]
        return sizes.index(size), CONTENTS.index(content)
    for name in sorted(run.names("host/.*/g(1|16)"), key=key):
        size, content = name.split("/")[1:3]
        yield (shown(size), content.replace("g", "g="),
               *(number(run.get(name, figure)) for figure in
                 ("us", "p99_us", "cpu_us", "paused_us", "paused_p99_us", "paused_cpu_us")))


OVERLAY = ("frames", "objects", "GPU µs", "CPU µs", "with trails: GPU µs", "CPU µs")


def overlay(run):
    """A row for each number of objects, without and with trails."""
    for name in sorted(run.names(r"overlay/\w+/\d+"),
                       key=lambda n: (n.split("/")[1], int(n.split("/")[2]))):
        _, size, objects = name.split("/")
        yield (size, objects, *(number(run.get(f"{name}{trails}", figure))
                                for trails in ("", "/trails") for figure in ("us", "call_us")))


ELEMENT = ("frames", "components", "", *(f"{n}" for n in STREAMS))
WORDS = {"async2": "`async-depth=2`", "2gpus": "two GPUs",
         "loop": "another source", "floor": "without the element",
         "30fps": "30 frames/s", "labels": "with label images"}


def element(run):
    """A row for each kind of pipeline; wall / CPU time of a frame for each number of them."""
    rows = {}
    for name in run.names("(element|cca)/.*"):
        element_name, frames, pipelines, *words = name.split("/")
        components = next((word for word in words if word.isdigit()), "1")
        notes = ["`cca`"] if element_name == "cca" else []
        notes += [WORDS.get(word, word) for word in words if not word.isdigit()]
        cell = f"{number(run.get(name, 'wall_us'))} / {number(run.get(name, 'cpu_us'))}"
        rows.setdefault((frames, int(components), ", ".join(notes)), {})[int(pipelines)] = cell
    for key in sorted(rows):
        yield (*key, *(rows[key].get(n, "–") for n in STREAMS))


ELEMENTS = ("", *(f"{n} components, µs" for n in WORK_COMPONENTS))
WORK_NAMES = {
    "memcpy": "`memcpy` of the frame",
    "cca": "`cca`",
    "cca-sigma-delta": "`cca foreground=sigma-delta open-radius=1 close-radius=4`",
    "cca-messages": "messages of `cca`",
    "label-image": "label images of `cca`",
    "ccatrack-messages": "`ccatrack`, every object new or lost",
    "ccamask-mask": "`ccamask mode=mask`",
    "ccamask-labels": "`ccamask mode=labels`",
    "ccamask-colors": "`ccamask mode=colors`",
    "ccaoverlay-boxes": "`ccaoverlay`, boxes",
    "ccaoverlay-labels": "`ccaoverlay`, boxes and ids",
    "ccaoverlay-trails": "`ccaoverlay`, boxes, ids and trails",
    "objectdetectionoverlay-boxes": "`objectdetectionoverlay`, boxes",
    "objectdetectionoverlay-labels": "`objectdetectionoverlay`, boxes and labels",
    "opencv-boxes": "OpenCV, boxes",
    "opencv-labels": "OpenCV, boxes and ids",
    "opencv-trails": "OpenCV, boxes, ids and trails",
}


def elements(run):
    """A row for each element, with the rate of those that write text."""
    def cell(name):
        rate = run.get(name, "mb_s")
        return number(run.get(name, "us")) + (f" ({number(rate)} MB/s)" if rate else "")

    for work in WORK:
        names = [f"elements/{work}/{n}" for n in WORK_COMPONENTS]
        if any(run.get(name, "us") for name in names):
            yield (WORK_NAMES.get(work, f"`{work}`"), *map(cell, names))


CPU = ("size", "conn.", "", *CONTENT_HEADS)


def cpu(run):
    """Milliseconds; in brackets how many times as fast as the line above."""
    threads = sorted({int(name.split("/")[1]) for name in run.names("cpu/.*")})
    for size, connectivity in (("1080p", 8), ("1080p", 4), ("4k", 8)):
        before = None
        for label, prefix in (("OpenCV, 1 thread", "opencv/1"),
                              *((f"`cca`, {n} thread{'s' if n > 1 else ''}", f"cpu/{n}")
                                for n in threads)):
            names = [f"{prefix}/{size}/{connectivity}/{content}" for content in CONTENTS]
            if not any(run.get(name, "us") for name in names):
                continue
            cells = []
            for i, name in enumerate(names):
                us = run.get(name, "us")
                times = before and run.ratio(before[i], name)
                cells.append(number(us and us / 1e3, 4) +
                             (f" (**{number(times)}**)" if times else ""))
            yield (size, connectivity, label, *cells)
            before = names


PEERS = ("library", "threads", "size", "conn.", "gives",
         *(c.replace("g", "g=", 1) + ", µs" for c in ("g1", "g4", "g16")), "full", "empty",
         "compared")


def compared(points):
    """How the results of a library for the images of a row were compared, and the outcome."""
    if "same" in points[0]:
        return points[0]["same"]
    images, exact, split, joined = (sum(point[figure] for point in points)
                                    for figure in ("images", "exact", "split", "joined"))
    if exact == images:
        return "as the labels of `cca`"
    return (f"not exact: as the labels of `cca` on {exact} of {images} images; components are "
            f"split on {split}, joined on {joined}")


def peers(run):
    rows = {}
    for name in run.names(f"({'|'.join(LIBRARIES)})/.*"):
        *where, content = name.split("/")
        rows.setdefault(tuple(where), {})[content] = run.points[name]
    for (library, *threads, size, connectivity), points in rows.items():
        one = next(iter(points.values()))
        yield (f"{library} {one.get('version', '')}".strip(),
               *(threads or ["–"]), shown(size), connectivity, one["gives"],
               *(number(points.get(content, {}).get("us")) for content in CONTENTS),
               compared(list(points.values())))


SUMMARY = (
    ("`cudacca`, one 1080p pipeline: wall time of a frame with 1 / 8 535 components, µs",
     ("element/1080p/1/wall_us", "element/1080p/1/8535/wall_us")),
    ("16 pipelines, 1080p, one component: wall / CPU time of a frame, µs",
     ("element/1080p/16/wall_us", "element/1080p/16/cpu_us")),
    ("16 pipelines, 4K, one component, `async-depth=2`: wall / CPU time of a frame, µs",
     ("element/4k/16/async2/wall_us", "element/4k/16/async2/cpu_us")),
    ("1 / 16 pipelines with `nvh264dec`, 1080p: frame rate with `cudacca`, % of that without",
     ("decode/1/percent", "decode/16/percent")),
    ("the same: frames/s with `cudacca`", ("decode/1/frames_s", "decode/16/frames_s")),
    ("GPU time of a 1080p frame: g=16 / g=4 / g=1 / empty, µs",
     tuple(f"1920x1080/4/{content}/us" for content in ("g16", "g4", "g1", "empty"))),
    ("GPU time of a 4K frame: g=16 / g=4 / g=1 / empty, µs",
     tuple(f"3840x2160/4/{content}/us" for content in ("g16", "g4", "g1", "empty"))),
    ("8192×8192: g=1 / g=4 / g=16 / full, Gpixel/s",
     tuple(f"8192x8192/4/{content}/gpix_s" for content in ("g1", "g4", "g16", "full"))),
    ("1080p, from the call until the CPU can read the records, g=16, µs", ("host/1080p/g16/us",)),
    ("drawing 100 boxes with ids at 1080p; with trails: GPU time, µs",
     ("overlay/1080p/100/us", "overlay/1080p/100/trails/us")),
)


def summary(run):
    """Nothing for a run without pipelines, whose rows would replace those of a run with them."""
    if run.get("element/1080p/1", "wall_us") is None:
        return
    for what, figures in SUMMARY:
        values = [run.get(*figure.rsplit("/", 1)) for figure in figures]
        if any(value is not None for value in values):
            yield what, " / ".join(map(number, values))


def sections(run):
    """Name, heads and rows of those that the run has points for."""
    for name, heads, rows in (
            ("summary", ("", "figure"), summary), ("engine", ENGINE, engine),
            ("adversaries", ("picture", "4-conn. µs", "8-conn. µs"), adversaries),
            ("foreground", FOREGROUND, foreground), ("host", HOST, host),
            ("overlay", OVERLAY, overlay), ("element", ELEMENT, element),
            ("elements", ELEMENTS, elements),
            ("cpu", CPU, cpu), ("peers", PEERS, peers)):
        found = list(rows(run))
        if found:
            yield name, list(table(heads, found))


def replace_section(text, tool, name, body, page):
    """Replaces the text between the comments that begin and end a section."""
    begin, end = f"<!-- {tool}: {name} -->\n", f"<!-- end of {name} -->\n"
    if text.count(begin) != 1 or text.count(end) != 1:
        raise Failure(f"{page} has no section '{name}'")
    before, rest = text.split(begin)
    return f"{before}{begin}\n{body}\n\n{end}{rest.split(end)[1]}"


def fill(text, machine, points):
    """The text with its sections replaced."""
    run = Run(machine, points)
    for name, lines in sections(run):
        body = "\n".join([describe(machine) + ":", "", *lines])
        text = replace_section(text, "cca-bench", name, body, "docs/performance.md")
    return text
