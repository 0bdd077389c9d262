# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: tracks.py COUNT.PY TRACK.PY DETECTOR.PY: the examples on moving objects, with a
clip whose boxes are known."""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

from pictures import flat, source, write_raw

COUNT, TRACK, DETECTOR = sys.argv[1:4]
del sys.argv[1:4]
WIDTH, HEIGHT, FRAMES = 160, 120, 60


def frames():
    """Two go to the right and one to the left, all down a little; empty at first."""
    for t in range(FRAMES):
        rows = flat(WIDTH, HEIGHT, 20)
        if t:
            for x, y in ((10 + 2 * t, 10 + t // 2), (20 + 2 * t, 80 + t // 3),
                         (130 - 2 * t, 40 + t // 2)):
                for row in rows[y:y + 12]:
                    row[max(x, 0):x + 12] = [200] * (min(x + 12, WIDTH) - max(x, 0))
        yield rows


class Tracks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        raw, cls.clip = cls.path("raw"), cls.path("two words.mkv")
        pictures = list(frames())
        write_raw(raw, pictures, WIDTH)
        subprocess.run(["gst-launch-1.0", "-q", *source(raw, pictures, WIDTH).split(), "!",
                        "matroskamux", "!", "filesink", f"location={cls.clip}"], check=True)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    def run_example(self, *args, status=0):
        process = subprocess.run([sys.executable, *args], capture_output=True, text=True,
                                 timeout=60)
        self.assertEqual(process.returncode, status, process.stderr)
        self.assertEqual(process.stderr.count("\n"), status, process.stderr)
        return process.stderr if status else process.stdout

    def count(self, *options, area=20):
        return self.run_example(COUNT, f"--min-area={area}", *options, self.clip).splitlines()

    def rows(self, *options, area=20):
        return [row.split() for row in self.count(*options, area=area)]

    def test_count(self):
        """The centre of a box, which is 12 wide, is at the middle, which is at 80, when its
        left edge is at 74: at 2 t + 20 in frame 27, at 130 - 2 t in frame 28 (not yet across,
        the line itself is on its right) and at 2 t + 10 in frame 32."""
        self.assertEqual(self.rows(), [
            ["time", "id", "line", "to", "count"],
            ["0:01.08", "3", "line", "right", "1"],
            ["0:01.16", "2", "line", "left", "1"],
            ["0:01.28", "1", "line", "right", "2"],
            ["left", "1,", "right", "2"],
        ])

    def test_line(self):
        """Only the one in the middle crosses it, downwards."""
        for line, counts in (("0,60,160,60", "up 0, down 1"), ("160,60,0,60", "down 1, up 0")):
            rows = self.count(f"--line={line}")
            self.assertEqual([row.split()[3:] for row in rows[1:-1]], [["down", "1"]])
            self.assertEqual(rows[-1], counts)

    def test_lines(self):
        """Two with names, one with a bend, and one that is closed."""
        rows = self.count("--line=gate=80,120,80,0", "--line=0,60,80,70,160,60",
                          "--line=box=0,30,60,30,60,100,0,100,0,30")
        self.assertEqual({row.split()[2] for row in rows[1:-3]}, {"gate", "line2", "box"})
        self.assertEqual(rows[-3:], ["gate: left 1, right 2", "line2: up 0, down 1",
                                     "box: left 1, right 1"])

    def test_csv(self):
        self.assertEqual(self.count("--format=csv"), [
            "time,id,line,direction,to_left,to_right,warming_up",
            "1.08,3,line,to-right,0,1,true",
            "1.16,2,line,to-left,1,1,true",
            "1.28,1,line,to-right,1,2,true",
        ])

    def test_json(self):
        rows = [json.loads(row) for row in self.count("--format=json", "--cca=warm-up=10")]
        self.assertEqual(rows[0], {"time": 1.08, "id": 3, "line": "line", "direction": "to-right",
                                   "to_left": 0, "to_right": 1, "warming_up": False})
        self.assertEqual(rows[-1], {"counts": {"line": {"to_left": 1, "to_right": 2,
                                                        "occupancy": 1}}})

    def test_properties(self):
        """Of both elements; the area of --cca goes before."""
        self.assertEqual(len(self.count("--cca=min-area=1000")), 2)
        self.assertEqual(len(self.count("--track=settle-frames=1000")), 2)
        self.assertEqual(self.rows("--track=anchor=top-center", "--line=0,60,160,60")[1][0],
                         "0:01.60")

    def test_nothing(self):
        self.assertEqual(self.rows(area=1000), [["time", "id", "line", "to", "count"],
                                                ["left", "0,", "right", "0"]])

    def test_count_errors(self):
        for options, words in (
                (["--line=1,2,1,2"], "has the same point twice in a row"),
                (["--line=a=1,2,3,4", "--line=a=5,6,7,8"], "has the name of another line"),
                (["--cca=colour=1"], "no property"), (["--track=anchor=feet"], "could not set")):
            self.assertIn(words, self.run_example(COUNT, *options, self.clip, status=1))
        self.assertIn("not found", self.run_example(COUNT, self.path("no"), status=1))
        with open(self.path("text"), "w") as f:
            f.write("This is no video.\n" * 100)
        self.assertIn("text", self.run_example(COUNT, self.path("text"), status=1))

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
    def test_track(self):
        picture = self.path("a.png")
        self.run_example(TRACK, self.clip, picture, "min-area=20")
        with open(picture, "rb") as f:
            head = f.read(24)
        self.assertEqual(head[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual([int.from_bytes(head[i:i + 4]) for i in (16, 20)], [WIDTH, HEIGHT])
        self.assertIn("not found", self.run_example(TRACK, self.path("no"), picture, status=1))

    def test_detector(self):
        """The only box surrounds the three objects, and has the same id from its third
        frame on; the first frame is empty."""
        lines = self.run_example(DETECTOR, self.clip).splitlines()
        self.assertEqual(len(lines), FRAMES)
        self.assertEqual(lines[:3], ["", "", ""])
        for t, line in enumerate(lines[3:50], 3):
            left, right = min(10 + 2 * t, 130 - 2 * t), max(32 + 2 * t, 142 - 2 * t)
            top, bottom = 10 + t // 2, 92 + t // 3
            self.assertEqual(line, f"1:{right - left}x{bottom - top}+{left}+{top}")

    def test_detector_of_test_picture(self):
        lines = self.run_example(DETECTOR).splitlines()
        self.assertEqual(len(lines), 30)
        self.assertRegex(lines[-1], r"^1:\d+x\d+\+\d+\+\d+$")

    def test_detector_errors(self):
        self.assertIn("Usage: detector.py [VIDEO]", self.run_example(DETECTOR, "--help"))
        self.assertIn("not found", self.run_example(DETECTOR, self.path("no"), status=1))
        with open(self.path("text"), "w") as f:
            f.write("This is no video.\n" * 100)
        self.assertIn("text", self.run_example(DETECTOR, self.path("text"), status=1))

    def test_help(self):
        printed = self.run_example(TRACK, "--help")
        self.assertIn("Usage: track.py VIDEO PICTURE", printed)
        self.assertIn("examples/count", self.run_example(COUNT, "--help"))

    def test_without_matplotlib(self):
        with open(self.path("matplotlib.py"), "w") as f:
            f.write("raise ImportError\n")
        with mock.patch.dict(os.environ, PYTHONPATH=os.pathsep.join(
                [self.folder, *filter(None, [os.environ.get("PYTHONPATH")])])):
            self.assertIn("install the Debian package python3-matplotlib",
                          self.run_example(TRACK, self.clip, self.path("a.png"), status=1))

    def test_stopped_line(self):
        """rsvgoverlay must not get a picture while it stops."""
        sys.path.insert(0, os.path.dirname(COUNT))
        import lines  # pylint: disable=import-outside-toplevel
        lines.Gst.init(None)
        real = lines.Gst.parse_launch("ccatrack name=track ! fakesink")
        overlay = mock.Mock()
        pipeline = mock.Mock(get_bus=real.get_bus, get_by_name=lambda name: (
            overlay if name == "counted" else real.get_by_name(name)))
        drawn = lines.Drawn(pipeline, (1, 2, 3, 4), 64, 48)
        drawn.draw()
        self.assertEqual(overlay.set_property.call_count, 2)
        drawn.stop()
        drawn.draw()
        self.assertEqual(overlay.set_property.call_count, 2)

    def test_short(self):
        with open(TRACK) as f:
            self.assertLessEqual(len(f.readlines()), 65)


if __name__ == "__main__":
    unittest.main()
