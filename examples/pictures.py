# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Single frames for the demo: side by side, as files."""

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstVideo


def beside(samples):
    """One picture of several of the same size."""
    rows = []
    for sample in samples:
        caps = Gst.Caps.from_string("video/x-raw,format=BGRx")
        sample = GstVideo.video_convert_sample(sample, caps, Gst.CLOCK_TIME_NONE)
        info = GstVideo.VideoInfo.new_from_caps(sample.get_caps())
        pixels = sample.get_buffer().extract_dup(0, info.size)
        stride = info.stride[0]
        rows.append([pixels[y * stride:y * stride + 4 * info.width] for y in range(info.height)])
    caps = Gst.Caps.from_string(
        f"video/x-raw,format=BGRx,width={len(samples) * info.width},height={info.height},"
        "framerate=0/1")
    pixels = b"".join(part for parts in zip(*rows) for part in parts)
    return Gst.Sample.new(Gst.Buffer.new_wrapped(pixels), caps, None, None)


def save_picture(sample, path):
    """As PNG; returns what went wrong."""
    pipeline = Gst.parse_launch("appsrc name=source format=time ! videoconvert ! "
                                "video/x-raw,format=RGB ! pngenc ! filesink name=sink")
    source = pipeline.get_by_name("source")
    source.set_property("caps", sample.get_caps())
    pipeline.get_by_name("sink").set_property("location", path)
    pipeline.set_state(Gst.State.PLAYING)
    source.emit("push-buffer", sample.get_buffer())
    source.emit("end-of-stream")
    message = pipeline.get_bus().timed_pop_filtered(
        Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if message.type == Gst.MessageType.ERROR:
        return message.parse_error()[0].message.rstrip(".")
    return None
