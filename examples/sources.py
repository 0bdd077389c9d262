# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Videos by name: a file, a camera such as /dev/video0, or a URI."""

import os
import re
import shlex

import gi
gi.require_version("Gst", "1.0")
from gi.repository import Gst

# The element of each device. A GPU decoder's frames stay on the GPU, those of a CPU decoder are
# uploaded.
ENGINES = {
    "cpu": "cca",
    "cuda": "capsfilter caps=\"video/x-raw(memory:CUDAMemory);video/x-raw,format=NV12\" "
            "! cudaupload ! cudacca",
}
FILES = "file",                 # schemes whose end is the end of the video
PAUSES = 1, 2, 5, 10, 30        # between attempts to connect, in seconds
STALLED = 15                    # seconds without a frame after which a camera is lost


def uri_of(name):
    if re.fullmatch("/dev/video[0-9]+", name):
        return f"v4l2://{name}"
    return name if "://" in name else Gst.filename_to_uri(os.path.abspath(name))


def is_camera(uri):
    return uri.partition(":")[0] not in FILES


def printable(name):
    """Passwords are not printed."""
    return re.sub("//[^/]*@", "//", name)


def pause(attempts):
    """Seconds to wait after so many attempts that failed."""
    return PAUSES[min(attempts, len(PAUSES) - 1)]


def may_return(error):
    """Another attempt does not help against bad settings and missing plugins."""
    return not (error.matches(Gst.ResourceError.quark(), Gst.ResourceError.SETTINGS)
                or error.matches(Gst.CoreError.quark(), Gst.CoreError.MISSING_PLUGIN))


def fields(structure):
    """A GstStructure as a dictionary, as an event in the lines of ccajson: names have underscores,
    and unknown times are None."""
    values = {}
    for i in range(structure.n_fields()):
        name = structure.nth_field_name(i)
        value = structure.get_value(name)
        if isinstance(value, Gst.Structure):
            value = fields(value)
        values[name.replace("-", "_")] = None if value == Gst.CLOCK_TIME_NONE else value
    return values


def stream_time(segment, buffer, unknown):
    """In seconds, also of frames before the segment, which a seek leaves to the decoder."""
    if not segment or buffer.pts == Gst.CLOCK_TIME_NONE:
        return unknown
    return (buffer.pts - segment.start + segment.time) / Gst.SECOND


def is_decoder(element):
    """Whether it decodes itself, and is no bin with a decoder."""
    factory = element.get_factory()
    kinds = factory.get_metadata("klass").split("/") if factory else ()
    return "Decoder" in kinds and "Bin" not in kinds


def add_source(pipeline, uri, head):
    """Links the first video of the URI to the element `head`. Returns the element that decodes."""
    source = Gst.ElementFactory.make("uridecodebin")
    source.set_property("uri", uri)
    source.set_property("caps", Gst.Caps.from_string("video/x-raw(ANY)"))
    source.set_property("expose-all-streams", False)
    pipeline.add(source)
    sink = head.get_static_pad("sink")
    source.connect("pad-added", lambda _, pad: sink.is_linked() or pad.link(sink))
    return source


class Source:
    """A video that a pipeline can be begun with, again and again."""

    def __init__(self, name, is_pipeline=False):
        self.name = printable(name)
        self.text = name
        self.is_pipeline = is_pipeline
        self.uri = None if is_pipeline else uri_of(name)
        self.is_camera = is_pipeline or is_camera(self.uri)

    def add(self, pipeline, head):
        """Links it to the element `head`. Raises GLib.Error."""
        if not self.is_pipeline:
            add_source(pipeline, self.uri, head)
            return
        source = Gst.parse_bin_from_description(f"{self.text} ! identity", True)
        pipeline.add(source)
        source.get_static_pad("src").link(head.get_static_pad("sink"))

    def launch(self):
        """The beginning of a command line of gst-launch-1.0."""
        if self.is_pipeline:
            return self.text
        if self.uri.startswith("file:"):
            path = Gst.uri_get_location(self.uri)
            return f"filesrc location={shlex.quote(path)} ! decodebin"
        if self.uri.startswith("v4l2:"):
            return f"v4l2src device={self.uri[7:]}"
        return f"uridecodebin uri={shlex.quote(self.name)}"
