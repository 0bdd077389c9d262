# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""A process of cca-serve, and what else its tests start."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

PATIENCE = 40                   # seconds
HERE = os.path.dirname(os.path.abspath(__file__))


def until(condition, what="this"):
    """Waits for a condition; returns its value."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"{what} never was true")


class Service:
    def __init__(self, program, path, *options):
        self.process = subprocess.Popen(
            [sys.executable, program, path, "--listen", "127.0.0.1:0", *options],
            stderr=subprocess.PIPE, text=True)
        self.said = []
        for line in self.process.stderr:
            self.said.append(line)
            found = re.search(r"listening at (http:[^?\s]+)(?:\?token=(\S+))?", line)
            if found:
                self.url, self.token = found.groups()
                break
        else:
            raise AssertionError("".join(self.said))
        if not self.token:
            with open(os.path.join(os.path.dirname(path), "token"), encoding="utf-8") as f:
                self.token = f.read().strip()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        self.said += self.process.stderr

    def has_said(self, text):
        return any(text in line for line in list(self.said))

    def open(self, path, method="GET", data=None, token=None, raw=None):
        body = raw if raw is not None else None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(
            self.url + path, data=body, method=method,
            headers={"Authorization": f"Bearer {token or self.token}"})
        return urllib.request.urlopen(request, timeout=PATIENCE)

    def ask(self, path, method="GET", data=None, **more):
        """(status, the bytes or the object of the answer)."""
        try:
            reply = self.open(path, method, data, **more)
        except urllib.error.HTTPError as error:
            reply = error
        with reply:
            body = reply.read()
            kind = reply.headers["Content-Type"]
            return reply.status, json.loads(body) if kind.startswith("application/json") else body

    def stream(self, name):
        status, data = self.ask(f"streams/{name}")
        assert status == 200, data
        return data

    def until(self, name, condition):
        return until(lambda: (stream := self.stream(name)) and condition(stream) and stream,
                     f"{name}: {self.stream(name)}, {self.said}")

    def events(self, name, count):
        """The first server-sent events."""
        found = []
        with self.open(f"streams/{name}/events") as reply:
            assert reply.headers["Content-Type"] == "text/event-stream"
            kind = None
            while len(found) < count:
                line = reply.readline().decode().strip()
                if line.startswith("event: "):
                    kind = line[7:]
                elif line.startswith("data: "):
                    found.append((kind, json.loads(line[6:])))
        return found

    def memory(self):
        """Bytes of its own."""
        with open(f"/proc/{self.process.pid}/smaps_rollup", encoding="ascii") as f:
            return sum(int(line.split()[1]) << 10 for line in f if line.startswith("Private_"))

    def files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def end(self, number=signal.SIGTERM):
        """Returns the exit status."""
        self.process.send_signal(number)
        status = self.process.wait(PATIENCE)
        self.reader.join()
        self.process.stderr.close()
        return status


class Camera:
    """A server of RTSP."""

    def __init__(self, size, port=0):
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(HERE, "rtsp.py"), str(port), size],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        self.uri = f"rtsp://user:secret@127.0.0.1:{self.port}/camera"

    def kill(self):
        self.process.kill()
        self.process.communicate()
