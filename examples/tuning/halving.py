# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The settings that a search tries, by successive halving: many on a part of the marks, the best
of them on more, and those around the best one on all. Uses no GStreamer.

Settings are dictionaries of properties that are swept; `sweeps` has the values of each."""

import itertools
import math
import random

import marks as marking

FIRST = 54                      # settings that are tried at first
THIRD = 3                       # one of so many goes on
LEAST = 6                       # settings that go on in any case
PARTS = 1 / 9, 1 / 3            # of the marked time, before all of it
WORTH = 0.8                     # of the whole: a longer part saves nothing

CONTRASTS = [8, 12, 15, 20, 30, 45]
SWEEPS = {
    "sigma-delta": {"min-contrast": CONTRASTS, "absorb-after": [0, 1000]},
    "difference": {"min-contrast": CONTRASTS, "frame-distance": [1, 2, 4]},
    "threshold": {"threshold": [60, 90, 120, 150, 180, 210]},
    "otsu": {},
}


def default_sweeps(mode, width):
    """Areas grow with the square of the width, radii with the width, from 640 on."""
    scale = width / 640
    areas = {max(1, round(120 * part * scale * scale)) for part in (1 / 4, 1 / 2, 1, 2, 4)}
    radii = [{min(limit, math.ceil(value * scale)) for value in values}
             for limit, values in ((7, (0, 1, 2)), (15, (0, 1, 2, 4)))]
    return SWEEPS[mode] | {"min-area": sorted(areas), "open-radius": sorted(radii[0]),
                           "close-radius": sorted(radii[1])}


def key_of(setting):
    return tuple(sorted(setting.items()))


def sample(sweeps, count):
    """All combinations, or `count` of them in which each value is equally frequent. They are
    the same each time."""
    names = list(sweeps)
    if math.prod(map(len, sweeps.values())) <= count:
        return [dict(zip(names, values)) for values in itertools.product(*sweeps.values())]
    rng = random.Random(1)
    columns = []
    for values in sweeps.values():
        column = [values[i % len(values)] for i in range(count)]
        rng.shuffle(column)
        columns.append(column)
    return [dict(zip(names, values)) for values in zip(*columns)]


def neighbours(sweeps, setting):
    """One property is the next value of its list, or halfway to it."""
    for name, values in sweeps.items():
        at = nearest(values, setting[name])
        for other in values[max(0, at - 1):at] + values[at + 1:at + 2]:
            yield setting | {name: other}
            if type(other) is int and abs(other - setting[name]) > 1:
                yield setting | {name: (other + setting[name]) // 2}


def nearest(values, value):
    """The index of a value in its list, or of the one that is most like it."""
    if value in values:
        return values.index(value)
    if isinstance(value, str):
        return 0
    return min(range(len(values)), key=lambda i: abs(values[i] - value))


def distance(sweeps, a, b):
    return sum(abs(nearest(values, a[name]) - nearest(values, b[name]))
               for name, values in sweeps.items())


def ends(marks):
    """The times at which the rounds end: those of some marks, and None, the end of all."""
    spans = sorted(marks["spans"], key=lambda span: span["to"])
    kinds = {span["kind"] for span in spans}
    whole = sum(span["to"] - span["from"] for span in spans)
    found = []
    for part in PARTS:
        seconds, seen = 0, set()
        for span in spans:
            seconds += span["to"] - span["from"]
            seen.add(span["kind"])
            if seconds >= part * whole and seen == kinds:
                if span["to"] < WORTH * spans[-1]["to"] and span["to"] not in found:
                    found.append(span["to"])
                break
    return [*found, None]


class Halving:
    """`starts` take part in each round, so that the best one is no worse than they are. Of
    equal ones the one that is most like the first of them is better."""

    def __init__(self, sweeps, starts, marks, first=FIRST):
        self.sweeps, self.starts, self.marks = sweeps, starts, marks
        self.ends = ends(marks)
        self.tried = self.unique([*starts, *sample(sweeps, first)])
        self.best = []                  # pairs of a setting and its result, on all marks
        self.refined = False

    @staticmethod
    def unique(settings, known=()):
        found = {key_of(setting): setting for setting in settings}
        return [setting for key, setting in found.items()
                if key not in {key_of(one) for one in known}]

    def round(self):
        """(time at which it ends, None at the end of the video; its marks; its settings), or
        None if the search is over."""
        if not self.tried:
            return None
        end = self.ends[0]
        return end, self.marks if end is None else marking.until(self.marks, end), self.tried

    def rank(self, pairs):
        reference = self.starts[0]
        return sorted(pairs, key=lambda pair: (
            -(pair[1]["score"] or 0), distance(self.sweeps, pair[0], reference)))

    def take(self, results):
        """The results of the settings of a round, as Tally has them."""
        ranked = self.rank(zip(self.tried, results))
        if self.ends[0] is not None:
            kept = [setting for setting, _ in ranked]
            kept = kept[:max(LEAST, math.ceil(len(kept) / THIRD))]
            self.tried = self.unique([*self.starts, *kept])
            del self.ends[0]
            return
        self.best = self.rank([*self.best, *ranked])
        self.tried = []
        if not self.refined:
            self.refined = True
            self.tried = self.unique(neighbours(self.sweeps, self.best[0][0]),
                                     [setting for setting, _ in self.best])

    def work(self, duration):
        """Seconds of video that are still to be analysed, at most."""
        left, n = 0, len(self.tried)
        for end in self.ends:
            left += n * (duration if end is None else end)
            if end is not None:
                n = max(LEAST, math.ceil(n / THIRD)) + len(self.starts)
        return left + (0 if self.refined else 4 * len(self.sweeps) * duration)
