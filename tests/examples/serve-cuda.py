# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: serve-cuda.py CCA-SERVE [TEST...]

cca-serve with --device cuda, on a GPU or on the simulated driver, which ends a program
with the exit status 99 if it has not destroyed all that it made."""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

try:
    import aiohttp  # noqa: F401
    import prometheus_client  # noqa: F401
    import yaml  # noqa: F401
    import gi
    gi.require_version("Gst", "1.0")
    from gi.repository import Gst
except (ImportError, ValueError) as error:
    print(error)
    sys.exit(77)

from serving import Service

SERVE = sys.argv.pop(1)
FRAMES = 40
Gst.init(None)
for name in "cudacca", "cudaupload", "cudadownload":
    if not Gst.ElementFactory.find(name):
        print(f"there is no {name}")
        sys.exit(77)


class Cuda(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def start(self, device, streams):
        path = os.path.join(self.folder, f"{device}.json")
        with open(path, "w", encoding="utf-8") as f:
            json.dump({"device": device, "outputs": {"files": {"folder": f"records-{device}"}},
                       "streams": streams}, f)
        service = Service(SERVE, path)
        self.addCleanup(service.process.kill)
        return service

    def test_records(self):
        """They are those of the CPU, and nothing is left at the end."""
        clip = os.path.join(self.folder, "clip.mkv")
        subprocess.run(["gst-launch-1.0", "-q", "videotestsrc", "pattern=ball",
                        f"num-buffers={FRAMES}", "!", "video/x-raw,width=160,height=120", "!",
                        "jpegenc", "!", "matroskamux", "!", "filesink", f"location={clip}"],
                       check=True)
        found = {}
        for device, memory in ("cpu", "SystemMemory"), ("cuda", "CUDAMemory"):
            service = self.start(device, {"clip": {"source": clip, "pace": False},
                                          "live": {"source": "test:ball?width=160&height=120"}})
            stream = service.until("clip", lambda s: s["state"] == "ended")
            self.assertEqual((stream["frames"], stream["dropped"]), (FRAMES, 0))
            stream = service.until("live", lambda s: s["state"] == "on" and s["analysed_in"])
            self.assertEqual((stream["decoded_in"], stream["analysed_in"]),
                             ("SystemMemory", memory))
            status, picture = service.ask("streams/live/snapshot.jpg")
            self.assertEqual((status, picture[:2]), (200, b"\xff\xd8"))
            self.assertEqual(service.end(), 0, service.said)
            path = os.path.join(self.folder, f"records-{device}", "clip", "components.jsonl")
            with open(path, encoding="utf-8") as f:
                found[device] = [{key: value for key, value in json.loads(line).items()
                                  if key not in ("utc", "running_time", "events")} for line in f]
        self.assertEqual(len(found["cpu"]), FRAMES)
        self.assertTrue(any(line["components"] for line in found["cpu"]))
        self.assertEqual(found["cuda"], found["cpu"])

    def test_context(self):
        """All streams share it."""
        log = os.path.join(self.folder, "log")
        os.environ.update(GST_DEBUG="cudacca:DEBUG", GST_DEBUG_FILE=log)
        service = self.start("cuda", {f"s{i}": {"source": "test:ball?width=160&height=120"}
                                      for i in range(4)})
        del os.environ["GST_DEBUG"], os.environ["GST_DEBUG_FILE"]
        for i in range(4):
            service.until(f"s{i}", lambda s: s["state"] == "on" and s["frames"] > 3)
        self.assertEqual(service.end(), 0, service.said)
        with open(log, encoding="utf-8", errors="replace") as f:
            contexts = re.findall(r"opened in <([^>]*)>", f.read())
        self.assertGreaterEqual(len(contexts), 4)
        self.assertEqual(len(set(contexts)), 1, contexts)

    def test_stopped(self):
        """Also while pipelines are being made."""
        for delay in 0, 0.05, 0.1:
            service = self.start("cuda", {f"s{i}": {"source": "test:ball?width=160&height=120"}
                                          for i in range(6)})
            time.sleep(delay)
            self.assertEqual(service.end(), 0, service.said)


if __name__ == "__main__":
    unittest.main()
