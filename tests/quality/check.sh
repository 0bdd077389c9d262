#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
#
# Checks that the clips of scene.py reach the bars of expected.json, expected-ids.json,
# expected-counts.json and expected-stays.json, and pedestrians.avi, if CCA_QUALITY_CLIP
# names it. Runs that must not reach them show that the bars are checked.
set -eu

here=$(dirname "$0")
score() {
    python3 -B "$here/score.py" "$@"
}
ids() {
    python3 -B "$here/ids.py" "$@"
}
counts() {
    python3 -B "$here/counts.py" "$@"
}
stays() {
    python3 -B "$here/stays.py" "$@"
}

score --check scene
if score --only difference,sigma-delta --min-area 3000 --check scene; then
    echo "components of less than 3000 pixels are missing, and it was not seen" >&2
    exit 1
fi
rows=$(score --only bright --row 'mine=threshold=150' --row 'other=threshold=60 invert=true' |
    awk 'NR > 1 { print $1 }' | tr '\n' ' ')
if [ "$rows" != "bright mine other " ]; then
    echo "of the rows bright, mine and other there are only: $rows" >&2
    exit 1
fi
if score --only bright --row 'otsu-dark=threshold=150'; then
    echo "a row got the name of another, and it was not seen" >&2
    exit 1
fi
tone='foreground=sigma-delta absorb-after=1000 light-compensation=tone'
trees='regions=<[trees,type=exclude,points=<0,0,320,0,320,90,0,90>]>'
score --scene still --check still --only absorb-after
score --scene light --check light --only absorb-after --row "tone=$tone"
score --scene trees --check trees --only sigma-delta --row "regions=foreground=sigma-delta $trees"
score --scene shake --check shake --only sigma-delta,absorb-after
score --scene near --check near --only sigma-delta,absorb-after --close-radius 4 --min-area 480
if score --scene light --check light --only absorb-after --row "tone=foreground=sigma-delta"; then
    echo "light is not compensated, and it was not seen" >&2
    exit 1
fi
if score --scene near --check near --only sigma-delta,absorb-after; then
    echo "near people are in pieces, and it was not seen" >&2
    exit 1
fi
python3 -B "$here/identity-cases.py"
ids --check scene
if ids --min-area 3000 --check scene; then
    echo "ids of less than 3000 pixels are missing, and it was not seen" >&2
    exit 1
fi
counts --check scene
if counts --min-area 3000 --check scene; then
    echo "crossings of less than 3000 pixels are missing, and it was not seen" >&2
    exit 1
fi
# No two objects touch on these lines: the numbers are exact.
counts --line 60,0,60,240 --line 80,0,80,240 --line 120,240,120,0 --line 200,0,200,240 --line 240,240,240,0 \
    --check yard
stays --check scene
if stays --min-area 3000 --check scene; then
    echo "stays of less than 3000 pixels are missing, and it was not seen" >&2
    exit 1
fi
if [ -n "${CCA_QUALITY_CLIP:-}" ]; then
    score --clip "$CCA_QUALITY_CLIP" --scale 0.625 --check pedestrians
    ids --clip "$CCA_QUALITY_CLIP" --scale 0.625 --check pedestrians
    for seed in 1 2; do
        counts --clip "$CCA_QUALITY_CLIP" --scale 0.625 --seed $seed --check pedestrians
        stays --clip "$CCA_QUALITY_CLIP" --scale 0.625 --seed $seed --check pedestrians
    done
fi
