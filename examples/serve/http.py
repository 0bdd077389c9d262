# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The interface of programs and the page, over HTTP."""

import asyncio
import contextlib
import json
import os
import secrets
import time

from aiohttp import web
from yarl import URL

import settings
from serve import config, metrics, schema

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page")
FILES = {"page.js": "text/javascript", "page.css": "text/css"}
HEADERS = {
    "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
    "Content-Security-Policy": "default-src 'self'; img-src 'self' blob:; "
                               "frame-ancestors 'none'",
}
COOKIE = "cca-serve"
OPEN = "/live", "/ready"        # need no token
LIMIT = 1 << 20                 # bytes of a request
WAITING = 1000                  # records that wait for a slow listener
SLOW = 10                       # seconds after which a viewer that takes nothing is let go
BOUNDARY = "cca-serve-picture"


class Refused(Exception):
    """A sentence and a status of HTTP."""

    def __init__(self, status, *errors):
        super().__init__(errors[0])
        self.status, self.errors = status, errors


def answer(data, status=200):
    return web.json_response(data, status=status, headers=HEADERS)


def read_token(path):
    """From the file, which is made with its folder if it is missing. Raises config.Wrong."""
    if not path:
        return secrets.token_urlsafe(24)
    try:
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        with contextlib.suppress(FileExistsError):
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as f:
                f.write(secrets.token_urlsafe(24) + "\n")
        with open(path, encoding="ascii") as f:
            token = f.read(1000).strip()
    except (OSError, UnicodeDecodeError) as error:
        raise config.Wrong([f"{path}: {getattr(error, 'strerror', None) or 'it is no text'}"]) \
            from None
    if len(token) < 16:
        raise config.Wrong([f"{path}: a token has at least 16 characters"])
    return token


class Server:
    def __init__(self, service):
        self.service, self.data = service, service.config["http"]
        self.token = read_token(self.data.get("token-file"))
        self.viewers = 0
        self.registry = metrics.registry(service)
        self.runner = None
        self.app = web.Application(client_max_size=LIMIT, middlewares=[self.guard])
        for method, path, handler in (
                ("GET", "/", self.page), ("GET", "/{file:page\\.(js|css)}", self.file),
                ("GET", "/live", self.live), ("GET", "/ready", self.ready),
                ("GET", "/metrics", self.metrics),
                ("GET", "/streams", self.list), ("POST", "/streams", self.add),
                ("GET", "/streams/{id}", self.show), ("DELETE", "/streams/{id}", self.remove),
                ("GET", "/streams/{id}/settings", self.settings),
                ("PUT", "/streams/{id}/settings", self.set_settings),
                ("GET", "/streams/{id}/events", self.events),
                ("GET", "/streams/{id}/snapshot.jpg", self.snapshot),
                ("GET", "/streams/{id}/live.mjpeg", self.mjpeg)):
            self.app.router.add_route(method, path, handler)

    async def start(self):
        """Returns the address. Raises config.Wrong."""
        host, _, port = self.data["listen"].rpartition(":")
        self.runner = web.AppRunner(self.app, access_log=None, shutdown_timeout=1)
        await self.runner.setup()
        try:
            await web.TCPSite(self.runner, host.strip("[]"), int(port)).start()
        except (OSError, OverflowError) as error:
            raise config.Wrong([f"{self.data['listen']}: "
                                f"{getattr(error, 'strerror', None) or error}"]) from None
        return str(URL.build(scheme="http", host=host.strip("[]"), path="/",
                             port=self.runner.addresses[0][1]))

    async def stop(self):
        if self.runner:
            await self.runner.cleanup()

    # --- who may ask ------------------------------------------------------

    def is_allowed(self, request):
        given = request.headers.get("Authorization", "")
        given = given[7:] if given.startswith("Bearer ") else request.cookies.get(COOKIE, "")
        return secrets.compare_digest(given.encode(errors="replace"), self.token.encode())

    @web.middleware
    async def guard(self, request, handler):
        """One clear line for each request that is refused."""
        try:
            if request.path not in OPEN and not (request.path == "/" and "token" in request.query):
                if not self.is_allowed(request):
                    raise Refused(401, "the token is missing or wrong: send it as "
                                       "'Authorization: Bearer TOKEN', or open /?token=TOKEN in "
                                       "a browser")
            return await handler(request)
        except Refused as error:
            return answer({"errors": error.errors}, error.status)
        except web.HTTPRequestEntityTooLarge:
            return answer({"errors": [f"the request has more than {LIMIT} bytes"]}, 413)
        except web.HTTPException as error:
            reply = answer({"errors": [error.reason.lower()]}, error.status)
            if "Allow" in error.headers:
                reply.headers["Allow"] = error.headers["Allow"]
            return reply

    def stream(self, request):
        name = request.match_info["id"]
        try:
            return self.service.streams[name]
        except KeyError:
            raise Refused(404, f"there is no stream {schema.shown(name)}") from None

    @staticmethod
    async def body(request):
        try:
            return json.loads(await request.read())
        except (ValueError, RecursionError):
            raise Refused(400, "the request is no JSON") from None

    @contextlib.contextmanager
    def viewer(self):
        if self.viewers >= self.data["viewers"]:
            raise Refused(503, f"{self.viewers} viewers are connected, which is the limit")
        self.viewers += 1
        try:
            yield
        finally:
            self.viewers -= 1

    # --- the page and what machines watch ---------------------------------

    async def page(self, request):
        if "token" in request.query:
            if not secrets.compare_digest(request.query["token"].encode(errors="replace"),
                                          self.token.encode()):
                raise Refused(401, "the token is wrong")
            reply = web.HTTPFound("/")
            reply.set_cookie(COOKIE, self.token, httponly=True, samesite="Strict")
            reply.headers.update(HEADERS)
            return reply
        return self.send("index.html", "text/html")

    async def file(self, request):
        name = request.match_info["file"]
        return self.send(name, FILES[name])

    @staticmethod
    def send(name, kind):
        with open(os.path.join(PAGE, name), encoding="utf-8") as f:
            return web.Response(text=f.read(), content_type=kind, headers=HEADERS)

    async def live(self, _request):
        return answer({"live": True})

    async def ready(self, _request):
        ready = self.service.ready()
        return answer({"ready": ready}, 200 if ready else 503)

    async def metrics(self, _request):
        return web.Response(body=metrics.text(self.registry), headers=HEADERS | {
            "Content-Type": metrics.CONTENT_TYPE})

    # --- streams ----------------------------------------------------------

    async def list(self, _request):
        return answer({"streams": [each.describe() for each in self.service.streams.values()]})

    async def show(self, request):
        return answer(self.stream(request).describe())

    async def add(self, request):
        data = await self.body(request)
        kind = config.an_object("", config.STREAM["properties"] | {
            "id": {"type": "string", **config.ID}}, ["id", "source"])
        found = list(schema.errors(kind, data))
        async with self.service.changing:
            if not found:
                name = data.pop("id")
                if name in self.service.streams:
                    raise Refused(409, f"there is a stream {name} already")
                checker = self.service.checker
                found = await self.service.ask(
                    lambda: list(checker.stream(data, over_http=True)))
            if found:
                raise Refused(400, *(f"{config.place(path) + ': ' if path else ''}{error}"
                                     for path, error in found))
            self.service.add(name, data)
        return answer(self.service.streams[name].describe(), 201)

    async def remove(self, request):
        async with self.service.changing:
            name = self.stream(request).name
            await self.service.remove(name)
        return answer({"removed": name})

    async def settings(self, request):
        data = self.stream(request).data
        width, height = data["size"] or (None, None)
        values = data["values"] or {name: {} for name in settings.ELEMENTS}
        return answer({"version": settings.VERSION, **({"width": width, "height": height}
                                                       if width else {}), **values})

    async def set_settings(self, request):
        data = await self.body(request)
        async with self.service.changing:
            each = self.stream(request)
            changed = {key: value for key, value in each.data.items()
                       if key in config.STREAM["properties"]} | {"settings": data}
            if not isinstance(data, dict):
                raise Refused(400, "settings are an object, as examples/tune writes them")
            checker = self.service.checker
            found = await self.service.ask(lambda: list(checker.stream(changed, over_http=True)))
            found = [error for path, error in found if path == ("settings",)]
            if found:
                raise Refused(400, *found)
            await each.change(each.data | {key: changed[key] for key in
                                           ("settings", "values", "size")})
        return await self.settings(request)

    # --- what goes on -----------------------------------------------------

    async def events(self, request):
        """Server-sent events: events, counts and states."""
        each = self.stream(request)
        waiting, lost = asyncio.Queue(WAITING), 0

        def listen(source, kind, record):
            nonlocal lost
            if source is each:
                try:
                    waiting.put_nowait((kind, record))
                except asyncio.QueueFull:
                    lost += 1

        with self.viewer():
            reply = web.StreamResponse(headers=HEADERS | {"Content-Type": "text/event-stream"})
            await reply.prepare(request)
            self.service.listeners.add(listen)
            try:
                listen(each, "state", each.describe_status())
                listen(each, "counts", {"utc": time.time_ns(), **each.counts()})
                while self.service.streams.get(each.name) is each:
                    try:
                        kind, record = await asyncio.wait_for(waiting.get(), SLOW)
                        text = f"event: {kind}\ndata: {json.dumps(record)}\n\n"
                    except asyncio.TimeoutError:
                        text = ": nothing new\n\n"
                    if lost:
                        text += f"event: dropped\ndata: {lost}\n\n"
                        lost = 0
                    await asyncio.wait_for(reply.write(text.encode()), SLOW)
            except (asyncio.TimeoutError, ConnectionError):
                pass
            finally:
                self.service.listeners.discard(listen)
        return reply

    async def snapshot(self, request):
        each = self.stream(request)
        with self.viewer():
            picture = await each.snapshot()
        if not picture:
            raise Refused(503, f"there is no picture: the stream is {each.status}"
                               f"{f' ({each.why})' if each.why else ''}")
        return web.Response(body=picture, content_type="image/jpeg", headers=HEADERS)

    async def mjpeg(self, request):
        each = self.stream(request)
        with self.viewer():
            reply = web.StreamResponse(headers=HEADERS | {
                "Content-Type": f"multipart/x-mixed-replace; boundary={BOUNDARY}"})
            await reply.prepare(request)
            each.watch(1)
            try:
                while self.service.streams.get(each.name) is each:
                    picture = await each.next_picture()
                    if picture:
                        await asyncio.wait_for(reply.write(
                            f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: "
                            f"{len(picture)}\r\n\r\n".encode() + picture + b"\r\n"), SLOW)
                    elif request.transport is None or request.transport.is_closing():
                        break
            except (asyncio.TimeoutError, ConnectionError):
                pass
            finally:
                each.watch(-1)
        return reply
