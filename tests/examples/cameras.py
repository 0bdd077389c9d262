# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: cameras.py CCA-SERVE [TEST...]

The page of cca-serve in a browser. Needs chromium."""

import json
import os
import sys
import tempfile
import unittest

try:
    import aiohttp  # noqa: F401
    import paho.mqtt.client  # noqa: F401
    import prometheus_client  # noqa: F401
    import yaml  # noqa: F401
except ImportError as error:
    print(error)
    sys.exit(77)
from browser import BROWSER, Browser
from serving import Service

if not BROWSER:
    print("there is no Chromium")
    sys.exit(77)

SERVE = sys.argv.pop(1)
BALL = "test:ball?width=160&height=120&fps=10"
SETTINGS = {"version": 1, "cca": {"threshold": 100}, "ccatrack": {
    "lines": [{"name": "mid", "points": [80, 0, 80, 120]}]}}
TEXT = "document.querySelector('[data-id={}] {}').textContent"


class Cameras(unittest.IsolatedAsyncioTestCase):
    async def test_page(self):
        """All streams with pictures and counts, one of them moving, and what comes and goes."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "c.json")
            with open(path, "w", encoding="utf-8") as f:
                json.dump({"device": "cpu", "streams": {
                    "one": {"source": BALL, "title": "<b>The first</b>", "settings": SETTINGS},
                    "two": {"source": BALL}, "gone": {"source": "missing.mkv"}}}, f)
            service = Service(SERVE, path)
            try:
                async with Browser() as browser:
                    page = await browser.page(f"{service.url}?token={service.token}")
                    await self.look(page, service)
            finally:
                service.end()

    async def look(self, page, service):
        await page.until("document.querySelectorAll('figure').length === 3")
        self.assertNotIn(service.token, await page.value("location.href"))
        self.assertNotIn(service.token, await page.value("document.cookie"))
        # titles are texts, not HTML
        self.assertEqual(await page.value(TEXT.format("one", ".title")), "<b>The first</b>")
        await page.until("document.getElementById('summary').textContent === '2 of 3 on'")
        for name in "one", "two":
            await page.until(f"document.querySelector('[data-id={name}] img').naturalWidth === 160")
        self.assertEqual(
            await page.value("document.querySelector('[data-id=gone] img').naturalWidth"), 0)
        await page.until(TEXT.format("gone", ".state") + ".startsWith('lost')")
        await page.until(TEXT.format("one", "table") + ".match(/mid← \\d+→ \\d+/)")
        await page.until("parseFloat(" + TEXT.format("two", ".numbers") + ") > 1")
        # one picture moves
        await page.click("[data-id=one] button")
        await page.until("document.querySelector('[data-id=one] img').src.endsWith('live.mjpeg')")
        await page.until("document.querySelector('[data-id=one] img').naturalWidth === 160")
        self.assertEqual(await page.value(
            "getComputedStyle(document.querySelector('[data-id=two]')).display"), "none")
        await page.click("[data-id=one] button")
        await page.until("document.querySelector('[data-id=one] img').src.startsWith('blob:')")
        service.ask("streams/two", "DELETE")
        service.ask("streams", "POST", {"id": "three", "source": BALL})
        await page.until("document.querySelector('[data-id=three]')"
                         " && !document.querySelector('[data-id=two]')")
        self.assertEqual(page.errors, [])


if __name__ == "__main__":
    unittest.main()
