#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: peers.py POINT...

What others' libraries for Python take, those that are installed:

    PEER/SIZE/CONNECTIVITY/CONTENT                    scikit-image, scipy, cupy
    opencv-python/THREADS/SIZE/CONNECTIVITY/CONTENT

From an 8-bit image, which cupy has on the GPU, to labels and their number; of OpenCV boxes,
areas and centroids, too. CONTENT is g1, g4, g16, full or empty, as of bench-engine. For each
image the median of 5, or 1 where that takes long. The labels of each image are compared,
pixel by pixel, with those of another library: "same" says which.
"""

import json
import os
import sys
import time

try:
    import numpy
except ImportError:
    numpy = None

SIZES = {"1080p": (1920, 1080), "4k": (3840, 2160), "8k": (7680, 4320)}
LONG = 0.2  # seconds


class Skipped(Exception):
    """It cannot be measured here."""


class Peer:
    """A library: `label (mask)` gives labels and their number."""
    gives = "labels, count"

    version = None
    arrays = numpy  # the module of what it takes and gives

    def finish(self):
        """Waits until all work is done."""


class ScikitImage(Peer):
    def __init__(self, connectivity):
        import skimage  # pylint: disable=import-outside-toplevel
        from skimage import measure  # pylint: disable=import-outside-toplevel
        self.version, self.measure = skimage.__version__, measure
        self.connectivity = 1 if connectivity == 4 else 2

    def label(self, image):
        return self.measure.label(image > 128, return_num=True, connectivity=self.connectivity)


class Scipy(Peer):
    def __init__(self, connectivity):
        import scipy  # pylint: disable=import-outside-toplevel
        from scipy import ndimage  # pylint: disable=import-outside-toplevel
        self.version, self.ndimage = scipy.__version__, ndimage
        self.structure = None if connectivity == 4 else numpy.ones((3, 3), int)

    def label(self, image):
        return self.ndimage.label(image > 128, self.structure)


class Cupy(Peer):
    def __init__(self, connectivity):
        import cupy  # pylint: disable=import-outside-toplevel
        from cupyx.scipy import ndimage  # pylint: disable=import-outside-toplevel
        try:
            cupy.cuda.runtime.getDeviceCount()
        except cupy.cuda.runtime.CUDARuntimeError as error:
            raise Skipped("there is no GPU") from error
        self.version, self.arrays, self.ndimage = cupy.__version__, cupy, ndimage
        self.structure = None if connectivity == 4 else numpy.ones((3, 3), int)

    def label(self, image):
        return self.ndimage.label(image > 128, self.structure)

    def finish(self):
        self.arrays.cuda.runtime.deviceSynchronize()


class OpenCV(Peer):
    gives = "labels, count, boxes, areas, centroids"

    def __init__(self, connectivity, threads=None):
        import cv2  # pylint: disable=import-outside-toplevel
        cv2.setNumThreads(threads or len(os.sched_getaffinity(0)))
        self.version, self.cv2, self.connectivity = cv2.__version__, cv2, connectivity

    def label(self, image):
        _, mask = self.cv2.threshold(image, 128, 255, self.cv2.THRESH_BINARY)
        n, labels, _, _ = self.cv2.connectedComponentsWithStats(
            mask, connectivity=self.connectivity, ltype=self.cv2.CV_32S)
        return labels, n - 1


PEERS = {"scikit-image": ScikitImage, "scipy": Scipy, "cupy": Cupy, "opencv-python": OpenCV}


def make(name, connectivity, *threads):
    try:
        return PEERS[name](connectivity, *threads)
    except ImportError:
        raise Skipped(f"{name} is not installed") from None


def other_than(name, connectivity):
    """Name and object of another library, or None."""
    for other in ("opencv-python", "scipy", "scikit-image"):
        if other != name:
            try:
                return other, make(other, connectivity)
            except Skipped:
                pass
    return None, None


def same_partition(arrays, labels, n, others, n_others):
    """Whether two pictures of labels, 0 for none, are of the same sets of pixels."""
    others = arrays.asarray(others)
    if n != n_others or ((labels > 0) != (others > 0)).any():
        return False
    table = arrays.zeros(n + 1, arrays.int32)
    table[labels.ravel()] = others.ravel()
    return bool((table[labels] == others).all()) and len(arrays.unique(table)) == n + 1


def noise(width, height, g):
    """A number from 0 to 99 for each pixel, the same in blocks."""
    random = numpy.random.RandomState(42 + g)
    blocks = random.randint(0, 100, ((height - 1) // g + 1, (width - 1) // g + 1)).astype("uint8")
    return blocks.repeat(g, 0).repeat(g, 1)[:height, :width]


def images(width, height, content):
    if content in ("full", "empty"):
        yield numpy.full((height, width), 255 if content == "full" else 0, "uint8")
        return
    numbers = noise(width, height, int(content[1:]))
    for density in range(0, 101, 5):
        yield numpy.where(numbers < density, 255, 0).astype("uint8")


def seconds(peer, image):
    begin = time.perf_counter()
    peer.label(image)
    peer.finish()
    return time.perf_counter() - begin


def measure(peer, other, width, height, content):
    """Mean and most of the images' microseconds; False if the labels are not the other's."""
    times = []
    for picture in images(width, height, content):
        image = peer.arrays.asarray(picture)
        labels, n = peer.label(image)
        if other and not same_partition(peer.arrays, labels, int(n), *other.label(picture)):
            return False
        first = seconds(peer, image)
        times.append(first if first > LONG else sorted(seconds(peer, image) for _ in range(5))[2])
    return sum(times) / len(times) * 1e6, max(times) * 1e6


def parse(name):
    """Peer, its threads if it has them, width, height, connectivity, content."""
    peer, *words = name.split("/")
    threads = [int(words.pop(0))] if peer == "opencv-python" else []
    size, connectivity, content = words
    width, height = SIZES.get(size) or map(int, size.split("x"))
    if peer not in PEERS or connectivity not in ("4", "8") or \
            content not in ("g1", "g4", "g16", "full", "empty"):
        raise ValueError
    return peer, threads, width, height, int(connectivity), content


def point(name):
    try:
        peer_name, threads, width, height, connectivity, content = parse(name)
    except ValueError:
        return {"point": name, "failed": "there is no such point"}
    try:
        if numpy is None:
            raise Skipped("numpy is not installed")
        peer = make(peer_name, connectivity, *threads)
    except Skipped as why:
        return {"point": name, "skipped": str(why)}
    other_name, other = other_than(peer_name, connectivity)
    found = measure(peer, other, width, height, content)
    if not found:
        return {"point": name, "failed": f"its labels are not those of {other_name}"}
    mean, worst = found
    return {"point": name, "us": round(mean, 2), "worst_us": round(worst, 2),
            "gpix_s": round(width * height / mean / 1e3, 4), "gives": peer.gives,
            "version": peer.version,
            "same": f"as the labels of {other_name}" if other else "not compared"}


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    points = map(point, sys.argv[1:])
    failed = False
    for values in points:
        print(json.dumps(values), flush=True)
        failed = failed or "failed" in values
    sys.exit(failed)
