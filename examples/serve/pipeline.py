# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The pipeline of a stream. The analysis stays when its source is replaced, so that the
background, the ids and the counts do, too."""

import re
import threading
import time

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstApp, GstVideo  # noqa: F401 (GstApp adds methods)

import settings
import sources
from serve import config

ANALYSIS = (
    "queue name=head max-size-buffers={waiting} max-size-bytes=0 max-size-time=0 "
    "! videoconvert ! {engine} name=cca meta-types=cca "
    "! ccatrack name=ccatrack meta-types=cca "
    "! ccaactivity name=ccaactivity ! tee name=tee "
    "tee. ! ccajson name=json "
    "! appsink name=lines sync=false async=false max-buffers=512 drop=true "
    "tee. ! valve name=valve drop=true drop-mode=forward-sticky-events "
    "! queue leaky=downstream max-size-buffers=1 max-size-bytes=0 max-size-time=0 "
    "! videorate drop-only=true name=rate ! {download} videoconvertscale "
    "! capsfilter name=small ! ccaoverlay ! jpegenc quality=80 "
    "! appsink name=picture sync=false async=false max-buffers=1 drop=true emit-signals=true")
DOWNLOAD = {"cpu": "", "cuda": "cudadownload !"}
DEFAULTS = {"cca": {"foreground": "sigma-delta", "open-radius": 1, "close-radius": 1},
            "ccatrack": {}}
WAITING = 4                     # frames that wait for the analysis
TOGETHER = 64                   # lines
EVENTS = Gst.PadProbeType.EVENT_DOWNSTREAM | Gst.PadProbeType.EVENT_FLUSH
TEST = {"width": "640", "height": "360", "fps": "25"}
CONTEXT = "gst.cuda.context"
PROTOCOLS = {"any": "tcp+udp-mcast+udp", "tcp": "tcp", "udp": "udp"}


class Context:
    """The CUDA context of all pipelines. One for each would take hundreds of megabytes of the GPU,
    and the GPU would work for one of them at a time."""

    def __init__(self):
        self.lock, self.value = threading.Lock(), None

    def join(self, pipeline):
        with self.lock:
            if self.value:
                pipeline.set_context(self.value)
            else:                       # cudacca makes one
                pipeline.set_state(Gst.State.PAUSED)
                self.value = pipeline.get_context(CONTEXT)

    def forget(self):
        """The next pipeline has a new one: after some errors of the GPU a context is lost."""
        with self.lock:
            self.value = None


context = Context()


class Pipeline:
    """Its methods may block, and are called by one thread at a time, except for pull, problems
    and show. `picture(jpeg)` is called from a thread of its own."""

    def __init__(self, name, stream, options, background, picture):
        self.stream, self.options, self.picture = stream, options, picture
        self.source = self.decoder = None
        self.ended = self.misfit = None     # why no more frames come
        self.size, self.fresh, self.skipped = None, True, 0
        self.decode_time = self.decoding = None
        self.decoded_in = None
        device = options["device"]
        self.pipeline = Gst.parse_launch(ANALYSIS.format(
            engine=sources.ENGINES[device], download=DOWNLOAD[device], waiting=WAITING))
        for part in "head", "cca", "ccatrack", "ccaactivity", "json", "lines", "valve":
            setattr(self, part, self.pipeline.get_by_name(part))
        self.bus = self.pipeline.get_bus()
        # the time of a record is that of this machine unless the camera tells its own
        self.pipeline.use_clock(Gst.SystemClock(clock_type=Gst.ClockType.REALTIME))
        self.json.set_property("source-name", name)
        self.list_components(False)
        rate = options["picture-rate"]
        self.pipeline.get_by_name("rate").set_property("max-rate", max(1, round(rate)))
        if background:
            self.cca.set_property("background-location", background)
        for part, values in (stream["values"] or DEFAULTS).items():
            settings.apply(getattr(self, part), values)
        settings.apply(self.ccaactivity, stream["activity"])
        pictures = self.pipeline.get_by_name("picture")
        pad = self.head.get_static_pad("sink")
        probe = pad.add_probe(EVENTS, self.watch)
        # what keeps this object, and is kept by it
        self.ties = [(pad.remove_probe, probe),
                     (self.head.disconnect, self.head.connect("overrun", self.skip)),
                     (pictures.disconnect, pictures.connect("new-sample", self.take_picture))]
        if device == "cuda":
            context.join(self.pipeline)
        self.pipeline.set_state(Gst.State.PLAYING)

    # --- its threads ------------------------------------------------------

    def skip(self, queue):
        self.skipped += queue.get_property("leaky").value_nick != "no"

    def watch(self, _pad, info):
        """A new source continues the stream of the last one."""
        event = info.get_event()
        if event.type == Gst.EventType.EOS:
            self.ended = "the video ended"
            return Gst.PadProbeReturn.DROP
        if event.type in (Gst.EventType.FLUSH_START, Gst.EventType.FLUSH_STOP):
            return Gst.PadProbeReturn.DROP
        if event.type == Gst.EventType.STREAM_START:
            is_first, self.fresh = self.fresh, False
            return Gst.PadProbeReturn.OK if is_first else Gst.PadProbeReturn.DROP
        if event.type == Gst.EventType.CAPS:
            video = GstVideo.VideoInfo.new_from_caps(event.parse_caps())
            self.resize(video.width, video.height)
            self.decoded_in = memory_of(event.parse_caps())
        return Gst.PadProbeReturn.OK

    def resize(self, width, height):
        self.size = width, height
        wanted = self.stream["size"]
        if wanted and wanted != self.size:
            self.misfit = "the settings are for {}x{}, the video has {}x{}".format(*wanted, width,
                                                                                  height)
        if not self.stream["values"]:
            self.cca.set_property("min-area", max(1, width * height // 1500))
        scale = min(1, self.options["picture-width"] / width)
        self.pipeline.get_by_name("small").set_property("caps", Gst.Caps.from_string(
            f"video/x-raw,format=I420,pixel-aspect-ratio=1/1,width={max(2, round(width * scale))},"
            f"height={max(2, round(height * scale))}"))

    def take_picture(self, sink):
        buffer = sink.emit("pull-sample").get_buffer()
        self.picture(buffer.extract_dup(0, buffer.get_size()))
        return Gst.FlowReturn.OK

    def set_up_source(self, _bin, element):
        for name, value in (("latency", self.stream["latency"]),
                            ("add-reference-timestamp-meta", True),
                            ("protocols", PROTOCOLS[self.stream["protocols"]])):
            if element.find_property(name):
                Gst.util_set_object_arg(element, name, settings.text_of(value))

    def set_up_decoder(self, _bin, _sub, element):
        if sources.is_decoder(element):
            if element.find_property("max-threads"):
                element.set_property("max-threads", self.stream["decoder-threads"])
            self.decoder, self.decoding = element, None

    # --- the source -------------------------------------------------------

    def connect(self):
        """Raises GLib.Error."""
        self.ended = self.misfit = self.decoder = self.decoding = None
        uri, source = self.stream["uri"], Gst.Bin()
        is_file = uri.startswith("file:")
        is_paced = self.stream["pace"]
        # a file without a pace waits until its lines are read, and loses none
        self.lines.set_property("drop", is_paced or not is_file)
        # a camera does not wait: an analysis that is too slow leaves frames out
        self.head.set_property("leaky", 0 if is_file else 2)
        test = config.TEST.fullmatch(uri)
        if test:
            values = dict(part.split("=") for part in (test[2] or "").split("&") if part)
            inner = Gst.parse_bin_from_description(
                "videotestsrc is-live=true name=test ! capsfilter caps=video/x-raw,format=I420,"
                "width={width},height={height},framerate={fps}/1".format(**TEST | values), True)
            Gst.util_set_object_arg(inner.get_by_name("test"), "pattern", test[1])
            inner.get_by_name("test").set_property("num-buffers", int(values.get("frames", -1)))
            source.add(inner)
            pad = inner.get_static_pad("src")
        else:
            pace = Gst.ElementFactory.make("clocksync")
            pace.set_property("sync", is_file and is_paced)
            source.add(pace)
            decoder = sources.add_source(source, uri, pace)
            decoder.connect("source-setup", self.set_up_source)
            decoder.connect("deep-element-added", self.set_up_decoder)
            pad = pace.get_static_pad("src")
        ghost = Gst.GhostPad.new("src", pad)
        ghost.set_active(True)
        source.add_pad(ghost)
        if is_file:
            pace.get_static_pad("sink").set_offset(self.running_time())
        self.pipeline.add(source)
        self.source = source
        ghost.link(self.head.get_static_pad("sink"))
        source.sync_state_with_parent()

    def running_time(self):
        clock = self.pipeline.get_clock()
        return max(0, clock.get_time() - self.pipeline.get_base_time()) if clock else 0

    def disconnect(self):
        if self.source:
            self.remove_source()
            # a source that failed has left the state of the pipeline in doubt
            self.pipeline.set_state(Gst.State.PLAYING)

    def remove_source(self):
        source, self.source, self.decoder = self.source, None, None
        if source:
            # The source of a file may wait for room in the queue, and does not end meanwhile. The
            # queue makes room when its size is set.
            self.head.set_property("leaky", 2)
            self.head.set_property("max-size-buffers", WAITING)
            source.set_state(Gst.State.NULL)
            self.pipeline.remove(source)

    def stop(self):
        # the sinks stop first, so that no source waits for them; this saves the background
        self.pipeline.set_state(Gst.State.NULL)
        self.remove_source()
        for untie, number in self.ties:
            untie(number)
        self.ties = None

    def save_background(self, path):
        """Only if the mode has one; without frames there is none yet."""
        mode = (self.stream["values"] or DEFAULTS)["cca"].get("foreground")
        if mode in settings.COMPARED and self.size:
            self.cca.emit("save-background", path)

    # --- results ----------------------------------------------------------

    def problems(self):
        """(sentence, is it the source's error, may another attempt help) of each error, and
        (sentence, None, True) of each warning of the analysis."""
        while message := self.bus.pop():
            is_error = message.type == Gst.MessageType.ERROR
            if not is_error and message.type != Gst.MessageType.WARNING:
                continue
            if not message.src.has_as_ancestor(self.pipeline):
                continue                # of a source that was replaced
            source = self.source
            inside = bool(source and message.src.has_as_ancestor(source))
            error = (message.parse_error if is_error else message.parse_warning)()[0]
            if is_error:
                yield error.message.rstrip("."), inside, sources.may_return(error)
            elif not inside:
                yield error.message.rstrip("."), None, True

    def pull(self):
        """The lines of ccajson that wait, or as many of them as one stream may have at a time."""
        for _ in range(TOGETHER):
            sample = self.lines.try_pull_sample(0)
            if not sample:
                return
            buffer = sample.get_buffer()
            yield buffer.extract_dup(0, buffer.get_size())

    def is_empty(self):
        return self.head.get_property("current-level-buffers") == 0

    def stats(self):
        return tuple(part.get_property("stats")
                     for part in (self.cca, self.ccatrack, self.ccaactivity))

    def describe(self):
        """The decoder, and the memory of the frames that it gives and that are analysed."""
        decoder = self.decoder
        caps = self.cca.get_static_pad("sink").get_current_caps()
        return {"decoder": decoder.get_factory().get_name() if decoder else None,
                "decoded_in": self.decoded_in, "analysed_in": memory_of(caps) if caps else None}

    def list_components(self, wanted):
        self.json.set_property("max-components", 65536 if wanted else 0)

    def show(self, wanted):
        self.valve.set_property("drop", not wanted)

    def set_values(self, stream, table):
        """Returns whether the pipeline has to be made again for them."""
        old, new = self.stream, stream
        if bool(old["values"]) != bool(new["values"]):
            return True
        for part in settings.ELEMENTS:
            before, after = ((s["values"] or DEFAULTS)[part] for s in (old, new))
            for name in before.keys() | after.keys():
                known = table.properties[part][name]
                value = after.get(name, known.default)
                if before.get(name, known.default) != value:
                    if not known.live:
                        return True
                    settings.apply(getattr(self, part), {name: value})
        for name in old["activity"].keys() | new["activity"].keys():
            value = new["activity"].get(name, table.activity[name].default)
            settings.apply(self.ccaactivity, {name: value})
        self.stream = stream
        if self.size:
            self.misfit = None
            self.resize(*self.size)
        return False

    # --- the time that decoding takes -------------------------------------

    def measure_decoding(self):
        """Of the next frame, from its way into the decoder to its way out. The functions of the
        probes hold no element: a locked pad frees them, and to free its element locks it again."""
        decoder = self.decoder
        if decoder and self.decoding is None:
            self.decoding = ()
            decoder.get_static_pad("sink").add_probe(Gst.PadProbeType.BUFFER, self.goes_in)

    def goes_in(self, pad, info):
        pts = info.get_buffer().pts
        if pts == Gst.CLOCK_TIME_NONE:
            self.decoding = None
        else:
            self.decoding = pts, time.monotonic()
            pad.get_parent_element().get_static_pad("src").add_probe(
                Gst.PadProbeType.BUFFER, self.comes_out)
        return Gst.PadProbeReturn.REMOVE

    def comes_out(self, _pad, info):
        if self.decoding:
            pts, began = self.decoding
            found = info.get_buffer().pts
            if found < pts:
                return Gst.PadProbeReturn.OK
            if found == pts:
                self.decode_time = time.monotonic() - began
        self.decoding = None
        return Gst.PadProbeReturn.REMOVE


def memory_of(caps):
    return caps.get_features(0).to_string().removeprefix("memory:")


NUMBER = re.compile(rb'"track":(\d+)')


def shift_tracks(line, base):
    return NUMBER.sub(lambda found: b'"track":%d' % (int(found[1]) + base), line)
