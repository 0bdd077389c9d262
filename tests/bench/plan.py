# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Which points are measured, and by which program."""

import pathlib

HERE = pathlib.Path(__file__).resolve().parent

CONTENTS = ["g1", "g4", "g16", "full", "empty"]
SQUARES = [f"{n}x{n}" for n in (256, 512, 1024, 2048, 4096, 8192, 16384)]
FRAMES = ["640x480", "1920x1080", "3840x2160", "7680x4320"]
MODES = ["threshold", "threshold-1-1", "threshold-7-15", "otsu", "difference", "sigma-delta",
         "sigma-delta-due", "sigma-delta-due-1-1", "sigma-delta-votes", "sigma-delta-votes-due",
         "sigma-delta-votes-light", "threshold-regions", "threshold-1-1-regions",
         "threshold-tenth", "threshold-1-1-tenth", "sigma-delta-regions", "sigma-delta-tenth",
         "sigma-delta-due-tenth", "sigma-delta-votes-tenth", "sigma-delta-votes-light-tenth",
         "threshold-area", "threshold-width"]
WORK = ["memcpy", "cca", "cca-sigma-delta", "cca-messages", "label-image", "ccatrack",
        "ccatrack-messages", "ccaexpand", "ccajson", "ccamask-mask", "ccamask-labels",
        "ccamask-colors", "ccaoverlay-boxes", "ccaoverlay-labels", "ccaoverlay-trails",
        "objectdetectionoverlay-boxes", "objectdetectionoverlay-labels", "opencv-boxes",
        "opencv-labels", "opencv-trails"]
WORK_COMPONENTS = [10, 400, 8500]
FEATURES = ["moments", "intensity", "shape", "features"]
STREAMS = [1, 2, 4, 8, 16, 32]
PEERS = ["scikit-image", "scipy", "cupy", "npp", "opencv-python"]


def program(point):
    """The name of the program that measures the point."""
    first = point.split("/")[0]
    if first in ("element", "cca", "decode", "pace"):
        return "bench-element"
    if first == "elements":
        return "bench-elements"
    if first in ("opencv", "opencv-features") or first.split("-")[0] == "cpu":
        return "bench-cpu"
    if first == "npp":
        return "bench-npp"
    if first in PEERS:
        return "bench-peers"
    return "bench-engine"


def engine():
    for size in FRAMES + SQUARES:
        for connectivity in (4, 8):
            yield from (f"{size}/{connectivity}/{content}" for content in CONTENTS)
    for size in ("640x480", "1920x1080", "3840x2160", "8192x8192"):
        for connectivity in (4, 8):
            yield from (f"flsl-cd/{size}/{connectivity}/{content}" for content in CONTENTS)
    yield from ("worst/4", "worst/8", "worst/4/1920x1080", "worst/8/1920x1080")
    for size in ("640x480", "1920x1080", "3840x2160", "8192x8192"):
        for bits in (8, 16):
            yield from (f"foreground/{size}/{bits}/{mode}" for mode in MODES)
    for size in ("640x480", "1080p", "4k", "8k"):
        yield from (f"host/{size}/{content}" for content in ("g1", "g4", "g16"))
    for size in ("1080p", "4k"):
        for objects in (1, 10, 100, 1000):
            yield f"overlay/{size}/{objects}"
            yield f"overlay/{size}/{objects}/trails"


def elements():
    for depth in ("", "/async2"):
        for streams in STREAMS:
            yield f"element/1080p/{streams}{depth}"
            yield f"element/1080p/{streams}/8535{depth}"
            yield f"element/4k/{streams}{depth}"
    for streams in (1, 16):
        yield f"element/1080p/{streams}/loop"
        yield f"element/1080p/{streams}/floor"
    for streams in (2, 16, 32):
        yield f"element/1080p/{streams}/2gpus"
    for streams in (1, 16):
        yield f"element/1080p/{streams}/labels"
        yield f"element/1080p/{streams}/30fps"
        yield f"element/1080p/{streams}/30fps/floor"
    for streams in (1, 16):
        for pace in (f"decode/{streams}", f"pace/1080p/{streams}/30fps"):
            yield from (pace, f"{pace}/sigma-delta")
    yield from ("cca/1080p/1", "cca/1080p/1/8535")


def work():
    for components in WORK_COMPONENTS:
        yield from (f"elements/{name}/{components}" for name in WORK)


def threads(cores):
    """1, 2, 4 and so on, and all."""
    n = 1
    while n < cores:
        yield n
        n *= 2
    yield cores


def cpu(cores):
    for size in ("1080p", "4k"):
        for connectivity in (4, 8):
            for content in CONTENTS:
                where = f"{size}/{connectivity}/{content}"
                yield from (f"cpu/{n}/{where}" for n in threads(cores))
                yield from (f"opencv/{n}/{where}" for n in sorted({1, cores}))


def features():
    for name in FEATURES:
        for size in ("1080p", "8192x8192"):
            yield f"cpu-{name}/1/{size}/8/g16"
            yield from (f"auto-{name}/{size}/{n}/g16" for n in (4, 8))
    yield "cpu/1/8192x8192/8/g16"
    yield "opencv-features/1/1080p/8/g16"


def peers(cores):
    """Large frames only where one does not take seconds."""
    for connectivity in (4, 8):
        for content in CONTENTS:
            where = f"{connectivity}/{content}"
            yield from (f"{peer}/1080p/{where}" for peer in PEERS if peer != "opencv-python")
            yield from (f"opencv-python/{n}/1080p/{where}" for n in sorted({1, cores}))
            yield from (f"{peer}/8192x8192/{where}" for peer in ("cupy", "npp"))


def lines(name):
    text = (HERE / name).read_text(encoding="ascii")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def points(quick, cores):
    """The points of the quick form come first, so that an interrupted run has them."""
    chosen = lines("quick.points")
    if quick:
        chosen += [f"{engine}/{n}/1080p/8/{content}" for content in CONTENTS
                   for engine, n in (("cpu", 1), ("cpu", cores), ("opencv", 1))]
    else:
        for more in (engine(), elements(), work(), cpu(cores), features(), peers(cores)):
            chosen += more
    return list(dict.fromkeys(chosen))
