# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Writes the tables of docs/performance.md from a run. What lies between

    <!-- cca-bench: NAME -->
    <!-- end of NAME -->

is replaced where the run has points for it."""

import re

from plan import CONTENTS, FRAMES, MODES, PEERS as LIBRARIES, SQUARES
from record import Failure, is_measured


def shown(size):
    return size.replace("x", "×")


def number(value, digits=3):
    """With so many digits that count, but none of the integer part left out."""
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


def engine(run):
    for size in sorted(FRAMES + SQUARES, key=lambda s: int(s.split("x")[0]) * int(s.split("x")[1])):
        for content in CONTENTS:
            for connectivity in (4, 8):
                name = f"{size}/{connectivity}/{content}"
                us, worst = run.get(name, "us"), run.get(name, "worst_us")
                if us:
                    yield (shown(size), content.replace("g", "g="), connectivity, number(us),
                           number(worst), number(worst / us, 2),
                           f"**{number(run.get(name, 'gpix_s'))}**",
                           number(run.get(name, "floor_percent"), 2),
                           number(run.get(f"flsl-cd/{name}", "us")),
                           number(run.get(f"flsl-cd/{name}", "gpix_s")))


ENGINE = ("size", "content", "conn.", "mean µs", "worst", "worst/mean", "Gpix/s", "floor, %",
          "flsl-cd, mean µs", "Gpix/s")


def adversaries(run):
    names = {key for c in (4, 8) for key, value in run.points.get(f"worst/{c}", {}).items()
             if isinstance(value, float) and key not in ("us", "seconds")}
    for name in sorted(names, key=lambda n: -(run.get("worst/4", n) or 0)):
        yield name, number(run.get("worst/4", name), 4), number(run.get("worst/8", name), 4)


def foreground(bits):
    sizes = ["640x480", "1920x1080", "3840x2160", "8192x8192"]

    def cell(run, size, mode):
        name = f"foreground/{size}/{bits}/{mode}"
        us, added = run.get(name, "us"), run.get(name, "added_us")
        if us is None or mode == "threshold":
            return number(us)
        return f"{number(us)} {'+' if added >= 0 else '−'} {abs(added):.1f}"

    def rows(run):
        for mode in MODES:
            if any(run.get(f"foreground/{size}/{bits}/{mode}", "us") for size in sizes):
                yield (mode, *(cell(run, size, mode) for size in sizes))
    return (f"{bits} bits", *map(shown, sizes)), rows


HOST = ("frames", "content", "median µs", "99 % µs", "CPU µs", "2 ms apart: median µs",
        "99 % µs", "CPU µs")


def host(run):
    for name in run.names("host/.*"):
        size, content = name.split("/")[1:3]
        yield (shown(size), content.replace("g", "g="),
               *(number(run.get(name, figure)) for figure in
                 ("us", "p99_us", "cpu_us", "paused_us", "paused_p99_us", "paused_cpu_us")))


OVERLAY = ("frames", "objects", "", "GPU µs", "CPU µs of the call")


def overlay(run):
    for name in run.names("overlay/.*"):
        _, size, objects, *notes = name.split("/")
        yield (shown(size), objects, ", ".join(WORDS.get(word, word) for word in notes),
               number(run.get(name, "us")),
               number(run.get(name, "call_us")))


ELEMENT = ("frames", "pipelines", "components", "", "wall µs a frame", "CPU µs a frame",
           "frames/s")
WORDS = {"async2": "`async-depth=2`", "2gpus": "dealt over two GPUs",
         "loop": "a source of the test's own", "floor": "without the element",
         "30fps": "30 frames/s", "labels": "with label images", "trails": "and trails"}


def element(run):
    def key(name):
        words = name.split("/")
        return words[0], words[1], words[3:], int(words[2])
    for name in sorted(run.names("(element|cca)/.*"), key=key):
        words = name.split("/")
        components = words[3] if len(words) > 3 and words[3].isdigit() else "1"
        notes = [WORDS.get(word, word) for word in words[3:] if not word.isdigit()]
        if words[0] == "cca":
            notes.append("`cca`")
        wall = run.get(name, "wall_us")
        yield (words[1], words[2], components, ", ".join(notes), number(wall),
               number(run.get(name, "cpu_us")), f"{1e6 / wall:.0f}")


DECODE = ("pipelines", "`nvh264dec`, frames/s", "and `cudacca`", "%")


def decode(run):
    for name in sorted(run.names("decode/.*"), key=lambda n: int(n.split("/")[1])):
        yield (name.split("/")[1], number(run.get(name, "decoder_frames_s")),
               number(run.get(name, "frames_s")), number(run.get(name, "percent"), 4))


def cpu_heads(run):
    threads = sorted({int(name.split("/")[1]) for name in run.names("cpu/.*")})
    heads = ["size", "content", "conn.", "OpenCV, 1 thread", "`cca`, 1 thread", "x"]
    for n in threads[1:]:
        heads += [f"{n} threads", "times 1 thread"]
    return threads, heads


def cpu(run):
    """Milliseconds."""
    threads, _ = cpu_heads(run)
    for size in ("1080p", "4k"):
        for content in CONTENTS:
            for connectivity in (8, 4):
                where = f"{size}/{connectivity}/{content}"
                one, opencv = f"cpu/1/{where}", f"opencv/1/{where}"
                if not run.get(one, "us"):
                    continue

                def ms(name):
                    us = run.get(name, "us")
                    return number(us and us / 1e3, 4)
                row = [size, content.replace("g", "g="), connectivity, ms(opencv), ms(one),
                       f"**{number(run.ratio(opencv, one))}**"]
                for n in threads[1:]:
                    row += [ms(f"cpu/{n}/{where}"), number(run.ratio(one, f"cpu/{n}/{where}"))]
                yield row


PEERS = ("library", "threads", "size", "conn.", "gives",
         *(c.replace("g", "g=", 1) + ", µs" for c in ("g1", "g4", "g16")), "full", "empty",
         "compared")


def compared(points):
    """How what a library gives for the images of a row was compared, and what came out."""
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
        for figure, gives in (("labels_us", "labels"), ("us", one["gives"])):
            if figure in one:
                yield (f"{library} {one.get('version', '')}".strip(),
                       *(threads or ["–"]), shown(size), connectivity, gives,
                       *(number(points.get(content, {}).get(figure)) for content in CONTENTS),
                       compared(list(points.values())))


def sections(run):
    """Name, heads and rows of those that the run has points for."""
    foreground_8, foreground_16 = foreground(8), foreground(16)
    for name, heads, rows in (
            ("engine", ENGINE, engine), ("adversaries", ("picture", "4", "8"), adversaries),
            ("foreground 8", *foreground_8), ("foreground 16", *foreground_16),
            ("host", HOST, host), ("overlay", OVERLAY, overlay), ("element", ELEMENT, element),
            ("decode", DECODE, decode), ("cpu", cpu_heads(run)[1], cpu), ("peers", PEERS, peers)):
        found = list(rows(run))
        if found:
            yield name, list(table(heads, found))


def replace_section(text, tool, name, body, page):
    """What lies between the comments that begin and end a section."""
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
