# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: tune.py TUNE.PY [TEST...]

The server of examples/tune, by requests as its page sends them, with a clip whose components are
known. CCA_TUNE_DEVICE=cuda analyses on a GPU."""

import asyncio
import base64
import importlib.util
import io
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import urllib.parse

try:
    import aiohttp
except ImportError:
    print("there is no python3-aiohttp")
    sys.exit(77)

from pictures import components, flat, source, write_raw

TUNE = sys.argv.pop(1) if sys.argv[1:] else ""
DEVICE = [f"--device={os.environ['CCA_TUNE_DEVICE']}"] if "CCA_TUNE_DEVICE" in os.environ else []
TUNING = os.path.dirname(os.path.abspath(TUNE))
sys.path.insert(0, TUNING)
sys.path.append(os.path.dirname(TUNING))
import marks as marking

WIDTH, HEIGHT, FRAMES, RATE = 160, 120, 50, 25
SQUARES = (6, 10, 5), (12, 40, 40), (20, 90, 80)        # side, x and y at first
PATIENCE = 60


def frame(t):
    rows = flat(WIDTH, HEIGHT, 20)
    for side, x, y in SQUARES:
        for row in rows[y:y + side]:
            row[x + t // 2:x + t // 2 + side] = [200] * side
    if t >= 30:
        rows[110][5:25] = [200] * 20
    return rows


def boxes(t, least=1):
    return [[c[key] for key in ("x", "y", "width", "height", "area")]
            for c in components(frame(t)) if c["area"] >= least]


class Tune:
    """A process of the program, and a page."""

    def __init__(self, *arguments, program=None, before=()):
        command = [*before, sys.executable, *(["-c", program] if program else [TUNE]),
                   "--no-browser", *DEVICE]
        self.process = subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            raise AssertionError(self.process.communicate()[1])

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        errors = self.process.communicate(timeout=PATIENCE)[1]
        return self.process.returncode, errors


class Page:
    def __init__(self, url):
        self.url, self.states, self.frames, self.columns = url, [], [], {}
        self.progress, self.said, self.groups = 0, [], None
        self.found, self.parts = None, []

    async def __aenter__(self):
        self.session = aiohttp.ClientSession()
        self.socket = await self.session.ws_connect(self.url + "socket", max_msg_size=0)
        self.reader = asyncio.ensure_future(self.read())
        return self

    async def __aexit__(self, *_):
        await self.socket.close()
        await self.reader
        await self.session.close()

    async def read(self):
        async for message in self.socket:
            if message.type == aiohttp.WSMsgType.BINARY:
                length, = struct.unpack_from("<I", message.data)
                about = json.loads(message.data[4:4 + length])
                pictures = message.data[4 + length:]
                assert len(pictures) == about["picture"] + about["mask"]
                assert pictures.startswith(b"\xff\xd8\xff")
                assert pictures[about["picture"]:].startswith(b"\xff\xd8\xff")
                self.frames.append(about)
                continue
            data = json.loads(message.data)
            if data["type"] == "state":
                self.states.append(data)
            elif data["type"] == "properties":
                self.groups = data["groups"]
            elif data["type"] == "say":
                self.said.append(data["text"])
            elif data["type"] == "found":
                self.found = data
            elif data["type"] == "progress":
                self.parts.append(data["part"])
            elif data["reset"]:
                self.columns, self.progress = data["columns"], data["progress"]
            else:
                self.columns |= data["columns"]
                self.progress = data["progress"]

    async def post(self, name, data=None, status=200, raw=None):
        body = io.BytesIO((raw or json.dumps(data or {})).encode())
        async with self.session.post(self.url + name, data=body) as reply:
            result = await reply.json()
            assert reply.status == status, (reply.status, result)
            return result

    async def get(self, name):
        async with self.session.get(self.url + name) as reply:
            return reply.status, await reply.read()

    async def until(self, condition, patience=PATIENCE):
        for _ in range(patience * 100):
            if condition():
                return
            await asyncio.sleep(0.01)
        raise AssertionError((self.states[-1:], self.frames[-1:], self.said))

    async def compared(self, state):
        """Waits for the figures of the settings and marks in a state."""
        await self.until(lambda: self.states[-1]["result"] and all(
            self.states[-1][key] == state[key] for key in ("marks", "settings")))

    async def at(self, frame_number, least=1):
        """Goes to a frame, and waits until it is shown as it should be."""
        seen = len(self.frames)
        await self.post("play", {"action": "seek", "at": frame_number / RATE})
        await self.until(lambda: len(self.frames) > seen
                         and round(self.frames[-1]["time"] * RATE) == frame_number)
        self.shows(frame_number, least)

    def shows(self, number, least=1):
        shown = self.frames[-1]
        assert round(shown["time"] * RATE) == number, (shown["time"], number)
        found = [box[:5] for box in shown["boxes"]]
        assert found == boxes(number, least), (found, boxes(number, least))


class Case(unittest.IsolatedAsyncioTestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        raw, cls.clip = cls.path("raw"), cls.path("two words.mkv")
        pictures = [frame(t) for t in range(FRAMES)]
        write_raw(raw, pictures, WIDTH)
        subprocess.run(["gst-launch-1.0", "-q", *source(raw, pictures, WIDTH).split(), "!",
                        "matroskamux", "!", "filesink", f"location={cls.clip}"], check=True)

    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)


class File(Case):
    def setUp(self):
        self.tune = Tune(self.clip)

    def tearDown(self):
        self.assertEqual(self.tune.end(), (0, ""))

    async def still(self, page):
        """By a plain threshold, and paused."""
        await page.post("preset", {"name": "defaults"})
        await page.post("play", {"action": "pause"})

    async def test_times(self):
        """Each frame that is asked for, exactly; its components follow the settings at once."""
        async with Page(self.tune.url) as page:
            await page.until(lambda: len(page.frames) > 3)
            await self.still(page)
            for number in 7, 0, 41, 40:
                await page.at(number)
            seen = len(page.frames)
            await page.post("play", {"action": "step"})
            await page.until(lambda: len(page.frames) > seen)
            page.shows(41)
            await asyncio.sleep(0.2)
            self.assertEqual(len(page.frames), seen + 1)
            for least in 100, 1, 300:
                seen = len(page.frames)
                await page.post("settings", {"change": {"cca": {"min-area": least}}})
                await page.until(lambda seen=seen: len(page.frames) > seen)
                page.shows(41, least)
            # a span is repeated, and nothing else is shown
            await page.post("span", {"from": 0.4, "to": 0.8})
            page.frames.clear()
            await page.post("play", {"action": "play"})
            await page.until(lambda: len(page.frames) > 10)
            times = [shown["time"] for shown in page.frames if shown["time"] < 1.6]
            self.assertTrue(any(a > b for a, b in zip(times, times[1:])), times)
            self.assertTrue(all(0.4 <= at <= 0.8 for at in times[1:]), times)
            # without a loop it stops at the end
            await page.post("span", {"loop": False})
            await page.until(lambda: not page.states[-1]["playing"])
            self.assertAlmostEqual(page.frames[-1]["time"], (FRAMES - 1) / RATE, delta=0.5)

    async def test_strip(self):
        """All frames are analysed ahead, again after a change."""
        async with Page(self.tune.url) as page:
            for least, busy in ((1, 30), (200, 0)):
                await page.post("preset", {"name": "defaults"})
                await page.post("settings", {"change": {"cca": {"min-area": least}}})
                await page.until(lambda: page.progress < 1)
                await page.until(lambda: page.progress == 1)
                found = [page.columns[key] for key in sorted(page.columns, key=int)]
                self.assertEqual(len(found), FRAMES)
                for t, (n, area, flags) in enumerate(found):
                    expected = boxes(t, least)
                    self.assertEqual((n, area, flags),
                                     (len(expected), sum(box[4] for box in expected), 0))
                self.assertEqual(found[busy][0], 4 if least == 1 else 1)
            self.assertEqual(page.states[-1]["video"]["duration"], FRAMES / RATE)

    async def test_undo(self):
        """A slider that is dragged is one step; two pages agree, and one that leaves early does
        no harm."""
        async with Page(self.tune.url) as page, Page(self.tune.url) as other:
            first = (await page.post("preset", {"name": "traffic"}))["settings"]
            for value in range(16, 22):
                state = await page.post("settings", {
                    "change": {"cca": {"min-contrast": value}}, "key": "cca.min-contrast"})
            self.assertEqual(state["settings"]["cca"], first["cca"] | {"min-contrast": 21})
            self.assertEqual(state["undo"], 2)
            state = await page.post("undo")
            self.assertEqual((state["settings"], state["redo"]), (first, 1))
            state = await other.post("redo")
            self.assertEqual(state["settings"]["cca"]["min-contrast"], 21)
            state = await other.post("settings", {"change": {"cca": {"min-contrast": None}}})
            self.assertEqual(state["settings"], first)
            await page.until(lambda: page.states[-1]["settings"] == first)
            await other.until(lambda: other.states[-1]["settings"] == first)
            self.assertEqual(state["redo"], 0)
            third = Page(self.tune.url)
            await third.__aenter__()
            third.socket._writer.transport.abort()
            seen = len(page.frames)
            await page.until(lambda: len(page.frames) > seen + 3)
            await third.__aexit__()
            numbers = [state["number"] for state in page.states]
            self.assertEqual(numbers, sorted(set(numbers)))
        async with Page(self.tune.url) as page:
            await page.until(lambda: page.states and page.frames)
            self.assertEqual(page.states[0]["settings"], first)

    async def test_properties(self):
        """Every property that can be set has a control, but those that are left out."""
        async with Page(self.tune.url) as page:
            await page.until(lambda: page.groups)
        names = {group["element"]: set() for group in page.groups}
        for group in page.groups:
            for known in group["properties"]:
                self.assertTrue(known["blurb"] and known["title"], known)
                self.assertNotIn(known["name"], names[group["element"]])
                names[group["element"]].add(known["name"])
        for name in "cca", "ccatrack":
            element = "cudacca" if DEVICE and name == "cca" else name
            listed = subprocess.run(["gst-inspect-1.0", element], text=True, capture_output=True,
                                    check=True).stdout
            listed = listed.partition("Element Properties:")[2].splitlines()
            listed = {line.split()[0].strip(":") for line in listed
                      if line.startswith("  ") and line[2:3].isalpha()}
            left_out = listed - names[name]
            self.assertLessEqual(names[name], listed)
            self.assertEqual(left_out & {"min-contrast", "learning", "threads", "max-lost",
                                         "async-depth"}, set())
            self.assertLessEqual(left_out, {
                "name", "parent", "qos", "stats", "meta-types", "features", "max-objects",
                "object-type", "cuda-device-id",
                "post-messages", "message-interval", "mask", "mask-location",
                "background-location"})

    async def test_files(self):
        """The settings in a file are those that were set; the mask is that of the regions; the
        command line has all of them, and works."""
        shape = {"name": "yard", "points": [20, 10, 120, 10, 120, 90, 20, 90]}
        tree = {"name": "tree", "type": "exclude", "points": [20, 10, 60, 10, 60, 50, 20, 50]}
        gate = {"name": "gate", "points": [80, 120, 80, 0], "direction": "right"}
        async with Page(self.tune.url) as page:
            await page.post("preset", {"name": "defaults"})
            state = await page.post("settings", {"change": {
                "cca": {"regions": [shape, tree], "threshold": 150},
                "ccatrack": {"lines": [gate], "max-lost": 20}}})
            wanted = state["settings"]
            status, text = await page.get("settings.json")
            self.assertEqual(status, 200)
            settings = json.loads(text)
            self.assertEqual(settings, {"version": 1, "width": WIDTH, "height": HEIGHT, **wanted})
            status, mask = await page.get("mask.pgm")
            header = f"P5\n{WIDTH} {HEIGHT}\n255\n".encode()
            self.assertTrue(mask.startswith(header))
            self.assertEqual(mask[len(header):], bytes(
                255 * (20 <= x < 120 and 10 <= y < 90 and not (x < 60 and y < 50))
                for y in range(HEIGHT) for x in range(WIDTH)))
            # presets keep what was drawn
            state = await page.post("preset", {"name": "motion"})
            self.assertEqual(state["settings"]["cca"]["regions"], [shape, tree])
            state = await page.post("load", settings)
            self.assertEqual(state["settings"], wanted)
            line = state["launch"]["cpu"].replace("ccaoverlay ! videoconvert ! autovideosink",
                                                  "ccajson ! fdsink")
            self.assertIn(" ! cudaupload ! cudacca threshold=150 ", state["launch"]["gpu"])
        out = subprocess.run(["bash", "-c", line.replace("gst-launch-1.0", "gst-launch-1.0 -q")],
                             capture_output=True, text=True, check=True).stdout
        lines = [json.loads(row) for row in out.splitlines()]
        self.assertEqual(len(lines), FRAMES)
        self.assertEqual([c["area"] for c in lines[0]["components"]], [24, 200])
        self.assertEqual([s["name"] for s in lines[0]["shapes"]] if "shapes" in lines[0] else
                         ["yard", "tree", "gate"], ["yard", "tree", "gate"])
        with open(self.path("settings.json"), "wb") as f:
            f.write(text)
        again = Tune("--settings", self.path("settings.json"), self.clip)
        async with Page(again.url) as page:
            await page.until(lambda: page.states)
            self.assertEqual((page.states[0]["settings"], page.states[0]["undo"]), (wanted, 0))
        self.assertEqual(again.end(), (0, ""))

    SPANS = [{"kind": "something", "from": 0, "to": 1, "box": [0, 0, 40, 20]},
             {"kind": "nothing", "from": 0.5, "to": 1.7, "box": [0, 100, 60, 20]}]

    async def test_marks(self):
        """The present settings are compared with marks, again after each change of both."""
        gate = {"name": "gate", "points": [50, 120, 50, 0]}
        async with Page(self.tune.url) as page:
            await self.still(page)
            self.assertEqual(page.states[-1]["marks"]["spans"], [])
            await page.post("settings", {"change": {"ccatrack": {"lines": [gate]}}})
            for least, spans in (1, self.SPANS), (30, self.SPANS), (30, self.SPANS[:1]):
                marks = {"version": 1, "spans": spans,
                         "counts": [{"line": "gate", "to-left": 1, "to-right": 1}]}
                await page.post("settings", {"change": {"cca": {"min-area": least}}})
                state = await page.post("marks", marks)
                self.assertEqual((state["marks"], state["result"]), (marks, None))
                await page.compared(state)
                tally = marking.Tally(marks)
                for t in range(FRAMES):
                    tally.add(t / RATE, [box[:4] for box in boxes(t, least)])
                tally.cross(0, "gate", "to-right")
                self.assertEqual(page.states[-1]["result"], tally.result())
            status, text = await page.get("marks.json")
            self.assertEqual((status, json.loads(text)),
                             (200, marks | {"width": WIDTH, "height": HEIGHT}))
        with open(self.path("marks.json"), "wb") as f:
            f.write(text)
        again = Tune("--marks", self.path("marks.json"), self.clip)
        async with Page(again.url) as page:
            await page.until(lambda: page.states)
            self.assertEqual(page.states[0]["marks"], marks)
        self.assertEqual(again.end(), (0, ""))

    async def test_search(self):
        """Of four areas one finds the smallest square and not the bar; it is applied."""
        async with Page(self.tune.url) as page, Page(self.tune.url) as other:
            await self.still(page)
            sweeps = {"sweeps": {"min-area": [1, 25, 100, 500]}}
            error = await page.post("search", sweeps, status=400)
            self.assertIn("a search needs marks", error["error"])
            await page.post("marks", {"version": 1, "spans": self.SPANS})
            self.assertTrue((await page.post("search", sweeps))["searching"])
            error = await other.post("search", sweeps, status=400)
            self.assertEqual(error["error"], "a search is running already")
            await other.post("cancel")
            await page.until(lambda: not page.states[-1]["searching"])
            self.assertEqual(page.found["best"], [])
            await page.post("search", sweeps)
            for one in page, other:
                await one.until(lambda one=one: one.found["best"], 3 * PATIENCE)
            found = page.found
            self.assertEqual((found, max(page.parts) <= 1), (other.found, True))
            best = found["best"]
            self.assertEqual(best[0]["change"], {"min-area": 25})
            self.assertEqual(best[0]["result"]["score"], 1)
            self.assertEqual([row["change"] for row in best if row["present"]], [{"min-area": 1}])
            self.assertEqual(found["times"], [0.5, 1.1])
            self.assertEqual([len(row) for row in found["sheet"]], [2] * (len(best) + 1))
            for row in found["sheet"]:
                for picture in row:
                    self.assertTrue(base64.b64decode(picture).startswith(b"\xff\xd8\xff"))
            # without the bar and the square the components of the later time are others
            sheet = dict(zip([row["change"]["min-area"] for row in best], found["sheet"][1:]))
            self.assertNotEqual(sheet[1], sheet[500])
            state = await page.post("use", {"number": 0})
            self.assertEqual(state["settings"]["cca"]["min-area"], 25)
            await page.compared(state)
            self.assertEqual(page.states[-1]["result"]["score"], 1)
            self.assertEqual(page.said, [])
            await page.post("marks", {"version": 1, "spans": [
                {"kind": "something", "from": 500, "to": 600}]})
            await page.post("search", sweeps)
            await page.until(lambda: page.said)
            self.assertEqual(page.said, ["the search failed: no frame of the video is in a span"])
            self.assertEqual(page.found, found)

    async def test_bad_requests(self):
        """Each one is refused with a sentence, and nothing changes."""
        url = urllib.parse.urlsplit(self.tune.url)
        host, token = self.tune.url.removesuffix(url.path), url.path.strip("/")
        async with Page(self.tune.url) as page:
            before = json.loads((await page.get("state"))[1])["settings"]
            for path in ("", "/", "/state", "/x/", f"/{token[:-1]}/state", f"/{token}x/state",
                         f"/{token.upper()}/settings.json", "/%00/"):
                async with page.session.get(host + path) as reply:
                    self.assertEqual(reply.status, 403, path)
                async with page.session.post(f"{host}/x/settings", data="{}") as reply:
                    self.assertEqual(reply.status, 403)
            for given, status in ("x", 403), (token, 405):
                async with page.session.put(f"{host}/{given}/settings", data="{}") as reply:
                    self.assertEqual(reply.status, status)
            with self.assertRaises(aiohttp.WSServerHandshakeError) as refused:
                await page.session.ws_connect(f"{host}/wrong/socket")
            self.assertEqual(refused.exception.status, 403)
            for name in ("../tune.py", "..%2ftune.py", "%2e%2e/tune.py", "/etc/passwd",
                         "page/index.html", "index.html", "tune.js/../../tune.py"):
                self.assertIn((await self.raw(url, f"/{token}/{name}")), (403, 404), name)
            long = "x" * (1 << 20) + "x"
            for name, data, said in (
                    ("settings", "no JSON", "the request is no JSON"),
                    ("settings", "[" * 100000, "the request is no JSON"),
                    ("settings", "[]", "the request is no JSON object"),
                    ("settings", long, "the request has more than 1048576 bytes"),
                    ("settings", '{"change": {"cca": {"min-contrast": 0}}}',
                     "min-contrast is a whole number from 1 to 65535, not 0: "),
                    ("settings", '{"change": {"cca": {"min-contrast": 1e3}}}', "not 1000.0: "),
                    ("settings", '{"change": {"cca": {"learning": 1}}}',
                     "learning is true or false, not 1: "),
                    ("settings", '{"change": {"cca": {"foreground": "edges"}}}',
                     'foreground is threshold, otsu, difference, sigma-delta, not "edges": '),
                    ("settings", '{"change": {"cca": {"mask-location": "/etc/passwd"}}}',
                     'cca has no property "mask-location" here'),
                    ("settings", '{"change": {"filesink": {"location": "x"}}}',
                     "change is an object with cca and ccatrack"),
                    ("settings", '{"change": {"cca": {"regions": [{"name": "a", "points": '
                     '[1, 2]}]}}}', "The property regions is invalid: "),
                    ("settings", '{"change": {"ccatrack": {"zones": [{"name": "a],[b", "points": '
                     '[1, 2, 3, 4, 5, 9]}]}}}', "a name that begins with a letter"),
                    ("settings", '{"change": {"ccatrack": {"lines": [{"name": "a", "points": '
                     '[1, 2, 3, "4"]}]}}}', "pairs of whole numbers"),
                    ("settings", '{"change": {"ccatrack": {"lines": [{"name": "a", "points": '
                     '[1, 2, 3, 4], "colour": "red"}]}}}', "The property lines is invalid: "),
                    ("load", '{"version": 2}', "the settings are no object with version 1"),
                    ("load", '{"version": 1, "width": 9, "height": 9}',
                     f"the settings are for video of 9x9, this one has {WIDTH}x{HEIGHT}"),
                    ("load", '{"version": 1, "colour": 9}', "settings have no colour"),
                    ("preset", '{"name": "cats"}', 'there is no preset "cats"'),
                    ("play", '{"action": "dance"}', "action is play, pause, step or seek"),
                    ("play", '{"action": "seek", "at": -1}', "at is a number from 0 to 1e+07"),
                    ("play", '{"action": "seek", "at": "x"}', "at is a number"),
                    ("span", '{"from": 1, "to": 1}', "the span needs at least two frames"),
                    ("view", '{"view": "x-ray"}', "view is mask, colors, background"),
                    ("marks", '{"version": 1, "spans": [{"kind": "cat"}]}',
                     "whose kind is something or nothing"),
                    ("marks", '{"version": 1, "width": 9, "height": 9}', "for video of 9x9"),
                    ("search", "{}", "a search needs marks"),
                    ("use", '{"number": 0}', "there are no results of a search"),
                    ("undo", "{}", "there is nothing to undo")):
                error = (await page.post(name, raw=data, status=400))["error"]
                self.assertIn(said, error)
                self.assertEqual(error.count("\n"), 0)
            self.assertEqual((await page.get("nothing"))[0], 404)
            self.assertEqual(json.loads((await page.get("state"))[1])["settings"], before)
            seen = len(page.frames)
            await page.until(lambda: len(page.frames) > seen)

    @staticmethod
    async def raw(url, path):
        """The status for a path that no client would send."""
        reader, writer = await asyncio.open_connection(url.hostname, url.port)
        writer.write(f"GET {path} HTTP/1.0\r\nHost: x\r\n\r\n".encode())
        status = int((await reader.readline()).split()[1])
        writer.close()
        return status


class Camera(Case):
    PROGRAM = ("import os, sys; sys.path.insert(0, {!r}); import tune, sources; "
               "sources.FILES, sources.PAUSES = (), (0.1, 0.2); sys.exit(tune.main(sys.argv[1:]))")

    async def test_lost(self):
        """A file that is read as a camera is: it appears late, and again and again."""
        late = self.path("late.mkv")
        tune = Tune(late, program=self.PROGRAM.format(os.path.dirname(TUNE)))
        async with Page(tune.url) as page:
            await page.until(lambda: any(state["status"] == "lost" and
                                         state["message"].endswith("connecting again in 0.2 s")
                                         for state in page.states))
            os.link(self.clip, late)
            await page.until(lambda: page.frames)
            await page.until(lambda: any(
                state["message"] == "the stream ended; connecting again in 0.1 s"
                for state in page.states))
            seen = len(page.frames)
            await page.until(lambda: len(page.frames) > seen)
            self.assertEqual(page.states[-1]["status"], "on")
            self.assertTrue(page.states[-1]["video"]["camera"])
            error = await page.post("play", {"action": "seek", "at": 1}, status=400)
            self.assertEqual(error["error"], "a camera has no other times")
        status, said = tune.end()
        self.assertEqual(status, 0)
        self.assertTrue(all(line.startswith(f"examples/tune: {late}: ")
                            for line in said.splitlines()), said)

    async def test_pipeline(self):
        tune = Tune("--pipeline", "--", "videotestsrc is-live=true pattern=ball "
                                        "! video/x-raw,width=64,height=48")
        async with Page(tune.url) as page:
            await page.until(lambda: len(page.frames) > 2)
            self.assertEqual(page.states[-1]["video"]["width"], 64)
            self.assertIn(" ! video/x-raw,width=64,height=48 ! videoconvert ! cca ",
                          page.states[-1]["launch"]["cpu"])
            await page.post("play", {"action": "pause"})
            await asyncio.sleep(0.2)
            seen = len(page.frames)
            await asyncio.sleep(0.3)
            self.assertEqual(len(page.frames), seen)
        self.assertEqual(tune.end(), (0, ""))


class FullDisk(Case):
    async def test_page(self):
        """Nothing can be written to a file, and the page does all that it does."""
        tune = Tune(self.clip, before=("sh", "-c", 'ulimit -f 0; exec "$@"', "sh"))
        self.addCleanup(tune.process.kill)
        async with Page(tune.url) as page:
            await page.until(lambda: len(page.frames) > 3 and page.progress == 1)
            state = await page.post("marks", {"version": 1, "spans": File.SPANS})
            await page.compared(state)
            for name in "settings.json", "marks.json", "mask.pgm":
                status, data = await page.get(name)
                self.assertEqual((status, bool(data)), (200, True), name)
            self.assertEqual(page.said, [])
        self.assertEqual(tune.end(), (0, ""))

    async def test_address(self):
        with open("/dev/full", "wb") as full:
            run = subprocess.run([sys.executable, TUNE, "--no-browser", self.clip], stdout=full,
                                 stderr=subprocess.PIPE, text=True, timeout=PATIENCE, check=False)
        self.assertEqual((run.returncode, run.stderr),
                         (1, "examples/tune: the address cannot be printed: No space left on "
                             "device\n"))


class Start(Case):
    def refused(self, said, *arguments):
        process = subprocess.run([sys.executable, TUNE, *arguments], capture_output=True,
                                 text=True, timeout=PATIENCE)
        self.assertEqual((process.returncode, process.stdout), (1, ""))
        self.assertIn(said, process.stderr)
        self.assertEqual(process.stderr.count("\n"), 1, process.stderr)

    def test_bad_input(self):
        text = self.path("text.mkv")
        with open(text, "w", encoding="utf-8") as f:
            f.write("no video\n" * 9)
        self.refused(f"examples/tune: {text}: ", text)
        self.refused("there is no element cudacca" if subprocess.run(
            ["gst-inspect-1.0", "cudacca"], capture_output=True, check=False).returncode
            else "cudacca", "--device=cuda", self.clip)
        self.refused("no element \"missing\"", "--pipeline", "missing")
        with open(text, "w", encoding="utf-8") as f:
            json.dump({"version": 1, "width": 9, "height": 9}, f)
        self.refused("the settings are for video of 9x9, this one has 160x120",
                     f"--settings={text}", self.clip)


class Undo(unittest.IsolatedAsyncioTestCase):
    async def test_limit(self):
        """Of more steps than are kept the last ones can be undone."""
        asyncio.get_running_loop().set_debug(False)
        spec = importlib.util.spec_from_file_location("server", TUNE)
        server = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(server)
        session = server.Session.__new__(server.Session)
        session.values, session.table = {"cca": {}, "ccatrack": {}}, unittest.mock.Mock()
        session.table.check = session.use = lambda values: setattr(
            session, "used", values) or values
        session.past, session.future, session.last = [], [], ("", 0.0)
        for n in range(server.UNDO + 3):
            await session.change({"cca": {"threshold": n}, "ccatrack": {}})
            session.values = session.used
        self.assertEqual(len(session.past), server.UNDO)
        for n in range(server.UNDO):
            session.step(True)
            session.values = session.used
        self.assertEqual(session.values["cca"], {"threshold": 2})
        self.assertRaises(server.Refused, session.step, True)


if __name__ == "__main__":
    unittest.main()
