# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Records as lines of JSON in files: FOLDER/ID/events.jsonl and FOLDER/ID/components.jsonl. A file
that is full gets the time of its end as a part of its name."""

import asyncio
import json
import os
import re
import time

import recorded
from serve import config

FLUSH = 1                       # seconds after which the lines are in the file
WAITING = 10000                 # lines that wait for a slow disk


class File:
    """A file that grows."""

    def __init__(self, folder, kind, limit, keep):
        self.folder, self.kind, self.limit, self.keep = folder, kind, limit, keep
        self.path = os.path.join(folder, f"{kind}.jsonl")
        self.waiting, self.size, self.file = [], 0, None

    def write(self):
        """Writes the lines that wait. Returns how many it could not write, and an error."""
        lines, self.waiting = self.waiting, []
        if not lines:
            return 0, None
        try:
            if not self.file:
                self.open()
            self.append(b"".join(lines))
        except OSError as error:
            return len(lines), error.strerror
        try:
            if self.size >= self.limit:
                self.rotate()
        except OSError as error:
            return 0, error.strerror
        return 0, None

    def open(self):
        os.makedirs(self.folder, exist_ok=True)
        self.file = open(self.path, "ab", buffering=0)
        self.size = os.fstat(self.file.fileno()).st_size
        with open(self.path, "rb") as f:
            if self.size and f.seek(-1, os.SEEK_END) is not None and f.read(1) != b"\n":
                self.append(b"\n")     # a crash has cut the line

    def append(self, data):
        """All of it, or nothing."""
        done = 0
        try:
            while done < len(data):
                done += self.file.write(data[done:])
        except OSError:
            os.ftruncate(self.file.fileno(), self.size)
            raise
        self.size += len(data)

    def rotate(self):
        self.close()
        now = time.time_ns()
        os.rename(self.path, os.path.join(self.folder, f"{self.kind}-{recorded.stem(now)}.jsonl"))
        name = re.compile(rf"{self.kind}-[0-9TZ.-]+\.jsonl")
        old = sorted(each for each in os.listdir(self.folder) if name.fullmatch(each))
        for each in old[:-self.keep]:
            os.remove(os.path.join(self.folder, each))

    def close(self):
        if self.file:
            self.file.close()
            self.file = None


class Files:
    def __init__(self, data, service):
        self.data, self.service, self.dropped = data, service, 0
        self.files, self.error = {}, None
        self.timer = None

    async def start(self):
        """Raises config.Wrong."""
        try:
            os.makedirs(self.data["folder"], exist_ok=True)
        except OSError as error:
            raise config.Wrong([f"outputs.files.folder: {self.data['folder']}: "
                                f"{error.strerror}"]) from None
        self.timer = self.service.task(self.work())

    async def stop(self):
        self.timer.cancel()
        await asyncio.gather(self.timer, return_exceptions=True)
        await self.write()
        for file in self.files.values():
            file.close()

    def wants(self, kind):
        return kind in self.data["records"]

    def take(self, each, kind, record):
        key = each.name, kind
        if key not in self.files:
            self.files[key] = File(os.path.join(self.data["folder"], each.name), kind,
                                   self.data["rotate-mb"] << 20, self.data["keep"])
        waiting = self.files[key].waiting
        if len(waiting) >= WAITING:
            self.drop(each.name, 1)
        else:
            waiting.append(record if kind == "components" else json.dumps(record).encode() + b"\n")

    async def work(self):
        while True:
            await asyncio.sleep(FLUSH)
            await self.write()

    async def write(self):
        found = None
        for (name, _), file in list(self.files.items()):
            lost, error = await self.service.ask(file.write)
            if error:
                found = error
                self.drop(name, lost)
        if found != self.error:
            self.error = found
            self.service.say(f"files: {self.data['folder']}: " + (
                f"{found}: records are dropped" if found else
                f"written again; {self.dropped} records were dropped so far"))

    def drop(self, name, number):
        self.dropped += number
        if name in self.service.streams:
            self.service.streams[name].totals.add("dropped", number)

    def forget(self, each):
        for key in [key for key in self.files if key[0] == each.name]:
            file = self.files.pop(key)
            file.write()
            file.close()
