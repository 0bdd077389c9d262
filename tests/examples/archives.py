# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: archives.py CCA-SCAN CCA-FIND [TEST...]: an archive of clips whose boxes are known."""

import csv
import hashlib
import importlib.machinery
import importlib.util
import itertools
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from pictures import flat, source, write_raw

SCAN, FIND = sys.argv[1:3]
del sys.argv[1:3]
WIDTH, HEIGHT, FRAMES = 160, 120, 60
SETTINGS = {"version": 1, "cca": {"foreground": "threshold", "threshold": 128, "min-area": 20},
            "ccatrack": {"min-hits": 1}}

try:
    import duckdb
except ImportError:
    duckdb = None
try:
    import ray
    from ray.cluster_utils import Cluster
except ImportError:
    ray = None
needs_duckdb = unittest.skipUnless(duckdb, "DuckDB is not installed")


def boxes(t):
    """One goes to the right, one stays."""
    return [(2 * t, 20, 12, 10), (100, 60, 10, 14)] if 5 <= t < 55 else []


def frames():
    for t in range(FRAMES):
        rows = flat(WIDTH, HEIGHT, 20)
        for x, y, w, h in boxes(t):
            for row in rows[y:y + h]:
                row[x:x + w] = [200] * w
        yield rows


def rows_of(folder):
    with open(os.path.join(folder, "components.csv"), newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


def lines_of(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def contents(folder):
    """A digest of each file that is to stay."""
    found = {}
    for path, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != ".part"]
        for name in names:
            with open(os.path.join(path, name), "rb") as f:
                found[os.path.relpath(os.path.join(path, name), folder)] = hashlib.sha256(
                    f.read()).hexdigest()
    return found


def children(pid):
    """The processes that a process has started."""
    found = []
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/children", encoding="utf-8") as f:
            found += map(int, f.read().split())
    return found


def title(pid):
    try:
        with open(f"/proc/{pid}/cmdline", encoding="utf-8") as f:
            return f.read()
    except OSError:
        return ""


def until(condition, seconds=100):
    """The value of a condition once it holds."""
    for _ in range(20 * seconds):
        if value := condition():
            return value
        time.sleep(0.05)
    raise TimeoutError


class Archives(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        raw, clip = cls.path("raw"), cls.path("clip.mkv")
        pictures = list(frames())
        write_raw(raw, pictures, WIDTH)
        subprocess.run(["gst-launch-1.0", "-q", *source(raw, pictures, WIDTH).split(), "!",
                        "matroskamux", "!", "filesink", f"location={clip}"], check=True)
        cls.videos = cls.path("videos")
        os.makedirs(os.path.join(cls.videos, "gate's"))
        for name in "20260102-030405.mkv", "20260102-030409.mkv", "gate's/20260102-040000 b.mkv":
            shutil.copy(clip, os.path.join(cls.videos, name))
        with open(os.path.join(cls.videos, "broken.mp4"), "w", encoding="utf-8") as f:
            f.write("no video")
        with open(os.path.join(cls.videos, "notes.txt"), "w", encoding="utf-8") as f:
            f.write("no video either")
        cls.settings = cls.path("settings.json")
        with open(cls.settings, "w", encoding="utf-8") as f:
            json.dump(SETTINGS, f)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    def new(self):
        """A folder that is not there yet."""
        return os.path.join(tempfile.mkdtemp(dir=self.folder), "archive")

    def command(self, output, *options):
        pictures = [] if "--thumbnails" in options else ["--no-thumbnails"]
        return [sys.executable, SCAN, "--device", "cpu", "--format", "csv", "--settings",
                self.settings, "--activity", "min-frames=1", "--start", "%Y%m%d-%H%M%S", "--output", output, *pictures,
                *(option for option in options if option != "--thumbnails")]

    def scan(self, output, *options, status=0, videos=None):
        process = subprocess.run(self.command(output, *options, videos or self.videos),
                                 capture_output=True, text=True, timeout=100)
        self.assertEqual(process.returncode, status, process.stderr)
        self.assertEqual(process.stdout, "")
        return process.stderr

    def test_results(self):
        """Each box of each frame, each event with its picture, and what is broken."""
        output = self.new()
        text = self.scan(output, "--jobs", "2", "--thumbnails", status=3)
        self.assertIn("broken.mp4: ", text)
        self.assertIn("3 of 4 videos, 1 failed", text)
        failed, = lines_of(os.path.join(output, "failed.jsonl"))
        self.assertEqual(failed["path"], os.path.join(self.videos, "broken.mp4"))
        self.assertEqual(os.listdir(os.path.join(output, ".part")), [])
        start = 1767323045 * 10**9
        folder = os.path.join(output, "20260102-030405.mkv")
        rows = rows_of(folder)
        found = [tuple(int(row[key]) for key in ("frame", "x", "y", "w", "h", "area"))
                 for row in rows]
        self.assertEqual(found, [(t, *box, box[2] * box[3]) for t in range(FRAMES)
                                 for box in sorted(boxes(t), key=lambda b: (b[1], b[0]))])
        for row in rows:
            self.assertEqual(row["file"], "20260102-030405.mkv")
            self.assertEqual(int(row["utc"]), start + int(row["pts"]))
            self.assertEqual((row["picture_w"], row["picture_h"]), (str(WIDTH), str(HEIGHT)))
            self.assertEqual(float(row["cx"]), int(row["x"]) + (int(row["w"]) - 1) / 2)
        self.assertEqual({row["track"] for row in rows}, {"1", "2"})
        event, = [e for e in lines_of(os.path.join(folder, "events.jsonl"))
                  if e["message"] == "cca-activity"]
        self.assertEqual(event["frames"], 50)
        self.assertEqual(event["end"]["utc"], start + event["end"]["stream_time"])
        with open(os.path.join(folder, event["thumbnail"]), "rb") as f:
            self.assertEqual(f.read(2), b"\xff\xd8")
        with open(os.path.join(folder, "summary.json"), encoding="utf-8") as f:
            summary = json.load(f)
        self.assertEqual((summary["frames"], summary["components"], summary["activities"],
                          summary["start"]), (FRAMES, 100, 1, start))
        name = os.path.join("gate's", "20260102-040000 b.mkv")
        self.assertEqual(len(rows_of(os.path.join(output, name))), 100)

    def test_until_the_end(self):
        """The end of the video ends the last event."""
        output = self.new()
        self.scan(output, "--activity", "min-frames=1 max-gap=10000000000",
                  videos=os.path.join(self.videos, "20260102-030405.mkv"))
        event = lines_of(os.path.join(output, "20260102-030405.mkv", "events.jsonl"))[-1]
        self.assertEqual((event["message"], event["reason"], event["end"]["stream_time"]),
                         ("cca-activity", "eos", 54 * 40_000_000))

    def test_resumes(self):
        """Only what has changed is analysed again."""
        videos, output = os.path.join(os.path.dirname(self.new()), "videos"), self.new()
        shutil.copytree(self.videos, videos, ignore=shutil.ignore_patterns("broken*"))

        def changed(*options):
            before = {name: os.stat(os.path.join(output, name, "summary.json")).st_ino
                      for name in names}
            text = self.scan(output, *options, videos=videos)
            again = [name for name in names if before[name] != os.stat(
                os.path.join(output, name, "summary.json")).st_ino]
            self.assertIn(f"{len(again)} of {len(again)} videos", text)
            return again

        names = ["20260102-030405.mkv", "20260102-030409.mkv", "gate's/20260102-040000 b.mkv"]
        self.scan(output, videos=videos)
        self.assertEqual(changed(), [])
        os.utime(os.path.join(videos, names[1]), (1e9, 1e9))
        self.assertEqual(changed(), [names[1]])
        with open(os.path.join(videos, names[2]), "ab") as f:
            f.write(b"\0")
        self.assertEqual(changed(), [names[2]])
        os.remove(os.path.join(output, names[0], "summary.json"))
        self.scan(output, videos=videos)
        self.assertEqual(changed("--fps", "5"), names)
        self.assertEqual(len(rows_of(os.path.join(output, names[0]))), 20)
        self.assertEqual(changed("--fps", "5", "--thumbnails"), names)
        self.assertEqual(sorted(os.listdir(os.path.join(output, names[0]))),
                         ["000001.jpg", "components.csv", "events.jsonl", "summary.json"])

    def test_cut(self):
        """A video that was cut off has the rows of the frames that are left."""
        with open(self.path("clip.mkv"), "rb") as f:
            clip = f.read()
        name, rows, frames_left = "20260102-030405.mkv", [], []
        for part in 1, 0.6:
            videos, output = tempfile.mkdtemp(dir=self.folder), self.new()
            with open(os.path.join(videos, name), "wb") as f:
                f.write(clip[:int(part * len(clip))])
            self.scan(output, videos=videos)
            with open(os.path.join(output, name, "components.csv"), encoding="utf-8") as f:
                rows.append(f.read().splitlines())
            with open(os.path.join(output, name, "summary.json"), encoding="utf-8") as f:
                frames_left.append(json.load(f)["frames"])
        whole, cut = frames_left
        self.assertTrue(0 < cut < whole, frames_left)
        self.assertTrue(1 < len(rows[1]) < len(rows[0]), rows[1])
        self.assertEqual(rows[1], rows[0][:len(rows[1])])

    def test_killed(self):
        """Whatever is killed, the result is in the end as if nothing had been."""
        expected, output = self.new(), self.new()
        self.scan(expected, status=3)
        for rounds in itertools.count(1):
            process = subprocess.Popen(self.command(output, "--jobs", "1", self.videos),
                                       stderr=subprocess.PIPE, text=True)
            time.sleep(0.3 + 0.15 * rounds)
            workers = children(process.pid)
            if rounds % 2:
                process.kill()
            for worker in workers:
                try:
                    os.kill(worker, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            text = process.communicate(timeout=60)[1]
            self.assertNotIn("Traceback", text)
            if rounds % 2 == 0 and workers:
                self.assertIn("ended by signal 9", text)
            if rounds == 4:
                break
        # a worker ends when the program does
        parts, until = os.path.join(output, ".part"), time.monotonic() + 20
        while any(os.path.exists(f"/proc/{name.removesuffix('-old').rpartition('-')[2]}")
                  for name in os.listdir(parts)):
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)
        # of another machine that shares the folder
        other = f"not-{socket.gethostname()}-{1 << 22}"  # no process has that number
        os.mkdir(os.path.join(parts, other))
        self.scan(output, status=3)
        self.assertEqual(contents(output), contents(expected))
        self.assertEqual(os.listdir(parts), [other])

    def test_stopped(self):
        process = subprocess.Popen(self.command(self.new(), "--jobs", "1", self.videos),
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        text = process.communicate(timeout=20)[1]
        self.assertIn(process.returncode, (130, -signal.SIGINT))
        if process.returncode == 130:
            self.assertIn("the same command continues", text)
            self.assertNotIn("Traceback", text)

    def test_shards(self):
        """Together they are all, and nothing twice."""
        output, parts = self.new(), []
        for i in range(1, 4):
            process = subprocess.run(self.command(output, "--shard", f"{i}/3", self.videos),
                                     capture_output=True, text=True, timeout=100)
            self.assertIn(process.returncode, (0, 3))
            parts.append(process.stderr)
        together = [int(text.split("cca-scan: ")[-1].split()[0]) for text in parts]
        self.assertEqual(sum(together), 3)
        self.assertEqual(sum("broken.mp4: " in text for text in parts), 1)
        whole = self.new()
        self.scan(whole, status=3)
        drop = {"failed.jsonl", *(f"failed-{i}-of-3.jsonl" for i in range(1, 4))}
        self.assertEqual(*({k: v for k, v in contents(folder).items() if k not in drop}
                           for folder in (output, whole)))

    @unittest.skipUnless(ray, "Ray is not installed")
    def test_ray(self):
        """Two nodes store what one process stores, also if a worker of theirs dies."""
        whole, output = self.new(), self.new()
        self.scan(whole, status=3)
        cluster = Cluster(initialize_head=True,
                          head_node_args={"num_cpus": 1, "include_dashboard": False})
        self.addCleanup(cluster.shutdown)
        cluster.add_node(num_cpus=1)
        process = subprocess.Popen(self.command(output, "--ray", cluster.address, self.videos),
                                   stderr=subprocess.PIPE, text=True)
        worker = until(lambda: next((pid for pid in map(int, filter(str.isdecimal, os.listdir("/proc")))
                                     if re.match("ray::.*analyse_job", title(pid))), None))
        os.kill(worker, signal.SIGKILL)
        text = process.communicate(timeout=200)[1]
        self.assertEqual(process.returncode, 3, text)
        self.assertEqual(contents(whole), contents(output))

    def test_list(self):
        names = self.path("list.txt")
        with open(names, "w", encoding="utf-8") as f:
            f.write(os.path.join(self.videos, "20260102-030405.mkv") + "\n\n")
        output = self.new()
        self.scan(output, videos=names)
        self.assertTrue(os.path.exists(os.path.join(
            output, self.videos.lstrip("/"), "20260102-030405.mkv", "summary.json")))

    def test_folder(self):
        """The videos in a folder and below it, by their names in any case. Links to nothing and
        what an earlier scan has stored there are left out."""
        folder = self.path("mixed")
        os.makedirs(os.path.join(folder, "below", "archive"))
        for name in "a.MKV", "b.txt", "below/c.mp4", "below/archive/d.mkv", "mkv":
            open(os.path.join(folder, name), "w", encoding="utf-8").close()
        os.symlink("nothing.mkv", os.path.join(folder, "e.mkv"))
        loader = importlib.machinery.SourceFileLoader("cca_scan", SCAN)
        scan = importlib.util.module_from_spec(
            importlib.util.spec_from_loader("cca_scan", loader))
        loader.exec_module(scan)
        self.assertEqual(list(scan.find([folder], os.path.join(folder, "below/archive"))),
                         ["a.MKV", "below/c.mp4"])

    def test_refused(self):
        """One sentence each."""
        clip = os.path.join(self.videos, "20260102-030405.mkv")
        bad = self.path("bad.json")
        for text, expected, status in (
                ("{", "are no JSON", 2), ("[]", "no object with version 1", 2),
                ('{"version": 1, "cca": {"min-are": 1}}', 'has no property "min-are"', 2),
                ('{"version": 1, "ccaoverlay": {}}', "have no ccaoverlay", 2),
                ('{"version": 1, "width": 99, "height": 9}', "for video of 99x9", 3)):
            with open(bad, "w", encoding="utf-8") as f:
                f.write(text)
            with self.subTest(text):
                self.assertIn(expected, self.scan(self.new(), "--settings", bad, status=status,
                                                  videos=clip))
        for options, expected in (
                (("--shard", "3/2"), "a part of all"), (("--fps", "0"), "a whole number from 1"),
                (("--jobs", "x"), "a whole number from 1")):
            with self.subTest(options):
                self.assertIn(expected, self.scan(self.new(), *options, status=2, videos=clip))
        self.assertIn("--activity: ", self.scan(self.new(), "--activity", "max-gaps=1", status=2,
                                                videos=clip))
        self.assertIn("there is no file", self.scan(self.new(), status=2, videos="/no/where"))
        self.assertIn("its name has no time", self.scan(self.new(), "--start", "%Y-%m-%dT%H", videos=clip,
                                                        status=3))
        twice = self.path("other")
        os.makedirs(twice, exist_ok=True)
        shutil.copy(clip, twice)
        process = subprocess.run(self.command(self.new(), clip, os.path.join(
            twice, os.path.basename(clip))), capture_output=True, text=True, timeout=60)
        self.assertEqual(process.returncode, 2)
        self.assertIn("give a folder above both", process.stderr)
        taken = self.path("taken")
        open(taken, "w", encoding="utf-8").close()
        self.assertIn(taken, self.scan(taken, status=1, videos=clip))

    @needs_duckdb
    def test_parquet(self):
        """The same rows, and the same bytes each time."""
        as_csv, first, second = self.new(), self.new(), self.new()
        self.scan(as_csv, status=3)
        for output in first, second:
            self.scan(output, "--format", "parquet", status=3)
        self.assertEqual(contents(first), contents(second))
        name = "20260102-030405.mkv"
        found = duckdb.sql("SELECT * FROM read_parquet($$" + os.path.join(
            first, name, "components.parquet") + "$$)").fetchall()
        self.assertEqual([[str(value) for value in row] for row in found],
                         [[str(float(value)) if key in ("cx", "cy") else value
                           for key, value in row.items()]
                          for row in rows_of(os.path.join(as_csv, name))])

    def find(self, archive, *options):
        process = subprocess.run([sys.executable, FIND, archive, "--format", "json", *options],
                                 capture_output=True, text=True, timeout=100)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        return [json.loads(line) for line in process.stdout.splitlines()]

    @needs_duckdb
    def test_find(self):
        output = self.new()
        for form in "parquet", "csv":
            with self.subTest(form):
                self.scan(output, "--format", form, "--thumbnails", status=3)
                # the one that goes has its feet at (2 t + 6, 30)
                stays = self.find(output, "--polygon", "40,10,80,10,80,40,40,40")
                inside = [t for t in range(5, 55) if 40 <= 2 * t + 6 < 80]
                self.assertEqual([s["video"] for s in stays],
                                 ["20260102-030405.mkv", "20260102-030409.mkv",
                                  "gate's/20260102-040000 b.mkv"])
                for stay in stays:
                    self.assertEqual(stay["frames"], len(inside))
                    self.assertAlmostEqual(stay["start"], 0.04 * inside[0])
                    self.assertAlmostEqual(stay["end"], 0.04 * inside[-1])
                    self.assertTrue(os.path.exists(stay["thumbnail"]))
                self.assertEqual(self.find(output, "--polygon", "0,80,9,80,9,90"), [])

    @needs_duckdb
    def test_find_options(self):
        output = self.new()
        self.scan(output, status=3)
        everywhere = ("--polygon", "0,0,160,0,160,121,0,121")
        n = len(self.find(output, *everywhere))
        self.assertEqual(n, 6)
        for options, count in (
                (("--min-area", "130"), 3), (("--min-area", "141"), 0),
                (("--min-stay", "99"), 0), (("--from", "2026-01-02T04:00:00Z"), 2),
                (("--to", "2026-01-02T03:04:06+00:00"), 2), (("--anchor", "centroid"), 6),
                (("--reference", "320x240"), 0)):
            with self.subTest(options):
                polygon = ("--polygon", "200,118,230,118,230,151,200,151") \
                    if "--reference" in options else everywhere
                self.assertEqual(len(self.find(output, *polygon, *options)),
                                 3 if "--reference" in options else count)

    @needs_duckdb
    def test_extract(self):
        output, clips = self.new(), self.new()
        self.scan(output, status=3)
        self.find(output, "--polygon", "40,10,80,10,80,40,40,40", "--extract", clips, "--pad", "0")
        names = sorted(os.listdir(clips))
        self.assertEqual(len(names), 3)
        again = self.new()
        self.scan(again, "--start", "mtime", videos=os.path.join(clips, names[0]))
        at = [int(row["x"]) // 2 for row in rows_of(os.path.join(again, names[0]))
              if row["y"] == "20"]
        inside = [t for t in range(5, 55) if 40 <= 2 * t + 6 < 80]
        # it begins where the file has an index
        self.assertEqual(at, list(range(at[0], inside[-1] + 1)))
        self.assertIn(at[0], range(5, inside[0] + 1))


if __name__ == "__main__":
    unittest.main()
