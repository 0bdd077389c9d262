# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: outputs.py CCA-SERVE [TEST...]

The outputs of cca-serve: a real broker of MQTT with TLS, TCP, files, and Prometheus."""

import collections
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

try:
    import aiohttp  # noqa: F401
    import paho.mqtt.client as paho
    import prometheus_client  # noqa: F401
    import yaml  # noqa: F401
    from yarl import URL
except ImportError as error:
    print(error)
    sys.exit(77)
BROKER, OPENSSL = shutil.which("mosquitto", path="/usr/sbin:/usr/bin"), shutil.which("openssl")
PROMETHEUS = shutil.which("prometheus")
if not BROKER or not OPENSSL:
    print("there is no mosquitto or no openssl")
    sys.exit(77)

from serving import Service, until

SERVE = sys.argv.pop(1)
SETTINGS = {"version": 1, "cca": {"threshold": 100}, "ccatrack": {
    "min-hits": 1, "lines": [{"name": "mid", "points": [80, 0, 80, 120]}],
    "zones": [{"name": "left", "points": [0, 0, 80, 0, 80, 120, 0, 120]}]}}
BALL = "test:ball?width=160&height=120&fps=25"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Messages:
    """A client of the broker that keeps what it gets."""

    def __init__(self, port, folder):
        self.got = collections.defaultdict(list)
        self.client = paho.Client(paho.CallbackAPIVersion.VERSION2)
        self.client.username_pw_set("site", "a pass")
        self.client.tls_set(os.path.join(folder, "cert.pem"))
        self.client.on_connect = lambda client, *_: client.subscribe("#", 1)
        self.client.on_message = lambda _c, _d, message: self.got[message.topic].append(
            (message.payload, message.retain))
        self.client.reconnect_delay_set(1, 1)
        self.client.connect_async("127.0.0.1", port)
        self.client.loop_start()

    def last(self, topic):
        return self.got[topic][-1][0] if self.got[topic] else None

    def json(self, topic):
        text = self.last(topic)
        return json.loads(text) if text else {}

    def end(self):
        self.client.disconnect()
        self.client.loop_stop()


class Outputs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = os.path.realpath(folder.name)
        os.chmod(cls.folder, 0o755)
        subprocess.run([OPENSSL, "req", "-x509", "-newkey", "ec", "-pkeyopt",
                        "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
                        "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
                        cls.path("key.pem"), "-out", cls.path("cert.pem")],
                       check=True, capture_output=True)
        os.chmod(cls.path("key.pem"), 0o644)
        subprocess.run(["mosquitto_passwd", "-b", "-c", cls.path("users"), "site", "a pass"],
                       check=True, capture_output=True)
        os.chmod(cls.path("users"), 0o644)
        cls.port, cls.lines = free_port(), free_port()
        cls.write("mosquitto.conf", f"listener {cls.port} 127.0.0.1\n"
                  f"certfile {cls.path('cert.pem')}\n"
                  f"keyfile {cls.path('key.pem')}\npassword_file {cls.path('users')}\n"
                  "allow_anonymous false\n")
        cls.write("password", "a pass\n")
        cls.write("token", "a token of the test\n")
        cls.broker = cls.start_broker()
        cls.addClassCleanup(lambda: cls.broker.kill())
        cls.messages = Messages(cls.port, cls.folder)
        cls.addClassCleanup(lambda: cls.messages.end())
        cls.config = {
            "device": "cpu", "http": {"token-file": "token"},
            "outputs": {
                "mqtt": {"broker": f"127.0.0.1:{cls.port}", "prefix": "site/cca", "user": "site",
                         "password-file": "password", "tls": True, "ca-file": "cert.pem",
                         "queue": 3, "interval": 0.2, "components": True,
                         "discovery": "homeassistant"},
                "lines": {"listen": f"127.0.0.1:{cls.lines}", "buffer-kb": 16},
                "files": {"folder": "records", "rotate-mb": 1, "keep": 2},
            },
            "streams": {"ball": {"source": BALL, "title": "The ball", "settings": SETTINGS},
                        "quiet": {"source": "test:black?width=160&height=120&fps=25",
                                  "publish": ["events"]}}}
        cls.service = Service(SERVE, cls.write("c.json", json.dumps(cls.config)))
        cls.addClassCleanup(lambda: cls.service.process.kill())

    @classmethod
    def start_broker(cls):
        return subprocess.Popen([BROKER, "-c", cls.path("mosquitto.conf")],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def write(cls, name, text):
        with open(cls.path(name), "w", encoding="utf-8") as f:
            f.write(text)
        return cls.path(name)

    def metric(self, name):
        text = self.service.ask("metrics")[1].decode()
        return float(re.search(rf"^{re.escape(name)} (\S+)$", text, re.M)[1])

    def test_messages(self):
        """State and counts are retained, events come once each in their order."""
        got = self.messages
        until(lambda: got.last("site/cca/state") == b"online")
        until(lambda: got.json("site/cca/ball/state").get("state") == "on")
        until(lambda: got.json("site/cca/ball/counts"))
        until(lambda: sum(got.json("site/cca/ball/counts")["lines"]["mid"][way]
                          for way in ("to_left", "to_right")))
        events = [json.loads(text) for text, _ in got.got["site/cca/ball/events"]]
        self.assertTrue(any(event.get("event") == "crossed" for event in events))
        frames = [event["frame"] for event in events]
        self.assertEqual(frames, sorted(frames))
        for event in events:
            self.assertEqual((event["source"], event["clock"]), ("ball", "host"))
            self.assertTrue(abs(event["utc"] / 1e9 - time.time()) < 300)
        until(lambda: got.got["site/cca/ball/components"])
        line = got.json("site/cca/ball/components")
        self.assertEqual((line["source"], line["components"][0]["id"]), ("ball", 1))
        self.assertFalse(got.got["site/cca/quiet/components"])
        late = Messages(self.port, self.folder)
        try:
            for topic in "site/cca/state", "site/cca/ball/state", "site/cca/ball/counts":
                until(lambda: late.got[topic])
                self.assertTrue(late.got[topic][0][1], f"{topic} is not retained")
        finally:
            late.end()

    def test_discovery(self):
        """Home Assistant finds each sensor, and its value where the message says."""
        got = self.messages
        topic = "homeassistant/sensor/cca_ball/mid_to_left/config"
        sensor = until(lambda: got.json(topic))
        self.assertEqual(sensor["device"]["name"], "The ball")
        self.assertEqual(sensor["state_topic"], "site/cca/ball/counts")
        self.assertEqual(sensor["value_template"], "{{ value_json.lines['mid'].to_left }}")
        self.assertIn("to_left", until(lambda: got.json("site/cca/ball/counts"))["lines"]["mid"])
        self.service.ask("streams", "POST", {"id": "new", "source": BALL, "settings": SETTINGS})
        topic = "homeassistant/sensor/cca_new/mid_to_left/config"
        until(lambda: got.json(topic))
        until(lambda: got.json("site/cca/new/counts"))
        self.service.ask("streams/new/settings", "PUT", {"version": 1, "cca": {"threshold": 100}})
        until(lambda: got.last(topic) == b"")
        self.service.ask("streams/new", "DELETE")
        for topic in "site/cca/new/counts", "site/cca/new/state":
            until(lambda: got.last(topic) == b"")

    def test_lines(self):
        """To two clients; one that reads nothing loses lines and is told."""
        slow = socket.socket()
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", self.lines))
        with socket.create_connection(("127.0.0.1", self.lines)) as quick, quick.makefile() as file:
            lines = [json.loads(file.readline()) for _ in range(30)]
        frames = [line["frame"] for line in lines if "components" in line]
        self.assertEqual(frames, list(range(frames[0], frames[0] + len(frames))))
        self.assertTrue(all("pts" in line or "message" in line for line in lines))

        self.service.ask("streams", "POST", {"id": "much", "settings": SETTINGS,
                                             "source": BALL.replace("fps=25", "fps=200")})
        until(lambda: self.metric('cca_output_dropped_total{output="lines"}') > 0)
        self.service.ask("streams/much", "DELETE")
        with slow, slow.makefile() as file:
            for text in file:
                if "dropped" in (line := json.loads(text)):
                    break
        self.assertGreater(line["dropped"], 0)

    def test_files(self):
        """All records are in them, without a gap; the oldest files go."""
        folder = self.path("records/ball")
        until(lambda: os.path.exists(f"{folder}/components.jsonl")
              and os.path.getsize(f"{folder}/components.jsonl") > 20000)
        with open(f"{folder}/components.jsonl", encoding="utf-8") as f:
            frames = [json.loads(line)["frame"] for line in f if line.endswith("\n")]
        self.assertEqual(frames, list(range(frames[0], frames[0] + len(frames))))
        until(lambda: os.path.exists(f"{folder}/events.jsonl"))
        self.assertFalse(os.path.exists(self.path("records/quiet/components.jsonl")))

    @unittest.skipUnless(PROMETHEUS, "there is no Prometheus")
    def test_prometheus(self):
        """A real one reads the metrics with the token."""
        port = free_port()
        self.write("prometheus.yml", json.dumps({
            "global": {"scrape_interval": "1s"}, "scrape_configs": [{
                "job_name": "cca", "authorization": {"credentials_file": self.path("token")},
                "static_configs": [{"targets": [self.service.url[7:-1]]}]}]}))
        process = subprocess.Popen(
            [PROMETHEUS, f"--config.file={self.path('prometheus.yml')}",
             f"--storage.tsdb.path={self.path('tsdb')}", f"--web.listen-address=127.0.0.1:{port}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        query = str(URL.build(scheme="http", host="127.0.0.1", port=port,
                              path="/api/v1/query", query={"query": "cca_up"}))

        def value():
            try:
                with urllib.request.urlopen(query, timeout=5) as reply:
                    found = json.load(reply)["data"]["result"]
            except OSError:
                return None
            return {each["metric"]["stream"]: each["value"][1] for each in found}

        try:
            until(lambda: (value() or {}).get("ball") == "1", "the metric in Prometheus")
        finally:
            process.kill()
            process.wait()

    def test_y_broker(self):
        """While it is away events wait, as many as the queue has; what is lost is told."""
        got = self.messages
        until(lambda: got.json("site/cca/ball/state").get("state") == "on")
        self.broker.kill()
        self.broker.wait()
        until(lambda: self.service.has_said("the broker is gone"))
        lost = 'cca_output_dropped_total{output="mqtt"}'
        before = self.service.stream("ball")["events"]
        self.service.until("ball", lambda s: s["events"] > before + 8)
        self.assertGreater(self.metric(lost), 0)
        seen = len(got.got["site/cca/ball/events"])
        type(self).broker = self.start_broker()
        until(lambda: any("events waited" in line and not line.endswith("0 are lost so far\n")
                          for line in self.service.said))
        until(lambda: got.json("site/cca/ball/state").get("events_lost", 0) > 0)
        until(lambda: len(got.got["site/cca/ball/events"]) >= seen + 4)
        # what waited is there, in order; what was lost came before it
        frames = [json.loads(text)["frame"] for text, _ in got.got["site/cca/ball/events"][seen:]]
        self.assertEqual(frames, sorted(frames))
        self.assertEqual(got.last("site/cca/state"), b"online")

    def test_z_end(self):
        """The last will tells of a kill; a full disk loses what it says, and no more."""
        got = self.messages
        until(lambda: got.last("site/cca/state") == b"online")
        self.service.end(signal.SIGKILL)
        until(lambda: got.last("site/cca/state") == b"offline")
        disk = self.path("disk")
        os.mkdir(disk)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk],
                          capture_output=True).returncode:
            self.skipTest("there is no right to mount a small disk")
        self.addCleanup(subprocess.run, ["umount", "-l", disk])
        config = {"device": "cpu", "state": "disk/state", "http": {"token-file": "token"},
                  "outputs": {"files": {"folder": "disk/records"}},
                  "streams": {"ball": {"source": BALL, "settings": SETTINGS}}}
        ballast = os.path.join(disk, "ballast")
        service = type(self).service = Service(SERVE, self.write("full.json", json.dumps(config)))
        path = os.path.join(disk, "records/ball/components.jsonl")
        until(lambda: os.path.exists(path) and os.path.getsize(path) > 3000)
        with open(ballast, "wb", buffering=0) as f:
            try:
                while True:
                    f.write(b"x" * 4096)
            except OSError:
                pass
        until(lambda: service.has_said("No space left on device: records are dropped"))
        self.assertEqual(service.stream("ball")["state"], "on")
        os.remove(ballast)
        until(lambda: service.has_said("written again"))
        dropped = self.metric('cca_output_dropped_total{output="files"}')
        self.assertEqual(service.end(), 0)
        with open(path, encoding="utf-8") as f:
            frames = [json.loads(line)["frame"] for line in f]
        with open(os.path.join(disk, "records/ball/events.jsonl"), encoding="utf-8") as f:
            events = [json.loads(line) for line in f]
        self.assertTrue(events)
        gaps = sum(b - a - 1 for a, b in zip(frames, frames[1:]))
        self.assertTrue(0 < gaps <= dropped, (gaps, dropped))
        with open(os.path.join(disk, "state/state.json"), encoding="utf-8") as f:
            self.assertGreater(json.load(f)["streams"]["ball"]["numbers"]["dropped"], 0)


class Errors(unittest.TestCase):
    def test_rotation(self):
        """Full files get a name of their own, and the oldest go; a cut line is completed."""
        sys.path.insert(0, os.path.dirname(os.path.abspath(SERVE)))
        from serve import files
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "events.jsonl"), "wb") as f:
                f.write(b'{"cut":')
            file = files.File(folder, "events", 1000, 2)
            for number in range(40):
                file.waiting += [b"%099d\n" % number]
                self.assertEqual(file.write(), (0, None))
                if number == 0:
                    with open(os.path.join(folder, "events.jsonl"), "rb") as f:
                        self.assertEqual(f.read(), b'{"cut":\n' + b"0" * 99 + b"\n")
                time.sleep(0.002)
            names = sorted(os.listdir(folder))
            self.assertEqual(len(names), 2 + os.path.exists(os.path.join(folder, "events.jsonl")))
            text = b""
            for name in sorted(names, key=lambda name: (name == "events.jsonl", name)):
                with open(os.path.join(folder, name), "rb") as f:
                    text += f.read()
            numbers = [int(line) for line in text.split()]
            self.assertEqual(numbers, list(range(numbers[0], 40)))


if __name__ == "__main__":
    unittest.main()
