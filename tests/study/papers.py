# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""What the papers measure, as points of study-measure."""

PRODUCT = ["product", "product-flsl-cd"]
ICASSP = ["naive", "ha", "ha-otf", "ha-cd", "flsl", "flsl-otf", "flsl-cd"]
DLP = ["dlp", "dlp-set-root"]
LABELS = ["komura", "playne", "playne-tiles", *DLP, "ha4-32", "ha4-64"]
ALL = [*ICASSP, "ha-32", *LABELS, *PRODUCT]
BLOCKS = ["g1", "g4", "g16"]
DENSITIES = range(0, 101, 5)

SIZES = [256, 512, 1024, 2048, 4096, 8192, 16384]
LARGE = 8192       # ICASSP's figures 1, 5 and 7, and its table
MIDDLE = 2048      # COMPAS, figures 5 and 6, at g = 4; the poster
DLP_SIZES = [64, 96, 128, 192, 384, 768, 1536, 3072, 6144]  # more, for its size of half the peak
STEPS_LABELS = LABELS
STEPS_FEATURES = ["naive", "ha-32", "ha"]
COPIED = ["tmk", "ha", "product"]
COPIED_SIZES = [256, 512, 1024, 2048, 4096]
COPIED_FIGURE = [256, 2048]  # all blocks; of other sizes g = 1

QUICK_SIZES = [256, 1024]


def square(size):
    return f"{size}x{size}"


def times(sizes, blocks=BLOCKS, algorithms=ALL):  # pylint: disable=dangerous-default-value
    """Of a size, what makes tables in turn; each of the product's engines makes its own."""
    together = [algorithm for algorithm in algorithms if algorithm not in PRODUCT]
    for size in sizes:
        for g in blocks:
            yield from (f"{algorithm}/{square(size)}/{g}" for algorithm in together)
        for algorithm in PRODUCT:
            if algorithm in algorithms:
                yield from (f"{algorithm}/{square(size)}/{g}" for g in blocks)


def steps(size):
    for g in BLOCKS:
        yield from (f"steps/{algorithm}/{square(size)}/{g}" for algorithm in DLP)
    yield from (f"steps/{algorithm}/{square(size)}/g4"
                for algorithm in STEPS_LABELS + STEPS_FEATURES)


def counts(size):
    yield from (f"count/{algorithm}/{square(size)}/g1" for algorithm in ICASSP)


def copied(sizes):
    for size in sizes:
        for g in BLOCKS if size in COPIED_FIGURE else ["g1"]:
            yield from (f"copied/{algorithm}/{square(size)}/{g}" for algorithm in COPIED)


def tmk(sizes):
    """Its figures 4 to 6."""
    yield from times(sizes, ["g1"], ["tmk"])
    yield from (f"steps/tmk/{square(size)}/g1" for size in sizes)
    yield from copied(sizes)


def points(quick):
    """By size and blocks, for which tables and images are made once. Those that most
    figures need come first, and those that take long last."""
    if quick:
        found = [*times(QUICK_SIZES), *counts(QUICK_SIZES[-1]), *steps(QUICK_SIZES[-1]),
                 *tmk(QUICK_SIZES[:1])]
    else:
        found = [*times([MIDDLE]), *steps(MIDDLE), *times([LARGE]), *counts(LARGE),
                 *times(size for size in SIZES if size < LARGE),
                 *times(DLP_SIZES, algorithms=DLP), *tmk(COPIED_SIZES),
                 *times(SIZES[-1:], algorithms=[*ICASSP, *DLP, *PRODUCT])]
    return list(dict.fromkeys(found))


# Milliseconds at 8192 x 8192, roughly: g = 1, and for others a part of it.
SLOW = {"naive": 22, "ha": 7, "ha-32": 7, "ha-otf": 7, "flsl": 5, "flsl-otf": 5, "dlp": 6,
        "dlp-set-root": 4, "tmk": 20}
PART = {"g1": 1, "g4": 0.4, "g16": 0.25}


def guess(point):
    """Seconds that it takes, roughly."""
    algorithm, size, g = point.split("/")[-3:] if "/g" in point[-4:] else point.split("/")[-4:-1]
    part = 1 if algorithm == "naive" else PART.get(g, 1)
    ms = SLOW.get(algorithm, 2) * part * (int(size.split("x")[0]) / LARGE) ** 2 + 0.05
    return len(DENSITIES) * (2 * ms + min(max(40, 3 * ms), 20 * ms)) / 1e3
