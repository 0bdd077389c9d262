# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: marks.py TEXTFILE.PY MARKS.PY HALVING.PY [TEST...]

The parts of examples/tune that use no GStreamer: marks, their scores, and the order of a search."""

import itertools
import json
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
for path in sys.argv[1:4]:
    sys.path.insert(0, os.path.dirname(path))
del sys.argv[1:4]

import halving
import marks as marking

RATE = 10


def something(begin, end, **rest):
    return {"kind": "something", "from": begin, "to": end, **rest}


def nothing(begin, end, **rest):
    return {"kind": "nothing", "from": begin, "to": end, **rest}


def marked(*spans, counts=()):
    return marking.check({"version": 1, "spans": list(spans), "counts": list(counts)})


def tally(marks, text, box=(10, 10, 4, 4)):
    """Of a letter for each frame: x is one with the box, . one without."""
    counter = marking.Tally(marks)
    for frame, letter in enumerate(text):
        counter.add(frame / RATE, [box] if letter == "x" else [])
    return counter


class Scores(unittest.TestCase):
    def test_frames(self):
        """A span has its first frame, and not the one at its end."""
        result = tally(marked(something(0.2, 0.6), nothing(0.6, 1.1)), "xx.xxx.x.xxxxx").result()
        self.assertEqual(result["spans"], [[4, 3, 1, 0], [5, 3, 1, 0]])
        self.assertEqual((result["recall"], result["false"]), (3 / 4, 3 / 5))
        self.assertEqual(result["f"], 2 * 3 / (2 * 3 + 1 + 3))
        self.assertEqual(result["score"], result["f"])

    def test_places(self):
        """Centres of boxes: the left and upper edge of a place are in it, the others are not."""
        for box, is_in in (((8, 8, 4, 4), True), ((7, 8, 4, 4), False), ((7, 8, 5, 4), False),
                           ((7, 8, 6, 4), True), ((18, 8, 4, 4), False), ((17, 8, 5, 4), True),
                           ((8, 28, 4, 4), False), ((8, 27, 4, 5), True), ((8, 7, 4, 5), False),
                           ((0, 0, 80, 80), False), ((0, 0, 30, 40), True)):
            marks = marked(something(0, 1, box=[10, 10, 10, 20]))
            self.assertEqual(tally(marks, "x", box).result()["recall"], float(is_in), box)
        counter = marking.Tally(marked(something(0, 1, box=[0, 0, 9, 9])))
        counter.add(0, [(50, 50, 2, 2), (1, 1, 2, 2)])
        self.assertEqual(counter.result()["recall"], 1)

    def test_pieces(self):
        """The box of something is drawn around one object: further components are false."""
        for place, kind, pieces in (([0, 0, 9, 9], "something", 3), (None, "something", 0),
                                    ([0, 0, 9, 9], "nothing", 0)):
            span = {"kind": kind, "from": 0, "to": 1} | ({"box": place} if place else {})
            counter = marking.Tally(marked(span))
            for n in 3, 2, 1, 0:
                counter.add(0, [(1 + i, 1, 2, 2) for i in range(n)] + [(50, 50, 2, 2)] * bool(place))
            result = counter.result()
            self.assertEqual(result["spans"], [[4, 3, 1, pieces]])
            if kind == "something":
                self.assertEqual(result["f"], 2 * 3 / (3 + 4 + pieces))
                self.assertEqual(result["pieces"], pieces / 4)

    def test_events(self):
        """Two frames in a row make an event; within a second it is the same one."""
        for text, events in (
                ("x.x.x.x.x.x.", 0), ("xx", 1), ("xxxxxxxx", 1), ("xx.xx.xx", 1),
                ("xx" + 9 * "." + "xx", 1), ("xx" + 10 * "." + "xx", 2),
                ("xx" + 10 * "." + "x.x", 1), ("xx" + 8 * "." + "x" + 8 * "." + "xx", 2),
                ("xx" + 10 * "." + "xx" + 10 * "." + "xxx", 3)):
            result = tally(marked(nothing(0, 10)), text).result()
            self.assertEqual(result["false_events"], events, text)
        # each span begins anew
        marks = marked(nothing(0, 0.2), nothing(0.2, 0.4), something(0.4, 9))
        self.assertEqual(tally(marks, 9 * "x").result()["false_events"], 2)

    def test_counts(self):
        marks = marked(counts=[{"line": "gate", "to-left": 2, "to-right": 1},
                               {"line": "gate", "from": 1, "to": 2, "to-right": 1},
                               {"line": "door"}])
        counter = marking.Tally(marks)
        for at, line, way in ((0.5, "gate", "to-left"), (1, "gate", "to-right"),
                              (2, "gate", "to-right"), (3, "other", "to-left"),
                              (3, "door", "to-left")):
            counter.cross(at, line, way)
        result = counter.result()
        self.assertEqual(result["counts"], [
            {"to-left": 1, "to-right": 2}, {"to-left": 0, "to-right": 1},
            {"to-left": 1, "to-right": 0}])
        self.assertEqual(result["count_error"], (1 + 1 + 0 + 1) / 4)
        self.assertEqual(result["score"], 1 - 3 / 4)
        self.assertEqual((result["f"], result["recall"], result["false"]), (None, None, None))
        for _ in range(9):
            counter.cross(3, "door", "to-left")
        self.assertEqual(counter.result()["score"], 0)

    def test_parts(self):
        """The score is the mean of what the marks can say."""
        marks = marked(something(0, 1), counts=[{"line": "gate", "to-left": 2}])
        counter = tally(marks, "xxxxx.....")
        counter.cross(0, "gate", "to-left")
        self.assertEqual(counter.result()["score"], (2 / 3 + 1 / 2) / 2)
        self.assertEqual(tally(marked(nothing(0, 1)), "xxx.......").result()["score"], 0.7)
        self.assertIsNone(tally(marked(something(5, 6)), "xxx").result()["score"])
        self.assertIsNone(tally(marked(), "xxx").result()["score"])
        self.assertEqual(tally(marked(something(0, 1)), "...").result()["score"], 0)
        self.assertTrue(marking.Tally(marks).wants(0))
        self.assertTrue(marking.Tally(marks).wants(0.99))
        self.assertFalse(marking.Tally(marks).wants(1))

    def test_until(self):
        marks = marked(something(0, 2), nothing(1, 3), counts=[
            {"line": "a"}, {"line": "b", "from": 0, "to": 2}])
        part = marking.until(marks, 2)
        self.assertEqual([span["to"] for span in part["spans"]], [2])
        self.assertEqual([count["line"] for count in part["counts"]], ["b"])
        self.assertEqual(len(marks["spans"]), 2)


class File(unittest.TestCase):
    GOOD = {"version": 1, "width": 640, "height": 360,
            "spans": [something(1, 2.5, box=[0, -3, 9, 9]), nothing(0, 0.1)],
            "counts": [{"line": "gate", "to-left": 0, "to-right": 3}]}

    def test_good(self):
        self.assertEqual(marking.check(self.GOOD), self.GOOD)
        self.assertEqual(marking.parse('{"version": 1}'),
                         {"version": 1, "spans": [], "counts": []})
        self.assertEqual(marking.parse('{"version": 1, "width": 65535, "height": 1}')["width"], 65535)
        self.assertEqual(marking.parse('{"version": 1, "counts": [{"line": "a"}]}')["counts"],
                         [{"line": "a", "to-left": 0, "to-right": 0}])

    def test_greatest(self):
        most = (1 << 20) - 1
        marks = {"version": 1, "spans": [something(0, 1e7, box=[-most, most, 1, most])] * 1000,
                 "counts": [{"line": "a", "to-left": (1 << 31) - 1, "to-right": 0}] * 1000}
        self.assertEqual(marking.check(marks), marks)

    def test_bad(self):
        for text, said in (
                ("x", "the marks are no JSON"), ("[" * 100000, "the marks are no JSON"),
                ("[]", "the marks are no object with version 1"),
                ('{"version": 2}', "the marks are no object with version 1"),
                ('{"version": 1, "truth": 1}', "marks have no truth"),
                ('{"version": 1, "width": 2}', "width and height are whole numbers of pixels"),
                ('{"version": 1, "width": 0, "height": 1}', "width and height are whole numbers"),
                ('{"version": 1, "width": 1, "height": 65536}', "width and height are whole"),
                ('{"version": 1, "spans": {}}', "spans is a list of at most 1000 objects"),
                (json.dumps({"version": 1, "counts": [{"line": "a"}] * 1001}),
                 "counts is a list of at most 1000 objects")):
            with self.assertRaisesRegex(marking.Wrong, said):
                marking.parse(text)
        for span, said in (
                (1, "each of spans is an object whose kind is something or nothing"),
                ({"kind": "cat", "from": 0, "to": 1}, "whose kind is something or nothing"),
                (something(1, 1), "from and to are seconds in the video, and to is later"),
                (something(-1, 1), "from and to are seconds"),
                (something(0, True), "from and to are seconds"),
                (something(0, float("nan")), "from and to are seconds"),
                (something(0, 1e7 + 1), "from and to are seconds"),
                (something(0, 1, box=[1, 2, 3]), "box is x, y, width and height"),
                (something(0, 1, box=[1, 2, 0, 3]), "box is x, y, width and height"),
                (something(0, 1, box=[-1 << 20, 2, 3, 4]), "box is x, y, width and height"),
                (something(0, 1, box=[1, 2, 3, 1 << 20]), "box is x, y, width and height"),
                (something(0, 1, box=[1, 2, 3, 4.5]), "box is x, y, width and height"),
                (something(0, 1, colour=1), "spans have no colour")):
            with self.assertRaisesRegex(marking.Wrong, said):
                marked(span)
        for count, said in (
                ({}, "each of counts is an object with the name of a line"),
                ({"line": "a", "to-left": -1}, "to-left of a is a whole number from 0"),
                ({"line": "a", "to-right": 1 << 31}, "to-right of a is a whole number from 0"),
                ({"line": "a", "to-left": 1.0}, "to-left of a is a whole number from 0"),
                ({"line": "a", "from": 1}, "counts: from and to are seconds"),
                ({"line": "a", "both": 1}, "counts have no both")):
            with self.assertRaisesRegex(marking.Wrong, said):
                marked(counts=[count])

    def test_load(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "marks.json")
            for text, said in ((None, "cannot be read: No such file"),
                               (b"\xff\xfe", "cannot be read: it is no text"),
                               (b" " * (1 << 20) + b" ", "has more than 1048576 bytes"),
                               (b"{", f"{path}: the marks are no JSON"),
                               (b'{"version": 1}', "has no spans and no counts")):
                if text is not None:
                    with open(path, "wb") as f:
                        f.write(text)
                with self.assertRaisesRegex(marking.Wrong, said):
                    marking.load(path)
            with open(path, "w", encoding="utf-8") as f:
                f.write(json.dumps(self.GOOD).ljust(1 << 20))
            self.assertEqual(marking.load(path), self.GOOD)


SWEEPS = {"a": [0, 1, 2, 3, 4, 5, 6, 7], "b": [10, 20, 40], "c": ["x", "y"],
          "d": [1, 2, 3, 4, 5], "e": [False, True]}
START = {"a": 4, "b": 20, "c": "x", "d": 3, "e": False}
MARKS = marked(*(span for n in range(30) for span in (
    something(3 * n, 3 * n + 1), nothing(3 * n + 1, 3 * n + 2))))


class Search(unittest.TestCase):
    def play(self, score, starts=(START,), sweeps=None, marks=MARKS, first=halving.FIRST):
        """A whole search; returns it and its rounds."""
        search = halving.Halving(sweeps or SWEEPS, list(starts), marks, first)
        rounds = []
        while round_ := search.round():
            rounds.append(round_)
            search.take([{"score": score(setting)} for setting in round_[2]])
            self.assertLess(len(rounds), 9)
        return search, rounds

    def test_sample(self):
        """Each value is equally frequent; few combinations are all tried."""
        found = halving.sample(SWEEPS, 60)
        self.assertEqual(found, halving.sample(SWEEPS, 60))
        for name, values in SWEEPS.items():
            counts = [sum(one[name] == value for one in found) for value in values]
            self.assertLessEqual(max(counts) - min(counts), 1, name)
        small = {"b": [1, 2, 3], "c": [4, 5]}
        self.assertEqual(halving.sample(small, 6), [
            {"b": b, "c": c} for b, c in itertools.product(*small.values())])

    def test_rounds(self):
        """Fewer settings on longer parts, then the neighbours of the best on all."""
        search, rounds = self.play(lambda one: 1 - abs(one["a"] - 2) / 9 - abs(one["b"] - 30) / 99)
        ends = [end for end, _, _ in rounds]
        self.assertEqual(ends, [10, 29, None, None])
        for end, marks, _ in rounds[:2]:
            self.assertEqual(marks, marking.until(MARKS, end))
            share = sum(span["to"] - span["from"] for span in marks["spans"]) / 60
            self.assertAlmostEqual(share, 1 / 9 if end == 10 else 1 / 3, delta=0.03)
        self.assertEqual(rounds[2][1], MARKS)
        sizes = [len(tried) for _, _, tried in rounds]
        self.assertTrue(45 < sizes[0] <= 55, sizes)     # some combinations are there twice
        for more, fewer in zip(sizes[:2], sizes[1:3]):
            third = max(6, -(-more // 3))
            self.assertIn(fewer, (third, third + 1))
        for _, _, tried in rounds:
            self.assertEqual(len({halving.key_of(one) for one in tried}), len(tried))
        for _, _, tried in rounds[:3]:
            self.assertIn(START, tried)
        whole = rounds[2][2] + rounds[3][2]
        self.assertEqual(len({halving.key_of(one) for one in whole}), len(whole))
        self.assertEqual(len(search.best), len(whole))
        best = search.best[0]
        self.assertEqual((best[0]["a"], best[1]["score"]),
                         (2, max(result["score"] for _, result in search.best)))
        self.assertEqual(best[0]["b"], 30)      # halfway between two of its values

    def test_kept(self):
        """The best third goes on."""
        def value(one):
            return (one["a"] * 31 + one["b"] * 7 + one["d"] * 3 + (one["c"] == "x")) % 101

        _, rounds = self.play(lambda one: value(one) / 101)
        for (_, _, tried), (_, _, kept) in zip(rounds[:2], rounds[1:3]):
            least = min(value(one) for one in kept if one != START)
            dropped = [value(one) for one in tried if one not in kept]
            self.assertTrue(all(least >= one for one in dropped))

    def test_third(self):
        """A third that is no whole number is rounded up, and six are kept in any case."""
        for count, kept in ((15, 6), (18, 6), (19, 7), (21, 7)):
            start = {"a": 0}
            search = halving.Halving({"a": list(range(count))}, [start], MARKS)
            tried = search.round()[2]
            self.assertEqual(len(tried), count)
            search.take([{"score": 1 - one["a"] / count} for one in tried])
            self.assertEqual([one["a"] for one in search.round()[2]], list(range(kept)))

    def test_ties(self):
        """Of equal settings the one most like the start is the best; and unknown scores are
        the worst."""
        search, _ = self.play(lambda one: 0.5)
        self.assertEqual(search.best[0][0], START)
        search, _ = self.play(lambda one: float(one["a"] != START["a"]))
        best = [halving.distance(SWEEPS, setting, START) for setting, result in search.best
                if result["score"]]
        self.assertEqual(best, sorted(best))
        self.assertLess(best[0], best[-1])
        search, _ = self.play(lambda one: None if one == START else 0.1)
        self.assertNotEqual(search.best[0][0], START)
        for better in START | {"a": 7}, START | {"b": 40, "e": True}:
            search, _ = self.play(lambda one, better=better: float(one == better),
                                  [START, better])
            self.assertEqual(search.best[0][0], better)

    def test_no_worse(self):
        """A start that is bad on the first marks and good on all of them is not lost."""
        search = halving.Halving(SWEEPS, [START], MARKS)
        while round_ := search.round():
            whole = round_[0] is None
            search.take([{"score": float((one == START) == whole)} for one in round_[2]])
        self.assertEqual(search.best[0], (START, {"score": 1.0}))

    def test_ends(self):
        """A round has marks of both kinds, and is shorter than the whole."""
        late = marked(*(something(n, n + 1) for n in range(9)), nothing(9, 10), nothing(20, 29))
        self.assertEqual(halving.ends(late), [10, None])
        self.assertEqual(halving.ends(marked(something(0, 1), nothing(1, 1.1))), [None])
        self.assertEqual(halving.ends(marked(counts=[{"line": "a"}])), [None])
        self.assertEqual(halving.ends(marked(*(nothing(n, n + 1) for n in range(9)))),
                         [1, 3, None])

    def test_work(self):
        """The work that is left is never less than what is done later."""
        search = halving.Halving(SWEEPS, [START], MARKS)
        before = search.work(100)
        while round_ := search.round():
            self.assertLessEqual(search.work(100), before)
            cost = len(round_[2]) * (100 if round_[0] is None else round_[0])
            before = search.work(100) - cost
            self.assertGreaterEqual(before, -1e-9)
            search.take([{"score": 0.5} for _ in round_[2]])

    def test_default_sweeps(self):
        for mode in "sigma-delta", "difference", "threshold", "otsu":
            for width in 16, 320, 640, 1920, 7680:
                for name, values in halving.default_sweeps(mode, width).items():
                    self.assertEqual(values, sorted(set(values)), name)
        sweeps = halving.default_sweeps("sigma-delta", 640)
        self.assertEqual(sweeps["min-area"], [30, 60, 120, 240, 480])
        self.assertEqual((sweeps["open-radius"], sweeps["close-radius"]), ([0, 1, 2], [0, 1, 2, 4]))
        sweeps = halving.default_sweeps("sigma-delta", 3840)
        self.assertEqual((sweeps["min-area"][2], sweeps["open-radius"], sweeps["close-radius"]),
                         (4320, [0, 6, 7], [0, 6, 12, 15]))


if __name__ == "__main__":
    unittest.main()
