# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: page.py TUNE.PY [TEST...]

The page of examples/tune in a browser, by mouse and keyboard. Needs chromium."""

import asyncio
import sys
import unittest

from browser import BROWSER, Browser

if not BROWSER:
    print("there is no Chromium")
    sys.exit(77)

import tune

PIXELS = """(() => {
  const c = document.getElementById('picture');
  return Array.from(c.getContext('2d').getImageData(0, 0, c.width, c.height).data).join();
})()"""


class InBrowser(tune.Case):
    def setUp(self):
        self.tune = tune.Tune(self.clip)

    def tearDown(self):
        self.assertEqual(self.tune.end(), (0, ""))

    async def areas(self, page, expected):
        await page.until(f"about && JSON.stringify(about.boxes.map((b) => b[4])) === '{expected}'")

    async def test_page(self):
        async with Browser() as browser:
            page = await browser.page(self.tune.url)
            await page.until("about && progress === 1")
            await page.value("document.getElementById('preset').value = 'defaults'")
            await page.click("#apply")
            await page.click("#play")
            await page.until("!state.playing")
            await page.value("seek(0.4)")
            await self.areas(page, "[36,144,400]")
            before = await page.value(PIXELS)

            # a slider, by the keyboard: other boxes in the picture
            await page.value("document.querySelector('#cca-min-area').previousSibling.focus()")
            await page.key("End", 35)
            await page.until("state.settings.cca['min-area'] === 20000")
            await self.areas(page, "[]")
            self.assertNotEqual(await page.value(PIXELS), before)
            await page.click("#undo")
            await self.areas(page, "[36,144,400]")

            # a polygon that is drawn by the mouse excludes, and its points can be dragged
            await page.click("[data-tool=exclusion]")
            for x, y in ((0.2, 0.25), (0.5, 0.25), (0.5, 0.5), (0.2, 0.5)):
                await page.click("#draw", x, y)
            await page.key("Enter", 13)
            await self.areas(page, "[36,400]")
            await page.drag("#draw", (0.5, 0.5), (0.5, 0.27))
            await page.until("state.settings.cca.regions[0].points[5] < 40")
            await page.drag("#draw", (0.2, 0.5), (0.2, 0.27))
            await self.areas(page, "[36,144,400]")

            # the smallest object
            await page.click("[data-tool=smallest]")
            await page.drag("#draw", (0.5, 0.5), (0.65, 0.7))
            w, h = 24, 24
            await page.until(f"state.settings.cca['min-area'] === {w * h // 4} && "
                             f"state.settings.cca['open-radius'] === {h // 8}")
            await self.areas(page, "[144,400]" if w * h // 4 <= 144 else "[400]")

            # another page agrees, and one that is loaded again
            other = await browser.page(self.tune.url, 390, 844)
            state = "state && JSON.stringify([state.settings, state.playing])"
            self.assertEqual(await other.until(state), await page.value(state))
            await page.call("Page.reload")
            await page.until("document.readyState === 'complete' && typeof about === 'object'")
            await page.until("about")
            self.assertEqual(await page.value(state), await other.value(state))
            await other.click("#play")
            await page.until("state.playing")

            # nothing is wider than a telephone, and each control has a name
            self.assertTrue(await other.value(
                "document.documentElement.scrollWidth <= innerWidth"))
            self.assertEqual(await page.value("""
                [...document.querySelectorAll('button, input, select, textarea, canvas[tabindex]')]
                  .filter((e) => !e.textContent.trim() && !e.getAttribute('aria-label') &&
                          !(e.labels && e.labels.length)).map((e) => e.outerHTML)"""), [])
            self.assertEqual((page.errors, other.errors), ([], []))


if __name__ == "__main__":
    unittest.main(defaultTest=["InBrowser"])
