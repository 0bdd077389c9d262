#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Prints the boxes of each frame. Usage: boxes.py [PIPELINE that ends with cca]
Example: boxes.py filesrc location=video.mp4 ! decodebin ! videoconvert ! cca"""
import signal
import sys

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstCca", "1.0")
from gi.repository import GLib, Gst, GstCca

def main(description):
    Gst.init(None)
    GstCca.CcaMeta.get_info()  # else metas that come through unixfdsrc would be lost
    try:
        pipeline = Gst.parse_launch(description + " ! appsink name=end sync=false max-buffers=4")
    except GLib.Error as error:
        sys.exit(f"boxes.py: {error.message}")
    sink, bus = pipeline.get_by_name("end"), pipeline.get_bus()
    try:
        pipeline.set_state(Gst.State.PLAYING)
        while True:
            # the sample keeps the buffer alive, and the buffer the meta
            sample = sink.emit("try-pull-sample", Gst.SECOND // 10)
            meta = sample and GstCca.buffer_get_cca_meta(sample.get_buffer())
            if meta:
                found = (meta.get_component(i)[1] for i in range(meta.get_n_components()))
                print(*(f"{c.id}:{c.width}x{c.height}+{c.x}+{c.y}" for c in found))
            failed = bus.pop_filtered(Gst.MessageType.ERROR)
            if failed:
                sys.exit(f"boxes.py: {failed.src.get_name()}: {failed.parse_error()[0].message}")
            if not sample and sink.get_property("eos"):
                break
    finally:
        pipeline.set_state(Gst.State.NULL)

if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # so that | head works
    if sys.argv[1:] in (["--help"], ["-h"]):
        sys.exit(print(__doc__))
    main(" ".join(sys.argv[1:]) or "videotestsrc num-buffers=5 pattern=ball ! cca")
