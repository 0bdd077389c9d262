# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""A run as CSV, one file for each kind of point; figures are drawn from those alone. The
first line is a comment: the machine and the seed. A row has a figure for each density."""

import csv
import pathlib

from papers import DENSITIES
from record import Failure, is_measured

# The kinds of points, by the first word of their names; the first kind has none.
KINDS = {"times": ("ms",), "steps": None, "copied": ("ms", "copy_ms"),
         "count": ("updates", "conflicts")}
HEADS = ["algorithm", "size", "g", "figure"]


def describe(machine):
    words = [machine.get("gpu") or "no GPU", f"driver {machine.get('driver')}",
             f"seed {machine.get('seed')}", f"tree {(machine.get('tree') or 'unknown')[:10]}"]
    return ", ".join(words)


def rows_of(points, kind):
    for name, point in points.items():
        *first, algorithm, size, g = name.split("/")
        if not is_measured(point) or (first or ["times"]) != [kind]:
            continue
        for figure in KINDS[kind] or [key for key in point if " study_" in key]:
            values = point.get(figure, [])
            if len(values) == len(DENSITIES):
                yield [algorithm, size.split("x")[0], g[1:], figure, *values]


def write(machine, points, folder):
    """The names of the files."""
    for kind in KINDS:
        rows = list(rows_of(points, kind))
        if not rows:
            continue
        path = pathlib.Path(folder) / f"{kind}.csv"
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(f"# {describe(machine)}\n")
            lines = csv.writer(file, lineterminator="\n")
            lines.writerow(HEADS + list(DENSITIES))
            lines.writerows(rows)
        yield path.name


class Results:
    """Lists of figures, one for each density; None where there are none."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.machine = None
        self.figures = {}
        for kind in KINDS:
            path = self.folder / f"{kind}.csv"
            if path.exists():
                self._read(kind, path)
        if self.machine is None:
            raise Failure(f"{folder} has no run of cca-study")

    def _read(self, kind, path):
        with open(path, encoding="utf-8", newline="") as file:
            comment = file.readline()
            rows = csv.reader(file)
            if not comment.startswith("# ") or next(rows, [])[:len(HEADS)] != HEADS:
                raise Failure(f"{path} is no table of cca-study")
            self.machine = comment[2:].strip()
            for row in rows:
                try:
                    values = [float(value) for value in row[len(HEADS):]]
                    key = kind, row[0], int(row[1]), int(row[2]), row[3]
                except (ValueError, IndexError):
                    values = []
                if len(values) != len(DENSITIES):
                    raise Failure(f"{path}: row '{','.join(row[:len(HEADS)])}' is not complete")
                self.figures[key] = values

    def get(self, algorithm, size, g, kind="times", figure="ms"):
        return self.figures.get((kind, algorithm, size, g, figure))

    def steps(self, algorithm, size, g):
        """(kernel, milliseconds), in order."""
        return [(key[4], values) for key, values in self.figures.items()
                if key[:4] == ("steps", algorithm, size, g)]

    def sizes(self, kind="times"):
        return sorted({key[2] for key in self.figures if key[0] == kind})

    def throughput(self, algorithm, size, g):
        """Gpixel/s of the mean time over all densities, as ICASSP's table has it."""
        values = self.get(algorithm, size, g)
        return size * size * len(values) / sum(values) / 1e6 if values else None

    def full(self, algorithm, size):
        values = self.get(algorithm, size, 1)
        return size * size / values[-1] / 1e6 if values else None

    def half_peak(self, algorithm, g):
        """The size at which half of the most throughput is reached, between two that were
        measured on a line over the logarithm; and that most."""
        found = [(n, self.throughput(algorithm, n, g)) for n in self.sizes()]
        found = [(n, value) for n, value in found if value]
        if not found:
            return None, None
        peak = max(value for _, value in found)
        for (n, low), (more, high) in zip(found, found[1:]):
            if low < peak / 2 <= high:
                return n * (more / n) ** ((peak / 2 - low) / (high - low)), peak
        return None, peak
