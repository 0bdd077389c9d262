# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The archive that cca-scan writes and cca-find reads: a folder for each video.

ARCHIVE/VIDEO/summary.json        what was analysed, and how; written last
ARCHIVE/VIDEO/components.parquet  a row for each component of each frame (or components.csv)
ARCHIVE/VIDEO/events.jsonl        a line for each event
ARCHIVE/VIDEO/000001.jpg          the frame of an event with most activity
ARCHIVE/failed.jsonl              a line for each video that could not be analysed
ARCHIVE/.part                     folders that are not complete

VIDEO is the path of the video below the folder that was given.
"""

import csv
import errno
import json
import os
import shutil
import socket

CSV, PARQUET = "components.csv", "components.parquet"
SUMMARY, EVENTS, FAILED, PARTS = "summary.json", "events.jsonl", "failed.jsonl", ".part"

# Columns and their types in SQL. Times are in ns: pts since the start of the video, utc since
# 1970. Coordinates are pixels of the analysed picture, whose size is the last two columns.
TYPES = {
    "file": "VARCHAR", "frame": "BIGINT", "pts": "BIGINT", "utc": "BIGINT", "id": "BIGINT",
    "track": "BIGINT", "x": "INTEGER", "y": "INTEGER", "w": "INTEGER", "h": "INTEGER",
    "area": "BIGINT", "cx": "DOUBLE", "cy": "DOUBLE", "picture_w": "INTEGER",
    "picture_h": "INTEGER",
}
COLUMNS = tuple(TYPES)


class Missing(Exception):
    """DuckDB is not installed."""


def duckdb():
    try:
        import duckdb as module
    except ImportError as error:
        raise Missing("DuckDB for Python is missing: pip install duckdb") from error
    connection = module.connect()
    # with several threads the order of the rows would vary
    connection.execute("SET threads = 1")
    return connection


def quote(text):
    return "'" + text.replace("'", "''") + "'"


def is_full(error):
    return error.errno in (errno.ENOSPC, errno.EDQUOT)


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as f:
        json.dump(value, f, indent=1)
        f.write("\n")
        f.flush()
        os.fsync(f.fileno())


def write_events(folder, events, start):
    """`start` is the Unix time of the first frame in ns, or None."""
    def complete(event):
        for part in (event, *(v for v in event.values() if isinstance(v, dict))):
            if part.get("utc", 0) is None and start is not None \
                    and part.get("stream_time") is not None:
                part["utc"] = start + part["stream_time"]
        return event

    with open(os.path.join(folder, EVENTS), "w", encoding="utf-8") as f:
        for event in events:
            f.write(json.dumps(complete(event)) + "\n")


def write_components(folder, start, form):
    """Completes components.csv by the times in UTC; as Parquet, if `form` is parquet."""
    path = os.path.join(folder, CSV)
    if form == "parquet":
        utc = f"pts + {start}" if start is not None else "NULL"
        duckdb().execute(
            f"COPY (SELECT * REPLACE (CAST({utc} AS BIGINT) AS utc) FROM {table(path)}) "
            f"TO {quote(os.path.join(folder, PARQUET))} (FORMAT parquet, COMPRESSION zstd)")
        os.remove(path)
    elif start is not None:
        pts, utc = COLUMNS.index("pts"), COLUMNS.index("utc")
        with open(path, newline="", encoding="utf-8") as old, \
                open(path + ".utc", "w", newline="", encoding="utf-8") as new:
            rows, writer = csv.reader(old), csv.writer(new, lineterminator="\n")
            writer.writerow(next(rows))
            for row in rows:
                row[utc] = int(row[pts]) + start if row[pts] else ""
                writer.writerow(row)
        os.replace(path + ".utc", path)


def table(*paths):
    """The components in files of one format, in SQL."""
    names = "[" + ", ".join(map(quote, paths)) + "]"
    if paths[0].endswith(".parquet"):
        return f"read_parquet({names})"
    columns = ", ".join(f"'{name}': '{kind}'" for name, kind in TYPES.items())
    return f"read_csv({names}, header = true, columns = {{{columns}}})"


class Part:
    """A folder for the results of a video, which replaces the old one when it is finished."""

    def __init__(self, archive, name):
        self.archive, self.name = archive, name
        self.final = os.path.join(archive, name)
        self.path = os.path.join(archive, PARTS, f"{socket.gethostname()}-{os.getpid()}")

    def __enter__(self):
        shutil.rmtree(self.path, ignore_errors=True)
        os.makedirs(self.path)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def finish(self, summary):
        write_json(os.path.join(self.path, SUMMARY), summary)
        os.makedirs(os.path.dirname(self.final) or ".", exist_ok=True)
        if os.path.exists(self.final):
            old = self.path + "-old"
            shutil.rmtree(old, ignore_errors=True)
            os.rename(self.final, old)
            os.rename(self.path, self.final)
            shutil.rmtree(old)
        else:
            os.rename(self.path, self.final)


def clean(archive):
    """Removes what processes of this machine left that were killed."""
    folder = os.path.join(archive, PARTS)
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        host, _, pid = name.removesuffix("-old").rpartition("-")
        if host == socket.gethostname() and not os.path.exists(f"/proc/{pid}"):
            shutil.rmtree(os.path.join(folder, name), ignore_errors=True)


def summary_of(archive, name):
    """The summary of a finished video, or None."""
    try:
        with open(os.path.join(archive, name, SUMMARY), encoding="utf-8") as f:
            return json.load(f)
    except (OSError, ValueError):
        return None


def videos(archive):
    """Names of all finished videos, sorted."""
    found = []
    for folder, subfolders, names in os.walk(archive):
        if SUMMARY in names:
            found.append(os.path.relpath(folder, archive))
            subfolders.clear()
        subfolders[:] = sorted(d for d in subfolders if d != PARTS)
    return sorted(found)
