# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: serve.py CCA-SERVE [TEST...]

The configuration, the streams and the interface of cca-serve."""

import asyncio
import copy
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest
import unittest.mock

try:
    import aiohttp
    import yaml  # noqa: F401
    from prometheus_client.parser import text_string_to_metric_families
    import gi
    gi.require_version("Gst", "1.0")
    gi.require_version("GstRtspServer", "1.0")
    from gi.repository import Gst
except (ImportError, ValueError) as error:
    print(error)
    sys.exit(77)

from pictures import flat, source, write_raw
from serving import PATIENCE, Camera, Service, until

SERVE = sys.argv.pop(1)
WIDTH, HEIGHT, FRAMES = 160, 120, 60
SETTINGS = {"version": 1, "cca": {"threshold": 128, "min-area": 20},
            "ccatrack": {"min-hits": 1, "lines": [{"name": "gate", "points": [80, 0, 80, 120]}],
                         "zones": [{"name": "yard", "points": [40, 0, 160, 0, 160, 120, 40, 120],
                                    "anchor": "center"}]}}
LONG = {"version": 1, "cca": {"foreground": "sigma-delta", "warm-up": 100}}
LEARNT = {"version": 1, "cca": {"foreground": "sigma-delta", "warm-up": 30}}


def frame(t):
    """One square goes to the right, from 10 to 128."""
    rows = flat(WIDTH, HEIGHT, 20)
    for row in rows[50:62]:
        row[10 + 2 * t:20 + 2 * t] = [200] * 10
    return rows


def point(name):
    return f"test:{name}?width={WIDTH}&height={HEIGHT}&fps=25"


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = os.path.realpath(folder.name)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def write(cls, name, text):
        with open(cls.path(name), "w", encoding="utf-8") as f:
            f.write(text if isinstance(text, str) else json.dumps(text))
        return cls.path(name)


class Configuration(Case):
    def check(self, text, name="c.yaml"):
        run = subprocess.run([sys.executable, SERVE, "--device", "cpu", "--check",
                              self.write(name, text)],
                             capture_output=True, text=True, timeout=60)
        return run.returncode, [line.removeprefix(f"cca-serve: {self.path(name)}:")
                                for line in run.stderr.splitlines()]

    def test_errors(self):
        """All errors come in one answer, with their lines."""
        status, lines = self.check("""\
folders: [videos]
http: {listen: nowhere, viewers: 0}
outputs:
  mqtt:
    broker: localhost
    key-file: missing.pem
streams:
  gate:
    source: rtsp://camera/stream
    latency: soon
    stall: 5
    stall: 5
  yard:
    source: ../../etc/passwd
    settings: {version: 1, cca: {threshold: 70000}}
    activity: {min-frame: 1}
  hall: {sauce: file.mkv}
  "a/b": {source: "test:ball"}
  door:
    source: "fakesrc: ! filesink location=x"
    settings: {version: 1, ccatrack: {zones: [{name: z, points: [1, 2]}]}}
""")
        self.assertEqual(status, 2)
        expected = [
            (2, "http.listen", "it is an address and a port"), (2, "http.viewers", "from 1 to"),
            (6, "outputs.mqtt.key-file", "there is no file"),
            (6, "outputs.mqtt.key-file", "it needs cert-file"),
            (10, "streams.gate.latency", "it is a whole number, not \"soon\""),
            (12, "streams.gate.stall", "it is there twice"),
            (14, "streams.yard.source", "is in none of the folders"),
            (15, "streams.yard.settings", "threshold is a whole number from 0 to 65535"),
            (16, "streams.yard.activity.min-frame", "ccaactivity has no min-frame"),
            (17, "streams.hall", "source is missing"), (17, "streams.hall", "there is no sauce"),
            (18, "streams.a/b", "it has up to 64 letters"),
            (20, "streams.door.source", "fakesrc: is no source here"),
            (21, "streams.door.settings", "zones"),
        ]
        for number, where, sentence in expected:
            self.assertTrue(any(line.startswith(f"{number}: {where}") and sentence in line
                                for line in lines), (number, where, sentence, lines))
        self.assertEqual(len(lines), len(expected), lines)

    def test_needs(self):
        """Files of a broker that are of no use alone."""
        path = self.write("some.pem", "")
        for key, needs in (("key-file", "cert-file"), ("password-file", "user"),
                           ("cert-file", "tls"), ("ca-file", "tls")):
            data = {"outputs": {"mqtt": {"broker": "localhost", key: path}},
                    "streams": {"a": {"source": "test:ball"}}}
            self.assertEqual(self.check(data, "c.json"),
                             (2, [f"1: outputs.mqtt.{key}: it needs {needs}"]))

    def test_syntax(self):
        for text, words in (("streams: [", "1: "), ("", "it is empty"), ("7", "1: it is an object"),
                            ("streams: {a: {source: 'test:balls'}}", "there is no pattern balls"),
                            ("{}", "1: streams is missing")):
            status, lines = self.check(text)
            self.assertEqual((status, len(lines)), (2, 1), lines)
            self.assertIn(words, lines[0])
        self.assertEqual(self.check({"streams": {"a": {"source": "test:ball"}}}, "c.json"), (0, []))

    def test_schema(self):
        """What is printed has all keys of the example."""
        run = subprocess.run([sys.executable, SERVE, "--schema"], capture_output=True, check=True)
        printed = json.loads(run.stdout)
        self.assertEqual(printed["required"], ["streams"])
        self.assertEqual(set(printed["properties"]),
                         {"device", "folders", "state", "http", "outputs", "streams"})

    def test_schema_unread(self):
        reader, writer = os.pipe()
        os.close(reader)
        run = subprocess.run([sys.executable, SERVE, "--schema"], stdout=writer,
                             stderr=subprocess.PIPE)
        os.close(writer)
        self.assertEqual(run.stderr, b"")


class Streams(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        raw, clip = cls.path("raw"), cls.path("clip.mkv")
        pictures = [frame(t) for t in range(FRAMES)]
        write_raw(raw, pictures, WIDTH)
        subprocess.run(["gst-launch-1.0", "-q", *source(raw, pictures, WIDTH).split(), "!",
                        "matroskamux", "!", "filesink", f"location={clip}"], check=True)
        cls.camera = Camera("160x120")
        cls.addClassCleanup(lambda: cls.camera.kill())
        cls.write("settings.json", SETTINGS)
        cls.config = {
            "device": "cpu", "state": "state", "http": {"viewers": 4, "token-file": "token"},
            "streams": {
                "clip": {"source": "clip.mkv", "settings": "settings.json"},
                "again": {"source": "clip.mkv", "settings": "settings.json", "loop": True},
                "still": {"source": point("smpte"), "settings": LEARNT},
                "ends": {"source": point("smpte") + "&frames=130", "settings": LONG},
                "ball": {"source": point("ball"), "settings": {"version": 1}},
                "gate": {"source": cls.camera.uri, "stall": 2,
                         "settings": {"version": 1, "cca": {"threshold": 100}}},
                "gone": {"source": "missing.mkv"},
            }}
        cls.service = Service(SERVE, cls.write("c.json", cls.config))
        cls.addClassCleanup(lambda: cls.service.process.kill())

    def test_a_file(self):
        """Is played once, at its own speed; its counts and records are known."""
        stream = self.service.until("clip", lambda s: s["state"] == "ended")
        self.assertEqual([stream[key] for key in ("frames", "width", "height", "reconnects")],
                         [FRAMES, WIDTH, HEIGHT, 0])
        self.assertEqual(stream["lines"], {"gate": {"to_left": 1, "to_right": 0, "occupancy": -1}}
                         if stream["lines"]["gate"]["to_left"] else
                         {"gate": {"to_left": 0, "to_right": 1, "occupancy": 1}})
        self.assertEqual(stream["zones"]["yard"]["entered"], 1)
        self.assertFalse(self.service.has_said("clip:"))

    def test_pace(self):
        """Without a pace a file takes less than its own 120 s, and loses no record. It can be
        removed in the middle."""
        subprocess.run(["gst-launch-1.0", "-q", "videotestsrc", "num-buffers=3000", "!",
                        f"video/x-raw,width={WIDTH},height={HEIGHT},framerate=25/1", "!", "jpegenc",
                        "!", "matroskamux", "!", "filesink", f"location={self.path('long.mkv')}"],
                       check=True)
        for name in "fast", "cut":
            self.ask("streams", "POST", {"id": name, "source": "long.mkv", "pace": False}, 201)
        self.service.until("cut", lambda s: s["frames"] > 0)
        self.ask("streams/cut", "DELETE")
        stream = self.service.until("fast", lambda s: s["state"] == "ended")
        self.assertEqual([stream[key] for key in ("frames", "dropped", "skipped")],
                         [3000, 0, 0])
        self.assertEqual([stream[key] for key in ("decoder", "decoded_in", "analysed_in")],
                         [None, "SystemMemory", "SystemMemory"])
        self.ask("streams/fast", "DELETE")

    def test_again(self):
        """A file is played again: ids and counts go on, running time and UTC do not go back."""
        stream = self.service.until("again", lambda s: sum(
            s["lines"]["gate"][key] for key in ("to_left", "to_right")) >= 2)
        self.assertEqual(stream["reconnects"], 0)
        events = [data for kind, data in self.service.events("again", 8) if kind == "events"]
        tracks = [data for data in events if data["message"] == "cca-track"]
        self.assertTrue(events and tracks)
        values = [data["frame"] for data in events]
        self.assertEqual(values, sorted(values))
        self.assertEqual(len({data["utc"] - data["running_time"] for data in events}), 1, events)
        for data in events:
            self.assertEqual((data["source"], data["clock"]), ("again", "host"))
        self.assertGreater(tracks[0]["id"], 1)

    def test_background(self):
        """Is not learnt again with a new connection."""
        self.service.until("ends", lambda s: s["state"] == "on" and s["warming_up"] is False)
        self.service.until("ends", lambda s: s["reconnects"] > 0)
        seen = []
        self.service.until("ends", lambda s: seen.append(s["warming_up"]) or (
            s["state"] == "on" and s["frames"] > 190))
        self.assertNotIn(True, seen)

    def test_missing(self):
        """One stream that cannot begin does not disturb the others."""
        stream = self.service.until("gone", lambda s: s["reconnects"] >= 1)
        self.assertIn(stream["state"], ("lost", "connecting", "failed"))
        self.assertTrue(self.service.has_said("gone: "))
        self.service.until("ball", lambda s: s["state"] == "on")

    def test_camera(self):
        """The server of RTSP is killed and comes back, stops to send, and comes back with other
        pictures. Counts, ids and what the others do go on."""
        before = self.service.until("gate", lambda s: s["frames"] > 20)
        self.assertEqual(before["source"], f"rtsp://127.0.0.1:{self.camera.port}/camera")
        self.service.until("gate", lambda s: s["clock"] == "camera")
        self.camera.kill()
        lost = self.service.until("gate", lambda s: s["state"] == "lost")
        self.assertTrue(lost["why"])
        type(self).camera = Camera("160x120", self.camera.port)
        back = self.service.until("gate", lambda s: s["state"] == "on")
        self.assertGreater(back["frames"], before["frames"])
        self.assertGreaterEqual(back["activities"], before["activities"])
        self.camera.process.send_signal(signal.SIGSTOP)
        self.service.until("gate", lambda s: s["why"] == "no frame for 2 s")
        self.camera.kill()
        type(self).camera = Camera("192x144", self.camera.port)
        self.service.until("gate", lambda s: (s["width"], s["height"]) == (192, 144)
                           and s["frames"] > back["frames"])
        self.assertFalse(self.service.has_said("the analysis begins again"))
        self.assertEqual(self.service.stream("ball")["reconnects"], 0)

    def test_settings(self):
        """They are checked, and change what differs while the stream goes on."""
        self.service.until("ball", lambda s: s["components"] == 1)
        status, data = self.service.ask("streams/ball/settings")
        self.assertEqual((status, data), (200, {"version": 1, "cca": {}, "ccatrack": {}}))
        for wrong, words in (({"version": 1, "cca": {"threshold": -1}}, "threshold is a whole"),
                             ({"version": 2}, "version 1"), ([], "object"),
                             ({"version": 1, "ccatrack": {"zones": [{"name": "z", "points": [
                                 1, 2]}]}}, "z"),
                             ({"version": 1, "cca": {"mask-location": "/etc/passwd"}}, "mask-loc")):
            status, data = self.service.ask("streams/ball/settings", "PUT", wrong)
            self.assertEqual(status, 400)
            self.assertIn(words, data["errors"][0])
        status, _ = self.service.ask("streams/ball/settings", "PUT",
                                     {"version": 1, "cca": {"threshold": 255}})
        self.assertEqual(status, 200)
        self.service.until("ball", lambda s: s["components"] == 0)
        self.service.ask("streams/ball/settings", "PUT", {"version": 1, "cca": {}})
        after = self.service.until("ball", lambda s: s["components"] == 1)
        self.assertEqual(after["reconnects"], 0)
        # a property that needs a new pipeline
        frames = self.service.stream("ball")["frames"]
        self.ask("streams/ball/settings", "PUT", {"version": 1, "cca": {"frame-distance": 2}})
        after = self.service.until("ball", lambda s: s["frames"] > frames + 20)
        self.assertEqual((after["state"], after["reconnects"]), ("on", 0))
        # another size than the settings are for
        self.service.ask("streams", "POST", {"id": "other", "source": point("ball"), "settings": {
            "version": 1, "width": 320, "height": 240}})
        self.service.until("other", lambda s: s["why"] == "the settings are for 320x240, the video "
                                                          "has 160x120")
        self.service.ask("streams/other/settings", "PUT", {"version": 1})
        self.service.until("other", lambda s: s["state"] == "on")
        self.assertEqual(self.service.ask("streams/other", "DELETE")[0], 200)

    def ask(self, path, method="GET", data=None, status=200):
        answered, reply = self.service.ask(path, method, data)
        self.assertEqual(answered, status, reply)
        return reply

    def test_streams(self):
        """They are added and removed over HTTP, with all errors in one answer."""
        status, data = self.service.ask("streams", "POST", {
            "id": "../x", "source": 5, "stall": 0, "command": "rm"})
        self.assertEqual((status, len(data["errors"])), (400, 4), data)
        for wrong, words in (("/etc/passwd", "none of the folders"),
                             ("clip.mkv/../../x", "none of the folders"),
                                                          ("appsrc://x", "no source here")):
            status, data = self.service.ask("streams", "POST", {"id": "new", "source": wrong})
            self.assertEqual(status, 400)
            self.assertIn(words, data["errors"][0])
        status, data = self.service.ask("streams", "POST", {"id": "new", "source": "clip.mkv",
                                                            "settings": "settings.json"})
        self.assertIn("an object, not a file", data["errors"][0])
        # no pipeline: a file that does not exist
        self.ask("streams", "POST", {"id": "new", "source": "fakesrc ! filesink location=x"}, 201)
        self.service.until("new", lambda s: s["reconnects"] > 0)
        self.ask("streams/new", "DELETE")
        self.assertFalse(os.path.exists("x"))
        new = {"id": "new", "source": point("ball")}
        self.assertEqual(self.service.ask("streams", "POST", new)[0], 201)
        self.assertEqual(self.service.ask("streams", "POST", new)[0], 409)
        self.service.until("new", lambda s: s["state"] == "on")
        ids = [s["id"] for s in self.service.ask("streams")[1]["streams"]]
        self.assertIn("new", ids)
        self.assertEqual(self.service.ask("streams/new", "DELETE")[0], 200)
        self.assertEqual(self.service.ask("streams/new")[0], 404)

    def test_pictures(self):
        """One, and a series; no more viewers than allowed."""
        self.service.until("ball", lambda s: s["state"] == "on")
        status, picture = self.service.ask("streams/ball/snapshot.jpg")
        self.assertEqual((status, picture[:3], picture[-2:]), (200, b"\xff\xd8\xff", b"\xff\xd9"))
        viewers = []
        for _ in range(4):
            viewers.append(self.service.open("streams/ball/live.mjpeg"))
        status, data = self.service.ask("streams/ball/live.mjpeg")
        self.assertEqual(status, 503)
        self.assertIn("the limit", data["errors"][0])
        seen = set()
        while len(seen) < 3:
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                head += viewers[0].read(1)
            self.assertIn(b"Content-Type: image/jpeg", head)
            seen.add(viewers[0].read(int(head.split(b"Content-Length: ")[1])))
            viewers[0].read(2)
        for viewer in viewers:
            viewer.close()
        until(lambda: self.service.ask("streams/ball/snapshot.jpg")[0] == 200, "room for viewers")
        status, data = self.service.ask("streams/gone/snapshot.jpg")
        self.assertEqual(status, 503)

    def test_metrics(self):
        self.service.until("ball", lambda s: s["frames"] > 30 and s["rate"] > 5)
        self.service.until("gate", lambda s: s["frames"] > 10)
        text = until(lambda: (body := self.service.ask("metrics")[1].decode())
                     and 'cca_decode_seconds{stream="gate"}' in body and body)
        found = {(s.name, s.labels.get("stream")): s.value
                 for family in text_string_to_metric_families(text) for s in family.samples}
        self.assertEqual(found["cca_up", "ball"], 1)
        self.assertEqual(found["cca_up", "gone"], 0)
        self.assertGreater(found["cca_frames_total", "ball"], 30)
        self.assertGreater(found["cca_frame_rate", "ball"], 5)
        for name in "cca_analysis_seconds", "cca_decode_seconds":
            self.assertTrue(0 < found[name, "gate"] < 5, found)
        self.assertGreater(found["cca_reconnects_total", "gone"], 0)
        self.assertIn(("process_cpu_seconds_total", None), found)

    def test_token(self):
        """Nothing but health without it. The file that was missing is for its owner only."""
        self.assertEqual(os.stat(self.path("token")).st_mode & 0o777, 0o600)
        for path in ("", "page.js", "streams", "streams/ball", "streams/ball/settings", "metrics",
                     "streams/ball/events", "streams/ball/snapshot.jpg", "streams/ball/live.mjpeg",
                     "nothing"):
            status, data = self.service.ask(path, token="wrong")
            self.assertEqual(status, 401, path)
            self.assertIn("token", data["errors"][0])
        for method, path in (("DELETE", "streams/ball"), ("POST", "streams"),
                             ("PUT", "streams/ball/settings")):
            self.assertEqual(self.service.ask(path, method, {}, token="wrong")[0], 401)
        self.assertEqual(self.service.ask("?token=wrong", token="wrong")[0], 401)
        self.assertEqual(self.service.ask("live", token="wrong"), (200, {"live": True}))
        until(lambda: self.service.ask("ready", token="wrong") == (200, {"ready": True}))
        self.assertIn(b"<main", self.service.ask("")[1])

    def test_hostile(self):
        """After a thousand requests that no program sends, all is as before."""
        chance = random.Random(37)
        host, port = self.service.url[7:-1].split(":")
        token = f"Authorization: Bearer {self.service.token}\r\n"
        paths = ["/streams/..%2f..%2fetc%2fpasswd", "/%00", "/page.js/../../main.py",
                 "/" + "a" * 9000, "/streams/%ff%fe/settings", "//", "/?token=",
                 "/streams/ball/settings?x=" + "%" * 50, "/streams/" + "x" * 500 + "/events"]
        bodies = ["{", "[" * 10**5, "null", '{"id": "' + "z" * 10**5 + '"}', "\x00" * 99,
                  '{"version": 1e999}', '{"version": 1, "cca": {"threshold": NaN}}']

        def request(n):
            kind = n % 5
            if kind == 0:
                return f"GET {chance.choice(paths)} HTTP/1.1\r\nHost: x\r\n{token}\r\n".encode()
            if kind == 1:
                body = chance.choice(bodies).encode()
                method, path = chance.choice([("POST", "/streams"),
                                              ("PUT", "/streams/ball/settings")])
                return (f"{method} {path} HTTP/1.1\r\nHost: x\r\n{token}Content-Length: "
                        f"{len(body)}\r\n\r\n").encode() + body
            if kind == 2:
                return chance.randbytes(chance.randrange(1, 400)) + b"\r\n\r\n"
            if kind == 3:
                return (f"POST /streams HTTP/1.1\r\n{token}Content-Length: "
                        f"{chance.choice([-1, 10**12, 'x', 5])}\r\n"
                        "Transfer-Encoding: chunked\r\n\r\nzz\r\n").encode()
            method = chance.choice(["TRACE", "PUT", "X" * 99])
            return f"{method} / HTTP/9.9\r\nCookie: {'a=' * 999}\r\n\r\n".encode()

        def send(n):
            with socket.create_connection((host, int(port)), 10) as connection:
                try:
                    connection.sendall(request(n))
                    connection.shutdown(socket.SHUT_WR)
                    while connection.recv(65536):
                        pass
                except ConnectionError:
                    pass

        self.service.until("ball", lambda s: s["state"] == "on")
        for n in range(100):
            send(n)
        memory, files = self.service.memory(), self.service.files()
        for n in range(1000):
            send(n)
        self.assertLess(self.service.memory() - memory, 16 << 20)
        until(lambda: self.service.files() <= files + 8, "the number of files")
        self.assertIsNone(self.service.process.poll())
        self.assertEqual(self.service.ask("streams/ball/settings")[1]["version"], 1)
        self.assertEqual(self.service.ask("streams/ball")[1]["reconnects"], 0)
        self.assertFalse(self.service.has_said("Traceback"), self.service.said)

    def test_z_reload(self):
        """A signal changes only what differs. Errors change nothing."""
        self.service.until("ball", lambda s: s["state"] == "on")
        before = self.service.stream("ball")
        self.write("c.json", self.config | {"streams": {"x": {"source": "nowhere:"}}})
        self.service.process.send_signal(signal.SIGHUP)
        until(lambda: self.service.has_said("x.source: nowhere: is no source"))
        self.assertEqual({s["id"] for s in self.ask("streams")["streams"]},
                         set(self.config["streams"]))
        config = copy.deepcopy(self.config)
        config["streams"]["still"]["settings"]["cca"]["min-area"] = 7
        config["streams"]["new"] = {"source": point("snow")}
        del config["streams"]["gone"]
        self.write("c.json", config)
        self.service.process.send_signal(signal.SIGHUP)
        until(lambda: self.service.has_said("was read again"))
        self.assertEqual(self.service.ask("streams/gone")[0], 404)
        self.assertEqual(sorted(os.listdir(self.path("state"))),
                         ["backgrounds", "lock", "state.json"])
        self.service.until("new", lambda s: s["state"] == "on")
        self.assertEqual(self.service.ask("streams/still/settings")[1]["cca"]["min-area"], 7)
        for name in "ball", "still":
            # what was changed over HTTP is as in the file again
            after = self.service.until(name, lambda s: s["state"] == "on")
            self.assertEqual(after["reconnects"], 0)
        self.assertEqual(after["reconnects"], before["reconnects"])

    def state(self):
        with open(self.path("state/state.json"), encoding="utf-8") as f:
            return json.load(f)

    def test_zz_restart(self):
        """Counts, ids and backgrounds go on after it."""
        before = self.service.until("still", lambda s: s["frames"] > 60 and not s["warming_up"])
        again = self.service.stream("again")
        self.assertEqual(self.service.end(), 0, self.service.said)
        state = self.state()
        self.assertTrue(state["clean"])
        self.assertGreaterEqual(state["streams"]["still"]["numbers"]["frames"], before["frames"])
        service = type(self).service = Service(SERVE, self.path("c.json"))
        first = service.until("still", lambda s: s["frame"] is not None
                              and s["frames"] > before["frames"])
        self.assertFalse(first["warming_up"])
        now = service.stream("again")
        for key in "to_left", "to_right":
            self.assertGreaterEqual(now["lines"]["gate"][key], again["lines"]["gate"][key])
        run = subprocess.run([sys.executable, SERVE, self.path("c.json"), "--listen",
                              "127.0.0.1:0"], capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 2)
        self.assertIn("is the state of another process", run.stderr)
        # kill -9: what the file has is told to be old
        until(lambda: not self.state()["clean"])
        service.end(signal.SIGKILL)
        service = type(self).service = Service(SERVE, self.path("c.json"))
        until(lambda: service.has_said("the last run was interrupted"))
        first = service.until("still", lambda s: s["frame"] is not None)
        self.assertFalse(first["warming_up"])
        events = [data for kind, data in service.events("again", 5) if data.get("id")]
        self.assertTrue(all(data["id"] > 100000 for data in events), events)
        service.end(signal.SIGKILL)
        self.write("state/state.json", "{}")
        run = subprocess.run([sys.executable, SERVE, self.path("c.json"), "--listen",
                              "127.0.0.1:0"], capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 2)
        self.assertIn("is damaged", run.stderr)


class Ends(Case):
    """Of streams at bad times."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        subprocess.run(["gst-launch-1.0", "-q", "videotestsrc", "num-buffers=1000", "!",
                        f"video/x-raw,width={WIDTH},height={HEIGHT},framerate=25/1", "!", "jpegenc",
                        "!", "matroskamux", "!", "filesink", f"location={cls.path('long.mkv')}"],
                       check=True)
        sys.path.insert(0, os.path.dirname(os.path.realpath(SERVE)))
        Gst.init(None)

    def connected(self):
        """A pipeline that plays a file without a pace, while no one takes the lines. It waits."""
        from serve import pipeline
        found = pipeline.Pipeline(
            "long", {"uri": Gst.filename_to_uri(self.path("long.mkv")), "pace": False,
                     "values": None, "size": None, "activity": {}, "latency": 200,
                     "protocols": "any", "decoder-threads": 1},
            {"device": "cpu", "picture-rate": 5, "picture-width": WIDTH}, None, None)
        found.connect()
        until(lambda: not found.is_empty() and found.stats()[0].get_value("frames") > 512)
        return found

    def ends(self, function):
        thread = threading.Thread(target=function, daemon=True)
        thread.start()
        thread.join(PATIENCE)
        self.assertFalse(thread.is_alive(), "it hangs")

    def test_waiting_source(self):
        """A source that waits for room is replaced."""
        found = self.connected()
        self.ends(found.disconnect)
        found.connect()
        until(lambda: not found.is_empty())
        self.ends(found.stop)

    def test_waiting_frame(self):
        """The time of decoding is measured, once or again, and no frame comes any more."""
        for times in 1, 2:
            found = self.connected()
            found.measure_decoding()
            until(lambda: not list(found.pull()) and found.ended)
            self.assertGreater(found.decode_time, 0)
            freed = []
            found.decoder.weak_ref(lambda: freed.append(True))
            for _ in range(times):
                found.measure_decoding()
            self.ends(found.stop)
            self.assertTrue(freed)

    def test_lines(self):
        """Lines that come faster than they are taken are left after a while."""
        from serve import stream

        class Busy(stream.Stream):
            def drain(self):
                time.sleep(0.01)
                return 1 if time.monotonic() < late else 0

        async def run():
            async def ask(function):
                ended.append(time.monotonic())
                function()

            busy = Busy("gate", {}, types.SimpleNamespace(ask=ask))
            busy.pipeline = types.SimpleNamespace(
                stats=lambda: [Gst.Structure.new_from_string(text) for text in (
                    "s, frames=(guint64)1", "s, ids=(guint64)1", "s, started=(guint64)1")],
                stop=lambda: None)
            await busy.end_pipeline()

        late, ended = time.monotonic() + PATIENCE, []
        asyncio.run(run())
        self.assertLess(ended[0], late)

    def test_late_save(self):
        """The state at the end is the last one that is written, also on a slow disk."""
        from serve import config, service
        table = config.Table("cpu")
        running, most = 0, 0

        def fsync(_file):
            nonlocal running, most
            running += 1
            most = max(most, running)
            time.sleep(0.2)
            running -= 1

        async def run():
            found = service.Service(self.write("c.json", {
                "state": "state", "streams": {"ball": {"source": point("ball")}}}),
                "cpu", (1, 1), table, {})
            await found.start()
            while not running:
                await asyncio.sleep(0.01)
            await found.stop()
            self.assertIsNone(found.state.error)

        with unittest.mock.patch.object(service, "SAVE", 0), \
                unittest.mock.patch.object(os, "fsync", fsync):
            asyncio.run(run())
        self.assertEqual(most, 1)
        with open(self.path("state/state.json"), encoding="utf-8") as f:
            self.assertTrue(json.load(f)["clean"])

    def test_stuck(self):
        """One stream that does not end is left: here the file is never opened for writing."""
        os.mkfifo(self.path("pipe"))
        service = Service(SERVE, self.write("c.json", {"state": "kept", "streams": {
            "ball": {"source": point("ball")}, "pipe": {"source": "pipe"}}}))
        self.addCleanup(service.process.kill)
        service.until("ball", lambda s: s["frames"] > 5)
        self.assertEqual(service.end(), 1, service.said)
        self.assertTrue(service.has_said("pipe: no end within 10 s"), service.said)
        with open(self.path("kept/state.json"), encoding="utf-8") as f:
            data = json.load(f)
        self.assertTrue(data["clean"])
        self.assertGreater(data["streams"]["ball"]["numbers"]["frames"], 5)


class Pauses(unittest.TestCase):
    def test_pauses(self):
        """Between two attempts they double up to a minute. After half a minute with frames they
        are short again. The time is simulated."""
        sys.path.insert(0, os.path.dirname(os.path.realpath(SERVE)))
        from serve import stream
        now, pauses = 1000.0, []

        class Lost(stream.Stream):
            async def play(self):
                nonlocal now
                now += 31 if len(pauses) == 9 else 29
                return "no camera", True

            def tell_status(self):
                pass

        async def wait_for(waiting, seconds):
            waiting.close()
            pauses.append(seconds)
            if len(pauses) == 12:
                raise asyncio.CancelledError
            raise asyncio.TimeoutError

        async def run():
            service = types.SimpleNamespace(say=lambda text: None)
            lost = Lost("gate", {"uri": "rtsp://gate.example"}, service)
            with unittest.mock.patch.object(asyncio, "wait_for", wait_for), \
                    unittest.mock.patch.object(time, "monotonic", lambda: now):
                await asyncio.gather(lost.run(), return_exceptions=True)
            self.assertEqual(lost.totals.numbers["reconnects"], 12)

        asyncio.run(run())
        self.assertEqual(pauses, [1, 2, 4, 8, 16, 32, 60, 60, 60, 1, 2, 4])


class Listeners(unittest.TestCase):
    def test_lost(self):
        """A listener that was too slow is told once how many records it has lost."""
        sys.path.insert(0, os.path.dirname(os.path.realpath(SERVE)))
        from serve import http
        each = types.SimpleNamespace(name="gate", describe_status=lambda: {}, counts=lambda: {})
        service = types.SimpleNamespace(config={"http": {"listen": "127.0.0.1:0", "viewers": 1}},
                                        streams={"gate": each}, listeners=set())

        async def next_of(reply):
            kind = (await reply.content.readline()).decode().split()[-1]
            data = json.loads((await reply.content.readline()).decode().removeprefix("data: "))
            await reply.content.readline()
            return kind, data

        async def run():
            server = http.Server(service)
            headers = {"Authorization": f"Bearer {server.token}"}
            url = await server.start()
            async with aiohttp.ClientSession(headers=headers) as session, \
                    session.get(f"{url}streams/gate/events") as reply:
                self.assertEqual([(await next_of(reply))[0] for _ in range(2)],
                                 ["state", "counts"])
                listen, = service.listeners
                for n in range(5):
                    listen(each, "events", n)
                self.assertEqual([await next_of(reply) for _ in range(3)],
                                 [("events", 0), ("dropped", 3), ("events", 1)])
                listen(each, "events", 5)
                self.assertEqual(await next_of(reply), ("events", 5))
            await server.stop()

        with unittest.mock.patch.object(http, "WAITING", 2):
            asyncio.run(run())


class Token(Case):
    def test_missing(self):
        """It is made with its folder, and then stays."""
        sys.path.insert(0, os.path.dirname(os.path.realpath(SERVE)))
        from serve import http
        path = self.path("etc/http/token")
        token = http.read_token(path)
        self.assertEqual(http.read_token(path), token)
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)


class Waits(unittest.TestCase):
    def test_waits(self):
        """Files wait for the analysis, and without a pace for those who read their records."""
        sys.path.insert(0, os.path.dirname(os.path.realpath(SERVE)))
        from serve import pipeline
        Gst.init(None)
        options = {"device": "cpu", "picture-rate": 5, "picture-width": 640}
        for uri, pace, drop, leaky in (("file:///missing.mkv", True, True, "no"),
                                       ("file:///missing.mkv", False, False, "no"),
                                       (point("ball"), True, True, "downstream")):
            stream = {"uri": uri, "pace": pace, "values": None, "size": None, "activity": {},
                      "latency": 0, "protocols": "any", "decoder-threads": 1}
            made = pipeline.Pipeline("gate", stream, options, None, lambda jpeg: None)
            made.connect()
            self.assertEqual((made.lines.get_property("drop"),
                              made.head.get_property("leaky").value_nick), (drop, leaky), uri)
            made.stop()


class Totals(unittest.TestCase):
    def test_totals(self):
        """Counts continue when the elements begin at 0 again, and after a restart of the
        program."""
        sys.path.insert(0, os.path.dirname(os.path.realpath(SERVE)))
        from serve import totals
        Gst.init(None)

        def stats(**values):
            shapes = {name: [Gst.Structure.new_from_string(text) for text in texts]
                      for name, texts in values.items() if isinstance(texts, list)}
            return types.SimpleNamespace(get_value=(values | shapes).get)

        counts = totals.Totals()
        counts.read(stats(frames=10), stats(
            ids=3, lines=["gate, to-left=2, to-right=5, occupancy=3"],
            zones=["yard, inside=1, entered=4, left=3, dwell=70"]), stats(started=2))
        counts.begin_again()
        self.assertEqual([counts.number(name) for name in ("frames", "ids", "activities")],
                         [10, 3, 2])
        counts.read(stats(frames=1), stats(
            ids=1, lines=["gate, to-left=1, to-right=1, occupancy=0"],
            zones=["yard, inside=2, entered=2, left=0, dwell=5"]), stats(started=1))
        self.assertEqual([counts.number(name) for name in ("frames", "ids", "activities")],
                         [11, 4, 3])
        self.assertEqual(counts.of_shapes(), {
            "lines": {"gate": {"to_left": 3, "to_right": 6, "occupancy": 3}},
            "zones": {"yard": {"inside": 2, "entered": 6, "left": 3, "dwell": 75}}})

        event = {"id": 1, "after": 1, "number": 1, "line": "gate", "to_left": 1, "to_right": 1}
        counts.correct(event)
        self.assertEqual(event, {"id": 4, "after": 4, "number": 3, "line": "gate",
                                 "to_left": 3, "to_right": 6})
        event = {"zone": "yard", "count": 2}
        counts.correct(event)
        self.assertEqual(event, {"zone": "yard", "count": 2})

        saved = json.loads(json.dumps(counts.save()))
        self.assertEqual(totals.Totals(saved).save(), saved)
        killed = totals.Totals(saved, clean=False)
        self.assertEqual([killed.number(name) for name in ("frames", "ids", "activities")],
                         [11, 4 + totals.RESERVE, 3 + totals.RESERVE])
        counts.keep("lines", {"other"})
        counts.keep("zones", {"yard"})
        self.assertEqual({kind: list(found) for kind, found in counts.of_shapes().items()},
                         {"lines": [], "zones": ["yard"]})


if __name__ == "__main__":
    unittest.main()
