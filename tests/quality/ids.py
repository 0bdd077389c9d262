#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Scores the ids that ccatrack gives to what cca foreground=sigma-delta finds in a clip
against true ones, beside GStreamer's ioutracker (from 1.28). Without --clip the clip
is that of scene.py."""

import argparse
import json
import pathlib
import sys

import clips
from clips import Failure, Progress
from identity import IdScore

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tracking"))
from rule import Tracker

# Bars of each clip with the default options: at least so much of the scores, and
# exactly the rest.
EXPECTED = json.loads((HERE / "expected-ids.json").read_text(encoding="ascii"))
SCORES = "mota", "idf1"


def parse():
    parser = argparse.ArgumentParser(
        prog="tests/quality/run ids", description=__doc__,
        epilog="A true box and a found one may make a pair if the intersection is at least "
               "--overlap of the union. What has no id does not count. MOTA, IDF1 and switches "
               "are those of py-motmetrics. Exit status: 0 done, 1 it failed or less was reached "
               "than --check demands, 2 bad options.")
    clips.add_options(parser)
    parser.add_argument("--row", action="append", default=[], metavar="NAME=PROPERTIES",
                        help="also score ccatrack with these properties, such as "
                             "--row 'patient=max-lost=30'")
    parser.add_argument("--check", choices=EXPECTED, metavar="NAME",
                        help="fail where less is reached than expected-ids.json has for "
                             "NAME: " + ", ".join(EXPECTED))
    options = parser.parse_args()
    clips.check_options(parser, options)
    return options


def by_rule(name, frames):
    """The same frames, if their ids are those of the rule."""
    tracker = Tracker()
    for number, (size, records) in enumerate(frames):
        given, right = [r[0] for r in records], tracker.frame([r[1] for r in records], size)
        if given != right:
            raise Failure(f"{name}: frame {number} has the ids {given}, by the rule {right}")
        yield size, records


def measure(name, frames, truth, options):
    """One row of the table. Records are those of all frames that have an id."""
    progress, score = Progress(name), IdScore(options.overlap)
    given, records, area_by_id, ids_of_frame = set(), 0, 0, []
    for number, (_, found) in enumerate(frames):
        progress.tick()
        ids_of_frame.append([i for i, _, _ in found])
        named = {i: box for i, box, _ in found if i >= 0}
        given |= named.keys()
        records += len(named)
        area_by_id += sum(i * area for i, _, area in found if i >= 0)
        if number >= options.first:
            true = truth.get(number, [])
            if len(dict(true)) < len(true):
                raise Failure(f"the true boxes of frame {number + 1} have an id twice")
            score.add(named, dict(true))
    if len(ids_of_frame) <= options.first:
        raise Failure(f"{name}: the clip has {len(ids_of_frame)} frames, "
                      f"and counts from {options.first}")
    return {"name": name, **score.result(), "given": len(given), "records": records,
            "area_by_id": area_by_id, "ids_of_frame": ids_of_frame}


def table(source, truth, options):
    """Yields a row as soon as it is known."""
    import video                # GStreamer only where it is needed
    video.Gst.init(None)
    analysed = (f"{source} ! cca foreground=sigma-delta max-components=65536 "
                + clips.properties(clips.shape(options)))
    name = "ccatrack"
    try:
        frames = video.with_ids(f"{analysed} meta-types=cca ! ccatrack")
        yield measure(name, by_rule(name, frames), truth, options)
        for row in options.row:
            name, properties = row.split("=", 1)
            frames = video.with_ids(f"{analysed} meta-types=cca ! ccatrack {properties}")
            yield measure(name, frames, truth, options)
        name = "ioutracker"
        if video.Gst.ElementFactory.find(name):
            frames = video.with_tracking(f"{analysed} meta-types=cca+analytics ! {name}")
            yield measure(name, frames, truth, options)
        else:
            print(f"quality: {name} is left out: this GStreamer, {video.Gst.version_string()}, "
                  "does not have it", file=sys.stderr)
    except video.Failure as error:
        raise Failure(f"{name}: {error}") from None


def shortfalls(rows, expected):
    """Sentences on what differs from what is expected."""
    rows = {row["name"]: row for row in rows}
    for name, values in expected.items():
        row = rows[name]
        for key, value in values.items():
            if key in SCORES:
                if row[key] < value:
                    yield f"{name}: {key} is {row[key]:.3f} and must be {value} or more"
            elif key == "ids_of_frame":
                for frame, ids in value.items():
                    if row[key][int(frame)] != ids:
                        yield (f"{name}: frame {frame} has the ids {row[key][int(frame)]} "
                               f"and must have {ids}")
            elif row[key] != value:
                yield f"{name}: {key} is {row[key]} and must be {value}"


def main():
    options = parse()
    return clips.report(
        options, table, "                MOTA   IDF1  switches  misses   false   ids  records",
        lambda row: f"{row['name']:<13} {row['mota']:6.3f} {row['idf1']:6.3f} "
                    f"{row['switches']:9} {row['misses']:7} {row['false']:7} {row['given']:5} "
                    f"{row['records']:8}",
        lambda rows: shortfalls(rows, EXPECTED[options.check]), hidden=["ids_of_frame"])


if __name__ == "__main__":
    clips.run(main)
