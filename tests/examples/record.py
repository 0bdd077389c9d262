# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: record.py RECORDING.PY RECORDED.PY [TEST...]

Which frames examples/record writes to which file, by a definition that looks at the whole
video, and its folder.
"""

import importlib.util
import json
import os
import random
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True


def load(path):
    spec = importlib.util.spec_from_file_location("loaded", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


recording, recorded = load(sys.argv.pop(1)), load(sys.argv.pop(1))

GAP = 20


class File:
    def __init__(self, out, frame, event):
        self.out, self.begun_with, self.first_event = out, frame, event
        self.frames, self.events, self.why = [], None, None

    def write(self, frame):
        if self.out.is_blocked():
            return False
        self.frames.append(frame.data)
        return True

    def close(self, events, why):
        self.events, self.why = [event.number for event in events], why


class Out:
    def __init__(self, is_blocked=lambda: False):
        self.files, self.lost_events, self.said, self.is_blocked = [], [], [], is_blocked

    def open(self, frame, event):
        self.files.append(File(self, frame, event))
        return self.files[-1]

    def lost(self, event, why):
        self.lost_events.append(event.number)

    def say(self, sentence):
        self.said.append(sentence)

    def result(self):
        return [(file.frames, file.events) for file in self.files]


def video(rng, n):
    """Times of display and key frames, in the order of decoding."""
    frames, time = [], rng.choice([0, 100])
    while len(frames) < n:
        group = rng.choice([1, 2, 5, 12, 25, 60])
        b_frames = rng.choice([0, 0, 1, 3])
        frames.append((time, True))
        time += 1
        while group > 1:
            b = min(b_frames, group - 2)
            times = [time + b, *range(time, time + b)]
            frames += [(t, False) for t in times]
            time += b + 1
            group -= b + 1
        if rng.random() < 0.1:
            time += rng.randrange(60)
    if rng.random() < 0.2:      # joined in mid-stream
        frames = frames[rng.randrange(1, 30):]
    return frames


def spans(rng, frames):
    """Events in order, none of which overlap."""
    last, time, events = max(t for t, _ in frames), rng.randrange(100), []
    while time < last:
        end = min(last, time + rng.choice([0, 1, 5, 30, 100]))
        events.append((time, end))
        time = end + rng.choice([1, 2, 10, 30, 100, 200])
    return events


def expect(frames, events, before, after):
    """The files, as numbers of frames and of events, and the events without a file."""
    keys = [i for i, (_, key) in enumerate(frames) if key]
    files, lost = [], []
    rest = list(enumerate(events))
    while rest:
        number, (start, end) = rest.pop(0)
        first = max((i for i in keys if frames[i][0] <= start - before),
                    default=keys[0] if keys else None)
        stop, numbers = end + after, [number]
        if first is None or frames[first][0] > stop:
            lost.append(number)
            continue
        while rest and rest[0][1][0] - before <= stop:
            number, (_, end) = rest.pop(0)
            numbers.append(number)
            stop = max(stop, end + after)
        last = max(i for i, (time, _) in enumerate(frames) if time <= stop and i >= first)
        files.append((list(range(first, last + 1)), numbers))
    return files, lost


def run(rng, frames, events, before, after, plan, lead=60):
    """Plays the video: the analysis sees frames in the order of display, and each branch may be
    ahead of the other. It reports a start one frame late and an end when it likes."""
    shown = sorted(time for time, _ in frames)
    known = {number: recording.Event(number, start) for number, (start, _) in enumerate(events)}
    reports = []
    for n, (start, end) in enumerate(events):
        following = events[n + 1][0] if n + 1 < len(events) else end + GAP
        reports += [(start + 1, 0, n), (min(end + rng.choice([1, GAP]), following), 1, n)]
    kept, added, seen = [], 0, 0
    while added < len(frames) or seen < len(shown):
        ahead = added - seen
        if added < len(frames) and (seen == len(shown) or ahead < rng.randrange(-lead, lead)):
            time, key = frames[added]
            plan.add(recording.Frame(time, key, 10, added))
            added += 1
        elif seen < len(shown):
            now = shown[seen]
            while reports and reports[0][0] <= now:
                _, is_end, n = reports.pop(0)
                if is_end:
                    plan.end(known[n], events[n][1])
                else:
                    plan.start(known[n])
            plan.reach(now - 1)
            seen += 1
        kept.append(plan.bytes)
    for _, is_end, n in reports:
        if is_end:
            plan.end(known[n], events[n][1])
        else:
            plan.start(known[n])
    plan.finish()
    return max(kept)


class Rule(unittest.TestCase):
    def test_random(self):
        for seed in range(400):
            rng = random.Random(seed)
            frames = video(rng, rng.randrange(1, 500))
            events = spans(rng, frames)
            before, after = rng.choice([0, 1, 10, 50]), rng.choice([0, 1, 10, 50])
            out = Out()
            run(rng, frames, events, before, after,
                recording.Plan(before, after, GAP, 10**9, out))
            with self.subTest(seed=seed):
                self.assertEqual((out.result(), out.lost_events),
                                 expect(frames, events, before, after))
                self.assertEqual(out.said, [])
                for file in out.files:
                    self.assertEqual(file.begun_with.data, file.frames[0])
                    self.assertEqual(file.first_event.number, file.events[0])
                    self.assertIsNone(file.why)

    def test_disk_that_is_slow_at_times(self):
        for seed in range(100):
            rng = random.Random(seed)
            frames = video(rng, 400)
            events = spans(rng, frames)
            out = Out(lambda rng=rng: rng.random() < 0.3)
            plan = recording.Plan(10, 10, GAP, 10**9, out)
            # at the end it is waited for
            finish = plan.finish
            plan.finish = lambda out=out, finish=finish: (
                setattr(out, "is_blocked", lambda: False), finish())
            run(rng, frames, events, 10, 10, plan)
            with self.subTest(seed=seed):
                self.assertEqual((out.result(), out.lost_events), expect(frames, events, 10, 10))

    def test_memory(self):
        """No more is kept than the time before an event, a group, and the lag of a branch, and
        with a smaller bound no more than that and one frame."""
        frames = [(time, time % 25 == 0) for time in range(20000)]
        rng = random.Random(1)
        events = [(time, time + 20) for time in range(100, 20000, 400)]
        peak = run(rng, frames, events, 50, 50, recording.Plan(50, 50, GAP, 10**9, Out()))
        self.assertLessEqual(peak, 10 * (50 + 2 * 25 + 2 * 60 + 20))
        out = Out()
        peak = run(rng, frames, events, 50, 50, recording.Plan(50, 50, GAP, 600, out))
        self.assertLessEqual(peak, 600)
        self.assertEqual(len(out.files), len(events))
        self.assertTrue(out.said)
        for file in out.files:
            self.assertTrue(file.begun_with.key)

    def test_one_endless_group(self):
        """Without key frames but the first the bound holds, too, and a file goes on."""
        frames = [(time, time == 0) for time in range(3000)]
        out = Out()
        plan = recording.Plan(10, 10, GAP, 500, out)
        peak = run(random.Random(2), frames, [(5, 2000)], 10, 10, plan)
        self.assertLessEqual(peak, 500)
        self.assertEqual(len(out.said), 1)
        self.assertEqual(out.files[0].frames[0], 0)
        written = [number for file in out.files for number in file.frames]
        self.assertEqual(written, list(range(written[-1] + 1)))
        self.assertGreaterEqual(written[-1], 2010)

    def test_no_key_frames(self):
        out = Out()
        plan = recording.Plan(10, 10, GAP, 10**9, out)
        second = 10**9
        for time in range(100):
            plan.add(recording.Frame(time * second, False, 10, time))
        self.assertEqual((len(out.said), plan.bytes), (1, 0))
        event = recording.Event(1, 50 * second)
        plan.start(event)
        plan.end(event, 60 * second)
        plan.reach(99 * second)
        self.assertEqual(out.lost_events, [1])
        # a lasting event waits for one
        event = recording.Event(2, 99 * second)
        plan.start(event)
        plan.add(recording.Frame(100 * second, False, 10, 100))
        plan.add(recording.Frame(101 * second, True, 10, 101))
        plan.add(recording.Frame(102 * second, False, 10, 102))
        plan.finish()
        self.assertEqual(out.result(), [([101, 102], [2])])

    def test_disk_that_stands_still(self):
        """The file ends with the reason; the event continues in the next one."""
        stuck = [False]
        out = Out(lambda: stuck[0])
        plan = recording.Plan(20, 10, GAP, 1000, out)
        plan.reach(100)
        for time in range(100, 400):
            stuck[0] = 200 <= time < 330
            if time == 150:
                event = recording.Event(7, 149)
                plan.start(event)
            plan.reach(time)
            plan.add(recording.Frame(time, time % 10 == 0, 10, time))
            self.assertLessEqual(plan.bytes, 1000)
        plan.end(event, 380)
        plan.finish()
        self.assertEqual([file.events for file in out.files], [[7], [7]])
        self.assertEqual([file.why for file in out.files], ["the disk is too slow", None])
        self.assertEqual(out.files[0].frames, list(range(120, 190)))
        self.assertEqual(out.files[1].frames[0] % 10, 0)
        self.assertEqual(out.files[1].frames[-1], 390)

    def test_hours(self):
        """Two hours with many events: each is in exactly one file, and memory stays flat."""
        frames = [(200 * time, time % 10 == 0) for time in range(36000)]
        rng = random.Random(3)
        events, time = [], 2000
        while time < 200 * 36000 - 2000:
            events.append((time, time))
            time += 400 if rng.random() < 0.99 else 20000
        out = Out()
        peak = run(rng, frames, events, 2000, 2000, recording.Plan(2000, 2000, GAP, 10**9, out))
        self.assertLess(peak, 10 * 250)
        self.assertGreater(len(out.files), 50)
        numbers = [number for file in out.files for number in file.events]
        self.assertEqual(numbers, list(range(len(events))))
        self.assertEqual((out.result(), out.lost_events), expect(frames, events, 2000, 2000))


class Keeping(unittest.TestCase):
    """Files of a MiB each, an hour apart."""

    NOON = 1767268800 * 10**9       # 2026-01-01T12:00:00Z

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path, self.said = folder.name, []

    def folder(self, days=0, megabytes=0):
        return recorded.Folder(self.path, days, megabytes, self.said.append)

    def make(self, name, size=1 << 20):
        with open(os.path.join(self.path, name), "wb") as f:
            f.truncate(size)

    def fill(self, folder, hours):
        """Two events in each file."""
        for hour in range(hours):
            stem = recorded.stem(self.NOON + hour * 3600 * 10**9)
            name = f"{stem}-{2 * hour + 1:06}.mkv"
            self.make(name)
            for number in 2 * hour + 1, 2 * hour + 2:
                picture = f"{stem}-{number:06}.jpg"
                self.make(picture, 1000)
                folder.write({"number": number, "file": name, "thumbnail": picture})

    def left(self):
        """Numbers of files, pictures and lines."""
        names = os.listdir(self.path)
        with open(os.path.join(self.path, "index.jsonl"), encoding="utf-8") as f:
            lines = [json.loads(line) for line in f]
        for line in lines:
            self.assertIn(line["file"], names)
            self.assertIn(line["thumbnail"], names)
        return (sum(name.endswith(".mkv") for name in names),
                sum(name.endswith(".jpg") for name in names), [line["number"] for line in lines])

    def test_names(self):
        self.assertEqual(recorded.iso(self.NOON + 123_999_999), "2026-01-01T12:00:00.123Z")
        self.assertEqual(recorded.stem(self.NOON), "2026-01-01T12-00-00.000Z")
        folder = self.folder()
        name = folder.unused("2026-01-01T12-00-00.000Z-000001")
        self.assertEqual(name, "2026-01-01T12-00-00.000Z-000001.mkv")
        self.make(name)
        again = folder.unused("2026-01-01T12-00-00.000Z-000001")
        self.assertEqual(again, "2026-01-01T12-00-00.000Z-000001-2.mkv")
        self.make(again + ".part")
        self.assertEqual(folder.unused("2026-01-01T12-00-00.000Z-000001"),
                         "2026-01-01T12-00-00.000Z-000001-3.mkv")

    def test_size(self):
        folder = self.folder(megabytes=3)
        self.fill(folder, 6)
        self.make("holiday.mkv", 1000)
        self.make("2026-01-01T11-00-00.000Z-000001.mkv.part", 1000)
        folder.prune(self.NOON)
        self.assertEqual(self.left(), (3, 4, [9, 10, 11, 12]))
        self.assertTrue(os.path.exists(os.path.join(self.path, "holiday.mkv")))
        # the newest one stays
        folder.megabytes = 1
        self.make("large", 9 << 20)
        folder.prune(self.NOON)
        self.assertEqual(self.left(), (2, 2, [11, 12]))

    def test_days(self):
        folder = self.folder(days=2)
        self.fill(folder, 30)
        now = self.NOON + 2 * 86400 * 10**9
        folder.prune(now)
        self.assertEqual(self.left()[0], 30)
        folder.prune(now + 10 * 3600 * 10**9)
        self.assertEqual(self.left(), (20, 40, list(range(21, 61))))
        folder.prune(now + 1000 * 3600 * 10**9)
        self.assertEqual(self.left(), (1, 2, [59, 60]))

    def test_recover(self):
        """After a crash the file and its part of the index are there."""
        folder = self.folder()
        self.fill(folder, 1)
        self.make("2026-01-01T14-00-00.000Z-000007.mkv.part", 500)
        self.make("2026-01-01T15-00-00.000Z-000008.mkv.part", 0)
        with open(folder.index, "a", encoding="utf-8") as f:
            f.write('{"number": 6, "fi')
        folder.recover()
        name = "2026-01-01T14-00-00.000Z-000007.mkv"
        self.assertEqual([name for name in folder.names()],
                         ["2026-01-01T12-00-00.000Z-000001.mkv", name])
        self.assertEqual([(line["number"], line["file"]) for line in folder.lines()],
                         [(1, folder.names()[0]), (2, folder.names()[0]), (None, name),
                          (None, None)])
        self.assertEqual(len(self.said), 2)
        folder.recover()
        self.assertEqual(len(self.said), 2)

    def test_index_that_cannot_be_written(self):
        folder = self.folder(megabytes=1)
        self.fill(folder, 3)
        os.mkdir(folder.index + ".part")
        folder.prune(self.NOON)
        self.assertEqual(len(folder.lines()), 6)
        self.assertEqual(self.said, ["the index cannot be written: Is a directory"])
        os.remove(folder.index)
        os.mkdir(folder.index)
        self.assertFalse(folder.write({"number": 7}))


if __name__ == "__main__":
    unittest.main()
