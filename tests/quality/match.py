# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Boxes against true ones. A box is (x, y, width, height), its right and lower edge
exclusive."""


def overlap(a, b):
    """Intersection over union."""
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    both = width * height
    return both / (a[2] * a[3] + b[2] * b[3] - both)


def holds(box, x, y):
    return box[0] <= x < box[0] + box[2] and box[1] <= y < box[1] + box[3]


def pairs(found, truth, least):
    """The most pairs there can be, one to one, of overlap `least` or more."""
    close = [[j for j, t in enumerate(truth) if overlap(f, t) >= least] for f in found]
    partner = {}

    def settle(i, asked):
        for j in close[i]:
            if j not in asked:
                asked.add(j)
                if j not in partner or settle(partner[j], asked):
                    partner[j] = i
                    return True
        return False

    return sum(settle(i, set()) for i in range(len(found)))


class Score:
    """Sums over frames."""

    def __init__(self, least):
        self.least = least
        self.found = self.true = self.paired = self.covered = self.inside = 0

    def add(self, found, centroids, truth):
        """`centroids` are those of `found`, in coordinates in which pixel 0 is 0 to 1."""
        self.found += len(found)
        self.true += len(truth)
        self.paired += pairs(found, truth, self.least)
        self.covered += sum(any(holds(f, t[0] + t[2] / 2, t[1] + t[3] / 2) for f in found)
                            for t in truth)
        self.inside += sum(any(holds(t, *c) for t in truth) for c in centroids)

    def result(self):
        recall, precision = (self.paired / n if n else 0.0 for n in (self.true, self.found))
        both = recall + precision
        return {
            "recall": recall, "precision": precision,
            "f": 2 * recall * precision / both if both else 0.0,
            "centre_recall": self.covered / self.true if self.true else 0.0,
            "centre_precision": self.inside / self.found if self.found else 0.0,
        }
