# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: rtsp.py PORT WIDTHxHEIGHT: a camera with a ball that moves, until its input ends.

Prints the port; 0 is any free one."""

import sys

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer

Gst.init(None)
width, height = sys.argv[2].split("x")
factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch(
    "( videotestsrc is-live=true pattern=ball ! video/x-raw,format=I420,framerate=25/1,"
    f"width={width},height={height} ! jpegenc ! rtpjpegpay name=pay0 )")
factory.set_shared(True)
server = GstRtspServer.RTSPServer()
server.set_service(sys.argv[1])
server.get_mount_points().add_factory("/camera", factory)
loop = GLib.MainLoop()
if not server.attach(None):
    sys.exit("the port is not free")
GLib.io_add_watch(0, GLib.PRIORITY_DEFAULT, GLib.IOCondition.HUP | GLib.IOCondition.IN,
                  lambda *_: loop.quit())
print(server.get_bound_port(), flush=True)
loop.run()
