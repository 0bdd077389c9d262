# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Single frames for the demo: their luma as bytes, a mask at their side, as files."""

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstVideo

PLANAR = {"I420", "NV12", "YV12", "NV21", "Y42B", "Y444", "GRAY8"}     # 8 bits, luma first


def luma_plane(pad, buffer):
    """The luma of a frame without what pads its rows, and its width and height;
    None where a sample has more than 8 bits, or the pipeline is being stopped."""
    caps = pad.get_current_caps()
    info = caps and GstVideo.VideoInfo.new_from_caps(caps)
    if not info or info.finfo.name not in PLANAR:
        return None
    w, h = info.width, info.height
    meta = GstVideo.buffer_get_video_meta(buffer) or info
    stride = meta.stride[0]
    plane = buffer.extract_dup(meta.offset[0], stride * (h - 1) + w)
    if stride != w:
        plane = b"".join(plane[y * stride:y * stride + w] for y in range(h))
    return plane, w, h


def beside(picture, caps, rows):
    """The picture, and the mask in white at its right."""
    info = GstVideo.VideoInfo.new_from_caps(caps)
    w, stride = info.width, info.stride[0]
    pixels = picture.extract_dup(0, picture.get_size())
    black_or_white = bytes([0] + [255] * 255)
    lines = []
    for y, row in enumerate(rows):
        mask = bytearray(4 * w)
        for channel in range(3):
            mask[channel::4] = row.translate(black_or_white)
        lines += pixels[y * stride:y * stride + 4 * w], bytes(mask)
    return Gst.Buffer.new_wrapped(b"".join(lines)), Gst.Caps.from_string(
        f"video/x-raw,format=BGRx,width={2 * w},height={len(rows)},framerate=0/1")


def save_picture(buffer, caps, path):
    """As PNG; returns what went wrong."""
    pipeline = Gst.parse_launch("appsrc name=source format=time ! videoconvert ! "
                                "video/x-raw,format=RGB ! pngenc ! filesink name=sink")
    source = pipeline.get_by_name("source")
    source.set_property("caps", caps)
    pipeline.get_by_name("sink").set_property("location", path)
    pipeline.set_state(Gst.State.PLAYING)
    source.emit("push-buffer", buffer)
    source.emit("end-of-stream")
    message = pipeline.get_bus().timed_pop_filtered(
        Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if message.type == Gst.MessageType.ERROR:
        return message.parse_error()[0].message.rstrip(".")
    return None
