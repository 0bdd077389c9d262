# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The folder in which counts and backgrounds survive a restart of the program."""

import contextlib
import fcntl
import json
import os
import time

VERSION = 1


class State:
    def __init__(self, folder):
        self.folder = folder
        self.path = os.path.join(folder, "state.json")
        self.error = None               # of the last attempt to write
        self.lock = None                # one process uses the folder

    def load(self):
        """(what save was given, was it the last word of a program that ended in order)."""
        os.makedirs(os.path.join(self.folder, "backgrounds"), exist_ok=True)
        self.lock = open(os.path.join(self.folder, "lock"), "w", encoding="ascii")
        fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            with open(self.path, encoding="utf-8") as f:
                data = json.load(f)
        except FileNotFoundError:
            return {}, True
        if data["version"] != VERSION:
            raise ValueError("it has another version")
        return data["streams"], data["clean"]

    def background(self, name):
        return os.path.join(self.folder, "backgrounds", f"{name}.pgm")

    def forget(self, name):
        """Removes the background of a stream."""
        with contextlib.suppress(OSError):
            os.remove(self.background(name))

    def save(self, streams, clean=False):
        """Replaces the file as a whole. Returns whether that succeeded."""
        part = self.path + ".part"
        try:
            with open(part, "w", encoding="utf-8") as f:
                json.dump({"version": VERSION, "clean": clean, "utc": time.time_ns(),
                           "streams": streams}, f)
                f.flush()
                os.fsync(f.fileno())
            os.replace(part, self.path)
            folder = os.open(self.folder, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
            self.error = None
        except OSError as error:
            self.error = error.strerror
        return not self.error
