#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The main part of examples/tune, which sets everything up: serves a page on which the settings
for a video are found."""

import sys
sys.dont_write_bytecode = True  # the checkout may be read-only

import argparse
import asyncio
import concurrent.futures
import json
import os
import secrets
import signal
import struct
import time
import webbrowser

import gi
gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst

try:
    from aiohttp import web
    from yarl import URL
except ImportError:
    sys.exit("examples/tune: aiohttp is missing: install the Debian package python3-aiohttp")

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, os.path.dirname(HERE))
import analyse
import halving
import marks as marking
import player
import search
import settings
import sources
from settings import Refused

PAGE = os.path.join(HERE, "page")
FILES = {"": ("index.html", "text/html"), "tune.js": ("tune.js", "text/javascript"),
         "tune.css": ("tune.css", "text/css")}
HEADERS = {
    "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
    "Content-Security-Policy": "default-src 'self'; img-src 'self' blob: data:; "
                               "style-src 'self'; frame-ancestors 'none'",
}
COLUMNS = 1200                  # of the strip
SETTLED = 0.4                   # seconds without a change after which the file is analysed
UNDO = 500                      # steps
TOGETHER = 1.0                  # seconds in which changes of one property are one step
SLOW = 10                       # seconds after which a browser that takes nothing is let go
EVERY = 0.2                     # seconds between two reports of progress
POLL = 0.1                      # seconds between two looks at the bus
LONGEST = 1e7                   # seconds


def say(sentence):
    print(f"examples/tune: {sentence}", file=sys.stderr, flush=True)


class Client:
    """A browser. It gets the newest picture, and all texts."""

    def __init__(self, socket):
        self.socket, self.frame, self.texts = socket, None, []
        self.wake = asyncio.Event()

    def tell(self, text):
        self.texts.append(text)
        self.wake.set()

    def picture(self, data):
        self.frame = data
        self.wake.set()

    async def work(self):
        while not self.socket.closed:
            await self.wake.wait()
            self.wake.clear()
            texts, self.texts = self.texts, []
            frame, self.frame = self.frame, None
            for text in texts:
                await asyncio.wait_for(self.socket.send_str(text), SLOW)
            if frame:
                await asyncio.wait_for(self.socket.send_bytes(frame), SLOW)


class Strip:
    """The result of the analysis of the whole file."""

    def __init__(self):
        self.rows, self.crossings, self.columns = [], [], {}
        self.progress, self.done, self.duration = 0.0, False, None

    def add(self, rows, duration):
        """Returns the columns that changed."""
        self.rows += rows
        self.duration = duration or self.duration
        whole = self.duration or rows and rows[-1][0] or 1
        changed = {}
        for at, found, area, flags in rows:
            column = min(COLUMNS - 1, int(at / whole * COLUMNS))
            old = self.columns.get(column, [0, 0, 0])
            changed[column] = self.columns[column] = [
                max(old[0], found), max(old[1], area), old[2] | flags]
        if rows:
            self.progress = min(1, rows[-1][0] / whole)
        return changed


class Session:
    def __init__(self, options, source, table):
        self.options, self.source, self.table = options, source, table
        self.values = {"cca": {}, "ccatrack": {}}
        self.past, self.future, self.last = [], [], ("", 0.0)
        self.clients, self.latest = set(), None
        self.pool = concurrent.futures.ThreadPoolExecutor(1)
        self.player = player.Player(source, options.device, self.show, self.hear)
        self.status, self.message = "connecting", ""
        self.attempts, self.again = 0, None
        self.loops, self.ended, self.span = True, False, None
        self.wanted = None              # settings that wait for the pipeline
        self.strip, self.scanning = Strip(), None
        self.marks, self.result = {"version": marking.VERSION, "spans": [], "counts": []}, None
        self.searching, self.progress = None, None
        self.found = {"type": "found", "best": [], "times": [], "sheet": []}
        self.first_size, self.number = None, 0

    # --- what comes from the pipeline's threads ---------------------------

    def show(self, about, picture, mask):
        header = json.dumps(about | {"picture": len(picture), "mask": len(mask)}).encode()
        self.loop.call_soon_threadsafe(
            self.publish, struct.pack("<I", len(header)) + header + picture + mask)

    def hear(self, name, detail):
        self.loop.call_soon_threadsafe(self.take, name, detail)

    def publish(self, data):
        self.latest = data
        if self.status in ("connecting", "lost"):
            self.status, self.message, self.attempts = "on", "", 0
            self.tell_state()
        for client in self.clients:
            client.picture(data)

    def take(self, name, detail):
        if name == "arrived":
            self.status, self.message = "on", ""
            self.tell_state()
        elif name == "size":
            self.tell_state()
            if self.first_size and not self.first_size.done():
                self.first_size.set_result(detail)
        elif name == "end" and detail == self.player.journey:
            self.task(self.reach_end())

    async def reach_end(self):
        if self.loops:
            await self.go(self.span[0] if self.span else 0)
        else:
            self.ended = True
            await self.ask(self.player.play, False)
            self.tell_state()

    # --- helpers ----------------------------------------------------------

    def task(self, coroutine):
        task = asyncio.ensure_future(coroutine)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def ask(self, function, *arguments):
        return await self.loop.run_in_executor(self.pool, function, *arguments)

    def tell(self, message):
        text = json.dumps(message)
        for client in self.clients:
            client.tell(text)

    def size(self):
        return self.player.size or (640, 360)

    def launch(self):
        """Command lines for both devices."""
        cca, track = (settings.launch_text(self.values[name]) for name in settings.ELEMENTS)
        source = self.source.launch()
        return {
            "cpu": f"gst-launch-1.0 {source} ! videoconvert ! cca{cca} ! ccatrack{track} "
                   "! ccaoverlay ! videoconvert ! autovideosink",
            "gpu": f"gst-launch-1.0 {source} ! cudaupload ! cudacca{cca} ! ccatrack{track} "
                   "! cudaccaoverlay ! cudadownload ! videoconvert ! autovideosink",
        }

    def state(self):
        width, height = self.size()
        self.number += 1
        return {
            "type": "state", "number": self.number, "status": self.status, "message": self.message,
            "video": {"name": self.source.name, "camera": self.source.is_camera, "width": width,
                      "height": height, "rate": self.player.rate,
                      "duration": self.strip.duration or self.player.duration()},
            "playing": self.player.playing, "loops": self.loops, "span": self.span,
            "view": self.player.view, "settings": self.values, "launch": self.launch(),
            "undo": len(self.past), "redo": len(self.future),
            "marks": self.marks, "result": self.result, "searching": self.searching is not None,
            "sweeps": halving.default_sweeps(self.values["cca"].get("foreground", "threshold"),
                                             width),
        }

    def tell_state(self):
        self.tell(self.state())

    # --- the video --------------------------------------------------------

    async def start(self):
        self.loop, self.tasks = asyncio.get_running_loop(), set()
        self.first_size = self.loop.create_future()
        self.player.values = self.values
        await self.ask(self.player.start)
        self.task(self.look())
        self.scan()

    async def look(self):
        """Errors and warnings of the pipeline, and cameras that are silent."""
        while True:
            await asyncio.sleep(POLL)
            if self.again:
                continue
            for is_error, sentence, may_return in list(self.player.messages()):
                if not is_error:
                    self.tell({"type": "say", "text": sentence})
                    continue
                await self.lose(sentence, may_return)
                break
            else:
                if self.source.is_camera and \
                        time.monotonic() - self.player.alive > sources.STALLED:
                    await self.lose(f"no frame for {sources.STALLED} seconds", True)

    async def lose(self, sentence, may_return):
        await self.ask(self.player.stop)
        if not self.first_size.done() and not (self.source.is_camera and may_return):
            if not self.source.is_camera:
                sentence = await self.ask(diagnose, self.source.uri, sentence)
            self.first_size.set_exception(Refused(f"{self.source.name}: {sentence}"))
            return
        self.status, self.message = "failed", sentence
        if self.source.is_camera and may_return:
            pause = sources.pause(self.attempts)
            self.attempts += 1
            self.status, self.message = "lost", f"{sentence}; connecting again in {pause} s"
            self.again = self.task(self.reconnect(pause))
        say(f"{self.source.name}: {self.message}")
        self.tell_state()

    async def reconnect(self, pause):
        await asyncio.sleep(pause)
        self.status, self.message = "connecting", ""
        self.tell_state()
        await self.ask(self.player.start)
        self.again = None

    async def go(self, at):
        self.ended = False
        self.status = "replaying"
        self.tell_state()
        await self.ask(self.player.go, at)

    async def play(self, action, at=None):
        if self.status == "failed":
            raise Refused(self.message)
        if action in ("play", "pause"):
            if action == "play" and self.ended:
                await self.go(0)
            self.ended = False
            await self.ask(self.player.play, action == "play")
        elif self.source.is_camera:
            raise Refused("a camera has no other times")
        elif action == "step":
            await self.ask(self.player.step)
        elif action == "seek":
            await self.go(at)
        self.tell_state()

    # --- settings ---------------------------------------------------------

    async def change(self, values, key=""):
        """Takes new settings, as a step of undo. Changes with the same key are one step."""
        values = self.table.check(values)
        if values == self.values:
            return
        if any(values[element].get(name, []) != self.values[element].get(name, [])
               for name, element in settings.SHAPES.items()):
            await self.loop.run_in_executor(None, settings.try_out, values, *self.size())
        now = time.monotonic()
        if not key or key != self.last[0] or now - self.last[1] > TOGETHER:
            self.past = self.past[1 - UNDO:] + [self.values]
        self.future, self.last = [], (key, now)
        self.use(values)

    def step(self, back):
        taken, given = (self.past, self.future) if back else (self.future, self.past)
        if not taken:
            raise Refused(f"there is nothing to {'undo' if back else 'redo'}")
        given.append(self.values)
        self.last = ("", 0.0)
        self.use(taken.pop())

    def use(self, values):
        self.values = values
        waits = self.wanted is not None
        self.wanted = values
        if not waits:
            self.task(self.hand_over())
        self.scan()
        self.tell_state()

    async def hand_over(self):
        """One after the other: while the pipeline is busy only the newest settings wait."""
        while self.wanted is not None:
            values = self.wanted
            restart = await self.ask(self.player.set_values, values, self.table)
            if self.status not in ("lost", "failed"):
                at = None if self.source.is_camera else self.player.position
                if restart:
                    self.status = "replaying"
                    await self.ask(self.player.start, at)
                elif not self.player.playing and at is not None:
                    await self.go(self.player.target if self.player.target is not None else at)
            if self.wanted is values:
                self.wanted = None

    # --- the analysis of the whole file -----------------------------------

    def video(self):
        return {"video": self.source.text, "pipeline": self.source.is_pipeline,
                "device": self.options.device}

    def scan(self):
        if self.source.is_camera:
            return
        if self.scanning:
            self.scanning.cancel()
        self.result = None
        # the old columns stay until there are new ones
        self.tell({"type": "strip", "columns": {}, "progress": 0, "reset": False})
        self.scanning = self.task(self.analyse())

    async def analyse(self):
        await asyncio.sleep(SETTLED)
        duration = self.strip.duration
        self.strip = strip = Strip()
        strip.duration = duration
        order = self.video() | {"settings": [self.values], "marks": self.marks}
        reset = True
        async with analyse.running(order) as lines:
            async for text in lines:
                line = json.loads(text)
                if "error" in line:
                    self.tell({"type": "say", "text": line["error"]})
                elif "done" in line:
                    strip.crossings, strip.done, strip.progress = line["crossings"][0], True, 1.0
                    self.result = line["results"][0]
                    self.tell_state()
                    self.tell({"type": "strip", "columns": {}, "progress": 1.0, "reset": False})
                else:
                    columns = strip.add(line["rows"][0], line["duration"])
                    self.tell({"type": "strip", "columns": columns, "progress": strip.progress,
                               "reset": reset})
                    reset = False

    # --- marks and the search ----------------------------------------------

    def mark(self, marks):
        self.marks = marking.check(marks)
        if "width" in self.marks:
            settings.check_size((self.marks.pop("width"), self.marks.pop("height")), *self.size())
        self.scan()
        self.tell_state()

    def begin_search(self, sweeps):
        if self.source.is_camera:
            raise Refused("a search needs a file")
        if self.searching:
            raise Refused("a search is running already")
        if not self.marks["spans"] and not self.marks["counts"]:
            raise Refused("a search needs marks: say where something is, and where nothing is")
        search.check_lines(self.marks, self.values)
        self.searching = self.task(self.search(search.check_sweeps(sweeps, self.table)))
        self.tell_state()

    async def search(self, sweeps):
        duration = self.strip.duration or self.player.duration() or 1
        try:
            best = await search.Search(
                self.video(), self.values, self.marks, sweeps, self.table, duration,
                self.show_progress, width=self.size()[0]).run()
            if best[0]["result"]["score"] is None:
                raise search.Failed("no frame of the video is in a span")
            times = search.shot_times(self.marks, duration)
            sheet = await search.shoot(self.video(), [row["settings"] for row in best], times)
            self.found = {"type": "found", "times": times, "best": [
                {key: row[key] for key in ("change", "result", "present")} for row in best],
                "sheet": [sheet.get(n, []) for n in (None, *range(len(best)))]}
            self.tell(self.found)
        except search.Failed as error:
            self.tell({"type": "say", "text": f"the search failed: {error}"})
        finally:
            self.searching = self.progress = None
            self.tell_state()

    def show_progress(self, part, sentence):
        now = time.monotonic()
        if not self.progress or now - self.progress > EVERY:
            self.progress = now
            self.tell({"type": "progress", "part": part, "text": sentence})

    # --- browsers ---------------------------------------------------------

    async def serve(self, socket):
        client = Client(socket)
        client.tell(json.dumps({"type": "properties", "groups": list(self.table.groups()),
                                "presets": list(settings.PRESETS)}))
        client.tell(json.dumps(self.state()))
        client.tell(json.dumps({"type": "strip", "columns": self.strip.columns,
                                "progress": self.strip.progress, "reset": True}))
        client.tell(json.dumps(self.found))
        if self.latest:
            client.picture(self.latest)
        self.clients.add(client)
        self.player.set_watched(True)
        work = asyncio.ensure_future(client.work())
        work.add_done_callback(lambda _: asyncio.ensure_future(socket.close()))
        try:
            async for _ in socket:      # the page sends nothing
                pass
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
            self.clients.discard(client)
            self.player.set_watched(bool(self.clients))

    async def end(self):
        analyse.cancel(self.tasks)
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.ask(self.player.close)
        for client in list(self.clients):
            await client.socket.close()


def diagnose(uri, sentence):
    """A clearer one on why a file cannot be played, if there is one."""
    try:
        search.discover(uri)
    except search.Failed as error:
        return str(error)
    return sentence


def number(data, key, low, high):
    value = data.get(key)
    if type(value) not in (int, float) or not low <= value <= high:
        raise Refused(f"{key} is a number from {low:g} to {high:g}")
    return value


class Server:
    def __init__(self, session, token):
        self.session, self.token = session, token
        self.app = web.Application(client_max_size=settings.LIMIT, middlewares=[self.guard])
        self.posts = {name: getattr(self, "post_" + name.replace("-", "_")) for name in (
            "settings", "load", "undo", "redo", "preset", "play", "view", "span", "marks",
            "search", "cancel", "use")}
        self.app.router.add_get("/{token}/{name:.*}", self.get)
        self.app.router.add_post("/{token}/{name:.*}", self.post)

    @web.middleware
    async def guard(self, request, handler):
        """One clear line for each request that is refused."""
        token = request.path.lstrip("/").partition("/")[0].encode()     # of any method
        try:
            if not secrets.compare_digest(token, self.token.encode()):
                raise web.HTTPForbidden(text="This address needs the token that examples/tune "
                                             "printed.\n")
            return await handler(request)
        except (Refused, marking.Wrong) as error:
            return web.json_response({"error": str(error)}, status=400, headers=HEADERS)
        except web.HTTPRequestEntityTooLarge:
            return web.json_response({"error": f"the request has more than {settings.LIMIT} "
                                               "bytes"}, status=400, headers=HEADERS)
        except web.HTTPException as error:
            error.headers.update(HEADERS)
            raise

    # --- GET --------------------------------------------------------------

    async def get(self, request):
        name = request.match_info["name"]
        if name in FILES:
            path, kind = FILES[name]
            with open(os.path.join(PAGE, path), encoding="utf-8") as f:
                return web.Response(text=f.read(), content_type=kind, headers=HEADERS)
        if name == "socket":
            socket = web.WebSocketResponse(heartbeat=20, max_msg_size=1 << 10)
            await socket.prepare(request)
            await self.session.serve(socket)
            return socket
        if name == "state":
            return web.json_response(self.session.state(), headers=HEADERS)
        if name == "settings.json":
            text = settings.write(self.session.values, *self.session.size())
            return self.download(text.encode(), "application/json", name)
        if name == "marks.json":
            width, height = self.session.size()
            text = json.dumps(self.session.marks | {"width": width, "height": height}, indent=1)
            return self.download(f"{text}\n".encode(), "application/json", name)
        if name == "mask.pgm":
            pixels = await self.session.loop.run_in_executor(
                None, working_set, self.session.values, *self.session.size())
            header = "P5\n{} {}\n255\n".format(*self.session.size()).encode()
            return self.download(header + pixels, "image/x-portable-graymap", name)
        raise web.HTTPNotFound(text="There is no such page.\n")

    @staticmethod
    def download(data, kind, name):
        return web.Response(body=data, content_type=kind, headers=HEADERS | {
            "Content-Disposition": f'attachment; filename="{name}"'})

    # --- POST -------------------------------------------------------------

    async def post(self, request):
        name = request.match_info["name"]
        if name not in self.posts:
            raise web.HTTPNotFound(text="There is no such page.\n")
        text = await request.read()
        try:
            data = json.loads(text) if text else {}
        except (ValueError, RecursionError):
            raise Refused("the request is no JSON") from None
        if not isinstance(data, dict):
            raise Refused("the request is no JSON object")
        await self.posts[name](data)
        return web.json_response(self.session.state(), headers=HEADERS)

    async def post_settings(self, data):
        """Some properties; null is the default."""
        changes = data.get("change")
        if not isinstance(changes, dict) or not changes.keys() <= set(settings.ELEMENTS) or \
                not all(isinstance(change, dict) for change in changes.values()):
            raise Refused("change is an object with cca and ccatrack")
        values = {name: dict(self.session.values[name]) for name in settings.ELEMENTS}
        for element, change in changes.items():
            values[element].update(change)
        await self.session.change(values, str(data.get("key", ""))[:100])

    async def post_load(self, data):
        values, size = settings.parse(json.dumps(data), self.session.table)
        settings.check_size(size, *self.session.size())
        await self.session.change(values)

    async def post_undo(self, _data):
        self.session.step(True)

    async def post_redo(self, _data):
        self.session.step(False)

    async def post_preset(self, data):
        """Replaces all but what was drawn."""
        name = data.get("name")
        if name not in settings.PRESETS and name != "defaults":
            raise Refused(f"there is no preset {json.dumps(name)}")
        values = settings.preset(name, self.session.size()[0]) if name != "defaults" else \
            {"cca": {}, "ccatrack": {}}
        for shape, element in settings.SHAPES.items():
            if shape in self.session.values[element]:
                values[element][shape] = self.session.values[element][shape]
        await self.session.change(values)

    async def post_marks(self, data):
        """All of them."""
        self.session.mark(data)

    async def post_search(self, data):
        self.session.begin_search(data.get("sweeps"))

    async def post_cancel(self, _data):
        if self.session.searching:
            analyse.cancel([self.session.searching])

    async def post_use(self, data):
        """The swept properties of one of the best settings."""
        best = self.session.found["best"]
        if not best:
            raise Refused("there are no results of a search")
        number_ = data.get("number")
        if type(number_) is not int or not 0 <= number_ < len(best):
            raise Refused(f"number is a whole number from 0 to {len(best) - 1}")
        values = {name: dict(self.session.values[name]) for name in settings.ELEMENTS}
        for name, value in best[number_]["change"].items():
            values[search.find(self.session.table, name).element][name] = value
        await self.session.change(values)

    async def post_play(self, data):
        action = data.get("action")
        if action not in ("play", "pause", "step", "seek"):
            raise Refused("action is play, pause, step or seek")
        await self.session.play(action, number(data, "at", 0, LONGEST)
                                if action == "seek" else None)

    async def post_view(self, data):
        view = data.get("view")
        if view not in player.VIEWS:
            raise Refused(f"view is {', '.join(player.VIEWS)}")
        await self.session.ask(self.session.player.set_view, view)
        if not self.session.player.playing and not self.session.source.is_camera:
            await self.session.go(self.session.player.position)
        self.session.tell_state()

    async def post_span(self, data):
        """Repeats all, the span between two times, or nothing."""
        session = self.session
        if session.source.is_camera:
            raise Refused("a camera has no other times")
        span = None
        if data.get("from") is not None:
            span = [number(data, "from", 0, LONGEST), number(data, "to", 0, LONGEST)]
            if span[1] - span[0] < 2 / session.player.rate:
                raise Refused("the span needs at least two frames")
        session.span, session.loops = span, data.get("loop", True) is True
        await session.ask(session.player.set_span, span)
        if span and not span[0] <= session.player.position < span[1]:
            await session.go(span[0])
        session.tell_state()


def working_set(values, width, height):
    """The pixels that are analysed, white: by the element itself, from a white picture."""
    area = {name: value for name, value in values["cca"].items()
            if name == "regions" or name.startswith("roi-")}
    pipeline = Gst.parse_launch(
        f"videotestsrc num-buffers=1 pattern=white ! video/x-raw,format=GRAY8,width={width},"
        f"height={height} ! cca name=cca threshold=0 meta-types=cca+labels ! ccamask "
        "! appsink name=sink sync=false")
    settings.apply(pipeline.get_by_name("cca"), area)
    pipeline.set_state(Gst.State.PLAYING)
    sample = pipeline.get_by_name("sink").emit("try-pull-sample", 10 * Gst.SECOND)
    pipeline.set_state(Gst.State.NULL)
    if not sample:
        raise Refused("the mask cannot be made")
    data = sample.get_buffer().extract_dup(0, sample.get_buffer().get_size())
    stride = (width + 3) // 4 * 4
    return b"".join(data[y * stride:y * stride + width] for y in range(height))


def open_browser(url):
    """If there is a screen to show it on."""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(url)


async def run(options, source, table):
    session = Session(options, source, table)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in signal.SIGINT, signal.SIGTERM:
        loop.add_signal_handler(name, stop.set)
    await session.start()
    runner = None
    try:
        if not source.is_camera:
            size = await session.first_size
            if options.settings:
                values, wanted = settings.load(options.settings, table)
                settings.check_size(wanted, *size)
                await session.change(values)
        elif options.settings:
            await session.change(settings.load(options.settings, table)[0])
        if not options.settings:
            await session.change(settings.preset("motion", session.size()[0]))
        if options.marks:
            session.mark(marking.load(options.marks))
        session.past = []
        server = Server(session, secrets.token_urlsafe(24))
        runner = web.AppRunner(server.app, access_log=None, shutdown_timeout=1)
        await runner.setup()
        site = web.TCPSite(runner, options.listen, options.port)
        try:
            await site.start()
        except OSError as error:
            raise Refused(f"{options.listen} port {options.port}: "
                          f"{os.strerror(error.errno) if error.errno else error}") from None
        host, port = runner.addresses[0][:2]
        url = str(URL.build(scheme="http", host=host, port=port, path=f"/{server.token}/"))
        if options.listen not in ("127.0.0.1", "::1", "localhost"):
            say("the page has no encryption: who sees the traffic sees the video and the token")
        try:
            os.write(sys.stdout.fileno(), f"{url}\n".encode())
        except OSError as error:
            raise Refused(f"the address cannot be printed: {error.strerror}") from None
        if options.browser:
            open_browser(url)
        await stop.wait()
    finally:
        await session.end()
        if runner:
            await runner.cleanup()


def main(arguments):
    parser = argparse.ArgumentParser(
        epilog="Run examples/tune instead: it sets up what is missing and calls this program.")
    parser.add_argument("video")
    parser.add_argument("--pipeline", action="store_true")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--settings")
    parser.add_argument("--marks")
    parser.add_argument("--listen", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--no-browser", dest="browser", action="store_false")
    options = parser.parse_args(arguments)
    Gst.init(None)
    try:
        asyncio.run(run(options, sources.Source(options.video, options.pipeline),
                        settings.Table(options.device)))
    except (Refused, marking.Wrong) as error:
        say(error)
        return 1
    except GLib.Error as error:
        say(error.message)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
