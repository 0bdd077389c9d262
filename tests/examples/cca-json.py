# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""usage: cca-json.py CCA-JSON [TEST...]"""

import csv
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import pictures

CCA_JSON = sys.argv.pop(1)
KEYS = ["frame", "source", "pts", "running_time", "utc", "width", "height", "depth", "foreground", "warming_up", "light_changed", "overload",
        "threshold", "region_area", "n_found", "truncated", "components", "events"]
COMPONENT_KEYS = ["id", "x", "y", "width", "height", "area", "cx", "cy", "track", "zones"]
FRAME = 40_000_000
BALL = "videotestsrc pattern=ball ! video/x-raw,format=GRAY8,width=80,height=60"


def start(*args, text=True, **kwargs):
    return subprocess.Popen([CCA_JSON, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=text, **kwargs)


def overlay_keeps_the_end():
    """Stock objectdetectionoverlay did not pass on the end of the stream."""
    text = subprocess.run(["gst-launch-1.0", "--version"], capture_output=True, text=True,
                          check=True).stdout
    version = re.search(r"version (\d+)\.(\d+)\.(\d+)", text).groups()
    return tuple(int(n) for n in version) < (1, 24, 13)


def read(path):
    with open(path) as f:
        return f.read()


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_json(self, *args, env=None):
        """The text that a run printed, which must have gone well."""
        with start(*args, env=env) as process:
            out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (0, ""))
        return out

    def parse(self, text):
        """Checks form, and gives the objects."""
        def ordered(pairs):
            keys = [key for key, _ in pairs]
            self.assertIn(keys, (KEYS, COMPONENT_KEYS))
            for key, value in pairs:
                kinds = {"pts": (int, type(None)), "running_time": (int, type(None)), "utc": (int, type(None)),
                         "source": (str, type(None)), "truncated": (bool,), "components": (list,), "events": (list,), "zones": (list,),
                         "foreground": (str,), "warming_up": (bool,), "light_changed": (bool,), "overload": (bool,), "cx": (int, float), "cy": (int, float),
                         "track": (int, type(None))}.get(key, (int,))
                self.assertIn(type(value), kinds, key)
            return dict(pairs)

        self.assertTrue(text == "" or text.endswith("\n"))
        objects = []
        for line in text.splitlines():
            self.assertNotIn(" ", line)
            objects.append(json.loads(line, object_pairs_hook=ordered))
            self.assertEqual(list(objects[-1]), KEYS)
        return objects

    def write(self, frames, stride=None, name="frames.gray"):
        """The start of a pipeline with these frames."""
        stride = stride or len(frames[0][0]) + 3
        pictures.write_raw(self.path(name), frames, stride)
        return pictures.source(self.path(name), frames, stride)


class Pictures(Case):
    def check(self, frames, threshold=128, connectivity=8, limit=None, **kwargs):
        pipeline = (self.write(frames, **kwargs) + f" ! cca threshold={threshold}"
                    f" connectivity={connectivity}")
        if limit is not None:
            pipeline += f" max-components={limit}"
        expected = []
        for i, rows in enumerate(frames):
            found = pictures.components(rows, threshold, connectivity)
            expected.append({
                "frame": i, "source": "frames.gray", "pts": i * FRAME, "running_time": i * FRAME,
                "utc": None, "width": len(rows[0]), "height": len(rows),
                "depth": 8, "foreground": "threshold", "warming_up": False,
                "light_changed": False, "overload": False, "threshold": threshold,
                "region_area": len(rows[0]) * len(rows), "n_found": len(found),
                "truncated": limit is not None and len(found) > limit,
                "components": found[:limit], "events": []})
        self.assertEqual(self.parse(self.run_json(pipeline)), expected)

    def test_sizes(self):
        for width, height in (1, 1), (2, 70), (37, 23), (64, 48), (129, 5):
            with self.subTest(width=width, height=height):
                frames = [pictures.noise(width, height, grain, seed=width + grain)
                          for grain in (1, 2, 3, 7, 16)]
                self.check(frames)
                self.check(frames, threshold=200)

    def test_settings(self):
        frames = [pictures.noise(41, 33, grain, seed=grain) for grain in (1, 2, 5)]
        for threshold in 0, 40, 200, 255:
            for connectivity in 4, 8:
                with self.subTest(threshold=threshold, connectivity=connectivity):
                    self.check(frames, threshold, connectivity)

    def test_nothing_and_everything(self):
        self.check([pictures.flat(31, 17, v) for v in (0, 128, 129, 255, 0)])

    def test_truncated(self):
        frames = [pictures.flat(31, 17, 255), pictures.noise(31, 17, 1, seed=1),
                  pictures.flat(31, 17, 0), pictures.noise(31, 17, 4, seed=2)]
        self.assertGreater(len(pictures.components(frames[1], 200)), 5)
        for limit in 1, 5:
            self.check(frames, threshold=200, limit=limit)

    def test_moving(self):
        frames = [pictures.flat(31, 17, 100), pictures.flat(31, 17, 100),
                  pictures.flat(31, 17, 140)]
        out = self.parse(self.run_json(self.write(frames) + " ! cca foreground=sigma-delta"
                                       " warm-up=1 min-contrast=20"))
        self.assertEqual([o["foreground"] for o in out], ["sigma-delta"] * 3)
        self.assertEqual([o["warming_up"] for o in out], [True, True, False])
        self.assertEqual([o["threshold"] for o in out], [20] * 3)
        self.assertEqual([o["n_found"] for o in out], [0, 0, 1])

    def test_strides(self):
        frames = [pictures.noise(19, 11, 2, seed=i) for i in range(3)]
        for stride in 19, 20, 32, 101:
            with self.subTest(stride=stride):
                self.check(frames, stride=stride)


class Streams(Case):
    def setUp(self):
        super().setUp()
        self.frames = [pictures.noise(40, 30, 3, seed=i) for i in range(8)]
        self.source = self.write(self.frames)
        self.plain = self.run_json(self.source + " ! cca")

    def test_words(self):
        """As words, as gst-launch-1.0 takes them, or with a sink of its own."""
        self.assertEqual(len(self.parse(self.plain)), len(self.frames))
        self.assertEqual(self.run_json(*self.source.replace('"', "").split(), "!", "cca"),
                         self.plain)
        for end in (" ! fakesink", " ! queue ! cca threshold=9 ! fakesink sync=false"):
            self.assertEqual(self.run_json(self.source + " ! cca" + end), self.plain)
        self.assertEqual(self.run_json(f"( {self.source} ! cca )"), self.plain)

    def test_as_fast_as_possible(self):
        """An open end does not wait for the clock."""
        begin = time.monotonic()
        out = self.run_json("videotestsrc num-buffers=9 ! "
                            "video/x-raw,format=GRAY8,framerate=1/5 ! cca")
        self.assertEqual(len(self.parse(out)), 9)
        self.assertLess(time.monotonic() - begin, 20)

    def test_file_name_with_blank(self):
        source = self.write(self.frames, name="two words.gray")
        self.assertEqual(self.run_json(source + " ! cca"),
                         self.plain.replace("frames.gray", "two words.gray"))

    def test_scaled(self):
        """Coordinates stay those of the analysed picture."""
        scale = " ! cca ! videoscale ! video/x-raw,width=97,height=15 ! identity"
        self.assertEqual(self.run_json(self.source + scale), self.plain)

    def test_no_duplicates(self):
        tee = " ! cca ! tee name=t ! queue ! fakesink t. ! queue ! fakesink t. ! queue ! identity"
        self.assertEqual(self.run_json(self.source + tee), self.plain)

    def test_unanalysed_branch(self):
        tee = " ! tee name=t ! queue ! fakesink t. ! queue ! cca"
        self.assertEqual(self.run_json(self.source + tee), self.plain)

    def test_no_timestamps(self):
        frame = [[(40 * y + x) % 256 for x in range(40)] for y in range(30)]
        out = self.parse(self.run_json(
            "fakesrc num-buffers=2 format=time sizetype=fixed sizemax=1200 filltype=pattern ! "
            "video/x-raw,format=GRAY8,width=40,height=30,framerate=0/1 ! cca"))
        self.assertEqual([o["pts"] for o in out], [None, None])
        self.assertEqual(out[0]["components"], pictures.components(frame))

    def test_output(self):
        path = self.path("out.jsonl")
        self.assertEqual(self.run_json("--output", path, self.source + " ! cca"), "")
        with open(path) as f:
            self.assertEqual(f.read(), self.plain)

    def test_csv(self):
        """One line for each component of the same frames, one for each frame without
        components, with CRLF as RFC 4180 requires."""
        frames = [self.frames[0], pictures.flat(40, 30, 0), self.frames[1]]
        source = self.write(frames, name="csv.gray") + " ! cca max-components=9"
        text = self.run_json("--csv", "--output", self.path("out.csv"), source)
        self.assertEqual(text, "")
        with open(self.path("out.csv"), newline="") as f:
            text = f.read()
        self.assertEqual(text.count("\r\n"), text.count("\n"))
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        self.assertEqual(rows[0], ["frame", "time", "source", *COMPONENT_KEYS, "group"])
        expected = []
        for n, line in enumerate(self.parse(self.run_json(source))):
            none = [dict.fromkeys(COMPONENT_KEYS)]
            expected += [[n, line["pts"] / 1e9, "csv.gray",
                          *(v if v != [] else None for v in c.values()), None]
                         for c in line["components"] or none]
        self.assertGreater(len(expected), 5)
        self.assertIn([1, 0.04, "csv.gray"] + 11 * [None], expected)
        self.assertEqual(expected[-1][0], 2)
        self.assertEqual([[field if i == 2 else json.loads(field or "null")
                           for i, field in enumerate(row)] for row in rows[1:]], expected)

    def test_events(self):
        """One line for each event, of the same frames as in the lines of JSON."""
        source = (BALL.replace("ball", "ball num-buffers=90") + " ! cca min-area=9 ! ccatrack settle-frames=1 "
                  'line-margin=0 line-margin-min=0 lines="<[a,x1=55,y1=0,x2=55,y2=60]>" '
                  'zones="<[b,points=<55,0,80,0,80,60,55,60>]>"')
        lines = [json.loads(line) for line in self.run_json(source).splitlines()]
        expected = [["frame", "time", "source", "message", "event", "id", "name", "direction", "reason",
                     "count", "to_left", "to_right", "dwell"]]
        for n, line in enumerate(lines):
            for e in line["events"]:
                time = f"{e['timestamp'] // 10**9}.{e['timestamp'] % 10**9:09}"
                e["name"] = e.get("line", e.get("zone", ""))
                fields = [e.get(k, "") for k in ("message", "event", "id", "name", "direction",
                                                 "reason", "count", "to_left", "to_right",
                                                 "dwell")]
                expected.append([str(n), time, "", *map(str, fields)])
        self.assertLessEqual({("cca-track", "crossed", "a"), ("cca-zone", "entered", "b")},
                             {(row[3], row[4], row[6]) for row in expected})
        self.assertNotIn("path", lines[2]["events"][0])
        text = self.run_json("--events", "--output", self.path("events.csv"), source)
        self.assertEqual(text, "")
        with open(self.path("events.csv"), newline="") as f:
            text = f.read()
        self.assertEqual(text.count("\r\n"), text.count("\n"))
        self.assertEqual(list(csv.reader(io.StringIO(text, newline=""), strict=True)), expected)
        with start("--csv", "--events", source) as process:
            out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (2, ""))
        self.assertIn("--events", err)

    def test_zones(self):
        """The names of the zones of each component, after a line, as JSON and as CSV."""
        half = "points=<55,0,80,0,80,60,55,60>"
        source = (BALL.replace("ball", "ball num-buffers=60") + " ! cca min-area=9 ! ccatrack "
                  'lines="<[gate,x1=0,y1=0,x2=9,y2=9]>" '
                  f'zones="<[right,{half}],[all,points=<0,0,80,0,80,60,0,60>],[same,{half}]>"')
        zones = [c["zones"] for line in map(json.loads, self.run_json(source).splitlines())
                 for c in line["components"]]
        self.assertEqual({tuple(z) for z in zones}, {(), ("all",), ("right", "all", "same")})
        rows = list(csv.DictReader(io.StringIO(self.run_json("--csv", source), newline="")))
        self.assertEqual([row["zones"] for row in rows], [";".join(z) for z in zones])

    def test_groups(self):
        """The group is in JSON if there are groups, and a column of CSV."""
        self.images()
        args = "-i", self.path("03.jpg"), "cca threshold=100 group-distance="
        groups = {"8": [1, 2, 3], "9": [1, 1, 1]}
        for distance, wanted in groups.items():
            line = json.loads(self.run_json(*args[:2], args[2] + distance))
            self.assertEqual([c["group"] for c in line["components"]], wanted)
            table = self.run_json("--csv", *args[:2], args[2] + distance)
            self.assertEqual([int(row["group"]) for row in
                              csv.DictReader(io.StringIO(table, newline=""))], wanted)

    def test_csv_of_nothing(self):
        """Frames without components have a line; the time may be unknown."""
        source = self.write([pictures.flat(9, 9, 0)] * 3, name="dark.gray")
        header = ",".join(["frame", "time", "source", *COMPONENT_KEYS, "group"]) + "\r\n"
        lines = "".join(f"{n},0.{4 * n:02}0000000,dark.gray,,,,,,,,,,,\r\n" for n in range(3))
        with start("--csv", source + " ! cca", text=False) as process:
            out, err = process.communicate(timeout=60)
        self.assertEqual((out.decode(), err), (header + lines, b""))
        with start("--csv", "--count=2", "fakesrc format=time sizetype=fixed sizemax=4 "
                   "filltype=pattern ! video/x-raw,format=GRAY8,width=4,height=1,framerate=0/1 ! "
                   "cca threshold=1", text=False) as process:
            out, err = process.communicate(timeout=60)
        lines = "".join(f"{n},,,1,2,0,2,1,2,2.5,0,,,\r\n" for n in range(2))
        self.assertEqual((out.decode(), err), (header + lines, b""))

    def images(self):
        """Pictures of 1, 2, 0 and 3 squares, as JPEG files 00.jpg to 03.jpg."""
        frames = []
        for n in (1, 2, 0, 3):
            frames.append(pictures.flat(64, 48, 0))
            for y in range(16, 32):
                for square in range(n):
                    frames[-1][y][16 * square + 8:16 * square + 16] = [255] * 8
        self.run_json(self.write(frames) + " ! cca ! jpegenc ! multifilesink "
                      f"location={self.folder}/%02d.jpg")
        return [(i, k + 1) for i, n in enumerate((1, 2, 0, 3)) for k in range(n) or (-1,)]

    def rows(self, *args):
        return [(int(row["frame"]), row["source"], int(row["id"] or 0)) for row in
                csv.DictReader(io.StringIO(self.run_json("--csv", *args), newline=""))]

    def test_series(self):
        """A series of images by number: each frame has its number in the series."""
        wanted = self.images()
        source = (f"multifilesrc location={self.folder}/%02d.jpg ! decodebin ! videoconvert ! "
                  "cca threshold=100")
        self.assertEqual(self.rows(source), [(i, "%02d.jpg", k) for i, k in wanted])
        lines = self.parse(self.run_json(source))
        self.assertEqual([(line["frame"], line["source"], line["n_found"]) for line in lines],
                         [(i, "%02d.jpg", n) for i, n in enumerate((1, 2, 0, 3))])

    def test_inputs(self):
        """Each row has the name of its image."""
        wanted = [(i, f"{i:02}.jpg", k) for i, k in self.images()]
        pattern = os.path.join(self.folder, "*.jpg")
        first, last = (os.path.join(self.folder, f"0{i}.jpg") for i in (0, 3))
        words = "cca", "threshold=100"
        self.assertEqual(self.rows("--input", pattern, " ".join(words)), wanted)
        self.assertEqual(self.rows("--input", pattern, *words), wanted)
        self.assertEqual(self.rows("--count=2", "-i", last, "-i", pattern, *words),
                         [(0, "03.jpg", 1), (0, "03.jpg", 2), (0, "03.jpg", 3), (1, "00.jpg", 1)])
        lines = self.parse(self.run_json("-i", last, "-i", first, *words))
        self.assertEqual([(line["frame"], line["source"], line["n_found"]) for line in lines],
                         [(0, "03.jpg", 3), (1, "00.jpg", 1)])
        # a broken image is named, and the others are read
        with open(self.path("01.jpg"), "w") as f:
            f.write("no picture at all, whatever its name says")
        with start("--csv", "--input", pattern, *words) as process:
            out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("01.jpg: ", err)
        self.assertEqual([row["source"] for row in csv.DictReader(io.StringIO(out, newline=""))],
                         ["00.jpg", "02.jpg"] + 3 * ["03.jpg"])
        with start("--input", self.path("*.png"), *words) as process:
            out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (2, ""))
        self.assertEqual(err, f"cca-json: no file matches {self.path('*.png')}\n")

    def test_killed(self):
        """Each line of live video is in the file at once, also by the recipes' filesink."""
        live = BALL.replace("ball", "ball is-live=true") + " ! cca"
        path = self.path("lines")
        for args in ((live, "--output", path), ("--csv", live, "--output", path),
                     (live + f" ! ccajson ! filesink buffer-mode=unbuffered location={path}",
                      "--output", self.path("others"))):
            with self.subTest(args=args):
                with start(*args) as process:
                    deadline = time.monotonic() + 60
                    while not os.path.exists(path) or read(path).count("\n") < 3:
                        self.assertLess(time.monotonic(), deadline)
                        time.sleep(0.01)
                    process.kill()
                    process.communicate(timeout=60)
                self.assertLess(os.path.getsize(path), 65536)
                os.remove(path)

    def test_udp(self):
        """The recipe for RTP: each line arrives whole, and a receiver may join late."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as unused:
            unused.bind(("127.0.0.1", 0))
            port = unused.getsockname()[1]
        sender = start(BALL.replace("ball", "ball is-live=true") + " ! cca ! tee name=t ! queue ! "
                       "fakesink sync=false t. ! queue ! ccajson ! rtpgstpay config-interval=1 ! "
                       f"udpsink host=127.0.0.1 port={port}", "--output", self.path("sent"))
        self.addCleanup(sender.communicate)
        self.addCleanup(sender.kill)
        time.sleep(0.5)
        with subprocess.Popen(
                ["gst-launch-1.0", "-q", "udpsrc", f"port={port}",
                 "caps=application/x-rtp,media=application,clock-rate=90000,encoding-name=X-GST",
                 "!", "rtpgstdepay", "!", "fdsink"], stdout=subprocess.PIPE,
                text=True) as receiver:
            lines = [receiver.stdout.readline() for _ in range(5)]
            receiver.kill()
        sent = read(self.path("sent")).splitlines(keepends=True)
        self.assertIn(lines, [sent[i:i + 5] for i in range(1, len(sent) - 4)])

    def test_element(self):
        """The element gives the same lines, wherever it stands."""
        path = self.path("lines")
        for before in "cca", "cca ! videoscale ! video/x-raw,width=9 ! jpegenc", "cca ! identity":
            with self.subTest(before=before):
                self.assertEqual(self.run_json(f"{self.source} ! cca ! tee name=t ! fakesink "
                                               f"{self.source} ! {before} ! ccajson ! "
                                               f"filesink location={path}"), self.plain)
                self.assertEqual(read(path), self.plain)

    def test_element_to_others(self):
        """Over TCP, and through a pipe."""
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(60)
            lines = f"{self.source} ! cca ! ccajson ! "
            with start("--output", self.path("out"), self.source + " ! cca ! fakesink " + lines +
                       f"tcpclientsink host=127.0.0.1 port={server.getsockname()[1]}") as process:
                connection = server.accept()[0]
                with connection, connection.makefile() as f:
                    self.assertEqual(f.read(), self.plain)
                self.assertEqual((*process.communicate(timeout=60), process.returncode),
                                 ("", "", 0))
        self.assertEqual(self.run_json("--output", self.path("out"), self.source +
                                       " ! cca ! fakesink " + lines + "fdsink"), self.plain)

    def test_progress(self):
        with start("--progress", self.source + " ! cca") as process:
            out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (0, self.plain))
        self.assertRegex(err.splitlines()[-1], r"^cca-json: 8 frames in \d+\.\d s, ")

    def send(self):
        """Frames with metas to another process, for half a minute."""
        process = start("--output", self.path("sent"),
                        "videotestsrc is-live=true num-buffers=750 pattern=ball ! "
                        "video/x-raw,format=GRAY8,width=80,height=60,framerate=25/1 ! "
                        "cca threshold=60 ! "
                        f"unixfdsink sync=false socket-path={self.path('socket')}")
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 60
        while not os.path.exists(self.path("socket")):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        return process

    def check_received(self, received, sender):
        """The same frames as the sender's, but for the time."""
        sender.send_signal(signal.SIGINT)
        self.assertEqual(sender.communicate(timeout=60), ("", ""))
        with open(self.path("sent")) as f:
            sent = self.parse(f.read())
        received = self.parse(received)
        self.assertEqual(len(received), 5)
        for line in sent + received:
            self.assertEqual(len(line["components"]), 1)
            del line["pts"], line["running_time"], line["frame"]
        self.assertIn(received, [sent[i:i + 5] for i in range(len(sent) - 4)])

    def test_from_another_process(self):
        """Without an element of ours there, cca-json itself registers the meta."""
        sender = self.send()
        received = self.run_json("--count=5", f"unixfdsrc socket-path={self.path('socket')}")
        self.check_received(received, sender)

    @unittest.skipIf(overlay_keeps_the_end(), "objectdetectionoverlay of GStreamer before 1.24.13")
    def test_drawn_by_another_process(self):
        sender = self.send()
        received = self.run_json(
            "--count=5", f"unixfdsrc socket-path={self.path('socket')} ! ccaexpand ! "
            "videoconvert ! objectdetectionoverlay object-detection-outline-color=0xffffffff "
            f"draw-labels=false ! filesink location={self.path('drawn')}")
        self.check_received(received, sender)
        with open(self.path("drawn"), "rb") as f:
            frames = f.read()
        for i, line in enumerate(self.parse(received)):
            (c,) = line["components"]
            # the ball does not reach its box's corner, which is drawn
            self.assertGreater(frames[80 * (60 * i + c["y"]) + c["x"]], 60)

    def test_locale(self):
        """A decimal point, even where people write a comma."""
        with open(self.path("numeric"), "w") as f:
            f.write('LC_NUMERIC\ndecimal_point ","\nthousands_sep "."\ngrouping 3;3\n'
                    "END LC_NUMERIC\n")
        with open(self.path("charmap"), "w") as f:
            f.write("<code_set_name> ANSI_X3.4-1968\n<escape_char> /\nCHARMAP\n")
            f.writelines(f"<U{i:04X}> /x{i:02x} c\n" for i in range(128))
            f.write("END CHARMAP\n")
        # complains of the categories that it gets no definition of
        subprocess.run(["localedef", "--no-archive", "-c", "-i", self.path("numeric"),
                        "-f", self.path("charmap"), self.path("comma")], capture_output=True)
        env = dict(os.environ, LOCPATH=self.folder, LC_ALL="comma")
        point = subprocess.run(
            [sys.executable, "-c", "import locale; locale.setlocale(locale.LC_ALL, ''); "
             "print(locale.localeconv()['decimal_point'], end='')"],
            env=env, capture_output=True, text=True)
        self.assertEqual(point.stdout, ",", point.stderr)
        self.assertIn(".", self.plain)
        self.assertEqual(self.run_json(self.source + " ! cca", env=env), self.plain)
        table = [self.run_json("--csv", self.source + " ! cca", env=e) for e in (env, None)]
        self.assertEqual(table[0], table[1])


class Ends(Case):
    def check_movie(self, path):
        """A muxer writes this box when the stream ends as it should."""
        with open(path, "rb") as f:
            self.assertIn(b"moov", f.read())

    def movie(self, path, source=BALL):
        return (source + " ! cca ! tee name=t ! queue ! fakesink t. ! queue ! jpegenc ! qtmux ! "
                f'filesink location="{path}"')

    def test_count(self):
        for n in 1, 2, 7:
            out = self.parse(self.run_json("--count", str(n), BALL + " ! cca"))
            self.assertEqual([o["pts"] * 30 // 10**9 for o in out],
                             [(i * 10**9 // 30) * 30 // 10**9 for i in range(n)])
        short = BALL.replace("ball", "ball num-buffers=3") + " ! cca"
        self.assertEqual(len(self.parse(self.run_json("--count", "9", short))), 3)
        self.assertEqual(len(self.parse(self.run_json("--count", "3", short))), 3)
        self.assertEqual(len(self.parse(self.run_json("--count", "0", short))), 3)

    def test_count_finishes_files(self):
        path = self.path("a.mov")
        self.assertEqual(len(self.parse(self.run_json("--count", "3", self.movie(path)))), 3)
        self.check_movie(path)

    def test_interrupt(self):
        path = self.path("a.mov")
        for which in signal.SIGINT, signal.SIGTERM:
            states = self.path(which.name)
            env = dict(os.environ, GST_DEBUG="GST_STATES:4", GST_DEBUG_FILE=states,
                       GST_DEBUG_NO_COLOR="1")
            with start(self.movie(path, BALL.replace("ball", "ball is-live=true")),
                       env=env) as process:
                first = process.stdout.readline() + process.stdout.readline()
                # frames may come before the last element, and with it the pipeline, plays
                while "<pipeline0> completed state change to PLAYING" not in read(states):
                    self.assertIsNone(process.poll())
                    time.sleep(0.01)
                process.send_signal(which)
                out, err = process.communicate(timeout=60)
            self.assertEqual((process.returncode, err), (0, ""))
            self.parse(first + out)
            self.check_movie(path)

    def test_closed_reader(self):
        with start(BALL + " ! cca") as process:
            self.parse(process.stdout.readline())
            process.stdout.close()
            self.assertEqual(process.wait(timeout=60), 0)
            self.assertEqual(process.stderr.read(), "")

    def check_error(self, status, sentence, *args, stdout=subprocess.PIPE, env=None):
        process = subprocess.run([CCA_JSON, *args], stdout=stdout, stderr=subprocess.PIPE,
                                 text=True, timeout=60, env=env)
        self.assertEqual(process.returncode, status, process.stderr)
        self.assertIn(sentence, process.stderr)
        self.assertRegex(process.stderr, r"\Acca-json: [^\n]+\n\Z")
        self.assertFalse(process.stdout)

    def test_bad_usage(self):
        self.check_error(2, "pipeline description is missing")
        self.check_error(2, "--bad", "--bad", "fakesrc ! fakesink")
        self.check_error(2, "negative", "--count=-1", "fakesrc ! fakesink")
        self.check_error(2, "--count", "--count=some", "fakesrc ! fakesink")
        self.check_error(2, "bad pipeline description", "")
        self.check_error(2, 'no element "nosuchelement"', "videotestsrc ! nosuchelement")
        self.check_error(2, 'no element "nosuchelement"\n', "videotestsrc", "!", "nosuchelement")
        self.check_error(2, "syntax error", "videotestsrc ! ! cca")
        self.check_error(2, "nosuchproperty", "videotestsrc ! cca nosuchproperty=3")
        self.check_error(2, "could not link", "videotestsrc ! video/x-raw,format=RGB ! cca")
        env = dict(os.environ, CUDA_VISIBLE_DEVICES="", GST_REGISTRY=self.path("registry"))
        self.check_error(2, "gst-inspect-1.0 cudacca", "videotestsrc ! cudaccaoverlay", env=env)
        self.check_error(2, "put videoconvert before the element",
                         "videotestsrc ! video/x-raw,format=YUY2 ! cca")

    def test_failures(self):
        missing = self.path("missing")
        self.check_error(1, f'No such file "{missing}"',
                         f"filesrc location={missing} ! decodebin ! cca")
        with open(self.path("text"), "w") as f:
            f.write("This is no video.\n" * 100)
        self.check_error(1, "text", f'filesrc location={self.path("text")} ! decodebin ! cca')
        self.check_error(1, "identity0: Failed after iterations as requested.\n",
                         BALL + " ! identity error-after=1 ! cca")

    def test_no_meta(self):
        for pipeline in (BALL.replace("ball", "ball num-buffers=2") + " ! identity",
                         "videotestsrc num-buffers=0 ! video/x-raw,format=GRAY8 ! cca"):
            self.check_error(1, "no buffer carried a GstCcaMeta", pipeline)

    def test_no_plugin(self):
        env = dict(os.environ, GST_PLUGIN_PATH="", GST_REGISTRY=self.path("registry"))
        self.check_error(1, "the element ccajson is missing", "fakesrc ! fakesink", env=env)

    def test_bad_output(self):
        pipeline = BALL + " ! cca"
        self.check_error(1, "No such file or directory",
                         "--output", self.path("no/where"), pipeline)
        with open("/dev/full", "w") as full:
            self.check_error(1, "No space left on device", pipeline, stdout=full)
        for n in 1, 2, 3:
            self.check_error(1, "No space left on device", "--output", "/dev/full",
                             BALL.replace("ball", f"ball num-buffers={n}") + " ! cca")
        with open("/dev/full", "w") as full:
            self.check_error(1, "No space left on device", "--csv", pipeline, stdout=full)

    def test_help(self):
        out = self.run_json("--help")
        for option in "--count", "--csv", "--output", "--progress":
            self.assertIn(option, out)

    def test_version(self):
        for args in ("--version",), ("--version", "fakesrc ! fakesink"):
            self.assertRegex(self.run_json(*args), r"\Acca-json \d+\.\d+\.\d+\n\Z")


if __name__ == "__main__":
    unittest.main()
