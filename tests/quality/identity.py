# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Ids against true ones: MOTA (Bernardin and Stiefelhagen 2008) and IDF1 (Ristani et
al. 2016), as py-motmetrics counts them."""

from collections import Counter

from assign import assign
from match import overlap

FORBIDDEN = 1e6


def pairs(found, truth, least):
    """The most pairs, one to one, of overlap `least` or more; of these the ones of the
    greatest overlaps. Both are dicts of boxes; yields keys of `truth` and `found`."""
    rows, columns = list(truth), list(found)
    # a true box may as well go without: its own column costs more than any pair
    costs = [[1 - o if (o := overlap(truth[t], found[f])) >= least else FORBIDDEN
              for f in columns] + [1000] * len(rows) for t in rows]
    for t, column in zip(rows, assign(costs)):
        if column < len(columns):
            yield t, columns[column]


class IdScore:
    """Sums over frames. The boxes of a frame are dicts by id."""

    def __init__(self, least):
        self.least = least
        self.misses = self.false = self.switches = 0
        self.true, self.found = Counter(), Counter()    # frames of each id
        self.together = Counter()                       # of each pair that overlaps
        self.partner = {}       # the last one of each true id

    def add(self, found, truth):
        """A true id keeps its last partner where they overlap, also after a while
        without."""
        paired = {}
        for t in truth:
            f = self.partner.get(t)
            if f in found and f not in paired.values() \
                    and overlap(truth[t], found[f]) >= self.least:
                paired[t] = f
        paired.update(pairs({f: b for f, b in found.items() if f not in paired.values()},
                            {t: b for t, b in truth.items() if t not in paired}, self.least))
        self.misses += len(truth) - len(paired)
        self.false += len(found) - len(paired)
        self.switches += sum(self.partner.get(t, f) != f for t, f in paired.items())
        self.partner.update(paired)
        self.true.update(truth.keys())
        self.found.update(found.keys())
        self.together.update((t, f) for t, a in truth.items() for f, b in found.items()
                             if overlap(a, b) >= self.least)

    def result(self):
        true, found = self.true.total(), self.found.total()
        columns = list(self.found)
        costs = [[-self.together[t, f] for f in columns] + [0] * len(self.true)
                 for t in self.true]
        right = -sum(row[column] for row, column in zip(costs, assign(costs)))
        wrong = self.misses + self.false + self.switches
        return {
            "mota": 1 - wrong / true if true else 0.0,
            "idf1": 2 * right / (true + found) if true + found else 0.0,
            "switches": self.switches, "misses": self.misses, "false": self.false,
        }
