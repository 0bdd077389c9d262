# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: serve-soak.py CCA-SERVE [STREAMS] [SECONDS]

Runs that many streams of 640x360 at 25 frames a second in cca-serve (default: 100,
600 s), with all records to files. Every 30 s it prints the frames, the CPU time of a
frame and the private memory. It fails if memory grows in the second half by more
than 4 %, or a stream ends, loses records or connects again. Left out frames are
reported only: they are a matter of the machine."""

import json
import os
import sys
import tempfile
import time

from serving import Service

EACH, FPS = 30, 25
SOURCE = f"test:ball?width=640&height=360&fps={FPS}"


def look(service):
    found = {}
    for line in service.ask("metrics")[1].decode().splitlines():
        name, _, value = line.rpartition(" ")
        name = name.partition("{")[0]
        if name and not name.startswith("#"):
            found[name] = found.get(name, 0) + float(value)
    return {"at": time.monotonic(), "frames": found["cca_frames_total"],
            "skipped": found["cca_skipped_total"], "dropped": found["cca_dropped_total"]
            + found.get("cca_output_dropped_total", 0), "up": found["cca_up"],
            "reconnects": found["cca_reconnects_total"],
            "cpu": found["process_cpu_seconds_total"], "memory": service.memory()}


def main():
    program = sys.argv[1]
    streams, seconds = (int(text) for text in (sys.argv[2:4] + ["100", "600"][len(sys.argv) - 2:]))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "c.json")
        with open(path, "w", encoding="utf-8") as f:
            json.dump({"device": "cpu", "outputs": {"files": {
                "folder": "records", "rotate-mb": 1, "keep": 2}},
                "streams": {f"s{i}": {"source": SOURCE} for i in range(streams)}}, f)
        service = Service(program, path)
        try:
            return watch(service, streams, seconds)
        finally:
            service.process.terminate()
            service.process.wait(180)       # an overloaded one takes a minute


def watch(service, streams, seconds):
    each = min(EACH, seconds / 4)
    time.sleep(each / 2)                # until all have begun
    looks = [look(service)]
    while looks[-1]["at"] - looks[0]["at"] < seconds - each / 2:
        time.sleep(each)
        looks.append(look(service))
        before, now = looks[-2:]
        frames, passed = now["frames"] - before["frames"], now["at"] - before["at"]
        print(f"{now['at'] - looks[0]['at']:5.0f} s  {frames / passed:7.1f} of {streams * FPS} "
              f"frames/s  {1000 * (now['cpu'] - before['cpu']) / max(1, frames):.3f} ms of CPU a "
              f"frame  {now['memory'] / 2**20:6.1f} MiB  {now['skipped']:.0f} left out  "
              f"{now['dropped']:.0f} dropped", flush=True)
    half = looks[len(looks) // 2:]
    growth = half[-1]["memory"] / half[0]["memory"] - 1
    frames = looks[-1]["frames"] - looks[0]["frames"]
    cpu, passed = (looks[-1][key] - looks[0][key] for key in ("cpu", "at"))
    print(json.dumps({
        "streams": streams, "seconds": round(passed, 1), "frames_s": round(frames / passed, 1),
        "cpu_ms_frame": round(1000 * cpu / frames, 4),
        "cpu_percent_stream": round(100 * cpu / passed / streams, 3),
        "memory_mib": [round(value["memory"] / 2**20, 1) for value in (looks[0], half[0],
                                                                       half[-1])],
        "growth": round(growth, 4), **{key: int(looks[-1][key]) for key in (
            "skipped", "dropped", "reconnects")}}))
    end = looks[-1]
    return int(growth > 0.04 or end["up"] != streams or end["dropped"] or end["reconnects"])


if __name__ == "__main__":
    sys.exit(main())
