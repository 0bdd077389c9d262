# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: tests/shell python3 tests/examples/tune-speed.py [SECONDS]

CPU time and latency of examples/tune with a page that looks at it: a 1080p clip of 25 frames/s, in
the settings of the preset for motion. docs/performance.md has the figures."""

import os
import subprocess
import sys
import tempfile
import time

SECONDS = float(sys.argv.pop(1)) if sys.argv[1:] else 10
sys.argv[1:] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples",
                             "tuning", "tune.py")]

import asyncio

import tune

CLIP = ("videotestsrc pattern=ball motion=sweep num-buffers=250 ! video/x-raw,format=I420,"
        "width=1920,height=1080,framerate=25/1 ! x264enc speed-preset=veryfast ! matroskamux "
        "! filesink location={}")


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as f:
        fields = f.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Watching(tune.Page):
    """Notes how long after its analysis a picture comes."""

    def __init__(self, url):
        super().__init__(url)
        self.late = []

    async def until(self, condition):
        while not condition():
            await asyncio.sleep(0.05)

    async def read(self):
        task = asyncio.ensure_future(super().read())
        seen = 0
        while not task.done():
            if len(self.frames) > seen:
                self.late.append(time.monotonic() - self.frames[-1]["analysed"])
                seen = len(self.frames)
            await asyncio.sleep(0.001)


async def measure(process, url):
    async with Watching(url) as page:
        await page.until(lambda: page.progress == 1 and len(page.frames) > 20)
        begin, cpu, pictures = time.monotonic(), cpu_seconds(process.pid), len(page.frames)
        page.late.clear()
        await asyncio.sleep(SECONDS)
        seconds = time.monotonic() - begin
        cpu, pictures = cpu_seconds(process.pid) - cpu, len(page.frames) - pictures
        times = [frame["time"] for frame in page.frames[-pictures:]]
        late = sorted(page.late)
    played = sum(b - a for a, b in zip(times, times[1:]) if b > a)
    print(f"{pictures / seconds:.1f} pictures/s, {pictures / played:.1f} for a second of the video; "
          f"{cpu / played:.2f} s of CPU for a second of the video, {cpu / seconds:.2f} for a second; "
          f"latency {1000 * late[0]:.0f} ms at least, {1000 * late[len(late) // 2]:.0f} ms median")


def main():
    with tempfile.TemporaryDirectory() as folder:
        clip = os.path.join(folder, "clip.mkv")
        subprocess.run(["gst-launch-1.0", "-q", *CLIP.format(clip).split()], check=True)
        running = tune.Tune(clip)
        try:
            asyncio.run(measure(running.process, running.url))
        finally:
            running.end()


if __name__ == "__main__":
    main()
