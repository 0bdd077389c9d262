# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""A headless Chromium that is driven over its DevTools protocol."""

import asyncio
import base64
import json
import os
import shutil
import signal
import tempfile

import aiohttp
from yarl import URL

BROWSER = shutil.which("chromium") or shutil.which("chromium-headless-shell")
OPTIONS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
           "--disable-dev-shm-usage", "--remote-debugging-port=0", "--mute-audio")
PATIENCE = 60                   # seconds


class Browser:
    async def __aenter__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = await asyncio.create_subprocess_exec(
            BROWSER, *OPTIONS, f"--user-data-dir={self.folder.name}", "about:blank",
            stderr=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL,
            start_new_session=True)
        while True:
            line = await asyncio.wait_for(self.process.stderr.readline(), PATIENCE)
            if not line:
                raise RuntimeError("chromium ended")
            if b"DevTools listening on " in line:
                self.address = line.split()[-1].decode()
                break
        self.reader = asyncio.ensure_future(self.process.stderr.read())
        self.session = aiohttp.ClientSession()
        return self

    async def __aexit__(self, *_):
        await self.session.close()
        # its other processes keep the pipe open, and a wait for it would not end
        os.killpg(self.process.pid, signal.SIGKILL)
        await self.reader
        await self.process.wait()
        self.folder.cleanup()

    async def page(self, url, width=1280, height=720):
        new = URL(self.address).with_scheme("http").with_path("/json/new").with_query("about:blank")
        async with self.session.put(new) as reply:
            target = await reply.json()
        page = Page(await self.session.ws_connect(target["webSocketDebuggerUrl"], max_msg_size=0))
        await page.call("Page.enable")
        await page.call("Runtime.enable")
        await page.resize(width, height)
        await page.call("Page.navigate", url=url)
        await page.until("document.readyState === 'complete'")
        return page


class Page:
    def __init__(self, socket):
        self.socket, self.number, self.replies, self.errors = socket, 0, {}, []
        self.reader = asyncio.ensure_future(self.read())

    async def read(self):
        async for message in self.socket:
            data = json.loads(message.data)
            if "id" in data:
                self.replies.pop(data["id"]).set_result(data)
            elif data["method"] == "Runtime.exceptionThrown":
                self.errors.append(data["params"]["exceptionDetails"])

    async def call(self, method, **params):
        self.number += 1
        number = self.number
        self.replies[number] = asyncio.get_running_loop().create_future()
        await self.socket.send_json({"id": number, "method": method, "params": params})
        reply = await asyncio.wait_for(self.replies[number], PATIENCE)
        if "error" in reply:
            raise RuntimeError(f"{method}: {reply['error']}")
        return reply["result"]

    async def value(self, expression):
        result = await self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                                 awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    async def until(self, expression, patience=PATIENCE):
        """Waits for a condition; returns its value."""
        for _ in range(patience * 20):
            value = await self.value(expression)
            if value:
                return value
            await asyncio.sleep(0.05)
        raise RuntimeError(f"this never was true: {expression}")

    async def resize(self, width, height):
        await self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                        deviceScaleFactor=1, mobile=False)

    async def place(self, selector, x=0.5, y=0.5):
        """A point of an element, in the window, after it was scrolled into view."""
        box = await self.value(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); "
            "e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect(); "
            "return [r.x, r.y, r.width, r.height]; })()")
        return box[0] + x * box[2], box[1] + y * box[3]

    async def mouse(self, kind, x, y):
        await self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left",
                        buttons=0 if kind == "mouseReleased" else 1, clickCount=1)

    async def click(self, selector, x=0.5, y=0.5):
        at = await self.place(selector, x, y)
        await self.mouse("mousePressed", *at)
        await self.mouse("mouseReleased", *at)

    async def drag(self, selector, begin, end, steps=8):
        """From one point of an element to another, both from 0 to 1."""
        (x0, y0), (x1, y1) = await self.place(selector, *begin), await self.place(selector, *end)
        await self.mouse("mousePressed", x0, y0)
        for step in range(1, steps + 1):
            await self.mouse("mouseMoved", x0 + (x1 - x0) * step / steps,
                             y0 + (y1 - y0) * step / steps)
        await self.mouse("mouseReleased", x1, y1)

    async def key(self, key, code, modifiers=0):
        for kind in "rawKeyDown", "keyUp":
            await self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                            windowsVirtualKeyCode=code, modifiers=modifiers)

    async def screenshot(self, path, selector=None):
        """A JPEG of the window, or of an element."""
        clip = {}
        if selector:
            box = await self.value(
                f"(() => {{ const r = document.querySelector({json.dumps(selector)})"
                ".getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; })()")
            clip = {"clip": dict(zip(("x", "y", "width", "height"), box), scale=1)}
        picture = await self.call("Page.captureScreenshot", format="jpeg", quality=82, **clip)
        with open(path, "wb") as f:
            f.write(base64.b64decode(picture["data"]))
