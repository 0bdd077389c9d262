# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The clip that is scored and its true boxes: options, files, progress."""

import json
import pathlib
import sys
import tempfile
import time

import scene


class Failure(Exception):
    """One sentence on what is wrong."""


def add_options(parser):
    parser.add_argument("--clip", metavar="VIDEO", help="a video file")
    parser.add_argument("--truth", metavar="FILE", help="its boxes, as of the MOT challenge: "
                        "frame from 1, id, x, y, width, height, …, all of which count; default: "
                        "VIDEO without its suffix and with -gt.txt")
    parser.add_argument("--scene", choices=scene.SCENES, default="yard", help="without --clip, "
                        "the scene of scene.py (default yard)")
    parser.add_argument("--scale", type=float, default=1, metavar="S",
                        help="pixels of the video in one of the boxes (default 1)")
    parser.add_argument("--first", type=int, default=50, metavar="N",
                        help="first frame that counts, from 0 (default 50)")
    parser.add_argument("--overlap", type=float, default=0.3, metavar="PART",
                        help="of a pair, more than 0 (default 0.3)")
    parser.add_argument("--open-radius", type=int, default=1, metavar="R")
    parser.add_argument("--close-radius", type=int, default=1, metavar="R")
    parser.add_argument("--min-area", type=int, default=120, metavar="N")
    parser.add_argument("--connectivity", type=int, choices=(4, 8), default=8)
    parser.add_argument("--json", metavar="FILE", help="write the table there, too")


def check_options(parser, options):
    for row in options.row:
        if "=" not in row:
            parser.error(f"--row is NAME=PROPERTIES, not '{row}'")
    if options.overlap <= 0 or options.scale <= 0:
        parser.error("--overlap and --scale must be more than 0")
    if options.truth and not options.clip:
        parser.error("--truth needs --clip")


def read_truth(path, scale):
    """Pairs of an id and a box for each frame that has any, by its number from 0."""
    truth = {}
    try:
        with open(path, encoding="ascii") as file:
            for number, line in enumerate(file, 1):
                fields = line.split(",")
                try:
                    frame, x, y, width, height = int(fields[0]), *map(float, fields[2:6])
                except ValueError:
                    raise Failure(f"{path}, line {number}: not a frame, an id and a box") from None
                box = tuple(scale * side for side in (x, y, width, height))
                truth.setdefault(frame - 1, []).append((fields[1], box))
    except (OSError, UnicodeDecodeError) as error:
        raise Failure(f"{path} cannot be read: {error}") from None
    if not truth:
        raise Failure(f"{path} has no boxes")
    return truth


class Progress:
    """Reports the progress of a row on stderr every two seconds."""

    def __init__(self, name):
        self.name, self.frames, self.reported = name, 0, time.monotonic()

    def tick(self):
        self.frames += 1
        if time.monotonic() - self.reported >= 2:
            self.reported = time.monotonic()
            print(f"quality: {self.name}: {self.frames} frames", file=sys.stderr, flush=True)


def prepare(options, folder):
    """The clip's name, the start of a pipeline that gives it, and its true boxes."""
    if options.clip:
        clip = pathlib.Path(options.clip).resolve()
        truth = options.truth or clip.with_name(f"{clip.stem}-gt.txt")
        if not clip.is_file():
            raise Failure(f"there is no file {options.clip}")
        # what cca takes, videoconvert passes as it is
        source = f"filesrc location={scene.quoted(clip)} ! decodebin ! videoconvert"
    else:
        clip, truth = pathlib.Path(folder) / "scene.gray", pathlib.Path(folder) / "scene-gt.txt"
        scene.write(clip, truth, options.scene)
        source = scene.source(clip)
    return clip.name, source, read_truth(truth, options.scale)


def shape(options):
    """What is common to all rows, as pairs of a property and its value."""
    return [("open-radius", options.open_radius), ("close-radius", options.close_radius),
            ("min-area", options.min_area), ("connectivity", options.connectivity)]


def properties(pairs):
    return " ".join(f"{name}={value}" for name, value in pairs)


def report(options, table, header, line, shortfalls, hidden=()):
    """Prints the rows of table() as soon as they are known, writes --json without the keys
    in `hidden`, and prints the sentences of shortfalls(rows). Returns the exit status."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        clip, source, truth = prepare(options, folder)
        for row in table(source, truth, options):
            if not rows:
                print(header)
            rows.append(row)
            print(line(row), flush=True)
    if options.json:
        with open(options.json, "w", encoding="ascii") as file:
            json.dump({"clip": clip, "rows": [{key: value for key, value in row.items()
                                               if key not in hidden} for row in rows]},
                      file, indent=1)
            file.write("\n")
    wrong = list(shortfalls(rows)) if options.check else []
    for sentence in wrong:
        print(f"quality: {sentence}", file=sys.stderr)
    return 1 if wrong else 0


def run(main):
    try:
        sys.exit(main())
    except (Failure, OSError) as failure:
        sys.exit(f"quality: {failure}")
