# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The components of each frame of a clip: of cca, and of OpenCV's models."""

import subprocess
import tempfile

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstAnalytics", "1.0")
gi.require_version("GstVideo", "1.0")
gi.require_version("GstCca", "1.0")
from gi.repository import GLib, Gst, GstAnalytics, GstCca, GstVideo

# 8-bit formats whose luma plane cca analyses as it is
LUMA = "video/x-raw,format=(string){GRAY8,NV12,NV21,I420,YV12,Y42B,Y444}"


class Failure(Exception):
    """One sentence on what is wrong."""


def samples(description):
    """Yields the samples of a pipeline."""
    try:
        pipeline = Gst.parse_launch(description + " ! appsink name=end sync=false max-buffers=4")
    except GLib.Error as error:
        raise Failure(error.message) from None
    sink, bus = pipeline.get_by_name("end"), pipeline.get_bus()
    pipeline.set_state(Gst.State.PLAYING)
    try:
        while True:
            sample = sink.emit("try-pull-sample", Gst.SECOND // 10)
            if sample:
                yield sample
                continue
            failed = bus.pop_filtered(Gst.MessageType.ERROR)
            if failed:
                error, detail = failed.parse_error()
                raise Failure(f"{failed.src.get_name()}: {error.message} "
                              f"{detail.splitlines()[-1] if detail else ''}".rstrip())
            if sink.get_property("eos"):
                return
    finally:
        pipeline.set_state(Gst.State.NULL)


def with_cca(source, properties):
    """Yields a list of (x, y, width, height, area, centroid x, centroid y) for each frame;
    centroids are such that pixel 0 is 0 to 1."""
    for sample in samples(f"{source} ! cca max-components=65536 meta-types=cca {properties}"):
        meta = GstCca.buffer_get_cca_meta(sample.get_buffer())
        found = []
        for i in range(meta.get_n_components()):
            c = meta.get_component(i)[1]
            found.append((c.x, c.y, c.width, c.height, c.area,
                          c.centroid_x + 0.5, c.centroid_y + 0.5))
        yield found


def with_ids(description):
    """Yields width and height of the picture that was analysed, and a list of (id, box,
    area), for each frame."""
    for sample in samples(description):
        meta = GstCca.buffer_get_cca_meta(sample.get_buffer())
        analysis = meta.get_analysis()
        found = (meta.get_component(i)[1] for i in range(meta.get_n_components()))
        yield ((analysis.width, analysis.height),
               [(c.track_id, (c.x, c.y, c.width, c.height), c.area) for c in found])


def with_tracking(description):
    """The same from GstAnalytics' relations; without a track an id is -1. The area is
    that of the box."""
    for sample in samples(description):
        info = GstVideo.VideoInfo.new_from_caps(sample.get_caps())
        relations = GstAnalytics.buffer_get_analytics_relation_meta(sample.get_buffer())
        if relations is None:
            yield (info.width, info.height), []
            continue
        numbers = range(GstAnalytics.relation_get_length(relations))
        tracks = [t for is_one, t in map(relations.get_tracking_mtd, numbers) if is_one]
        found = []
        for is_one, thing in map(relations.get_od_mtd, numbers):
            if is_one:
                _, *box, _ = thing.get_location()
                related = [t.get_info()[1] for t in tracks
                           if relations.get_relation(thing.id, t.id) != GstAnalytics.RelTypes.NONE]
                found.append((related[0] if related else -1, tuple(box), box[2] * box[3]))
        yield (info.width, info.height), found


def size_and_rate(source):
    """Width, height and frames a second of a clip."""
    for sample in samples(source):
        info = GstVideo.VideoInfo.new_from_caps(sample.get_caps())
        return info.width, info.height, info.fps_n / max(1, info.fps_d)
    raise Failure("the clip has no frames")


def reports(description, name, figures, read, tick):
    """What read() makes of each message of ccatrack, the last element, unless it is None,
    and the number of each frame by its timestamp. `figures` is the text of the property
    `name`."""
    try:
        pipeline = Gst.parse_launch(
            f"{description} name=track ! fakesink name=end sync=false")
    except GLib.Error as error:
        raise Failure(error.message) from None
    Gst.util_set_object_arg(pipeline.get_by_name("track"), name, figures)
    frames, found = {}, []

    def pass_by(_pad, info):
        frames[info.get_buffer().pts] = len(frames)
        tick()
        return Gst.PadProbeReturn.OK

    pipeline.get_by_name("end").get_static_pad("sink").add_probe(Gst.PadProbeType.BUFFER, pass_by)
    kinds = Gst.MessageType.ELEMENT | Gst.MessageType.ERROR | Gst.MessageType.EOS
    pipeline.set_state(Gst.State.PLAYING)
    while (message := pipeline.get_bus().timed_pop_filtered(Gst.CLOCK_TIME_NONE, kinds)) \
            .type == Gst.MessageType.ELEMENT:
        report = read(message.get_structure())
        if report:
            found.append(report)
    pipeline.set_state(Gst.State.NULL)
    if message.type == Gst.MessageType.ERROR:
        raise Failure(f"{message.src.get_name()}: {message.parse_error()[0].message}")
    return found, frames


def crossings(description, lines, tick):
    """The crossings that ccatrack, the last element, counts at lines between two points:
    the number of the line, the frame in which it happened, and the direction."""
    def read(fields):
        if not fields.has_name("cca-track") or fields.get_string("event") != "crossed":
            return None
        return (int(fields.get_string("line")[1:]), fields.get_uint64("timestamp")[1],
                fields.get_string("direction"))

    text = ",".join("[{},x1={},y1={},x2={},y2={}]".format(f"l{number}", *line[0], *line[1])
                    for number, line in enumerate(lines))
    found, frames = reports(description, "lines", f"<{text}>", read, tick)
    return [(line, frames[time], direction) for line, time, direction in found]


def stays(description, zones, fields, tick):
    """The stays that ccatrack, the last element, reports in zones with these corners and
    fields: the number of the zone, the first frame, and the one after the last."""
    def read(fields):
        if not fields.has_name("cca-zone") or fields.get_string("event") not in ("entered", "left"):
            return None
        return (int(fields.get_string("zone")[1:]), fields.get_uint64("id")[1],
                fields.get_string("event"), fields.get_uint64("timestamp")[1])

    text = ",".join(f"[z{number},points=<{','.join(str(v) for point in zone for v in point)}>"
                    f"{fields}]" for number, zone in enumerate(zones))
    found, frames = reports(description, "zones", f"<{text}>", read, tick)
    entered, ended = {}, []
    for zone, track, event, time in found:
        if event == "entered":
            entered[zone, track] = frames[time]
        else:
            ended.append((zone, entered.pop((zone, track)), frames[time]))
    return ended


def luma(sample):
    """Width, height and the rows of the luma plane, without what pads them."""
    info = GstVideo.VideoInfo.new_from_caps(sample.get_caps())
    width, height = info.width, info.height
    meta = GstVideo.buffer_get_video_meta(sample.get_buffer())
    stride, offset = (meta.stride[0], meta.offset[0]) if meta else (info.stride[0], info.offset[0])
    plane = sample.get_buffer().extract_dup(offset, stride * (height - 1) + width)
    if stride != width:
        plane = b"".join(plane[y * stride:y * stride + width] for y in range(height))
    return width, height, plane


def with_opencv(source, program, arguments, tick):
    """The same by `program` (peer.c), which gets the luma planes and has answered all of
    them when the last one has come; `tick` is called for each."""
    peer = None
    with tempfile.TemporaryFile("w+") as output:
        try:
            for sample in samples(f"{source} ! {LUMA}"):
                width, height, plane = luma(sample)
                peer = peer or subprocess.Popen([program, str(width), str(height), *arguments],
                                                stdin=subprocess.PIPE, stdout=output)
                peer.stdin.write(plane)
                tick()
        except BrokenPipeError:
            pass                # and its exit status tells
        finally:
            status = 0
            if peer:
                try:
                    peer.stdin.close()
                except BrokenPipeError:
                    pass
                status = peer.wait()
        if status:
            raise Failure(f"{program} failed with status {status}")
        output.seek(0)
        for line in output:
            numbers = [float(n) for n in line.split()]
            yield [tuple(numbers[i:i + 7]) for i in range(0, len(numbers), 7)]
