#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: check.py [TEST...]

What cca-study gives on, without a GPU: with a study-measure that makes its figures up. In
Simulated the programs on the PATH are the real ones.
"""

import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "bench")]

import papers  # noqa: E402
import results  # noqa: E402
import tables  # noqa: E402
from record import Failure  # noqa: E402

POINTS = ["flsl-cd/64x64/g1", "flsl-cd/128x128/g1", "copied/ha/64x64/g1"]

# Figures that tell the point: the mean is of the length of its name.
MADE_UP = """#!/usr/bin/python3
import json, sys
arguments = sys.argv[1:]
if arguments == ["--about"]:
    print('{"gpu": "made up"}')
    sys.exit()
seed = int(arguments[1])
for name in arguments[2:]:
    if "dead" in name:
        sys.exit(3)
    ms = [len(name) + seed + i / 10 for i in range(-10, 11)]
    point = {"point": name, "ms": ms, "copy_ms": ms, "updates": ms, "conflicts": ms}
    if name.startswith("steps/"):
        point |= {f"{i} study_a_step{i}": ms for i in (1, 2, 3)}
    print(json.dumps(point), flush=True)
"""


class Study(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "run"
        program = pathlib.Path(folder.name) / "study-measure"
        program.write_text(MADE_UP, encoding="ascii")
        program.chmod(0o755)
        self.path = folder.name

    def run_study(self, *arguments):
        path = f"{self.path}:{os.environ['PATH']}"
        return subprocess.run([sys.executable, str(HERE / "cca-study"), *arguments],
                              capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL, env={**os.environ, "PATH": path})

    def study(self, *arguments, points=POINTS):  # pylint: disable=dangerous-default-value
        return self.run_study("--output", str(self.folder), *arguments,
                              *(f"--point={name}" for name in points))

    def lines(self, name="points.jsonl"):
        return (self.folder / name).read_text(encoding="utf-8").splitlines()

    def test_tables(self):
        done = self.study("--seed", "7")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout.splitlines()[0], "made up.*seed 7")
        self.assertRegex(done.stdout, r"1/3 .* s left\n")
        self.assertEqual(self.lines("times.csv")[0], "# " + done.stdout.splitlines()[0])
        rows = [line.split(",") for line in self.lines("times.csv")[1:]]
        self.assertEqual(rows[0], [*results.HEADS, *map(str, papers.DENSITIES)])
        self.assertEqual([row[:4] for row in rows[1:]], [["flsl-cd", "64", "1", "ms"],
                                                         ["flsl-cd", "128", "1", "ms"]])
        self.assertEqual([float(value) for value in rows[1][4:]],
                         [len(POINTS[0]) + 7 + i / 10 for i in range(-10, 11)])
        self.assertEqual([line.split(",")[3] for line in self.lines("copied.csv")[2:]],
                         ["ms", "copy_ms"])
        self.assertFalse((self.folder / "steps.csv").exists())

    def test_goes_on(self):
        self.assertEqual(self.study(points=POINTS[:1]).returncode, 0)
        first = (self.folder / "points.jsonl").read_bytes()
        self.assertEqual(self.study().returncode, 0)
        whole = (self.folder / "points.jsonl").read_bytes()
        self.assertTrue(whole.startswith(first))
        self.assertEqual(whole.count(b"\n"), 4)
        # cut off in the middle of a line: what is whole is drawn, the rest is measured again
        (self.folder / "points.jsonl").write_bytes(whole[:-9])
        for name in ("times.csv", "copied.csv"):
            (self.folder / name).unlink()
        self.assertEqual(self.run_study("--draw", str(self.folder)).returncode, 0)
        self.assertEqual(len(self.lines("times.csv")), 4)
        self.assertFalse((self.folder / "copied.csv").exists())
        self.assertEqual(self.study().returncode, 0)
        self.assertEqual([json.loads(line)["point"] for line in self.lines()[1:]], POINTS)

    def test_another_seed(self):
        self.assertEqual(self.study().returncode, 0)
        done = self.study("--seed", "43")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--new starts anew", done.stderr)
        self.assertEqual(self.study("--seed", "43", "--new").returncode, 0)
        self.assertIn("seed 43", self.lines("times.csv")[0])

    def test_a_point_that_ends_the_program(self):
        done = self.study(points=[POINTS[0], "dead/64x64/g1", POINTS[1]])
        self.assertEqual(done.returncode, 1)
        self.assertIn('"failed": "exit status 3"', self.lines()[2])
        self.assertEqual(len(self.lines("times.csv")), 4)

    def test_nothing_measured(self):
        done = self.study(points=["dead/64x64/g1"])
        self.assertEqual((done.returncode, done.stderr), (1, ""))

    def test_bad_tables(self):
        self.assertEqual(self.study().returncode, 0)
        good = self.lines("times.csv")
        (self.folder / "points.jsonl").unlink()
        for bad in (good[1:], [good[0], "a,b"], good[:2] + [good[2].rsplit(",", 1)[0]],
                    good[:2] + [good[2].replace("64", "x", 1)], [good[0]]):
            (self.folder / "times.csv").write_text("\n".join(bad) + "\n", encoding="utf-8")
            done = self.run_study("--draw", str(self.folder))
            self.assertEqual(done.returncode, 2, bad)
            self.assertRegex(done.stderr, "^cca-study: .*times.csv[^\n]*\n$")
        done = self.run_study("--draw", str(self.folder / "none"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("has no run of cca-study", done.stderr)

    def test_throughput(self):
        self.assertEqual(self.study("--seed", "0").returncode, 0)
        found = results.Results(self.folder)
        self.assertAlmostEqual(found.throughput("flsl-cd", 64, 1), 64 * 64 / 16 / 1e6)
        self.assertAlmostEqual(found.full("flsl-cd", 64), 64 * 64 / 17 / 1e6)
        self.assertIsNone(found.throughput("flsl-cd", 64, 4))
        # half of the most lies between the two: a quarter, and all
        half, peak = found.half_peak("flsl-cd", 1)
        low, high = 64 * 64 / 16, 128 * 128 / 18
        self.assertAlmostEqual(peak, high / 1e6)
        self.assertAlmostEqual(half, 64 * 2 ** ((high / 2 - low) / (high - low)))

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
    def test_figures(self):
        """All of them, of all points, from the tables alone, and the same twice."""
        done = self.study(points=papers.points(False))
        self.assertEqual(done.returncode, 0, done.stderr)
        import plots  # pylint: disable=import-outside-toplevel
        drawn = {path.name: path.read_bytes() for path in self.folder.glob("*.svg")}
        self.assertEqual(sorted(drawn), sorted(f"{name}.svg" for name in plots.FIGURES))
        (self.folder / "points.jsonl").unlink()
        self.assertEqual(self.run_study("--draw", str(self.folder)).returncode, 0)
        for name, old in drawn.items():
            self.assertEqual((self.folder / name).read_bytes(), old, name)

    def test_quick_figures(self):
        """Those of few points do not fail, with matplotlib or without."""
        done = self.study(points=papers.points(True))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_committed(self):
        """The tables of the document are of the run that is committed."""
        done = self.run_study("--document", "--check")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_ideas(self):
        """The drawings of the document are those of its script."""
        folder = HERE / "figures"
        spec = importlib.util.spec_from_file_location("ideas", folder / "ideas.py")
        ideas = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(ideas)
        self.folder.mkdir()
        ideas.draw_all(self.folder)
        drawn = sorted(path.name for path in self.folder.iterdir())
        self.assertGreater(len(drawn), 8)
        for name in drawn:
            self.assertEqual((self.folder / name).read_bytes(), (folder / name).read_bytes(), name)

    def test_every_table(self):
        """A run of all points fills all that the page has."""
        self.assertEqual(self.study(points=papers.points(False)).returncode, 0)
        text = (HERE / "README.md").read_text(encoding="utf-8")
        filled = tables.fill(text, results.Results(self.folder))
        self.assertEqual(filled.count("made up, "), text.count("<!-- cca-study: "))
        self.assertEqual(text.count("<!-- cca-study: "), len(tables.SECTIONS))
        self.assertNotEqual(filled, text)
        with self.assertRaises(Failure):
            tables.fill(text.replace("<!-- end of all -->", ""), results.Results(self.folder))


class Simulated(unittest.TestCase):
    """On the simulated driver."""

    def test_points(self):
        """There is each algorithm of the plan."""
        listed = subprocess.run(["study-check", "--list"], capture_output=True, text=True,
                                check=True).stdout
        known = set(re.findall(r"^  (\S+) .*CC[AL], 4", listed, re.MULTILINE)) | set(papers.PRODUCT)
        used = {name.split("/")[-3] for name in papers.points(False) + papers.points(True)}
        self.assertEqual(used - known, set())
        self.assertEqual(known - used, set())


    def test_measured(self):
        """A tiny plan, by the real program."""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, str(HERE / "cca-study"), "--output", folder, "--seed", "3",
                 *(f"--point={name}/48x48/g4" for name in ("flsl", "product", "steps/playne",
                                                           "copied/tmk", "count/naive"))],
                capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            found = results.Results(folder)
            self.assertGreater(found.throughput("flsl", 48, 4), 0)
            self.assertGreater(found.throughput("product", 48, 4), 0)
            self.assertEqual([kernel for kernel, _ in found.steps("playne", 48, 4)],
                             ["1 study_playne_initialise", "2 study_resolve",
                              "3 study_playne_reduce", "4 study_resolve"])
            self.assertLess(found.get("tmk", 48, 4, "copied", "copy_ms")[9],
                            found.get("tmk", 48, 4, "copied")[9])
            updates = found.get("naive", 48, 4, "count", "updates")
            self.assertEqual((updates[0], updates[-1]), (0, 48 * 48))


if __name__ == "__main__":
    unittest.main(verbosity=2)
