#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Scores what the foreground modes of cca find in a clip against true boxes, beside
OpenCV's models of a background (MOG2 and KNN, without shadows, default history) with
the same opening, closing, connectivity and least area. Without --clip the clip is
a scene of scene.py."""

import argparse
import json
import os
import pathlib
import sys

import clips
from clips import Failure, Progress
from match import Score

HERE = pathlib.Path(__file__).resolve().parent

# The modes, each with what else it needs.
ROWS = {
    "bright": "threshold=150",
    "dark": "threshold=60 invert=true",
    "otsu-bright": "foreground=otsu",
    "otsu-dark": "foreground=otsu invert=true",
    "difference": "foreground=difference",
    "sigma-delta": "foreground=sigma-delta",
    "absorb-after": "foreground=sigma-delta absorb-after=1000",
}
MODELS = {"MOG2": "mog2", "KNN": "knn"}

# Bars of each clip with the default options; see expected.json.
EXPECTED = json.loads((HERE / "expected.json").read_text(encoding="ascii"))


def parse():
    parser = argparse.ArgumentParser(
        prog="tests/quality/run", description=__doc__,
        epilog="A true box and a found one make a pair if the intersection is at least --overlap "
               "of the union; no box is in two pairs. Centres: true boxes whose middle lies in a "
               "found one, and components whose centroid lies in a true one. Exit status: 0 done, "
               "1 it failed or less was reached than --check demands, 2 bad options.")
    clips.add_options(parser)
    parser.add_argument("--row", action="append", default=[], metavar="NAME=PROPERTIES",
                        help="also score cca with these properties, such as "
                             "--row 'slow=foreground=sigma-delta background-period=16'")
    parser.add_argument("--only", metavar="NAMES", help="only these rows and those of "
                        "--row, with commas between: " + ",".join([*ROWS, *MODELS]))
    parser.add_argument("--peer", metavar="PROGRAM", default=os.environ.get("CCA_QUALITY_PEER"),
                        help="the built quality-peer; without it OpenCV is left out")
    parser.add_argument("--check", choices=EXPECTED, metavar="NAME",
                        help="fail where less is reached than expected.json has for "
                             "NAME: " + ", ".join(EXPECTED))
    options = parser.parse_args()
    clips.check_options(parser, options)
    return options


def measure(name, frames, truth, options, progress):
    """One row of the table. Components and their area are those of all frames."""
    score, components, area, number = Score(options.overlap), 0, 0, -1
    for number, found in enumerate(frames):
        if progress:
            progress.tick()
        components += len(found)
        area += int(sum(c[4] for c in found))
        if number >= options.first:
            score.add([c[:4] for c in found], [c[5:] for c in found],
                      [box for _, box in truth.get(number, ())])
    if number < options.first:
        raise Failure(f"{name}: the clip has {number + 1} frames, and counts from {options.first}")
    return {"name": name, "frames": number + 1, "components": components, "area": area,
            **score.result()}


def table(source, truth, options):
    """Yields a row as soon as it is known."""
    import video                # GStreamer only where it is needed
    video.Gst.init(None)
    given = {}
    for name, properties in (row.split("=", 1) for row in options.row):
        if name in {*ROWS, *given, *MODELS}:
            raise Failure(f"there is a row {name} already, give --row another name")
        given[name] = properties
    if options.only:
        wanted = options.only.split(",")
        wanted += [name for name in given if name not in wanted]
    else:
        wanted = [*ROWS, *given, *MODELS]
    unknown = set(wanted) - {*ROWS, *given, *MODELS}
    if unknown:
        raise Failure(f"there is no row {', '.join(sorted(unknown))}")
    shape = clips.shape(options)
    try:
        for name in wanted:
            progress = Progress(name)
            if name not in MODELS:
                frames = video.with_cca(source, {**ROWS, **given}[name] + " "
                                        + clips.properties(shape))
                yield measure(name, frames, truth, options, progress)
            elif options.peer:
                numbers = [str(value) for _, value in shape]
                frames = video.with_opencv(source, options.peer, [MODELS[name], *numbers],
                                           progress.tick)
                yield measure(name, frames, truth, options, None)
            else:
                print(f"quality: {name} is left out: OpenCV's models are not built in",
                      file=sys.stderr)
    except video.Failure as error:
        raise Failure(f"{name}: {error}") from None


def shortfalls(rows, expected):
    """Sentences on what differs from what is expected."""
    rows = {row["name"]: row for row in rows}
    for name, values in expected.items():
        for key, value in values.items():
            if name not in rows:
                yield f"{name} is not in the table"
            elif key == "f" and rows[name]["f"] < value:
                yield f"{name}: F is {rows[name]['f']:.3f} and must be {value} or more"
            elif key != "f" and rows[name][key] != value:
                yield f"{name}: {key} is {rows[name][key]} and must be {value}"


def main():
    options = parse()
    return clips.report(
        options, table,
        "                 R      P      F    centre R  centre P  components      area",
        lambda row: f"{row['name']:<13} {row['recall']:6.3f} {row['precision']:6.3f} "
                    f"{row['f']:6.3f}    {row['centre_recall']:6.3f}    "
                    f"{row['centre_precision']:6.3f}  {row['components']:10} {row['area']:9}",
        lambda rows: shortfalls(rows, EXPECTED[options.check]))


if __name__ == "__main__":
    clips.run(main)
