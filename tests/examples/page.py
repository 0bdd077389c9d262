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


# Of each visible text and each control, the contrast with the colour behind it that is too low:
# at least 4.5 for text, 3 for large text and the edges of controls (WCAG 2.2 AA, 1.4.3, 1.4.11).
CONTRAST = """(() => {
  const parse = (text) => text.match(/[0-9.]+/g).map(Number);
  const luminance = (rgb) => {
    const [r, g, b] = rgb.slice(0, 3).map((v) => v / 255).map(
      (v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const colour = parse(getComputedStyle(e).backgroundColor);
      if (colour.length === 3 || colour[3] === 1)
        return colour;
    }
    return [255, 255, 255];
  };
  const ratio = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const bad = [];
  let seen = 0;
  for (const e of document.querySelectorAll('body *')) {
    if (!e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || e.disabled)
      continue;
    const style = getComputedStyle(e);
    const text = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) ||
      e.matches('input[type=text], input[type=number], textarea, select');
    const report = (what, value) => bad.push(`${what} ${value.toFixed(2)}: ${e.outerHTML.slice(0, 90)}`);
    if (text) {
      seen++;
      const large = parseFloat(style.fontSize) >= 24 ||
        parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700;
      const value = ratio(parse(style.color), behind(e));
      if (value < (large ? 3 : 4.5))
        report('text', value);
    }
    if (e.matches('button, .button, select, input[type=text], input[type=number], textarea')) {
      const outside = behind(e.parentElement);
      const value = Math.max(ratio(parse(style.borderTopColor), outside),
                             ratio(behind(e), outside));
      if (value < 3)
        report('edge', value);
    }
  }
  return [seen, bad];
})()"""

# Pairs of controls that cover each other, but what stays in place while others are scrolled.
OVERLAP = """(() => {
  const all = [...document.querySelectorAll('button, .button, select, input:not([type=file]), ' +
                                            'textarea, summary, canvas:not(#draw), .blurb, .hint')]
    .filter((e) => e.checkVisibility({ opacityProperty: true }) && !e.closest('.sticky'))
    .map((e) => [e, e.getBoundingClientRect()]);
  const found = [];
  all.forEach(([a, p], i) => all.slice(i + 1).forEach(([b, q]) => {
    if (!a.contains(b) && !b.contains(a) && p.left + 0.5 < q.right && q.left + 0.5 < p.right &&
        p.top + 0.5 < q.bottom && q.top + 0.5 < p.bottom)
      found.push([a.outerHTML.slice(0, 80), b.outerHTML.slice(0, 80)]);
  }));
  return [all.length, found];
})()"""

FOCUSABLE = """document.querySelectorAll('button, input, select, textarea, a[href], summary, ' +
  'canvas[tabindex]')"""


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

            # a late answer neither hides a newer state nor ends the next drawing
            await page.value("""(() => {
                const quick = window.fetch;
                window.fetch = async (...all) => {
                  const reply = await quick(...all);
                  await new Promise((done) => setTimeout(done, 500));
                  return reply;
                };
            })()""")
            await page.click("[data-tool=line]")
            for x, y in ((0.5, 0.1), (0.5, 0.9)):
                await page.click("#draw", x, y)
            await page.key("Enter", 13)
            await page.click("[data-tool=zone]")
            await page.until("state.settings.ccatrack.lines")
            await page.value("new Promise((done) => setTimeout(done, 600))")
            for x, y in ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9)):
                await page.click("#draw", x, y)
            await page.key("Enter", 13)
            await page.until("state.settings.ccatrack.zones")
            await page.value("showState({ ...state, number: state.number - 1, status: 'lost' })")
            self.assertNotEqual(await page.value("state.status"), "lost")
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

    async def reach(self, page, wanted):
        """The controls that the Tab key comes to, whose focus can be seen."""
        await page.value("document.activeElement.blur(); window.reached = new Set(); 0")
        for _ in range(wanted + 10):
            await page.key("Tab", 9)
            done = await page.value("""(() => {
                const e = document.activeElement;
                const seen = e.type === 'file' ? e.parentElement : e;
                if (getComputedStyle(seen).outlineStyle !== 'none')
                  reached.add(e);
                return reached.size;
            })()""")
            if done == wanted:
                break
        return done

    async def test_marks(self):
        """Marks by mouse, a search, and one click; all by keyboard too; contrast and overlaps."""
        async with Browser() as browser:
            page = await browser.page(self.tune.url)
            await page.until("about && progress === 1")
            await page.value("document.getElementById('preset').value = 'defaults'")
            await page.click("#apply")
            await page.click("#play")
            await page.until("!state.playing")
            for at, begin, end, kind in (
                    (0.4, (0.05, 0.02), (0.3, 0.2), "something"),
                    (1.4, (0.02, 0.85), (0.4, 0.98), "nothing")):
                await page.value(f"seek({at})")
                await page.until(f"about && Math.abs(about.time - {at}) < 0.01")
                await page.click("[data-tool=place]")
                await page.drag("#draw", begin, end)
                await page.until("marking.box")
                await page.click(f"[data-mark={kind}]")
                await page.until(f"state.marks.spans.some((s) => s.kind === '{kind}' && s.box)")
            await page.until("state.result")
            self.assertEqual(await page.value("state.result.spans.map((r) => r.slice(0, 2))"),
                             [[10, 10], [10, 10]])
            self.assertIn("1 false event", await page.value("$('score').textContent"))
            await page.value("""document.querySelectorAll('#sweeps input').forEach(
                (e) => { e.value = e.dataset.name === 'min-area' ? '1, 25, 100' : ''; })""")
            await page.click("#search")
            await page.until("document.querySelectorAll('#best img').length >= 8")
            await page.click("#best button")
            await page.until("state.settings.cca['min-area'] === 25 && state.result")
            self.assertEqual(await page.value("state.result.score"), 1)

            # a mark whose beginning is set, and one that is deleted
            await page.click("#begin")
            await page.value("seek(1.8)")
            await page.until("about.time > 1.7")
            await page.click("[data-mark=something]")
            await page.until("state.marks.spans.length === 3")
            self.assertEqual(await page.value("state.marks.spans[2]"),
                             {"kind": "something", "from": 1.38, "to": 1.82})
            await page.click(".span:last-child button:last-child")
            await page.until("state.marks.spans.length === 2")

            for width, height in (1280, 720), (390, 844):
                await page.resize(width, height)
                await page.value("say('A sentence on an error.')")
                await page.until(f"innerWidth === {width}")
                seen, low = await page.value(CONTRAST)
                self.assertGreater(seen, 100)
                self.assertEqual(low, [])
                seen, overlaps = await page.value(OVERLAP)
                self.assertGreater(seen, 80)
                self.assertEqual(overlaps, [])
                self.assertTrue(await page.value(
                    "document.documentElement.scrollWidth <= innerWidth"))
            wanted = await page.value(
                f"[...{FOCUSABLE}].filter((e) => e.checkVisibility() && !e.disabled).length")
            self.assertEqual(await self.reach(page, wanted), wanted)
            self.assertEqual(page.errors, [])


if __name__ == "__main__":
    unittest.main(defaultTest=["InBrowser"])
