#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: tests/shell docs/figures/tune.py

Makes the pictures of docs/tune.md: examples/tune on the clip of the demo, in Chromium. Needs
python3-aiohttp and chromium, or chromium-headless-shell."""

import sys
sys.dont_write_bytecode = True

import asyncio
import json
import os
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path.insert(0, str(TOP / "tests" / "examples"))
from browser import Browser

SHAPES = {
    "cca": {"regions": [{"name": "sky", "type": "exclude",
                         "points": [0, 0, 640, 0, 640, 70, 0, 70]}]},
    "ccatrack": {"lines": [{"name": "gate", "points": [300, 360, 300, 80]}],
                 "zones": [{"name": "corner", "points": [400, 250, 620, 250, 620, 350, 400, 350]}]},
}
WRONG = {"cca": {"foreground": "sigma-delta", "min-contrast": 3, "noise-factor": 1, "min-area": 1}}
TIME, TIMES = 12.0, (12.0, 14.5, 17.0)
NOTHING = {"kind": "nothing", "from": 11, "to": 19, "box": [0, 0, 640, 70]}


async def still(page, time):
    await page.value(f"about = null; seek({time})")
    await page.until(f"about && Math.abs(about.time - {time}) < 0.03 && state.status === 'on'", 600)


async def draw(url):
    async with Browser() as browser:
        page = await browser.page(url)
        await page.until("about && progress === 1")
        await page.value("post('play', {action: 'pause'})")
        await page.until("!state.playing")
        await page.value(f"post('settings', {{change: {json.dumps(WRONG)}}})")
        await still(page, TIME)
        await page.screenshot(HERE / "tune-wrong.jpg", ".panes")
        await page.value("post('preset', {name: 'motion'})")
        await still(page, TIME)
        await page.screenshot(HERE / "tune-right.jpg", ".panes")
        await page.value(f"post('settings', {{change: {json.dumps(SHAPES)}}})")
        await still(page, TIME)
        await page.until("progress === 1")
        await page.screenshot(HERE / "tune.jpg")
        spans = [NOTHING]
        for time in TIMES:
            await still(page, time)
            spans += [{"kind": "something", "from": time, "to": time + 0.4,
                       "box": [x - 8, y - 4, w + 16, h + 8]}
                      for x, y, w, h, *_ in (await page.value("about.boxes"))[:2]]
        marks = {"version": 1, "spans": spans,
                 "counts": [{"line": "gate", "to-left": 8, "to-right": 9}]}
        await page.value(f"post('marks', {json.dumps(marks)})")
        await page.value("$('search').click()")
        await page.until("document.querySelectorAll('#best img').length >= 8", 600)
        await page.until("state.result")
        await page.value("document.querySelector('h3').scrollIntoView()")
        await page.screenshot(HERE / "tune-search.jpg")
        await page.resize(390, 844)
        await page.value("scrollTo(0, 0)")
        await still(page, TIME)
        await page.screenshot(HERE / "tune-narrow.jpg")


def main():
    with tempfile.TemporaryDirectory() as folder:
        clip = os.path.join(folder, "street.mkv")
        subprocess.run([sys.executable, TOP / "examples" / "demo.clip.py", clip], check=True)
        process = subprocess.Popen(
            [sys.executable, TOP / "examples" / "tuning" / "tune.py", "--no-browser",
             "street.mkv"], cwd=folder, stdout=subprocess.PIPE, text=True)
        try:
            asyncio.run(draw(process.stdout.readline().strip()))
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
