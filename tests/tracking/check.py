#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""ccatrack and the rule give the same ids: those that are worked out here by hand, and
those of random things, which another --seed makes others."""

import argparse
import collections
import random
import struct
import sys
import unittest

if "--skip" in sys.argv:
    sys.exit(77)
try:
    import gi
except ImportError:
    print("PyGObject is missing (package python3-gi)")
    sys.exit(77)

import scenes
from element import Element, Gst
from rule import BARE, Line, Tracker, Zone, point

SIZE = 640, 480


def moved(box, dx, dy=0):
    return box[0] + dx, box[1] + dy, *box[2:]


class Known(unittest.TestCase):
    """Each frame is a list of boxes and the ids that they get."""

    def check(self, frames, **properties):
        properties = {name.replace("_", "-"): value for name, value in properties.items()}
        tracker, element = Tracker(properties), Element(properties)
        self.addCleanup(element.close)
        for n, (boxes, ids) in enumerate(frames):
            self.assertEqual(tracker.frame(boxes, SIZE), ids, f"the rule, frame {n}")
            self.assertEqual(element.frame(boxes, SIZE), ids, f"ccatrack, frame {n}")

    def test_third_hit(self):
        a, b = (10, 10, 20, 20), (100, 10, 20, 20)
        self.check([([a], [-1]), ([a, b], [-1, -1]), ([b, a], [-1, 1]), ([b, a], [2, 1])])

    def test_ids_in_record_order(self):
        a, b = (10, 10, 20, 20), (100, 10, 20, 20)
        self.check(2 * [([a, b], [-1, -1])] + [([b, a], [1, 2])])

    def test_tentative_goes_at_once(self):
        a = (10, 10, 20, 20)
        self.check([([a], [-1]), ([a], [-1]), ([], []), ([a], [-1]), ([a], [-1]), ([a], [1])])

    def test_lost(self):
        """15 frames without it are not too many, 16 are."""
        a = (10, 10, 20, 20)
        self.check([([a], [1])] + 15 * [([], [])] + [([a], [1])] + 16 * [([], [])] + [([a], [2])],
                   min_hits=1)
        self.check([([a], [1]), ([], []), ([a], [2])], min_hits=1, max_lost=0)

    def test_coasts(self):
        """It comes out where its velocity takes it, another one where it was."""
        way = [moved((10, 10, 20, 20), 15 * i) for i in range(12)]
        self.check([([box], [1]) for box in way[:5]] + 5 * [([], [])]
                   + [([way[4], way[10]], [2, 1])], min_hits=1)

    def test_floor(self):
        """A centre that goes from 100.5 to 100 has then the velocity floor(-128 / 8) = -16:
        floor((-16 k + 128) / 256) is 0 for 8 frames, and -1 for 9."""
        a, wide = (100, 10, 1, 1), (99, 10, 2, 1)
        for empty, ids in (7, [2, 1]), (8, [1, 2]):
            self.check([([a], [1]), ([a], [1]), ([wide], [1])] + empty * [([], [])]
                       + [([moved(wide, -1), wide], ids)], min_hits=1)

        # over 3 frames it is floor(-128 / 3) = -43, and floor((-43 * 3 + 128) / 256) = -1
        pause = 2 * [([], [])]
        self.check([([a], [1])] + pause + [([wide], [1])] + pause
                   + [([moved(wide, -1), wide], [1, 2])], min_hits=1)

    def test_split(self):
        """The piece with the greater overlap keeps the id."""
        whole, left, right = (100, 10, 30, 20), (100, 10, 12, 20), (112, 10, 18, 20)
        self.check([([whole], [1]), ([whole], [1]), ([left, right], [2, 1])], min_hits=1)

    def test_merged(self):
        """The larger one takes the blob; the other one comes out of it with its id."""
        small, large = (100, 10, 10, 20), (112, 10, 20, 20)
        both = (100, 10, 32, 20)
        self.check(2 * [([small, large], [1, 2])] + 4 * [([both], [2])]
                   + [([small, large], [1, 2])], min_hits=1)

    def test_confirmed_first(self):
        """A track with an id is matched first, even if the overlap is smaller."""
        a, b = (100, 10, 20, 20), (122, 10, 20, 20)
        self.check(2 * [([a], [-1])] + [([a], [1]), ([a, b], [1, -1]), ([moved(a, 18)], [1])],
                   max_distance=0)

    def test_distance(self):
        """Small and fast: as far as the mean of the widths, no further."""
        a = (100, 10, 4, 4)
        self.check([([a], [1]), ([moved(a, 4, -4)], [1])], min_hits=1)
        self.check([([a], [1]), ([moved(a, 5)], [2])], min_hits=1)
        self.check([([a], [1]), ([moved(a, 5)], [1])], min_hits=1, max_distance=125)
        self.check([([a], [1]), ([moved(a, 4)], [2])], min_hits=1, max_distance=0)
        # without step 3 not even one in the same place
        for most, i in (1, 1), (0, 2):
            self.check([([a], [1]), ([(98, 8, 8, 8)], [i])],
                       min_hits=1, min_overlap=30, max_distance=most)

    def test_least_overlap(self):
        """1/3 of the union is 33 %, and no 34 %."""
        a = (100, 10, 4, 4)
        for least, i in (33, 1), (34, 2):
            self.check([([a], [1]), ([moved(a, 2)], [i])],
                       min_hits=1, min_overlap=least, max_distance=0)

    def test_united(self):
        """Boxes that have a half of the smaller one in common are one, and so are chains of
        them. They are tracked as one box, and all get the id."""
        a, b, c, d = (10, 10, 20, 20), (20, 15, 20, 4), (35, 15, 10, 4), (41, 10, 20, 20)
        self.check([([a, b], [1, 1])], min_hits=1, unite=50)
        self.check([([a, b], [1, 2])], min_hits=1, unite=51)
        self.check([([a, c, b, d], [1, 1, 1, 2])], min_hits=1, unite=50)
        self.check([([a, c, b, d], [1, 1, 1, 1])], min_hits=1, unite=40)
        self.check([([c, d, a], [1, 2, 3]), ([d, a, b, c], [2, 3, 3, 3])], min_hits=1, unite=50)
        self.check([([a, b], [1, 2])], min_hits=1)
        # those beyond max-tracks unite with none
        self.check([([a, c, b], [1, 2, -1])], min_hits=1, unite=50, max_tracks=2)
        # what touches has nothing in common
        self.check([([a, (30, 10, 20, 20)], [1, 2])], min_hits=1, unite=1)

    def test_equal(self):
        """Of equals the older track and the earlier record come first."""
        a, b = (100, 10, 10, 10), (104, 10, 10, 10)
        self.check([([a, b], [1, 2]), ([(102, 10, 10, 10)], [1])], min_hits=1)
        self.check([([(102, 10, 10, 10)], [1]), ([b, a], [1, 2])], min_hits=1)

    def test_tracks_at_most(self):
        """The one that was missed for longest makes room, then the older one."""
        a, b, c, d = ((100 * i, 10, 20, 20) for i in range(4))
        self.check([([a, b, c, d], [1, 2, 3, -1]), ([b, a], [2, 1]), ([d], [4]), ([c], [5]),
                    ([a, b], [6, 2])], min_hits=1, max_tracks=3)

    def test_size(self):
        """A picture of another size ends all tracks."""
        a = (10, 10, 20, 20)
        tracker, element = Tracker({"min-hits": 1}), Element({"min-hits": 1})
        self.addCleanup(element.close)
        for size, i in (SIZE, 1), (SIZE, 1), ((640, 360), 2), ((480, 360), 3), (SIZE, 4):
            self.assertEqual(tracker.frame([a], size), [i])
            self.assertEqual(element.frame([a], size), [i])


class Lines(unittest.TestCase):
    """Boxes of 2x2 pixels, by their centres, and the crossings of an object that moves there."""

    def check(self, centres, line, *directions, **properties):
        properties = {"min-hits": 1, "max-distance": 1000, **BARE,
                      **{name.replace("_", "-"): value for name, value in properties.items()}}
        both = [of(properties, [Line("gate", *line)]) for of in (Tracker, Element)]
        self.addCleanup(both[1].close)
        for follow in both:
            for centre in centres:
                follow.frame([(centre[0] - 1, centre[1] - 1, 2, 2)] if centre else [], SIZE)
            self.assertEqual([event[4] for event, *_ in follow.take_events()
                              if event[0] == "crossed"], list(directions), type(follow))

    def test_directions(self):
        across, down = ((10, 50), (90, 50)), ((50, 10), (50, 90))
        self.check([(40, 48), (40, 52)], across, "to-right")
        self.check([(40, 52), (40, 48)], across, "to-left")
        self.check([(40, 52), (40, 48)], across[::-1], "to-right")
        self.check([(48, 40), (52, 40)], down, "to-left")
        self.check([(52, 40), (48, 40), (52, 40)], down, "to-right", "to-left")

    def test_beside(self):
        """The object passes beside the segment, at the ends and beyond."""
        for x, directions in (9, []), (10, ["to-right"]), (90, ["to-right"]), (91, []):
            self.check([(x, 48), (x, 52)], ((10, 50), (90, 50)), *directions)

    def test_oblique(self):
        """The end of the segment, from (10, 10) to (50, 30), is passed closely."""
        line = (10, 10), (50, 30)
        self.check([(48, 33), (50, 28)], line, "to-left")
        self.check([(48, 33), (54, 28)], line)

    def test_on_the_line(self):
        """That is its right side."""
        line = (10, 50), (90, 50)
        self.check([(40, 48), (40, 50), (40, 52)], line, "to-right")
        self.check([(40, 48), (40, 50), (40, 48)], line, "to-right", "to-left")
        self.check([(40, 52), (40, 50), (40, 52)], line)
        self.check([(40, 50), (42, 50), (44, 50)], line)

    def test_hidden(self):
        """While nothing is seen, nothing is crossed."""
        self.check([(40, 46), (40, 48), None, (40, 52)], ((10, 50), (90, 50)), "to-right")

    def test_without_an_id(self):
        way = [(40, 47), (40, 49), (40, 51), (40, 53)]
        line = (10, 50), (90, 50)
        self.check(way, line, "to-right", min_hits=3)
        self.check(way, line, min_hits=4)


class Counts(unittest.TestCase):
    """The centres of a square frame by frame, and for each crossing that counts the frame
    in which it happened, negative to the left, and the one in which it is told."""

    LINE = Line("gate", (0, 100), (200, 100))

    def check(self, centres, counted, line=LINE, size=40, **properties):
        properties = {"min-hits": 1, "max-distance": 1000,
                      **{name.replace("_", "-"): value for name, value in properties.items()}}
        both = [of(properties, [line]) for of in (Tracker, Element)]
        self.addCleanup(both[1].close)
        for follow in both:
            for centre in centres:
                x, y = centre if isinstance(centre, tuple) else (100, centre)
                follow.frame([(x - size // 2, y - size // 2, size, size)] if y else [], SIZE)
            self.assertEqual([((-1, 1)[event[4] == "to-right"] * event[5], event[6])
                              for event, *_ in follow.take_events() if event[0] == "crossed"],
                             counted, type(follow))

    def test_trembles(self):
        centres = [90, 98, 101, 99, 102, 98, 103, 110, 112, 115]
        self.check(centres, [(6, 8)])
        self.check(centres, [(2, 2), (-3, 3), (4, 4), (-5, 5), (6, 6)], **{
            name.replace("-", "_"): value for name, value in BARE.items()})

    def test_turns_back(self):
        self.check([90, 95, 103, 106, 97, 92, 88, 80, 70], [])
        self.check([90, 97, 100, 101, 100, 101, 100, 99, 95, 90, 80, 70], [])
        self.check([90, 110, 112, 114, 116, 90, 88, 86, 84], [(1, 2), (-5, 6)])

    def test_leaps(self):
        self.check([80, 80, 130, 80, 80, 80, 80], [])
        self.check([80, 80, 130, 130, 80, 80, 80, 80], [(2, 3), (-4, 5)])

    def test_unseen(self):
        self.check([80, 85] + 10 * [0] + [120, 122], [(12, 13)])
        self.check([90, 95, 102, 103], [])
        self.check([90, 95, 110], [])

    def test_core(self):
        self.check([90, 104, 104, 104, 104], [])
        self.check([90, 105, 105], [(1, 2)])
        self.check([95, 98, 102, 103, 104, 105, 106], [(2, 5)], size=10)

    def test_begins_on_it(self):
        self.check([99, 101, 104, 110, 112, 114], [])
        self.check([101, 104, 110, 112, 114], [])
        self.check([99, 101, 110, 112, 101, 98, 94, 90], [(-5, 7)])

    def test_end(self):
        self.check([(220, y) for y in (90, 110, 120, 130)], [])
        self.check([(200, y) for y in (90, 110, 120, 130)], [(1, 2)])

    def test_bend(self):
        bend = Line("gate", (100, 0), (100, 100), (200, 100))
        way = [(70, 130), (80, 120), (120, 80), (130, 70), (140, 60)]
        self.check(way, [(-2, 3)], bend, 20)
        self.check(way[:2] + [(100, 100)] + way[2:], [(-3, 4)], bend, 20)
        self.check([(60, 100), (80, 120), (100, 100), (120, 120), (140, 140)], [], bend, 20)


class Stays(unittest.TestCase):
    """The column of a box frame by frame, of which the zone is right of 100; what is told of
    the zone, with its times."""

    def check(self, columns, told, points=((100, 0), (200, 0), (200, 99), (100, 99)), y=50,
              properties=(), **options):
        properties = {"min-hits": 1, "max-distance": 1000, **dict(properties)}
        zone = Zone("door", *points, **options)
        both = [of(properties, (), [zone]) for of in (Tracker, Element)]
        self.addCleanup(both[1].close)
        for follow in both:
            for x in columns:
                follow.frame([(x - 10, y - 20, 20, 20)] if x else [], SIZE)
            events = [event for event, *_ in follow.take_events()]
            self.assertEqual([(event[0], event[4]) for event in events if event[3:4] == ("door",)
                              and event[0] != "occupancy"], told, type(follow))

    def test_hysteresis(self):
        inside = [99 + 2 * int(c) for c in "001101111010000"]
        self.check(inside, [("entered", 5), ("left", 11)], leave_frames=3)
        self.check(inside, [("entered", 5)])
        self.check(inside, [("entered", 2), ("left", 4), ("entered", 5), ("left", 9),
                            ("entered", 10), ("left", 11)], enter_frames=1, leave_frames=1)

    def test_begins_inside(self):
        """It entered when it got its id."""
        self.check(6 * [150], [("entered", 0)])
        self.check(6 * [150], [("entered", 2)], properties={"min-hits": 3})

    def test_lost(self):
        """As of the first frame without it, or that outside."""
        lost = {"properties": {"max-lost": 4}}
        self.check(4 * [150] + 5 * [0], [("entered", 0), ("left", 4)], **lost)
        self.check(4 * [150] + 3 * [90] + 5 * [0], [("entered", 0), ("left", 4)], **lost)
        self.check(4 * [150] + 3 * [90] + [150] + 5 * [0], [("entered", 0), ("left", 8)], **lost)
        self.check(4 * [150] + 4 * [0] + 2 * [150], [("entered", 0)], **lost)

    def test_loitering(self):
        """Once a stay, while it is seen inside."""
        self.check(9 * [150], [("entered", 0), ("loitering", 5)], loiter_time=5)
        self.check(5 * [150] + 3 * [90] + 3 * [0] + 4 * [150],
                   [("entered", 0), ("loitering", 11)], loiter_time=5)
        self.check(4 * [150] + 3 * [90] + 5 * [150],
                   [("entered", 0), ("loitering", 3), ("left", 4), ("entered", 7),
                    ("loitering", 10)], loiter_time=3, leave_frames=2)

    def test_edges(self):
        """Edges on the left and at the top are inside, others are not."""
        entered = [("entered", 0)]
        for x, told in (99, []), (100, entered), (199, entered), (200, []):
            self.check(4 * [x], told)
        for y, told in (99, []), (100, entered), (198, entered), (199, []):
            self.check(4 * [150], told, ((100, 100), (200, 100), (200, 199), (100, 199)), y)

    def test_even_odd(self):
        """A bow tie and points between its halves; points that it contains twice are outside."""
        tie = (100, 0), (200, 100), (200, 0), (100, 100)
        for x, told in (110, [("entered", 0)]), (150, []), (190, [("entered", 0)]):
            self.check(4 * [x], told, tie, 20)
        twice = 2 * ((100, 0), (200, 0), (200, 99), (100, 99))
        self.check(4 * [150], [], twice)

    def test_anchor(self):
        for anchor, told in ("bottom-center", []), ("center", [("entered", 0)]):
            self.check(4 * [150], told, y=100, anchor=anchor)

    def test_crowd(self):
        """Two of three for four frames; messages of the zone come after those of tracks."""
        zone = Zone("door", (0, 0), (99, 0), (99, 99), crowd=2, crowd_time=4, enter_frames=1,
                    leave_frames=1)
        a, b, c = ((x, 10, 4, 4) for x in (70, 80, 90))
        for follow in [of({"min-hits": 1, "max-lost": 0}, (), [zone]) for of in (Tracker, Element)]:
            self.addCleanup(getattr(follow, "close", int))
            for boxes in [a], [a, b], [a, b], [a, b, c], [a, b], [a, b], [a, b], [a]:
                follow.frame(boxes, SIZE)
            events = [event for event, *_ in follow.take_events()
                      if event[0] not in ("confirmed", "lost")]
            self.assertEqual([(event[0], event[4], event[7]) for event in events], [
                ("entered", 0, 1), ("occupancy", 0, 1), ("entered", 1, 2), ("occupancy", 1, 2),
                ("entered", 3, 3), ("occupancy", 3, 3), ("left", 4, 2), ("occupancy", 4, 2),
                ("crowded", 5, 2), ("left", 7, 1), ("occupancy", 7, 1), ("uncrowded", 7, 1)])
            self.assertEqual(events[-4][8:], (1,))
            self.assertEqual(follow.zone_counts(), {"door": [1, 3, 2, 7, 6]})

    def test_changed(self):
        """The same again stays; another polygon of the name does not."""
        door = (100, 0), (200, 0), (200, 99), (100, 99)
        for follow in [of({"min-hits": 1}) for of in (Tracker, Element)]:
            self.addCleanup(getattr(follow, "close", int))
            for zones in (Zone("door", *door),), (), (Zone("door", *door, loiter_time=6),), \
                    (), (Zone("door", *door[1:], door[0], crowd=1),), (), ():
                if zones:
                    follow.set_zones(zones)
                for _ in range(2):
                    follow.frame([(150, 50, 4, 4)], SIZE)
            follow.restart()
            self.assertEqual(
                [(event[0], event[4], *event[8:]) for event, *_ in follow.take_events()
                 if event[0] not in ("confirmed", "lost", "occupancy")],
                [("entered", 0), ("loitering", 6, 0), ("left", 8, 0, 8, "changed"),
                 ("entered", 8), ("crowded", 10, 10), ("left", 13, 8, 5, "dropped"),
                 ("uncrowded", 13)], type(follow))


def in_single_precision(points):
    return [struct.unpack("2f", struct.pack("2f", *point)) for point in points]


class Stops(unittest.TestCase):
    """The column of a box frame by frame, and what is told of it: with the first frame of its
    rest, or why it was lost. The zone is right of 100 and tells what it does as of a frame."""

    ZONE = Zone("door", (100, 0), (300, 0), (300, 99), (100, 99), enter_frames=1, loiter_time=8)

    def check(self, columns, told, size=SIZE, zones=(), **properties):
        properties = {"min-hits": 1, "max-lost": 2, "still-frames": 3, "max-stopped": 20,
                      **{name.replace("_", "-"): value for name, value in properties.items()}}
        for follow in [of(properties, (), zones) for of in (Tracker, Element)]:
            self.addCleanup(getattr(follow, "close", int))
            for columns_of_frame in columns:
                if isinstance(columns_of_frame, int):
                    columns_of_frame = [columns_of_frame]
                follow.frame([(x - 10, 30, 20, 20) for x in columns_of_frame if x], size)
            events = [event for event, *_ in follow.take_events()]
            of_tracks = [(event[0], event[1], *event[3:]) for event in events
                         if event[0] in ("stopped", "moved", "lost") or event[0] == "confirmed" and event[3]]
            self.assertEqual([event for event in of_tracks if event[0] in told[0]], told[1:],
                             type(follow))
            if zones:
                self.assertEqual(
                    [(event[0], event[4], *event[8:]) for event in events
                     if event[3:4] == ("door",) and event[0] != "occupancy"],
                    self.stays, type(follow))

    MOTION = ("stopped", "moved", "lost")
    COMES = [50, 65, 80, 95, 110, 125, 140]     # rests from frame 6

    def test_stopped_and_moved(self):
        self.check(self.COMES + 5 * [140], [self.MOTION, ("stopped", 1, 6)])
        self.check(self.COMES + [140, 141, 138, 142, 141, 143, 150],
                   [self.MOTION, ("stopped", 1, 6), ("moved", 1, 6)])
        # frames in which it is not seen count when it is seen again
        self.check(self.COMES + [0, 0, 140, 160, 160, 160, 160],
                   [self.MOTION, ("stopped", 1, 6), ("moved", 1, 6), ("stopped", 1, 10)],
                   max_distance=400)

    def test_was_always_there(self):
        self.check(9 * [140], [self.MOTION])
        self.check([121] + 9 * [140], [self.MOTION], max_distance=200)
        self.check([120] + 9 * [140], [self.MOTION, ("stopped", 1, 1)], max_distance=200)

    def test_absorbed(self):
        stops = self.COMES + 4 * [140]          # seen until frame 10
        self.check(stops + 22 * [0], [self.MOTION, ("stopped", 1, 6)])
        self.check(stops + 23 * [0], [self.MOTION, ("stopped", 1, 6), ("lost", 1, "unseen")])
        self.check(stops + 3 * [0], [self.MOTION, ("stopped", 1, 6), ("lost", 1, "unseen")],
                   max_stopped=0)
        # it did not rest long enough, or may have left at the edge
        self.check(self.COMES + 3 * [0], [self.MOTION, ("lost", 1, "unseen")])
        self.check(stops + 3 * [0], [self.MOTION, ("stopped", 1, 6), ("lost", 1, "unseen")],
                   size=(150, 480))
        self.check(stops + 3 * [0], [self.MOTION, ("stopped", 1, 6)], size=(151, 480))

    def test_replaced(self):
        """By what begins there, and not by what passes."""
        stops, absorbed = self.COMES + 4 * [140], [self.MOTION, ("stopped", 1, 6)]
        gone = [("moved", 1, 6), ("lost", 1, "replaced"), ("confirmed", 2, 1)]
        told = [(*self.MOTION, "confirmed"), *absorbed[1:], *gone]
        self.check(stops + 4 * [0] + [120], told)
        self.check(stops + 4 * [0] + [160], told)
        self.check(stops + 4 * [0] + [161, 150, 140, 130], absorbed)
        self.check(stops + 4 * [0] + [119, 130, 140, 150], absorbed)
        self.check(stops + 4 * [0] + [140, 0, 0], absorbed, min_hits=2)
        self.check(stops + 4 * [0] + [150, 140], told, min_hits=2)
        self.check(stops + 4 * [0] + [[140, 150]], told)

    def test_stays(self):
        """They go on, as of where it stopped, and an alarm of 8 frames is told."""
        stops = self.COMES + 4 * [140]
        self.stays = [("entered", 4), ("loitering", 13, 4)]
        self.check(stops + 22 * [0], [self.MOTION, ("stopped", 1, 6)], zones=[self.ZONE])
        self.stays += [("left", 33, 4, 29, "lost")]
        self.check(stops + 23 * [0], [("lost",), ("lost", 1, "unseen")], zones=[self.ZONE])
        self.stays[2:] = [("left", 15, 4, 11, "moved"), ("entered", 15)]
        self.check(stops + 4 * [0] + [140], [("lost",), ("lost", 1, "replaced")],
                   zones=[self.ZONE])
        self.stays = [("entered", 4), ("left", 11, 4, 7, "lost")]
        self.check(stops + 22 * [0], [("lost",), ("lost", 1, "unseen")], zones=[self.ZONE],
                   max_stopped=0)


class Random(unittest.TestCase):
    def check_events(self, told, right, what):
        self.assertEqual([event[0] for event in sorted(told)],
                         [event[0] for event in sorted(right)], what)
        for (_, first, last, path), (_, way) in zip(sorted(told), sorted(right)):
            self.assertEqual((first, last), (way[0], way[-1]), what)
            if path is not None:
                self.check_path(path, in_single_precision(map(point, way)), what)

    def check_path(self, path, way, what):
        """The path has all points of the way, or the maximum number of them."""
        if len(way) <= 64:
            self.assertEqual(path, way, what)
            return
        self.assertLessEqual(len(path), 64, what)
        self.assertGreaterEqual(len(path), 32, what)
        self.assertEqual((path[0], path[-1]), (way[0], way[-1]), what)
        rest = iter(way)
        self.assertTrue(all(point in rest for point in path), what)

    def some_lines(self, rng, size):
        """Few names and few points, so that lines are set again that were there before."""
        lines = []
        for i in rng.sample(range(4), rng.randint(1, 3)):
            points = []
            for _ in range(rng.choice((2, 2, 3, 4, 6))):
                point = tuple(min(rng.randrange(-side // 8, side + 1), 2**31 - 1)
                              for side in size)
                if points[-1:] != [point]:
                    points.append(point)
            if len(points) > 2 and rng.random() < 0.3 and points[0] != points[-1]:
                points.append(points[0])
            if len(points) > 1:
                lines.append(Line(f"line{i}", *points, **self.some_options(rng, 0.2)))
        return lines

    def some_zones(self, rng, size):
        zones = []
        for i in rng.sample(range(3), rng.randint(1, 3)):
            points = []
            while len(points) < rng.choice((3, 3, 4, 5, 9)):
                point = tuple(min(rng.randrange(-side // 8, side + 1), 2**31 - 1)
                              for side in size)
                if points[-1:] != [point]:
                    points.append(point)
            zones.append(Zone(f"zone{i}", *points, **self.some_zone_options(rng)))
        return zones

    def some_zone_options(self, rng):
        options = {"anchor": rng.choice(("center", "bottom-center", "top-center", "centroid")),
                   "enter_frames": rng.choice((1, 1, 2, 3, 20)),
                   "leave_frames": rng.choice((1, 1, 2, 3, 20)),
                   "loiter_time": rng.choice((1, 1, 2, 5)), "crowd": rng.choice((0, 1, 2, 3)),
                   "crowd_time": rng.choice((0, 1, 3))}
        return {name: value for name, value in options.items() if rng.random() < 0.7}

    def change_zones(self, rng, size, both):
        """Again, with other settings, or others."""
        kept = [Zone(inside.zone.name, *inside.zone.points, **self.some_zone_options(rng))
                for inside in both[0].insides if rng.random() < 0.7]
        names = {zone.name for zone in kept}
        kept += [zone for zone in self.some_zones(rng, size) if zone.name not in names]
        rng.shuffle(kept)
        for follow in both:
            follow.set_zones(kept)

    def some_options(self, rng, part):
        options = {"line_margin": rng.choice((0, 1, 20, 20, 100, 200)),
                   "line_margin_min": rng.choice((0, 0, 1, 3, 1000)),
                   "settle_frames": rng.choice((1, 2, 3, 5, 1000)),
                   "anchor": rng.choice(("center", "bottom-center", "top-center", "centroid")),
                   "direction": rng.choice(("any", "left", "right"))}
        return {name: value for name, value in options.items() if rng.random() < part}

    def change(self, rng, size, both):
        """Lines, some of which stay, properties, and counts."""
        lines = both[0].lines
        kind = rng.randrange(5)
        if kind == 4:
            self.change_zones(rng, size, both)
        elif kind == 0:
            name = rng.choice(["", *(line.name for line in lines), "zone0", "line9"])
            for follow in both:
                follow.reset_counts(name)
        elif kind == 1:
            options = self.some_options(rng, 0.5)
            options.pop("direction", None)
            for name, value in options.items():
                both[0].properties[name.replace("_", "-")] = value
                both[1].set(name.replace("_", "-"), value)
        else:
            kept = [Line(line.name, *line.points, **self.some_options(rng, 0.2))
                    for line in lines if rng.random() < 0.7]
            names = {line.name for line in kept}
            kept += [line for line in self.some_lines(rng, size) if line.name not in names]
            rng.shuffle(kept)
            for follow in both:
                follow.set_lines(kept)

    def differences(self, rng, frames, properties, size, restarts=0.0, changes=0.0):
        """The rule's events, if ccatrack does the same."""
        figures = self.some_lines(rng, size), self.some_zones(rng, size)
        both = tracker, element = [of(properties, *figures) for of in (Tracker, Element)]
        events = []
        try:
            for n, boxes in enumerate(frames):
                if rng.random() < restarts:
                    tracker.restart()
                    element.restart(by_flush=rng.random() < 0.5)
                if rng.random() < 0.05:
                    element.pass_by()
                while rng.random() < changes:
                    self.change(rng, size, both)
                what = f"frame {n} with {tracker.properties} and {tracker.lines}"
                warming_up = rng.random() < 0.5
                self.assertEqual(element.frame(boxes, size, warming_up),
                                 tracker.frame(boxes, size, warming_up), what)
                told = tracker.take_events()
                self.check_events(element.take_events(), told, what)
                events += told
            self.assertEqual(element.counts(), tracker.counts)
            self.assertEqual(element.zone_counts(), tracker.zone_counts())
            if set(BARE.items()) <= set(tracker.properties.items()):
                self.check_bare(tracker, events)
            return events
        finally:
            element.close()

    def check_bare(self, tracker, events):
        """A line of two points counts what a test of sides alone finds."""
        plain = {line.name for line in tracker.lines if len(line.points) == 2
                 and not line.options}
        directions = {1: "to-right", -1: "to-left"}
        self.assertEqual(
            [(event[3], event[1], event[2], event[4]) for event, _ in events
             if event[0] == "crossed" and event[3] in plain],
            [(name, *which, directions[reached]) for name, *which, reached
             in tracker.side_changes if name in plain])

    def test_small(self):
        """Many properties on few pixels, where all kinds of candidates are alike."""
        counts = collections.Counter()
        for seed in range(SEED, SEED + 60):
            with self.subTest(seed=seed):
                rng = random.Random(seed)
                properties = {
                    "min-hits": rng.choice((1, 1, 2, 3, 5)),
                    "max-lost": rng.choice((0, 1, 3, 15, 100)),
                    "min-overlap": rng.choice((0, 0, 1, 30, 50, 100)),
                    "max-distance": rng.choice((0, 50, 100, 100, 300, 1000)),
                    "max-tracks": rng.choice((1, 3, 8, 1024)),
                    **rng.choice(({}, {}, BARE)),
                }
                size = rng.choice(((12, 9), (30, 20), (80, 60)))
                frames = scenes.frames(rng, 40, *size, rng.choice((3, 10, 20)), rng.choice((1, 4)))
                changes = 0.05 if seed % 2 and "line-margin" not in properties else 0
                events = self.differences(rng, frames, properties, size, 0.01, changes)
                counts.update(event[0] for event, _ in events)
        for what in ("confirmed", "lost", "crossed", "entered", "left", "loitering", "occupancy"):
            self.assertGreater(counts[what], 20, what)
        for what in "crowded", "uncrowded":     # some seeds have only 8
            self.assertGreater(counts[what], 5, what)

    def test_stops(self):
        """Things that stop, and that the background absorbs or not."""
        counts = collections.Counter()
        for seed in range(SEED, SEED + 20):
            with self.subTest(seed=seed):
                rng = random.Random(seed)
                properties = {
                    "min-hits": rng.choice((1, 1, 2)),
                    "max-lost": rng.choice((0, 1, 3)),
                    "max-distance": rng.choice((0, 100)),
                    "max-tracks": rng.choice((4, 1024, 1024)),
                    "still-frames": rng.choice((1, 2, 5)),
                    "max-stopped": rng.choice((0, 10, 20, 20, 2**31 - 1)),
                }
                size = rng.choice(((40, 30), (80, 60)))
                frames = scenes.stops(rng, 100, *size, rng.randint(1, 5))
                events = self.differences(rng, frames, properties, size, 0.01, 0.03)
                counts.update(event[0] for event, _ in events)
                counts.update(event[3] for event, _ in events if event[0] == "lost")
        for what in "stopped", "moved", "replaced", "entered", "left", "loitering":
            self.assertGreater(counts[what], 5, what)

    def test_united(self):
        """Boxes in boxes, and chains of them."""
        united = 0
        for seed in range(SEED, SEED + 20):
            with self.subTest(seed=seed):
                rng = random.Random(seed)
                properties = {"unite": rng.choice((1, 20, 50, 50, 100)), "min-hits": 1,
                              "max-tracks": rng.choice((5, 1024)), "anchor": "centroid"}
                size = rng.choice(((12, 9), (30, 20), (80, 60)))
                frames = list(scenes.frames(rng, 30, *size, rng.choice((3, 10, 20)), 2))
                self.differences(rng, frames, properties, size, 0.01, 0.03)
                united += any(self.shared_ids(boxes, properties) for boxes in frames)
        self.assertGreater(united, 5)

    @staticmethod
    def shared_ids(boxes, properties):
        ids = Tracker(properties).frame(boxes, SIZE)
        return len(set(ids)) < sum(i > 0 for i in ids)

    def test_long(self):
        """Paths of which not all points are kept."""
        rng = random.Random(SEED)
        x, y, frames = 90, 70, []
        for _ in range(rng.randint(100, 400)):
            x, y = x + rng.randint(-1, 1), y + rng.randint(-1, 1)
            frames.append([(x % 180, y % 130, 9, 9)])
        events = self.differences(rng, frames + 20 * [[]], {"max-distance": 1000}, (200, 150))
        self.assertGreater(max(len(way) for _, way in events), 64)

    def test_many(self):
        """Hundreds of them."""
        rng = random.Random(SEED)
        size = 1920, 1080
        frames = [[(box[0], box[1], min(box[2], 60), min(box[3], 60)) for box in boxes]
                  for boxes in scenes.frames(rng, 8, *size, 400, 6)]
        self.differences(rng, frames, {"max-tracks": 300, "min-hits": 2}, size)

    def test_large(self):
        """Coordinates up to 2^31 - 1: products of four of them."""
        for seed in range(SEED, SEED + 10):
            with self.subTest(seed=seed):
                rng = random.Random(seed)
                factor = rng.choice(((2**31 - 1) // 60, 2**24 - 1, 2**20 + 1))
                frames = [scenes.enlarged(boxes, factor)
                          for boxes in scenes.frames(rng, 30, 60, 50, 10, 3)]
                self.differences(rng, frames, {"min-hits": 2, "max-distance": 1000},
                                 (60 * factor, 50 * factor))


if __name__ == "__main__":
    Gst.init(None)
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--seed", type=int, default=0)
    options, rest = parser.parse_known_args()
    SEED = options.seed
    unittest.main(argv=sys.argv[:1] + rest)
