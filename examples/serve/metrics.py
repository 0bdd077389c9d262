# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""What Prometheus reads, collected when it asks."""

from prometheus_client import (CONTENT_TYPE_LATEST as CONTENT_TYPE,  # noqa: F401
                               CollectorRegistry, GCCollector, PlatformCollector,
                               ProcessCollector, generate_latest as text)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

COUNTERS = {
    "frames": "Analysed frames", "events": "Events: tracks, crossings, stays and activity",
    "reconnects": "Connections that were lost",
    "dropped": "Records that no output could take in time",
    "skipped": "Times that a frame was left out because the analysis was too slow",
    "activities": "Events of activity",
}
GAUGES = {
    "up": ("Whether frames come", lambda each: each.status == "on"),
    "frame_rate": ("Analysed frames in a second", lambda each: each.rate),
    "components": ("Components in the last frame", lambda each: each.counts()["components"]),
    "analysis_seconds": ("Mean time to analyse a frame", lambda each: each.analysis_time / 1e9),
    "analysis_max_seconds": ("Longest time to analyse a frame", lambda each: each.max_time / 1e9),
    "decode_seconds": ("Time from a frame's way into the decoder to its way out",
                       lambda each: each.pipeline and each.pipeline.decode_time),
}
SHAPES = {"line": ("lines", ("to_left", "to_right")), "zone": ("zones", ("entered", "left"))}


class Streams:
    def __init__(self, service):
        self.service = service

    def collect(self):
        streams = list(self.service.streams.values())
        for name, help_text in COUNTERS.items():
            family = CounterMetricFamily(f"cca_{name}", help_text, labels=["stream"])
            for each in streams:
                family.add_metric([each.name], each.totals.number(name))
            yield family
        for name, (help_text, value) in GAUGES.items():
            family = GaugeMetricFamily(f"cca_{name}", help_text, labels=["stream"])
            for each in streams:
                if (now := value(each)) is not None:
                    family.add_metric([each.name], now)
            yield family
        shapes = [(each, each.totals.of_shapes()) for each in streams]
        for label, (kind, keys) in SHAPES.items():
            for key in keys:
                family = CounterMetricFamily(
                    f"cca_{label}_{key}", f"Objects counted as {key.replace('_', ' ')}",
                    labels=["stream", label])
                for each, counted in shapes:
                    for name, shape in counted[kind].items():
                        family.add_metric([each.name, name], shape[key])
                yield family
        inside = GaugeMetricFamily("cca_zone_inside", "Objects in a zone",
                                   labels=["stream", "zone"])
        for each, counted in shapes:
            for name, shape in counted["zones"].items():
                inside.add_metric([each.name, name], shape.get("inside", 0))
        yield inside
        failed = GaugeMetricFamily("cca_state_failed", "Whether the state could not be written")
        failed.add_metric([], bool(self.service.state and self.service.state.error))
        yield failed
        dropped = CounterMetricFamily("cca_output_dropped", "Records that an output has dropped",
                                      labels=["output"])
        for name, output in self.service.outputs.items():
            dropped.add_metric([name], output.dropped)
        yield dropped


def registry(service):
    found = CollectorRegistry()
    for collector in ProcessCollector, PlatformCollector, GCCollector:
        collector(registry=found)
    found.register(Streams(service))
    return found
