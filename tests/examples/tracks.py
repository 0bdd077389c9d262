# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: tracks.py COUNT.PY TRACK.PY DETECTOR.PY: the examples on moving objects, with a
clip whose boxes are known."""

import contextlib
import csv
import importlib.util
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse
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
            ["time", "id", "place", "event", "count"],
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

    def settings(self, **change):
        with open(self.path("settings.json"), "w", encoding="utf-8") as f:
            json.dump({"version": 1, "width": WIDTH, "height": HEIGHT, "ccatrack": {
                "lines": [{"name": "gate", "points": [80, 120, 80, 0],
                           "direction": "right"}],
                "zones": [{"name": "all", "points": [0, 0, 160, 0, 160, 120, 0, 120]}]},
                "cca": {"min-area": 20}} | change, f)
        return f"--settings={f.name}"

    def test_settings(self):
        """Properties, lines and zones of a file, with all of their fields; options precede."""
        rows = [row.split() for row in
                self.run_example(COUNT, self.settings(), self.clip).splitlines()]
        self.assertEqual([row for row in rows[1:-2] if row[2] == "gate"],
                         [["0:01.08", "3", "gate", "right", "1"],
                          ["0:01.28", "1", "gate", "right", "2"]])
        self.assertEqual(rows[-2:], [["gate:", "left", "0,", "right", "2"],
                                     ["all:", "inside", "0,", "entered", "3,", "left", "3"]])
        large = self.settings(cca={"min-area": 200}, ccatrack={})
        for options, last in (((), "left 0, right 0"), (("--cca=min-area=20",), "left 1, right 2"),
                              (("--min-area=20",), "left 1, right 2"),
                              (("--min-area=20", "--line=0,60,160,60"), "up 0, down 1")):
            out = self.run_example(COUNT, large, *options, self.clip).splitlines()
            self.assertEqual(out[-1], last)
        other = self.run_example(COUNT, self.settings(), "--line=80,120,80,0", self.clip)
        self.assertEqual(other.splitlines()[-1], "left 1, right 2")

    def test_bad_settings(self):
        for change, said in (
                ({"width": 9, "height": 9}, "the settings are for video of 9x9, this one has "
                                            f"{WIDTH}x{HEIGHT}"),
                ({"cca": {"min-contrast": 0}}, "min-contrast is a whole number from 1"),
                ({"version": 2}, "settings.json: the settings are no object with version 1")):
            error = self.run_example(COUNT, self.settings(**change), self.clip, status=1)
            self.assertIn(f"examples/count: {said}" if "9x9" in said else said, error)

    def test_csv(self):
        self.assertEqual(self.count("--format=csv"), [
            "video,time,event,id,place,direction,to_left,to_right,inside,dwell,warming_up",
            f"{self.clip},1.08,crossed,3,line,to-right,0,1,,,true",
            f"{self.clip},1.16,crossed,2,line,to-left,1,1,,,true",
            f"{self.clip},1.28,crossed,1,line,to-right,1,2,,,true",
        ])

    def test_json(self):
        rows = [json.loads(row) for row in self.count("--format=json", "--cca=warm-up=10")]
        self.assertEqual(rows[0], {
            "video": self.clip, "time": 1.08, "event": "crossed", "id": 3, "place": "line",
            "direction": "to-right", "to_left": 0, "to_right": 1, "warming_up": False})
        self.assertEqual(rows[-1], {"video": self.clip, "zones": {}, "lines": {
            "line": {"to_left": 1, "to_right": 2, "occupancy": 1}}})

    ZONES = "--zone=80,0,160,0,160,120,80,120", "--zone=all=0,0,160,0,160,120,0,120"

    def test_zones(self):
        """The middle of the lower edge is at 16 + 2 t, 26 + 2 t and 136 - 2 t. To leave takes
        10 frames, so that another one enters before it is told."""
        rows = [row for row in self.rows(*self.ZONES)[1:] if row[2] == "zone"]
        self.assertEqual([row[:2] + row[3:] for row in rows], [
            ["0:00.12", "2", "entered", "1"], ["0:01.08", "3", "entered", "2"],
            ["0:01.28", "1", "entered", "3"], ["0:01.16", "2", "left", "2"],
            ["0:02.36", "1", "left", "1"], ["0:02.36", "3", "left", "0"]])
        self.assertEqual(self.count(*self.ZONES)[-2:], [
            "zone: inside 0, entered 3, left 3", "all: inside 0, entered 3, left 3"])

    def test_zones_in_formats(self):
        rows = list(csv.DictReader(self.count("--format=csv", *self.ZONES)))
        left = next(row for row in rows if row["event"] == "left")
        self.assertEqual((left["place"], left["id"], left["inside"], left["dwell"],
                          left["direction"]), ("zone", "2", "2", "1.04", ""))
        total = json.loads(self.count("--format=json", *self.ZONES)[-1])
        self.assertEqual(total["lines"], {})
        self.assertEqual(total["zones"]["zone"]["dwell"], 3.4)

    def test_line_with_zone(self):
        rows = self.count(*self.ZONES, "--line=80,120,80,0")
        self.assertEqual(rows[-3], "line: left 1, right 2")

    def test_videos(self):
        """Each has its own ids and counts, and one that fails does not end the others."""
        single = self.rows()
        other = self.path("other.mkv")
        shutil.copy(self.clip, other)
        rows = self.run_example(COUNT, "--min-area=20", self.clip, other).splitlines()
        self.assertEqual(rows[0].split(), [*single[0], "video"])
        for name in self.clip, other:
            mine = [row[:-len(name)].split() for row in rows if row.endswith("  " + name)]
            self.assertEqual(mine, single[1:-1])
        self.assertEqual(rows[-2:], [f"{name}: left 1, right 2" for name in (self.clip, other)])
        self.assertIn(f"{self.path('no')}: Resource not found", self.run_example(
            COUNT, "--min-area=20", self.path("no"), self.clip, status=1))

    def test_camera(self):
        """A file that is read as a camera is: it appears late, and again and again. Its
        counts go on."""
        late = self.path("late.mkv")
        program = (f"import sys; sys.path.insert(0, {os.path.dirname(COUNT)!r}); import count; "
                   "import gi, warnings; "
                   "warnings.simplefilter('error', gi.PyGIDeprecationWarning); "
                   "count.sources.FILES, count.sources.PAUSES = (), (0.1, 0.3); "
                   "sys.exit(count.main(sys.argv[1:]))")
        with subprocess.Popen([sys.executable, "-c", program, "--min-area=20", "--format=json",
                               late], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            said = [process.stderr.readline() for _ in range(2)]
            os.rename(shutil.copy(self.clip, self.path("new.mkv")), late)
            rows = [json.loads(process.stdout.readline()) for _ in range(7)]
            process.send_signal(signal.SIGINT)
            rest, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        self.assertEqual(said, [f"examples/count: {late}: Resource not found; connecting again "
                                f"in {pause} s\n" for pause in ("0.1", "0.3")])
        self.assertIn(f"{late}: the stream ended; connecting again in ", errors)
        self.assertEqual([(row["to_left"], row["to_right"]) for row in rows], [
            (0, 1), (1, 1), (1, 2), (1, 3), (2, 3), (2, 4), (2, 5)])
        self.assertLess(abs(rows[-1]["time"] - time.time()), 60)
        total = json.loads(rest.splitlines()[-1])["lines"]["line"]
        self.assertGreaterEqual(total["to_right"], 5)

    def test_camera_that_stalls(self):
        """It is connected again; bad settings are not tried again."""
        program = (f"import sys; sys.path.insert(0, {os.path.dirname(COUNT)!r}); import count; "
                   "count.sources.FILES, count.sources.STALLED = (), 0.5; "
                   "sys.exit(count.main(sys.argv[1:]))")
        with subprocess.Popen([sys.executable, "-c", program, "appsrc://"], text=True,
                              stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
            said = process.stderr.readline()
            process.kill()
        self.assertEqual(said, "examples/count: appsrc://: no frame for 0.5 seconds; connecting "
                               "again in 1 s\n")
        bad = subprocess.run([sys.executable, "-c", program, "--line=1,2,1,2", self.clip],
                             capture_output=True, text=True, timeout=60)
        self.assertEqual((bad.returncode, bad.stderr.count("\n")), (1, 1), bad.stderr)
        self.assertNotIn("again in", bad.stderr)

    def test_uris(self):
        """A password is not printed."""
        uri = "file://" + urllib.parse.quote(self.clip)
        self.assertEqual(self.run_example(COUNT, "--min-area=20", uri).splitlines()[-1],
                         "left 1, right 2")
        said = self.run_example(COUNT, "none://me:secret@place/stream", self.clip, status=1)
        self.assertIn("none://place/stream: No URI handler", said)

    def test_properties(self):
        """Of both elements; the area of --cca goes before."""
        self.assertEqual(len(self.count("--cca=min-area=1000")), 2)
        self.assertEqual(len(self.count("--track=settle-frames=1000")), 2)
        self.assertEqual(self.rows("--track=anchor=top-center", "--line=0,60,160,60")[1][0],
                         "0:01.60")

    def test_nothing(self):
        self.assertEqual(self.rows(area=1000), [["time", "id", "place", "event", "count"],
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
            event = " confirmed" if t == 3 else ""
            self.assertEqual(line, f"1:{right - left}x{bottom - top}+{left}+{top}{event}")

    def test_detector_events(self):
        """The centre of the box is on the line at 60 in frame 22, and clear of it by a tenth of
        the box from frame 42 on; its lower edge is in the zone from frame 24 on."""
        printed = self.run_example(
            DETECTOR, self.clip, "lines=<[gate,x1=0,y1=60,x2=160,y2=60]> "
            "zones=<[yard,points=<0,100,160,100,160,120,0,120>,loiter-time=400000000]>")
        lines = printed.splitlines()
        events = {n: line.split()[1:] for n, line in enumerate(lines) if len(line.split()) > 1}
        self.assertEqual({n: events[n] for n in sorted(events)[:4]}, {
            3: ["confirmed"], 26: ["entered:yard", "occupancy:yard"], 34: ["loitering:yard"],
            43: ["crossed:gate:to-right"]})

    def test_detector_of_test_picture(self):
        lines = self.run_example(DETECTOR).splitlines()
        self.assertEqual(len(lines), 30)
        self.assertRegex(lines[-1], r"^1:\d+x\d+\+\d+\+\d+$")

    def test_detector_rows(self):
        """Rows of a frame may be longer than those of its caps."""
        spec = importlib.util.spec_from_file_location("detector", DETECTOR)
        detector = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(detector)
        detector.Gst.init(None)
        caps = detector.Gst.Caps.from_string(
            "video/x-raw,format=GRAY8,width=50,height=3,framerate=25/1")
        buffer = detector.Gst.Buffer.new_wrapped(
            bytes(64) + bytes(10) + 4 * b"\xff" + bytes(50) + bytes(64))
        detector.GstVideo.buffer_add_video_meta_full(
            buffer, detector.GstVideo.VideoFrameFlags.NONE, detector.GstVideo.VideoFormat.GRAY8,
            50, 3, 1, [0, 0, 0, 0], [64, 0, 0, 0])
        frames_of = detector.frames

        def padded(pipeline, sink):
            for number, _ in enumerate(frames_of(pipeline, sink)):
                if number == 0:
                    yield detector.Gst.Sample.new(buffer, caps, None, None)

        with mock.patch.object(detector, "frames", padded), \
                mock.patch.object(detector, "attach", wraps=detector.attach) as attach, \
                contextlib.redirect_stdout(io.StringIO()):
            detector.main()
        self.assertEqual(attach.call_args.args[1:], ([(10, 1, 4, 1)], 50, 3))

    def test_detector_errors(self):
        self.assertIn("Usage: detector.py [VIDEO [PROPERTIES]]",
                      self.run_example(DETECTOR, "--help"))
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

    def test_short(self):
        with open(TRACK) as f:
            self.assertLessEqual(len(f.readlines()), 65)


if __name__ == "__main__":
    unittest.main()
