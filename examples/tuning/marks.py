# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Marks on a video, and how well what was found agrees with them. docs/tune.md describes the
file and the scores. Uses no GStreamer."""

import json
import math

import textfile

VERSION = 1
LIMIT = 1 << 20                 # bytes of a file
MOST = 1000                     # spans, or counts
LONGEST = 1e7                   # seconds
KINDS = "something", "nothing"
WAYS = "to-left", "to-right"
RUN = 2                         # active frames in a row from which on they are an event
GAP = 1.0                       # seconds within which two events are one


class Wrong(ValueError):
    """A sentence on what is wrong with marks."""


def is_number(value, low, high):
    return type(value) in (int, float) and low <= value <= high


def check_times(mark, what):
    begin, end = mark.get("from"), mark.get("to")
    if not is_number(begin, 0, LONGEST) or not is_number(end, 0, LONGEST) or end <= begin:
        raise Wrong(f"{what}: from and to are seconds in the video, and to is later")


def check_span(span):
    if not isinstance(span, dict) or span.get("kind") not in KINDS:
        raise Wrong("each of spans is an object whose kind is something or nothing")
    check_times(span, "spans")
    kept = {key: span[key] for key in ("kind", "from", "to")}
    box = span.get("box")
    if box is not None:
        if not isinstance(box, list) or len(box) != 4 or \
                not all(type(v) is int and abs(v) < 1 << 20 for v in box) or min(box[2:]) < 1:
            raise Wrong("spans: box is x, y, width and height in whole pixels")
        kept["box"] = box
    unknown = span.keys() - kept.keys() - {"box"}
    if unknown:
        raise Wrong(f"spans have no {min(unknown)}")
    return kept


def check_count(count):
    if not isinstance(count, dict) or not isinstance(count.get("line"), str) or not count["line"]:
        raise Wrong("each of counts is an object with the name of a line")
    kept = {"line": count["line"]}
    if count.get("from") is not None or count.get("to") is not None:
        check_times(count, "counts")
        kept |= {"from": count["from"], "to": count["to"]}
    for way in WAYS:
        value = count.get(way, 0)
        if type(value) is not int or not 0 <= value < 1 << 31:
            raise Wrong(f"counts: {way} of {count['line']} is a whole number from 0")
        kept[way] = value
    unknown = count.keys() - kept.keys() - {"from", "to"}
    if unknown:
        raise Wrong(f"counts have no {min(unknown)}")
    return kept


def check(data):
    """Returns the marks as they are kept, or refuses them."""
    if not isinstance(data, dict) or data.get("version") != VERSION:
        raise Wrong(f"the marks are no object with version {VERSION}")
    unknown = data.keys() - {"version", "width", "height", "spans", "counts"}
    if unknown:
        raise Wrong(f"marks have no {min(unknown)}")
    kept = {"version": VERSION}
    size = data.get("width"), data.get("height")
    if size != (None, None):
        if not all(type(v) is int and 0 < v < 1 << 16 for v in size):
            raise Wrong("width and height are whole numbers of pixels, both or none")
        kept |= {"width": size[0], "height": size[1]}
    for name, check_one in ("spans", check_span), ("counts", check_count):
        listed = data.get(name, [])
        if not isinstance(listed, list) or len(listed) > MOST:
            raise Wrong(f"{name} is a list of at most {MOST} objects")
        kept[name] = [check_one(one) for one in listed]
    return kept


def parse(text):
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise Wrong("the marks are no JSON") from None
    return check(data)


def load(path):
    """The marks in a file, which are not empty."""
    try:
        text = textfile.read(path, LIMIT)
    except ValueError as error:
        raise Wrong(str(error)) from None
    try:
        marks = parse(text)
    except Wrong as error:
        raise Wrong(f"{path}: {error}") from None
    if not marks["spans"] and not marks["counts"]:
        raise Wrong(f"{path} has no spans and no counts")
    return marks


def until(marks, time):
    """Those that are over at a time. A count of the whole video never is."""
    return marks | {
        "spans": [span for span in marks["spans"] if span["to"] <= time],
        "counts": [count for count in marks["counts"] if count.get("to", math.inf) <= time],
    }


def is_in(box, place):
    """Whether the centre of a box is in a place."""
    x, y, w, h = place
    return 2 * x <= 2 * box[0] + box[2] < 2 * (x + w) and \
        2 * y <= 2 * box[1] + box[3] < 2 * (y + h)


class Tally:
    """Compares what is found, in the order of time, with marks."""

    def __init__(self, marks):
        self.marks = marks
        self.frames = [0] * len(marks["spans"])
        self.active = [0] * len(marks["spans"])
        self.events = [0] * len(marks["spans"])
        self.pieces = [0] * len(marks["spans"])
        self.runs = [(0, 0.0, -math.inf)] * len(marks["spans"])
        self.counted = [dict.fromkeys(WAYS, 0) for _ in marks["counts"]]

    def wants(self, at):
        """Whether a frame is in any span."""
        return any(span["from"] <= at < span["to"] for span in self.marks["spans"])

    def add(self, at, boxes):
        """A frame and its components: x, y, width, height."""
        for n, span in enumerate(self.marks["spans"]):
            if not span["from"] <= at < span["to"]:
                continue
            place = span.get("box")
            found = sum(place is None or is_in(box, place) for box in boxes)
            self.frames[n] += 1
            self.active[n] += found > 0
            if place is not None and span["kind"] == "something":
                self.pieces[n] += max(0, found - 1)
            self.follow(n, at, found > 0)

    def follow(self, n, at, is_active):
        length, begin, last = self.runs[n]
        if not is_active:
            self.runs[n] = 0, begin, last
            return
        length, begin = length + 1, begin if length else at
        if length == RUN and begin - last > GAP:
            self.events[n] += 1
        self.runs[n] = length, begin, at if length >= RUN else last

    def cross(self, at, line, way):
        for count, counted in zip(self.marks["counts"], self.counted):
            if count["line"] == line and count.get("from", 0) <= at < count.get("to", math.inf):
                counted[way] += 1

    def result(self):
        """Sums over all marks; None where there is nothing to divide by."""
        there = [n for n, span in enumerate(self.marks["spans"]) if span["kind"] == "something"]
        empty = [n for n in range(len(self.frames)) if n not in there]
        hits, asked = sum(self.active[n] for n in there), sum(self.frames[n] for n in there)
        false, quiet = sum(self.active[n] for n in empty), sum(self.frames[n] for n in empty)
        pieces = sum(self.pieces)
        true = sum(count[way] for count in self.marks["counts"] for way in WAYS)
        off = sum(abs(count[way] - counted[way]) for way in WAYS
                  for count, counted in zip(self.marks["counts"], self.counted))
        result = {
            "recall": hits / asked if asked else None,
            "false": false / quiet if quiet else None,
            "false_events": sum(self.events[n] for n in empty),
            "pieces": pieces / asked if asked else None,
            "f": 2 * hits / (hits + asked + false + pieces) if asked else None,
            "count_error": off / max(1, true) if self.marks["counts"] else None,
            "spans": [list(row) for row in zip(self.frames, self.active, self.events, self.pieces)],
            "counts": self.counted,
        }
        return result | {"score": score(result)}


def score(result):
    """From 0 to 1: the mean of what the marks can say. Without something to find, the part of
    the frames without false components takes the place of F."""
    parts = []
    if result["f"] is not None:
        parts.append(result["f"])
    elif result["false"] is not None:
        parts.append(1 - result["false"])
    if result["count_error"] is not None:
        parts.append(max(0.0, 1 - result["count_error"]))
    return sum(parts) / len(parts) if parts else None
