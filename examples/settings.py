# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Properties of cca and ccatrack: what they are, their values in JSON, in a pipeline and in a
file. docs/tune.md describes the file."""

import json
import re

import gi
gi.require_version("Gst", "1.0")
from gi.repository import Gst

import textfile

VERSION = 1
LIMIT = 1 << 20                         # bytes of a file
SHAPES = {"regions": "cca", "lines": "ccatrack", "zones": "ccatrack"}
ELEMENTS = "cca", "ccatrack"

# Those that have no place in a file of settings: what is attached for other elements, the
# messages, and paths of this machine.
LEFT_OUT = {"name", "parent", "qos", "stats", "meta-types", "features", "max-objects",
            "object-type",
            "post-messages", "message-interval", "mask", "mask-location", "background-location",
            "cuda-device-id"}

# Titles and properties in the order of docs/elements.md and docs/tracking.md. Others are in the
# group of the element that has no list.
GROUPS = (
    ("cca", "Foreground", "foreground threshold threshold-high threshold-depth invert min-contrast "
                          "noise-factor frame-distance"),
    ("cca", "Background", "learning background-period warm-up absorb-after "
                          "background-period-time warm-up-time absorb-after-time"),
    ("cca", "Changes of light", "light-compensation max-foreground overload-frames "
                                "overload-action"),
    ("cca", "Noise and pieces", "open-radius close-radius connectivity"),
    ("cca", "Size of objects", "min-area max-area"),
    ("cca", "Part of the picture", "regions roi-x roi-y roi-width roi-height"),
    ("cca", "More of the analysis", ""),
    ("ccatrack", "Lines and zones", "lines zones line-margin line-margin-min settle-frames anchor"),
    ("ccatrack", "Tracking", ""),
)
ORDER = {name: i for i, name in enumerate(
    name for _, _, names in GROUPS for name in names.split())}

# The modes in which a property has an effect.
LEARNT = "sigma-delta",
COMPARED = "sigma-delta", "difference"
BRIGHT = "threshold", "otsu"
MODES = {
    "threshold": ("threshold",), "threshold-high": BRIGHT, "min-contrast": COMPARED,
    "noise-factor": LEARNT, "frame-distance": ("difference",), "learning": LEARNT,
    "background-period": LEARNT, "warm-up": LEARNT, "absorb-after": LEARNT,
    "background-period-time": LEARNT, "warm-up-time": LEARNT, "absorb-after-time": LEARNT,
    "light-compensation": LEARNT, "max-foreground": COMPARED, "overload-frames": COMPARED,
    "overload-action": COMPARED,
}

UNITS = {
    "code values": "threshold threshold-high min-contrast",
    "bits": "threshold-depth",
    "ms": "background-period-time warm-up-time absorb-after-time",
    "frames": "frame-distance background-period warm-up absorb-after overload-frames min-hits "
              "max-lost still-frames max-stopped settle-frames async-depth",
    "%": "max-foreground unite min-overlap max-distance line-margin",
    "pixels": "open-radius close-radius min-area max-area roi-x roi-y roi-width roi-height "
              "line-margin-min",
}
UNIT_OF = {name: unit for unit, names in UNITS.items() for name in names.split()}

# Where a slider ends; the field beside it takes the rest of the range.
SLIDER_ENDS = {
    "threshold": 255, "threshold-high": 255, "min-contrast": 100, "background-period": 256,
    "warm-up": 1000, "absorb-after": 10000, "background-period-time": 60000, "warm-up-time": 60000,
    "absorb-after-time": 600000, "overload-frames": 100, "min-area": 20000, "max-area": 1000000,
    "roi-x": 4096, "roi-y": 4096, "roi-width": 4096, "roi-height": 4096, "min-hits": 50,
    "max-lost": 250, "still-frames": 500, "max-stopped": 15000, "settle-frames": 50,
    "line-margin-min": 50, "max-distance": 400,
}

MOTION = {"foreground": "sigma-delta", "open-radius": 1, "close-radius": 1, "min-area": 120}
PRESETS = {                     # for pictures that are 640 wide, see docs/foreground.md
    "motion": {"cca": MOTION},
    "traffic": {"cca": MOTION | {"close-radius": 4, "min-area": 300}},
    "people indoors": {"cca": MOTION | {"absorb-after": 1000, "light-compensation": "tone",
                                        "warm-up": 0}},
    "people outdoors": {"cca": MOTION | {"absorb-after": 1000, "light-compensation": "tone"}},
    "parts on a belt": {"cca": {"foreground": "otsu", "open-radius": 1, "min-area": 200,
                                "max-area": 100000}},
    "thermal": {"cca": {"foreground": "sigma-delta", "threshold-depth": 0, "min-contrast": 60,
                        "open-radius": 1, "close-radius": 1, "min-area": 40}},
}

NAME = re.compile("[A-Za-z][A-Za-z0-9_-]*")
PLAIN = re.compile("[A-Za-z0-9_.+-]+")


class Refused(ValueError):
    """A sentence on what is wrong with a value."""


def default_of(spec):
    # PyGObject before 3.50 has no such function, and its attribute is the enumeration's value.
    return spec.get_default_value() if hasattr(spec, "get_default_value") else spec.default_value


def nicks(spec):
    """The values of an enumeration with what they mean."""
    kind = type(default_of(spec))
    values = getattr(kind, "__enum_values__", None)
    return {value.value_nick: value.value_name for value in (values.values() if values else kind)}


class Property:
    def __init__(self, element, spec):
        self.element, self.name, self.blurb = element, spec.name, spec.blurb
        self.nick = spec.nick
        self.live = not spec.flags & Gst.PARAM_MUTABLE_READY
        self.kind = "shapes" if spec.name in SHAPES else {
            "gboolean": "boolean", "guint": "number", "gint": "number", "guint64": "number",
        }.get(spec.value_type.name, "choice")
        self.values = self.minimum = self.maximum = None
        if self.kind == "shapes":
            self.default = []
        elif self.kind == "choice":
            self.values = nicks(spec)
            self.default = default_of(spec).value_nick
        else:
            self.default = spec.default_value
        if self.kind == "number":
            self.minimum, self.maximum = spec.minimum, spec.maximum

    def check(self, value):
        """Returns the value as it is kept, or refuses it."""
        said = json.dumps(value, ensure_ascii=False)
        said = said if len(said) < 60 else said[:57] + "..."
        if self.kind == "number":
            if isinstance(value, bool) or not isinstance(value, int) or \
                    not self.minimum <= value <= self.maximum:
                raise Refused(f"{self.name} is a whole number from {self.minimum} to "
                              f"{self.maximum}, not {said}: {self.blurb}.")
        elif self.kind == "boolean":
            if not isinstance(value, bool):
                raise Refused(f"{self.name} is true or false, not {said}: {self.blurb}.")
        elif self.kind == "choice":
            if not isinstance(value, str) or value not in self.values:
                raise Refused(f"{self.name} is {', '.join(self.values)}, not {said}: "
                              f"{self.blurb}.")
        else:
            return check_shapes(self.name, value)
        return value

    def describe(self):
        """For the page. JavaScript has no integers beyond 2^53: those stand for no limit."""
        unit = UNIT_OF.get(self.name)
        if not unit and self.kind == "number" and "in pixels" in self.blurb:
            unit = "pixels"
        return {"name": self.name, "title": self.nick, "blurb": self.blurb, "kind": self.kind,
                "default": self.default, "minimum": self.minimum, "maximum": self.maximum,
                "slider": self.maximum and min(self.maximum,
                                               SLIDER_ENDS.get(self.name, self.maximum)),
                "values": self.values, "unit": unit, "modes": MODES.get(self.name),
                "live": self.live}


def check_shapes(name, shapes):
    """Names and coordinates; the element itself checks the rest."""
    if not isinstance(shapes, list) or len(shapes) > 64:
        raise Refused(f"{name} is a list of at most 64 structures.")
    for shape in shapes:
        if not isinstance(shape, dict) or not NAME.fullmatch(str(shape.get("name", ""))):
            raise Refused(f"Each of {name} is an object with a name that begins with a letter and "
                          "has letters, digits, - and _.")
        points = shape.get("points")
        if not isinstance(points, list) or len(points) > 512 or len(points) % 2 or \
                not all(type(v) is int and abs(v) < 1 << 20 for v in points):
            raise Refused(f"{name}: the points of {shape['name']} are pairs of whole numbers, "
                          "x1, y1, x2, y2 and so on.")
        for key, value in shape.items():
            if not NAME.fullmatch(key) or key not in ("name", "points") and not (
                    type(value) is int and abs(value) < 1 << 63
                    or isinstance(value, str) and NAME.fullmatch(value)):
                raise Refused(f"{name}: {json.dumps(key)} of {shape['name']} is a whole number or "
                              "a word.")
    if len({shape["name"] for shape in shapes}) < len(shapes):
        raise Refused(f"{name}: two have the same name.")
    return shapes


def shapes_text(shapes):
    """The value of a property that is an array of structures."""
    texts = []
    for shape in shapes:
        fields = [shape["name"]]
        for key, value in shape.items():
            if key == "points":
                fields.append(f"points=<{','.join(map(str, value))}>")
            elif key != "name":
                fields.append(f"{key}={value}")
        texts.append(f"[{','.join(fields)}]")
    return f"<{','.join(texts)}>"


def text_of(value):
    if isinstance(value, list):
        return shapes_text(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


class Table:
    """All properties of both elements."""

    def __init__(self, device="cpu"):
        self.properties = {element: {} for element in ELEMENTS}
        for element in ELEMENTS:
            name = "cudacca" if element == "cca" and device == "cuda" else element
            # make() raises an exception from GStreamer 1.28 on
            factory = Gst.ElementFactory.find(name)
            if not factory:
                raise Refused(f"there is no element {name}")
            specs = [spec for spec in factory.create(None).list_properties()
                     if spec.name not in LEFT_OUT]
            for spec in sorted(specs, key=lambda spec: ORDER.get(spec.name, len(ORDER))):
                self.properties[element][spec.name] = Property(element, spec)

    def find(self, element, name):
        try:
            return self.properties[element][name]
        except KeyError:
            raise Refused(f"{element} has no property {json.dumps(name)} here") from None

    def check(self, values):
        """The settings in a dictionary, without those that are the default."""
        if not isinstance(values, dict):
            raise Refused("settings are an object with cca and ccatrack")
        kept = {element: {} for element in ELEMENTS}
        for element, properties in values.items():
            if element not in kept or not isinstance(properties, dict):
                raise Refused("settings are an object with cca and ccatrack")
            for name, value in properties.items():
                known = self.find(element, name)
                if value is None:
                    continue
                value = known.check(value)
                if value != known.default:
                    kept[element][name] = value
        return {element: {name: kept[element][name] for name in known if name in kept[element]}
                for element, known in self.properties.items()}

    def groups(self):
        """For the page, in order."""
        for element, title, names in GROUPS:
            known = self.properties[element]
            names = names.split() or [name for name in known if name not in ORDER]
            found = [known[name].describe() for name in names if name in known]
            if found:
                yield {"element": element, "title": title, "properties": found}


def preset(name, width):
    """Areas grow with the square of the width, radii with the width."""
    scale = width / 640
    wanted = {"cca": dict(PRESETS[name]["cca"]), "ccatrack": {}}
    for key, value in wanted["cca"].items():
        if key.endswith("-area"):
            wanted["cca"][key] = max(1, round(value * scale * scale))
        elif key.endswith("-radius"):
            limit = {"open-radius": 7, "close-radius": 15}[key]
            wanted["cca"][key] = max(1, min(limit, round(value * scale)))
    return wanted


def apply(element, properties):
    for name, value in properties.items():
        Gst.util_set_object_arg(element, name, text_of(value))


def launch_text(properties):
    """As an argument of gst-launch-1.0 in a shell."""
    words = []
    for name, value in properties.items():
        text = text_of(value)
        words.append(f"{name}={text}" if PLAIN.fullmatch(text) else f'{name}="{text}"')
    return "".join(" " + word for word in words)


def try_out(values, width, height):
    """Refuses what the elements refuse when they start, with their sentence."""
    pipeline = Gst.parse_launch(
        "videotestsrc num-buffers=1 pattern=black ! "
        f"video/x-raw,format=GRAY8,width={width},height={height} ! "
        "cca name=cca meta-types=cca ! ccatrack name=ccatrack meta-types=cca ! fakesink")
    for element, property_ in (("cca", "regions"), ("ccatrack", "lines"), ("ccatrack", "zones")):
        if property_ in values[element]:
            apply(pipeline.get_by_name(element), {property_: values[element][property_]})
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(
        10 * Gst.SECOND, Gst.MessageType.ERROR | Gst.MessageType.EOS)
    pipeline.set_state(Gst.State.NULL)
    if message and message.type == Gst.MessageType.ERROR:
        raise Refused(message.parse_error()[0].message)


def write(values, width, height):
    """The text of a file."""
    return json.dumps({"version": VERSION, "width": width, "height": height,
                       "cca": values["cca"], "ccatrack": values["ccatrack"]}, indent=1) + "\n"


def parse(data, table):
    """(settings, (width, height) of the video that they are for, None if any) from JSON."""
    try:
        data = json.loads(data)
    except ValueError:
        raise Refused("the settings are no JSON") from None
    if not isinstance(data, dict) or data.get("version") != VERSION:
        raise Refused(f"the settings are no object with version {VERSION}")
    unknown = data.keys() - {"version", "width", "height", *ELEMENTS}
    if unknown:
        raise Refused(f"settings have no {sorted(unknown)[0]}")
    size = data.get("width"), data.get("height")
    if size != (None, None) and not all(type(v) is int and 0 < v < 1 << 16 for v in size):
        raise Refused("width and height are whole numbers of pixels, both or none")
    values = table.check({key: data[key] for key in ELEMENTS if key in data})
    return values, None if size == (None, None) else size


def load(path, table):
    """The same from a file."""
    try:
        text = textfile.read(path, LIMIT)
    except ValueError as error:
        raise Refused(str(error)) from None
    try:
        return parse(text, table)
    except Refused as error:
        raise Refused(f"{path}: {error}") from None


def check_size(size, width, height):
    if size not in (None, (width, height)):
        raise Refused(f"the settings are for video of {size[0]}x{size[1]}, this one has "
                      f"{width}x{height}")
