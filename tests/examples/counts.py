# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: counts.py COUNT.PY [TEST...]

The directions, sums and tables of examples/count, without videos."""

import contextlib
import io
import json
import os
import sys
import types
import unittest
import unittest.mock

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv.pop(1))))
sys.path.remove(os.path.dirname(os.path.abspath(__file__)))

import gi
gi.require_version("Gst", "1.0")
from gi.repository import Gst

import count
import lines

POINTS = (80, 0, 80, 120)


def message(text):
    return Gst.Structure.new_from_string(f"cca, {text}")


def crossed(way, to_left, to_right):
    return message(f"direction={way}, to-left=(guint64){to_left}, to-right=(guint64){to_right}")


def stay(event, inside, dwell=None):
    known = "" if dwell is None else f", dwell=(guint64){dwell}"
    return message(f"event={event}, count=(guint64){inside}{known}")


class Counts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        Gst.init(None)

    def test_directions(self):
        """To the left and to the right of a line, as seen from its first end. Diagonal lines have
        sides, not an upper and a lower part."""
        for line, names in (((0, 9, 0, 0), ("left", "right")), ((0, 0, 0, 9), ("right", "left")),
                            ((0, 0, 9, 0), ("up", "down")), ((9, 0, 0, 0), ("down", "up")),
                            ((0, 0, 9, 9), ("right", "left")), ((9, 9, 0, 0), ("left", "right")),
                            ((0, 9, 9, 0), ("left", "right")), ((0, 0, 9, 8), ("up", "down"))):
            self.assertEqual(lines.directions(line), names, line)
        self.assertEqual(lines.describe(POINTS, (3, 4)), "right 3, left 4")
        self.assertEqual(lines.parse("1,2,3,4"), (1, 2, 3, 4))
        for text in "1,2,3", "1,2,1,2", "1,2,3,x":
            self.assertRaises(ValueError, lines.parse, text)

    def test_line(self):
        gate, = count.parse(count.Line, ["80,0,80,120"])
        row = {}
        self.assertEqual((gate.name, gate.points), ("line", POINTS))
        self.assertEqual(gate.add(crossed("to-left", 1, 0), row), ("right", 1))
        self.assertEqual(row, {"direction": "to-left", "to_left": 1, "to_right": 0})
        self.assertEqual(gate.add(crossed("to-right", 1, 5), row), ("left", 5))
        self.assertEqual(gate.totals(), {"to_left": 1, "to_right": 5, "occupancy": 4})
        self.assertEqual(gate.describe(), "right 1, left 5")
        self.assertEqual([line.name for line in count.parse(count.Line, ["1,2,3,4", "b=1,2,3,4",
                                                                         "5,6,7,8"])],
                         ["line", "b", "line3"])

    def test_zone(self):
        yard = count.Zone("yard", (0, 0, 9, 0, 9, 9))
        row = {"event": "entered"}
        self.assertEqual(yard.add(stay("entered", 2), row), ("entered", 2))
        self.assertEqual(row, {"event": "entered", "inside": 2})
        for dwell, told in ((1234567890, 1.235), (2000000000, 2.0), (Gst.CLOCK_TIME_NONE, None)):
            row = {"event": "left"}
            self.assertEqual(yard.add(stay("left", 1, dwell), row), ("left", 1))
            self.assertEqual(row.get("dwell"), told)
        self.assertEqual(yard.totals(), {"inside": 1, "entered": 1, "left": 3, "dwell": 3.235})
        self.assertEqual(yard.describe(), "inside 1, entered 1, left 3")

    def printed(self, form, videos=("a",)):
        said = io.StringIO()
        place = count.Zone("yard", (0, 0, 9, 0, 9, 9))
        row = {"video": "a", "time": 1.5, "event": "entered", "place": "yard", "inside": 1,
               "warming_up": True}
        with contextlib.redirect_stdout(said):
            printer = count.Printer(types.SimpleNamespace(format=form, video=list(videos)))
            printer.begin()
            printer.row(row, "0:01.50", "entered", 1)
            printer.totals("a", [place])
        return said.getvalue().splitlines()

    def test_tables(self):
        self.assertEqual(self.printed("csv"), [
            "video,time,event,id,place,direction,to_left,to_right,inside,dwell,warming_up",
            "a,1.5,entered,,yard,,,,1,,true"])
        row, totals = map(json.loads, self.printed("json"))
        self.assertEqual(row, {"video": "a", "time": 1.5, "event": "entered", "place": "yard",
                               "inside": 1, "warming_up": True})
        self.assertEqual(totals, {"video": "a", "lines": {}, "zones": {
            "yard": {"inside": 0, "entered": 0, "left": 0, "dwell": 0}}})
        self.assertEqual(self.printed("text"), [
            "    time     id place        event      count",
            "   0:01.50     - yard         entered        1", "inside 0, entered 0, left 0"])
        self.assertEqual([line[-3:] for line in self.printed("text", ("a", "b"))[:2]],
                         ["deo", "  a"])


class Cameras(unittest.TestCase):
    def test_pauses(self):
        """Pauses before another connection grow, and are short again after a frame. A camera
        without a frame is lost after some time."""
        Gst.init(None)
        camera = count.Video.__new__(count.Video)
        camera.name, camera.camera, camera.timer = "gate", True, 0
        camera.attempts, camera.frames, camera.seen = 0, 0, 0
        camera.pipeline = unittest.mock.Mock()
        camera.track = unittest.mock.Mock()
        pauses, said = [], []

        def check(now, frames):
            camera.track.get_property.return_value = Gst.Structure.new_from_string(
                f"stats, frames=(guint64){frames}")
            with unittest.mock.patch.object(count.time, "monotonic", lambda: now):
                camera.check()

        with unittest.mock.patch.object(count.GLib, "timeout_add",
                                        lambda pause, _: pauses.append(pause)), \
                unittest.mock.patch.object(count, "say", said.append):
            for _ in range(6):
                camera.finish("no camera")
            self.assertEqual(pauses, [1000, 2000, 5000, 10000, 30000, 30000])
            check(100, 1)
            check(115, 1)
            self.assertEqual(len(pauses), 6)
            check(115.1, 1)
        self.assertEqual(pauses[6:], [1000])
        self.assertEqual(said[-1], "gate: no frame for 15 seconds; connecting again in 1 s")


if __name__ == "__main__":
    unittest.main()
