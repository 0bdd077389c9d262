# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Counts that go on when an element begins again at 0: over connections, and over restarts of the
program."""

SUMS = {"lines": ("to_left", "to_right"), "zones": ("entered", "left", "dwell")}
NUMBERS = "frames", "events", "ids", "activities", "reconnects", "dropped", "skipped"
RESERVE = 100000                # numbers that an unknown time may have used


def structures(stats, kind):
    found = stats.get_value(kind)
    return {shape.get_name(): {shape.nth_field_name(i).replace("-", "_"):
                               shape.get_value(shape.nth_field_name(i))
                               for i in range(shape.n_fields())}
            for shape in found} if found else {}


class Totals:
    def __init__(self, saved=None, clean=True):
        self.numbers = dict.fromkeys(NUMBERS, 0)
        self.shapes = {kind: {} for kind in SUMS}
        self.now = {"frames": 0, "ids": 0, "activities": 0}
        self.shapes_now = {kind: {} for kind in SUMS}
        if saved:
            self.numbers |= {key: saved["numbers"].get(key, 0) for key in NUMBERS}
            self.shapes |= {kind: saved["shapes"].get(kind, {}) for kind in SUMS}
            if not clean:
                for key in "ids", "activities":
                    self.numbers[key] += RESERVE

    def add(self, name, amount=1):
        self.numbers[name] += amount

    def read(self, analysis, track, activity):
        """From the `stats` of the elements."""
        self.now = {"frames": analysis.get_value("frames"), "ids": track.get_value("ids"),
                    "activities": activity.get_value("started")}
        self.shapes_now = {kind: structures(track, kind) for kind in SUMS}

    def begin_again(self):
        """The elements begin at 0."""
        for key, value in self.now.items():
            self.numbers[key] += value
            self.now[key] = 0
        totals = self.of_shapes()
        for kind, sums in SUMS.items():
            self.shapes[kind] = {name: {key: shape[key] for key in sums}
                                 for name, shape in totals[kind].items()}
        self.shapes_now = {kind: {} for kind in SUMS}

    def forget(self, kind, name):
        """A line or a zone that has the name of an old one and is elsewhere."""
        self.shapes[kind].pop(name, None)
        self.shapes_now[kind].pop(name, None)

    def keep(self, kind, names):
        for name in self.shapes[kind].keys() - names:
            self.forget(kind, name)

    def number(self, name):
        return self.numbers[name] + self.now.get(name, 0)

    def of_shapes(self):
        totals = {kind: {} for kind in SUMS}
        for kind, sums in SUMS.items():
            for name in self.shapes[kind].keys() | self.shapes_now[kind].keys():
                base = self.shapes[kind].get(name, {})
                shape = dict(self.shapes_now[kind].get(name, {}))
                for key in sums:
                    shape[key] = shape.get(key, 0) + base.get(key, 0)
                if kind == "lines":
                    shape["occupancy"] = shape["to_right"] - shape["to_left"]
                totals[kind][name] = shape
        return totals

    def correct(self, event):
        """Adds to an event of the elements what was counted before they began."""
        for key, name in (("id", "ids"), ("after", "ids"), ("number", "activities")):
            if event.get(key):
                event[key] += self.numbers[name]
        base = self.shapes["lines"].get(event.get("line"), {})
        for key in SUMS["lines"]:
            if key in event:
                event[key] += base.get(key, 0)

    def save(self):
        shapes = self.of_shapes()
        return {"numbers": {key: self.number(key) for key in NUMBERS},
                "shapes": {kind: {name: {key: shape[key] for key in sums}
                                  for name, shape in shapes[kind].items()}
                           for kind, sums in SUMS.items()}}
