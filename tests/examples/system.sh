# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
# shellcheck shell=bash
#
# The checks of examples/demo, examples/count and examples/record, for tests/env/system, which has
# `top`, `work`, `fail` and `refused`.
: "${top:?}" "${work:?}"

# The demo on its own clip: all results exist and agree with each other.
check_demo() {
    local out=$work
    "$top/examples/demo" --frames 40 --output "$out" >"$out/said"
    cat "$out/said"
    /usr/bin/python3 - "$out" <<'P'
import json, re, sys
out = sys.argv[1]
frames = [json.loads(line) for line in open(f"{out}/components.jsonl")]
assert len(frames) == 40, len(frames)
for name in "frame", "mask":
    assert open(f"{out}/{name}.png", "rb").read(8) == b"\x89PNG\r\n\x1a\n"
last = -1
for n, frame in enumerate(frames):
    assert frame["pts"] > last and (frame["width"], frame["height"]) == (640, 360), frame
    last = frame["pts"]
    assert frame["foreground"] == "sigma-delta" and frame["warming_up"], frame
    assert frame["n_found"] == len(frame["components"]) and not frame["truncated"]
    # nothing in the first; then what moves, and where it was at first
    assert (2 if n > 24 else 0) <= frame["n_found"] <= (30 if n else 0), (n, frame["n_found"])
    for rank, c in enumerate(frame["components"], 1):
        assert c["id"] == rank
        assert c["x"] + c["width"] <= 640 and c["y"] + c["height"] <= 360
        assert 153 <= c["area"] <= c["width"] * c["height"]
        assert c["x"] <= c["cx"] <= c["x"] + c["width"] - 1
        assert c["y"] <= c["cy"] <= c["y"] + c["height"] - 1
said = open(f"{out}/said").read()
still = int(re.search(r"^still  *frame (\d+), .*; the background was still warming up$", said, re.M)[1])
assert still == max(range(26, 40), key=lambda n: frames[n]["n_found"]), still
assert re.search(r"^foreground  sigma-delta, .*, background period 4 frames, ", said, re.M)
assert re.search(r"^crossed     left 0, right 0$", said, re.M)
P
    # cca-json finds the same in the clip, and a frame in the video for each line
    cca-json --count 40 "filesrc location=$out/clip.mkv ! matroskademux ! h264parse ! avdec_h264 ! \
        videoconvert ! video/x-raw,format=I420 ! cca foreground=sigma-delta open-radius=1 close-radius=1 \
        min-area=153 ! ccatrack ! fakesink" >"$out/json"
    /usr/bin/python3 - "$out" <<'P'
import json, sys
one, two = ([json.loads(line) for line in open(f"{sys.argv[1]}/{name}")]
            for name in ("components.jsonl", "json"))
assert one == two, "demo and cca-json differ"
assert any(frame["events"] for frame in one), "no events to compare"
P
    # on these lines no car hides a walker, and all that cross them are counted
    "$top/examples/count" --format json --line a=160,360,160,0 --line b=213,360,213,0 \
        --line c=427,360,427,0 --line d=480,360,480,0 "$out/clip.mkv" >"$out/counts"
    /usr/bin/python3 - "$out/counts" <<'P'
import json, sys
lines = json.loads(open(sys.argv[1]).readlines()[-1])["lines"]
counts = {name: (line["to_left"], line["to_right"]) for name, line in lines.items()}
assert counts == {"a": (7, 8), "b": (8, 8), "c": (8, 9), "d": (8, 9)}, counts
P
    gst-launch-1.0 -q filesrc location="$out/overlay.mkv" ! matroskademux ! h264parse ! avdec_h264 ! \
        video/x-raw,format=I420 ! filesink location="$out/drawn"
    /usr/bin/python3 - "$out" <<'P'
import json, sys
frames = [json.loads(line) for line in open(f"{sys.argv[1]}/components.jsonl")]
drawn = open(f"{sys.argv[1]}/drawn", "rb").read()
size = 640 * 360
assert len(drawn) == 40 * size * 3 // 2, len(drawn)

def colour(track):      # docs/elements.md
    if track is None:
        return 255, 208, 0
    hue = (2654435769 * track % 2**32) * 1536 // 2**32
    rising, falling = 64 + 191 * (hue % 256) // 255, 64 + 191 * (255 - hue % 256) // 255
    return [(255, rising, 64), (falling, 255, 64), (64, 255, rising), (64, falling, 255),
            (rising, 64, 255), (255, 64, falling)][hue // 256]

boxes = seen = 0
for n, frame in enumerate(frames):
    planes = [drawn[n * size * 3 // 2 + size + i * size // 4:][:size // 4] for i in range(2)]
    for c in frame["components"]:       # at the middle of its upper and lower edge it has its colour
        r, g, b = colour(c["track"])
        wanted = 128 - 0.15 * r - 0.29 * g + 0.44 * b, 128 + 0.44 * r - 0.37 * g - 0.07 * b
        for y in c["y"], c["y"] + c["height"] - 1:
            places = [v * 320 + (c["x"] + c["width"] // 2) // 2
                      for v in range(max(0, y // 2 - 1), min(179, y // 2 + 1) + 1)]
            boxes += 1
            seen += min(max(abs(plane[i] - want) for plane, want in zip(planes, wanted))
                        for i in places) < 30
# others, trails and the line may hide some
assert boxes > 80 and seen > 0.9 * boxes, (seen, boxes)
P
}

# make_things FILE WIDTH HEIGHT FRAMES: a rough, noisy ground, and things that move.
make_things() {
    local stride=$((($2 + 3) / 4 * 4))
    /usr/bin/python3 - "$work/things" "$2" "$3" "$4" <<'P'
import random, sys
path, (width, height, frames) = sys.argv[1], map(int, sys.argv[2:])
rng = random.Random(5)
ground = [[rng.randrange(60, 140) for _ in range(width)] for _ in range(height)]
with open(path, "wb") as f:
    for t in range(frames):
        for y in range(height):
            row = bytearray(v + rng.randrange(8) for v in ground[y])
            for i in range(4):
                x = (t * (i + 1) // 2 + 37 * i) % width
                if 9 + 27 * i <= y < 28 + 27 * i:
                    row[x:x + 14] = bytes([40 + 60 * i]) * min(14, width - x)
            f.write(row + bytes(-width % 4))
P
    gst-launch-1.0 -q filesrc location="$work/things" ! rawvideoparse format=gray8 width="$2" height="$3" \
        framerate=25/1 plane-strides="<$stride>" frame-size=$((stride * $3)) ! \
        videoconvert ! video/x-raw,format=Y444 ! x264enc pass=quant quantizer=12 speed-preset=veryfast ! \
        matroskamux ! filesink location="$1"
}

# mask_shows CLIP WIDTH MODE [OPTION...]: the components of the demo's mask.png are those that the
# element finds in that frame, all of them; the frame is the one with most.
mask_shows() {
    local clip=$1 width=$2 mode=$3 out=$work/out properties still
    shift 3
    "$top/examples/demo" --output "$out" --foreground "$mode" --min-area 1 "$@" "$clip" >"$out.said"
    cat "$out.said"
    still=$(sed -n 's/^still  *frame \([0-9]*\),.*/\1/p' "$out.said")
    properties=$(sed -E 's/--frames [0-9]+//; s/--invert/invert=true/; s/--([a-z-]*) ([0-9]+)/\1=\2/g' <<<"$*")
    cca-json --count $((still + 1)) "filesrc location=$clip ! decodebin ! videoconvert ! \
        video/x-raw,format=I420 ! cca foreground=$mode $properties ! ccatrack ! fakesink" | tail -n 1 >"$out.element"
    cca-json "filesrc location=$out/mask.png ! pngdec ! videoconvert ! video/x-raw,format=GRAY8 ! \
        cca roi-x=$width $(grep -o 'connectivity=[48]' <<<"$properties") ! fakesink" >"$out.mask"
    /usr/bin/python3 - "$out" "$width" "$still" <<'P'
import json, sys
out, width, still = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
element, mask = (json.load(open(f"{out}.{name}"))["components"] for name in ("element", "mask"))
assert len(element) > 3, len(element)
for c in mask:
    c["x"] -= width
    c["cx"] -= width
for a, b in zip(element, mask, strict=True):
    assert b["track"] is None
    assert all(abs(a[key] - b[key]) < 1e-9 for key in a if key not in ("track", "zones")), (a, b)
frames = [json.loads(line) for line in open(f"{out}/components.jsonl")]
assert frames[still]["components"] == element
warm = [n for n in range(len(frames)) if not frames[n]["warming_up"]]
assert still in warm and frames[still]["n_found"] == max(frames[n]["n_found"] for n in warm), still
P
}

check_demo-mask() {
    local clip=$work/clip.mkv
    make_things "$clip" 161 121 290
    mask_shows "$clip" 161 sigma-delta --min-contrast 9 --background-period 3 --open-radius 1 --close-radius 1
    mask_shows "$clip" 161 sigma-delta --open-radius 0 --close-radius 0 --connectivity 4 --invert
    mask_shows "$clip" 161 difference --frames 30 --open-radius 0 --close-radius 3
    mask_shows "$clip" 161 otsu --frames 3 --open-radius 1 --close-radius 0
    mask_shows "$clip" 161 threshold --frames 3 --threshold 120 --open-radius 0 --close-radius 1
}

# Without motion the demo writes its pictures, too, and says that it found nothing. The still is the
# first frame of the last third, which is rounded up.
check_demo-still() {
    local out=$work
    gst-launch-1.0 -q videotestsrc num-buffers=10 pattern=checkers-8 ! video/x-raw,width=64,height=48 ! \
        x264enc ! matroskamux ! filesink location="$out/still.mkv"
    "$top/examples/demo" --output "$out" "$out/still.mkv" >"$out/said"
    cat "$out/said"
    grep -q '^still  *frame 6, nothing was found; the background was still warming up$' "$out/said" ||
        fail "the demo does not say so"
    [ -s "$out/frame.png" ] || fail "there is no frame.png"
    cca-json "filesrc location=$out/mask.png ! pngdec ! videoconvert ! cca roi-x=64 ! fakesink" >"$out/mask"
    grep -q '"width":128,"height":48,.*"components":\[\]' "$out/mask" || fail "mask.png is not black"
}

# examples/demo with a file of settings, whose lines and zones it draws; options precede it.
check_demo-settings() {
    local demo=$top/examples/demo clip=$work/clip.mkv settings=$work/settings.json
    make_things "$clip" 160 120 120
    cat >"$settings" <<'J'
{"version": 1, "width": 160, "height": 120, "cca": {
 "foreground": "sigma-delta", "open-radius": 1, "min-area": 40},
 "ccatrack": {"lines": [{"name": "gate", "points": [80, 120, 80, 0]},
                        {"name": "end", "points": [155, 120, 155, 0]}],
              "zones": [{"name": "all", "points": [0, 0, 160, 0, 160, 120, 0, 120]}]}}
J
    "$demo" --device cpu --output "$work" --settings "$settings" "$clip" >"$work/said"
    cat "$work/said"
    grep -q '^foreground  sigma-delta, .*, opening radius 1, closing radius 0, .* minimum area 40 pixels$' "$work/said" ||
        fail "the properties are others"
    grep -qE '^crossed     gate left 0, right [1-9][0-9]*; end left ' "$work/said" || fail "the lines do not count"
    grep -q '"zone":"all"' "$work/components.jsonl" || fail "there is no zone"
    "$demo" --device cpu --output "$work" --settings "$settings" --min-area 50 --line 0,60,160,60 \
        --cca 'min-contrast=20 close-radius=2' --track max-lost=9 "$clip" >"$work/said"
    cat "$work/said"
    grep -q '^foreground  sigma-delta, minimum contrast 20, .*, closing radius 2, .* minimum area 50 pixels$' \
        "$work/said" || fail "options do not precede the file"
    grep -qE '^crossed     up 0, down [0-9]+$' "$work/said" || fail "--line does not precede the file"
    refused "there is no file" "$demo" --settings "$work/missing.json" "$clip"
    refused 'no property "colour" in element "cca"' "$demo" --device cpu --output "$work" --cca colour=1 "$clip"
    sed -i 's/160,/320,/' "$settings"
    refused "the settings are for video of 320x120, this one has 160x120" \
        "$demo" --device cpu --output "$work" --settings "$settings" "$clip"
}

# A camera that appears late, and is lost: it is recorded until Ctrl-C, and then analysed.
check_demo-camera() {
    make_things "$work/things.mkv" 160 120 60
    mkdir "$work/web" "$work/out"
    /usr/bin/python3 - "$top/examples/demo" "$work" <<'P'
import functools, http.server, json, os, shutil, signal, subprocess, sys, threading, urllib.parse
demo, work = sys.argv[1:]
class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass
server = http.server.ThreadingHTTPServer(
    ("127.0.0.1", 0), functools.partial(Quiet, directory=f"{work}/web"))
threading.Thread(target=server.serve_forever, daemon=True).start()
uri = urllib.parse.urlunsplit(("http", f"127.0.0.1:{server.server_port}", "/late.mkv", "", ""))
run = subprocess.Popen([demo, "--device", "cpu", "--output", f"{work}/out", "--threshold", "128", uri],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
def until(words):
    while words not in (line := run.stderr.readline()):
        assert line, "it ended"
    return line
until("; Ctrl-C ends it")
assert until("; connecting again").startswith(f"examples/demo: {uri}: ")
shutil.copy(f"{work}/things.mkv", f"{work}/web/new.mkv")
os.rename(f"{work}/web/new.mkv", f"{work}/web/late.mkv")
until(f"{uri}: the stream ended; connecting again in 1 s")
until(f"{uri}: the stream ended; connecting again in 1 s")
run.send_signal(signal.SIGINT)
said, errors = run.communicate(timeout=400)
print(said, errors)
assert run.returncode == 0, run.returncode
frames = [json.loads(line) for line in open(f"{work}/out/components.jsonl")]
assert len(frames) >= 120 and len(frames) % 60 == 0, len(frames)
times = [frame["pts"] for frame in frames]
assert times == sorted(set(times))
assert max(frame["n_found"] for frame in frames) > 0
P
}

# examples/count: its table and its last line agree. All objects move to the right.
check_count() {
    local count=$top/examples/count clip=$work/clip.mkv
    make_things "$clip" 160 120 200
    "$count" --min-area 40 "$clip" >"$work/said"
    cat "$work/said"
    grep -qE '^ +[0-9]+:[0-9]{2}\.[0-9]{2} +[0-9]+ +line +right +3$' "$work/said" || fail "3 did not cross it"
    [[ $(tail -n 1 "$work/said") =~ ^'left 0, right '[0-9]+$ ]] || fail "some went to the left"
    "$count" --line down=80,0,80,120 --line 80,0,70,60,80,120 --min-area 40 --format json "$clip" >"$work/said"
    grep -q '"lines": {"down": {"to_left": [1-9][0-9]*, "to_right": 0, .*"line2": {"to_left": [1-9]' "$work/said" ||
        fail "the lines do not count"
    refused "--line takes whole numbers, X1,Y1,X2,Y2 and more points, and before them NAME=, not '1,2'" \
        "$count" --line 1,2 "$clip"
    refused "has the same point twice in a row" "$count" --line 1,2,1,2 "$clip"
    refused "--zone takes whole numbers, X1,Y1,X2,Y2,X3,Y3 and more points, and before them NAME=, not '1,2,3,4'" \
        "$count" --zone 1,2,3,4 "$clip"
    "$count" --zone right=80,0,160,0,160,120,80,120 --min-area 40 "$clip" "file://$clip" >"$work/said"
    [ "$(grep -E ' right +entered +1  ' "$work/said" | sed 's/.*  //' | sort -u | wc -l)" = 2 ] ||
        fail "nothing enters the zone in one of two videos"
    refused "--format is text, csv or json, not 'xml'" "$count" --format xml "$clip"
    refused "--device is cpu or cuda, not 'gpu'" "$count" --device gpu "$clip"
    refused "--min-area takes a whole number" "$count" --min-area 0 "$clip"
    refused "there is no option --colour" "$count" --colour
    refused "which video?" "$count"
    refused "there is no file" "$count" "$work/missing.mkv"
}

# examples/count with cudacca on the simulated driver.
check_count-cuda() {
    local driver=$top/build/default/tests/simcuda count=$top/examples/count clip=$work/clip.mkv
    [ -e "$driver/libcuda.so.1" ] || { echo "there is no simulated driver: built without CUDA"; exit 77; }
    make_things "$clip" 160 120 100
    "$count" --min-area 40 --format csv "$clip" >"$work/cpu"
    LD_LIBRARY_PATH=$driver:${LD_LIBRARY_PATH:-} GST_REGISTRY=$work/registry \
        "$count" --min-area 40 --format csv --device cuda "$clip" >"$work/cuda"
    cat "$work/cuda"
    cmp "$work/cpu" "$work/cuda" || fail "cca and cudacca differ"
    [ "$(wc -l <"$work/cuda")" -gt 1 ] || fail "there is nothing to compare"
    has_gpu || refused "there is no cudacca without an NVIDIA GPU" "$count" --device cuda "$clip"
}

# make_visits FILE SECONDS FROM-TO...: at 25 frames/s, in 160x120, a bright square in these frames.
make_visits() {
    local file=$1 frames=$(($2 * 25))
    shift 2
    /usr/bin/python3 - "$work/visits" $frames "$@" <<'P'
import sys
path, frames = sys.argv[1], int(sys.argv[2])
spans = [tuple(map(int, span.split("-"))) for span in sys.argv[3:]]
with open(path, "wb") as f:
    for t in range(frames):
        rows = [bytearray([60 + (t + y) % 20]) * 160 for y in range(120)]
        for begin, end in spans:
            if begin <= t <= end:       # largest in the middle
                size = 20 + min(t - begin, end - t)
                for row in rows[30:30 + size]:
                    row[50:50 + size] = bytes([220]) * size
        f.write(b"".join(rows))
P
    gst-launch-1.0 -q filesrc location="$work/visits" ! rawvideoparse format=gray8 width=160 height=120 \
        framerate=25/1 ! videoconvert ! x264enc key-int-max=50 bframes=2 option-string=scenecut=0 ! \
        h264parse ! matroskamux ! filesink location="$file"
}

# decode FILE OUTPUT: its frames as GRAY8.
decode() {
    gst-launch-1.0 -q filesrc location="$1" ! matroskademux ! h264parse ! avdec_h264 ! videoconvert ! \
        video/x-raw,format=GRAY8 ! filesink location="$2"
}

# examples/record: files are parts of the video, frame by frame, that begin at the right key frame.
check_record() {
    local record=$top/examples/record clip=$work/clip.mkv out=$work/out file
    local options=(--start 2026-01-31T12:00:00Z --before 2 --after 1 --activity max-gap=400000000
        --cca "foreground=threshold threshold=128")
    make_visits "$clip" 40 0-9 120-140 160-170 555-580 900-999
    "$record" --output "$out" "${options[@]}" "$clip"
    ls -l "$out"
    cat "$out/index.jsonl"
    decode "$clip" "$work/whole"
    for file in "$out"/*.mkv; do
        decode "$file" "$file.gray"
    done
    /usr/bin/python3 - "$out" "$work/whole" <<'P'
import json, os, sys
out, size = sys.argv[1], 160 * 120
def frames(path):
    data = open(path, "rb").read()
    return [data[i:i + size] for i in range(0, len(data), size)]
whole = frames(sys.argv[2])
assert len(whole) == 1000, len(whole)
lines = [json.loads(line) for line in open(f"{out}/index.jsonl")]
# first frame of the file, first, last and peak frame of the event, last frame of the file
expected = [(0, 0, 9, 4, 34), (50, 120, 140, 130, 195), (50, 160, 170, 165, 195),
            (500, 555, 580, 567, 605), (850, 900, 999, 949, 999)]
assert [line["number"] for line in lines] == [1, 2, 3, 4, 5], lines
for line, (begin, first, last, peak, end) in zip(lines, expected, strict=True):
    second, ms = divmod(first * 40, 1000)
    assert line["start"] == f"2026-01-31T12:00:{second:02}.{ms:03}Z", line
    assert "why" not in line and line["reason"] == ("eos" if last == 999 else "gap"), line
    offsets = [line[f"{name}_offset"] for name in ("start", "end", "peak")]
    assert offsets == [(n - begin) / 25 for n in (first, last, peak)], (offsets, line)
    file = frames(f"{out}/{line['file']}.gray")
    assert file[:end + 1 - begin] == whole[begin:end + 1], line
    assert len(file) <= end + 3 - begin, line       # and what these refer to
    assert open(f"{out}/{line['thumbnail']}", "rb").read(2) == b"\xff\xd8", line
    os.system(f"gst-launch-1.0 -q filesrc location={out}/{line['thumbnail']} ! jpegdec ! videoconvert ! "
              f"video/x-raw,format=GRAY8 ! filesink location={out}/picture")
    picture = open(f"{out}/picture", "rb").read()
    errors = [sum(abs(a - b) for a, b in zip(picture, whole[n][:size])) / size for n in (peak, peak - 2)]
    assert errors[0] < min(4, errors[1]), (errors, line)
assert len({line["file"] for line in lines}) == 4 and len({line["thumbnail"] for line in lines}) == 5
assert lines[1]["file"] == lines[2]["file"]
P
    # once more into the same folder, with two files that are too large for the disk
    (ulimit -f 6 && /usr/bin/python3 "$top/examples/record.py" --output="$out" --start=2026-01-31T12:00:00Z --before=2000 \
        --after=1 "--cca=foreground=threshold threshold=128" "$clip") >"$work/said" 2>&1 || fail "it ended"
    cat "$work/said"
    grep -q 'Z-000001-2.mkv ends early: ' "$work/said" || fail "the full disk is not told"
    grep -q '"why": ' "$out/index.jsonl" || fail "the index does not say why the file is short"
    ! ls "$out"/*.part || fail "there are unfinished files"
}

# A killed recording is taken over by the next one; a camera's times are those of the clock.
check_record-killed() {
    local out=$work/out pid deadline=$((EPOCHSECONDS + 60)) begun=$EPOCHSECONDS
    local live='videotestsrc is-live=true pattern=ball ! video/x-raw,width=160,height=120,framerate=25/1 !
        x264enc tune=zerolatency key-int-max=10 ! h264parse'
    local options=(--output "$out" --before 0.5 --after 0.5 --cca "foreground=threshold threshold=128" --source "$live")
    "$top/examples/record" "${options[@]}" &
    pid=$!
    while ! find "$out" -name '*.part' -size +0 2>/dev/null | grep -q .; do
        [ $EPOCHSECONDS -lt $deadline ] || fail "nothing is recorded"
        sleep 0.1
    done
    sleep 2
    kill -KILL $pid
    "$top/examples/record" "${options[@]}" >"$work/said" 2>&1 &
    pid=$!
    sleep 5
    kill -INT $pid
    wait $pid || fail "it ended with an error"
    cat "$work/said" "$out/index.jsonl"
    grep -q 'mkv was interrupted$' "$work/said" || fail "the interruption is not told"
    ! ls "$out"/*.part || fail "there are unfinished files"
    /usr/bin/python3 - "$out" "$begun" <<'P'
import datetime, json, os, sys
first, second = [json.loads(line) for line in open(f"{sys.argv[1]}/index.jsonl")]
assert first["number"] is None and first["why"] and os.path.getsize(f"{sys.argv[1]}/{first['file']}") > 1000
start, end = (datetime.datetime.fromisoformat(second[name]).timestamp() for name in ("start", "end"))
assert int(sys.argv[2]) <= start < end < start + 60 and second["reason"] == "eos", second
P
    gst-launch-1.0 -q filesrc location="$(find "$out" -name '*.mkv' | sort | head -n 1)" ! matroskademux ! h264parse ! \
        avdec_h264 ! fakesink || fail "the interrupted file cannot be played"
}

check_record-bad-input() {
    local record=$top/examples/record
    echo "no video" >"$work/text.mkv"
    gst-launch-1.0 -q audiotestsrc num-buffers=10 ! wavenc ! filesink location="$work/sound.wav"
    refused "there is no file" "$record" "$work/missing.mkv"
    refused "which video?" "$record"
    refused "VIDEO or --source" "$record" --source videotestsrc "$work/text.mkv"
    refused "one video at a time" "$record" "$work/text.mkv" "$work/text.mkv"
    refused "there is no option --colour" "$record" --colour
    refused "--before takes seconds, not 'soon'" "$record" --before soon
    refused "--keep-mb takes a whole number from 1, not '0'" "$record" --keep-mb 0
    refused "--start takes a time such as" "$record" --start today
    refused "--device is cpu or cuda, not 'gpu'" "$record" --device gpu
    refused "--output needs a value" "$record" --output
    refused "is not a folder" "$record" --output "$work/text.mkv" "$work/text.mkv"
    refused "there is no video in it" "$record" --output "$work/out" "$work/sound.wav"
    refused "no element \"missing\"" "$record" --output "$work/out" --source missing
    refused "type" "$record" --output "$work/out" "$work/text.mkv"
}

# The demo with cudacca on the simulated driver: frames decoded by the CPU are uploaded.
check_demo-cuda() {
    local driver=$top/build/default/tests/simcuda out=$work name mode
    [ -e "$driver/libcuda.so.1" ] || { echo "there is no simulated driver: built without CUDA"; exit 77; }
    make_things "$out/clip.mkv" 160 120 30
    for mode in otsu sigma-delta; do
        "$top/examples/demo" --output "$out" --foreground $mode --device cpu "$out/clip.mkv"
        for name in components.jsonl frame.png mask.png; do
            mv "$out/$name" "$out/cpu.$name"
        done
        LD_LIBRARY_PATH=$driver:${LD_LIBRARY_PATH:-} GST_REGISTRY=$out/registry \
            GST_DEBUG=basetransform:5 GST_DEBUG_FILE=$out/log GST_DEBUG_NO_COLOR=1 \
            "$top/examples/demo" --output "$out" --foreground $mode --device cuda "$out/clip.mkv" >"$out/said"
        cat "$out/said"
        grep -q '^engine  *cudacca (cuda)$' "$out/said" || fail "it did not use cudacca"
        for name in components.jsonl frame.png mask.png; do
            cmp "$out/cpu.$name" "$out/$name" || fail "cca and cudacca differ"
        done
        grep -q '"id":2,' "$out/components.jsonl" || fail "there is nothing to compare"
    done
    cca-json --count 12 "filesrc location=$out/clip.mkv ! decodebin3 ! cca ! fakesink" >"$out/cpu"
    LD_LIBRARY_PATH=$driver:${LD_LIBRARY_PATH:-} GST_REGISTRY=$out/registry cca-json --count 12 \
        "filesrc location=$out/clip.mkv ! decodebin3 ! cudaupload ! cudacca ! fakesink" >"$out/gpu"
    cmp "$out/cpu" "$out/gpu" || fail "decodebin3 ! cudaupload ! cudacca and decodebin3 ! cca differ"
    [ "$(wc -l <"$out/gpu")" = 12 ] || fail "not 12 frames"
    LD_LIBRARY_PATH=$driver:${LD_LIBRARY_PATH:-} GST_REGISTRY=$out/registry gst-launch-1.0 -q \
        filesrc location="$out/clip.mkv" ! decodebin3 ! cudaupload ! cudacca ! ccajson ! filesink location="$out/lines"
    head -n 12 "$out/lines" | cmp - "$out/cpu" || fail "ccajson writes other lines for CUDA memory"
    grep -q '<cudaupload0> in caps:  video/x-raw, ' "$out/log" || fail "cudaupload did not get system memory"
    grep -q '<cca> in caps:  video/x-raw(memory:CUDAMemory), ' "$out/log" || fail "cudacca did not get CUDA memory"
}

check_demo-bad-input() {
    local out=$work demo=$top/examples/demo
    echo "no video" >"$out/text.mkv"
    : >"$out/empty.mkv"
    gst-launch-1.0 -q audiotestsrc num-buffers=10 ! wavenc ! filesink location="$out/sound.wav"
    gst-launch-1.0 -q videotestsrc num-buffers=1 ! pngenc ! filesink location="$out/picture.png"
    refused "there is no file" "$demo" --output "$out" "$out/missing.mkv"
    refused "is not a file that can be read" "$demo" --output "$out" "$out"
    gst-launch-1.0 -q videotestsrc num-buffers=1 ! matroskamux ! filesink location="$out/whole.mkv"
    head -c 300 "$out/whole.mkv" >"$out/broken.mkv"
    refused "is not a video of a known format" "$demo" --output "$out" "$out/text.mkv"
    refused "is not a video of a known format" "$demo" --output "$out" "$out/empty.mkv"
    refused "cannot be decoded as a video" "$demo" --output "$out" "$out/broken.mkv"
    refused "is not a video" "$demo" --output "$out" "$out/sound.wav"
    refused "is not a video" "$demo" --output "$out" "$out/picture.png"
    refused "there is no option --colour" "$demo" --colour
    refused "--threshold needs a value" "$demo" --threshold
    refused "--threshold takes a whole number from 0 to 255, not 'high'" "$demo" --threshold high
    refused "from 0 to 255" "$demo" --threshold 256
    refused "--min-area takes" "$demo" --min-area 0
    refused "--foreground is auto, threshold, otsu, difference or sigma-delta, not 'edges'" \
        "$demo" --foreground edges
    refused "--foreground needs a value" "$demo" --foreground
    refused "--min-contrast takes a whole number from 1 to 255, not '0'" "$demo" --min-contrast 0
    refused "--background-period takes a whole number from 1 to 65535" "$demo" --background-period 65536
    refused "--open-radius takes a whole number from 0 to 7" "$demo" --open-radius 8
    refused "--close-radius takes a whole number from 0 to 15" "$demo" --close-radius -1
    refused "--threshold says nothing with --foreground otsu" "$demo" --threshold 9 --foreground otsu
    refused "--min-contrast says nothing with --foreground threshold" "$demo" --threshold 9 --min-contrast 5
    refused "--background-period says nothing with --foreground difference" \
        "$demo" --background-period 5 --foreground difference
    refused "--line takes four whole numbers, X1,Y1,X2,Y2, not '1,2,3'" "$demo" --line 1,2,3
    refused "--connectivity is 4 or 8" "$demo" --connectivity 6
    refused "--show is boxes or mask, not 'all'" "$demo" --show all
    refused "--device is cpu, cuda or auto" "$demo" --device gpu
    refused "cannot write to the folder" "$demo" --output "$out/text.mkv"
    refused "one video at a time" "$demo" "$out/a.mkv" "$out/b.mkv"
    gst-inspect-1.0 --exists cudacca ||
        refused "this build has no element cudacca" "$demo" --output "$out" --device cuda "$out/text.mkv"
}

# make_noise FILE FRAMES WIDTH HEIGHT
make_noise() {
    gst-launch-1.0 -q videotestsrc num-buffers="$2" pattern=snow ! "video/x-raw,width=$3,height=$4" ! \
        x264enc ! matroskamux ! filesink location="$1"
}

# The demo replaces links by files and does not overwrite its video.
check_demo-outputs() {
    local out=$work/out name
    mkdir "$out"
    make_noise "$work/noise.mkv" 3 64 48
    echo kept >"$work/kept"
    for name in overlay.mkv frame.png mask.png components.jsonl; do
        ln -s "$work/kept" "$out/$name"
    done
    "$top/examples/demo" --output "$out" "$work/noise.mkv"
    [ "$(cat "$work/kept")" = kept ] || fail "a link was followed"
    for name in overlay.mkv frame.png mask.png components.jsonl; do
        [ ! -L "$out/$name" ] || fail "$name is still a link"
        [ -s "$out/$name" ] || fail "$name was not written"
    done
    cp "$out/overlay.mkv" "$work/kept"
    refused "would be overwritten" "$top/examples/demo" --output "$out" "$out/overlay.mkv"
    cmp "$out/overlay.mkv" "$work/kept"
    rm "$out/overlay.mkv"
    mkdir "$out/overlay.mkv"
    refused "overlay.mkv cannot be replaced" "$top/examples/demo" --output "$out" "$work/noise.mkv"
}

# ends_full SENTENCE ARG...: on a nearly full disk the demo fails with just that sentence.
ends_full() {
    local sentence=$1 said status=0
    shift
    # a limit on the size of files has the effect of a full disk
    said=$(ulimit -f 40 && timeout 60 "$top/examples/demo" "$@" 2>&1 >/dev/null) || status=$?
    echo "$said"
    [ $status = 1 ] || fail "exit status $status"
    said=$(grep -vE '^examples/demo [0-9]+:[0-9]+  |^  [0-9]+ frames' <<<"$said")
    [[ $said =~ ^"examples/demo: "$sentence$ ]] || fail "it said: $said"
}

check_demo-full-disk() {
    echo kept >"$work/kept"
    ln -s "$work/kept" "$work/clip.mkv"
    ends_full "$work/clip.mkv cannot be written \(.*\)" --output "$work"
    [ "$(cat "$work/kept")" = kept ] || fail "a link was followed"
    # the video fills it first; with many small components, the lines do
    make_noise "$work/large.mkv" 5 320 240
    ends_full 'Could not write to resource \(sink: .*\)' --output "$work" --threshold 255 "$work/large.mkv"
    make_noise "$work/small.mkv" 30 64 48
    ends_full 'Could not write to resource \(lines: .*\)' --output "$work" --threshold 128 --min-area 1 \
        --connectivity 4 --open-radius 0 --close-radius 0 "$work/small.mkv"
}

# The demo does not follow playlists.
check_demo-playlist() {
    /usr/bin/python3 - "$top/examples/demo" "$work" <<'P'
import os, socket, subprocess, sys
demo, work = sys.argv[1:]
server = socket.create_server(("127.0.0.1", 0))
server.setblocking(False)
port = server.getsockname()[1]
url = "{}://127.0.0.1:{}/".format("http", port)
hls = f"#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n{url}a.ts\n#EXT-X-ENDLIST\n"
lists = {
    "list.m3u8": hls,
    "named.mp4": hls,
    "tagged.mp3": "ID3\3\0\0\0\0\0\0" + hls,
    "list.mpd": '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" '
                'mediaPresentationDuration="PT9S" profiles="urn:mpeg:dash:profile:isoff-main:2011">'
                f'<BaseURL>{url}</BaseURL><Period><AdaptationSet mimeType="video/mp4"><Representation '
                'id="1" bandwidth="9" codecs="avc1.42c00d"><SegmentList duration="9"><SegmentURL '
                'media="a.mp4"/></SegmentList></Representation></AdaptationSet></Period></MPD>',
    "list.sdp": f"v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nt=0 0\r\na=control:rtsp://127.0.0.1:{port}/\r\n"
                "m=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=control:a\r\n",
}
for name, text in lists.items():
    path = os.path.join(work, name)
    open(path, "w", newline="").write(text)
    run = subprocess.run([demo, "--output", work, path], stdin=subprocess.DEVNULL, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(run.stdout, end="")
    try:
        server.accept()
        sys.exit(f"{name}: it was fetched")
    except BlockingIOError:
        pass
    if run.returncode != 1 or f"{path} is not a video" not in run.stdout or run.stdout.count("\n") != 1:
        sys.exit(f"{name}: expected a sentence and status 1, not {run.returncode}")
P
}
