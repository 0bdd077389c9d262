#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Searches for the settings that agree best with the marks on a video: for the page of
examples/tune, and for examples/tune --search, whose main part this is."""

import sys
sys.dont_write_bytecode = True  # the checkout may be read-only

import argparse
import asyncio
import json
import os
import signal
import time

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstPbutils", "1.0")
from gi.repository import GLib, Gst, GstPbutils

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, os.path.dirname(HERE))
import analyse
import halving
import marks as marking
import settings
import sources
from settings import Refused

TOGETHER = 8                    # settings of a process, which share a decoder
SHOWN = 6                       # settings in the result
SHOTS = 4                       # times in the contact sheet
MOST_VALUES = 32                # of a property
SAMPLES = 20                    # seconds to wait for what a file is


def check_sweeps(data, table):
    """Returns the values of each property, or refuses them."""
    if not isinstance(data, dict) or not data or len(data) > 16:
        raise Refused("sweeps are an object with at most 16 properties and their values")
    kept = {}
    for name, values in data.items():
        known = find(table, name)
        if not isinstance(values, list) or not 0 < len(values) <= MOST_VALUES:
            raise Refused(f"{name} needs a list of 1 to {MOST_VALUES} values")
        values = [known.check(value) for value in values]
        kept[name] = sorted(set(values)) if known.kind == "number" else list(dict.fromkeys(values))
    return kept


def find(table, name):
    for element in settings.ELEMENTS:
        if name in table.properties[element] and name not in settings.SHAPES:
            return table.properties[element][name]
    raise Refused(f"there is no property {json.dumps(name)} to sweep")


class Failed(Exception):
    """A sentence on why the video cannot be analysed."""


class Search:
    """`progress(part, sentence)` is called now and then."""

    def __init__(self, video, values, marks, sweeps, table, duration, progress,
                 jobs=os.cpu_count() or 1, width=640):
        self.video, self.values, self.marks, self.table = video, values, marks, table
        self.duration, self.progress, self.jobs = duration, progress, jobs
        present = {name: self.present(name) for name in sweeps}
        self.halving = halving.Halving(sweeps, self.starts(present, width), marks)
        self.done, self.runs, self.running = 0.0, 0, {}

    def present(self, name):
        known = find(self.table, name)
        return self.values[known.element].get(name, known.default)

    def starts(self, present, width):
        """What is set, and before it the preset for motion if that is the mode."""
        if self.values["cca"].get("foreground") != settings.MOTION["foreground"]:
            return [present]
        preset = settings.preset("motion", width)["cca"]
        return [{name: preset.get(name, find(self.table, name).default) for name in present},
                present]

    def applied(self, setting):
        """All properties, with those of a setting."""
        values = {element: dict(self.values[element]) for element in settings.ELEMENTS}
        for name, value in setting.items():
            values[find(self.table, name).element][name] = value
        return self.table.check(values)

    def tell(self):
        done = self.done + sum(self.running.values())
        left = self.halving.work(self.duration) - sum(self.running.values()) - self.of_round
        self.progress(done / max(done + max(left, 0), 1e-9),
                      f"round {self.number}: {len(self.halving.tried)} settings")

    async def run(self):
        """Returns the best settings: dictionaries with `change`, `settings` and `result`."""
        gate = asyncio.Semaphore(self.jobs)
        self.number = 0
        while round_ := self.halving.round():
            end, marks, tried = round_
            self.number, self.of_round = self.number + 1, 0.0
            size = min(TOGETHER, -(-len(tried) // self.jobs))
            batches = [tried[i:i + size] for i in range(0, len(tried), size)]
            tasks = [asyncio.ensure_future(self.analyse(batch, end, marks, gate))
                     for batch in batches]
            try:
                results = await asyncio.gather(*tasks)
            finally:
                analyse.cancel(tasks)
                await asyncio.gather(*tasks, return_exceptions=True)
            self.runs += len(tried)
            self.halving.take([result for batch in results for result in batch])
        best = self.halving.best
        wanted = best[:SHOWN]
        if not any(setting == self.halving.starts[-1] for setting, _ in wanted):
            wanted += [pair for pair in best if pair[0] == self.halving.starts[-1]]
        return [{"change": setting, "settings": self.applied(setting), "result": result,
                 "present": setting == self.halving.starts[-1]} for setting, result in wanted]

    async def analyse(self, batch, end, marks, gate):
        """The results of some settings."""
        async with gate:
            order = self.video | {"settings": [self.applied(setting) for setting in batch],
                                  "until": end, "marks": marks, "rows": False}
            key = id(batch)
            async with analyse.running(order) as lines:
                async for text in lines:
                    line = json.loads(text)
                    if "error" in line:
                        raise Failed(line["error"])
                    if "done" in line:
                        seconds = len(batch) * (self.duration if end is None else end)
                        self.running.pop(key, None)
                        self.done += seconds
                        self.of_round += seconds
                        self.tell()
                        return line["results"]
                    self.running[key] = line["at"] * len(batch)
                    self.tell()
        raise Failed("the analysis ended without a result")


def shot_times(marks, duration):
    """The middles of some spans, in order; without spans, of parts of the video."""
    middles = sorted({(span["from"] + span["to"]) / 2 for span in marks["spans"]}) or \
        [duration * (n + 0.5) / SHOTS for n in range(SHOTS)]
    count = min(SHOTS, len(middles))
    return [middles[n * len(middles) // count] for n in range(count)]


async def shoot(video, wanted, times):
    """The contact sheet: for None, the video, and for each of the settings, a JPEG in base64 for
    each of the times."""
    sheet = {}
    order = video | {"settings": wanted, "until": times[-1] + 1, "rows": False, "shots": times}
    async with analyse.running(order) as lines:
        async for text in lines:
            line = json.loads(text)
            if "error" in line:
                raise Failed(line["error"])
            if "shot" in line:
                sheet.setdefault(line["settings"], []).append(line["jpeg"])
    return sheet


def check_lines(marks, values):
    """The counted lines are there."""
    known = {line["name"] for line in values["ccatrack"].get("lines", [])}
    for count in marks["counts"]:
        if count["line"] not in known:
            raise Refused(f"the marks count at the line {count['line']}, which the settings "
                          "do not have")


# --- without a browser ------------------------------------------------------

def say(sentence):
    print(f"examples/tune: {sentence}", file=sys.stderr, flush=True)


def percent(value):
    return "-" if value is None else f"{100 * value:.1f} %"


def describe(setting):
    return " ".join(f"{name}={settings.text_of(value)}" for name, value in setting.items())


def print_table(best):
    print("  score   recall    false   false events   pieces   count error   settings")
    for number, row in enumerate(best, 1):
        result = row["result"]
        note = "   (the present ones)" if row["present"] else ""
        print(f"{number} {result['score']:.3f} {percent(result['recall']):>8} "
              f"{percent(result['false']):>8} {result['false_events']:14} "
              f"{percent(result['pieces']):>8} "
              f"{percent(result['count_error']):>13}   {describe(row['change'])}{note}")


def discover(uri):
    """Width, height and seconds of a file."""
    try:
        info = GstPbutils.Discoverer.new(SAMPLES * Gst.SECOND).discover_uri(uri)
    except GLib.Error as error:
        raise Failed(error.message.partition("\n")[0].rstrip(".")) from None
    streams = info.get_video_streams()
    if not streams:
        raise Failed("there is no video in it")
    return streams[0].get_width(), streams[0].get_height(), info.get_duration() / Gst.SECOND


class Progress:
    """A line on stderr, renewed in place on a terminal."""

    def __init__(self):
        self.shown = 0.0

    def __call__(self, part, sentence):
        now = time.monotonic()
        is_terminal = sys.stderr.isatty()
        if now - self.shown > (0.2 if is_terminal else 5):
            self.shown = now
            print(f"\r  {100 * part:3.0f} %  {sentence:30}" if is_terminal
                  else f"  {100 * part:3.0f} %  {sentence}",
                  end="" if is_terminal else "\n", file=sys.stderr, flush=True)

    def end(self):
        if sys.stderr.isatty():
            print("\r" + 60 * " " + "\r", end="", file=sys.stderr, flush=True)


def parse_sweeps(texts, table):
    """From NAME=VALUE,VALUE and so on."""
    sweeps = {}
    for text in texts:
        name, _, values = text.partition("=")
        kind = find(table, name).kind
        try:
            sweeps[name] = [int(value) if kind == "number" else
                            value == "true" if kind == "boolean" and value in ("true", "false")
                            else value for value in values.split(",")]
        except ValueError:
            raise Refused(f"--sweep {name} takes whole numbers with commas between, "
                          f"not {values}") from None
    return check_sweeps(sweeps, table)


async def find_best(options, source, table):
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    for number in signal.SIGINT, signal.SIGTERM:
        loop.add_signal_handler(number, analyse.cancel, [task])
    marks = marking.load(options.marks)
    width, height, duration = discover(source.uri)
    values, size = settings.load(options.settings, table) if options.settings else \
        (settings.preset("motion", width), None)
    settings.check_size(size, width, height)
    if "width" in marks:
        settings.check_size((marks["width"], marks["height"]), width, height)
    check_lines(marks, values)
    sweeps = parse_sweeps(options.sweep, table) if options.sweep else \
        halving.default_sweeps(values["cca"].get("foreground", "threshold"), width)
    progress = Progress()
    search = Search({"video": source.text, "device": options.device}, values, marks, sweeps,
                    table, duration, progress, options.jobs, width)
    began = time.monotonic()
    try:
        best = await search.run()
    finally:
        progress.end()
    if best[0]["result"]["score"] is None:
        raise Refused(f"{options.marks}: no frame of the video is in a span")
    say(f"{search.runs} runs in {time.monotonic() - began:.1f} s")
    return best, (width, height)


def main(arguments):
    parser = argparse.ArgumentParser(
        epilog="Run examples/tune --search instead: it sets up what is missing and calls this "
               "program.")
    parser.add_argument("video")
    parser.add_argument("--marks", required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--settings")
    parser.add_argument("--sweep", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--output")
    options = parser.parse_args(arguments)
    Gst.init(None)
    source = sources.Source(options.video)
    try:
        if sources.is_camera(source.uri):
            raise Refused("--search needs a file: a camera has no other times")
        table = settings.Table(options.device)
        best, size = asyncio.run(find_best(options, source, table))
        print_table(best)
        if options.output:
            with open(options.output, "w", encoding="utf-8") as f:
                f.write(settings.write(best[0]["settings"], *size))
        else:
            print("cca" + settings.launch_text(best[0]["settings"]["cca"]) + " ! ccatrack"
                  + settings.launch_text(best[0]["settings"]["ccatrack"]))
        sys.stdout.flush()
    except (Refused, marking.Wrong) as error:
        say(error)
        return 1
    except (Failed, GLib.Error) as error:
        say(f"{source.name}: {error.message if isinstance(error, GLib.Error) else error}")
        return 1
    except OSError as error:
        say(f"{error.filename or 'the result'} cannot be written: {error.strerror}")
        os._exit(1)             # stdout is not flushed again
    except (asyncio.CancelledError, KeyboardInterrupt):
        say("interrupted")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
