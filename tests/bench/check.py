#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: check.py [TEST...]

What the bench gives on, without a GPU: that it goes on where it was cut off, sees what
got slower, and takes nothing for a figure that is none. The programs are on the PATH.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import document  # noqa: E402
import plan  # noqa: E402

TINY = ["cpu/1/64x48/8/g4", "cpu/1/64x48/4/full", "cpu/2/64x48/4/spiral"]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL)


def points_of(*command):
    """By name, what a program prints; and its exit status."""
    done = run(*command)
    points = [json.loads(line) for line in done.stdout.splitlines()]
    return {p["point"]: p for p in points}, done.returncode


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def bench(self, *arguments, points=TINY):
        return run(str(HERE / "cca-bench"), "--output", str(self.folder / "run"),
                   *(f"--point={name}" for name in points), *arguments)

    @property
    def file(self):
        return self.folder / "run" / "points.jsonl"

    def other_run(self, factor):
        """The same with other times."""
        text = (self.folder / "run" / "bench.json").read_text(encoding="utf-8")
        values = json.loads(text)
        values["points"][0]["us"] *= factor
        path = self.folder / "other.json"
        path.write_text(json.dumps(values), encoding="utf-8")
        return str(path)


class Bench(Folder):
    def test_results(self):
        done = self.bench()
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [json.loads(line) for line in self.file.read_text(encoding="utf-8").splitlines()]
        self.assertIn("cores", lines[0]["machine"])
        self.assertEqual([p["point"] for p in lines[1:]], TINY)
        self.assertTrue(all(p["us"] > 0 for p in lines[1:]))
        values = json.loads((self.folder / "run" / "bench.json").read_text(encoding="utf-8"))
        self.assertEqual(values["points"], lines[1:])
        rows = (self.folder / "run" / "bench.csv").read_text(encoding="utf-8").splitlines()
        self.assertIn(f"{TINY[1]},us,{lines[2]['us']}", rows)

    def test_goes_on(self):
        self.assertEqual(self.bench(points=TINY[:1]).returncode, 0)
        first = self.file.read_bytes()
        self.assertEqual(self.bench().returncode, 0)
        whole = self.file.read_bytes()
        self.assertTrue(whole.startswith(first))
        self.assertEqual(self.bench().returncode, 0)
        self.assertEqual(self.file.read_bytes(), whole)
        # cut off in the middle of a line
        self.file.write_bytes(whole[:-9])
        self.assertEqual(self.bench().returncode, 0)
        again = self.file.read_text(encoding="utf-8").splitlines()
        self.assertEqual("\n".join(again[:-1]) + "\n", whole.decode().rsplit("{", 1)[0])
        self.assertEqual(json.loads(again[-1])["point"], TINY[-1])
        self.assertEqual(len(again), 4)

    def test_another_machine(self):
        self.assertEqual(self.bench(points=TINY[:1]).returncode, 0)
        text = self.file.read_text(encoding="utf-8").replace('"cores": ', '"cores": 9', 1)
        self.file.write_text(text, encoding="utf-8")
        done = self.bench()
        self.assertEqual(done.returncode, 2)
        self.assertIn("of another machine", done.stderr)
        self.assertEqual(self.file.read_text(encoding="utf-8"), text)
        self.assertEqual(self.bench("--new").returncode, 0)

    def test_slower(self):
        self.assertEqual(self.bench().returncode, 0)
        done = self.bench("--no-run", "--against", self.other_run(0.9))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, f"{TINY[0]}: us .* 11.1 % slower")
        self.assertIn("3 figures compared: 1 slower, 0 faster", done.stdout)
        for factor in (0.96, 1.04, 2):
            done = self.bench("--no-run", "--against", self.other_run(factor))
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn(f"0 slower, {int(factor == 2)} faster", done.stdout)

    def test_nothing_to_compare(self):
        self.assertEqual(self.bench(points=TINY[:1]).returncode, 0)
        other = self.folder / "other.json"
        other.write_text('{"machine": {}, "points": [{"point": "a", "us": 1}]}', encoding="utf-8")
        self.assertEqual(self.bench("--no-run", "--against", str(other)).returncode, 1)
        other.write_text("[]", encoding="utf-8")
        done = self.bench("--no-run", "--against", str(other))
        self.assertEqual(done.returncode, 2)
        self.assertIn("is no run of cca-bench", done.stderr)

    def test_failures(self):
        done = self.bench(points=["cpu/1/64x48/5/g4", TINY[0]])
        self.assertEqual(done.returncode, 1)
        lines = self.file.read_text(encoding="utf-8").splitlines()[1:]
        self.assertIn('"failed": "there is no such point"', lines[0])
        self.assertIn('"us"', lines[1])

    def test_tables(self):
        figures = HERE.parent.parent / "docs/figures"
        runs = [figures / "cpu-epyc.json", *sorted(figures.glob("bench-*.json"))]
        check = [str(HERE / "cca-bench"), "--check", "--document"]
        done = run(*check, *map(str, runs))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        values = json.loads((figures / "bench-h200.json").read_text(encoding="utf-8"))
        next(p for p in values["points"] if p["point"] == "8192x8192/4/g16")["us"] *= 2
        other = self.folder / "other.json"
        other.write_text(json.dumps(values), encoding="utf-8")
        self.assertEqual(run(*check, str(other)).returncode, 1)

    def test_every_table(self):
        """A run of all points fills all that the page has."""
        text = (HERE.parent.parent / "docs/performance.md").read_text(encoding="utf-8")
        figures = dict.fromkeys(("us", "worst_us", "gpix_s", "floor_percent", "added_us", "wall_us",
                                 "cpu_us", "frames_s", "percent", "spiral", "call_us"), 12345.0)
        points = {name: {"point": name, "gives": "labels", "same": "as others", **figures}
                  for name in plan.points(False, 2)}
        filled = document.fill(text, {"cpu": "made up", "cores": 2}, points)
        self.assertEqual(filled.count("made up, 2 cores"), text.count("<!-- cca-bench: "))
        self.assertGreater(filled.count("12345"), 500)
        self.assertEqual(document.fill(filled, {"cpu": "made up", "cores": 2}, points), filled)


class Tables(unittest.TestCase):
    def row(self, **figures):
        """Of NPP, one of full images beside 21 of noise that are exact."""
        points = {f"npp/1080p/8/{content}": {
            "point": content, "us": 1648.2, "labels_us": 419, "version": "13.0.1",
            "gives": "labels, count", "images": 21, "exact": 21, "split": 0, "joined": 0}
            for content in ("g1", "full")}
        points["npp/1080p/8/full"].update(figures)
        (row,) = document.peers(document.Run({}, points))
        return row

    def test_inexact(self):
        row = self.row(images=1, exact=0, split=1)
        self.assertEqual(row[:6], ("npp 13.0.1", "–", "1080p", "8", "labels, count", "1648"))
        self.assertEqual(row[6:9], ("–", "–", "1648"))
        self.assertEqual(row[-1], "not exact: as the labels of `cca` on 21 of 22 images; "
                                  "components are split on 1, joined on 0")

    def test_exact(self):
        self.assertEqual(self.row()[-1], "as the labels of `cca`")


class Quick(Folder):
    """The quick form, with programs that only print."""

    def quick(self, engine, element, status=0):
        folder = self.folder / "bin"
        folder.mkdir()
        for name, lines in (("bench-engine", engine), ("bench-element", element)):
            program = folder / name
            program.write_text("#!/bin/sh\ncat <<'E'\n" + "".join(f"{line}\n" for line in lines) +
                               f"E\nexit {status}\n", encoding="ascii")
            program.chmod(0o755)
        done = run(str(HERE / "quick"), str(folder), str(self.folder / "report"))
        text = (self.folder / "report").read_text(encoding="ascii")
        return json.loads("{" + text + "}"), done.returncode

    def test_figures(self):
        report, status = self.quick(
            ['{"point": "8192x8192/4/g1", "us": 502.3, "worst_us": 1, "gpix_s": 1.5e+02}',
             '{"point": "8192x8192/4/g16", "us": 1, "gpix_s": 702.1}'],
            ['{"point": "element/1080p/16", "wall_us": 11.2, "cpu_us": 120}',
             '{"point": "element/4k/16/async2", "skipped": "the element has no async-depth"}'])
        self.assertEqual(status, 0)
        self.assertEqual(len(report["bench"]), 4)
        self.assertEqual(report["speed"], {
            "8192x8192/4/g1/gpix_s": 150, "8192x8192/4/g16/gpix_s": 702.1,
            "element/1080p/16/wall_us": 11.2, "element/1080p/16/cpu_us": 120})

    def test_failure(self):
        report, status = self.quick(['{"point": "a", "failed": "b"}'], [], 1)
        self.assertEqual(status, 1)
        self.assertEqual(report["speed"], {})

    def test_points(self):
        def lines(name):
            return [line for line in (HERE / name).read_text(encoding="ascii").splitlines()
                    if not line.startswith("#")]
        quick = set(lines("quick.points"))
        for figure in lines("speed.figures"):
            self.assertIn(figure.rsplit("/", 1)[0], quick)


class Programs(unittest.TestCase):
    def measured(self, program, names, *figures):
        points, status = points_of(*program, *names)
        self.assertEqual(status, 0, points)
        self.assertEqual(list(points), names)
        for point in points.values():
            for figure in figures:
                self.assertGreater(point.get(figure, 0), 0, point)
        return points

    def refused(self, program, names):
        points, status = points_of(program, *names)
        self.assertEqual(status, 1)
        for name in names:
            self.assertEqual(points[name].get("failed"), "there is no such point")

    def test_cpu(self):
        self.measured(["bench-cpu"], TINY + ["cpu-features/1/64x48/8/g4"], "us", "worst_us")
        self.refused("bench-cpu", ["cpu", "cpu/0/64x48/8/g4", "cpu/1/64x48/8/g0",
                                   "cpu/1/64x48/8/g4/101", "cpu/1/0x48/8/g4", "cpu/1/64x48/8/cube",
                                   "cpu-corners/1/64x48/8/g4"])

    def test_opencv(self):
        names = ["opencv/1/64x48/8/g1", "opencv/2/64x48/4/g4"]
        points, status = points_of("bench-cpu", *names)
        self.assertEqual(status, 0, points)
        if "skipped" in points[names[0]]:
            self.skipTest(points[names[0]]["skipped"])
        for name in names:
            self.assertEqual(points[name]["same"], "count, boxes, areas, centroids")
        names = ["opencv-features/1/64x48/8/g1", "opencv-features/1/64x48/4/g4"]
        points, status = points_of("bench-cpu", *names)
        self.assertEqual(status, 0, points)
        self.assertEqual([points[name]["same"] for name in names], 2 * ["count, features"])

    def test_peers(self):
        """Those that are installed."""
        self.refused(str(HERE / "peers.py"), ["scipy", "scipy/64x48/5/g4", "blah/64x48/8/g4",
                                              "opencv-python/64x48/8/g4"])
        names = ["scipy/64x48/4/g4", "scikit-image/64x48/8/g1", "opencv-python/1/64x48/8/g4",
                 "cupy/64x48/4/g1"]
        points, status = points_of(str(HERE / "peers.py"), *names)
        self.assertEqual(status, 0, points)
        for point in points.values():
            self.assertIn("skipped" if "skipped" in point else "same", point)

    def test_element(self):
        self.measured(["bench-element", "--seconds", "0.05"],
                      ["cca/64x48/2/6/loop", "cca/64x48/1/floor/loop"],
                      "wall_us", "cpu_us")
        points = self.measured(["bench-element", "--seconds", "0.05"],
                               ["cca/64x48/2/loop", "cca/64x48/1/labels/loop"],
                               "analysis_us", "least_percent")
        self.assertTrue(all(p["least_percent"] <= 100 for p in points.values()))
        self.refused("bench-element", ["cca/64x48/0", "cca/64x48/1/2gpus", "cca/64x48/1/0fps",
                                       "cca/64x48/1/30fps/loop", "a/b/c", "decode/0",
                                       "decode/1/30fps", "pace/64x48/1", "pace/64x48/1/0fps",
                                       "pace/64x48/1/30fps/otsu"])

    def test_elements(self):
        names = [f"elements/{name}/6/128x96" for name in plan.WORK]
        points, status = points_of("bench-elements", *names)
        self.assertEqual(status, 0, points)
        self.assertEqual(list(points), names)
        for name, point in points.items():
            peer = name.split("/")[1].startswith(("objectdetectionoverlay", "opencv"))
            self.assertTrue("us" in point or peer and "skipped" in point, point)
        self.assertGreater(points["elements/ccajson/6/128x96"]["mb_s"], 0)
        self.refused("bench-elements", ["elements/cca", "elements/cca/0", "elements/blah/1",
                                        "elements/cca/65537", "elements/cca/4000/64x48",
                                        "elements/cca/1/1080p/1", "cca/1080p/1"])


class Simulated(Programs):
    """On the simulated driver."""

    def test_engine(self):
        self.measured(["bench-engine"], ["64x64/8/g16/40", "flsl-cd/64x64/4/full",
                                         "auto-features/64x64/4/g16/40",
                                         "foreground/64x64/8/difference",
                                         "foreground/64x64/8/threshold-regions",
                                         "foreground/64x64/8/sigma-delta-tenth"], "us")
        points = self.measured(["bench-engine"], ["64x64/4/g8", "worst/8/32x32"], "us")
        self.assertEqual(len(points["64x64/4/g8"]["densities_us"]), 21)
        worst = points["worst/8/32x32"]
        self.assertEqual(worst["us"], max(value for key, value in worst.items()
                                          if isinstance(value, (int, float)) and key != "us"))
        self.refused("bench-engine", ["64x64/6/g16", "foreground/64x64/10/otsu", "worst/5",
                                      "auto-corners/64x64/8/g16"])

    def test_host(self):
        self.measured(["bench-engine"], ["host/64x64/g4/50"], "us", "p99_us", "cpu_us", "paused_us")

    def test_pace(self):
        """With the element and without it, at a rate that the source sets."""
        names = ["pace/64x48/1/30fps", "pace/64x48/2/200fps/sigma-delta"]
        points = self.measured(["bench-element", "--seconds", "0.05"], names,
                               "plain_cpu_us", "cpu_us", "added_cpu_us", "analysis_us")
        for point in points.values():
            self.assertAlmostEqual(point["added_cpu_us"], point["cpu_us"] - point["plain_cpu_us"],
                                   delta=0.01 * point["cpu_us"])

    def test_npp(self):
        """With a library in its place that is right, or makes one mistake."""
        def judged(mistake):
            point = points_of("env", f"CCA_NPP_MISTAKE={mistake}", "bench-npp", name)[0][name]
            self.assertEqual(point["images"], 21)
            return point["exact"], point["split"], point["joined"]
        self.measured(["bench-npp"], ["npp/64x48/4/full", "npp/33x20/8/g1"], "us", "labels_us")
        self.refused("bench-npp", ["npp/64x48/5/g4", "npp/64x48/8", "cupy/64x48/8/g4"])
        for name in ("npp/64x48/4/g1", "npp/64x48/8/g1", "npp/64x48/8/g16"):
            self.assertEqual(judged(""), (21, 0, 0))
        name = "npp/64x48/8/g16"
        exact, split, joined = judged("split")
        self.assertTrue(exact > 0 and split > 5 and joined == 0, (exact, split, joined))
        exact, split, joined = judged("join")
        self.assertTrue(exact > 0 and split == 0 and joined > 5, (exact, split, joined))
        for mistake in ("status", "range"):
            points, status = points_of("env", f"CCA_NPP_MISTAKE={mistake}", "bench-npp", name)
            self.assertEqual(status, 1)
            self.assertIn("failed", points[name])

    def test_overlay(self):
        self.measured(["bench-engine"], ["overlay/256x128/3", "overlay/256x128/3/trails",
                                         "overlay/256x128/3/shapes"], "us", "call_us")
        self.refused("bench-engine", ["overlay/256x128", "overlay/256x128/0", "overlay/32x32/3",
                                      "overlay/256x128/3/plates"])

    def test_pipelines(self):
        self.measured(["bench-element", "--seconds", "0.05"],
                      ["element/64x48/2/6", "element/64x48/2/6/2gpus/loop", "element/64x48/1/labels"],
                      "wall_us", "cpu_us")
        points = self.measured(["bench-element", "--seconds", "0.05"], ["cca/64x48/2/400fps"],
                               "analysis_us")
        paced = points["cca/64x48/2/400fps"]
        self.assertGreater(paced["wall_us"], 1e6 / 400 / 2 * 0.9)
        self.assertLess(paced["analysis_us"], paced["wall_us"])
        points, _ = points_of("bench-element", "--seconds", "0.05", "element/64x48/2/3gpus")
        self.assertIn("skipped", points["element/64x48/2/3gpus"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
