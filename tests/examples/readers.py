# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: readers.py CCA-JSON (read-metas PROGRAM | boxes SCRIPT)

The small examples show what cca-json prints.
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

CCA_JSON, EXAMPLE, PROGRAM = sys.argv[1:4]
del sys.argv[1:4]
DEFAULT = "videotestsrc num-buffers=5 pattern=ball ! cca"
SMPTE = "videotestsrc num-buffers=4 ! video/x-raw,format=I420,width=161,height=121"


def run(program, *args):
    return subprocess.run([program, *args], capture_output=True, text=True, timeout=60)


def expected(pipeline):
    process = subprocess.run([CCA_JSON, pipeline], check=True, capture_output=True, text=True,
                             timeout=60)
    return [json.loads(line) for line in process.stdout.splitlines()]


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def check_error(self, sentence, *args):
        process = run(PROGRAM, *args)
        self.assertEqual((process.returncode, process.stdout), (1, ""))
        self.assertIn(sentence, process.stderr)
        self.assertEqual(process.stderr.count("\n"), 1, process.stderr)


@unittest.skipIf(EXAMPLE != "read-metas", "another example is tested")
class ReadMetas(Case):
    def check(self, frames, *args):
        process = run(PROGRAM, *args)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        lines = []
        for frame in frames:
            seconds, rest = divmod(frame["pts"], 10**9)
            lines.append(f"0:00:{seconds:02}.{rest:09} {len(frame['components'])} of "
                         f"{frame['n_found']} components")
            lines += ["  {id}: {width}x{height} at {x},{y}, area {area}, centroid "
                      "{cx:.2f},{cy:.2f}".format(**c) for c in frame["components"]]
        self.assertGreater(len(lines), len(frames))
        self.assertEqual(process.stdout.splitlines(), lines)

    def test_default(self):
        self.check(expected(DEFAULT))

    def test_file(self):
        path = os.path.join(self.folder, "two words.mkv")
        # a program of others may not be able to load our plugins
        env = dict(os.environ, GST_PLUGIN_PATH="",
                   GST_REGISTRY=os.path.join(self.folder, "registry"))
        subprocess.run(["gst-launch-1.0", "-q", *SMPTE.split(), "!", "matroskamux", "!",
                        "filesink", f"location={path}"], check=True, env=env)
        frames = expected(f'filesrc location="{path}" ! decodebin ! videoconvert ! cca')
        self.assertEqual(len(frames), 4)
        self.check(frames, path)

    def test_errors(self):
        self.check_error("Resource not found", os.path.join(self.folder, "missing"))
        path = os.path.join(self.folder, "text")
        with open(path, "w") as f:
            f.write("This is no video.\n" * 100)
        self.check_error("text", path)

    def test_help(self):
        for option in "--help", "-h":
            process = run(PROGRAM, option)
            self.assertEqual((process.returncode, process.stderr), (0, ""))
            self.assertTrue(process.stdout.startswith("usage: read-metas [VIDEO]"))
        self.assertEqual(run(PROGRAM, "one", "two").returncode, 1)


@unittest.skipIf(EXAMPLE != "boxes", "another example is tested")
class Boxes(Case):
    def check(self, frames, *args):
        process = run(PROGRAM, *args)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        lines = [" ".join("{id}:{width}x{height}+{x}+{y}".format(**c) for c in f["components"])
                 for f in frames]
        self.assertRegex(lines[0], re.compile(r"^1:\d"))
        self.assertEqual(process.stdout.splitlines(), lines)

    def test_default(self):
        self.check(expected(DEFAULT))

    def test_pipeline(self):
        pipeline = SMPTE + " ! cca threshold=60"
        self.check(expected(pipeline), pipeline)
        self.check(expected(pipeline), *pipeline.split())

    def test_from_another_process(self):
        """No element of ours is there, which would register the meta."""
        socket = os.path.join(self.folder, "socket")
        sender = subprocess.Popen(
            [CCA_JSON, "videotestsrc is-live=true num-buffers=750 ! cca ! "
             f"unixfdsink socket-path={socket}"],
            stdout=subprocess.DEVNULL)
        self.addCleanup(sender.wait)
        self.addCleanup(sender.kill)
        while not os.path.exists(socket):
            self.assertIsNone(sender.poll())
            time.sleep(0.01)
        with subprocess.Popen([PROGRAM, f"unixfdsrc socket-path={socket}"],
                              stdout=subprocess.PIPE, text=True) as process:
            self.assertRegex(process.stdout.readline(), r"^1:\d")
            process.kill()

    def test_errors(self):
        self.check_error('no element "nosuchelement"', "nosuchelement")
        missing = os.path.join(self.folder, "missing")
        self.check_error("Resource not found", f"filesrc location={missing} ! decodebin ! cca")

    def test_help(self):
        for option in "--help", "-h":
            process = run(PROGRAM, option)
            self.assertEqual((process.returncode, process.stderr), (0, ""))
            self.assertIn("Usage: boxes.py [PIPELINE", process.stdout)

    def test_ends_early(self):
        """A closed pipe ends it, and so does an interrupt."""
        endless = "videotestsrc pattern=ball ! cca"
        for end, status in (lambda p: p.stdout.close(), -signal.SIGPIPE), \
                           (lambda p: p.send_signal(signal.SIGINT), -signal.SIGINT):
            with subprocess.Popen([PROGRAM, endless], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True) as process:
                self.assertRegex(process.stdout.readline(), r"^1:\d")
                end(process)
                if not process.stdout.closed:
                    process.stdout.read()
                self.assertEqual(process.wait(timeout=60), status)

    def test_short(self):
        with open(PROGRAM) as f:
            self.assertLessEqual(len(f.readlines()), 45)


if __name__ == "__main__":
    unittest.main()
