#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Scores the crossings that ccatrack counts at random lines, for what cca
foreground=sigma-delta finds in a clip, against those of the true boxes. Without --clip
the clip is that of scene.py."""

import argparse
import json
import pathlib
import random
import sys

import clips
from clips import Failure, Progress

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tracking"))
from rule import BARE, anchor, crossings, touches

# The greatest error that a clip may have with the default options, by seed.
EXPECTED = json.loads((HERE / "expected-counts.json").read_text(encoding="ascii"))
DIRECTIONS = "to-left", "to-right"


def parse():
    parser = argparse.ArgumentParser(
        prog="tests/quality/run counts", description=__doc__,
        epilog="The error is the sum of the differences of the counted and the true number, of "
               "each line and direction, in parts of the true number. Recall and precision are "
               "those of crossings within a second. Exit status: 0 done, 1 it failed or the "
               "error is greater than --check allows, 2 bad options.")
    clips.add_options(parser)
    parser.set_defaults(first=0)
    parser.add_argument("--lines", type=int, default=24, metavar="N",
                        help="random lines with at least 3 true crossings (default 24)")
    parser.add_argument("--line", action="append", default=[], metavar="X1,Y1,X2,Y2",
                        type=lambda text: tuple(map(int, text.split(","))),
                        help="a line instead of random ones; may be repeated")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the lines (default 1)")
    parser.add_argument("--row", action="append", default=[], metavar="NAME=PROPERTIES",
                        help="also score ccatrack with these properties, such as "
                             "--row 'slow=settle-frames=5'")
    parser.add_argument("--check", choices=EXPECTED, metavar="NAME",
                        help="fail where the error is greater than expected-counts.json has for "
                             "NAME and the seed: " + ", ".join(EXPECTED))
    options = parser.parse_args()
    clips.check_options(parser, options)
    if not 1 <= options.lines <= 64:
        parser.error("--lines is from 1 to 64")
    if any(len(line) != 4 or line[:2] == line[2:] for line in options.line):
        parser.error("--line takes the two ends of a line: X1,Y1,X2,Y2")
    return options


def true_ways(truth):
    """For each true id its pairs of a frame and a box in whole pixels."""
    ways = {}
    for frame in sorted(truth):
        for name, box in truth[frame]:
            ways.setdefault(name, []).append((frame, tuple(round(side) for side in box)))
    return ways


def true_crossings(ways, line):
    """Pairs of a frame and a direction. True boxes tremble a little, too: crossings of a box
    that is not yet clear of the line by a fifth of its size are one, also at the end."""
    found = []
    for way in ways.values():
        net, before = 0, None
        for frame, box in way:
            at = anchor("center", box)
            step = crossings(line, before, at) if before else 0
            if step:
                net, when = net + step, frame
            if net and not touches(line, at, box, 20, 0):
                found.append((when, DIRECTIONS[net > 0]))
                net = 0
            before = at
        if net:
            found.append((when, DIRECTIONS[net > 0]))
    return found


def given_lines(options, ways):
    """Those of --line, with their true crossings."""
    lines = ((line[:2], line[2:]) for line in options.line)
    return [(line, true_crossings(ways, line)) for line in lines]


def random_lines(options, ways, width, height):
    """Lines that cross a good part of the picture, with their true crossings."""
    rng, lines = random.Random(options.seed), []
    for _ in range(10000):
        line = tuple((rng.randrange(width // 16, width - width // 16),
                      rng.randrange(height // 16, height - height // 16)) for _ in range(2))
        length = ((line[0][0] - line[1][0]) ** 2 + (line[0][1] - line[1][1]) ** 2) ** 0.5
        if height / 4 <= length <= width:
            found = true_crossings(ways, line)
            if len(found) >= 3:
                lines.append((line, found))
        if len(lines) == options.lines:
            return lines
    raise Failure(f"only {len(lines)} of {options.lines} random lines have 3 true crossings")


def matched(found, true, second):
    """The most pairs of frames within a second."""
    found, pairs = sorted(found), 0
    for frame in sorted(true):
        while found and found[0] < frame - second:
            found.pop(0)
        if found and found[0] <= frame + second:
            found.pop(0)
            pairs += 1
    return pairs


def score(name, lines, counted, second, first):
    """One row of the table. `counted` are triples of a line's number, a frame and a
    direction."""
    n_true = n_counted = error = pairs = 0
    for number, (_, found) in enumerate(lines):
        for direction in DIRECTIONS:
            true = [frame for frame, way in found if way == direction and frame >= first]
            mine = [frame for line, frame, way in counted
                    if (line, way) == (number, direction) and frame >= first]
            n_true, n_counted = n_true + len(true), n_counted + len(mine)
            error += abs(len(true) - len(mine))
            pairs += matched(mine, true, second)
    return {"name": name, "true": n_true, "counted": n_counted, "error": error / max(1, n_true),
            "recall": pairs / max(1, n_true), "precision": pairs / max(1, n_counted)}


def table(source, truth, options):
    """Yields a row as soon as it is known."""
    import video                # GStreamer only where it is needed
    video.Gst.init(None)
    analysed = (f"{source} ! cca foreground=sigma-delta max-components=65536 meta-types=cca "
                + clips.properties(clips.shape(options)))
    name = "lines"
    try:
        width, height, rate = video.size_and_rate(source)
        ways = true_ways(truth)
        lines = given_lines(options, ways) or random_lines(options, ways, width, height)
        for row in "ccatrack=", f"sides={clips.properties(BARE.items())}", *options.row:
            name, properties = row.split("=", 1)
            counted = video.crossings(f"{analysed} ! ccatrack {properties} meta-types=cca",
                                      [line for line, _ in lines], Progress(name).tick)
            yield score(name, lines, counted, rate, options.first)
    except video.Failure as error:
        raise Failure(f"{name}: {error}") from None


def shortfalls(rows, options):
    """A sentence if the error is too great."""
    most = EXPECTED[options.check].get(str(options.seed))
    if most is None:
        yield f"nothing is expected of {options.check} with the seed {options.seed}"
    elif rows[0]["error"] > most:
        yield f"ccatrack: the error is {rows[0]['error']:.3f} and must be {most} or less"


def main():
    options = parse()
    return clips.report(
        options, table, "                true counted  error recall precision",
        lambda row: f"{row['name']:<14} {row['true']:5} {row['counted']:7} {row['error']:6.3f} "
                    f"{row['recall']:6.3f} {row['precision']:9.3f}",
        lambda rows: shortfalls(rows, options))


if __name__ == "__main__":
    clips.run(main)
