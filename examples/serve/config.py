# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The configuration of cca-serve: its schema, and its text in JSON or YAML."""

import copy
import json
import os
import re

import gi
gi.require_version("Gst", "1.0")
from gi.repository import Gst
import yaml

import settings
import sources
import textfile
from serve import schema

LIMIT = 4 << 20                 # bytes of a file
SCHEMES = "rtsp", "rtsps", "http", "https", "v4l2", "file", "test"
TEST = re.compile(r"test:([a-z]+(?:-[a-z]+)*)"
                  r"(?:\?((?:(?:width|height|fps|frames)=[0-9]{1,5}&?)*))?")
ID = {"pattern": "[A-Za-z0-9][A-Za-z0-9_-]{0,63}",
      "description": "it has up to 64 letters, digits, - and _"}


def text(description, pattern=".+", **more):
    return {"type": "string", "description": description, "pattern": pattern, **more}


def number(description, low, high, default, kind="number"):
    return {"type": kind, "description": description, "minimum": low, "maximum": high,
            "default": default}


def flag(description, default=False):
    return {"type": "boolean", "description": description, "default": default}


def a_list(description, values, default):
    return {"type": "array", "description": description, "default": default,
            "items": {"type": "string", "enum": values}}


def an_object(description, properties, required=()):
    return {"type": "object", "description": description, "properties": properties,
            "required": list(required), "additionalProperties": False}


ADDRESS = text("an address and a port, such as 127.0.0.1:8070",
               r"(\[[0-9A-Fa-f:]+\]|[^:\s/]+):\d{1,5}")
PATH = text("a path")
RECORDS = ["events", "components"]
STREAM = an_object("a camera, a file or a test picture", {
    "source": text("a URI of rtsp, rtsps, http or https, a path, /dev/videoN or "
                   "test:PATTERN?width=W&height=H&fps=N", r"\S.*"),
    "title": text("the name on the page"),
    "settings": {"type": ["string", "object"], "additionalProperties": True,
                 "description": "a file that examples/tune writes, or its contents"},
    "activity": {"type": "object", "description": "properties of ccaactivity",
                 "additionalProperties": {"type": ["integer", "boolean"]}},
    "latency": number("jitter buffer of RTSP in ms", 0, 60000, 200, "integer"),
    "protocols": {"type": "string", "enum": ["any", "tcp", "udp"], "default": "any",
                  "description": "how RTSP carries the video"},
    "stall": number("seconds without a frame after which the stream is connected again",
                    1, 3600, 10),
    "decoder-threads": number("threads of a decoder on the CPU", 1, 64, 1, "integer"),
    "loop": flag("play a file again and again"),
    "pace": flag("play a file at its own speed, not as fast as it is analysed", True),
    "publish": a_list("records that go to the outputs", RECORDS, RECORDS),
}, ["source"])
STREAMS = {"type": "object", "description": "the streams by their ids", "propertyNames": ID,
           "additionalProperties": STREAM}
OUTPUTS = an_object("where records go", {
    "mqtt": an_object("a broker", {
        "broker": text("a host or a host and a port", r"(\[[0-9A-Fa-f:]+\]|[^:\s/]+)(:\d{1,5})?"),
        "prefix": text("the beginning of all topics", "[^#+/\\x00]+(/[^#+/\\x00]+)*",
                       default="cca"),
        "client-id": text("the client of the broker", "[!-~]{1,64}"),
        "user": text("a user"), "password-file": PATH,
        "tls": flag("encrypt"), "ca-file": PATH, "cert-file": PATH, "key-file": PATH,
        "queue": number("events that wait for the broker", 1, 10**6, 10000, "integer"),
        "interval": number("seconds between two messages of counts", 0.1, 3600, 1),
        "components": flag("also publish the components of each frame"),
        "discovery": text("the topic of Home Assistant's discovery, mostly homeassistant",
                          "[^#+/\\x00]+"),
    }, ["broker"]),
    "lines": an_object("lines of JSON over TCP, to all who connect", {
        "listen": ADDRESS,
        "buffer-kb": number("KiB that wait for a slow client", 16, 1 << 20, 1024, "integer"),
        "records": a_list("records", RECORDS, RECORDS),
    }, ["listen"]),
    "files": an_object("files of lines of JSON", {
        "folder": PATH,
        "rotate-mb": number("MiB after which the next file begins", 1, 1 << 20, 64, "integer"),
        "keep": number("files that are kept of each stream and record", 1, 10**6, 16, "integer"),
        "records": a_list("records", RECORDS, RECORDS),
    }, ["folder"]),
})
SCHEMA = {
    "title": "cca-serve",
    **an_object("the configuration of cca-serve", {
        "device": text("auto, cpu, cuda or cuda:N", r"auto|cpu|cuda(:\d{1,2})?", default="auto"),
        "folders": {"type": "array", "description": "folders of videos and settings",
                    "items": PATH, "default": []},
        "state": {**PATH, "description": "the folder of counts and backgrounds"},
        "http": an_object("the page and the interface of programs", {
            "listen": {**ADDRESS, "default": "127.0.0.1:8070"},
            "token-file": PATH,
            "picture-rate": number("pictures in a second", 0.1, 30, 10),
            "picture-width": number("most columns of a picture", 64, 4096, 640, "integer"),
            "viewers": number("connections that watch pictures or events", 1, 10000, 64,
                              "integer"),
        }),
        "outputs": OUTPUTS,
        "streams": STREAMS,
    }, ["streams"]),
}


class Wrong(ValueError):
    """All errors of a configuration, each a sentence with its place."""

    def __init__(self, errors):
        super().__init__("\n".join(errors))
        self.errors = errors


def place(path):
    """streams.gate.settings, or outputs.mqtt."""
    words = ""
    for key in path:
        words += f"[{key}]" if isinstance(key, int) else f".{key}" if words else str(key)
    return words


def duplicates(node, path=()):
    """Keys of YAML that are there twice, which the loader would not tell."""
    if isinstance(node, yaml.MappingNode):
        seen = set()
        for key, value in node.value:
            name = str(key.value)
            if name in seen:
                yield key.start_mark.line + 1, (*path, name), "it is there twice"
            seen.add(name)
            yield from duplicates(value, (*path, name))
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            yield from duplicates(value, (*path, index))


def line_of(node, path):
    """The line of the part at the path, or of what is there of it."""
    line = node.start_mark.line + 1
    for name in path:
        children = [(key.value, key, value) for key, value in node.value] \
            if isinstance(node, yaml.MappingNode) else \
            [(i, value, value) for i, value in enumerate(node.value)] \
            if isinstance(node, yaml.SequenceNode) else []
        found = next((child for child in children if child[0] == name), None)
        if not found:
            break
        line, node = found[1].start_mark.line + 1, found[2]
    return line


class Table(settings.Table):
    """The properties of cca, ccatrack and ccaactivity."""

    def __init__(self, device):
        super().__init__(device)
        element = Gst.ElementFactory.make("ccaactivity")
        self.activity = {spec.name: settings.Property("ccaactivity", spec)
                         for spec in element.list_properties()
                         if spec.value_type.name in ("gboolean", "guint", "guint64")
                         and spec.name not in settings.LEFT_OUT}

    def activity_error(self, name, value):
        try:
            if name not in self.activity:
                return f"ccaactivity has no {name}: known are {', '.join(self.activity)}"
            self.activity[name].check(value)
        except settings.Refused as error:
            return str(error)
        return None


class Checker:
    """What a configuration may name: properties of the elements, and files in its folders."""

    def __init__(self, folder, table):
        self.folder, self.table = folder, table
        self.folders = []

    def resolve(self, path):
        return os.path.realpath(os.path.join(self.folder, os.path.expanduser(path)))

    def allowed(self, path):
        path = self.resolve(path)
        return path if any(os.path.commonpath((path, folder)) == folder
                           for folder in self.folders) else None

    def defaults(self, kind, value):
        for key, part in kind["properties"].items():
            if "default" in part:
                value.setdefault(key, copy.copy(part["default"]))

    def source(self, stream):
        """Completes a stream by the URI of its source. Returns an error, or None."""
        name = stream["source"]
        scheme = re.match("([A-Za-z][A-Za-z0-9+.-]*):", name)
        scheme = scheme[1].lower() if scheme else None
        if re.fullmatch("/dev/video[0-9]+", name):
            stream["uri"] = f"v4l2://{name}"
        elif scheme == "test":
            test = TEST.fullmatch(name)
            if not test:
                return "a test picture is test:PATTERN?width=W&height=H&fps=N"
            patterns = settings.nicks(Gst.ElementFactory.make("videotestsrc").find_property(
                "pattern"))
            if test[1] not in patterns:
                return f"there is no pattern {test[1]}: known are {', '.join(patterns)}"
            stream["uri"] = name
        elif scheme in (None, "file"):
            path = re.sub("^file:(//)?", "", name)
            allowed = self.allowed(path)
            if not allowed:
                return f"{path} is in none of the folders: add its folder to folders"
            stream["uri"] = sources.uri_of(allowed)
        elif scheme in SCHEMES and scheme != "v4l2":
            stream["uri"] = name
        else:
            return f"{scheme}: is no source here"
        return None

    def settings(self, stream, over_http):
        """Replaces the settings by the values of the properties."""
        given = stream.get("settings")
        try:
            if given is None:
                stream["values"], stream["size"] = None, None
            elif isinstance(given, dict):
                stream["values"], stream["size"] = settings.parse(json.dumps(given), self.table)
            elif over_http:
                return "over HTTP they are an object, not a file"
            elif not self.allowed(given):
                return f"{given} is in none of the folders: add its folder to folders"
            else:
                stream["values"], stream["size"] = settings.load(self.allowed(given), self.table)
            values = stream["values"]
            if values and any(values[element].get(shape)
                              for shape, element in settings.SHAPES.items()):
                settings.try_out(values, *(stream["size"] or (640, 360)))
        except settings.Refused as error:
            return str(error).rstrip(".")
        return None

    def stream(self, stream, path=(), over_http=False):
        """Completes a stream that fits the schema. Yields errors as schema.errors does."""
        self.defaults(STREAM, stream)
        stream["publish"] = sorted(set(stream["publish"]))
        for key, error in (("source", self.source(stream)),
                           ("settings", self.settings(stream, over_http))):
            if error:
                yield (*path, key), error
        for name, value in stream.setdefault("activity", {}).items():
            error = self.table.activity_error(name, value)
            if error:
                yield (*path, "activity", name), error

    def whole(self, data):
        """The same for the whole configuration."""
        self.defaults(SCHEMA, data)
        self.folders = [self.folder, *map(self.resolve, data["folders"])]
        data["state"] = self.resolve(data["state"]) if "state" in data else None
        http = data.setdefault("http", {})
        self.defaults(SCHEMA["properties"]["http"], http)
        outputs = data.setdefault("outputs", {})
        for name, output in outputs.items():
            self.defaults(OUTPUTS["properties"][name], output)
        for part, path in ((http, ("http",)), *((outputs[name], ("outputs", name))
                                                for name in outputs)):
            for key in [key for key in part if key.endswith("-file") or key == "folder"]:
                part[key] = self.resolve(part[key])
                if key not in ("folder", "token-file") and not os.path.isfile(part[key]):
                    yield (*path, key), f"there is no file {part[key]}"
        mqtt = outputs.get("mqtt", {})
        for key, needs in (("key-file", "cert-file"), ("password-file", "user"),
                           ("cert-file", "tls"), ("ca-file", "tls")):
            if key in mqtt and not mqtt.get(needs):
                yield ("outputs", "mqtt", key), f"it needs {needs}"
        for name, stream in data["streams"].items():
            yield from self.stream(stream, ("streams", name))


def parse(string, name, checker):
    """The configuration in a text. Raises Wrong."""
    try:
        node = yaml.compose(string, yaml.SafeLoader)
        data = yaml.safe_load(string)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        at = f"{name}:{mark.line + 1}" if mark else name
        raise Wrong([f"{at}: {getattr(error, 'problem', None) or 'this is no YAML or JSON'}"]) \
            from None
    if node is None:
        raise Wrong([f"{name}: it is empty"])
    found = [(line, path, error) for line, path, error in duplicates(node)]
    misfits = list(schema.errors(SCHEMA, data))
    for path, _ in misfits:             # the rest is checked, too
        if path[:1] == ("streams",) and path[1:]:
            data["streams"].pop(path[1], None)
        elif path:
            data.pop(path[0], None)
    if isinstance(data, dict) and isinstance(data.get("streams"), dict):
        misfits += checker.whole(data)
    found += [(line_of(node, path), path, error) for path, error in misfits]
    if found:
        raise Wrong([f"{name}:{line}: {place(path) + ': ' if path else ''}{error}"
                     for line, path, error in sorted(found, key=lambda e: e[0])])
    return data


def load(path, table):
    """(the configuration, its Checker) from a file. Raises Wrong."""
    try:
        string = textfile.read(path, LIMIT)
    except ValueError as error:
        raise Wrong([str(error)]) from None
    checker = Checker(os.path.dirname(os.path.realpath(path)), table)
    return parse(string, path, checker), checker


def device_of(path):
    """The device that a file names, before all of it is checked."""
    try:
        with open(path, encoding="utf-8") as f:
            device = yaml.safe_load(f.read(LIMIT))["device"]
        return device if re.fullmatch(SCHEMA["properties"]["device"]["pattern"], device) else "cpu"
    except (OSError, ValueError, RecursionError, yaml.YAMLError, KeyError, TypeError):
        return "auto"
