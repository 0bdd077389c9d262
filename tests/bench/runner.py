# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Runs the programs that measure points, and says how far it is."""

import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent


def output(*command):
    """Its standard output, or nothing."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL).stdout.strip()
    except OSError:
        return ""


def driver_version():
    version = output("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader")
    if version:
        return version.splitlines()[0]
    folders = os.environ.get("LD_LIBRARY_PATH", "").split(":") + ["/usr/lib/x86_64-linux-gnu"]
    names = [name for folder in folders if folder for name in glob.glob(f"{folder}/libcuda.so.*.*")]
    return names[0].split("libcuda.so.")[1] if names else None


def describe_machine(program):
    """The machine, for comparisons and for readers of the tables. The program knows the GPU."""
    cpu = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(
        encoding="utf-8"), re.MULTILINE)
    machine = {"cpu": cpu.group(1).strip() if cpu else os.uname().machine,
               "cores": len(os.sched_getaffinity(0))}
    about = output(program, "--about")
    if about and "skipped" not in about:
        machine["gpu"] = json.loads(about)["gpu"]
        machine["driver"] = driver_version()
    machine["tree"] = output(str(TOP / "tests/gpu/tree")) or carried_tree(program)
    return machine


def carried_tree(program):
    """As tests/gpu/pack left it, where there is no git."""
    path = shutil.which(program) or ""
    file = pathlib.Path(path).parent.parent / "tree"
    return file.read_text(encoding="ascii").strip() if path and file.exists() else None


class Progress:
    """A line for each point, with the time left. The points of a group take longer, or
    shorter, than guess(point) says by as much as those of it that were measured."""

    def __init__(self, todo, group, guess):
        self.todo = list(todo)
        self.n = len(self.todo)
        self.group = group
        self.guess = guess
        self.spent = {}

    def done(self, point, seconds):
        name = point["point"]
        if name in self.todo:
            self.todo.remove(name)
        if "skipped" not in point:
            spent, guessed = self.spent.get(self.group(name), (0, 0))
            self.spent[self.group(name)] = spent + seconds, guessed + self.guess(name)
        figures = [f"{key} {value:.5g}" for key, value in point.items()
                   if isinstance(value, (int, float)) and key != "seconds"][:3]
        what = point.get("skipped") or point.get("failed") or ", ".join(figures)
        print(f"{self.n - len(self.todo):4}/{self.n}  {name:36} {what:50} {self.left()}",
              flush=True)

    def left(self):
        def expected(name):
            spent, guessed = self.spent.get(self.group(name), (1, 1))
            return self.guess(name) * spent / guessed
        seconds = sum(expected(name) for name in self.todo)
        return f"{seconds / 60:.0f} min left" if seconds > 90 else f"{seconds:.0f} s left"


def run_program(command, names, took):
    """Runs it once; gives each point to `took`. Returns those that it did not come to."""
    left = list(names)
    with subprocess.Popen(command + left, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                          text=True, encoding="utf-8") as process:
        try:
            begin = time.monotonic()
            for line in process.stdout:
                point = json.loads(line)
                left.remove(point["point"])
                took(point, time.monotonic() - begin)
                begin = time.monotonic()
        except BaseException:
            process.kill()
            raise
    if left and process.returncode < 0:
        took({"point": left.pop(0), "failed": f"ended by signal {-process.returncode}"}, 0)
    elif left:
        took({"point": left.pop(0), "failed": f"exit status {process.returncode}"}, 0)
    return left


def measure(record, names, program, command_of, guess):
    """All that is not there yet, by the program(name) whose command is command_of(program).
    Returns whether nothing failed."""
    todo = [name for name in names if not record.is_done(name)]
    progress = Progress(todo, program, guess)
    ok = True

    def took(point, needed):
        nonlocal ok
        ok = ok and "failed" not in point
        point["seconds"] = round(needed, 2)
        record.add(point)
        progress.done(point, needed)

    for which in dict.fromkeys(map(program, todo)):
        left = [name for name in todo if program(name) == which]
        command = command_of(which)
        if command is None:
            for name in left:
                took({"point": name, "skipped": f"{which} is not built"}, 0)
            continue
        while left:
            left = run_program(command, left, took)
    return ok
