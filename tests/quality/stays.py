#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Scores the stays that ccatrack reports in random zones, for what cca
foreground=sigma-delta finds in a clip, against those of the feet of the true boxes.
Without --clip the clip is that of scene.py."""

import argparse
import json
import math
import pathlib
import random
import statistics
import sys

import clips
from clips import Failure, Progress

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tracking"))
from rule import Zone, anchor

# Bars of each clip with the default options, by seed.
EXPECTED = json.loads((HERE / "expected-stays.json").read_text(encoding="ascii"))
SECONDS, OVERLAP, GAP = 2, 0.3, 10


def parse():
    parser = argparse.ArgumentParser(
        prog="tests/quality/run stays", description=__doc__,
        epilog=f"Only stays of more than {SECONDS} s count. One is right if it has {OVERLAP} of "
               "the union in common with a true one. Dwell is the median and the mean of the "
               "error of right stays in seconds, occupancy the sum of the differences of the "
               "objects inside in parts of the true ones. Exit status: 0 done, 1 it failed or is "
               "worse than --check allows, 2 bad options.")
    clips.add_options(parser)
    parser.set_defaults(first=0)
    parser.add_argument("--zones", type=int, default=12, metavar="N",
                        help="random zones with at least 3 true stays (default 12)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the zones (default 1)")
    parser.add_argument("--row", action="append", default=[], metavar="NAME=PROPERTIES",
                        help="also score ccatrack with these properties, such as "
                             "--row 'lost=max-lost=60'")
    parser.add_argument("--check", choices=EXPECTED, metavar="NAME",
                        help="fail where recall or precision is less, or the error of the dwell or "
                             "the occupancy greater, than expected-stays.json has for NAME and the "
                             "seed: " + ", ".join(EXPECTED))
    options = parser.parse_args()
    clips.check_options(parser, options)
    if not 1 <= options.zones <= 64:
        parser.error("--zones is from 1 to 64")
    return options


def true_stays(truth, zone):
    """Pairs of the first frame and the one after the last. A few frames outside, or without
    a box, end no stay."""
    (left, right), (top, bottom) = ((256 * min(side), 256 * max(side))
                                    for side in zip(*zone.points))
    inside = {}
    for frame in sorted(truth):
        for name, box in truth[frame]:
            x, y = anchor("bottom-center", tuple(map(round, box)))
            # most are far away
            if left <= x <= right and top <= y <= bottom and zone.contains((x, y)):
                inside.setdefault(name, []).append(frame)
    stays = []
    for frames in inside.values():
        begin = frames[0]
        for frame, after in zip(frames, frames[1:] + [math.inf]):
            if after - frame > GAP:
                stays.append((begin, frame + 1))
                begin = after
    return stays


def random_zones(options, truth, width, height, rate):
    """Pentagons with their true stays."""
    rng, zones = random.Random(options.seed), []
    for _ in range(1000):
        x, y = rng.randrange(width), rng.randrange(height)
        angles = sorted(rng.uniform(0, math.tau) for _ in range(5))
        corners = [(x + round(r * math.cos(a)), y + round(r * math.sin(a)))
                   for a in angles for r in [rng.uniform(height / 6, height / 3)]]
        if len(set(corners)) < len(corners):
            continue
        zone = Zone(f"z{len(zones)}", *corners)
        stays = true_stays(truth, zone)
        if len(long_ones(stays, rate)) >= 3:
            zones.append((zone, stays))
        if len(zones) == options.zones:
            return zones
    raise Failure(f"only {len(zones)} of {options.zones} random zones have 3 true stays")


def long_ones(stays, rate):
    return [(begin, end) for begin, end in stays if end - begin > SECONDS * rate]


def matched(found, true):
    """Pairs, one to one, the greatest overlap first."""
    overlaps = []
    for a in found:
        for b in true:
            common = min(a[1], b[1]) - max(a[0], b[0])
            if common > 0:
                overlaps.append((common / (max(a[1], b[1]) - min(a[0], b[0])), a, b))
    pairs, found, true = [], list(found), list(true)
    for overlap, a, b in sorted(overlaps, reverse=True):
        if overlap >= OVERLAP and a in found and b in true:
            found.remove(a)
            true.remove(b)
            pairs.append((a, b))
    return pairs


def occupancy(stays, frames):
    """The number of objects inside in each frame."""
    return [sum(begin <= frame < end for begin, end in stays) for frame in range(frames)]


def score(name, zones, reported, rate, first):
    """One row of the table. `reported` are triples of a zone's number, the first frame and
    the one after the last."""
    n_true = n_found = wrong = occupied = 0
    errors = []
    for number, (_, stays) in enumerate(zones):
        mine = [stay[1:] for stay in reported if stay[0] == number and stay[2] > first]
        stays = [stay for stay in stays if stay[1] > first]
        end = max((stay[1] for stay in mine + stays), default=0)
        now, then = occupancy(mine, end), occupancy(stays, end)
        wrong += sum(abs(a - b) for a, b in zip(now, then))
        occupied += sum(then)
        mine, stays = long_ones(mine, rate), long_ones(stays, rate)
        n_true, n_found = n_true + len(stays), n_found + len(mine)
        errors += [abs(a[1] - a[0] - b[1] + b[0]) / rate for a, b in matched(mine, stays)]
    return {"name": name, "true": n_true, "reported": n_found,
            "recall": len(errors) / max(1, n_true), "precision": len(errors) / max(1, n_found),
            "dwell": statistics.median(errors or [0]), "mean": statistics.fmean(errors or [0]),
            "occupancy": wrong / max(1, occupied)}


def table(source, truth, options):
    """Yields a row as soon as it is known."""
    import video                # GStreamer only where it is needed
    video.Gst.init(None)
    analysed = (f"{source} ! cca foreground=sigma-delta max-components=65536 meta-types=cca "
                + clips.properties(clips.shape(options)))
    name = "zones"
    try:
        width, height, rate = video.size_and_rate(source)
        zones = random_zones(options, truth, width, height, rate)
        for row in "ccatrack=", "at once=", *options.row:
            name, properties = row.split("=", 1)
            fields = ",enter-frames=1,leave-frames=1" if name == "at once" else ""
            reported = video.stays(f"{analysed} ! ccatrack {properties} meta-types=cca",
                                   [zone.points for zone, _ in zones], fields,
                                   Progress(name).tick)
            yield score(name, zones, reported, rate, options.first)
    except video.Failure as error:
        raise Failure(f"{name}: {error}") from None


def shortfalls(rows, options):
    """A sentence for each figure that is worse than expected."""
    expected = EXPECTED[options.check].get(str(options.seed))
    if expected is None:
        yield f"nothing is expected of {options.check} with the seed {options.seed}"
        return
    for key, limit in expected.items():
        value = rows[0][key]
        if value < limit if key in ("recall", "precision") else value > limit:
            yield f"ccatrack: {key} is {value:.3f} and must be {limit} or better"


def main():
    options = parse()
    return clips.report(
        options, table,
        "                true reported recall precision  dwell   mean occupancy",
        lambda row: f"{row['name']:<14} {row['true']:5} {row['reported']:8} {row['recall']:6.3f} "
                    f"{row['precision']:9.3f} {row['dwell']:6.2f} {row['mean']:6.2f} "
                    f"{row['occupancy']:9.3f}",
        lambda rows: shortfalls(rows, options))


if __name__ == "__main__":
    clips.run(main)
