# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: search.py SEARCH.PY [TEST...]

examples/tune --search on the clip of tests/quality, whose true boxes are known."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest

SEARCH = os.path.abspath(sys.argv.pop(1)) if sys.argv[1:] else ""
for folder in (os.path.dirname(SEARCH), os.path.dirname(os.path.dirname(SEARCH)),
               os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "quality")):
    sys.path.insert(0, folder)

from match import Score
import scene
from serving import until
import video

import search as searching
import settings

RATE, FIRST = 25, 50
SPAN, EVERY = 10, 50            # frames of a mark of something, and between marks
CELL = 80                       # pixels of the square of a mark of nothing
DOCUMENTED = "foreground=sigma-delta open-radius=1 close-radius=1 min-area=120"
PATIENCE = 300
# Says what is not closed at the end, of which Python before 3.13 raises exceptions.
PYTHON = sys.executable, "-W", "default::ResourceWarning"


def meet(a, b, margin=6):
    return all(a[i] - margin < b[i] + b[i + 2] and b[i] - margin < a[i] + a[i + 2]
               for i in (0, 1))


def union(boxes):
    x, y = (min(box[i] for box in boxes) for i in (0, 1))
    return [x, y, *(max(box[i] + box[i + 2] for box in boxes) - (x, y)[i] for i in (0, 1))]


def marks_of(truth):
    """Marks as a person makes them who looks at the clip every two seconds: every other object,
    and every other square where nothing is for a second."""
    spans = []
    for frame in range(FIRST, len(truth) - RATE, EVERY):
        for number in sorted({one for one, *_ in truth[frame]}):
            place = union([box for boxes in truth[frame:frame + SPAN]
                           for one, *box in boxes if one == number])
            if place[2] > 9:
                spans.append({"kind": "something", "from": frame / RATE,
                              "to": (frame + SPAN) / RATE, "box": place})
        for x in range(0, scene.WIDTH, CELL):
            for y in range(0, scene.HEIGHT, CELL):
                place = [x, y, CELL, CELL]
                if not any(meet(box, place) for boxes in truth[frame:frame + RATE]
                           for _, *box in boxes):
                    spans.append({"kind": "nothing", "from": frame / RATE, "to": frame / RATE + 1,
                                  "box": place})
    return {"version": 1, "width": scene.WIDTH, "height": scene.HEIGHT, "spans": spans[::2]}


class Yard(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.truth = []
        with open(cls.path("raw"), "wb") as f:
            for picture, boxes in scene.frames():
                f.write(picture)
                cls.truth.append(boxes)
        cls.clip = cls.path("yard.mkv")
        subprocess.run(
            ["gst-launch-1.0", "-q", *scene.source(cls.path("raw")).replace('"', "").split(), "!",
             "matroskamux", "!", "filesink", f"location={cls.clip}"], check=True)
        cls.write("marks.json", marks_of(cls.truth))

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def write(cls, name, data):
        with open(cls.path(name), "w", encoding="utf-8") as f:
            json.dump(data, f)
        return cls.path(name)

    def search(self, *arguments, marks="marks.json"):
        return subprocess.run(
            [*PYTHON, SEARCH, f"--marks={self.path(marks)}", *arguments, self.clip],
            capture_output=True, text=True, timeout=PATIENCE, check=False)

    def f(self, properties):
        """F of boxes, as tests/quality has it."""
        score = Score(0.3)
        frames = video.with_cca(scene.source(self.path("raw")), properties)
        for number, found in enumerate(frames):
            if number >= FIRST:
                score.add([c[:4] for c in found], [], [box for _, *box in self.truth[number]])
        return score.result()["f"]

    def test_yard(self):
        """From bad settings it ends with boxes no worse than those of the documented ones, and
        the file has the properties that are not swept."""
        video.Gst.init(None)
        begin = self.write("begin.json", {
            "version": 1, "cca": {"foreground": "sigma-delta", "min-contrast": 60,
                                  "background-period": 8}})
        out = self.path("best.json")
        run = self.search(f"--settings={begin}", f"--output={out}")
        self.assertEqual(run.returncode, 0, run.stderr)
        rows = run.stdout.splitlines()
        self.assertIn("(the present ones)", rows[-1])
        scores = [float(row.split()[1]) for row in rows[1:]]
        self.assertEqual(scores, sorted(scores, reverse=True))
        self.assertGreater(scores[0], scores[-1] + 0.2)
        values, size = settings.load(out, settings.Table())
        self.assertEqual(size, (scene.WIDTH, scene.HEIGHT))
        self.assertEqual(values["cca"]["background-period"], 8)
        found, documented = self.f(settings.launch_text(values["cca"])), self.f(DOCUMENTED)
        self.assertGreaterEqual(found, documented)

    def test_counts(self):
        """Only a line is marked, and the swept property is one of ccatrack."""
        begin = self.write("begin.json", {
            "version": 1, "cca": {"foreground": "sigma-delta", "open-radius": 1,
                                  "close-radius": 1, "min-area": 120},
            "ccatrack": {"lines": [{"name": "gate", "points": [120, 240, 120, 0]}]}})
        self.write("counts.json", {"version": 1, "counts": [
            {"line": "gate", "to-left": 3, "to-right": 4}]})
        run = self.search(f"--settings={begin}", "--sweep=min-hits=3,300", "--jobs=1",
                          marks="counts.json")
        self.assertEqual(run.returncode, 0, run.stderr)
        rows = [row.split() for row in run.stdout.splitlines()]
        self.assertEqual(rows[1][:1] + rows[1][-4:],
                         ["1", "min-hits=3", "(the", "present", "ones)"])
        self.assertEqual([row[1] for row in rows[1:4:2]], ["1.000", "0.000"])
        self.assertIn(" ! ccatrack lines=", run.stdout.splitlines()[-1])
        missing = self.write("missing.json", {"version": 1, "counts": [{"line": "door"}]})
        self.refused("the marks count at the line door, which the settings do not have",
                     f"--settings={begin}", marks=missing)

    @unittest.skipUnless(os.environ.get("CCA_TUNE_DEVICE") == "cuda", "on a GPU")
    def test_device(self):
        """A GPU comes to the same figures."""
        begin = self.write("begin.json", {
            "version": 1, "cca": {"foreground": "sigma-delta", "open-radius": 1}})
        tables = []
        for device in "cpu", "cuda":
            run = self.search(f"--settings={begin}", f"--device={device}",
                              "--sweep=min-contrast=10,20,40", "--sweep=min-area=30,120")
            self.assertEqual(run.returncode, 0, run.stderr)
            tables.append(run.stdout.splitlines()[1::2])
        self.assertGreater(len(tables[0]), 3)
        self.assertEqual(*tables)

    def refused(self, said, *arguments, marks="marks.json"):
        run = self.search(*arguments, marks=marks)
        self.assertEqual((run.returncode, run.stdout), (1, ""), run.stderr)
        self.assertIn(said, run.stderr.splitlines()[-1])
        self.assertEqual(run.stderr.count("examples/tune: "), 1, run.stderr)
        self.assertNotIn("ResourceWarning", run.stderr)

    def test_bad_input(self):
        self.refused("there is no property \"colour\" to sweep", "--sweep=colour=1")
        self.refused("there is no property \"lines\" to sweep", "--sweep=lines=1")
        self.refused("min-contrast is a whole number from 1 ", "--sweep=min-contrast=0,5")
        self.refused("--sweep min-area takes whole numbers", "--sweep=min-area=x")
        self.refused("learning is true or false, not \"maybe\"", "--sweep=learning=maybe")
        self.refused("missing.json cannot be read: No such file", marks="nowhere/missing.json")
        self.write("late.json", {"version": 1, "spans": [
            {"kind": "nothing", "from": 500, "to": 600}]})
        self.refused("no frame of the video is in a span", "--sweep=min-area=30", marks="late.json")
        self.write("size.json", {"version": 1, "width": 9, "height": 9,
                                 "counts": [{"line": "a"}]})
        self.refused("for video of 9x9, this one has 320x240", marks="size.json")
        # while other processes are being made
        line = self.write("line.json", {"version": 1, "ccatrack": {"lines": [
            {"name": "gate", "points": [1, 2, 1, 2]}]}})
        self.refused("The property lines is invalid: ", f"--settings={line}")
        text = self.write("text.mkv", "no video")
        run = subprocess.run([sys.executable, SEARCH, f"--marks={self.path('marks.json')}", text],
                             capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual((run.returncode, run.stderr.count("\n")), (1, 1), run.stderr)
        self.assertIn(f"examples/tune: {text}: ", run.stderr)

    def test_full_disk(self):
        for out in {"stdout": subprocess.DEVNULL}, {}:
            with open("/dev/full", "w", encoding="utf-8") as full:
                run = subprocess.run(
                    [sys.executable, SEARCH, f"--marks={self.path('marks.json')}",
                     "--sweep=min-area=30", *(["--output=/dev/full"] if out else []), self.clip],
                    stdout=out.get("stdout", full), stderr=subprocess.PIPE, text=True,
                    timeout=PATIENCE, check=False)
            self.assertEqual(run.returncode, 1)
            self.assertIn("cannot be written: No space left on device", run.stderr.splitlines()[-1])

    def test_interrupted(self):
        """The processes of the search end with it."""
        mark = f"TUNE_TEST={self.folder}"
        process = subprocess.Popen(
            ["env", mark, *PYTHON, SEARCH, f"--marks={self.path('marks.json')}", self.clip],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.stderr.readline()
        until(lambda: len(self.marked(mark)) > 1)       # none is there between two rounds
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, out), (130, ""))
        self.assertEqual(said.splitlines()[-1], "examples/tune: interrupted")
        self.assertNotIn("ResourceWarning", said)
        self.assertEqual(self.marked(mark), [])

    @staticmethod
    def marked(mark):
        """The processes with a variable of the environment."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as f:
                    if mark.encode() in f.read().split(b"\0"):
                        found.append(pid)
            except OSError:
                pass
        return found


class Shown(unittest.TestCase):
    def test_present(self):
        """The present settings follow the best ones if they are not among them."""
        class Search(searching.Search):
            async def analyse(self, batch, end, marks, gate):
                return [{"score": setting["min-area"]} for setting in batch]

        video.Gst.init(None)
        values = {"cca": {"foreground": "sigma-delta", "min-area": 1}, "ccatrack": {}}
        marks = {"spans": [{"kind": "nothing", "from": 0, "to": 9}], "counts": []}
        search = Search({}, values, marks, {"min-area": list(range(1, 21))}, settings.Table(), 9,
                        None, jobs=2)
        best = asyncio.run(search.run())
        scores = [row["result"]["score"] for row in best]
        self.assertEqual(scores, sorted(scores, reverse=True))
        self.assertEqual([row["present"] for row in best], 6 * [False] + [True])
        self.assertEqual(best[-1]["change"], {"min-area": 1})


if __name__ == "__main__":
    unittest.main()
