# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""A run: the machine, and a line for each point, on disk as soon as it is measured."""

import csv
import json
import pathlib
import re


class Failure(Exception):
    """Ends the program with this sentence."""


def is_measured(point):
    return "skipped" not in point and "failed" not in point


class Record:
    """points.jsonl in a folder: the machine first, then the points."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.file = self.folder / "points.jsonl"
        self.machine = None
        self.points = {}

    def open(self, machine, anew):
        """Continues the run in the folder, which must be of this machine and code."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if anew:
            self.file.unlink(missing_ok=True)
        if self.file.exists():
            self.read()
        if self.machine is None:
            self.machine = machine
            self.file.write_text("", encoding="ascii")
            self._append({"machine": machine})
        elif self.machine != machine:
            raise Failure(f"{self.folder} has a run of other code or of another machine: "
                          "--new starts anew, --output names another folder")

    def read(self):
        """A line that was cut off is left out, on disk too."""
        lines = self.file.read_text(encoding="utf-8").split("\n")
        if lines[-1] != "":
            self.file.write_text("".join(line + "\n" for line in lines[:-1]), encoding="utf-8")
        for line in lines[:-1]:
            values = json.loads(line)
            if "machine" in values:
                self.machine = values["machine"]
            else:
                self.points[values["point"]] = values

    def add(self, point):
        self.points[point["point"]] = point
        self._append(point)

    def _append(self, values):
        with open(self.file, "a", encoding="utf-8") as file:
            file.write(json.dumps(values, ensure_ascii=False) + "\n")

    def is_done(self, name):
        return name in self.points and is_measured(self.points[name])

    def write(self):
        """bench.json and bench.csv."""
        points = ",\n".join("  " + json.dumps(p, ensure_ascii=False) for p in self.points.values())
        (self.folder / "bench.json").write_text(
            f'{{"machine": {json.dumps(self.machine, ensure_ascii=False)},\n'
            f'"points": [\n{points}\n]}}\n', encoding="utf-8")
        with open(self.folder / "bench.csv", "w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(["point", "figure", "value"])
            for point in self.points.values():
                rows.writerows([point["point"], key, value] for key, value in point.items()
                               if key != "point" and not isinstance(value, list))


def of_checkcca(values):
    """The same for the output of checkcca --bench --json."""
    sizes = {(1920, 1080): "1080p", (3840, 2160): "4k"}
    points = []
    for row in values["rows"]:
        where = "/".join([sizes[row["width"], row["height"]], str(row["connectivity"]),
                          re.sub("noise |=", "", row["picture"])])
        for time in row["times"]:
            threads = re.fullmatch(r"cpu-\w+-t(\d+)", time["engine"])
            who = f"cpu/{threads[1]}" if threads else f"{time['engine'].lower()}/1"
            points.append({"point": f"{who}/{where}", "us": time["ms"] * 1e3})
    return {key: values[key] for key in ("cpu", "cores", "opencv")}, points


def load(name):
    """Machine and points by name of a run: bench.json, points.jsonl, its folder, a report
    of tests/gpu/run, or a table of checkcca --bench."""
    path = pathlib.Path(name)
    if path.is_dir():
        path /= "points.jsonl"
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".jsonl":
            values = [json.loads(line) for line in text.splitlines()]
            machine = values[0]["machine"] if values else {}
            points = values[1:]
        else:
            values = json.loads(text)
            if "rows" in values:
                machine, points = of_checkcca(values)
            else:
                machine = values.get("machine") or {"gpu": values.get("gpu")}
                points = values.get("points") or values["bench"]
        return machine, {p["point"]: p for p in points}
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise Failure(f"{name} is no run of cca-bench ({error})") from None
