# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The folder in which examples/record keeps files."""

import datetime
import itertools
import json
import os
import re

PART = ".part"
NAME = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-\d+(-\d+)?\.mkv(\.part)?")


def iso(utc):
    """A time in ns since 1970, in milliseconds."""
    moment = datetime.datetime.fromtimestamp(utc // 10**9, datetime.timezone.utc)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{utc % 10**9 // 10**6:03}Z"


def stem(utc):
    """The same as a part of a file name, for all file systems."""
    return iso(utc).replace(":", "-")


def parse(text):
    """An object of JSON, or None."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


class Folder:
    """The files, and index.jsonl, which has a line for each event."""

    def __init__(self, path, keep_days, keep_mb, say):
        self.path, self.days, self.megabytes, self.say = path, keep_days, keep_mb, say
        os.makedirs(self.path, exist_ok=True)
        self.index = self.at("index.jsonl")

    def at(self, name):
        return os.path.join(self.path, name)

    def names(self):
        """All files of video, the oldest first."""
        return sorted(name for name in os.listdir(self.path) if NAME.fullmatch(name))

    def unused(self, stem):
        names = {name.removesuffix(PART) for name in self.names()}
        return next(name for n in itertools.count(1)
                    if (name := f"{stem}{f'-{n}' if n > 1 else ''}.mkv") not in names)

    def recover(self):
        """Takes over what a program that was killed left behind."""
        if os.path.exists(self.index):
            with open(self.index, "rb+") as f:
                text = f.read()
                if text and not text.endswith(b"\n"):
                    f.write(b"\n")
        for part in self.names():
            if part.endswith(PART):
                name = self.keep(part)
                self.write({"number": None, "file": name, "why": "the program was interrupted"})
                self.say(f"{name or part} was interrupted")

    def keep(self, part):
        """Gives a file its final name. An empty one is removed, and the result is None."""
        name = part.removesuffix(PART)
        if not os.path.isfile(self.at(part)) or os.path.getsize(self.at(part)) == 0:
            if os.path.lexists(self.at(part)):
                os.remove(self.at(part))
            return None
        os.rename(self.at(part), self.at(name))
        return name

    def lines(self):
        """The lines of the index, without those that a crash cut."""
        try:
            with open(self.index, encoding="utf-8") as f:
                return [line for text in f if (line := parse(text))]
        except FileNotFoundError:
            return []

    def write(self, *lines, mode="a", path=None):
        """Returns whether the disk took it."""
        try:
            with open(path or self.index, mode, encoding="utf-8") as f:
                f.writelines(json.dumps(line) + "\n" for line in lines)
            return True
        except OSError as error:
            self.say(f"the index cannot be written: {error.strerror}")
            return False

    def prune(self, now):
        """Removes the oldest files beyond the limits, their thumbnails and their lines. The
        newest one stays."""
        names = [name for name in self.names() if not name.endswith(PART)]
        oldest = stem(max(0, now - self.days * 86400 * 10**9))
        total = sum(entry.stat().st_size for entry in os.scandir(self.path) if entry.is_file())
        lines, removed = self.lines(), set()
        for name in names[:-1]:
            too_old = self.days and name < oldest
            if not too_old and not (self.megabytes and total > self.megabytes << 20):
                break
            removed.add(name)
            pictures = {line.get("thumbnail") for line in lines if line.get("file") == name}
            for path in [self.at(also) for also in {name} | pictures - {None}]:
                if os.path.isfile(path):
                    total -= os.path.getsize(path)
                    os.remove(path)
        if removed:
            kept = [line for line in lines if line.get("file") not in removed]
            if self.write(*kept, mode="w", path=self.index + PART):
                os.replace(self.index + PART, self.index)
