#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Scores of ids that can be worked out by hand, and random ones beside py-motmetrics
where that is installed."""

import random
import unittest

from identity import IdScore

try:
    import motmetrics
    import numpy
    from match import overlap
except ImportError:
    motmetrics = None

HERE, THERE = (0, 0, 10, 10), (100, 0, 10, 10)


def score(*frames):
    """Each frame is (found, truth)."""
    total = IdScore(0.3)
    for found, truth in frames:
        total.add(found, truth)
    return total.result()


class Known(unittest.TestCase):
    def check(self, result, mota, idf1, switches, misses=0, false=0):
        self.assertAlmostEqual(result["mota"], mota)
        self.assertAlmostEqual(result["idf1"], idf1)
        self.assertEqual([result[key] for key in ("switches", "misses", "false")],
                         [switches, misses, false])

    def test_perfect(self):
        frame = {1: HERE, 2: THERE}, {"a": THERE, "b": HERE}
        self.check(score(*4 * [frame]), mota=1, idf1=1, switches=0)

    def test_nothing_found(self):
        self.check(score(*4 * [({}, {"a": HERE})]), mota=0, idf1=0, switches=0, misses=4)

    def test_nothing_there(self):
        self.check(score(*4 * [({1: HERE}, {})]), mota=0, idf1=0, switches=0, false=4)

    def test_new_id(self):
        truth = {"a": HERE}
        self.check(score(*6 * [({1: HERE}, truth)], *4 * [({2: HERE}, truth)]),
                   mota=0.9, idf1=0.6, switches=1)

    def test_swapped(self):
        truth = {"a": HERE, "b": THERE}
        self.check(score(*5 * [({1: HERE, 2: THERE}, truth)], *5 * [({2: HERE, 1: THERE}, truth)]),
                   mota=0.9, idf1=0.5, switches=2)

    def test_back_with_its_id(self):
        truth = {"a": HERE}
        self.check(score(*4 * [({1: HERE}, truth)], *3 * [({}, truth)], *3 * [({1: HERE}, truth)]),
                   mota=0.7, idf1=14 / 17, switches=0, misses=3)

    def test_back_with_a_new_id(self):
        truth = {"a": HERE}
        self.check(score(*4 * [({1: HERE}, truth)], *3 * [({}, truth)], *3 * [({2: HERE}, truth)]),
                   mota=0.6, idf1=8 / 17, switches=1, misses=3)

    def test_nowhere_near(self):
        self.check(score(*4 * [({1: THERE}, {"a": HERE})]),
                   mota=-1, idf1=0, switches=0, misses=4, false=4)

    def test_partner_is_kept(self):
        """Though another one comes that is nearer."""
        truth, moved = {"a": HERE}, (5, 0, 10, 10)
        self.check(score(({1: HERE}, truth), ({1: moved, 2: HERE}, truth)),
                   mota=0.5, idf1=0.8, switches=0, false=1)

    def test_least_overlap(self):
        """30 of 100 pixels are enough, 29 are not."""
        self.check(score(({1: (0, 0, 30, 1)}, {"a": (0, 0, 100, 1)})), mota=1, idf1=1, switches=0)
        self.check(score(({1: (0, 0, 29, 1)}, {"a": (0, 0, 100, 1)})),
                   mota=-1, idf1=0, switches=0, misses=1, false=1)

    def test_most_pairs(self):
        """Two pairs are better than one of a greater overlap."""
        truth = {"a": (0, 0, 100, 1), "b": (60, 0, 100, 1)}
        self.check(score(({1: (25, 0, 100, 1), 2: (-50, 0, 100, 1)}, truth)),
                   mota=1, idf1=1, switches=0)

    def test_best_pairs_over_all_frames(self):
        """IDF1 gives id 1 to b, which leaves id 2 for a."""
        both = {"a": HERE, "b": THERE}
        self.check(score(*3 * [({1: HERE}, both)], *4 * [({1: THERE, 2: HERE}, both)]),
                   mota=1 - 4 / 14, idf1=2 * 8 / 25, switches=1, misses=3)


def walk(rng, frames=40):
    """Objects that move, are missed, change and swap their ids, and false detections."""
    things = {i: [rng.uniform(0, 60), rng.uniform(0, 60), rng.uniform(8, 20), rng.uniform(8, 20),
                  rng.uniform(-3, 3), rng.uniform(-3, 3)] for i in range(rng.randint(1, 6))}
    names, fresh = {i: i for i in things}, iter(range(100, 10000))
    for _ in range(frames):
        found, truth = {}, {}
        for i, thing in things.items():
            thing[0] += thing[4]
            thing[1] += thing[5]
            if rng.random() < 0.05:
                names[i] = next(fresh)
            if rng.random() < 0.05:
                other = rng.choice(list(things))
                names[i], names[other] = names[other], names[i]
        for i, (x, y, width, height, *_) in things.items():
            if rng.random() < 0.9:
                truth[i] = x, y, width, height
            if rng.random() < 0.8:
                found[names[i]] = x + rng.uniform(-4, 4), y + rng.uniform(-4, 4), width, height
        for _ in range(rng.randint(0, 2)):
            found[next(fresh)] = rng.uniform(0, 60), rng.uniform(0, 60), 12, 12
        yield found, truth


@unittest.skipUnless(motmetrics, "py-motmetrics is not installed")
class Motmetrics(unittest.TestCase):
    def test_random(self):
        for seed in range(50):
            frames = list(walk(random.Random(seed)))
            theirs = motmetrics.MOTAccumulator(auto_id=True)
            for found, truth in frames:
                distances = [[1 - o if (o := overlap(a, b)) >= 0.3 else numpy.nan
                              for b in found.values()] for a in truth.values()]
                theirs.update(list(truth), list(found),
                              numpy.array(distances).reshape(len(truth), len(found)))
            theirs = motmetrics.metrics.create().compute(
                theirs, metrics=["mota", "idf1", "num_switches"]).iloc[0]
            ours = score(*frames)
            self.assertAlmostEqual(ours["mota"], theirs["mota"], msg=f"seed {seed}")
            self.assertAlmostEqual(ours["idf1"], theirs["idf1"], msg=f"seed {seed}")
            self.assertEqual(ours["switches"], theirs["num_switches"], f"seed {seed}")


if __name__ == "__main__":
    unittest.main()
